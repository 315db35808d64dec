"""Scores of sentences by length."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from errata import Corpus, Evaluator, System, UsageError, read, read_system, score
from errata.stats import score_by_length
from errata.stats.correlation import compute_coefficients, correlate
from errata.stats.intervals import _group_lengths

if TYPE_CHECKING:
    from pathlib import Path


@given(st.lists(st.integers(0, 60), max_size=400))
def test_groups_have_every_length_once(lengths: list[int]) -> None:
    groups = _group_lengths(lengths)
    counts = Counter(lengths)
    for first, last, number in groups:
        assert number == sum(count for length, count in counts.items() if first <= length <= last) > 0
        assert counts[first]
        assert counts[last]
    assert sum(number for _, _, number in groups) == len(lengths)
    assert all(one[1] < other[0] for one, other in pairwise(groups))
    assert len(groups) <= 8
    assert len(groups) <= 1 or min(number for _, _, number in groups) >= 10


def test_groups_are_about_equally_large() -> None:
    assert _group_lengths(range(800)) == [(100 * index, 100 * index + 99, 100) for index in range(8)]
    assert _group_lengths([7] * 500) == [(7, 7, 500)]
    assert _group_lengths([1] * 50 + [2] * 3 + [90] * 2) == [(1, 90, 55)]  # five sentences alone would be chance
    assert _group_lengths([]) == []


@pytest.mark.parametrize("metric", ["maxmatch", "imeasure", "accuracy", "gleu(variant=expected_counts)"])
def test_the_value_of_a_group_is_that_of_its_sentences(gold: Corpus, systems: dict[str, System], metric: str) -> None:
    """Not a mean of sentence scores: with the same references, it is the score of a corpus of these sentences."""
    scores = [score(gold, system, metric) for system in systems.values()]
    groups = score_by_length(scores)
    assert len(groups) == 5
    assert sum(group.sentences for group in groups) == len(gold)
    for group in groups:
        members = [index for index, sentence in enumerate(gold) if group.shortest <= len(sentence.tokens) <= group.longest]
        assert len(members) == group.sentences
        for item, value in zip(scores, group.values, strict=True):
            own = item.evidence
            if own.chosen is None:
                assert value == own.values(own.matrix[members].sum(axis=0)[None, :])[0]
                continue
            counts = [own.rows[index][own.chosen[index]] for index in members]
            assert value == pytest.approx(item.metric.value(tuple(map(sum, zip(*counts, strict=True)))), abs=1e-12)


def test_scores_by_length_need_one_corpus_and_metric(gold: Corpus, systems: dict[str, System]) -> None:
    first, second, *_ = systems.values()
    with pytest.raises(UsageError, match="one corpus and one metric"):
        score_by_length([score(gold, first), score(gold, second, "accuracy")])
    assert score_by_length([]) == []
    empty = replace(gold, sentences=())
    assert score_by_length([score(empty, System.of("x", []))]) == []


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=3, max_size=12))
def test_coefficients_are_those_of_correlate(values: list[tuple[int, int]]) -> None:
    one, other = ([float(value) for value in column] for column in zip(*values, strict=True))
    found, expected = compute_coefficients(one, other), correlate(one, other)
    if expected.spearman is None:
        assert found is None
    else:
        assert found == pytest.approx((expected.spearman, expected.pearson))


@pytest.mark.realdata
def test_conll_2014_by_length(data: Path) -> None:
    corpus = read(data / "conll14" / "gold" / "official-2014.combined.m2")
    groups = score_by_length([Evaluator(corpus)(read_system(data / "conll14" / "systems" / "AMU.txt"))])
    assert [(one.shortest, one.longest, one.sentences) for one in groups][::7] == [(1, 12, 172), (35, 227, 159)]
    assert [group.sentences for group in groups] == [172, 153, 189, 120, 194, 167, 158, 159]
    assert [round(100 * group.values[0], 2) for group in groups][::7] == [50.14, 31.17]
