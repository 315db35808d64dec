from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from errata.settings import Coefficient
from errata.studies.meta.systems import _compute_interval_over_systems, compute_many

LISTS = st.lists(st.tuples(st.integers(-5, 5), st.integers(-5, 5)), min_size=3, max_size=12)


@given(LISTS)
def test_coefficients_equal_those_of_scipy(pairs: list[tuple[int, int]]) -> None:
    one, other = (np.array(values, float) for values in zip(*pairs, strict=True))
    found = [float(compute_many(kind, one, other)) for kind in ("pearson", "spearman", "kendall")]
    if np.ptp(one) == 0 or np.ptp(other) == 0:
        assert np.isnan(found).all()
        return
    expected = [stats.pearsonr(one, other).statistic, stats.spearmanr(one, other).statistic, stats.kendalltau(one, other).statistic]
    assert found == pytest.approx([float(value) for value in expected], abs=1e-9)


def test_many_lists_at_once_are_the_same_as_one_by_one() -> None:
    random = np.random.default_rng(0)
    one, other = random.normal(size=(7, 5, 9)), random.normal(size=(5, 9))
    for kind in ("pearson", "spearman", "kendall"):
        together = compute_many(kind, one, other)
        alone = [[float(compute_many(kind, one[i, j], other[j])) for j in range(5)] for i in range(7)]
        assert together == pytest.approx(np.array(alone))


def test_rounding_errors_are_no_variation() -> None:
    assert np.isnan(compute_many("pearson", np.array([0.1 + 0.2, 0.3, 0.3]), np.array([1.0, 2.0, 3.0])))


def test_large_values_do_not_overflow() -> None:
    assert float(compute_many("pearson", np.array([1e300, 2e300, 3e300]), np.array([1.0, 2.0, 3.0]))) == pytest.approx(1)


@pytest.mark.parametrize(("coefficient", "systems"), [("pearson", 3), ("kendall", 4), ("spearman", 3)])
def test_few_systems_have_no_interval(coefficient: Coefficient, systems: int) -> None:
    assert _compute_interval_over_systems(coefficient, 0.5, systems, 0.95) is None
    assert (_compute_interval_over_systems(coefficient, 1.0, 12, 0.95) is None) == (coefficient != "kendall")
