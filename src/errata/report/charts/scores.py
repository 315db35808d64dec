"""Charts of scores for papers, pages and notebooks: intervals, precision and recall, lengths, two metrics, and those of I-measure."""

from __future__ import annotations

import hashlib
import json
import math
from fractions import Fraction
from functools import cached_property
from itertools import groupby
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, get_args

from errata.display import Html, element, printable
from errata.errors import RequestError, UsageError, pluralise
from errata.formats.lines import check_path
from errata.metrics.registry import write_names
from errata.report.charts.drawing import Drawing
from errata.report.charts.parts import (
    FONT_SIZE,
    HEIGHT,
    LINE,
    PALETTE,
    WIDTH,
    Chart,
    IntervalBars,
    Plane,
    Point,
    altair,
    explain_missing_charts,
    find_ends,
    keep_defined,
    name_undefined,
    save_chart,
    shorten_names,
    spread,
    start_chart,
    style_lines,
    styled,
)
from errata.scoring.scores import check_scores
from errata.stats.correlation import FEWEST, compute_coefficients
from errata.stats.intervals import compute_intervals, score_by_length

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from errata.metrics.base import Metric
    from errata.scoring.scores import Score
    from errata.stats.bootstrap import Bootstrap
    from errata.stats.intervals import Interval, LengthGroup


def make_drawing(kind: str, scores: Sequence[Score], intervals: Sequence[Interval] = ()) -> Drawing:
    """Make a chart of ``errata chart``; ``metrics`` needs the scores of two metrics, first all of one, the others those of one.

    ``intervals`` are those of all scores; only the charts intervals and metrics have some.
    """
    if kind == "intervals":
        return _make_intervals(scores, intervals)
    if kind == "metrics":
        half = len(scores) // 2
        return _make_metrics(scores[:half], scores[half:], intervals)
    makers = {"precision-recall": _make_precision_recall, "length": _make_lengths, "improvement": _make_improvement, "wacc": _make_weights}
    return makers[kind](scores)


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
        drawings += [_make_intervals(group, own)] if own and is_defined else []
        drawings += [_make_improvement(group)] if is_defined and _has_improvement(group[0]) else []
        drawings += [_make_precision_recall(group)] if is_defined and _has_precision(group[0]) else []
        drawings += [_make_lengths(group)] if is_defined and len(group[0].evidence.corpus) else []
    for group in groups[1:]:
        pairs = zip(groups[0], group, strict=True)
        drawings += [_make_metrics(groups[0], group)] if any(math.isfinite(one.value + other.value) for one, other in pairs) else []
    return drawings


def _has_improvement(score: Score) -> bool:
    """Whether a metric compares systems with their source, as I-measure does."""
    return score.metric.source_measure is not None and {"wacc", "baseline"} <= set(score.shown)


def _has_precision(score: Score) -> bool:
    """Whether a metric has precision, recall and F."""
    return score.metric.beta is not None and {"precision", "recall"} <= set(score.shown)


def _describe_settings(metric: Metric) -> str:
    """Write a metric whose settings are not the defaults, for the title of an axis."""
    return f"— {metric}" if str(metric) != metric.name else ""


def _name_metric(metric: Metric) -> str:
    if metric.label.lower() == metric.name:
        return metric.label if str(metric) == metric.name else str(metric)
    return f"{metric.label} by {metric}"


def _list_values(scores: Sequence[Score]) -> str:
    return "; ".join(f"{printable(score.system_name)} {100 * score.value:.2f}" for score in scores) + "."


def _make_intervals(scores: Sequence[Score], intervals: Sequence[Interval]) -> Drawing:
    """Show scores with their intervals; undefined ones are named in the axis title."""
    metric, level = scores[0].metric, f"{100 * intervals[0].bootstrap.level:g}%"
    systems = [
        _ScoredSystem(score.system_name, score.value, own.low, own.high)
        for score, own in zip(scores, intervals, strict=True)
        if math.isfinite(score.value)
    ]
    if not systems:
        raise RequestError(f"{metric} of every system is undefined, so it cannot be drawn")
    lines = "; ".join(f"{printable(one.name)} {100 * one.value:.2f} ({100 * one.low:.2f} to {100 * one.high:.2f})" for one in systems)
    missing = name_undefined([score.system_name for score in scores if not math.isfinite(score.value)])
    label = f"{metric.label} times 100, with its {level} interval{missing and f' ({missing})'}"
    title = f"{_name_metric(metric)} with {level} intervals"
    return Drawing(title, f"Scores of systems with their intervals. {lines}.", _interval_chart, (systems, label))


