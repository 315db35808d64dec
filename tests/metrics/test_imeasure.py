"""Tables of Felice and Briscoe 2015, the alignment, and settings."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import prod

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import errata
from errata import Corpus, Edit, Evaluator, RequestError, Sentence, UsageError, _core, score
from errata.core import python as python_core
from errata.corpus.alternatives import Alternative, group_errors
from errata.metrics import imeasure
from errata.metrics import imeasure as imeasure_scorer
from errata.metrics import imeasure as reference_search
from errata.metrics.imeasure import IMeasure, _compute_improvement, _list_starts, _Measures

from strategies import crowds, hypotheses, mixed_references, sentences
from thoroughness import often

Tokens = tuple[str, ...]

short = st.lists(st.sampled_from("abc"), max_size=5).map(tuple)
costs = st.sampled_from([(2, 3), (3, 4), (3, 5), (4, 7)])


@pytest.mark.slow
@given(short, short, st.lists(short, max_size=3), costs)
@settings(max_examples=often(200, 70))
def test_core_and_twin_agree(source: Tokens, hypothesis: Tokens, references: list[Tokens], cost: tuple[int, int]) -> None:
    arguments = (source, hypothesis, tuple(references), *cost)
    assert _core.count_three_way(*arguments) == python_core.count_three_way(*arguments)


@given(st.lists(st.sampled_from("abcdef"), max_size=14).map(tuple), st.data())
@settings(max_examples=40)
def test_core_and_twin_agree_on_longer_sentences(source: Tokens, data: st.DataObject) -> None:
    def changed() -> Tokens:
        return tuple(data.draw(st.sampled_from([token, token, token, "a", "b"])) for token in source if data.draw(st.integers(0, 6)))

    arguments = (source, changed(), (changed(), source), 2, 3)
    assert _core.count_three_way(*arguments) == python_core.count_three_way(*arguments)


def test_classes_of_columns() -> None:
    """Table 6: source, hypothesis and reference of one column, detection tp tn fp fn and correction tp tn fp fn fpn."""
    tn, fn, fp, tp, wrong = (
        (0, 1, 0, 0, 0, 1, 0, 0, 0),
        (0, 0, 0, 1, 0, 0, 0, 1, 0),
        (0, 0, 1, 0, 0, 0, 1, 0, 0),
        (1, 0, 0, 0, 1, 0, 0, 0, 0),
        (1, 0, 0, 0, 0, 0, 1, 1, 1),
    )
    table = {
        ("a", "a", "a"): tn,
        ("a", "a", "b"): fn,
        ("a", "a", ""): fn,
        ("a", "b", "a"): fp,
        ("a", "b", "b"): tp,
        ("a", "b", "c"): wrong,
        ("a", "b", ""): wrong,
        ("a", "", "a"): fp,
        ("a", "", "b"): wrong,
        ("a", "", ""): tp,
        ("", "a", "a"): tp,
        ("", "a", "b"): wrong,
        ("", "a", ""): fp,
        ("", "", "a"): fn,
    }
    for (source, hypothesis, reference), expected in table.items():
        found = _core.count_three_way(tuple(source), tuple(hypothesis), (tuple(reference),), 2, 3)
        assert found[0][0][:9] == expected, (source, hypothesis, reference)


def test_gaps_are_kept_aligned() -> None:
    """Table 4: B - against A is kept in one column with C - - rather than spread over two."""
    assert _core.count_three_way(("A",), ("B", "C"), (("A",),), 2, 3)[0][0][:9] == (0, 0, 2, 0, 0, 0, 2, 0, 0)


def test_equally_good_alignments_count_the_same() -> None:
    """Table 5: There is widespread use of technology."""
    source, corrected = "Their is wide spread usage of technology .", "There is widespread use of technology ."
    tokens = tuple(corrected.split())
    assert _core.count_three_way(tuple(source.split()), tokens, (tokens,), 2, 3)[0][0][:4] == (4, 4, 0, 0)


@pytest.mark.parametrize(
    ("counts", "expected"),
    [
        ((0, 6, 0, 4), ("1.00", "0.00", "0.00", "0.60", "0.60")),
        ((4, 5, 1, 0), ("0.80", "1.00", "0.83", "0.90", "0.87")),
        ((1, 6, 0, 3), ("1.00", "0.25", "0.62", "0.70", "0.73")),
        ((1, 5, 1, 3), ("0.50", "0.25", "0.42", "0.60", "0.58")),
        ((4, 0, 6, 0), ("0.40", "1.00", "0.45", "0.40", "0.40")),
    ],
)
def test_table_8(counts: tuple[int, int, int, int], expected: tuple[str, ...]) -> None:
    """TP TN FP FN to P, R, F0.5, Acc and WAcc."""
    measures = _Measures.of(counts, Fraction(2), Fraction(1, 2))
    values = (measures.precision, measures.recall, measures.f, measures.accuracy, measures.wacc)
    assert tuple(f"{float(value):.2f}" for value in values) == expected


def test_improvement_of_table_9() -> None:
    half = Fraction(1, 2)
    assert [_compute_improvement(value, half) for value in (Fraction(1), Fraction(3, 4), half, Fraction(1, 4), Fraction(0))] == [
        1,
        half,
        0,
        -half,
        -1,
    ]
    assert _compute_improvement(Fraction(1), Fraction(1)) == 1


def test_columns_of_an_alignment() -> None:
    arguments = (("A", "D"), ("B", "C", "D"), ("A", "D"), 2, 3)
    for core in (_core, python_core):
        columns, visited, cells = core.align_three_way(*arguments)
        assert columns == [(False, True, False), (True, True, True), (True, True, True)]
        assert min(visited, cells) > 0


@given(short, short, short, costs)
def test_core_and_twin_agree_on_columns(source: Tokens, hypothesis: Tokens, reference: Tokens, cost: tuple[int, int]) -> None:
    arguments = (source, hypothesis, reference, *cost)
    columns = _core.align_three_way(*arguments)[0]
    assert columns == python_core.align_three_way(*arguments)[0]
    assert [sum(row) for row in zip(*columns, strict=True)] == [len(source), len(hypothesis), len(reference)] or not columns


LISTING_1 = Sentence.of(
    "This machines is designed for help people .",
    [Edit(0, 1, ("These",)), Edit(2, 3, ("are",)), Edit(5, 6, ("helping",))],
    [Edit(1, 2, ("machine",)), Edit(4, 5, ("to",))],
)


def test_annotators_are_mixed() -> None:
    """Table 1: what no single annotator has, a mixture has."""
    hypothesis = ["These machines are designed to help people ."]
    assert score(Corpus((LISTING_1,)), hypothesis, "imeasure").value == 1.0
    assert score(Corpus((LISTING_1,)), hypothesis, "imeasure(references=single)").value < 1.0


def test_partial_matches_count() -> None:
    """Table 2: (design → designed) is right, though gold marks (is design → are designed)."""
    gold = Corpus((Sentence.of("Machine is design to help people .", [Edit(0, 1, ("Machines",)), Edit(1, 3, ("are designed",))]),))
    correction = score(gold, ["Machine is designed to help people ."], "imeasure").parts["correction"]
    assert (correction["tp"], correction["fp"], correction["fn"]) == (1, 0, 2)


def test_the_better_text_scores_better() -> None:
    """Table 3: MaxMatch prefers the second hypothesis, I-measure the first."""
    edits = [Edit(0, 1, ("Machines",)), Edit(1, 2, ("are",)), Edit(2, 3, ("designed",))]
    gold = Corpus((Sentence.of("Machine is design to help people .", edits),))
    first, second = "The machine is designed for helping people .", "Machines is a design on the helping of the people ."
    assert score(gold, [first]).value < score(gold, [second]).value
    assert score(gold, [first], "imeasure").value > score(gold, [second], "imeasure").value


def test_parts_as_promised() -> None:
    parts = score(Corpus((LISTING_1,)), [LISTING_1.text], "imeasure(references=single)").parts
    assert set(parts) == {"detection", "correction", "baseline", "certified", "sentences"}
    assert parts["certified"] == parts["sentences"] == 1
    assert set(parts["baseline"]) == {"detection", "correction"}
    assert {"tp", "tn", "fp", "fn", "precision", "recall", "f", "accuracy", "wacc", "i"} == set(parts["detection"])
    assert "fpn" in parts["correction"]
    assert parts["correction"]["i"] == 0.0
    assert parts["correction"]["wacc"] == parts["baseline"]["correction"]["wacc"] < 1


def many_errors(count: int) -> Sentence:
    tokens = [word for number in range(count) for word in (f"e{number}", f"k{number}")]
    annotators = [[Edit(2 * number, 2 * number + 1, (f"{name}{number}",)) for number in range(count)] for name in "xyz"]
    return Sentence.of(tokens, *annotators)


def test_many_mixtures_are_certified_without_listing_them() -> None:
    """3^40 references, of which one is the hypothesis."""
    sentence = many_errors(40)
    hypothesis = " ".join(f"{'xyz'[number % 3]}{number} k{number}" for number in range(40))
    parts = score(Corpus((sentence,)), [hypothesis], "imeasure").parts
    assert (parts["correction"]["tp"], parts["correction"]["fp"], parts["certified"]) == (40, 0, 1)


def test_what_cannot_be_certified_is_searched() -> None:
    """Words that occur everywhere, and a hypothesis in which half of them are missing: everything depends on everything."""
    words = tuple("ab" * 20)
    errors = [[Edit(place, place + 1, ("",)) for place in range(0, 40, 2)], [Edit(place, place + 1, ("a b",)) for place in range(0, 40, 2)]]
    sentence = Sentence.of(words, *errors, [])
    parts = score(Corpus((sentence,)), ["b a a b" * 5], "imeasure").parts
    assert parts["certified"] == 0
    assert parts["correction"]["tp"] + parts["correction"]["fp"] > 0


def test_a_hypothesis_without_a_common_word_is_certified() -> None:
    """3^12 references, and no point that every alignment goes through."""
    parts = score(Corpus((many_errors(12),)), ["nothing in common"], "imeasure").parts
    assert parts["certified"] == 1


def test_a_search_is_no_worse_than_each_annotator(monkeypatch: pytest.MonkeyPatch) -> None:
    """Annotators correct different errors, so the second alternative of every error is not what the second annotator does."""
    tokens = [f"w{number}" for number in range(12)]
    lists = [
        [Edit(k, k + 1, (f"{name}{k}",)) for k in positions] for name, positions in (("x", (0, 4)), ("y", (0, 2, 6)), ("z", (2, 4, 8)))
    ]
    sentence = Sentence.of(tokens, *lists)
    monkeypatch.setattr(imeasure_scorer, "_MOST_BLOCK_ROWS", 0)
    for annotation in sentence.annotations:
        parts = score(Corpus((sentence,)), [sentence.corrected(annotation)], "imeasure").parts
        assert (parts["certified"], parts["correction"]["wacc"]) == (0, 1)


def test_without_any_mixture_nothing_is_certified() -> None:
    edits = [Edit(0, 3, ("x",)), Edit(3, 5, ("y",)), Edit(2, 4, ("z",)), Edit(3, 5, ("w",))]
    assert score(Corpus((Sentence.of("a b c d e f", edits),)), ["a b c d e f"], "imeasure").parts["certified"] == 0


def test_single_references_too_long_for_one_go_are_all_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    """If the core gives up, each is aligned separately."""
    gold = Corpus((many_errors(3),))
    output = [" ".join(f"y{number} k{number}" for number in range(3))]
    expected = score(gold, output, "imeasure(references=single)")
    scorer = errata.metric("imeasure(references=single)").scorer(gold)
    assert isinstance(scorer, imeasure_scorer._IMeasureScorer)
    monkeypatch.setattr(scorer, "mixed", type("Nothing", (), {"blocks": lambda *_: [[]]})())
    tokens = tuple(output[0].split())
    assert scorer.rows(0, [tokens])[0][0] == expected.counts
    assert sum(column.correction == "TP" for column in scorer.alignment(0, tokens).columns) == 3


def test_costs_too_high_for_long_sentences_are_refused() -> None:
    with pytest.raises(OverflowError, match="too long for costs this high"):
        _core.count_three_way(("a",) * 300_000, ("b",), (("c",),), 500, 999)


@pytest.mark.slow
def test_thousands_of_alternatives_are_bounded() -> None:
    """5,000 annotators who disagree about three words: more than are tried, so the sentence is searched and not certified."""
    crowd = [[Edit(position, position + 1, (f"a{number}.{position}",)) for position in (0, 2, 4)] for number in range(5000)]
    parts = score(Corpus((Sentence.of("a b c d e", *crowd),)), ["a7.0 b a8.2 d e"], "imeasure").parts
    assert parts["certified"] == 0
    assert parts["correction"]["tp"] >= 1


SETTINGS = [
    "imeasure",
    "imeasure(baseline=existing)",
    "imeasure(maximise=i)",
    "imeasure(maximise=i,aspect=detection,baseline=existing)",
    "imeasure(maximise=precision)",
    "imeasure(maximise=recall,aspect=detection)",
    "imeasure(maximise=f,beta=1.0)",
    "imeasure(maximise=accuracy,aspect=detection)",
    "imeasure(w=5.5,gap=3,mismatch=4)",
]


def listed(metric: IMeasure, sentence: Sentence, hypothesis: Tokens, references: list[Tokens]) -> list[tuple[int, ...]]:
    """The counts against every reference."""
    found, _ = _core.count_three_way(sentence.tokens, hypothesis, tuple(references), metric.gap, metric.mismatch)
    if metric.baseline == "realigned":
        baseline, _ = _core.count_three_way(sentence.tokens, sentence.tokens, tuple(references), metric.gap, metric.mismatch)
        found = [own[:9] + unchanged[:9] for own, unchanged in zip(found, baseline, strict=True)]
    return found


@pytest.mark.parametrize("text", SETTINGS)
@given(sentences(), st.data())
@settings(max_examples=often(60, 30), deadline=None)
def test_the_choice_is_the_best_of_all_references(text: str, sentence: Sentence, data: st.DataObject) -> None:
    """Where all can be listed nothing is better, whatever is maximised; ties are decided by all that decides them."""
    metric = errata.metric(text)
    assert isinstance(metric, IMeasure)
    hypothesis = data.draw(hypotheses(sentence.tokens))
    counts = score(Corpus((sentence,)), [hypothesis], metric).counts
    assert counts[-2:] == (1, 1)
    best = max(metric.key(row) for row in listed(metric, sentence, hypothesis, mixed_references(sentence)))
    assert metric.key(counts) == best


@pytest.mark.slow
@given(crowds(), st.sampled_from(SETTINGS), st.data())
@settings(max_examples=often(200, 70), deadline=None)
def test_the_choice_is_the_best_of_many_annotators(sentence: Sentence, text: str, data: st.DataObject) -> None:
    """Edits of up to ten annotators that overlap, in both cores."""
    assume(prod(map(len, group_errors(sentence))) <= 2_000)
    metric = errata.metric(text)
    assert isinstance(metric, IMeasure)
    hypothesis = data.draw(hypotheses(data.draw(st.sampled_from(mixed_references(sentence)))))
    rows = Evaluator(Corpus((sentence,)), metric)([hypothesis]).evidence.rows
    best = max(metric.key(row) for row in listed(metric, sentence, hypothesis, mixed_references(sentence)))
    ((row,),) = rows
    assert metric.key(row) == best
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(errata.core, "MixedReferences", python_core.MixedReferences)
        assert Evaluator(Corpus((sentence,)), metric)([hypothesis]).evidence.rows == rows


def test_a_reference_without_errors_is_found_although_parts_of_the_sentence_count_some() -> None:
    """Recall of no errors is 1.  The insertion of nothing counts a missed error, which its neighbour takes back."""
    sentence = Sentence.of("a a", [], [Edit(1, 2, ("a a",)), Edit(1, 1, ("",))])
    counts = score(Corpus((sentence,)), [""], "imeasure(maximise=recall,aspect=detection)")
    assert counts.parts["detection"]["recall"] == 1


@pytest.mark.parametrize("text", ["imeasure(per=corpus)", "imeasure(maximise=f,per=corpus)", "imeasure(maximise=precision,per=corpus)"])
@given(st.lists(sentences(), min_size=1, max_size=3), st.data())
@settings(max_examples=often(60, 30), deadline=None)
def test_per_corpus_is_the_best_of_all_choices(text: str, corpus: list[Sentence], data: st.DataObject) -> None:
    metric = errata.metric(text)
    assert isinstance(metric, IMeasure)
    outputs = [data.draw(hypotheses(sentence.tokens)) for sentence in corpus]
    rows = [set(listed(metric, sentence, output, mixed_references(sentence))) for sentence, output in zip(corpus, outputs, strict=True)]
    assume(prod(len(found) for found in rows) <= 3000)
    counts = score(Corpus(tuple(corpus)), outputs, metric).counts
    value = metric.key(counts)[0]
    assert value == max(metric.key(tuple(map(sum, zip(*chosen, strict=True))))[0] for chosen in product(*rows))


def test_i_per_corpus_is_refused() -> None:
    with pytest.raises(UsageError, match="cannot maximise i per corpus"):
        errata.metric("imeasure(maximise=i,per=corpus)")


def test_more_sums_than_are_looked_at_are_not_certified(monkeypatch: pytest.MonkeyPatch) -> None:
    sentence = many_errors(6)
    hypothesis = [" ".join(f"{'xyq'[number % 3]}{number} k{number}" for number in range(6))]
    exact = score(Corpus((sentence,)), hypothesis, "imeasure(maximise=i)")
    monkeypatch.setattr(imeasure, "_MOST_SUMS", 3)
    found = score(Corpus((sentence,)), hypothesis, "imeasure(maximise=i)")
    assert (exact.parts["certified"], found.parts["certified"]) == (1, 0)
    assert found.value <= exact.value


@given(st.lists(st.sampled_from("xyzeq"), min_size=4, max_size=4))
@settings(max_examples=20, deadline=None)
def test_the_search_finds_no_more_than_there_is(letters: list[str]) -> None:
    """With a limit of one choice everything is searched; where all are tried the result is at least as good."""
    sentence = many_errors(4)
    hypothesis = " ".join(f"{letter}{number} k{number}" for number, letter in enumerate(letters))
    exact = score(Corpus((sentence,)), [hypothesis], "imeasure")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(imeasure_scorer, "_MOST_BLOCK_ROWS", 0)
        searched = score(Corpus((sentence,)), [hypothesis], "imeasure")
        patch.setattr(reference_search, "_MOST_TRIED", 2)
        hurried = score(Corpus((sentence,)), [hypothesis], "imeasure")
    assert (searched.parts["certified"], hurried.parts["certified"]) == (0, 0)
    assert hurried.parts["correction"]["wacc"] <= searched.parts["correction"]["wacc"] <= exact.parts["correction"]["wacc"]


def test_a_few_sites_at_a_time_find_the_best_of_independent_errors(monkeypatch: pytest.MonkeyPatch) -> None:
    """With too little work for all sites at once, and enough for eight; the search one error at a time is not needed."""
    sentence = many_errors(40)
    hypothesis = [" ".join(f"{'xyq'[number % 3]}{number} k{number}" for number in range(40))]
    exact = score(Corpus((sentence,)), hypothesis, "imeasure")
    scorer = errata.metric("imeasure").scorer(Corpus((sentence,)))
    assert isinstance(scorer, imeasure_scorer._IMeasureScorer)
    monkeypatch.setattr(scorer, "mixed", type("Nothing", (), {"blocks": lambda *_: [[]]})())
    monkeypatch.setattr(reference_search, "_MOST_TRIED", 3)
    output = scorer.prepare([tuple(hypothesis[0].split())])
    ((row,),) = output.rows(0, 1)
    assert (row[:-2], row[-2:]) == (exact.counts[:-2], (0, 1))
    alignment = output.alignment(0)
    assert (len(alignment.corrections), alignment.certified) == (40, False)


def test_a_search_of_few_sites_gives_up_if_they_take_too_much(monkeypatch: pytest.MonkeyPatch) -> None:
    sentence = many_errors(4)
    output = ["x0 k0 y1 k1 z2 k2 x3 k3"]
    monkeypatch.setattr(imeasure_scorer, "_MOST_BLOCK_ROWS", 0)
    expected = score(Corpus((sentence,)), output, "imeasure")
    monkeypatch.setattr(imeasure_scorer, "_MOST_WINDOW_CELLS", 10)
    assert score(Corpus((sentence,)), output, "imeasure") == expected


def test_the_existing_baseline_is_the_source_in_the_alignment() -> None:
    gold = Corpus((LISTING_1,))
    for hypothesis, references in product(["These machine are designed to help .", LISTING_1.text], ["mix", "single"]):
        result = score(gold, [hypothesis], f"imeasure(baseline=existing,references={references})")
        baseline = result.parts["baseline"]["correction"]
        assert (baseline["tp"], baseline["fp"], baseline["fpn"]) == (0, 0, 0)
        assert baseline["tn"] + baseline["fn"] >= len(LISTING_1.tokens)


def test_an_empty_text_against_an_empty_text() -> None:
    assert score(Corpus((Sentence(()),)), [""], "imeasure").value == 1.0


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("imeasure(w=1)", "w must be a number above 1"),
        ("imeasure(gap=2,mismatch=4)", "must satisfy 2·gap > mismatch > gap > 0, found 2 and 4"),
        ("imeasure(gap=3)", "must satisfy"),
        ("imeasure(gap=1000000,mismatch=1500000)", "setting gap must be a whole number from 1 to 1000, found 1000000"),
        ("imeasure(references=all)", "references must be one of mix, single, found 'all'"),
        ("imeasure(baseline=none)", "baseline must be one of realigned, existing"),
        ("imeasure(beta=-1)", "beta must be a number from 0"),
        ("imeasure(choice=official)", "has no setting 'choice'"),
        ("imeasure(maximise=best)", "maximise must be one of wacc, i, accuracy, f, precision, recall, found 'best'"),
        ("imeasure(aspect=both)", "aspect must be one of correction, detection"),
        ("imeasure(per=document)", "per must be one of sentence, corpus"),
    ],
)
def test_bad_settings_are_named(text: str, message: str) -> None:
    with pytest.raises(UsageError) as caught:
        errata.metric(text)
    assert message in str(caught.value)


def test_settings_of_the_wrong_type_are_named() -> None:
    with pytest.raises(UsageError, match="w must be a number above 1 up to 1000, found '3'"):
        IMeasure(w="3")  # type: ignore[arg-type]
    with pytest.raises(UsageError, match=r"setting gap must be a whole number from 1 to 1000, found 2\.0"):
        IMeasure(gap=2.0)  # type: ignore[arg-type]


def test_bad_costs_are_refused_by_both_cores() -> None:
    for core in (_core.count_three_way, python_core.count_three_way):
        with pytest.raises(ValueError, match="2 \\* gap > mismatch > gap > 0"):
            core((), (), (), 1, 2)


def test_sentences_too_long_to_align_are_named() -> None:
    """Repeated words: all alignments are equally good, so every cell of the cube is on an optimal path."""
    gold = Corpus((Sentence.of("a " * 3000, [Edit(0, 3000, ("c " * 700,))]),))
    with pytest.raises(RequestError, match="sentence 1 cannot be scored: source, hypothesis and reference together are too long"):
        score(gold, ["b " * 1500], IMeasure())


def test_annotators_of_a_sentence_take_linear_time() -> None:
    """Counted by how often the names of annotators are looked up."""
    looked_up = 0

    class Name(str):
        __slots__ = ()

        def __hash__(self) -> int:
            nonlocal looked_up
            looked_up += 1
            return super().__hash__()

    def count(annotators: int) -> int:
        nonlocal looked_up
        names = [Name(number) for number in range(annotators)]
        looked_up = 0
        starts = _list_starts([[Alternative(name, (Edit(0, 1, (str(name),)),)) for name in names]] * 3, names)
        assert [start[2].annotator for start in starts] == names
        return looked_up

    assert count(200) <= 2 * count(100)


def test_a_search_that_takes_too_much_work_keeps_the_best_so_far(monkeypatch: pytest.MonkeyPatch) -> None:
    crowd = [[Edit(position, position + 1, (f"a{number}.{position}",)) for position in (0, 2, 4)] for number in range(20)]
    gold, output = Corpus((Sentence.of("a b c d e", *crowd),)), ["a7.0 b a8.2 d e"]
    monkeypatch.setattr(imeasure_scorer, "_MOST_BLOCK_ROWS", 0)
    expected = score(gold, output, "imeasure")
    assert expected.parts["certified"] == 0
    values = set()
    for most in range(400, 4_000, 400):
        monkeypatch.setattr(imeasure_scorer, "MOST_ALIGNMENT_WORK", most)
        values.add(score(gold, output, "imeasure").value)
    assert len(values) > 1
    assert max(values) <= expected.value
    monkeypatch.setattr(imeasure_scorer, "MOST_ALIGNMENT_WORK", 10)
    with pytest.raises(
        RequestError, match="sentence 1 cannot be scored: it takes too long to be aligned with a reference in seconds; cut the"
    ):
        score(gold, output, "imeasure")


def test_single_references_that_take_too_much_work_are_not_certified(monkeypatch: pytest.MonkeyPatch) -> None:
    gold = Corpus((Sentence.of("a b c", *([Edit(0, 1, (f"w{number}",))] for number in range(9))),))
    evaluate = Evaluator(gold, "imeasure(references=single)")
    monkeypatch.setattr(evaluate._scorer, "mixed", type("Nothing", (), {"blocks": lambda *_: [[]]})())
    assert evaluate(["w8 b c"]).parts["certified"] == 1
    monkeypatch.setattr(imeasure_scorer, "MOST_ALIGNMENT_WORK", 300)
    assert evaluate(["w8 b c"]).parts["certified"] == 0
