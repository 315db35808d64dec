"""What charts share: libraries, styles of lines, panels, names of systems, and characters that no font has."""

from __future__ import annotations

import json
import math
import unicodedata
import warnings
from functools import cache
from importlib.util import find_spec
from itertools import chain
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, get_args

from errata.display import printable
from errata.errors import InputWarning, RequestError, UsageError, pluralise
from errata.formats.writing import write_bytes
from errata.report.writers import width

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


# --- The libraries that draw charts, which are optional.

_LIBRARIES = ("vl_convert", "altair")


def explain_missing_charts() -> str:
    """Say what must be installed to draw charts; empty if nothing is missing.  Nothing is imported."""
    missing = next((name for name in _LIBRARIES if find_spec(name) is None), None)
    return f"charts need {missing}, which is not installed: pip install 'errata[charts]'" if missing else ""


# --- Colours and dashes by which lines differ.

_LINE_DASHES = ([1, 0], [6, 3], [2, 2], [8, 3, 2, 3], [12, 4], [1, 3])


def style_lines(field: str, order: Sequence[int]) -> tuple[Chart, Chart]:
    """Give each line a colour; if there are more lines than colours, dashes differ too."""
    alt = altair()
    colours = [PALETTE[place % len(PALETTE)] for place in range(len(order))]
    dashes = [_LINE_DASHES[place // len(PALETTE) % len(_LINE_DASHES)] for place in range(len(order))]
    return (
        alt.Color(f"{field}:N", scale=alt.Scale(domain=list(order), range=colours), legend=None),
        alt.StrokeDash(f"{field}:N", scale=alt.Scale(domain=list(order), range=dashes), legend=None),
    )


# --- Charts of several panels, side by side and below each other.

_MOST_IN_A_ROW = 3
_SPACING = 28


def arrange_panels(panels: Sequence[Chart]) -> Chart:
    """Arrange panels, at most three in a row; a single one is a chart of its own."""
    alt = altair()
    if len(panels) == 1:
        return styled(panels[0])
    rows = [panels[first : first + _MOST_IN_A_ROW] for first in range(0, len(panels), _MOST_IN_A_ROW)]
    return styled(alt.vconcat(*(alt.hconcat(*row, spacing=_SPACING) for row in rows), spacing=_SPACING))


# --- Names of systems in charts: shortened, and placed where they do not overlap.

FONT_SIZE = 11
LINE = 13
"""Pixels from one label to the next below it."""
_NARROW, _WIDE = frozenset("fijlrtI.,:;|!'()[]{}-/ "), frozenset("mwMW@%…")
_LONGEST = 28
_POINT = 5
"""Pixels around the middle of a point that labels leave free."""
_GAP = 8
"""Pixels from the middle of a point to its label."""
_CORNER = 6
"""Pixels from the middle of a point to the corner of a label between lines through the point."""
_ANGLES = 24
_STEP = 5
"""Pixels between two positions of a line where it is tested what it crosses."""
_UPRIGHT = 1e-6
"""A line straight up or down would end under its label."""
_RING = 9
_FARTHEST = 40
"""Rings around a point in which a place for its label is searched."""


def shorten_names(names: Sequence[str]) -> list[str]:
    """Shorten long names in their middle, and number those that then look the same; other names are kept.

    >>> shorten_names(["a", "model-" + 4 * "very-" + "long-name-1"])
    ['a', 'model-very-ver…y-long-name-1']
    """
    short = [_shorten(printable(name)) for name in names]
    return [f"{name} ({index + 1})" if short.count(name) > 1 else name for index, name in enumerate(short)]


def _shorten(name: str) -> str:
    if width(name) <= _LONGEST:
        return name
    half = _LONGEST // 2
    while width(f"{name[:half]}…{name[len(name) - half + 1 :]}") > _LONGEST:
        half -= 1
    return f"{name[:half]}…{name[len(name) - half + 1 :]}"


def _estimate_pixels(text: str) -> float:
    """Estimate how wide a label is; it is not measured, so that a chart is the same with all fonts."""
    return FONT_SIZE * sum(
        0.36 if letter in _NARROW else 0.92 if letter in _WIDE else 0.74 if letter.isupper() else 0.58 * width(letter) for letter in text
    )


def spread(values: Sequence[float], step: float) -> list[float]:
    """Move values apart until they differ by a step, as little as possible; those that would overlap stay around their mean.

    >>> spread([1.0, 5.0, 5.0], 2)
    [1.0, 4.0, 6.0]
    """
    order = sorted(range(len(values)), key=lambda index: values[index])
    groups: list[list[float]] = []  # values minus one step for each value below
    for below, index in enumerate(order):
        groups.append([values[index] - below * step])
        while len(groups) > 1 and _middle_of_labels(groups[-2]) > _middle_of_labels(groups[-1]):
            groups[-2:] = [groups[-2] + groups[-1]]
    places = [_middle_of_labels(group) for group in groups for _ in group]
    result = [0.0] * len(values)
    for below, index in enumerate(order):
        result[index] = places[below] + below * step
    return result


def _middle_of_labels(values: Sequence[float]) -> float:
    return sum(values) / len(values)


class _Box(NamedTuple):
    left: float
    top: float
    right: float
    bottom: float

    def overlaps(self, other: _Box) -> bool:
        return self.left < other.right and other.left < self.right and self.top < other.bottom and other.top < self.bottom

    def is_inside(self, frame: _Box) -> bool:
        return self.left >= frame.left and self.right <= frame.right and self.top >= frame.top and self.bottom <= frame.bottom


_Align = Literal["left", "center", "right"]
ALIGNMENTS: tuple[_Align, ...] = get_args(_Align)


_SIDES: tuple[tuple[_Align, int], ...] = (("left", 1), ("right", -1))


class _Place(NamedTuple):
    """Where a label is, in pixels from the top left corner."""

    x: float
    y: float
    """Of half its height."""
    align: _Align
    """Which end of the label is at x."""
    is_led: bool
    """Whether a line leads from the point to it."""


class _Candidate(NamedTuple):
    """A place with its box and the steps of the line that leads to it."""

    place: _Place
    box: _Box
    line: list[_Box]


def place_labels(
    points: Sequence[tuple[float, float]],
    labels: Sequence[str],
    size: tuple[float, float],
    drawn: Sequence[tuple[float, float, float, float]] = (),
) -> list[_Place]:
    """Find a place for the label of every point: next to the point, or at the end of a line to where there is space.

    ``drawn`` are the boxes of what else is drawn and must stay visible: left, top, right and bottom.
    """
    boxes = [_Box(x - _POINT, y - _POINT, x + _POINT, y + _POINT) for x, y in points]
    lines = [_Box(*box) for box in drawn]
    frame = _Box(0, -LINE / 2, size[0], size[1] + LINE / 2)
    found: dict[int, _Place] = {}
    for index in sorted(range(len(points)), key=lambda index: (points[index], index)):
        x, y = points[index]
        others = [box for box in boxes if not (box.left < x < box.right and box.top < y < box.bottom)]
        wide = _estimate_pixels(labels[index])
        places = chain(_list_corners(x, y, wide) if drawn else (), _list_places(x, y, wide))
        chosen = _choose_place(places, frame, [*boxes, *lines], others)
        boxes.append(chosen.box)
        lines += chosen.line
        found[index] = chosen.place
    return [found[index] for index in range(len(points))]


def _choose_place(candidates: Iterator[_Candidate], frame: _Box, taken: Sequence[_Box], others: Sequence[_Box]) -> _Candidate:
    """Choose the first place that is free, and whose line crosses no label, and no point at another place, if there is one."""
    first = free = None
    for item in candidates:
        first = first or item
        if not item.box.is_inside(frame) or any(item.box.overlaps(box) for box in taken):
            continue
        if not any(step.overlaps(box) for step in item.line for box in others):
            return item
        free = free or item
    chosen = free or first
    assert chosen is not None  # noqa: S101 - there are always places
    return chosen


def _list_corners(x: float, y: float, wide: float) -> Iterator[_Candidate]:
    """List places beside a point and beside lines that go straight through it."""
    for above in (-1, 1):
        for align, side in _SIDES:
            yield _make_candidate(x + side * _CORNER, y + above * (LINE / 2 + _CORNER), align, wide)


def _list_places(x: float, y: float, wide: float) -> Iterator[_Candidate]:
    """List places for a label, the best first."""
    yield _make_candidate(x + _GAP, y, "left", wide)
    yield _make_candidate(x - _GAP, y, "right", wide)
    yield _make_candidate(x, y - _GAP - LINE / 2, "center", wide)
    yield _make_candidate(x, y + _GAP + LINE / 2, "center", wide)
    for ring in range(1, _FARTHEST):
        distance = _GAP + ring * _RING
        for angle in range(_ANGLES):
            cosine, sine = math.cos(2 * math.pi * angle / _ANGLES), math.sin(2 * math.pi * angle / _ANGLES)
            if abs(cosine) < _UPRIGHT:
                continue
            line = [(x + step * cosine, y + step * sine) for step in range(_POINT + 3, int(distance), _STEP)]
            align: _Align = "left" if cosine > 0 else "right"
            yield _make_candidate(x + distance * cosine, y + distance * sine, align, wide, line)


def _make_candidate(x: float, y: float, align: _Align, wide: float, line: Sequence[tuple[float, float]] = ()) -> _Candidate:
    left = x if align == "left" else x - wide if align == "right" else x - wide / 2
    box = _Box(left, y - LINE / 2, left + wide, y + LINE / 2)
    return _Candidate(_Place(x, y, align, bool(line)), box, [_Box(one - 0.5, other - 0.5, one + 0.5, other + 0.5) for one, other in line])


# --- Characters that no font of this machine has: a picture would show boxes for them.
#
# The program that draws takes fonts of the system, and for a character that the chosen font lacks any other that has it.  Whether one has
# it is seen from a drawing: a character without a glyph looks like a code point that will never be a character.

_NO_CHARACTER = "\U000effff"
_LATIN = "\u0250"
"""The first character that fonts for Western languages may lack."""
_MOST = 500
"""Characters that are looked at; of more, an even sample, because each takes milliseconds."""
_SHOWN = 10
_PACKAGES = {"CJK": "fonts-noto-cjk", "HIRAGANA": "fonts-noto-cjk", "KATAKANA": "fonts-noto-cjk", "HANGUL": "fonts-noto-cjk"}
"""Debian's packages of fonts by script."""
_OTHER_PACKAGE = "fonts-noto-core"


def _warn_of_missing_glyphs(specification: Any, family: str) -> None:
    """Warn if a chart has characters that no font of this machine has."""
    characters = sorted({character for text in _list_texts(specification) for character in text if _may_be_missing(character)})
    sample = characters[:: max(1, -(-len(characters) // _MOST))]
    missing = [character for character in sample if _draw(character, family) == _draw(_NO_CHARACTER, family)]
    if not missing:
        return
    packages = sorted({_PACKAGES.get(unicodedata.name(character, "").partition(" ")[0], _OTHER_PACKAGE) for character in missing})
    shown = "".join(missing[:_SHOWN]) + ("..." if len(missing) > _SHOWN else "")
    count = f"{'at least ' if len(sample) < len(characters) else ''}{pluralise(len(missing), 'character')}"
    warnings.warn(
        f"no font of this machine has {count} of the chart ({shown}), so the picture has boxes instead: "
        f"install such a font (Debian: {' '.join(packages)}), or write .svg, which viewers show with their own fonts",
        InputWarning,
        stacklevel=3,
    )


def _may_be_missing(character: str) -> bool:
    """Whether a character is drawn, and is none that every font has; combining marks and joiners are parts of others."""
    return character >= _LATIN and unicodedata.category(character)[0] in "LNPS"


def _list_texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for own in value.values():
            yield from _list_texts(own)
    elif isinstance(value, list):
        for own in value:
            yield from _list_texts(own)


@cache
def _draw(character: str, family: str) -> bytes:
    import vl_convert

    text = f'<text x="4" y="24" font-size="20" font-family="{family}">{character}</text>'
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" width="36" height="36">{text}</svg>'
    drawn: bytes = vl_convert.svg_to_png(svg)
    return drawn


# --- Charts for papers: described with Vega-Lite, drawn as SVG, PNG or PDF without a browser.
#
# Scores are shown times 100 with two decimals, as in tables.
# Colours are those of Okabe and Ito, which people with any kind of colour vision can distinguish.
# If there are more series than colours, their dashes differ too; every line is labelled at its end.

PALETTE = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
_SCORE_DASHES = ((1, 0), (6, 3), (2, 2))
_BETTER, _WORSE = PALETTE[0], PALETTE[1]
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
        scale=alt.Scale(domain=names, range=[list(_SCORE_DASHES[k // len(PALETTE) % len(_SCORE_DASHES)]) for k in range(len(names))]),
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
        while len(groups) > 1 and _mean_of_scores(groups[-2]) > _mean_of_scores(groups[-1]):
            groups[-2:] = [groups[-2] + groups[-1]]
    places = [_mean_of_scores(group) for group in groups for _ in group]
    return [
        {"system": system, "w": w, "value": value, "place": places[index] + index * step}
        for index, (system, w, value) in enumerate(ordered)
    ]


def _mean_of_scores(values: list[float]) -> float:
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
        _warn_of_missing_glyphs(json.loads(spec), FONT_FAMILY)
    if ending == "svg":
        write_bytes(path, vl_convert.vegalite_to_svg(spec).encode())
    elif ending == "pdf":
        write_bytes(path, vl_convert.vegalite_to_pdf(spec))
    else:
        write_bytes(path, vl_convert.vegalite_to_png(spec, ppi=_DOTS_PER_INCH))