class _ScoredSystem(NamedTuple):
    """A system with its score and interval."""

    name: str
    value: float
    low: float
    high: float


def _interval_chart(systems: Sequence[_ScoredSystem], label: str) -> Chart:
    """Plot systems with their intervals, the best first (Figure 4); times 100, as in tables."""
    alt = altair()
    ranked = sorted(systems, key=lambda item: (-item.value, item.name))
    values = [{"name": printable(item.name), "value": 100 * item.value, "low": 100 * item.low, "high": 100 * item.high} for item in ranked]
    base = start_chart(values).encode(y=alt.Y("name:N", sort=[value["name"] for value in values], title=None))
    layers = [
        base.mark_rule(strokeWidth=2, color=PALETTE[0]).encode(
            x=alt.X("low:Q", title=label, scale=alt.Scale(zero=False)), x2=alt.X2("high:Q")
        ),
        base.mark_point(filled=True, size=60, opacity=1, color=PALETTE[0]).encode(x=alt.X("value:Q")),
    ]
    return styled(alt.layer(*layers).properties(width=360, height=alt.Step(22)))


_LINES = 10
"""Lines of equal F, at most about so many."""
_STEPS = 40
"""Points of a line, from each axis."""


def _make_precision_recall(scores: Sequence[Score]) -> Drawing:
    metric = scores[0].metric
    if not _has_precision(scores[0]):
        raise UsageError(f"precision and recall need a metric with F, such as maxmatch, found {metric}")
    shown = [(score.system_name, score.shown["precision"], score.shown["recall"]) for score in scores]
    lines = "; ".join(f"{printable(name)} precision {100 * one:.2f}, recall {100 * other:.2f}" for name, one, other in shown)
    title = f"Precision against recall by {metric}"
    return Drawing(title, f"A point for each system, with lines of equal F. {lines}.", _precision_recall_chart, (shown, metric.beta))


def _precision_recall_chart(systems: Sequence[tuple[str, float, float]], beta: float) -> Chart:
    """Plot the precision and recall of systems, given with their names, times 100, with lines of equal F."""
    alt = altair()
    points, missing = keep_defined(
        [Point(name, 100 * recall, 100 * precision) for name, precision, recall in systems], "precision and recall"
    )
    plane = Plane.around(points)
    lines = list(_list_lines(plane, beta))
    values = [{"f": level, "recall": recall, "precision": precision} for level, line in lines for recall, precision in line]
    x, y = (alt.Scale(domain=list(ends), nice=False, zero=False) for ends in plane[:2])
    curves = (
        start_chart(values)
        .mark_line(strokeWidth=1, color="#999999", strokeDash=[3, 3])
        .encode(x=alt.X("recall:Q", scale=x), y=alt.Y("precision:Q", scale=y), detail=alt.Detail("f:N"), order=alt.Order("recall:Q"))
    )
    top, right = _name_lines(lines, plane, f"F{beta:g}")
    layers = [curves, *top, *right] if values else []
    layers += plane.draw(points, "recall, times 100", "precision, times 100")
    note = [f"dashed: equal F{beta:g}, times 100", *([missing] if missing else [])]
    heading = alt.TitleParams(note, fontSize=12, fontWeight="normal", anchor="start", offset=24 if top else 8)
    return styled(alt.layer(*layers).properties(width=WIDTH, height=HEIGHT, title=heading))


def _name_lines(lines: Sequence[tuple[float, list[tuple[float, float]]]], plane: Plane, label: str) -> tuple[list[Chart], list[Chart]]:
    """Write F where a line leaves the plane: at the top, or at the right."""
    alt = altair()
    top: list[dict[str, Any]] = []
    right: list[dict[str, Any]] = []
    for level, line in lines:
        is_at_right = _is_near(line[-1][0], plane.x[1])
        recall, precision = line[-1] if is_at_right else line[0]
        (right if is_at_right else top).append({"recall": recall, "precision": precision, "text": f"{level:g}"})
    layers: tuple[list[Chart], list[Chart]] = ([], [])
    styles = ({"align": "center", "baseline": "bottom", "dy": -4}, {"align": "left", "baseline": "middle", "dx": 4})
    for own, style, layer in zip((top, right), styles, layers, strict=True):
        if own:
            own[-1]["text"] = f"{label} = {own[-1]['text']}"
            marks = start_chart(own).mark_text(fontSize=10, color="#666666", **style)
            layer.append(marks.encode(x=alt.X("recall:Q"), y=alt.Y("precision:Q"), text=alt.Text("text:N")))
    return layers


