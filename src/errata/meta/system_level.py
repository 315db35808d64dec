"""How far the scores of systems by metrics correlate with their scores by people, and whether one metric correlates better.

There are two kinds of intervals.  Those over sentences keep the systems, and resample sentences with their outputs and judgments: they
say what other sentences would give.  Those over systems say what other systems would give; they need no resampling, and are much wider.
For r and rho they are by Fisher's transformation, with the variance of Bonett and Wright (2000) for rho.  For tau they are all values
that a test would not reject, with the variance of tau in a normal distribution (Esscher 1924): with the transformation and the variance of
Fieller et al. (1957), 95% intervals of large taus cover 89% to 93%.
"""

from __future__ import annotations

import math
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

from errata.errors import RequestError
from errata.meta.coefficients import COEFFICIENTS, Coefficient, compute_many, none_if_undefined
from errata.meta.dependent_correlations import compute_permutation_p, compute_williams_p, count_needed_systems
from errata.stats.comparison import correct_p
from errata.stats.correlation import FEWEST

if TYPE_CHECKING:
    from collections.abc import Sequence

    from errata.meta.correlation_intervals import IntervalEnds, SetIntervals
    from errata.meta.human_scores import HumanScores
    from errata.meta.metric_scores import MetricScores
    from errata.meta.system_sets import SystemSet
    from errata.names import Correction

_ROUNDING = 1e-12
_FEWEST_FOR_R = 4
"""The fewest systems with an interval over systems, for r and rho."""
_FEWEST_FOR_TAU = 5


class SystemCorrelation(NamedTuple):
    """The correlation of a metric with people on a set of systems; ends are None if they are unknown."""

    metric: str
    systems: str
    """The name of the set."""
    size: int
    """How many systems it has."""
    coefficient: Coefficient
    value: float | None
    low: float | None
    high: float | None
    """The interval over sentences."""
    systems_low: float | None
    systems_high: float | None
    """The interval over systems."""


class MetricComparison(NamedTuple):
    """Whether one metric correlates better with people than another, on a set of systems; p-values are corrected."""

    metric: str
    other: str
    systems: str
    size: int
    coefficient: Coefficient
    difference: float | None
    low: float | None
    high: float | None
    """The interval of the difference over sentences."""
    williams: float | None
    """None for rho, for which this test rejects too often, and for tau, for which it rejects too rarely."""
    permutation: float | None
    between: float | None
    """The correlation of the two metrics."""
    needed: int | None
    """With how many systems Williams' test would be significant; None if it is, or if it would need more than 10,000."""


def compute_interval_over_systems(coefficient: Coefficient, value: float, systems: int, level: float) -> tuple[float, float] | None:
    """Compute the interval of a correlation if systems were drawn at random; None for too few, or if r or rho is 1 or -1.

    >>> [round(end, 4) for end in compute_interval_over_systems("pearson", 0.7, 12, 0.95)]
    [0.2108, 0.9088]
    >>> [round(end, 4) for end in compute_interval_over_systems("kendall", 1.0, 12, 0.95)]
    [0.8375, 1.0]
    """
    from scipy.special import ndtri

    quantile = float(ndtri((1 + level) / 2))
    if coefficient == "kendall":
        if systems < _FEWEST_FOR_TAU or not abs(value) <= 1:
            return None
        return _find_smallest_tau(value, systems, quantile), -_find_smallest_tau(-value, systems, quantile)
    if systems < _FEWEST_FOR_R or not abs(value) < 1 - _ROUNDING:
        return None
    reach = quantile * math.sqrt((1 + value**2 / 2 if coefficient == "spearman" else 1) / (systems - 3))
    return math.tanh(math.atanh(value) - reach), math.tanh(math.atanh(value) + reach)


def _find_smallest_tau(value: float, systems: int, quantile: float) -> float:
    """Find the smallest tau from which so large a value is not too far."""
    low, high = -1.0, value
    for _ in range(60):
        middle = (low + high) / 2
        if value - middle > quantile * _compute_deviation_of_tau(middle, systems):
            low = middle
        else:
            high = middle
    return high


