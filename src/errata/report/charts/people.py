"""Charts of metrics against people: scores of systems by both, correlations in windows, and all correlations as a heat map."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from errata.display import printable
from errata.errors import RequestError, UsageError, pluralise, suggest
from errata.metrics.registry import write_names
from errata.report.charts.drawing import Drawing
from errata.report.charts.parts import (
    FONT_SIZE,
    HEIGHT,
    LINE,
    WIDTH,
    Chart,
    IntervalBars,
    Plane,
    Point,
    altair,
    find_ends,
    keep_defined,
    name_undefined,
    shorten_names,
    spread,
    start_chart,
    style_lines,
    styled,
)
from errata.settings import COEFFICIENTS, Coefficient
from errata.stats.bootstrap import format_level

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from errata.studies.meta.evaluation import MetaEvaluation
    from errata.studies.meta.scores import MetricScores, ScoreEnds
    from errata.studies.meta.systems import SystemCorrelation


COEFFICIENT_NAMES: dict[Coefficient, str] = {"pearson": "Pearson's r", "spearman": "Spearman's rho", "kendall": "Kendall's tau"}
_OF_SENTENCES = "sentences: tau"

_EndsBySystem = Mapping[str, "ScoreEnds"]
"""The intervals of systems by name."""


def human_chart(
    evaluation: MetaEvaluation, metric_name: str | Sequence[str] = (), intervals: Mapping[str, _EndsBySystem] | None = None
) -> Chart:
    """Plot the scores of systems by people against those by a metric, or by several, each in a panel; by default all.

    ``intervals`` are those of metrics, by metric and system; by default those of the evaluation.
    """
    return _make_human(evaluation, metric_name, intervals).draw()


def window_chart(evaluation: MetaEvaluation, coefficient: Coefficient | None = None) -> Chart:
    """Plot correlations in windows against the first rank, by default with the coefficient by which metrics are compared."""
    return _make_windows(evaluation, coefficient).draw()


def heatmap_chart(evaluation: MetaEvaluation) -> Chart:
    """Show all correlations of metrics with people; the metric that correlates best is first."""
    return _make_heatmap(evaluation).draw()


def list_drawings(evaluation: MetaEvaluation, intervals: Mapping[str, _EndsBySystem]) -> list[Drawing]:
    """List the charts of a page: people against each metric, with these intervals, and a heat map if there are several metrics."""
    scatters = [_make_human(evaluation, metric.name, intervals) for metric in evaluation.metrics]
    return [*scatters, *([_make_heatmap(evaluation)] if len(scatters) > 1 else [])]


_COLOURS = ("#8a3a07", "#e9974d", "#f7f7f7", "#6fa5d3", "#0d4a86")
"""From -1 to 1: orange and blue differ with any kind of colour vision."""
_UNKNOWN = "#dddddd"
_HEATMAP_COLUMN, _ROW = 78, 28
_PALE_BELOW = 0.7
"""Dark colours have white numbers."""
_DARK_TEXT, _LIGHT_TEXT = "#14191f", "#ffffff"
_LETTER = 7
"""Pixels of a letter of a heading, about."""
_MOST_LINES = 3


class _HeatGroup(NamedTuple):
    """The columns of one set of systems."""

    title: str
    columns: Sequence[str]
    """Headings; a space divides their two lines."""
    values: Sequence[Sequence[float | None]]
    """For each metric and column; None if it is undefined."""


def _correlations_heatmap(metrics: Sequence[str], groups: Sequence[_HeatGroup]) -> Chart:
    """Draw correlations, from -1 to 1, as coloured cells with numbers."""
    if not metrics or not groups:
        raise RequestError("there are no correlations to draw")
    alt = altair()
    names = shorten_names(metrics)
    titles = [_wrap_title(group) for group in groups]
    height = max(map(len, titles))
    panels = [
        _draw_group(group, names, [*([""] * (height - len(title))), *title], named=index == 0)
        for index, (group, title) in enumerate(zip(groups, titles, strict=True))
    ]
    return styled(alt.hconcat(*panels, spacing=14) if len(panels) > 1 else panels[0])


def _wrap_title(group: _HeatGroup) -> list[str]:
    """Write the heading of a group in some lines that are not wider than its columns."""
    return textwrap.wrap(printable(group.title), _HEATMAP_COLUMN * len(group.columns) // _LETTER, max_lines=_MOST_LINES, placeholder=" …")


def _draw_group(group: _HeatGroup, names: Sequence[str], title: Sequence[str], *, named: bool) -> Chart:
    alt = altair()
    values = [
        {
            "row": row,
            "column": column,
            "value": value,
            "label": _write_correlation(value),
            "ink": "unknown" if value is None else "pale" if abs(value) < _PALE_BELOW else "dark",
        }
        for row, line in enumerate(group.values)
        for column, value in enumerate(line)
    ]
    heads = [heading.split(" ", 1) for heading in group.columns]
    above = alt.Axis(
        orient="top",
        labelExpr=f"{json.dumps(heads)}[datum.value]",
        labelAngle=0,
        labelBaseline="bottom",
        labelLineHeight=14,
        ticks=False,
        domain=False,
        labelPadding=18 if any(len(lines) > 1 for lines in heads) else 6,
    )
    beside = alt.Axis(labelExpr=f"{json.dumps(list(names))}[datum.value]", ticks=False, domain=False, labelPadding=8) if named else None
    x = alt.X("column:O", title=None, axis=above, scale=alt.Scale(padding=0))
    y = alt.Y("row:O", title=None, axis=beside, scale=alt.Scale(padding=0))
    known, unknown = ([value for value in values if (value["value"] is None) == is_missing] for is_missing in (False, True))
    scale = alt.Scale(domain=[-1, -0.5, 0, 0.5, 1], range=list(_COLOURS), clamp=True)
    layers = [
        start_chart(unknown).mark_rect(color=_UNKNOWN, stroke="white").encode(x=x, y=y),
        start_chart(known).mark_rect(stroke="white").encode(x=x, y=y, color=alt.Color("value:Q", scale=scale, legend=None)),
    ]
    for ink, colour in (("unknown", "#333333"), ("pale", _DARK_TEXT), ("dark", _LIGHT_TEXT)):
        text = start_chart([value for value in values if value["ink"] == ink])
        layers.append(text.mark_text(fontSize=12, color=colour).encode(x=x, y=y, text=alt.Text("label:N")))
    heading = alt.TitleParams(list(title), fontSize=12, fontWeight="normal", anchor="start", frame="group")
    return alt.layer(*layers).properties(width=_HEATMAP_COLUMN * len(group.columns), height=_ROW * len(names), title=heading)


def _write_correlation(value: float | None) -> str:
    """Write a correlation with two decimals.

    >>> _write_correlation(-0.5), _write_correlation(-0.001), _write_correlation(None)
    ('−0.50', '0.00', '–')
    """
    if value is None:
        return "–"
    return f"{round(value, 2) + 0.0:.2f}".replace("-", "\u2212")


_MOST_IN_A_ROW = 3
_SPACING = 28
_SMALL = 340, 290
"""Width and height of one panel of several."""
_MARGIN = 0.12
_EDGE = 0.03
"""Of the range of values, left free beside a point at the end of an axis."""
_LEAST_SHARE = 0.05
"""An axis spans at least this share of the largest value: equal systems are not drawn as if they were far apart."""


class _HumanPoint(NamedTuple):
    """A system with its scores and their intervals, if they are known; scores of the metric are as they are drawn."""

    system: str
    metric: float
    human: float
    metric_ends: tuple[float, float] | None = None
    human_ends: tuple[float, float] | None = None

    @property
    def bars(self) -> IntervalBars:
        """Its intervals; one that is unknown has no length."""
        x, y = self.metric_ends or (self.metric, self.metric), self.human_ends or (self.human, self.human)
        return IntervalBars(Point(self.system, self.metric, self.human), *x, *y)


class _HumanPanel(NamedTuple):
    """What is drawn about one metric."""

    x_title: str
    y_title: str
    heading: Sequence[str]
    points: Sequence[_HumanPoint]
    is_percent: bool
    """Whether scores of the metric are times 100."""


def _arrange_panels(panels: Sequence[Chart]) -> Chart:
    """Arrange panels, at most three in a row; a single one is a chart of its own."""
    alt = altair()
    if len(panels) == 1:
        return styled(panels[0])
    rows = [panels[first : first + _MOST_IN_A_ROW] for first in range(0, len(panels), _MOST_IN_A_ROW)]
    return styled(alt.vconcat(*(alt.hconcat(*row, spacing=_SPACING) for row in rows), spacing=_SPACING))


def _human_panels_chart(panels: Sequence[_HumanPanel]) -> Chart:
    if not panels:
        raise RequestError("there is no metric to draw against people")
    size = (WIDTH, HEIGHT) if len(panels) == 1 else _SMALL
    return _arrange_panels([_draw_scatter_panel(panel, size) for panel in panels])


def _draw_scatter_panel(panel: _HumanPanel, size: tuple[int, int]) -> Chart:
    alt = altair()
    points, missing = keep_defined([Point(one.system, one.metric, one.human) for one in panel.points], f"{panel.x_title} and people")
    bars = [one.bars for one in panel.points if (one.metric_ends or one.human_ends) and one.bars.is_defined]
    corners = [*points, *(corner for bar in bars for corner in bar.corners)]
    find_x = find_ends if panel.is_percent else _find_any_ends
    x, y = [point.x for point in corners], [point.y for point in corners]
    plane = Plane(_leave_edge(find_x(x), x), _leave_edge(_find_any_ends(y), y), *size)
    heading = alt.TitleParams([*panel.heading, *([missing] if missing else [])], fontSize=12, fontWeight="normal", anchor="start")
    layers = plane.draw(points, panel.x_title, panel.y_title, bars)
    return alt.layer(*layers).properties(width=size[0], height=size[1], title=heading)


def _leave_edge(ends: tuple[float, float], values: Sequence[float]) -> tuple[float, float]:
    """Move the ends of an axis away from points on them, whose intervals would be hidden by the other axis."""
    low, high = ends
    edge = _EDGE * (high - low)
    return low - edge if min(values) - low < edge else low, high + edge if high - max(values) < edge else high


def _find_any_ends(values: Iterable[float]) -> tuple[float, float]:
    """Choose the ends of an axis that shows values of any size; it does not go below 0 if no value does.

    >>> _find_any_ends([0.25, 0.75]), _find_any_ends([0.0, 0.0])
    ((0.19, 0.81), (0.0, 0.62))
    """
    values = list(values)
    low, high = min(values), max(values)
    least = _LEAST_SHARE * max(abs(low), abs(high)) or 1.0
    missing = max(0.0, least - (high - low)) / 2
    space = missing + _MARGIN * (high - low + 2 * missing)
    return max(low - space, 0.0) if low >= 0 else low - space, high + space


_HEIGHT = 300
_WINDOWS_COLUMN = 44
_NARROWEST, _WIDEST = 240, 460
_MOST_TICKS = 10
_TICK = 42
"""Pixels that the label of a tick needs."""
_LEADER = 16
"""Pixels from the last point to a name."""


class _WindowPanel(NamedTuple):
    """The correlations of metrics in all windows of one size, from the best systems to the worst."""

    size: int
    lines: Sequence[tuple[str, Sequence[float | None]]]
    """The name of each metric, and its correlations; None if one is undefined."""


def _window_panels_chart(panels: Sequence[_WindowPanel], coefficient: str) -> Chart:
    """Plot the correlation of metrics with people against the first rank of a window."""
    if not panels:
        raise RequestError("there are no windows to draw")
    return _arrange_panels([_draw_window_panel(panel, coefficient) for panel in panels])


def _draw_window_panel(panel: _WindowPanel, coefficient: str) -> Chart:
    alt = altair()
    drawn = {index: line for index, (_, line) in enumerate(panel.lines) if any(value is not None for value in line)}
    missing = name_undefined([name for index, (name, _) in enumerate(panel.lines) if index not in drawn])
    if not drawn:
        raise RequestError(f"{coefficient} is undefined in every window of {panel.size} systems, so it cannot be drawn")
    windows = max(len(line) for line in drawn.values())
    width = min(_WIDEST, max(_NARROWEST, _WINDOWS_COLUMN * (windows - 1)))
    height = max(_HEIGHT, LINE * len(drawn))
    values = [
        {"metric": index, "first": place, "value": value} for index, line in drawn.items() for place, value in enumerate(line, start=1)
    ]
    last = windows if windows > 1 else 2
    step = -(-windows // min(_MOST_TICKS, width // _TICK))
    axis = alt.Axis(values=list(range(1, windows + 1, step)), labelExpr=f"datum.value + '–' + (datum.value + {panel.size - 1})", grid=False)
    x = alt.X("first:Q", title="ranks of systems by people", scale=alt.Scale(domain=[1, last], nice=False, zero=False), axis=axis)
    y = alt.Y("value:Q", title=coefficient, scale=alt.Scale(domain=[-1, 1], nice=False))
    colour, dash = style_lines("metric", range(len(panel.lines)))
    base, names = start_chart(values), start_chart(_place_names(drawn, [name for name, _ in panel.lines], last, width, height))
    layers = [
        start_chart([{"zero": 0}]).mark_rule(color="#999999").encode(y=alt.Y("zero:Q")),
        base.mark_line(strokeWidth=2).encode(x=x, y=y, color=colour, strokeDash=dash),
        base.mark_point(filled=True, size=22, opacity=1).encode(x=x, y=y, color=colour),
        names.mark_rule(strokeWidth=0.9).encode(
            x=alt.X("first:Q"), x2=alt.X2("end:Q"), y=alt.Y("value:Q"), y2=alt.Y2("place:Q"), color=colour
        ),
        names.mark_text(align="left", baseline="middle", dx=3, fontSize=FONT_SIZE, color="#333333").encode(
            x=alt.X("end:Q"), y=alt.Y("place:Q"), text=alt.Text("label:N")
        ),
    ]
    is_broken = any(value is None for line in drawn.values() for value in line)
    notes = [f"windows of {panel.size} systems", *([missing] if missing else []), *(["interrupted where undefined"] if is_broken else [])]
    heading = alt.TitleParams(notes, fontSize=12, fontWeight="normal", anchor="start")
    return alt.layer(*layers).properties(width=width, height=height, title=heading)


def _place_names(
    drawn: dict[int, Sequence[float | None]], names: Sequence[str], last: int, width: int, height: int
) -> list[dict[str, Any]]:
    """Place the name of every line beside its last point."""
    ends = {}
    for index, line in drawn.items():
        ends[index] = max((place, value) for place, value in enumerate(line, start=1) if value is not None)
    labels = shorten_names(names)
    right = last + _LEADER * (last - 1) / width
    places = spread([value for _, value in ends.values()], 2 * LINE / height)
    return [
        {"metric": index, "label": labels[index], "first": first, "value": value, "place": place, "end": right}
        for (index, (first, value)), place in zip(ends.items(), places, strict=True)
    ]


def _make_human(
    evaluation: MetaEvaluation, metric_name: str | Sequence[str] = (), intervals: Mapping[str, _EndsBySystem] | None = None
) -> Drawing:
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
    return Drawing(f"People against {shown}", " ".join(lines), _human_panels_chart, (panels,))


def _make_windows(evaluation: MetaEvaluation, coefficient: Coefficient | None = None) -> Drawing:
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
        panels.append(_WindowPanel(size, [(written[name], line) for name, line in lines.items()]))
    description = "A line for each metric over windows of systems that are neighbours in the ranking by people, from the best to the worst."
    for panel in panels:
        for name, line in panel.lines:
            description += f" {panel.size} systems, {printable(name)}: {', '.join(map(_write_correlation, line))}."
    label = f"{COEFFICIENT_NAMES[chosen]} with people"
    return Drawing(f"{COEFFICIENT_NAMES[chosen]} among neighbours", description, _window_panels_chart, (panels, label))


def _make_heatmap(evaluation: MetaEvaluation) -> Drawing:
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
        groups.append(_HeatGroup(f"{own_set.name} ({pluralise(len(own_set.systems), 'system')})", columns, rows))
    description = "Correlations of metrics with people, from −1 to 1, for each set of systems: blue if they agree, orange if they disagree."
    for group in groups:
        for name, row in zip(names, group.values, strict=True):
            values = ", ".join(f"{column} {_write_correlation(value)}" for column, value in zip(columns, row, strict=True))
            description += f" {printable(group.title)}, {printable(written[name])}: {values}."
    return Drawing("Correlations with people", description, _correlations_heatmap, ([written[name] for name in names], groups))


def _write_metrics(evaluation: MetaEvaluation) -> list[str]:
    """Name metrics as papers do; those from elsewhere keep their names."""
    own = [(index, next(iter(metric.evidence.values())).metric) for index, metric in enumerate(evaluation.metrics) if metric.evidence]
    written = dict(zip((index for index, _ in own), write_names([metric for _, metric in own]), strict=True))
    names = [written.get(index, metric.name) for index, metric in enumerate(evaluation.metrics)]
    return [metric.name if names.count(name) > 1 else name for name, metric in zip(names, evaluation.metrics, strict=True)]


def _make_panel(evaluation: MetaEvaluation, place: int, written: Sequence[str], ends: _EndsBySystem, *, several: bool) -> _HumanPanel:
    metric, name = evaluation.metrics[place], shorten_names(written)[place]
    scale = 100.0 if metric.varies else 1.0
    by_people = evaluation.score_intervals.human
    points = [
        _HumanPoint(
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
    return _HumanPanel(x_title, f"{printable(evaluation.human.name)} (people)", [line for line in heading if line], points, metric.varies)


def _describe_correlations(evaluation: MetaEvaluation, metric: MetricScores, *, short: bool) -> str:
    rows = {row.coefficient: row for row in evaluation.correlations if (row.metric, row.systems) == (metric.name, evaluation.sets[0].name)}
    known = {kind: row for kind, row in rows.items() if row.value is not None}
    if not known:
        return "no correlation: all systems have the same value"
    names = {kind: COEFFICIENT_NAMES[kind].split()[-1] if short else COEFFICIENT_NAMES[kind] for kind in known}
    return ", ".join(_describe_one(names[kind], known[kind], with_interval=kind == evaluation.settings.coefficient) for kind in known)


def _describe_one(name: str, row: SystemCorrelation, *, with_interval: bool) -> str:
    interval = f" [{_write_correlation(row.low)}, {_write_correlation(row.high)}]" if with_interval and row.low is not None else ""
    return f"{name} {_write_correlation(row.value)}{interval}"


def _describe_bars(evaluation: MetaEvaluation, *, of_metric: bool) -> str:
    of_people = bool(evaluation.score_intervals.human)
    count = pluralise(len(evaluation.systems), "system")
    if not (of_metric or of_people) or evaluation.settings.intervals is None:
        return count
    whose = "" if of_metric and of_people else " of people" if of_people else " of the metric"
    return f"{count}; bars: {format_level(evaluation.settings.intervals.level)} intervals{whose}"
