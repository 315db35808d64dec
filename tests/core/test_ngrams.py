"""N-grams of GLEU: core and twin against a direct reading of the definitions."""

from __future__ import annotations

from collections import Counter
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from errata import _core
from errata.core import python as python_core

from strategies import hypotheses, words
from thoroughness import often

Tokens = tuple[str, ...]
CORES = pytest.mark.parametrize("core", [_core, python_core])


@st.composite
def texts(draw: st.DrawFn) -> tuple[Tokens, tuple[Tokens, ...], Tokens]:
    source = tuple(draw(st.lists(words, max_size=9)))
    references = tuple(draw(hypotheses(source)) for _ in range(draw(st.integers(1, 3))))
    return source, references, draw(st.one_of(hypotheses(source), hypotheses(references[0])))


def ngrams(tokens: Tokens, length: int) -> Counter[Tokens]:
    return Counter(tokens[start : start + length] for start in range(len(tokens) - length + 1))


def official(source: Tokens, reference: Tokens, hypothesis: Tokens, order: int) -> tuple[int, ...]:
    """The script of 2016 and 2017, n-gram by n-gram."""
    numerators = []
    for length in range(1, order + 1):
        h, s, r = (ngrams(tokens, length) for tokens in (hypothesis, source, reference))
        match = sum(min(h[g], r[g]) for g in h)
        penalty = sum(min(h[g], s[g]) for g in h if r[g] == 0)
        numerators.append(max(0, match - penalty))
    return len(hypothesis), len(reference), *numerators, *(max(0, len(hypothesis) + 1 - n) for n in range(1, order + 1))


def corrected(source: Tokens, reference: Tokens, hypothesis: Tokens, order: int) -> list[int]:
    """The numerators of gec-metrics, which may be negative."""
    numerators = []
    for length in range(1, order + 1):
        h, s, r = (ngrams(tokens, length) for tokens in (hypothesis, source, reference))
        numerators.append(sum(min(h[g], r[g]) - max(0, min(h[g], s[g]) - r[g]) for g in h))
    return numerators


def pooled(source: Tokens, references: tuple[Tokens, ...], hypothesis: Tokens, order: int, *, excess: bool) -> tuple[int, ...]:
    """N-grams gained, right, lost and to gain, for the originals of 2015 (excess) and 2016."""
    rows: list[list[int]] = [[], [], [], []]
    for length in range(1, order + 1):
        h, s = ngrams(hypothesis, length), ngrams(source, length)
        counted = [ngrams(reference, length) for reference in references]
        everything = {*h, *s, *(g for own in counted for g in own)}
        r = {g: max(own[g] for own in counted) for g in everything}
        gains = {g: max(0, r[g] - s[g]) if excess or not s[g] else 0 for g in everything}
        losses = {g: max(0, s[g] - r[g]) if excess or not r[g] else 0 for g in everything}
        rows[0].append(sum(min(h[g], gains[g]) for g in everything))
        rows[1].append(sum(min(h[g], r[g]) for g in everything))
        rows[2].append(sum(min(h[g], losses[g]) for g in everything))
        rows[3].append(sum(gains.values()))
    nearest = min((abs(len(reference) - len(hypothesis)), index) for index, reference in enumerate(references))[1]
    return len(hypothesis), len(references[nearest]), *(number for row in rows for number in row)


@given(texts(), st.integers(1, 6))
@settings(max_examples=often(200, 70))
def test_core_and_twin_count_as_defined(case: tuple[Tokens, tuple[Tokens, ...], Tokens], order: int) -> None:
    source, references, hypothesis = case
    for core in (_core, python_core):
        counter: Any = core.NgramCounter([(("x",), (("y",),)), (source, references)], order)
        (rows,) = counter.counts(1, [hypothesis], False)
        assert list(rows) == [official(source, reference, hypothesis, order) for reference in references]
        (rows,) = counter.counts(1, [hypothesis], True)
        assert [list(row[2 : 2 + order]) for row in rows] == [corrected(source, reference, hypothesis, order) for reference in references]
        for excess in (False, True):
            ((row,),) = counter.pooled_counts(1, [hypothesis], excess)
            assert row == pooled(source, references, hypothesis, order, excess=excess)


@CORES
def test_sentences_do_not_meet(core: ModuleType) -> None:
    """A counter is used for many sentences in turn, and what one leaves behind must not count in the next."""
    first, second = (("a", "b"), (("a", "b", "c"),)), (("b",), (("b", "a"), ("c",)))
    together = core.NgramCounter([first, second, first], 2).counts(0, [("a", "b", "c"), ("b", "a"), ("a", "b")], False)
    alone = [core.NgramCounter([item], 2).counts(0, [text], False)[0] for item, text in ((first, ("a", "b", "c")), (second, ("b", "a")))]
    assert together[:2] == alone
    assert together[2] == ((2, 3, 2, 1, 2, 1),)
    assert core.NgramCounter([], 4).counts(0, [], False) == []


@CORES
def test_too_many_ngrams_are_refused(core: ModuleType) -> None:
    sentences = [(("a",), (("b",),)), (("a",) * 3, (("a",) * 2, ("b",)))]
    counter = core.NgramCounter(sentences, 4, most_ngrams=24)
    assert len(counter.counts(1, [("a",) * 6], False)[0]) == 2
    with pytest.raises(OverflowError, match=r"^sentence 2 cannot be scored: its texts have too many n-grams; use a smaller order"):
        counter.counts(1, [("a",) * 7], True)
    with pytest.raises(OverflowError, match=r"^sentence 2 cannot be scored: its texts have too many n-grams"):
        core.NgramCounter(sentences, 4, most_ngrams=23)


@CORES
def test_arguments_that_are_none(core: ModuleType) -> None:
    with pytest.raises(ValueError, match="order must be 1 or more"):
        core.NgramCounter([], 0)
    with pytest.raises(ValueError, match="a sentence must have a reference"):
        core.NgramCounter([(("a",), ())], 4)
    with pytest.raises(IndexError, match="more hypotheses than sentences"):
        core.NgramCounter([(("a",), (("a",),))], 4).counts(0, [("a",), ("a",)], False)


def test_arguments_of_other_types() -> None:
    for sentences in ([("a b", (("a",),))], [(("a",), [("a",)])], [(("a",), ((1,),))], [(("a",),)]):
        with pytest.raises((TypeError, ValueError), match="must be"):
            _core.NgramCounter(sentences, 4)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="a token must be a str"):
        _core.NgramCounter([(("a",), (("a",),))], 4).counts(0, [(1,)], False)  # type: ignore[list-item]
