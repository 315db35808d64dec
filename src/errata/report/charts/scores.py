"""Charts for papers: described with Vega-Lite, drawn as SVG, PNG or PDF without a browser.

Scores are shown times 100 with two decimals, as in tables.
Colours are those of Okabe and Ito, which people with any kind of colour vision can distinguish.
If there are more series than colours, their dashes differ too; every line is labelled at its end.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

from errata.errors import RequestError, UsageError
from errata.formats.writing import write_bytes
from errata.html import printable
from errata.report.charts.glyphs import warn_of_missing_glyphs
from errata.report.charts.libraries import explain_missing_charts

if TYPE_CHECKING:
    from collections.abc import Sequence

PALETTE = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
_DASHES = ((1, 0), (6, 3), (2, 2))
BETTER, WORSE = PALETTE[0], PALETTE[1]
FONT_FAMILY = "Helvetica, Arial, sans-serif"
_FONT = 12
_PADDING = {"left": 20, "right": 20, "top": 5, "bottom": 5}
"""Space beside labels, for a viewer whose font is wider than the one that was measured."""
_DOTS_PER_INCH = 200
_ZOOM_BELOW = 50
"""If systems span less of the scale than this, a second panel enlarges it."""
_MOST_WITH_SOURCES = 6


Chart = Any
"""A chart of Altair, which is imported only to draw one."""


def altair() -> Any:
    """Import the library that describes charts, only when one is drawn."""
    import altair as alt

    return alt


def start_chart(values: Sequence[dict[str, Any]]) -> Chart:
    """Start a chart of values, which are not copied by each of its methods if they are a tuple."""
    alt = altair()
    return alt.Chart(alt.Data(values=tuple(values)))


class Improvement(NamedTuple):
    """A system on the scale of I-measure."""

    system: str
    i: float
    wacc: float
    baseline: float


def improvement_chart(systems: Sequence[Improvement], settings: str = "") -> Chart:
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
    colour = alt.Color("better:N", scale=alt.Scale(domain=list(_GROUPS), range=[BETTER, "#666666", WORSE]), legend=legend)
    shape = alt.Shape("better:N", scale=alt.Scale(domain=list(_GROUPS), range=["circle", "square", "diamond"]), legend=legend)
    base = start_chart(values).encode(y=y)
    layers = [
        start_chart([{"zero": 0}]).mark_rule(color="#666666").encode(x=alt.X("zero:Q")),
        base.mark_rule(strokeWidth=2).encode(x=x, x2=alt.X2("zero:Q"), color=colour),
        base.mark_point(filled=True, size=70, opacity=1).encode(x=x, color=colour, shape=shape),
    ]
    if labels:
        layers.append(
            base.mark_text(align="left", dx=8, fontSize=_FONT - 1, color="#333333").encode(x=alt.value(width), text=alt.Text("label:N"))
        )
    return alt.layer(*layers).properties(width=width, height=alt.Step(24))


class WeightLine(NamedTuple):
    """The weighted accuracy of a system for each weight, and of the source."""

    system: str
    points: list[tuple[float, float]]
    baseline: float


def weight_chart(systems: Sequence[WeightLine], counted_with: float, settings: str = "") -> Chart:
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
    ends = _spread([(printable(line.system), line.points[-1][0], 100 * line.points[-1][1]) for line in systems])
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
    labels = alt.Chart(alt.Data(values=[{**end, "end": 1.05 * last} for end in ends]))
    layers = [
        alt.Chart(alt.Data(values=[{"w": counted_with}])).mark_rule(color="#999999", strokeDash=[2, 2]).encode(x=x),
        lines.transform_filter("datum.what == 'system'").mark_line(strokeWidth=2).encode(x=x, y=y, color=colour, strokeDash=dash),
        lines.transform_filter("datum.what == 'source'")
        .mark_line(strokeWidth=1, opacity=0.5)
        .encode(x=x, y=y, color=colour, strokeDash=dash, detail="series:N"),
        labels.mark_rule(strokeWidth=0.7).encode(x="w:Q", x2="end:Q", y="value:Q", y2="place:Q", color=colour),
        labels.mark_text(align="left", dx=3, fontSize=_FONT - 1, limit=240).encode(x="end:Q", y="place:Q", text="system:N", color=colour),
    ]
    note = "thin: the source on the references of that system"
    if not sources:
        baselines = [100 * line.baseline for line in systems]
        band = alt.Chart(alt.Data(values=[{"wacc": min(baselines), "highest": max(baselines)}]))
        layers.insert(0, band.mark_rect(color="#dddddd").encode(y=y, y2="highest:Q"))
        note = "grey: the source, on the references of each system"
    heading = alt.TitleParams(note, fontSize=_FONT, fontWeight="normal")
    return styled(alt.layer(*layers).properties(width=420, height=340, title=heading))


def _spread(ends: list[tuple[str, float, float]]) -> list[dict[str, Any]]:
    """Position the labels at the ends of lines; labels that would overlap are moved apart, around the middle of their group."""
    ordered = sorted(ends, key=lambda end: end[2])
    step = (ordered[-1][2] - ordered[0][2] or 1.0) / 22
    groups: list[list[float]] = []  # values minus one step for each label below
    for index, (_, _, value) in enumerate(ordered):
        groups.append([value - index * step])
        while len(groups) > 1 and _mean(groups[-2]) > _mean(groups[-1]):
            groups[-2:] = [groups[-2] + groups[-1]]
    places = [_mean(group) for group in groups for _ in group]
    return [
        {"system": system, "w": w, "value": value, "place": places[index] + index * step}
        for index, (system, w, value) in enumerate(ordered)
    ]


def _mean(values: list[float]) -> float:
    return sum(values) / len(values)


def styled(chart: Chart) -> Chart:
    """Apply the common style, all at once, because every method of a chart copies it."""
    alt = altair()
    axis = alt.AxisConfig(labelFontSize=_FONT, titleFontSize=_FONT, labelLimit=240, titleFontWeight="normal", gridColor="#e5e5e5")
    legend, view = alt.LegendConfig(labelFontSize=_FONT), alt.ViewConfig(stroke=None)
    look = {"font": FONT_FAMILY, "background": "white", "padding": _PADDING}
    return chart.properties(config=alt.Config(**look, axis=axis, legend=legend, view=view))


def check_chart_path(path: str) -> str:
    """Check that a chart can be written to a file, and return its extension."""
    ending = path.rpartition(".")[2].lower()
    if ending not in {"svg", "png", "pdf"}:
        raise UsageError(f"a chart needs a file with the extension .svg, .png or .pdf, found {printable(path)!r}")
    if missing := explain_missing_charts():
        raise RequestError(missing)
    return ending


def save_chart(chart: Chart, path: str) -> None:
    """Write a chart, in full or not at all, as SVG, PNG or PDF by its extension."""
    ending = check_chart_path(path)
    import vl_convert

    spec = chart.to_json()
    if ending != "svg":
        warn_of_missing_glyphs(json.loads(spec), FONT_FAMILY)
    if ending == "svg":
        write_bytes(path, vl_convert.vegalite_to_svg(spec).encode())
    elif ending == "pdf":
        write_bytes(path, vl_convert.vegalite_to_pdf(spec))
    else:
        write_bytes(path, vl_convert.vegalite_to_png(spec, ppi=_DOTS_PER_INCH))
