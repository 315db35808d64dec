"""Correlations of metrics with people in windows of neighbouring systems: a panel for each size, with a line for each metric."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from errata.errors import RequestError
from errata.report.charts.labels import FONT_SIZE, LINE, shorten_names, spread
from errata.report.charts.line_styles import style_lines
from errata.report.charts.panels import arrange_panels
from errata.report.charts.scatter import name_undefined
from errata.report.charts.scores import Chart, altair, start_chart

if TYPE_CHECKING:
    from collections.abc import Sequence

_HEIGHT = 300
_COLUMN = 44
_NARROWEST, _WIDEST = 240, 460
_MOST_TICKS = 10
_TICK = 42
"""Pixels that the label of a tick needs."""
_LEADER = 16
"""Pixels from the last point to a name."""


class WindowPanel(NamedTuple):
    """The correlations of metrics in all windows of one size, from the best systems to the worst."""

    size: int
    lines: Sequence[tuple[str, Sequence[float | None]]]
    """The name of each metric, and its correlations; None if one is undefined."""


def window_panels_chart(panels: Sequence[WindowPanel], coefficient: str) -> Chart:
    """Plot the correlation of metrics with people against the first rank of a window."""
    if not panels:
        raise RequestError("there are no windows to draw")
    return arrange_panels([_draw_panel(panel, coefficient) for panel in panels])


def _draw_panel(panel: WindowPanel, coefficient: str) -> Chart:
    alt = altair()
    drawn = {index: line for index, (_, line) in enumerate(panel.lines) if any(value is not None for value in line)}
    missing = name_undefined([name for index, (name, _) in enumerate(panel.lines) if index not in drawn])
    if not drawn:
        raise RequestError(f"{coefficient} is undefined in every window of {panel.size} systems, so it cannot be drawn")
    windows = max(len(line) for line in drawn.values())
    width = min(_WIDEST, max(_NARROWEST, _COLUMN * (windows - 1)))
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
