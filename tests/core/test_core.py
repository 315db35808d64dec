"""The compiled core, its twin in plain Python, and the official rule written out."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from errata import _core
from errata.core import python as python_core
from errata.core.edits import MatchedEdit
from errata.core.limits import MOST_ARCS, MOST_STEPS, MOST_WORK
from errata.core.python.maxmatch import Lattice, Work, _search_in_one_pass, _search_literally

from official_rule import official_counts
from strategies import CoreEdit, cases, hypotheses, tokens
from thoroughness import often

Case = tuple[tuple[str, ...], tuple[str, ...], tuple[tuple[CoreEdit, ...], ...], int]


def judges(case: Case) -> tuple[_core.MaxMatchJudge, python_core.MaxMatchJudge]:
    source, _, annotators, max_unchanged = case
    return _core.MaxMatchJudge([(source, annotators)], max_unchanged), python_core.MaxMatchJudge([(source, annotators)], max_unchanged)


@pytest.mark.slow
@given(cases())
@settings(max_examples=often(750, 250))
def test_core_and_twin_agree(case: Case) -> None:
    native, twin = judges(case)
    hypothesis = case[1]
    assert native.counts(0, [hypothesis]) == twin.counts(0, [hypothesis])
    assert native.edits(0, hypothesis) == twin.edits(0, hypothesis)


@pytest.mark.slow
@given(cases())
@settings(max_examples=often(350, 120))
def test_core_counts_as_the_official_rule_says(case: Case) -> None:
    source, hypothesis, annotators, max_unchanged = case
    native, _ = judges(case)
    expected = tuple(official_counts(source, hypothesis, gold, max_unchanged) for gold in annotators)
    assert native.counts(0, [hypothesis]) == [expected]


@given(cases(longest=14))
@settings(max_examples=often(60, 30))
def test_core_counts_longer_sentences_as_the_official_rule_says(case: Case) -> None:
    source, hypothesis, annotators, max_unchanged = case
    expected = tuple(official_counts(source, hypothesis, gold, max_unchanged) for gold in annotators)
    assert judges(case)[0].counts(0, [hypothesis]) == [expected]


@given(cases())
@settings(max_examples=often(300, 100))
def test_counts_are_those_of_the_edits(case: Case) -> None:
    native, _ = judges(case)
    edits = native.edits(0, case[1])
    counted = tuple((sum(edit.gold >= 0 for edit in found), len(found), len(gold)) for found, gold in zip(edits, case[2], strict=True))
    assert native.counts(0, [case[1]]) == [counted]


def test_edits_are_records_with_names() -> None:
    case: Case = (("a", "b"), ("x", "b", "c"), (((0, 1, (("x",),)),),), 2)
    for judge in judges(case):
        ((matched, other),) = judge.edits(0, case[1])
        assert type(matched) is MatchedEdit
        assert (matched, other) == (MatchedEdit(start=0, end=1, target_start=0, target_end=1, gold=0), (1, 2, 1, 3, -1))
        assert (other.start, other.end, other.target_start, other.target_end, other.gold) == other


@given(cases())
@settings(max_examples=often(300, 100))
def test_edits_turn_the_source_into_the_hypothesis(case: Case) -> None:
    source, hypothesis, _, _ = case
    for found in judges(case)[0].edits(0, hypothesis):
        result: list[str] = []
        position = 0
        for start, end, target_start, target_end, _ in found:
            result += source[position:start] + hypothesis[target_start:target_end]
            position = end
        assert (*result, *source[position:]) == hypothesis


@given(st.integers(0, 10**6))
@settings(max_examples=25)
def test_long_narrow_lattices_count_as_their_edits(seed: int) -> None:
    """Paragraphs of 300 tokens, changed almost everywhere: the one pass alone would count some of them wrong."""
    draw = random.Random(seed)
    source = tuple(f"w{draw.randrange(60)}" for _ in range(300))
    hypothesis: list[str] = []
    for token in source:
        new = f"w{draw.randrange(60)}"
        hypothesis += draw.choice([[], [new], [new, token], [token, token], [new, new]]) if draw.random() < 0.8 else [token]
    target = tuple(hypothesis)
    gold = tuple((a, b, (target[c:d],)) for a, b, c, d in _core.align(source, target) if draw.random() < 0.5)
    judge = _core.MaxMatchJudge([(source, (gold,))], 2)
    (edits,) = judge.edits(0, target)
    assert judge.counts(0, [target]) == [((sum(edit.gold >= 0 for edit in edits), len(edits), len(gold)),)]


def long_case(length: int, seed: int, other: int) -> Case:
    """Two sentences with little in common: a lattice too large for the literal search."""
    draw = random.Random(seed)
    source = tuple(draw.choice("abcdefgh") for _ in range(length))
    hypothesis = tuple(draw.choice("efghijkl") for _ in range(other))
    gold = tuple(
        (start, min(length, start + draw.randrange(3)), ((hypothesis[draw.randrange(other)],), ())) for start in range(0, length, 7)
    )
    return source, hypothesis, (gold, ()), 2


@pytest.mark.parametrize(("length", "other", "seed"), [(60, 60, 1), (80, 40, 2), (45, 90, 3)])
def test_core_and_twin_agree_beyond_the_literal_search(length: int, other: int, seed: int) -> None:
    case = long_case(length, seed, other)
    native, twin = judges(case)
    assert native.counts(0, [case[1]]) == twin.counts(0, [case[1]])
    assert native.edits(0, case[1]) == twin.edits(0, case[1])


@pytest.mark.slow
@given(cases())
@settings(max_examples=often(300, 100))
def test_the_one_pass_alone_never_finds_fewer_matches(case: Case) -> None:
    """What stands for lattices beyond the literal search matches as many gold arcs."""
    source, hypothesis, annotators, max_unchanged = case
    if source == hypothesis:
        return
    lattice = Lattice(source, hypothesis)
    for gold in annotators:
        arcs = lattice.find_gold_arcs(gold, max_unchanged, Work(MOST_WORK))
        quick, _ = _search_in_one_pass(lattice, arcs, max_unchanged, MOST_STEPS)
        slow = _search_literally(lattice, arcs, max_unchanged, MOST_ARCS)[0] or []
        assert sum(edit.gold for edit in quick) == sum(edit.gold for edit in slow)


@pytest.mark.slow
def test_the_twin_gives_up_the_literal_search_too() -> None:
    source, target = tuple(f"s{k}" for k in range(45)), tuple(f"h{k % 7}" for k in range(45))
    lattice = Lattice(source, target)
    gold = ((3, 3, (("h1",),)),) * 2
    arcs = lattice.find_gold_arcs(gold, 2, Work(MOST_WORK))
    assert arcs.contested
    assert _search_literally(lattice, arcs, 2, MOST_ARCS) == (None, 0)
    case: Case = (source, target, (gold,), 2)
    assert judges(case)[0].counts(0, [target]) == judges(case)[1].counts(0, [target])


@pytest.mark.slow
@given(tokens, st.data())
@settings(max_examples=often(250, 80))
def test_alignments_of_core_and_twin_agree(source: tuple[str, ...], data: st.DataObject) -> None:
    target = data.draw(hypotheses(source))
    assert _core.align(source, target) == python_core.align(source, target)


@pytest.mark.parametrize("judge_of", [_core.MaxMatchJudge, python_core.MaxMatchJudge])
def test_bad_arguments_are_refused(judge_of: type[_core.MaxMatchJudge]) -> None:
    with pytest.raises(ValueError, match="must not be negative"):
        judge_of([], -1)
    with pytest.raises(ValueError, match="outside its sentence"):
        judge_of([(("a",), (((0, 2, ((),)),),))], 2)
    with pytest.raises(ValueError, match="outside its sentence"):
        judge_of([(("a", "b"), (((2, 1, ((),)),),))], 2)
    judge = judge_of([(("a",), ((),))], 2)
    with pytest.raises(IndexError, match="more hypotheses than sentences"):
        judge.counts(0, [(), ()])
    with pytest.raises(IndexError, match="more hypotheses than sentences"):
        judge.counts(2, [])
    with pytest.raises(IndexError, match="more hypotheses than sentences"):
        judge.edits(1, ())


def test_native_checks_types() -> None:
    with pytest.raises(TypeError, match="token must be a str"):
        _core.align((1,), ())  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        _core.align(["a"], ())  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="must be a tuple of tokens"):
        _core.MaxMatchJudge([(["a"], ())], 2)  # type: ignore[list-item]
    with pytest.raises(TypeError, match="offsets must be whole numbers"):
        _core.MaxMatchJudge([(("a",), ((("x", 1, ()),),))], 2)  # type: ignore[list-item]
    with pytest.raises(TypeError, match="must be a tuple of tokens"):
        _core.MaxMatchJudge([(("a",), ((),))], 2).counts(0, ["a"])  # type: ignore[list-item]
    with pytest.raises(ValueError, match="pair"):
        _core.MaxMatchJudge([(("a",),)], 2)  # type: ignore[list-item]


def test_a_large_max_unchanged_is_as_good_as_the_length() -> None:
    source, target = tuple("abcdefgh"), tuple("axcdefgy")
    gold = (((1, 8, (tuple("xcdefgy"),)),),)
    for limit, expected in ((4, (0, 2, 1)), (5, (1, 1, 1)), (1000, (1, 1, 1))):
        assert _core.MaxMatchJudge([(source, gold)], limit).counts(0, [target]) == [(expected,)]
