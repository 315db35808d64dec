"""Correlations within windows: systems sorted by people, and every run of some neighbours (Kobayashi et al. 2024)."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from errata.errors import RequestError
from errata.meta.coefficients import compute_many, none_if_undefined
from errata.stats.correlation import FEWEST

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from errata.meta.human_scores import HumanScores
    from errata.meta.metric_scores import MetricScores


class WindowCorrelation(NamedTuple):
    """The correlation of a metric with people on neighbours in the ranking by people; None if all have the same score."""

    metric: str
    size: int
    first_rank: int
    last_rank: int
    pearson: float | None
    spearman: float | None
    kendall: float | None
    systems: tuple[str, ...]


def correlate_windows(
    human: HumanScores, metrics: Iterable[MetricScores], systems: Sequence[str], sizes: Iterable[int]
) -> list[WindowCorrelation]:
    """Correlate every metric with people in every window; systems with the same score by people stand in the order of names."""
    order = sorted(systems, key=lambda name: (-human.values[name], name))
    found = []
    kept = list(metrics)
    for size in dict.fromkeys(sizes):
        if not FEWEST <= size <= len(order):
            raise RequestError(f"a window must have from {FEWEST} to {len(order)} systems here, found {size}")
        for metric in kept:
            for first in range(len(order) - size + 1):
                names = order[first : first + size]
                values, by_people = metric.list_values(names), human.list_values(names)
                r, rho, tau = (float(compute_many(kind, values, by_people)) for kind in ("pearson", "spearman", "kendall"))
                found.append(
                    WindowCorrelation(
                        metric.name,
                        size,
                        first + 1,
                        first + size,
                        none_if_undefined(r),
                        none_if_undefined(rho),
                        none_if_undefined(tau),
                        tuple(names),
                    )
                )
    return found
