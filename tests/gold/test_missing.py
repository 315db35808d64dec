"""Annotators without a line for a sentence: policies, what can be concluded, and what is made of it."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from errata import Annotation, Corpus, Edit, RequestError, Sentence, System, UsageError, read, score, write
from errata.cli import main
from errata.corpus.annotators import (
    MISSING,
    MissingAnnotators,
    choose_missing,
    complete_annotations,
    complete_corpus,
    explain_missing,
)
from errata.studies.coverage.estimation import collect_corrections
from errata.studies.coverage.perfect import GoldShape
from errata.studies.detection.from_corpora import CorpusCases, extract_cases

from strategies import hypotheses, sentences
from thoroughness import often

RIGHT = Edit(0, 1, ("the",), "Det")


def annotate(*edits: tuple[Edit, ...] | None) -> Sentence:
    """Make a sentence in which annotator k has these edits, or no line."""
    return Sentence(("a", "b", "c"), tuple(Annotation(str(k), own) for k, own in enumerate(edits) if own is not None))


def make_answers(count: int, agreement: float, seed: int = 1) -> list[tuple[tuple[Edit, ...], tuple[Edit, ...]]]:
    """Make the edits of two people: no error in a third of the sentences, else one of three."""
    draw = random.Random(seed)
    choices = [(), (), (Edit(0, 1, ("x",)),), (Edit(1, 2, ("y",)),), (Edit(2, 3, ("z",), "T"),), (Edit(0, 1, ("x",)), Edit(1, 2, ("y",)))]
    answers = []
    for _ in range(count):
        one = draw.choice(choices)
        answers.append((one, one if draw.random() < agreement else draw.choice(choices)))
    return answers


def leave_out_equal(answers: list[tuple[tuple[Edit, ...], tuple[Edit, ...]]], *, empty: bool) -> Corpus:
    """Write equal annotations once; if both have no edits, nothing or one line."""
    made = []
    for one, other in answers:
        if one == other:
            made.append(annotate(one) if one or empty else annotate())
        else:
            made.append(annotate(one, other))
    return Corpus(tuple(made))


@pytest.mark.parametrize("empty", [False, True])
def test_files_that_leave_equal_annotations_out(empty: bool) -> None:  # noqa: FBT001
    answers = make_answers(400, 0.2)
    gold = leave_out_equal(answers, empty=empty)
    found = gold.missing
    assert found.policies == {"1": "same"}
    assert found.policy == choose_missing(gold) == "same"
    assert [tuple(item.edits for item in own) for own in complete_annotations(gold, "same")] == answers


def test_files_that_leave_lines_without_changes_out() -> None:
    answers = make_answers(400, 0.2)
    gold = Corpus(tuple(annotate(one or None, other or None) for one, other in answers))
    assert gold.missing.policy == choose_missing(gold) == "noop"
    assert [tuple(item.edits for item in own) for own in complete_annotations(gold, "noop")] == answers
    assert explain_missing(gold, "noop") == []


def test_annotators_who_did_not_look_at_every_sentence() -> None:
    draw = random.Random(2)
    gold = Corpus(tuple(annotate(one, other if draw.random() < 0.8 else None) for one, other in make_answers(400, 0.2)))
    assert gold.missing.policy == "absent"
    both = Corpus(tuple(annotate(*(own if draw.random() < 0.8 else None for own in pair)) for pair in make_answers(400, 0.2)))
    assert set(both.missing.policies.values()) == {"absent"}
    assert choose_missing(gold) == choose_missing(both) == "same", "which adds no reference"


def test_each_piece_of_evidence_counts() -> None:
    """What follows ``same`` does not, as soon as one of the conditions fails."""
    sample = list(leave_out_equal(make_answers(400, 0.2), empty=False))
    twice = annotate((RIGHT,), (RIGHT,))
    for changed in (
        [*sample, annotate(None, (RIGHT,))],  # the first annotator has no line
        [*sample, *[twice] * len(sample)],  # equal annotations are written
        [*sample, *[annotate((), ())] * 60],  # both found nothing wrong, and have lines that say so
        [*sample, *[annotate((RIGHT,))] * len(sample)],  # the second annotator has lines in few sentences
        [sentence for sentence in sample if all(item.edits for item in sentence.annotations)],  # no line says that nothing is wrong
    ):
        assert Corpus(tuple(changed)).missing.policies["1"] != "same"
    assert Corpus((*sample, *[twice] * 10)).missing.policies == {"1": "same"}, "a few equal annotations are written in such files"


def test_small_files_say_nothing() -> None:
    assert Corpus((annotate((RIGHT,), ()), annotate((RIGHT,)))).missing.policies == {"1": None}
    assert Corpus((annotate((RIGHT,), None), annotate(None, (RIGHT,)))).missing.policies == {"0": None, "1": None}
    for whole in (
        Corpus(()),
        Corpus((annotate(),)),
        Corpus((annotate((RIGHT,)), annotate())),
        Corpus((annotate((RIGHT,), ()), annotate())),
    ):
        assert not whole.missing
        assert explain_missing(whole, "noop") == explain_missing(whole, "same") == []


def test_unlike_annotators_are_told_apart() -> None:
    """Those of alternative answers have few lines, so nothing is concluded about them."""
    answers = make_answers(400, 0.2)
    sample = [
        sentence if number % 10 or len(sentence.annotations) < 2 else annotate(*answers[number], (RIGHT, Edit(2, 2, ("!",))))
        for number, sentence in enumerate(leave_out_equal(answers, empty=False))
    ]
    found = Corpus(tuple(sample)).missing
    assert found.policies == {"1": "same", "2": None}
    assert found.policy is None
    told, also = explain_missing(Corpus(tuple(sample)), "same")
    assert told.endswith("because annotations that equal the first are left out of this gold; the first is repeated")
    assert also.startswith("annotator 2 has no line in ")


def test_completed_annotations() -> None:
    both, second, nobody = annotate((RIGHT,), ()), annotate(None, (RIGHT,)), annotate()
    gold = Corpus((both, second, nobody))
    completed = {policy: [[(a.annotator, len(a.edits)) for a in own] for own in complete_annotations(gold, policy)] for policy in MISSING}
    assert completed == {
        "absent": [[("0", 1), ("1", 0)], [("1", 1)], [("0", 0)]],
        "same": [[("0", 1), ("1", 0)], [("0", 1), ("1", 1)], [("0", 0), ("1", 0)]],
        "noop": [[("0", 1), ("1", 0)], [("0", 0), ("1", 1)], [("0", 0), ("1", 0)]],
    }
    assert [len(own) for own in complete_annotations(gold, {"0": "same"})] == [2, 2, 1]
    assert complete_corpus(gold, "absent") == gold
    assert complete_corpus(gold, "noop")[1].annotations[0] == Annotation("0")
    with pytest.raises(UsageError, match="missing must be one of detect, absent, same, noop, found 'none'"):
        choose_missing(gold, "none")


@given(st.lists(sentences(), min_size=1, max_size=4), st.data())
@settings(max_examples=often(50, 25))
def test_repeated_annotations_change_no_score(drawn: list[Sentence], data: st.DataObject) -> None:
    gold = Corpus(tuple(drawn))
    system = [data.draw(hypotheses(sentence.tokens)) for sentence in drawn]
    for setting in ("", "references=mix,"):
        expected = score(gold, system, f"maxmatch({setting}missing=absent)").counts
        assert score(gold, system, f"maxmatch({setting}missing=same)").counts == expected
        assert score(complete_corpus(gold, "same"), system, f"maxmatch({setting}missing=absent)").counts == expected
    assert score(complete_corpus(gold, "same"), system, "accuracy").value == score(gold, system, "accuracy").value


def test_convert(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    gold = Corpus((annotate((RIGHT,), ()), annotate((RIGHT,))))
    write(gold, tmp_path / "gold.m2")
    for missing, second in ((None, "the b c"), ("same", "the b c"), ("noop", "a b c")):
        options = [] if missing is None else ["--missing", missing]
        assert main(["convert", str(tmp_path / "gold.m2"), "--to", "parallel", "-o", str(tmp_path / "text"), *options]) == 0
        assert (tmp_path / "text.ref1").read_text().splitlines() == ["a b c", second]
        assert ("the first annotator is repeated there" in capfd.readouterr().err) == (missing != "noop")
    assert main(["convert", str(tmp_path / "gold.m2"), "--missing", "same", "-o", str(tmp_path / "whole.m2")]) == 0
    assert read(tmp_path / "whole.m2")[1].annotations[1] == Annotation("1", (RIGHT,))
    assert main(["convert", str(tmp_path / "gold.m2"), "--to", "parallel", "--missing", "absent", "-o", str(tmp_path / "no")]) == 2
    assert "--missing must be same or noop, found absent" in capfd.readouterr().err


def test_types_are_left_out_after_lines_are_understood(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Without its edits of other types, an annotator has a line that says that nothing is wrong, which is evidence of nothing."""
    gold = leave_out_equal(make_answers(400, 0.2), empty=False)
    write(gold, tmp_path / "gold.jsonl")
    assert main(["convert", str(tmp_path / "gold.jsonl"), "--types", "T", "--to", "parallel", "-o", str(tmp_path / "text")]) == 0
    assert "because annotations that equal the first are left out of this gold; the first is repeated" in capfd.readouterr().err
    alone = [
        ["z" in (own if (own := sentence.corrected(item)) else ()) for item in sentence.annotations]
        for sentence in complete_corpus(gold, "same")
    ]
    written = [(tmp_path / f"text.ref{k}").read_text().splitlines() for k in (0, 1)]
    assert [["z" in line.split() for line in pair] for pair in zip(*written, strict=True)] == alone


