from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from errata.settings import Coefficient
from errata.studies.meta.systems import _compute_permutation_p, _compute_williams_p, _count_needed_systems, compute_many


def test_williams_equals_published_values() -> None:
    """Steiger (1980), r 0.4 and 0.5 with a shared variable, 0.1 between the others, 103 people: t = -0.89, p = .37."""
    assert _compute_williams_p(0.4, 0.5, 0.1, 103) == pytest.approx(0.37, abs=0.007)


def test_williams_is_symmetric_and_grows_with_the_number_of_systems() -> None:
    assert _compute_williams_p(0.8, 0.5, 0.6, 20) == _compute_williams_p(0.5, 0.8, 0.6, 20)
    values = [_compute_williams_p(0.8, 0.5, 0.6, n) for n in (5, 10, 20, 40)]
    assert values == sorted(values, reverse=True)  # type: ignore[type-var]


def test_equal_metrics_do_not_differ() -> None:
    assert _compute_williams_p(0.7, 0.7, 1.0, 12) == 1.0
    assert _compute_williams_p(0.7, 0.6, 0.5, 3) is None
    assert _compute_williams_p(float("nan"), 0.6, 0.5, 12) is None


def test_needed_systems_are_the_fewest() -> None:
    needed = _count_needed_systems(0.7, 0.6, 0.8, 12)
    assert needed is not None
    at, before = _compute_williams_p(0.7, 0.6, 0.8, needed), _compute_williams_p(0.7, 0.6, 0.8, needed - 1)
    assert at is not None
    assert before is not None
    assert at < 0.05 <= before
    assert _count_needed_systems(0.7, 0.7, 0.8, 12) is None
    assert _count_needed_systems(0.99, 0.1, 0.05, 30) == 30


@pytest.mark.parametrize("coefficient", ["pearson", "spearman", "kendall"])
def test_permutation_equals_all_swaps(coefficient: Coefficient) -> None:
    random = np.random.default_rng(3)
    human, one, other = random.normal(size=(3, 6))
    one = human + one
    scaled = (
        [(own - own.mean()) / own.std() for own in (one, other)]
        if coefficient == "pearson"
        else [own.argsort().argsort() + 1.0 for own in (one, other)]
    )

    def differ(swaps: tuple[bool, ...]) -> float:
        first, second = (np.where(swaps, *pair) for pair in (scaled[::-1], scaled))
        values = [float(compute_many(coefficient, *pair)) for pair in ((first, human), (second, human), (first, second))]
        if coefficient == "pearson":  # Williams' t is larger if its p is smaller
            return -(_compute_williams_p(values[0], values[1], values[2], 6) or 0.0)
        return abs(values[0] - values[1])

    all_swaps = [differ(swaps) for swaps in product([False, True], repeat=6)]
    expected = np.mean(np.array(all_swaps) >= all_swaps[0] - 1e-12)
    assert _compute_permutation_p(coefficient, human, one, other) == pytest.approx(expected)


def test_many_systems_are_swapped_at_random() -> None:
    random = np.random.default_rng(1)
    human = random.normal(size=40)
    good, bad = human + random.normal(0, 0.3, 40), random.normal(size=40)
    assert _compute_permutation_p("pearson", human, good, bad, replicates=999) == pytest.approx(0.001)
    assert _compute_permutation_p("pearson", human, good, bad) == _compute_permutation_p("pearson", human, good, bad)


def test_constant_scores_have_no_p() -> None:
    assert _compute_permutation_p("pearson", np.arange(5.0), np.arange(5.0), np.ones(5)) is None


def test_opposite_metrics_are_as_far_apart_as_they_can_be() -> None:
    human = np.arange(5.0)
    assert _compute_permutation_p("pearson", human, human, -human) == pytest.approx(
        1 / 8
    )  # the system in the middle has the same score by both


def test_a_metric_does_not_differ_from_itself_on_another_scale() -> None:
    random = np.random.default_rng(0)
    for _ in range(200):
        human, one = random.random((2, 4)).round(2)
        r, s, between = (float(compute_many("pearson", *pair)) for pair in ((one, human), (100 * one + 5, human), (one, 100 * one + 5)))
        assert _compute_williams_p(r, s, between, 4) in {1.0, None}
