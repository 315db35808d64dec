"""A chart of two numbers for each system, with its name beside the point."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from errata.errors import RequestError
from errata.report.charts.labels import ALIGNMENTS, FONT_SIZE, place_labels, shorten_names
from errata.report.charts.scores import PALETTE, Chart, altair, start_chart

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

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
