"""Correlations of metrics with people as a heat map: a row for each metric, and a group of columns for each set of systems.

Numbers are in the cells, so nothing depends on colours.
"""

from __future__ import annotations

import json
import textwrap
from typing import TYPE_CHECKING, NamedTuple

from errata.errors import RequestError
from errata.html import printable
from errata.report.charts.labels import shorten_names
from errata.report.charts.scores import Chart, altair, start_chart, styled

if TYPE_CHECKING:
    from collections.abc import Sequence

_COLOURS = ("#8a3a07", "#e9974d", "#f7f7f7", "#6fa5d3", "#0d4a86")
"""From -1 to 1: orange and blue differ with any kind of colour vision."""
_UNKNOWN = "#dddddd"
_COLUMN, _ROW = 78, 28
_PALE_BELOW = 0.7
"""Dark colours have white numbers."""
_DARK_TEXT, _LIGHT_TEXT = "#14191f", "#ffffff"
_LETTER = 7
"""Pixels of a letter of a heading, about."""
_MOST_LINES = 3


class HeatGroup(NamedTuple):
    """The columns of one set of systems."""

    title: str
    columns: Sequence[str]
    """Headings; a space divides their two lines."""
    values: Sequence[Sequence[float | None]]
    """For each metric and column; None if it is undefined."""


def correlations_heatmap(metrics: Sequence[str], groups: Sequence[HeatGroup]) -> Chart:
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


def _wrap_title(group: HeatGroup) -> list[str]:
    """Write the heading of a group in some lines that are not wider than its columns."""
    return textwrap.wrap(printable(group.title), _COLUMN * len(group.columns) // _LETTER, max_lines=_MOST_LINES, placeholder=" …")


def _draw_group(group: HeatGroup, names: Sequence[str], title: Sequence[str], *, named: bool) -> Chart:
    alt = altair()
    values = [
        {
            "row": row,
            "column": column,
            "value": value,
            "label": write_correlation(value),
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
    return alt.layer(*layers).properties(width=_COLUMN * len(group.columns), height=_ROW * len(names), title=heading)


def write_correlation(value: float | None) -> str:
    """Write a correlation with two decimals.

    >>> write_correlation(-0.5), write_correlation(-0.001), write_correlation(None)
    ('−0.50', '0.00', '–')
    """
    if value is None:
        return "–"
    return f"{round(value, 2) + 0.0:.2f}".replace("-", "\u2212")
