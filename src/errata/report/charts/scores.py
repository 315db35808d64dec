"""Charts of scores for papers: described with Vega-Lite, drawn as SVG, PNG or PDF without a browser."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, Any, NamedTuple

from errata.errors import RequestError
from errata.report.charts.parts import (
    ALIGNMENTS,
    FONT_SIZE,
    LINE,
    PALETTE,
    Chart,
    altair,
    place_labels,
    shorten_names,
    spread,
    start_chart,
    style_lines,
    styled,
)
from errata.stats.correlation import FEWEST, compute_coefficients

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from errata.stats.intervals import LengthGroup


# --- A chart of two numbers for each system, with its name beside the point.

WIDTH, HEIGHT = 460, 360
_MARGIN = 0.12
"""Of the range of values, left free around the points."""
_LEAST_RANGE = 5.0
"""Of an axis, times 100: equal systems are not drawn as if they were far apart."""
_MOST_NAMED = 3
_TICK = 48
"""Pixels that a number of the horizontal axis needs."""


class Point(NamedTuple):
    """A system with two values; a value that is not a number is undefined."""

    system: str
    x: float
    y: float

    @property
    def is_defined(self) -> bool:
        """Whether it can be drawn."""
        return math.isfinite(self.x) and math.isfinite(self.y)


class IntervalBars(NamedTuple):
    """The intervals of both values of a point."""

    point: Point
    left: float
    right: float
    bottom: float
    top: float

    @property
    def is_defined(self) -> bool:
        """Whether they can be drawn."""
        return self.point.is_defined and all(map(math.isfinite, self[1:]))

    @property
    def corners(self) -> tuple[Point, Point]:
        """Two points that the axes must show."""
        return Point(self.point.system, self.left, self.bottom), Point(self.point.system, self.right, self.top)


class Plane(NamedTuple):
    """The ends of both axes, and their lengths in pixels."""

    x: tuple[float, float]
    y: tuple[float, float]
    width: int = WIDTH
    height: int = HEIGHT

    @classmethod
    def around(cls, points: Sequence[Point]) -> Plane:
        """Choose ends that show all points."""
        return cls(find_ends([point.x for point in points]), find_ends([point.y for point in points]))

    def find_pixels(self, x: float, y: float) -> tuple[float, float]:
        """Find where a point is drawn, from the top left corner."""
        return self.width * (x - self.x[0]) / (self.x[1] - self.x[0]), self.height * (self.y[1] - y) / (self.y[1] - self.y[0])


def find_ends(values: Iterable[float], margin: float = _MARGIN) -> tuple[float, float]:
    """Choose the ends of an axis that shows values times 100; it ends at 0 and 100 if no value is beyond.

    >>> find_ends([10.0, 60.0]), find_ends([0.0, 0.0])
    ((4.0, 66.0), (0.0, 3.1))
    """
    values = list(values)
    low, high = min(values), max(values)
    missing = max(0.0, _LEAST_RANGE - (high - low)) / 2
    space = missing + margin * (high - low + 2 * missing)
    return max(low - space, 0.0) if low >= 0 else low - space, min(high + space, 100.0) if high <= 100 else high + space  # noqa: PLR2004


def draw_points(points: Sequence[Point], plane: Plane, x_title: str, y_title: str, bars: Sequence[IntervalBars] = ()) -> list[Chart]:
    """Draw the layers of points, their labels and their intervals."""
    alt = altair()
    labels = shorten_names([point.system for point in points])
    pixels = [plane.find_pixels(point.x, point.y) for point in points]
    drawn = [
        (*plane.find_pixels(*corner), *plane.find_pixels(*other))
        for own in bars
        for corner, other in (
            ((own.left, own.point.y), (own.right, own.point.y)),
            ((own.point.x, own.top), (own.point.x, own.bottom)),
        )
    ]

    def back(x: float, y: float) -> tuple[float, float]:
        return plane.x[0] + x / plane.width * (plane.x[1] - plane.x[0]), plane.y[1] - y / plane.height * (plane.y[1] - plane.y[0])

    values = []
    for point, label, place in zip(points, labels, place_labels(pixels, labels, plane[2:], drawn), strict=True):
        text_x, text_y = back(place.x, place.y)
        values.append(
            {"label": label, "x": point.x, "y": point.y, "text_x": text_x, "text_y": text_y, "align": place.align, "is_led": place.is_led}
        )
    ticks = alt.Axis(labelFlush=False, tickCount=plane.width // _TICK)
    x = alt.X("x:Q", title=x_title, scale=alt.Scale(domain=list(plane.x), nice=False, zero=False), axis=ticks)
    y = alt.Y("y:Q", title=y_title, scale=alt.Scale(domain=list(plane.y), nice=False, zero=False))
    said = alt.Description("label:N")  # by default the titles of axes, in which escapes would be undone
    base = start_chart(values)
    led = start_chart([value for value in values if value["is_led"]])
    layers = [
        *_draw_bars(bars, plane),
        led.mark_rule(strokeWidth=0.7, color="#666666").encode(x=x, y=y, x2=alt.X2("text_x:Q"), y2=alt.Y2("text_y:Q"), description=said),
        base.mark_point(filled=True, size=60, opacity=1, color=PALETTE[0]).encode(x=x, y=y, description=said),
    ]
    for align in ALIGNMENTS:
        text = start_chart([value for value in values if value["align"] == align])
        space = {"left": 1, "right": -1, "center": 0}[align]
        marks = text.mark_text(align=align, baseline="middle", dx=space, fontSize=FONT_SIZE, color="#333333")
        layers.append(marks.encode(x=alt.X("text_x:Q"), y=alt.Y("text_y:Q"), text=alt.Text("label:N")))
    return layers


def _draw_bars(bars: Sequence[IntervalBars], plane: Plane) -> list[Chart]:
    """Draw intervals of both values as thin lines through the points."""
    if not bars:
        return []
    alt = altair()
    values = [
        {"x": own.point.x, "y": own.point.y, "left": own.left, "right": own.right, "bottom": own.bottom, "top": own.top} for own in bars
    ]
    rules = start_chart(values).mark_rule(strokeWidth=1, color=PALETTE[0], opacity=0.45)
    x, y = (alt.Scale(domain=list(ends), nice=False, zero=False) for ends in plane[:2])
    return [
        rules.encode(x=alt.X("left:Q", scale=x), x2=alt.X2("right:Q"), y=alt.Y("y:Q", scale=y)),
        rules.encode(x=alt.X("x:Q", scale=x), y=alt.Y("bottom:Q", scale=y), y2=alt.Y2("top:Q")),
    ]


def keep_defined(points: Sequence[Point], what: str) -> tuple[list[Point], str]:
    """Keep what can be drawn, and name what cannot, in a few words."""
    kept = [point for point in points if point.is_defined]
    missing = [point.system for point in points if not point.is_defined]
    if not kept:
        raise RequestError(f"{what} of every system are undefined, so they cannot be drawn")
    return kept, name_undefined(missing)


def name_undefined(names: Sequence[str]) -> str:
    """Name systems that are not drawn because their values are undefined; empty if there are none."""
    if not names:
        return ""
    more = f" and {len(names) - _MOST_NAMED} more" if len(names) > _MOST_NAMED else ""
    return f"undefined, so not drawn: {', '.join(shorten_names(names)[:_MOST_NAMED])}{more}"


# --- Precision against recall, with lines of equal F.

_LINES = 10
"""Lines of equal F, at most about so many."""
_STEPS = 40
"""Points of a line, from each axis."""


def precision_recall_chart(systems: Sequence[tuple[str, float, float]], beta: float) -> Chart:
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
    layers += draw_points(points, plane, "recall, times 100", "precision, times 100")
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


# --- One metric against another, with a point for each system.

_Ends = tuple[float, float, float, float]
"""The ends of the intervals of a system by both metrics: low and high of the first, low and high of the second."""


def metrics_chart(
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
    layers = draw_points(points, plane, f"{x_label}, times 100", f"{y_label}, times 100", bars)
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


# --- Scores against sentence length.

_COLUMN = 64
_HEIGHT = 300
_LEADER = 0.35
"""The length of the line to a label, in columns."""


def length_chart(systems: Sequence[str], groups: Sequence[LengthGroup], label: str) -> Chart:
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
