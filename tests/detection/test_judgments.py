"""Judgments of annotators: one gold for all systems (Chodorow et al. 2012, sections 3.4 and 3.5.2)."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from errata import Annotation, Corpus, Edit, RequestError, Sentence, System, UsageError, read, read_system, score
from errata.studies.detection import (
    Cases,
    CorpusCases,
    Counts,
    JudgedSystem,
    Judgments,
    count_cases,
    evaluate_detection,
    extract_cases,
)
from errata.studies.detection.measures import MOST_ANNOTATORS, AnnotatorEvaluations

from strategies import hypotheses, sentences
from thoroughness import some

FIXED = ("token", "character", "gap", "sentence")


def counts_of(cases: Cases, aspect: str = "detection") -> Counts:
    return Counts(*(float(number) for number in count_cases(cases, cases.systems[0], aspect)[0]))  # type: ignore[arg-type]


def measure(cases: Cases, name: str) -> float:
    value = evaluate_detection(JudgedSystem(cases, cases.systems[0])).value(name)
    assert value is not None
    return value


FIVE = Corpus((Sentence.of("He relies in her .", *([Edit(2, 3, ("on",), "Prep")] for _ in range(3)), [Edit(2, 3, ("upon",), "Prep")], []),))
"""Four of five annotators say that the preposition is wrong."""


def test_graded_counts_of_the_paper() -> None:
    """Section 3.5.2: if 80% say error, flagging adds .80 to TP and .20 to FP, and not flagging .80 to FN and .20 to TN."""
    flagged = extract_cases(FIVE, System.of("s", ["He relies on her ."]), judgments="graded")
    assert counts_of(flagged) == pytest.approx((0.8, 0.2, 0, 4, 0))
    assert counts_of(flagged, "correction") == pytest.approx((0.6, 0.4, 0.2, 4, 0.2))
    kept = extract_cases(FIVE, System.of("s", ["He relies in her ."]), judgments="graded")
    assert counts_of(kept) == pytest.approx((0, 0, 0.8, 4.2, 0))
    assert flagged.graded


@pytest.mark.parametrize("case", ["token", "character", "edit"])
def test_graded_edits_and_characters(case: str) -> None:
    flagged = counts_of(extract_cases(FIVE, System.of("s", ["He relies on her ."]), judgments="graded", case=case))  # type: ignore[arg-type]
    assert flagged[:3] == pytest.approx((0.8, 0.2, 0))


def test_vote() -> None:
    """More than half must mark an error; the correction with the most votes is right."""
    for text, expected in (("on", (1, 0, 0, 4, 0)), ("upon", (0, 1, 1, 4, 1)), ("in", (0, 0, 1, 4, 0))):
        assert counts_of(extract_cases(FIVE, System.of("s", [f"He relies {text} her ."]), judgments="vote"), "correction") == expected


def test_a_tie_is_no_error() -> None:
    corpus = Corpus((Sentence.of("a b c", [Edit(0, 1, ("x",))], []),))
    system = System.of("s", ["x b c"])
    for case, counts in (("token", (0, 1, 0, 2, 0)), ("sentence", (0, 1, 0, 0, 0)), ("gap", (0, 0, 0, 4, 0))):
        cases = extract_cases(corpus, system, judgments="vote", case=case)  # type: ignore[arg-type]
        assert counts_of(cases) == counts
    assert extract_cases(corpus, system, judgments="vote").notes == (
        "Errors are those that more than half of the 2 annotators mark; 1 of these cases had a tie, which is no error.",
    )
    edits = extract_cases(corpus, system, judgments="vote", case="edit")
    assert counts_of(edits)[:3] == (0, 1, 0)
    assert counts_of(extract_cases(corpus, System.of("s", ["a b c"]), judgments="vote", case="edit"))[:3] == (0, 0, 0)


def test_two_corrections_with_as_many_votes_are_both_right() -> None:
    corpus = Corpus((Sentence.of("a b", [Edit(0, 1, ("x",))], [Edit(0, 1, ("y",))]),))
    for case in ("token", "edit", "sentence"):
        for text in ("x b", "y b"):
            assert counts_of(extract_cases(corpus, System.of("s", [text]), judgments="vote", case=case), "correction")[:3] == (1, 0, 0)


def test_an_alternative_of_an_edit_is_right_too() -> None:
    corpus = Corpus((Sentence.of("a b", [Edit(0, 1, ("x", "y"))]),))
    for case in ("token", "edit"):
        assert counts_of(extract_cases(corpus, System.of("s", ["y b"]), annotator="0", case=case), "correction")[:3] == (1, 0, 0)


ABSENT = Corpus(
    (
        Sentence(("a", "b"), (Annotation("0", (Edit(0, 1, ("x",)),)),)),
        Sentence(("a", "b"), (Annotation("0"), Annotation("1", (Edit(1, 2, ("y",)),)))),
        Sentence(("a", "b")),
    )
)
"""Annotator 1 did not annotate the first sentence; nobody found anything wrong in the last."""


def test_who_did_not_annotate_a_sentence_has_no_vote() -> None:
    system = System.of("s", ["x b", "a y", "z b"])
    assert counts_of(extract_cases(ABSENT, system, judgments="graded")) == (1.5, 1.5, 0, 3, 0)
    assert counts_of(extract_cases(ABSENT, system, judgments="vote")) == (1, 2, 0, 3, 0)
    alone = extract_cases(ABSENT, system, annotator="1")
    assert counts_of(alone) == (1, 1, 0, 2, 0)
    assert dict(alone.left_out) == {"cases in sentences that the annotator did not annotate": 2}
    assert alone.units is not None
    assert alone.units.names == ("2", "3")
    edits = extract_cases(ABSENT, system, annotator="1", case="edit")
    assert counts_of(edits)[:3] == (1, 1, 0)
    assert dict(edits.left_out) == {"sentences that the annotator did not annotate": 1}


def test_prevalence_is_the_same_for_all_systems(gold: Corpus, systems: dict[str, System]) -> None:
    """By default it differs, because the reference is chosen for each system."""
    for case in FIXED:
        for judge in ("vote", "graded"):
            corpus_cases = CorpusCases(gold, case=case, judgments=judge)  # type: ignore[arg-type]
            assert len({measure(corpus_cases.of(system), "prevalence") for system in systems.values()}) == 1
    assert len({measure(extract_cases(gold, system), "prevalence") for system in systems.values()}) == len(systems)


def test_the_text_of_an_annotator_is_perfect(gold: Corpus) -> None:
    for annotator in gold.annotators:
        own = [{item.annotator: item for item in sentence.annotations}.get(annotator) for sentence in gold]
        system = System("same", tuple(one.corrected(item) if item else one.tokens for one, item in zip(gold, own, strict=True)))
        for case in FIXED:
            found = counts_of(extract_cases(gold, system, annotator=annotator, case=case), "correction")  # type: ignore[arg-type]
            assert (found.fp, found.fn, found.both) == (0, 0, 0)
            assert found.tp > 0


@given(st.data())
def test_graded_counts_are_the_mean_of_annotators(data: st.DataObject) -> None:
    sentence = data.draw(sentences())
    corpus, system = Corpus((sentence,)), System("s", (data.draw(hypotheses(sentence.tokens)),))
    for case in FIXED:
        corpus_cases = CorpusCases(corpus, case=case, judgments="graded")  # type: ignore[arg-type]
        alone = [counts_of(cases) for _, cases in corpus_cases.judge_by_annotator(system)]
        mean = [sum(own) / len(alone) for own in zip(*alone, strict=True)]
        assert counts_of(corpus_cases.of(system)) == pytest.approx(mean)


def test_edits_of_one_annotator_are_those_of_maxmatch(gold: Corpus, systems: dict[str, System]) -> None:
    alone = Corpus(tuple(Sentence(one.tokens, tuple(item for item in one.annotations if item.annotator == "0")) for one in gold))
    for system in systems.values():
        found, parts = counts_of(extract_cases(gold, system, case="edit", annotator="0"), "correction"), score(alone, system).parts
        absent = [index for index, one in enumerate(gold) if one.annotations and "0" not in {item.annotator for item in one.annotations}]
        if not absent:
            assert (found.tp, found.tp + found.fp, found.tp + found.fn) == (parts["correct"], parts["proposed"], parts["gold"])


def test_agreement(gold: Corpus, systems: dict[str, System]) -> None:
    corpus_cases = CorpusCases(gold, judgments="graded")
    found = AnnotatorEvaluations.of(corpus_cases, list(systems.values()), len(gold.annotators))
    assert {(item.evaluation.system_name, item.annotator, item.evaluation.aspect) for item in found.systems} == {
        (name, annotator, aspect) for name in systems for annotator in gold.annotators for aspect in ("detection", "correction")
    }
    pairs = [(item.annotator, item.evaluation.system_name) for item in found.pairs]
    assert pairs[::2] == pairs[1::2] == [(one, two) for index, one in enumerate(gold.annotators) for two in gold.annotators[index + 1 :]]
    assert found.pairs[0].evaluation.value("kappa") is not None
    assert AnnotatorEvaluations.of(corpus_cases, [], MOST_ANNOTATORS + 1).skipped == MOST_ANNOTATORS + 1


def test_agreement_by_hand() -> None:
    """Of five tokens both mark one, each marks another, and two are right: A .6, E(A) .4·.4 + .6·.6, kappa .1667."""
    corpus = Corpus((Sentence.of("a b c d e", [Edit(0, 1, ("x",)), Edit(1, 2, ("x",))], [Edit(0, 1, ("y",)), Edit(2, 3, ("x",))]),))
    for judge in ("vote", "graded"):
        detection, correction = AnnotatorEvaluations.of(CorpusCases(corpus, judgments=judge), [], 2).pairs
        assert detection.evaluation.counts == (1, 1, 1, 2, 0)
        assert detection.evaluation.value("kappa") == pytest.approx((0.6 - 0.52) / 0.48)
        assert (detection.evaluation.value("prevalence"), detection.evaluation.value("bias")) == (0.4, 0.4)
        assert correction.evaluation.counts == (0, 2, 2, 2, 1)


def test_bad_requests(gold: Corpus, systems: dict[str, System]) -> None:
    for options, message in (
        ({"annotator": "7"}, "has no annotator '7'; choose from 0, 1"),
        ({"judgments": "most"}, "judgments must be chosen, vote or graded, found 'most'"),
        ({"judgments": "vote", "annotator": "0"}, "one annotator cannot be combined with vote"),
        (
            {"judgments": "vote", "metric": "imeasure"},
            "a metric cannot be combined with a gold that is the same for all systems: tokens",
        ),
        ({"judgments": "vote", "confusion_set": {"a"}}, "a confusion set needs gaps as cases if the gold is the same for all systems"),
        ({"case": "sentence", "types": ["Prep"]}, "sentences have no types; with types use tokens, gaps or edits"),
        ({"sites": ["noun-phrases"]}, "sites need gaps as cases, found tokens"),
        ({"sites": ["noun-phrases"], "case": "gap"}, "sites need a tagger"),
    ):
        with pytest.raises(UsageError, match=message):
            extract_cases(gold, systems["eager"], **options)
    assert str(Judgments()) == "Judgments(name='chosen', annotator=None, beside=None)"


def test_too_many_texts() -> None:
    edit = Edit(0, 1, tuple(str(number) for number in range(3_000)))
    corpus = Corpus((Sentence.of("a"), Sentence.of(["a"] * 10_000, [edit])))
    with pytest.raises(RequestError, match="sentence 2: its annotators accept texts of more than 20,000,000 tokens"):
        extract_cases(corpus, System("s", tuple(sentence.tokens for sentence in corpus)), annotator="0")


def test_a_subset_keeps_its_numbers(gold: Corpus, systems: dict[str, System]) -> None:
    cases = extract_cases(gold.subset([3, 10, 11]), systems["eager"], judgments="vote")
    assert cases.units is not None
    assert cases.units.names == ("3", "10", "11")
    assert cases.what.endswith("in 3 of 72 sentences (3,10-11)")


@pytest.mark.realdata
def test_one_gold_on_a_test_set(data: Path) -> None:
    """CoNLL-2014, tokens of the source; both annotators together and alone."""
    gold = read(data / "conll14" / "gold" / "official-2014.combined.m2")
    names = ("systems/AMU", "systems/CUUI", "systems/IITB", "systems/INPUT", "modern/BART", "modern/REF-F")
    systems = [read_system(data / "conll14" / f"{name}.txt") for name in some(names, 2)]
    for options, expected in (({"judgments": "graded"}, 0.1183), ({"judgments": "vote"}, 0.0588), ({"annotator": "0"}, 0.0987)):
        corpus_cases = CorpusCases(gold, **options)  # type: ignore[arg-type]
        every = [corpus_cases.of(system) for system in systems]
        assert {len(cases) for cases in every} == {30_144}
        (prevalence,) = {measure(cases, "prevalence") for cases in every}
        assert prevalence == pytest.approx(expected, abs=5e-5)
    for missing, kappa in some((("detect", 0.4317), ("same", 0.4317), ("absent", 0.4104), ("noop", 0.4035)), 2):
        (_, agreement), *_ = ((name, cases) for name, cases in CorpusCases(gold, judgments="vote", missing=missing).judge_annotators())
        assert measure(agreement, "kappa") == pytest.approx(kappa, abs=5e-5)


@pytest.mark.realdata
def test_annotators_of_a_test_set_alone(data: Path) -> None:
    """The file of each annotator: .104 and .142 if inserted words are cases (as aligned for each system), else .0987 and .1380."""
    for annotator, aligned, fixed in (("0", 0.1043, 0.0987), ("1", 0.1419, 0.1380)):
        gold = read(data / "conll14" / "gold" / f"official-2014.{annotator}.m2")
        system = read_system(data / "conll14" / "systems" / "AMU.txt")
        assert measure(extract_cases(gold, system), "prevalence") == pytest.approx(aligned, abs=5e-5)
        assert measure(extract_cases(gold, system, annotator="0"), "prevalence") == pytest.approx(fixed, abs=5e-5)
        both = read(data / "conll14" / "gold" / "official-2014.combined.m2")
        cases = extract_cases(both, system, annotator=annotator)
        assert measure(cases, "prevalence") == pytest.approx(fixed, abs=5e-5)
        assert ("missing same" in cases.data) == (annotator == "1")
