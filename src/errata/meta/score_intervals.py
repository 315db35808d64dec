"""Intervals of the scores of single systems, by people and by metrics: percentiles of the replicates that correlations have too."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from errata.meta.human_scores import HumanScores
    from errata.meta.metric_scores import MetricScores
    from errata.meta.replicates import Replicates, ResampledValues

ScoreEnds = tuple[float, float]
"""The ends of the interval of a score."""


class ScoreIntervals(NamedTuple):
    """The intervals of systems by name; those of scores that cannot be resampled are missing."""

    human: Mapping[str, ScoreEnds]
    metrics: Mapping[str, Mapping[str, ScoreEnds]]
    """By the name of the metric."""


NO_INTERVALS = ScoreIntervals({}, {})


def find_score_intervals(
    replicates: Replicates, human: HumanScores, metrics: Sequence[MetricScores], systems: Sequence[str], level: float
) -> ScoreIntervals:
    """Find the intervals of all systems; replicates in which a score is undefined are left out."""
    of_metrics = zip(metrics, replicates.metrics, strict=True)
    return ScoreIntervals(
        _find_ends(replicates.human, systems, level) if human.varies else {},
        {metric.name: _find_ends(drawn, systems, level) if metric.varies else {} for metric, drawn in of_metrics},
    )


def _find_ends(drawn: ResampledValues, systems: Sequence[str], level: float) -> dict[str, ScoreEnds]:
    import numpy as np

    outside = (1 - level) / 2
    found: dict[str, ScoreEnds] = {}
    for name, values in zip(systems, drawn.values.T, strict=True):
        known = values[np.isfinite(values)]
        if len(known):
            low, high = np.quantile(known, [outside, 1 - outside]).tolist()
            found[name] = low, high
    return found
