"""Confidence intervals of scores, from the counts of sentences, for every metric."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from errata.errors import UsageError
from errata.listings import Listing
from errata.metrics.evidence import collect_evidence
from errata.stats.accuracy import compute_exact_interval
from errata.stats.bootstrap import Bootstrap
from errata.stats.resampling import ResampledScores, check_units, resample

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from errata.listings import TableRow
    from errata.metrics.evidence import Evidence, HasEvidence
    from errata.stats.bootstrap import Progress


@dataclass(frozen=True)
class Interval:
    """A confidence interval; both ends are not a number if the score is undefined."""

    low: float
    high: float
    bootstrap: Bootstrap


class Intervals(Listing[Interval]):
    """The intervals of several systems, in their order."""

    def __init__(self, intervals: Iterable[Interval], evidence: Sequence[Evidence]) -> None:
        super().__init__(intervals)
        self._scores = [(item.system_name, str(item.metric), float(item.value)) for item in evidence]

    def rows(self) -> list[TableRow]:
        """List system, metric, value, both ends, level and method."""
        return [
            {
                "system": system,
                "metric": metric,
                "value": value,
                "low": float(interval.low),
                "high": float(interval.high),
                "level": interval.bootstrap.level,
                "method": interval.bootstrap.method,
            }
            for interval, (system, metric, value) in zip(self, self._scores, strict=True)
        ]


def compute_intervals(
    evidence: Sequence[Evidence | HasEvidence],
    bootstrap: Bootstrap | None = None,
    resampled: Sequence[ResampledScores] | None = None,
    progress: Progress | None = None,
) -> Intervals:
    """Compute the intervals of systems that were scored on one corpus, given as scores or evidence.

    ``resampled`` are the results of :func:`resample` with the same settings, if it was called before.
    ``progress`` is called with the number of replicates that were just done; every system counts.
    """
    settings, evidence = Bootstrap.of(bootstrap), collect_evidence(evidence)
    if not evidence:
        return Intervals((), ())
    check_units(evidence, settings.by, "an interval")
    if settings.method == "exact":
        return Intervals([_compute_exact(item, settings) for item in evidence], evidence)
    drawn = resampled or resample(evidence, settings, progress)
    return Intervals([_make_interval(item, own, settings) for item, own in zip(evidence, drawn, strict=True)], evidence)


def _make_interval(evidence: Evidence, drawn: ResampledScores, settings: Bootstrap) -> Interval:
    units = drawn.units
    return make_interval(evidence.values, units.matrices[0], drawn.values, settings, units.times)


def _compute_exact(evidence: Evidence, settings: Bootstrap) -> Interval:
    successes = evidence.metric.successes(evidence.counts)
    if successes is None or not evidence.chooses:
        raise UsageError(
            f"exact intervals need a metric whose sentences match or not, such as accuracy and indexmatch, found {evidence.metric}"
        )
    return Interval(*compute_exact_interval(*successes, settings.level), settings)


def make_interval(measure: Callable[[Any], Any], matrix: Any, replicates: Any, settings: Bootstrap, times: Any = None) -> Interval:
    """Make the interval of a measure of summed counts, from the counts of all units and the values of the measure in all replicates.

    ``times`` says how many units have each row (default 1).  Replicates in which the measure is undefined (not a number) are
    left out; if it is undefined in all of them, both ends are undefined.
    """
    import numpy as np

    times = np.ones(len(matrix)) if times is None else times
    if settings.method != "bca":
        return compute_ends(replicates, settings)
    total = times @ matrix
    return compute_ends(replicates, settings, float(measure(total[None, :])[0]), measure(total - matrix), times)


def compute_ends(replicates: Any, settings: Bootstrap, observed: float = math.nan, without_one: Any = None, times: Any = None) -> Interval:
    """Compute the interval of a measure from its replicates, its value, and its values without each unit (of which there are ``times``).

    The last two are needed for bca only.  Replicates in which the measure is undefined are left out.
    """
    import numpy as np

    values = replicates[~np.isnan(replicates)]
    if not len(values):
        return Interval(math.nan, math.nan, settings)
    outside = (1 - settings.level) / 2
    shares = (outside, 1 - outside)
    if settings.method == "bca":
        known = ~np.isnan(without_one)
        times = np.ones(len(without_one)) if times is None else times
        shares = _correct_shares(values, observed, without_one[known], times[known], outside)
    low, high = np.percentile(values, [100 * share for share in shares])
    return Interval(float(low), float(high), settings)


def _correct_shares(values: Any, observed: float, without_one: Any, times: Any, outside: float) -> tuple[float, float]:
    """Compute the percentiles of the ends, corrected for bias and for a spread that changes with the value (acceleration).

    They are not corrected if nothing varies, or if the measure is undefined without any one of the units.
    """
    import numpy as np
    from scipy.special import ndtr, ndtri

    below = float(np.mean(values < observed) + np.mean(values <= observed)) / 2
    if not times.sum() or below in {0.0, 1.0}:
        return outside, 1 - outside
    deviations = np.average(without_one, weights=times) - without_one
    spread = float(times @ deviations**2)
    if spread * math.sqrt(spread) == 0:
        return outside, 1 - outside
    bias = float(ndtri(below))
    acceleration = float(times @ deviations**3) / (6 * spread * math.sqrt(spread))

    def share(plain: float) -> float:
        shifted = bias + float(ndtri(plain))
        stretched = 1 - acceleration * shifted
        return float(ndtr(bias + shifted / stretched)) if stretched > 0 else float(shifted > 0)

    return share(outside), share(1 - outside)