def _compute_deviation_of_tau(tau: float, systems: int) -> float:
    """Compute the standard deviation of Kendall's tau of some systems, drawn from a normal distribution with this tau."""
    half = 2 / math.pi * math.asin(math.sin(math.pi * tau / 2) / 2)
    variance = 2 / (systems * (systems - 1)) * (1 - tau**2 + 2 * (systems - 2) * (1 / 9 - half**2))
    return math.sqrt(max(variance, 0.0))


def correlate_with_people(
    human: HumanScores, metrics: Sequence[MetricScores], own_set: SystemSet, level: float = 0.95, maker: SetIntervals | None = None
) -> list[SystemCorrelation]:
    """Correlate every metric with people on a set of systems, by every coefficient; ``maker`` makes intervals over sentences."""
    check_size(own_set)
    by_people = human.list_values(own_set.systems)
    found = []
    for index, metric in enumerate(metrics):
        values = metric.list_values(own_set.systems)
        for coefficient in COEFFICIENTS:
            value = float(compute_many(coefficient, values, by_people))
            ends: IntervalEnds = (None, None)
            if maker is not None and (human.varies or metric.varies):
                ends = maker.find_ends(coefficient, [index], [by_people, values])
            over_systems = compute_interval_over_systems(coefficient, value, len(values), level) or (None, None)
            found.append(
                SystemCorrelation(metric.name, own_set.name, len(values), coefficient, none_if_undefined(value), *ends, *over_systems)
            )
    return found


def compare_metrics(  # noqa: PLR0913 - the last ones are given by name
    human: HumanScores,
    metrics: Sequence[MetricScores],
    own_set: SystemSet,
    maker: SetIntervals | None = None,
    *,
    coefficient: Coefficient = "pearson",
    correction: Correction = "holm",
    alpha: float = 0.05,
    seed: int = 0,
) -> list[MetricComparison]:
    """Compare all pairs of metrics on a set of systems."""
    check_size(own_set)
    by_people = human.list_values(own_set.systems)
    count = len(own_set.systems)
    pairs = list(combinations(range(len(metrics)), 2))
    lists = [metric.list_values(own_set.systems) for metric in metrics]
    with_people = [float(compute_many(coefficient, own, by_people)) for own in lists]
    between = {pair: float(compute_many(coefficient, lists[pair[0]], lists[pair[1]])) for pair in pairs}
    tests: list[float | None] = [None] * len(pairs)
    if coefficient == "pearson":
        tests = [compute_williams_p(with_people[one], with_people[other], between[one, other], count) for one, other in pairs]
    williams = _correct(tests, correction)
    swaps = [compute_permutation_p(coefficient, by_people, lists[one], lists[other], seed=seed) for one, other in pairs]
    found = []
    for (one, other), p, permutation in zip(pairs, williams, _correct(swaps, correction), strict=True):
        ends: IntervalEnds = (None, None)
        if maker is not None and (human.varies or metrics[one].varies or metrics[other].varies):
            ends = maker.find_ends(coefficient, [one, other], [by_people, lists[one], lists[other]])
        needed = None
        if p is not None and p >= alpha:
            needed = count_needed_systems(with_people[one], with_people[other], between[one, other], count, alpha)
        difference = none_if_undefined(with_people[one] - with_people[other])
        names = (metrics[one].name, metrics[other].name, own_set.name, count, coefficient)
        needed = needed if needed is not None and needed > count else None
        found.append(MetricComparison(*names, difference, *ends, p, permutation, none_if_undefined(between[one, other]), needed))
    return found


def check_size(own_set: SystemSet) -> None:
    """Raise if a set has too few systems."""
    if len(own_set.systems) < FEWEST:
        raise RequestError(f"a correlation needs {FEWEST} systems or more, found {len(own_set.systems)} ({own_set.name})")


def _correct(values: Sequence[float | None], correction: Correction) -> list[float | None]:
    known = iter(correct_p([value for value in values if value is not None], correction))
    return [None if value is None else next(known) for value in values]