def _list_lines(plane: Plane, beta: float) -> Iterator[tuple[float, list[tuple[float, float]]]]:
    """List round values of F with the part of their line that is in the plane, from low to high recall; times 100.

    Lines only in the lower left corner, below all systems, are left out.
    """
    (left, right), (bottom, top) = plane[:2]
    lowest, highest = _compute_f(bottom, left, beta), _compute_f(top, right, beta)
    step = _round_step((highest - lowest) / _LINES)
    for number in range(math.floor(lowest / step) + 1, math.ceil(highest / step)):
        level = number * step
        line = []
        for index in range(_STEPS + 1):
            recall, precision = left + (right - left) * index / _STEPS, bottom + (top - bottom) * index / _STEPS
            line += [(recall, _solve(level, recall, beta)), (_solve(level, precision, 1 / beta if beta else math.inf), precision)]
        inside = sorted({(x, y) for x, y in line if left <= x <= right and bottom <= y <= top}, key=lambda place: (place[0], -place[1]))
        if len(inside) > 1 and (_is_near(inside[-1][0], right) or _is_near(inside[0][1], top)):  # so that there is space for its name
            yield round(level, 6), inside


def _is_near(value: float, end: float) -> bool:
    return math.isclose(value, end, abs_tol=1e-6)


def _compute_f(precision: float, recall: float, beta: float) -> float:
    below = beta**2 * precision + recall
    return (1 + beta**2) * precision * recall / below if below else 0.0


def _solve(level: float, recall: float, beta: float) -> float:
    """Compute the precision that has this F with a recall; not a number if there is none.

    With 1/beta, this is the recall that has this F with a precision.
    """
    if math.isinf(beta):
        return math.nan
    below = (1 + beta**2) * recall - beta**2 * level
    return level * recall / below if below > 0 else math.nan


def _round_step(step: float) -> float:
    """Round a step to 1, 2 or 5 times a power of ten."""
    power = 10.0 ** math.floor(math.log10(step))
    return power * next(times for times in (1, 2, 5, 10) if step <= 1.001 * times * power)


_COLUMN = 64
_HEIGHT = 300
_LEADER = 0.35
"""The length of the line to a label, in columns."""


def _make_lengths(scores: Sequence[Score]) -> Drawing:
    metric = scores[0].metric
    groups = score_by_length(scores)
    if not groups:
        raise RequestError(f"{metric} by length needs one sentence or more, found none")
    description = f"A line for each system over {pluralise(len(groups), 'group')} of sentences, from short to long ones."
    for index, score in enumerate(scores):
        lines = ", ".join("undefined" if math.isnan(group.values[index]) else f"{100 * group.values[index]:.2f}" for group in groups)
        description += f" {printable(score.system_name)}: {lines}."
    names = [score.system_name for score in scores]
    return Drawing(f"{_name_metric(metric)} against sentence length", description, _length_chart, (names, groups, metric.label))


