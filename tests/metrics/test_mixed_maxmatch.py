"""MaxMatch against mixtures of annotators: the same as with every mixture as an annotator of its own."""

from __future__ import annotations

import json
import pickle
from itertools import product
from math import prod
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from errata import Annotation, Corpus, Edit, Evaluator, RequestError, Sentence, System, core, read, read_system, score
from errata.cli import main
from errata.core import python as python_core
from errata.corpus.alternatives import group_errors
from errata.corpus.corpus import ErrorGroup
from errata.metrics import maxmatch
from errata.metrics.maxmatch import MaxMatch, _find_mixtures, _find_parts, _MixedScorer, _MixedSentence
from errata.metrics.ratios import Row

from strategies import core_edits, hypotheses, words
from ten_annotators import make_ten_annotators
from thoroughness import often, some

MIX = "maxmatch(references=mix)"
LISTING_1 = [
    "These machines are designed for helping people .",
    "These machines are designed to help people .",
    "This machine is designed for helping people .",
    "This machine is designed to help people .",
]


def machines(*, named: bool) -> Sentence:
    """Table 1 of Felice and Briscoe 2015, and with named errors its Listing 1."""
    agreement, form = (ErrorGroup("1", True), ErrorGroup("2", True)) if named else (None, None)
    return Sentence.of(
        "This machines is designed for help people .",
        [Edit(0, 1, ("These",), error=agreement), Edit(2, 3, ("are",), error=agreement), Edit(5, 6, ("helping",), error=form)],
        [Edit(1, 2, ("machine",), error=agreement), Edit(4, 5, ("to",), error=form)],
    )


def test_table_1_of_felice_and_briscoe() -> None:
    gold, system = Corpus((machines(named=False),)), System.of("x", ["These machines are designed to help people ."])
    assert score(gold, system, "maxmatch").counts == (2, 3, 3)
    assert score(gold, system, MIX).counts == (3, 3, 3, 1, 1)


@pytest.mark.parametrize("text", LISTING_1)
def test_the_references_of_listing_1_are_all_right(text: str) -> None:
    gold, system = Corpus((machines(named=True),)), System.of("x", [text])
    assert score(gold, system, MIX).value == 1
    assert score(gold, system, "accuracy(references=mix)").value == 1
    assert (score(gold, system, "maxmatch").value == 1) == (text in (LISTING_1[0], LISTING_1[3]))


def test_no_other_combination_is_in_listing_1() -> None:
    """Both alternatives of one error do not go together."""
    gold, system = Corpus((machines(named=True),)), System.of("x", ["These machine are designed to help people ."])
    assert score(gold, system, MIX).value < 1
    assert score(gold, system, "accuracy(references=mix)").value == 0


