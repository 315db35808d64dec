"""Scores of systems by people against their scores by a metric: a panel for each metric, with a point for each system."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from errata.errors import RequestError
from errata.report.charts.panels import arrange_panels
from errata.report.charts.scatter import HEIGHT, WIDTH, IntervalBars, Plane, Point, draw_points, find_ends, keep_defined
from errata.report.charts.scores import Chart, altair

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_SMALL = 340, 290
"""Width and height of one panel of several."""
_MARGIN = 0.12
_EDGE = 0.03
"""Of the range of values, left free beside a point at the end of an axis."""
_LEAST_SHARE = 0.05
"""An axis spans at least this share of the largest value: equal systems are not drawn as if they were far apart."""


class HumanPoint(NamedTuple):
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


class HumanPanel(NamedTuple):
    """What is drawn about one metric."""

    x_title: str
    y_title: str
    heading: Sequence[str]
    points: Sequence[HumanPoint]
    is_percent: bool
    """Whether scores of the metric are times 100."""


def human_panels_chart(panels: Sequence[HumanPanel]) -> Chart:
    """Plot scores by people against those by metrics."""
    if not panels:
        raise RequestError("there is no metric to draw against people")
    size = (WIDTH, HEIGHT) if len(panels) == 1 else _SMALL
    return arrange_panels([_draw_panel(panel, size) for panel in panels])


def _draw_panel(panel: HumanPanel, size: tuple[int, int]) -> Chart:
    alt = altair()
    points, missing = keep_defined([Point(one.system, one.metric, one.human) for one in panel.points], f"{panel.x_title} and people")
    bars = [one.bars for one in panel.points if (one.metric_ends or one.human_ends) and one.bars.is_defined]
    corners = [*points, *(corner for bar in bars for corner in bar.corners)]
    find_x = find_ends if panel.is_percent else find_any_ends
    x, y = [point.x for point in corners], [point.y for point in corners]
    plane = Plane(_leave_edge(find_x(x), x), _leave_edge(find_any_ends(y), y), *size)
    heading = alt.TitleParams([*panel.heading, *([missing] if missing else [])], fontSize=12, fontWeight="normal", anchor="start")
    layers = draw_points(points, plane, panel.x_title, panel.y_title, bars)
    return alt.layer(*layers).properties(width=size[0], height=size[1], title=heading)


def _leave_edge(ends: tuple[float, float], values: Sequence[float]) -> tuple[float, float]:
    """Move the ends of an axis away from points on them, whose intervals would be hidden by the other axis."""
    low, high = ends
    edge = _EDGE * (high - low)
    return low - edge if min(values) - low < edge else low, high + edge if high - max(values) < edge else high


def find_any_ends(values: Iterable[float]) -> tuple[float, float]:
    """Choose the ends of an axis that shows values of any size; it does not go below 0 if no value does.

    >>> find_any_ends([0.25, 0.75]), find_any_ends([0.0, 0.0])
    ((0.19, 0.81), (0.0, 0.62))
    """
    values = list(values)
    low, high = min(values), max(values)
    least = _LEAST_SHARE * max(abs(low), abs(high)) or 1.0
    missing = max(0.0, least - (high - low)) / 2
    space = missing + _MARGIN * (high - low + 2 * missing)
    return max(low - space, 0.0) if low >= 0 else low - space, high + space