def _length_chart(systems: Sequence[str], groups: Sequence[LengthGroup], label: str) -> Chart:
    """Plot the values of systems, times 100, against groups of sentences by length, with the number of sentences of each."""
    alt = altair()
    names = shorten_names(systems)
    lines = {index: [100 * group.values[index] for group in groups] for index in range(len(systems))}
    drawn = {index: line for index, line in lines.items() if any(map(math.isfinite, line))}
    if not drawn:
        raise RequestError(f"{label} of every system is undefined, so it cannot be drawn")
    missing = name_undefined([systems[index] for index in lines if index not in drawn])
    is_broken = any(not math.isfinite(value) for line in drawn.values() for value in line)
    values: list[dict[str, Any]] = [
        {"system": index, "group": group, "value": value if math.isfinite(value) else None}
        for index, line in drawn.items()
        for group, value in enumerate(line)
    ]
    low, high = find_ends((value for line in drawn.values() for value in line if math.isfinite(value)), margin=0.04)
    height = max(_HEIGHT, LINE * len(drawn))
    x = alt.X(
        "group:Q",
        title="tokens of a source sentence (number of sentences)",
        scale=alt.Scale(domain=[-0.2, len(groups) - 0.8], nice=False, zero=False),
        axis=alt.Axis(values=list(range(len(groups))), labelExpr=f"{_describe_groups(groups)}[datum.value]", grid=False),
    )
    y = alt.Y("value:Q", title=f"{label}, times 100", scale=alt.Scale(domain=[low, high], nice=False, zero=False))
    colour, dash = style_lines("system", list(drawn))
    base, labels = start_chart(values), start_chart(_place_names(drawn, names, (high - low) * LINE / height))
    layers = [
        base.mark_line(strokeWidth=2).encode(x=x, y=y, color=colour, strokeDash=dash),
        base.mark_point(filled=True, size=22, opacity=1).encode(x=x, y=y, color=colour),
        labels.mark_rule(strokeWidth=0.9).encode(
            x=alt.X("group:Q"), x2=alt.X2("end:Q"), y=alt.Y("value:Q"), y2=alt.Y2("place:Q"), color=colour
        ),
        labels.mark_text(align="left", baseline="middle", dx=3, fontSize=FONT_SIZE, color="#333333").encode(
            x=alt.X("end:Q"), y=alt.Y("place:Q"), text=alt.Text("label:N")
        ),
    ]
    notes = [note for note in (missing, "interrupted where undefined" if is_broken else "") if note]
    heading = {"title": alt.TitleParams(notes, fontSize=12, fontWeight="normal", anchor="start")} if notes else {}
    return styled(alt.layer(*layers).properties(width=max(3, len(groups)) * _COLUMN, height=height, **heading))


def _place_names(drawn: dict[int, list[float]], names: Sequence[str], step: float) -> list[dict[str, Any]]:
    """Place the name of every line beside its last point."""
    last = {index: max(group for group, value in enumerate(line) if math.isfinite(value)) for index, line in drawn.items()}
    ends = [drawn[index][group] for index, group in last.items()]
    right = max(map(len, drawn.values())) - 1 + _LEADER
    return [
        {"system": index, "label": names[index], "group": last[index], "value": value, "place": place, "end": right}
        for index, value, place in zip(drawn, ends, spread(ends, step), strict=True)
    ]


def _describe_groups(groups: Sequence[LengthGroup]) -> str:
    """Write the labels of groups, in two lines, as an expression."""
    ranges = [f"{one.shortest}–{one.longest}" if one.longest > one.shortest else f"{one.shortest}" for one in groups]
    return json.dumps([[text, f"({one.sentences:,})"] for text, one in zip(ranges, groups, strict=True)], ensure_ascii=False)


_Ends = tuple[float, float, float, float]
"""The ends of the intervals of a system by both metrics: low and high of the first, low and high of the second."""


def _make_metrics(scores: Sequence[Score], others: Sequence[Score], intervals: Sequence[Interval] = ()) -> Drawing:
    """Show one metric against another; ``intervals`` are those of all scores, or none."""
    one, other = write_names([scores[0].metric, others[0].metric])
    values = [(mine.system_name, mine.value, its.value) for mine, its in zip(scores, others, strict=True)]
    lines = "; ".join(f"{printable(name)} {100 * x:.2f} and {100 * y:.2f}" for name, x, y in values)
    description = f"A point for each system. {lines}."
    ends = [(mine.low, mine.high, its.low, its.high) for mine, its in zip(intervals[: len(values)], intervals[len(values) :], strict=True)]
    level = f"{100 * intervals[0].bootstrap.level:g}%" if intervals else ""
    return Drawing(f"{other} against {one}", description, _metrics_chart, (values, one, other, ends, level))


def _metrics_chart(
    systems: Sequence[tuple[str, float, float]], x_label: str, y_label: str, intervals: Sequence[_Ends] = (), level: str = ""
) -> Chart:
    """Plot the values of systems by two metrics, times 100, given with their names; the heading has their correlations.

    ``intervals`` are those of all systems, of a confidence ``level``, or none.
    """
    alt = altair()
    points, missing = keep_defined([Point(name, 100 * x, 100 * y) for name, x, y in systems], f"{x_label} or {y_label}")
    bars = [
        IntervalBars(Point(name, 100 * x, 100 * y), *(100 * end for end in ends))
        for (name, x, y), ends in zip(systems, intervals, strict=bool(intervals))
    ]
    bars = [bar for bar in bars if bar.is_defined]
    plane = Plane.around([*points, *(corner for bar in bars for corner in bar.corners)])
    note = [_describe_correlation([point.x for point in points], [point.y for point in points])]
    note += [*([f"bars: {level} intervals"] if bars else []), *([missing] if missing else [])]
    heading = alt.TitleParams(note, fontSize=12, fontWeight="normal", anchor="start")
    layers = plane.draw(points, f"{x_label}, times 100", f"{y_label}, times 100", bars)
    return styled(alt.layer(*layers).properties(width=WIDTH, height=HEIGHT, title=heading))


