"""The metrics of a report, compared with people who judged the same systems."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from errata.errors import MismatchError, RequestError
from errata.page.report import ComparedWithPeople
from errata.report.charts.meta import make_heatmap, make_human
from errata.stats.correlation import FEWEST
from errata.studies.meta import MetaIntervals, MetaSettings, MetricScores, evaluate_metrics, score_by_people
from errata.studies.meta.evaluation import find_common_systems
from errata.studies.meta.systems import OUTLIERS, find_outliers

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from errata.page.report import RankedSystems, Testing
    from errata.page.watching import Watch
    from errata.report.charts.drawings import Drawing
    from errata.stats import Bootstrap
    from errata.studies.meta import HumanScores, JudgedSentences, MetaEvaluation
    from errata.studies.meta.scores import ScoreEnds

MOST_REPLICATES = 1_000
"""Intervals of correlations need no more; those of scores may have more."""


def compare_with_people(
    rankings: Sequence[RankedSystems], judged: JudgedSentences, bootstrap: Bootstrap, testing: Testing, watch: Watch
) -> ComparedWithPeople:
    """Compare all metrics with people; if that is impossible, say why, because the page has everything else."""
    metrics = [MetricScores.of(ranking.scores) for ranking in rankings]
    intervals = None
    if len(judged.places) > 1:
        intervals = MetaIntervals(
            bootstrap.level, min(bootstrap.replicates, max(MOST_REPLICATES, math.ceil(2 / (1 - bootstrap.level)))), bootstrap.seed
        )
    try:
        human = score_by_people(judged.items, judged.places)
        without = _choose_sets(human, metrics)
        settings = MetaSettings(intervals, correction=testing.correction, alpha=testing.alpha, without=without)
        with watch("comparing with people", len(metrics) * (intervals.replicates if intervals is not None else 0)) as progress:
            evaluation = evaluate_metrics(human, metrics, judged, settings, progress)
    except (RequestError, MismatchError) as error:
        return ComparedWithPeople(judged, None, reason=str(error))
    return ComparedWithPeople(judged, evaluation, _list_drawings(evaluation, rankings))


def _choose_sets(human: HumanScores, metrics: Sequence[MetricScores]) -> tuple[str, ...]:
    """Compare metrics without outliers too, if there are some and enough other systems."""
    systems, _ = find_common_systems(human, metrics)
    outliers = find_outliers({name: human.values[name] for name in systems})
    return (OUTLIERS,) if outliers and len(systems) - len(outliers) >= FEWEST else ()


def _list_drawings(evaluation: MetaEvaluation, rankings: Sequence[RankedSystems]) -> list[Drawing]:
    """List the charts: a scatter for each metric, with the intervals that the other sections show, and a heat map of several."""
    ends = {str(ranking.metric): _list_ends(ranking) for ranking in rankings}
    scatters = [make_human(evaluation, metric.name, ends) for metric in evaluation.metrics]
    return [*scatters, *([make_heatmap(evaluation)] if len(scatters) > 1 else [])]


def _list_ends(ranking: RankedSystems) -> Mapping[str, ScoreEnds]:
    pairs = zip(ranking.scores, ranking.intervals, strict=True)
    return {score.system_name: (own.low, own.high) for score, own in pairs if math.isfinite(own.low + own.high)}
