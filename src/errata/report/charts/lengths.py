"""Scores against sentence length."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, Any

from errata.errors import RequestError
from errata.report.charts.labels import FONT_SIZE, LINE, shorten_names, spread
from errata.report.charts.line_styles import style_lines
from errata.report.charts.scatter import find_ends, name_undefined
from errata.report.charts.scores import Chart, altair, start_chart, styled

if TYPE_CHECKING:
    from collections.abc import Sequence

    from errata.stats.intervals import LengthGroup

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