@st.composite
def annotated(draw: st.DrawFn, longest: int = 8, annotators: int = 3) -> tuple[Sentence, tuple[str, ...]]:
    """A sentence with several annotators, and a hypothesis; long runs of equal tokens, so that it can be cut."""
    source: list[str] = []
    for _ in range(draw(st.integers(0, 3))):
        source += draw(st.lists(words, max_size=longest // 2))
        source += draw(st.sampled_from([[], ["k", "l", "m", "n", "o"], ["k", "l", "m"]]))
    hypothesis = draw(hypotheses(tuple(source)))
    annotations = []
    for annotator in range(draw(st.integers(0, annotators))):
        edits = [
            Edit(start, end, tuple(" ".join(text) for text in texts)) for start, end, texts in draw(core_edits(tuple(source), hypothesis))
        ]
        annotations.append(Annotation(str(annotator), tuple(edits)))
    return Sentence(tuple(source), tuple(annotations)), hypothesis


def list_mixtures(sentence: Sentence) -> list[tuple[Edit, ...]]:
    """List the edits of all mixtures; those of each annotator if every mixture has a span twice."""
    mixtures = []
    for choice in product(*group_errors(sentence)):
        spans = [(start, end) for alternative in choice for start, end, _ in alternative.replacements]
        if len(set(spans)) == len(spans):
            edits = [edit for alternative in choice for edit in alternative.edits]
            mixtures.append(tuple(sorted(edits, key=lambda edit: (edit.start, edit.end))))
    return mixtures


def list_best(rows: set[Row], metric: MaxMatch) -> list[Row]:
    """Keep the rows that no other has as many correct edits as, and fewer others."""
    weigh = MaxMatch(beta=metric.beta).ratio.of
    best: list[Row] = []
    for row in sorted(rows, key=lambda row: (-row[0], weigh(row)[1], row[1])):
        if not best or weigh(row)[1] < weigh(best[-1])[1]:
            best.append(row)
    return best


def enumerate_rows(sentence: Sentence, hypothesis: tuple[str, ...], metric: MaxMatch) -> list[Row]:
    mixtures = list_mixtures(sentence)
    annotations = tuple(Annotation(str(number), edits) for number, edits in enumerate(mixtures))
    one = MaxMatch(metric.beta, metric.max_unchanged, metric.ignore_case_and_space)
    (rows,) = one.scorer(Corpus((Sentence(sentence.tokens, annotations),))).prepare([hypothesis]).rows(0, 1)
    return list_best(set(rows), metric)


@pytest.mark.slow
@given(
    case=annotated(),
    most=st.sampled_from([1, 2, 4, 8, 4096]),
    unchanged=st.sampled_from([2, 2, 0, 1, 3]),
    beta=st.sampled_from([0.5, 1, 2]),
)
@settings(max_examples=often(300, 100))
def test_certified_mixtures_are_those_of_enumeration(
    case: tuple[Sentence, tuple[str, ...]], most: int, unchanged: int, beta: float
) -> None:
    """Also if only few mixtures may be tried, so that parts are combined."""
    sentence, hypothesis = case
    metric = MaxMatch(beta=beta, max_unchanged=unchanged, references="mix")
    if prod(map(len, group_errors(sentence))) > 3000 or not list_mixtures(sentence):
        return
    expected = enumerate_rows(sentence, hypothesis, metric)
    mixed, judge = _MixedSentence(sentence), _MixedScorer(metric, Corpus((sentence,))).judge
    found, certified = _find_mixtures(
        mixed, judge.probe(0, hypothesis), lambda selections: judge.counts_of(0, hypothesis, selections), metric.ratio, most
    )
    rows = [mixture[:3] for mixture in found]
    if certified:
        assert rows == expected
    else:  # what was found exists, and is not better than the best
        assert most < 4096
        possible = set(expected) | set(rows)
        assert list_best(possible, metric) == expected
    for mixture in found:
        assert len(mixture.edits) == mixture.gold


@given(case=annotated(), spelled=st.booleans())
@settings(max_examples=often(150, 50))
def test_case_and_space_can_be_ignored(case: tuple[Sentence, tuple[str, ...]], *, spelled: bool) -> None:
    sentence, hypothesis = case
    if prod(map(len, group_errors(sentence))) > 500 or not list_mixtures(sentence):
        return
    tokens = tuple(word.upper() for word in hypothesis) if spelled else hypothesis
    metric = MaxMatch(ignore_case_and_space=True, references="mix")
    (rows,) = metric.scorer(Corpus((sentence,))).prepare([tokens]).rows(0, 1)
    assert [row[:3] for row in rows] == enumerate_rows(sentence, tokens, metric)


@given(annotated())
@settings(max_examples=often(300, 100))
def test_probe_and_selected_counts_agree_with_the_twin(case: tuple[Sentence, tuple[str, ...]]) -> None:
    sentence, hypothesis = case
    mixed = _MixedSentence(sentence)
    pool = tuple((edit.start, edit.end, tuple(tuple(text.split()) for text in edit.corrections)) for edit in mixed.pool)
    native, twin = (judge([(sentence.tokens, (pool,))], 2) for judge in (core.MaxMatchJudge, python_core.MaxMatchJudge))
    assert native.probe(0, hypothesis) == twin.probe(0, hypothesis)
    selections = [tuple(range(len(pool))), (), *((index,) for index in range(len(pool)))]
    assert native.counts_of(0, hypothesis, selections) == twin.counts_of(0, hypothesis, selections)


@pytest.mark.parametrize("judge", [core.MaxMatchJudge, python_core.MaxMatchJudge])
def test_selections_are_checked(judge: type[core.MaxMatchJudge]) -> None:
    made = judge([(("a",), (((0, 1, (("b",),)),),)), (("a",), ())], 2)
    assert made.counts_of(0, ("b",), [(0,), ()]) == [(1, 1, True), (0, 1, True)]
    for wrong in ((1,), (-1,)):
        with pytest.raises(IndexError, match="does not exist"):
            made.counts_of(0, ("b",), [wrong])
    with pytest.raises(ValueError, match="no edits to select from"):
        made.probe(1, ("b",))
    with pytest.raises(IndexError, match="more hypotheses"):
        made.probe(2, ("b",))


@given(annotated(annotators=1))
@settings(max_examples=often(200, 70))
def test_one_annotator_alone_has_nothing_to_mix(case: tuple[Sentence, tuple[str, ...]]) -> None:
    sentence, hypothesis = case
    gold, system = Corpus((sentence,)), System("x", (hypothesis,))
    assert score(gold, system, MIX).counts[:3] == score(gold, system, "maxmatch").counts


def test_rows_edits_and_labels_belong_together(gold: Corpus) -> None:
    found = score(gold, read_system("examples/systems/eager.txt"), MIX)
    assert found.evidence.chosen is not None
    for number, (rows, labels) in enumerate(zip(found.evidence.rows, found.evidence.labels, strict=True), start=1):
        shown = found.edits(number)
        outcomes = [edit.outcome for edit in shown]
        chosen = rows[found.evidence.chosen[number - 1]]
        assert (outcomes.count("right"), outcomes.count("right") + outcomes.count("wrong")) == chosen[:2]
        assert outcomes.count("right") + outcomes.count("missed") == chosen[2]
        assert labels == ("mix",) * len(rows)
    assert found.parts["certified"] == found.parts["sentences"] == len(gold)


def test_a_mixture_is_never_worse(gold: Corpus) -> None:
    for path in sorted(Path("examples/systems").glob("*.txt")):
        for choice in ("optimal", "sentence"):
            system = read_system(path)
            single = score(gold, system, f"maxmatch(choice={choice})")
            mixed = score(gold, system, f"maxmatch(choice={choice},references=mix)")
            assert mixed.value >= single.value


def test_what_cannot_be_tried_is_not_certified(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two changes side by side, of two annotators each: four mixtures of one part."""
    sentence = Sentence.of("a b", [Edit(0, 1, ("x",))], [Edit(1, 2, ("y",))])
    gold, system = Corpus((sentence,)), System.of("s", ["x y"])
    assert score(gold, system, MIX).counts == (2, 2, 2, 1, 1)
    monkeypatch.setattr("errata.metrics.maxmatch._MOST_TRIED_MIXTURES", 3)
    assert score(gold, system, MIX).counts == (2, 2, 2, 0, 1)


def test_a_gold_edit_over_a_cut_joins_its_sides() -> None:
    """The long edit has no alternative, but whether it matches depends on the errors on both of its sides."""
    long, left, right = Edit(0, 6, ("x k l m n y",)), Edit(0, 1, ("x",)), Edit(5, 6, ("y",))
    errors: list[list[tuple[int, ...]]] = [[(0,), ()], [(1,), ()], [(2,)]]
    edits = (left, right, long)
    assert _find_parts(edits, errors[:2], [True] * 3, [2, 3, 4]) == [[0], [1]]
    assert _find_parts(edits, errors, [True] * 3, [2, 3, 4]) == [[0, 1]]
    assert _find_parts(edits, errors, [True, True, False], [2, 3, 4]) == [[0], [1]]


def test_a_span_is_used_once() -> None:
    """The same span in two errors: mixtures have one of them, and each annotator's own edits stay if there is none."""
    edits = [Edit(0, 3, ("x",)), Edit(3, 5, ("y",)), Edit(2, 4, ("z",)), Edit(3, 5, ("w",))]
    sentence = Sentence.of("a b c d e f", edits)
    assert [len(options) for options in _MixedSentence(sentence).errors] == [1]
    assert _MixedSentence(sentence).pool == tuple(sorted(edits, key=lambda edit: (edit.start, edit.end)))
    two = Sentence.of("a b c d e f", edits, [Edit(3, 5, ("v",))])
    mixed = _MixedSentence(two)
    assert all(len({(mixed.pool[i].start, mixed.pool[i].end) for i in option}) == len(option) for option in mixed.errors[0])
    assert not _MixedSentence(two, most=1).certain


def test_missing_annotators_leave_errors_uncorrected() -> None:
    """With missing=noop, an annotator without a line changes nothing, so no error must be corrected."""
    gold = Corpus((Sentence.of("a b", [Edit(0, 1, ("x",))]), Sentence.of("c", [Edit(0, 1, ("z",))], [])))
    system = System.of("s", ["a b", "c"])
    assert score(gold, system, MIX).counts[:3] == (0, 0, 1)
    assert score(gold, system, "maxmatch(references=mix,missing=noop)").counts[:3] == (0, 0, 0)


def test_a_scorer_can_be_pickled(gold: Corpus) -> None:
    system = read_system("examples/systems/eager.txt")
    evaluate = Evaluator(gold, MIX)
    assert pickle.loads(pickle.dumps(evaluate))(system).counts == evaluate(system).counts


def table_of_697(data: Path) -> tuple[Corpus, list[int]]:
    lines = (data / "expected" / "imeasure" / "subset-697.tsv").read_text().splitlines()[1:]
    numbers = [int(line.split("\t")[0]) for line in lines if line.endswith("\t1")]
    whole = read(data / "conll14" / "gold" / "official-2014.combined-withalt.m2")
    return Corpus(tuple(whole[number] for number in numbers)), numbers


PUBLISHED = {  # Table 10 of Felice and Briscoe 2015: R and F0.5 with original and with mixed annotations
    "CUUI": (33.87, 44.07, 39.60, 45.73),
    "AMU": (29.44, 40.48, 33.49, 41.80),
    "RAC": (19.08, 29.21, 21.59, 30.28),
    "PKU": (19.60, 28.51, 21.63, 29.48),
    "UFC": (3.26, 13.83, 3.39, 14.31),
    "IPN": (3.87, 7.20, 4.09, 7.34),
    "IITB": (1.74, 7.07, 1.81, 7.31),
}


@pytest.mark.realdata
def test_table_10_of_felice_and_briscoe(data: Path) -> None:
    """On 697 of its 711 sentences, which it does not list: every F0.5 within 0.7, every gain in recall within 0.3, and the ranking."""
    gold, numbers = table_of_697(data)
    found = {}
    for name, (recall, f, mixed_recall, mixed_f) in PUBLISHED.items():
        whole = read_system(data / "conll14" / "systems" / f"{name}.txt")
        system = System(name, tuple(whole.sentences[number] for number in numbers))
        single, mixed = score(gold, system, "maxmatch"), score(gold, system, MIX)
        assert mixed.parts["certified"] == 697
        assert abs(100 * single.value - f) < 0.7
        assert abs(100 * mixed.value - mixed_f) < 0.7
        assert abs(100 * (mixed.parts["recall"] - single.parts["recall"]) - (mixed_recall - recall)) < 0.3
        found[name] = mixed.value
    assert sorted(found, key=found.__getitem__, reverse=True) == sorted(PUBLISHED, key=lambda name: -PUBLISHED[name][3])
    assert [round(100 * found[name], 2) for name in ("CUUI", "AMU", "UFC")] == [46.25, 41.95, 14.80]


@pytest.mark.realdata
@pytest.mark.slow
@pytest.mark.parametrize("gold_name", ["official-2014.combined.m2", "official-2014.combined-withalt.m2"])
def test_all_sentences_of_conll_2014_are_certified_and_equal_enumeration(data: Path, gold_name: str) -> None:
    gold = read(data / "conll14" / "gold" / gold_name)
    metric = MaxMatch(references="mix")
    few = [number for number, sentence in enumerate(gold) if prod(map(len, group_errors(sentence))) <= 1024]
    assert len(few) in (1293, 1229)
    annotated_by_all = Corpus(
        tuple(
            Sentence(gold[number].tokens, tuple(Annotation(str(n), edits) for n, edits in enumerate(list_mixtures(gold[number]))))
            for number in few
        )
    )
    enumerated, scorer = MaxMatch().scorer(annotated_by_all), metric.scorer(gold)
    for name in some(("AMU", "CUUI", "REF-F", "Riken-Tohoku"), 2):
        system = read_system(next((data / "conll14").glob(f"*/{name}.txt")))
        rows = scorer.prepare(system.sentences).rows(0, len(gold))
        assert all(row[3] for own in rows for row in own)
        expected = enumerated.prepare([system.sentences[number] for number in few]).rows(0, len(few))
        for number, own in zip(few, expected, strict=True):
            assert [row[:3] for row in rows[number]] == list_best(set(own), metric), (name, number)


@pytest.mark.realdata
@pytest.mark.slow
def test_ten_annotators_are_certified(data: Path) -> None:
    """At least 99 of 100 sentences; nearly all parts have at most 4,096 mixtures of edits that can match."""
    gold = make_ten_annotators(data)
    for name in some(("CUUI", "REF-F", "Riken-Tohoku"), 1):
        system = read_system(next((data / "conll14").glob(f"*/{name}.txt")))
        parts = score(gold, system, MIX).parts
        assert parts["certified"] >= 0.99 * parts["sentences"]


def test_the_limit_is_the_documented_one() -> None:
    assert maxmatch._MOST_TRIED_MIXTURES == 4096


def test_inspect_shows_the_chosen_mixture(capsys: pytest.CaptureFixture[str]) -> None:
    command = ["inspect", "examples/learner.m2", "examples/systems/rewriter.txt", "-m", MIX]
    assert main([*command, "--format", "json"]) == 0
    sentences = json.loads(capsys.readouterr().out)["sentences"]
    assert [len(sentence["annotators"]) for sentence in sentences] == [1] * 72
    found = score(read("examples/learner.m2"), read_system("examples/systems/rewriter.txt"), MIX)
    several = next(number for number, rows in enumerate(found.evidence.rows, start=1) if len(rows) > 1)
    assert found.edits(several, "mix") == found.edits(several)
    assert main([*command, "--sentences", "3"]) == 0
    assert "\n  mixture: " in capsys.readouterr().out
    assert main([*command, "--sentences", "3", "--lattice"]) == 0
    printed = capsys.readouterr().out
    assert "\nmixture (chosen): " in printed
    assert printed.endswith("1 of 72 sentences shown\n")
    assert main([*command, "--search", "no such text", "--lattice"]) == 0
    assert capsys.readouterr().out == "0 of 72 sentences shown\n"


def test_a_lattice_counts_like_the_score(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "gold.m2").write_text("S i go now\nA 0 1|||Mec|||I|||REQUIRED|||-NONE-|||0\n")
    (tmp_path / "system.txt").write_text("I go now\n")
    files = [str(tmp_path / "gold.m2"), str(tmp_path / "system.txt")]
    for metric, matched in (("maxmatch", 1), ("maxmatch(ignore_case_and_space=true)", 0)):
        assert main(["inspect", *files, "--lattice", "-m", metric]) == 0
        assert f"annotator 0 (chosen): {matched} of 1 gold edit matched" in capsys.readouterr().out


def test_a_refused_sentence_of_a_subset_has_its_own_number() -> None:
    """Also where mixtures are scored as annotators, because the very edits count."""
    tokens = tuple(f"w{number}" for number in range(1500))
    gold = Corpus((Sentence.of("a", []), Sentence(tokens, (Annotation("0", (Edit(0, 1, ("x",)),)),))), "gold", "gold.m2").subset([2])
    system = System("x", (("a",), ("x",) * 1500))
    with pytest.raises(RequestError, match=r"^gold\.m2: sentence 2 cannot be scored"):
        score(gold, system, "maxmatch(max_unchanged=1000,references=mix,ignore_case_and_space=true)")


def test_detection_names_the_settings_and_refuses_mixtures_for_one_gold(capsys: pytest.CaptureFixture[str]) -> None:
    command = ["detect", "examples/learner.m2", "examples/systems/eager.txt", "--case", "edit", "-m", MIX]
    assert main(command) == 0
    assert "as MaxMatch(references=mix) finds them" in " ".join(capsys.readouterr().out.split())
    assert main([*command, "--judged-by", "vote"]) == 2
    assert "references=mix cannot be combined with a gold that is the same for all systems" in capsys.readouterr().err


def test_a_perfect_corrector_is_scored_with_mixtures(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A sentence has as many rows as mixtures that can be chosen, not as references."""
    lines = ["sentence\tsource\tcorrection\tcount"]
    for number in range(3):
        lines += [f"s{number}\tw{number} a b c d e\tw{number} x b c d {last}\t1" for last in "ye"]
    lines += [f"s3\tk a b c d e f g h\tk {text}\t1" for text in ("x b c d e f g h", "a b c d e f g y")]
    (tmp_path / "t.tsv").write_text("\n".join(lines) + "\n")
    sizes = ["--simulations", "20", "--test-size", "20", "--error-free", "0", "--reference-counts", "1,2", "--format", "json"]
    assert main(["coverage", str(tmp_path / "t.tsv"), "-m", MIX, *sizes]) == 0
    assert capsys.readouterr().out
