"""Charts of metrics against people: scores of systems by both, correlations in windows, and all correlations as a heat map."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from errata.errors import RequestError, UsageError, pluralise, suggest
from errata.html import printable
from errata.metrics.registry import write_names
from errata.report.charts.drawings import Drawing
from errata.report.charts.heatmap import HeatGroup, correlations_heatmap, write_correlation
from errata.report.charts.human_scatter import HumanPanel, HumanPoint, human_panels_chart
from errata.report.charts.labels import shorten_names
from errata.report.charts.windows import WindowPanel, window_panels_chart
from errata.stats.bootstrap import format_level
from errata.studies.meta.methods import COEFFICIENTS, Coefficient

if TYPE_CHECKING:
    from collections.abc import Sequence

    from errata.report.charts.scores import Chart
    from errata.studies.meta import MetaEvaluation, MetricScores, SystemCorrelation
    from errata.studies.meta.scores import ScoreEnds

COEFFICIENT_NAMES: dict[Coefficient, str] = {"pearson": "Pearson's r", "spearman": "Spearman's rho", "kendall": "Kendall's tau"}
_OF_SENTENCES = "sentences: tau"

EndsBySystem = Mapping[str, "ScoreEnds"]
"""The intervals of systems by name."""


def human_chart(
    evaluation: MetaEvaluation, metric_name: str | Sequence[str] = (), intervals: Mapping[str, EndsBySystem] | None = None
) -> Chart:
    """Plot the scores of systems by people against those by a metric, or by several, each in a panel; by default all.

    ``intervals`` are those of metrics, by metric and system; by default those of the evaluation.
    """
    return make_human(evaluation, metric_name, intervals).draw()


def window_chart(evaluation: MetaEvaluation, coefficient: Coefficient | None = None) -> Chart:
    """Plot correlations in windows against the first rank, by default with the coefficient by which metrics are compared."""
    return make_windows(evaluation, coefficient).draw()


def heatmap_chart(evaluation: MetaEvaluation) -> Chart:
    """Show all correlations of metrics with people; the metric that correlates best is first."""
    return make_heatmap(evaluation).draw()


def make_human(
    evaluation: MetaEvaluation, metric_name: str | Sequence[str] = (), intervals: Mapping[str, EndsBySystem] | None = None
) -> Drawing:
    """Show scores by people against those by metrics, as :func:`human_chart`."""
    known = [metric.name for metric in evaluation.metrics]
    names = [metric_name] if isinstance(metric_name, str) else list(metric_name) or known
    if unknown := next((name for name in names if name not in known), None):
        raise UsageError(f"there is no metric {unknown!r:.60}; there are {', '.join(known)}{suggest(unknown, known)}")
    written = _write_metrics(evaluation)
    ends = evaluation.score_intervals.metrics if intervals is None else intervals
    panels = [_make_panel(evaluation, known.index(name), written, ends.get(name, {}), several=len(names) > 1) for name in names]
    lines = []
    for panel in panels:
        values = "; ".join(f"{printable(one.system)} {one.metric:.2f} and {one.human:.4f}" for one in panel.points)
        lines.append(f"{panel.x_title} and {panel.y_title} of each system: {values}.")
    shown = written[known.index(names[0])] if len(names) == 1 else "metrics"
    return Drawing(f"People against {shown}", " ".join(lines), human_panels_chart, (panels,))


def make_windows(evaluation: MetaEvaluation, coefficient: Coefficient | None = None) -> Drawing:
    """Show correlations in windows, as :func:`window_chart`."""
    if coefficient is not None and coefficient not in COEFFICIENTS:
        raise UsageError(f"coefficient must be one of {', '.join(COEFFICIENTS)}, found {coefficient!r:.40}")
    if not evaluation.windows:
        raise RequestError("there are no windows to draw; settings say how many systems they have")
    chosen = coefficient or evaluation.settings.coefficient
    written = dict(zip((metric.name for metric in evaluation.metrics), _write_metrics(evaluation), strict=True))
    panels = []
    for size in dict.fromkeys(window.size for window in evaluation.windows):
        lines: dict[str, list[float | None]] = {name: [] for name in written}
        for window in evaluation.windows:
            if window.size == size:
                lines[window.metric].append(getattr(window, chosen))
        panels.append(WindowPanel(size, [(written[name], line) for name, line in lines.items()]))
    description = "A line for each metric over windows of systems that are neighbours in the ranking by people, from the best to the worst."
    for panel in panels:
        for name, line in panel.lines:
            description += f" {panel.size} systems, {printable(name)}: {', '.join(map(write_correlation, line))}."
    label = f"{COEFFICIENT_NAMES[chosen]} with people"
    return Drawing(f"{COEFFICIENT_NAMES[chosen]} among neighbours", description, window_panels_chart, (panels, label))


def make_heatmap(evaluation: MetaEvaluation) -> Drawing:
    """Show all correlations, as :func:`heatmap_chart`."""
    found = {(row.systems, row.metric, row.coefficient): row.value for row in evaluation.correlations}
    of_sentences = {(row.systems, row.metric): row.tau for row in evaluation.agreements}
    written = dict(zip((metric.name for metric in evaluation.metrics), _write_metrics(evaluation), strict=True))

    def find_place(name: str) -> float:
        value = found[evaluation.sets[0].name, name, evaluation.settings.coefficient]
        return 2.0 if value is None else -value

    names = sorted(written, key=find_place)
    columns = [*(COEFFICIENT_NAMES[coefficient] for coefficient in COEFFICIENTS), *([_OF_SENTENCES] if of_sentences else [])]
    groups = []
    for own_set in evaluation.sets:
        rows = [
            [
                *(found[own_set.name, name, coefficient] for coefficient in COEFFICIENTS),
                *([of_sentences.get((own_set.name, name))] if of_sentences else []),
            ]
            for name in names
        ]
        groups.append(HeatGroup(f"{own_set.name} ({pluralise(len(own_set.systems), 'system')})", columns, rows))
    description = "Correlations of metrics with people, from −1 to 1, for each set of systems: blue if they agree, orange if they disagree."
    for group in groups:
        for name, row in zip(names, group.values, strict=True):
            values = ", ".join(f"{column} {write_correlation(value)}" for column, value in zip(columns, row, strict=True))
            description += f" {printable(group.title)}, {printable(written[name])}: {values}."
    return Drawing("Correlations with people", description, correlations_heatmap, ([written[name] for name in names], groups))


def _write_metrics(evaluation: MetaEvaluation) -> list[str]:
    """Name metrics as papers do; those from elsewhere keep their names."""
    own = [(index, next(iter(metric.evidence.values())).metric) for index, metric in enumerate(evaluation.metrics) if metric.evidence]
    written = dict(zip((index for index, _ in own), write_names([metric for _, metric in own]), strict=True))
    names = [written.get(index, metric.name) for index, metric in enumerate(evaluation.metrics)]
    return [metric.name if names.count(name) > 1 else name for name, metric in zip(names, evaluation.metrics, strict=True)]


def _make_panel(evaluation: MetaEvaluation, place: int, written: Sequence[str], ends: EndsBySystem, *, several: bool) -> HumanPanel:
    metric, name = evaluation.metrics[place], shorten_names(written)[place]
    scale = 100.0 if metric.varies else 1.0
    by_people = evaluation.score_intervals.human
    points = [
        HumanPoint(
            system,
            scale * metric.values[system],
            evaluation.human.values[system],
            (scale * ends[system][0], scale * ends[system][1]) if system in ends else None,
            by_people.get(system),
        )
        for system in evaluation.systems
    ]
    heading = [name] if several else []
    heading += [_describe_correlations(evaluation, metric, short=several), _describe_bars(evaluation, of_metric=bool(ends))]
    x_title = f"{name}, times 100" if metric.varies else name
    return HumanPanel(x_title, f"{printable(evaluation.human.name)} (people)", [line for line in heading if line], points, metric.varies)


def _describe_correlations(evaluation: MetaEvaluation, metric: MetricScores, *, short: bool) -> str:
    rows = {row.coefficient: row for row in evaluation.correlations if (row.metric, row.systems) == (metric.name, evaluation.sets[0].name)}
    known = {kind: row for kind, row in rows.items() if row.value is not None}
    if not known:
        return "no correlation: all systems have the same value"
    names = {kind: COEFFICIENT_NAMES[kind].split()[-1] if short else COEFFICIENT_NAMES[kind] for kind in known}
    return ", ".join(_describe_one(names[kind], known[kind], with_interval=kind == evaluation.settings.coefficient) for kind in known)


def _describe_one(name: str, row: SystemCorrelation, *, with_interval: bool) -> str:
    interval = f" [{write_correlation(row.low)}, {write_correlation(row.high)}]" if with_interval and row.low is not None else ""
    return f"{name} {write_correlation(row.value)}{interval}"


def _describe_bars(evaluation: MetaEvaluation, *, of_metric: bool) -> str:
    of_people = bool(evaluation.score_intervals.human)
    count = pluralise(len(evaluation.systems), "system")
    if not (of_metric or of_people) or evaluation.settings.intervals is None:
        return count
    whose = "" if of_metric and of_people else " of people" if of_people else " of the metric"
    return f"{count}; bars: {format_level(evaluation.settings.intervals.level)} intervals{whose}"
