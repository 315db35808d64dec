"""The choice of ERRANT: F rounded to four digits, with its own rules for ties."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from errata.metrics.errant import _ChooseRounded, _compute_f, _compute_many_f
from errata.metrics.ratios import Row

from thoroughness import often

rows = st.tuples(st.integers(0, 4), st.integers(0, 4), st.integers(0, 4))
sentences = st.lists(st.lists(rows, min_size=1, max_size=4), max_size=12)
betas = st.sampled_from([0.5, 1.0, 0.25, 2.0, 0.0, 0.001, 100.0])


def choose_literally(own: list[list[Row]], beta: float) -> list[int]:
    """Read the rule: the largest rounded F, then more true positives, fewer false positives, fewer false negatives, then the first."""
    total = (0, 0, 0)
    chosen = []
    for rows in own:
        keys = []
        for row in rows:
            f = round(_compute_f(tuple(map(sum, zip(total, row, strict=True))), beta), 4)
            keys.append((f, row[0], -row[1], -row[2]))
        best = keys.index(max(keys))
        total = tuple(map(sum, zip(total, rows[best], strict=True)))  # type: ignore[assignment]
        chosen.append(best)
    return chosen


@given(sentences, betas)
@settings(max_examples=often(300, 100))
def test_the_choice_is_that_of_the_rule(own: list[list[Row]], beta: float) -> None:
    assert list(_ChooseRounded(beta).choose(own)) == choose_literally(own, beta)


@given(st.lists(rows, min_size=1, max_size=30), betas)
@settings(max_examples=often(100, 30))
def test_many_values_are_equal_to_single_ones(own: list[Row], beta: float) -> None:
    assert _compute_many_f(np.array(own, dtype=float), beta).tolist() == [_compute_f(row, beta) for row in own]


@given(st.lists(st.lists(rows, min_size=1, max_size=4), min_size=1, max_size=6), betas, st.randoms(use_true_random=False))
@settings(max_examples=often(150, 50))
def test_rechoosing_is_choosing_in_the_order_drawn(own: list[list[Row]], beta: float, draw: object) -> None:
    picked = [[draw.randrange(-1, len(own)) for _ in range(7)] for _ in range(5)]  # type: ignore[attr-defined]
    counts = np.array([row for item in own for row in item], dtype=float)
    starts = np.cumsum([0, *map(len, own)])
    found = _ChooseRounded(beta).rechoose(counts, starts, np.array(picked))
    for replicate, sums in zip(picked, found.tolist(), strict=True):
        drawn = [own[index] for index in replicate if index >= 0]
        chosen = [item[index] for item, index in zip(drawn, _ChooseRounded(beta).choose(drawn), strict=True)]
        assert sums == [sum(column) for column in zip(*chosen, strict=True)] if chosen else sums == [0, 0, 0]


@pytest.mark.parametrize(
    ("counts", "printed"),
    [
        ((1, 24, 59), 0.0313),
        ((1, 25, 55), 0.0312),
        ((2, 9, 18), 0.1563),
        ((3, 35, 5), 0.0937),
        ((107, 58, 33), 0.6687),
        ((111, 53, 33), 0.6938),
        ((113, 50, 35), 0.7062),
    ],
)
def test_values_between_two_roundings(counts: Row, printed: float) -> None:
    """F lies exactly in the middle, so the floating-point error decides; the values are those that errant_compare 3.0.2 printed."""
    assert round(_compute_f(counts, 0.5), 4) == printed
    assert round(float(_compute_many_f(np.array([counts], dtype=float), 0.5)[0]), 4) == printed


def test_rounding_decides() -> None:
    """With many counts, one more is lost in rounding, and true positives decide."""
    before: list[list[Row]] = [[(10_000, 10_000, 10_000)]]
    assert _ChooseRounded(0.5).choose([*before, [(0, 0, 1), (0, 1, 0)]]) == (0, 0)  # the same rounded F, fewer false positives
    assert _ChooseRounded(0.5).choose([*before, [(0, 1, 0), (0, 0, 9)]]) == (0, 1)
    assert _ChooseRounded(0.5).choose([*before, [(0, 1, 1), (1, 3, 1)]]) == (0, 1)
    assert _ChooseRounded(0.5).choose([*before, [(0, 1, 1), (0, 1, 1)]]) == (0, 0)
