"""What charts share: libraries, styles of lines, names of systems, points with labels, and characters that no font has.

Charts are described with Vega-Lite, and drawn as SVG, PNG or PDF without a browser.
Scores are shown times 100 with two decimals, as in tables.
Colours are those of Okabe and Ito, which people with any kind of colour vision can distinguish.
If there are more series than colours, their dashes differ too; every line is labelled at its end.
"""

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
    from collections.abc import Iterable, Iterator, Sequence

PALETTE = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
FONT_FAMILY = "Helvetica, Arial, sans-serif"
_FONT = 12
_PADDING = {"left": 20, "right": 20, "top": 5, "bottom": 5}
"""Space beside labels, for a viewer whose font is wider than the one that was measured."""
_DOTS_PER_INCH = 200

Chart = Any
"""A chart of Altair, which is imported only to draw one."""


_LIBRARIES = ("vl_convert", "altair")


def explain_missing_charts() -> str:
    """Say what must be installed to draw charts; empty if nothing is missing.  Nothing is imported."""
    missing = next((name for name in _LIBRARIES if find_spec(name) is None), None)
    return f"charts need {missing}, which is not installed: pip install 'errata[charts]'" if missing else ""


def altair() -> Any:
    """Import the library that describes charts, only when one is drawn."""
    import altair as alt

    return alt


def start_chart(values: Sequence[dict[str, Any]]) -> Chart:
    """Start a chart of values, which are not copied by each of its methods if they are a tuple."""
    alt = altair()
    return alt.Chart(alt.Data(values=tuple(values)))


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


# Characters that no font of this machine has: a picture would show boxes for them.
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
_ALIGNMENTS: tuple[_Align, ...] = get_args(_Align)


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


def _place_labels(
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

    def draw(self, points: Sequence[Point], x_title: str, y_title: str, bars: Sequence[IntervalBars] = ()) -> list[Chart]:
        """Draw the layers of points, their labels and their intervals."""
        alt = altair()
        labels = shorten_names([point.system for point in points])
        pixels = [self.find_pixels(point.x, point.y) for point in points]
        drawn = [
            (*self.find_pixels(*corner), *self.find_pixels(*other))
            for own in bars
            for corner, other in (
                ((own.left, own.point.y), (own.right, own.point.y)),
                ((own.point.x, own.top), (own.point.x, own.bottom)),
            )
        ]

        def back(x: float, y: float) -> tuple[float, float]:
            return self.x[0] + x / self.width * (self.x[1] - self.x[0]), self.y[1] - y / self.height * (self.y[1] - self.y[0])

        values = []
        for point, label, place in zip(points, labels, _place_labels(pixels, labels, self[2:], drawn), strict=True):
            text_x, text_y = back(place.x, place.y)
            ends = {"x": point.x, "y": point.y, "text_x": text_x, "text_y": text_y}
            values.append({"label": label, **ends, "align": place.align, "is_led": place.is_led})
        ticks = alt.Axis(labelFlush=False, tickCount=self.width // _TICK)
        x = alt.X("x:Q", title=x_title, scale=alt.Scale(domain=list(self.x), nice=False, zero=False), axis=ticks)
        y = alt.Y("y:Q", title=y_title, scale=alt.Scale(domain=list(self.y), nice=False, zero=False))
        said = alt.Description("label:N")  # by default the titles of axes, in which escapes would be undone
        base = start_chart(values)
        led = start_chart([value for value in values if value["is_led"]])
        layers = [
            *self._draw_bars(bars),
            led.mark_rule(strokeWidth=0.7, color="#666666").encode(
                x=x, y=y, x2=alt.X2("text_x:Q"), y2=alt.Y2("text_y:Q"), description=said
            ),
            base.mark_point(filled=True, size=60, opacity=1, color=PALETTE[0]).encode(x=x, y=y, description=said),
        ]
        for align in _ALIGNMENTS:
            text = start_chart([value for value in values if value["align"] == align])
            space = {"left": 1, "right": -1, "center": 0}[align]
            marks = text.mark_text(align=align, baseline="middle", dx=space, fontSize=FONT_SIZE, color="#333333")
            layers.append(marks.encode(x=alt.X("text_x:Q"), y=alt.Y("text_y:Q"), text=alt.Text("label:N")))
        return layers

    def _draw_bars(self, bars: Sequence[IntervalBars]) -> list[Chart]:
        """Draw intervals of both values as thin lines through the points."""
        if not bars:
            return []
        alt = altair()
        values = [
            {"x": own.point.x, "y": own.point.y, "left": own.left, "right": own.right, "bottom": own.bottom, "top": own.top} for own in bars
        ]
        rules = start_chart(values).mark_rule(strokeWidth=1, color=PALETTE[0], opacity=0.45)
        x, y = (alt.Scale(domain=list(ends), nice=False, zero=False) for ends in self[:2])
        return [
            rules.encode(x=alt.X("left:Q", scale=x), x2=alt.X2("right:Q"), y=alt.Y("y:Q", scale=y)),
            rules.encode(x=alt.X("x:Q", scale=x), y=alt.Y("bottom:Q", scale=y), y2=alt.Y2("top:Q")),
        ]


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
