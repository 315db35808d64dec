"""Binomial numbers with probability 0.5 are those of NumPy."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from errata.stats import Bootstrap, resampling
from errata.stats.resampling import RowGroups, as_whole_numbers


@given(st.lists(st.integers(0, 70), max_size=30), st.integers(1, 20), st.integers(0, 1000))
def test_the_numbers_of_numpy(trials: list[int], size: int, seed: int) -> None:
    """The same numbers, and the generator is in the same state afterwards; also for groups that are empty or large."""
    one, other = np.random.default_rng(seed), np.random.default_rng(seed)
    found = resampling._draw_halves(one, np.array(trials, dtype=np.int64), size)
    assert found.tolist() == other.binomial(np.array(trials, dtype=np.int64), 0.5, size=(size, len(trials))).tolist()
    assert one.random() == other.random()


def test_the_fast_way_is_in_use() -> None:
    assert resampling._draws_as_numpy()


def test_another_numpy(monkeypatch: pytest.MonkeyPatch) -> None:
    """If NumPy draws otherwise, or would draw a number again, NumPy itself draws."""
    expected = np.random.default_rng(3).binomial(np.array([1, 2, 3]), 0.5, size=(4, 3)).tolist()
    monkeypatch.setattr(resampling, "_draws_as_numpy", lambda: False)
    assert resampling._draw_halves(np.random.default_rng(3), np.array([1, 2, 3]), 4).tolist() == expected
    monkeypatch.setattr(resampling, "_draws_as_numpy", lambda: True)
    monkeypatch.setattr(resampling, "_invert", lambda *_: None)
    assert resampling._draw_halves(np.random.default_rng(3), np.array([1, 2, 3]), 4).tolist() == expected


def test_whole_numbers_are_summed_exactly() -> None:
    for rows, kind in (([[1.0, 2.0]], np.int64), ([[0.5, 2.0]], np.float64), ([[1e300, 1.0]], np.float64)):
        assert as_whole_numbers(np.array(rows)).dtype == kind
    groups = RowGroups(np.array([[1.0, 0.0], [0.0, 3.0]]), np.array([3, 2]))
    for sums in groups.resample(Bootstrap(replicates=100)):
        assert sums.dtype == np.float64
        assert (sums[:, 0] + sums[:, 1] / 3 == 5).all()