def test_a_warning_of_references_that_nobody_made(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    gold = leave_out_equal(make_answers(400, 0.2), empty=False)
    write(gold, tmp_path / "gold.m2")
    (tmp_path / "system.txt").write_text("\n".join(sentence.text for sentence in gold) + "\n")
    arguments = ["score", str(tmp_path / "gold.m2"), str(tmp_path / "system.txt"), "-m"]
    assert main([*arguments, "maxmatch"]) == 0
    assert capfd.readouterr().err == ""
    assert main([*arguments, "maxmatch(missing=noop)"]) == 0
    (line,) = capfd.readouterr().err.splitlines()
    assert "maxmatch(missing=noop): annotator 1 has no line in " in line
    assert line.endswith("noop makes up references without changes there, same repeats the first")


@pytest.mark.realdata
def test_the_annotators_of_a_test_set(data: Path) -> None:
    """In 224 of 1,312 sentences annotator 1 has no line: 136 times both correct nothing, 88 times the same, as their own files say."""
    gold = read(data / "conll14" / "gold" / "official-2014.combined.m2")
    assert gold.missing.sentences == {"1": 88}
    assert gold.missing.policies == {"1": "same"}
    columns = []
    for annotator in ("0", "1"):
        alone = read(data / "conll14" / "gold" / f"official-2014.{annotator}.m2")
        assert [sentence.tokens for sentence in alone] == [sentence.tokens for sentence in gold]
        columns.append([sentence.annotations[0].edits if sentence.annotations else () for sentence in alone])
    spans = [[sorted((edit.start, edit.end, edit.corrections) for edit in own) for own in column] for column in columns]
    lacking = [index for index, sentence in enumerate(gold) if "1" not in {item.annotator for item in sentence.annotations}]
    assert len(lacking) == 224
    assert all(spans[0][index] == spans[1][index] for index in lacking)
    assert sum(not spans[0][index] for index in lacking) == 136
    for index, completed in enumerate(complete_annotations(gold, "same")):
        assert [sorted((edit.start, edit.end, edit.corrections) for edit in item.edits) for item in completed] == [
            own[index] for own in spans
        ]


@pytest.mark.realdata
def test_other_files(data: Path) -> None:
    """Alternative answers are of annotators who have lines in few sentences; converted gold keeps what it leaves out."""
    gold = data / "conll14" / "gold"
    assert read(gold / "official-2014.combined-withalt.m2").missing.policies == {"1": "same", "2": None, "3": None, "4": None}
    alternatives = read(data / "conll13" / "revised" / "data_5types" / "combined.5types.m2")
    assert set(alternatives.missing.policies.values()) == {None}
    for name in ("gold.auto", "gold.gold"):
        assert read(data / "expected" / "errant" / "m2" / f"{name}.m2.gz").missing.policies == {"1": "same"}
    assert not read(data / "expected" / "errant" / "m2" / "gold.text.m2.gz").missing


@pytest.mark.realdata
def test_the_reference_texts_of_a_test_set(data: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    gold = str(data / "conll14" / "gold" / "official-2014.combined.m2")
    assert main(["convert", gold, "--to", "parallel", "-o", str(tmp_path / "text")]) == 0
    assert "annotator 1 has no line in 88 sentences, because annotations that equal the first are left out" in capfd.readouterr().err
    for number in (0, 1):
        expected = (data / "expected" / "gleu" / f"conll14.ref{number}.txt").read_text(encoding="utf-8")
        assert (tmp_path / f"text.ref{number}").read_text(encoding="utf-8") == expected


def test_measures_of_annotators_add_only_what_is_found(capfd: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    gold = leave_out_equal(make_answers(400, 0.2), empty=False)
    whole = complete_corpus(gold, "same")
    assert complete_corpus(gold) == whole
    assert GoldShape.of(gold).as_usual == 400
    assert collect_corrections(gold) == collect_corrections(whole)
    assert collect_corrections(gold, "absent") != collect_corrections(whole)
    partial = Corpus((annotate((RIGHT,), ()), annotate((RIGHT,))))
    assert complete_corpus(partial) is partial
    assert GoldShape.of(partial).as_usual == 1
    system = System("s", tuple(sentence.tokens for sentence in gold))
    for annotator in ("0", "1"):
        ours, expected = (extract_cases(own, system, annotator=annotator) for own in (gold, whole))
        assert ours.error.tolist() == expected.error.tolist()
        assert ("missing same" in ours.data) == (annotator == "1")
    pairs = [[cases.error.tolist() for _, cases in CorpusCases(own, judgments="vote").judge_annotators()] for own in (gold, whole)]
    assert pairs[0] == pairs[1]
    assert "missing noop" in extract_cases(gold, system, missing="noop").data
    write(gold, tmp_path / "gold.m2")
    assert main(["stats", str(tmp_path / "gold.m2")]) == 0
    assert "a missing one of annotator 1 means: the same corrections as the first annotator" in " ".join(capfd.readouterr().out.split())


def test_a_corpus_that_would_become_too_large() -> None:
    gold = Corpus(tuple(Sentence(("a",), (Annotation(str(number)),)) for number in range(5_000)))
    with pytest.raises(RequestError, match="have no line 24,995,000 times, which are too many to be added, more than 20,000,000"):
        complete_corpus(gold, "same")


def test_a_subset_follows_the_policy_of_the_whole_corpus() -> None:
    """Also if an annotator has no line in any of its sentences."""
    names = [("1",), ("0",), ("0", "1")] * 20
    corpus = Corpus(tuple(Sentence(("a", "b"), tuple(Annotation(name, (Edit(0, 1, (name,)),)) for name in own)) for own in names))
    assert corpus.missing.policies == {"0": "noop", "1": "noop"}
    subset = corpus.subset("1,3")
    assert subset.missing == MissingAnnotators({"0": 1}, {"0": "noop"})
    assert corpus.subset("1-9").subset("1").missing.policies == {"0": "noop"}
    assert [[item.annotator for item in own] for own in complete_annotations(subset, "noop")] == [["1", "0"]] * 2
    whole, part = (score(one, [["a", "b"]] * len(one), "gleu(order=1)") for one in (corpus, subset))
    assert whole.sentence(1) == part.sentence(1)
    assert "missing 0 noop" in part.signature


def test_many_annotations_prove_nothing_by_their_number() -> None:
    """As many sentences that both found correct as chance would have it, in a corpus of any size."""
    found = [annotate((), ()), annotate((), (RIGHT,)), annotate((RIGHT,), ()), annotate((RIGHT,), (Edit(1, 2, ("x",)),))] * 1000
    assert Corpus((*found, *[annotate((RIGHT,), None)] * 2500)).missing.policies == {"1": None}
