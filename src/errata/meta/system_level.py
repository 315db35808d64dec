"""How far the scores of systems by metrics correlate with their scores by people, and whether one metric correlates better.

There are two kinds of intervals.  Those over sentences keep the systems, and resample sentences with their outputs and judgments: they
say what other sentences would give.  Those over systems say what other systems would give; they need no resampling (Fisher's
transformation, with the variances of Bonett and Wright (2000) for rho and of Fieller et al. (1957) for tau), and are much wider.
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
    from errata.stats.methods import Correction


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
    permutation: float | None
    between: float | None
    """The correlation of the two metrics."""
    needed: int | None
    """With how many systems Williams' test would be significant; None if it is, or if it would need more than 10,000."""


def compute_interval_over_systems(coefficient: Coefficient, value: float, systems: int, level: float) -> tuple[float, float] | None:
    """Compute the interval of a correlation if systems were drawn at random; None for too few, or a correlation of 1 or -1.

    >>> [round(end, 4) for end in compute_interval_over_systems("pearson", 0.7, 12, 0.95)]
    [0.2108, 0.9088]
    """
    from scipy.special import ndtri

    fewest = 5 if coefficient == "kendall" else 4
    if systems < fewest or not abs(value) < 1:
        return None
    variance = {
        "pearson": 1 / (systems - 3),
        "spearman": (1 + value**2 / 2) / (systems - 3),
        "kendall": 0.437 / (systems - 4) if systems > 4 else math.inf,  # noqa: PLR2004 - as published
    }[coefficient]
    reach = float(ndtri((1 + level) / 2)) * math.sqrt(variance)
    return math.tanh(math.atanh(value) - reach), math.tanh(math.atanh(value) + reach)


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
    williams = _correct(
        [compute_williams_p(with_people[one], with_people[other], between[one, other], count) for one, other in pairs], correction
    )
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