def _describe_correlation(one: Sequence[float], other: Sequence[float]) -> str:
    """Describe how two lists of values correlate, in a few words."""
    if len(one) < FEWEST:
        return f"a correlation needs {FEWEST} systems or more"
    found = compute_coefficients(one, other)
    if found is None:
        return "no correlation: all systems have the same value"
    spearman, pearson = found
    return f"Spearman's rho {spearman:.2f}, Pearson's r {pearson:.2f}, {len(one)} systems".replace("-", "\u2212")


_BETTER, _WORSE = PALETTE[:2]
_ZOOM_BELOW = 50
"""If systems span less of the scale than this, a second panel enlarges it."""


def _make_improvement(scores: Sequence[Score]) -> Drawing:
    metric = scores[0].metric
    items = [_Improvement(score.system_name, score.value, score.shown["wacc"], score.shown["baseline"]) for score in scores]
    description = f"Systems between −100 (nothing is right), 0 (the source) and 100 (a correct text). {_list_values(scores)}"
    return Drawing(f"Improvement by {metric}", description, _improvement_chart, (items, _describe_settings(metric)))


class _Improvement(NamedTuple):
    """A system on the scale of I-measure."""

    system: str
    i: float
    wacc: float
    baseline: float


def _improvement_chart(systems: Sequence[_Improvement], settings: str = "") -> Chart:
    """Plot systems between -100 (nothing right), 0 (the source) and 100 (a correct text): Figure 3 of Felice and Briscoe 2015.

    ``settings`` are part of the axis title.
    """
    ranked = sorted(systems, key=lambda item: (-item.i, item.system))
    values = [
        {
            "system": printable(item.system),
            "i": 100 * item.i,
            "zero": 0,
            "better": _GROUPS[0] if item.wacc > item.baseline else _GROUPS[1] if item.wacc == item.baseline else _GROUPS[2],
            "label": f"{_signed(item.i)}   (WAcc {100 * item.wacc:.2f}, source {100 * item.baseline:.2f})",
        }
        for item in ranked
    ]
    title = f"Improvement I, times 100 {settings}".strip()
    low, high = min((0.0, *(100 * item.i for item in systems))), max((0.0, *(100 * item.i for item in systems)))
    if high - low >= _ZOOM_BELOW:
        return styled(_scale(values, (-100.0, 100.0), title, labels=True, width=360))
    alt = altair()
    margin = 0.08 * (high - low or 1.0)
    both = alt.hconcat(
        _scale(values, (-100.0, 100.0), title, labels=False, width=200),
        _scale(values, (low - margin, high + margin), "enlarged", labels=True, width=240, named=False),
        spacing=16,
    )
    return styled(both)


def _signed(value: float) -> str:
    text = f"{100 * value:+.2f}".replace("-", "\u2212")
    return text if text.strip("+\u22120.") else "0.00"


_GROUPS = ("better than the source", "as good", "worse than the source")


def _scale(values: list[dict[str, Any]], ends: tuple[float, float], title: str, *, labels: bool, width: int, named: bool = True) -> Chart:
    alt = altair()
    order = [value["system"] for value in values]
    shown = {value["better"] for value in values}
    digits = "+.1~f" if ends[1] - ends[0] < 20 else "+.0f"  # noqa: PLR2004 - more digits for small values
    axis = alt.Axis(labelExpr=f"datum.value == 0 ? '0' : format(datum.value, '{digits}')", tickCount=5, grid=True, labelFlush=False)
    x = alt.X("i:Q", title=title, scale=alt.Scale(domain=list(ends), nice=False), axis=axis)
    y = alt.Y("system:N", sort=order, title=None, axis=alt.Axis(labels=named, ticks=named))
    legend = alt.Legend(title=None, orient="top", values=[group for group in _GROUPS if group in shown])
    colour = alt.Color("better:N", scale=alt.Scale(domain=list(_GROUPS), range=[_BETTER, "#666666", _WORSE]), legend=legend)
    shape = alt.Shape("better:N", scale=alt.Scale(domain=list(_GROUPS), range=["circle", "square", "diamond"]), legend=legend)
    base = start_chart(values).encode(y=y)
    layers = [
        start_chart([{"zero": 0}]).mark_rule(color="#666666").encode(x=alt.X("zero:Q")),
        base.mark_rule(strokeWidth=2).encode(x=x, x2=alt.X2("zero:Q"), color=colour),
        base.mark_point(filled=True, size=70, opacity=1).encode(x=x, color=colour, shape=shape),
    ]
    if labels:
        layers.append(
            base.mark_text(align="left", dx=8, fontSize=FONT_SIZE, color="#333333").encode(x=alt.value(width), text=alt.Text("label:N"))
        )
    return alt.layer(*layers).properties(width=width, height=alt.Step(24))


