"""The charts of scores: each with its title and description, and drawn when it is needed.

A drawing has only plain values, so that another process can draw it (:mod:`errata.report.charts.drawing_process`).
"""

from __future__ import annotations

import math
from itertools import groupby
from typing import TYPE_CHECKING, Any, NamedTuple

from errata.errors import RequestError, UsageError, pluralise
from errata.html import printable
from errata.metrics.registry import write_names
from errata.report.charts.coverage import ScoredSystem, interval_chart
from errata.report.charts.lengths import length_chart
from errata.report.charts.metrics import metrics_chart
from errata.report.charts.precision_recall import precision_recall_chart
from errata.report.charts.scatter import name_undefined
from errata.report.charts.scores import Chart, Improvement, improvement_chart
from errata.stats.intervals import score_by_length

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from errata.metrics.base import Metric
    from errata.scoring.scores import Score
    from errata.stats.intervals import Interval


class Drawing(NamedTuple):
    """A chart that can be drawn."""

    title: str
    description: str
    """What it shows, for people who do not see it."""
    function: Callable[..., Chart]
    values: tuple[Any, ...]

    def draw(self) -> Chart:
        """Draw the chart."""
        return self.function(*self.values)


def list_drawings(scores: Sequence[Score], intervals: Sequence[Interval] = ()) -> list[Drawing]:
    """List all charts of scores of the same systems with one or more metrics: all scores of a metric, then those of the next.

    ``intervals`` are those of all scores, or none.  What cannot be drawn, such as precision of a metric without it, is left out.
    """
    groups = [list(group) for _, group in groupby(scores, key=lambda score: score.metric)]
    drawings = []
    first = 0
    for group in groups:
        own = intervals[first : first + len(group)]
        first += len(group)
        is_defined = any(math.isfinite(score.value) for score in group)
        drawings += [make_intervals(group, own)] if own and is_defined else []
        drawings += [make_improvement(group)] if is_defined and has_improvement(group[0]) else []
        drawings += [make_precision_recall(group)] if is_defined and has_precision(group[0]) else []
        drawings += [make_lengths(group)] if is_defined and len(group[0].evidence.corpus) else []
    for group in groups[1:]:
        pairs = zip(groups[0], group, strict=True)
        drawings += [make_metrics(groups[0], group)] if any(math.isfinite(one.value + other.value) for one, other in pairs) else []
    return drawings


def has_improvement(score: Score) -> bool:
    """Whether a metric compares systems with their source, as I-measure does."""
    return score.metric.source_measure is not None and {"wacc", "baseline"} <= set(score.shown)


def has_precision(score: Score) -> bool:
    """Whether a metric has precision, recall and F."""
    return score.metric.beta is not None and {"precision", "recall"} <= set(score.shown)


def make_improvement(scores: Sequence[Score]) -> Drawing:
    """Show systems on the scale of I-measure."""
    metric = scores[0].metric
    items = [Improvement(score.system_name, score.value, score.shown["wacc"], score.shown["baseline"]) for score in scores]
    description = f"Systems between −100 (nothing is right), 0 (the source) and 100 (a correct text). {_list_values(scores)}"
    return Drawing(f"Improvement by {metric}", description, improvement_chart, (items, describe_settings(metric)))


def make_intervals(scores: Sequence[Score], intervals: Sequence[Interval]) -> Drawing:
    """Show scores with their intervals; undefined ones are named in the axis title."""
    metric, level = scores[0].metric, f"{100 * intervals[0].bootstrap.level:g}%"
    systems = [
        ScoredSystem(score.system_name, score.value, own.low, own.high)
        for score, own in zip(scores, intervals, strict=True)
        if math.isfinite(score.value)
    ]
    if not systems:
        raise RequestError(f"{metric} of every system is undefined, so it cannot be drawn")
    lines = "; ".join(f"{printable(one.name)} {100 * one.value:.2f} ({100 * one.low:.2f} to {100 * one.high:.2f})" for one in systems)
    missing = name_undefined([score.system_name for score in scores if not math.isfinite(score.value)])
    label = f"{metric.label} times 100, with its {level} interval{missing and f' ({missing})'}"
    title = f"{_name(metric)} with {level} intervals"
    return Drawing(title, f"Scores of systems with their intervals. {lines}.", interval_chart, (systems, label))


def make_precision_recall(scores: Sequence[Score]) -> Drawing:
    """Show precision against recall."""
    metric = scores[0].metric
    if not has_precision(scores[0]):
        raise UsageError(f"precision and recall need a metric with F, such as maxmatch, found {metric}")
    shown = [(score.system_name, score.shown["precision"], score.shown["recall"]) for score in scores]
    lines = "; ".join(f"{printable(name)} precision {100 * one:.2f}, recall {100 * other:.2f}" for name, one, other in shown)
    title = f"Precision against recall by {metric}"
    return Drawing(title, f"A point for each system, with lines of equal F. {lines}.", precision_recall_chart, (shown, metric.beta))


def make_lengths(scores: Sequence[Score]) -> Drawing:
    """Show scores against sentence length."""
    metric = scores[0].metric
    groups = score_by_length(scores)
    if not groups:
        raise RequestError(f"{metric} by length needs one sentence or more, found none")
    description = f"A line for each system over {pluralise(len(groups), 'group')} of sentences, from short to long ones."
    for index, score in enumerate(scores):
        lines = ", ".join("undefined" if math.isnan(group.values[index]) else f"{100 * group.values[index]:.2f}" for group in groups)
        description += f" {printable(score.system_name)}: {lines}."
    names = [score.system_name for score in scores]
    return Drawing(f"{_name(metric)} against sentence length", description, length_chart, (names, groups, metric.label))


def make_metrics(scores: Sequence[Score], others: Sequence[Score], intervals: Sequence[Interval] = ()) -> Drawing:
    """Show one metric against another; ``intervals`` are those of all scores, or none."""
    one, other = write_names([scores[0].metric, others[0].metric])
    values = [(mine.system_name, mine.value, its.value) for mine, its in zip(scores, others, strict=True)]
    lines = "; ".join(f"{printable(name)} {100 * x:.2f} and {100 * y:.2f}" for name, x, y in values)
    description = f"A point for each system. {lines}."
    ends = [(mine.low, mine.high, its.low, its.high) for mine, its in zip(intervals[: len(values)], intervals[len(values) :], strict=True)]
    level = f"{100 * intervals[0].bootstrap.level:g}%" if intervals else ""
    return Drawing(f"{other} against {one}", description, metrics_chart, (values, one, other, ends, level))


def describe_settings(metric: Metric) -> str:
    """Write a metric whose settings are not the defaults, for the title of an axis."""
    return f"— {metric}" if str(metric) != metric.name else ""


def _name(metric: Metric) -> str:
    """Name a metric and its value."""
    if metric.label.lower() == metric.name:
        return metric.label if str(metric) == metric.name else str(metric)
    return f"{metric.label} by {metric}"


def _list_values(scores: Sequence[Score]) -> str:
    return "; ".join(f"{printable(score.system_name)} {100 * score.value:.2f}" for score in scores) + "."