_WEIGHTS = [Fraction(tenth, 10) for tenth in range(10, 101)]
"""From 1 to 10."""
_MOST_WITH_SOURCES = 6
_DASHES = ((1, 0), (6, 3), (2, 2))


def _make_weights(scores: Sequence[Score]) -> Drawing:
    """Show the weighted accuracy of I-measure against its weight."""
    metric: Any = scores[0].metric  # I-measure: others have no weight
    lines = []
    for score in scores:
        points = [(float(weight), metric.wacc_at(score.counts, weight)) for weight in _WEIGHTS]
        lines.append(_WeightLine(score.system_name, points, score.shown["baseline"]))
    description = f"A line for each system over weights from 1 to 10. {_list_values(scores)}"
    return Drawing(f"Weighted accuracy by {metric}", description, _weight_chart, (lines, metric.w, _describe_settings(metric)))


class _WeightLine(NamedTuple):
    """The weighted accuracy of a system for each weight, and of the source."""

    system: str
    points: list[tuple[float, float]]
    baseline: float


def _weight_chart(systems: Sequence[_WeightLine], counted_with: float, settings: str = "") -> Chart:
    """Plot weighted accuracy against its weight w: Figure 2 of Felice and Briscoe 2015.

    The counts are those of the references chosen with the weight ``counted_with``, marked by a vertical line.
    With many systems, a band replaces the lines of their sources, which would overlap.
    """
    alt = altair()
    sources = len(systems) <= _MOST_WITH_SOURCES
    values = [
        {"system": printable(line.system), "what": what, "w": w, "wacc": 100 * value, "series": f"{printable(line.system)} {what}"}
        for line in systems
        for what, points in (("system", line.points), ("source", [(w, line.baseline) for w, _ in line.points] if sources else []))
        for w, value in points
    ]
    last = max(w for line in systems for w, _ in line.points)
    ends = sorted(((printable(line.system), line.points[-1][0], 100 * line.points[-1][1]) for line in systems), key=lambda end: end[2])
    places = spread([value for *_, value in ends], (ends[-1][2] - ends[0][2] or 1.0) / 22)
    named = [
        {"system": system, "w": w, "value": value, "place": place, "end": 1.05 * last}
        for (system, w, value), place in zip(ends, places, strict=True)
    ]
    names = [printable(line.system) for line in systems]
    colour = alt.Color("system:N", scale=alt.Scale(domain=names, range=[PALETTE[k % len(PALETTE)] for k in range(len(names))]), legend=None)
    dash = alt.StrokeDash(
        "system:N",
        scale=alt.Scale(domain=names, range=[list(_DASHES[k // len(PALETTE) % len(_DASHES)]) for k in range(len(names))]),
        legend=None,
    )
    title = f"weight w of corrections (references chosen with w = {counted_with:g})"
    ticks = alt.Axis(values=list(range(1, int(last) + 1)))
    x = alt.X("w:Q", title=f"{title} {settings}".strip(), scale=alt.Scale(domain=[1, 1.06 * last], nice=False), axis=ticks)
    y = alt.Y("wacc:Q", title="weighted accuracy (WAcc), times 100", scale=alt.Scale(zero=False))
    lines = alt.Chart(alt.Data(values=values))
    labels = alt.Chart(alt.Data(values=named))
    layers = [
        alt.Chart(alt.Data(values=[{"w": counted_with}])).mark_rule(color="#999999", strokeDash=[2, 2]).encode(x=x),
        lines.transform_filter("datum.what == 'system'").mark_line(strokeWidth=2).encode(x=x, y=y, color=colour, strokeDash=dash),
        lines.transform_filter("datum.what == 'source'")
        .mark_line(strokeWidth=1, opacity=0.5)
        .encode(x=x, y=y, color=colour, strokeDash=dash, detail="series:N"),
        labels.mark_rule(strokeWidth=0.7).encode(x="w:Q", x2="end:Q", y="value:Q", y2="place:Q", color=colour),
        labels.mark_text(align="left", dx=3, fontSize=FONT_SIZE, limit=240).encode(x="end:Q", y="place:Q", text="system:N", color=colour),
    ]
    note = "thin: the source on the references of that system"
    if not sources:
        baselines = [100 * line.baseline for line in systems]
        band = alt.Chart(alt.Data(values=[{"wacc": min(baselines), "highest": max(baselines)}]))
        layers.insert(0, band.mark_rect(color="#dddddd").encode(y=y, y2="highest:Q"))
        note = "grey: the source, on the references of each system"
    heading = alt.TitleParams(note, fontSize=12, fontWeight="normal")
    return styled(alt.layer(*layers).properties(width=420, height=340, title=heading))


_ChartKind = Literal["intervals", "precision-recall", "length", "metrics", "improvement"]
_CHART_KINDS: tuple[str, ...] = get_args(_ChartKind)
"""The charts of scores, as those of ``errata chart``."""


class _ScoreChart:
    """A chart that a notebook shows, and that can be saved as SVG, PNG or PDF."""

    def __init__(self, drawing: Drawing) -> None:
        self._drawing = drawing

    @property
    def title(self) -> str:
        """What it shows."""
        return self._drawing.title

    @property
    def description(self) -> str:
        """What it shows, with all values, for people who do not see it."""
        return self._drawing.description

    def save(self, path: str) -> None:
        """Write the chart, as SVG, PNG or PDF by the extension of the path."""
        save_chart(self._drawing.draw(), check_path(path))

    @cached_property
    def svg(self) -> str:
        """The chart as an SVG element, whose text has the colour of the page around it."""
        # The parts of charts in one notebook need different ids.
        digest = hashlib.sha256(f"{self.title}\n{self.description}".encode("utf-8", "surrogatepass")).hexdigest()[:12]
        return self._drawing.render(f"chart-{digest}-1-")

    def __repr__(self) -> str:
        return f"<ScoreChart {self.title!r}>"

    def _repr_html_(self) -> str:
        return element("figure", Html(self.svg), style="margin: 0; overflow-x: auto")


def draw_chart(scores: Iterable[Score], kind: _ChartKind = "intervals", *, bootstrap: Bootstrap | None = None) -> _ScoreChart:
    """Draw the scores of several systems, as ``errata chart`` does: intervals, precision-recall, length, metrics or improvement.

    ``metrics`` needs the scores of two metrics, first all of one; the others need those of one metric.
    ``bootstrap`` has the settings of the intervals.

    >>> import errata
    >>> evaluate = errata.Evaluator(errata.read("examples/learner.m2"))
    >>> draw_chart([evaluate(errata.read_system("examples/systems/eager.txt"))], "precision-recall")
    <ScoreChart 'Precision against recall by maxmatch'>
    """
    groups = [list(group) for _, group in groupby(check_scores(scores), key=lambda score: str(score.metric))]
    if not isinstance(kind, str) or kind not in _CHART_KINDS:
        raise UsageError(f"unknown chart {kind!r:.40}; choose from {', '.join(_CHART_KINDS)}")
    wanted = 2 if kind == "metrics" else 1
    if len(groups) != wanted:
        found = ", ".join(str(group[0].metric) for group in groups) or "no scores"
        raise UsageError(f"the chart {kind} needs scores of {'two metrics' if wanted > 1 else 'one metric'}, found {found}")
    if missing := explain_missing_charts():
        raise RequestError(missing)
    if kind == "metrics":
        names = [[score.system_name for score in group] for group in groups]
        if names[0] != names[1]:
            raise UsageError("the chart metrics needs the same systems, in the same order, with both metrics")
    if kind == "improvement" and not {"wacc", "baseline"} <= set(groups[0][0].shown):
        raise UsageError(f"the chart improvement draws imeasure, found {groups[0][0].metric}")
    together = [score for group in groups for score in group]
    return _ScoreChart(make_drawing(kind, together, compute_intervals(together, bootstrap) if kind == "intervals" else ()))
