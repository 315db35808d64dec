"""How charts are drawn as SVG inside a page, and by another process, which starts while this one still scores."""

from __future__ import annotations

import json
import os
import pickle
import subprocess
import sys
from html import escape
from typing import TYPE_CHECKING, Any, NamedTuple, Self
from xml.etree import ElementTree as ET

from errata.display import printable
from errata.errors import RequestError, UsageError
from errata.report.charts.parts import FONT_FAMILY, Chart, explain_missing_charts

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


class Drawing(NamedTuple):
    """A chart that can be drawn: only plain values, so that another process can draw it."""

    title: str
    description: str
    """What it shows, for people who do not see it."""
    function: Callable[..., Chart]
    values: tuple[Any, ...]

    def draw(self) -> Chart:
        """Draw the chart."""
        return self.function(*self.values)

    def render(self, prefix: str) -> str:
        """Draw the chart as an SVG element of an HTML page: ``<svg class="chart" role="img">`` with title and description.

        It has no style, script or link; the page gives it ``max-width: 100%; height: auto``, and ``color`` for text and axes.
        ``prefix`` starts the ids of its parts, which no other element of the page may have.
        """
        import vl_convert
        from altair.utils.schemapi import debug_mode

        with debug_mode(False):  # to check a chart against its schema takes longer than to draw it
            specification = json.dumps(self.draw().to_dict(validate=False))
        return _make_inline(vl_convert.vegalite_to_svg(specification), self.title, self.description, prefix)


# Charts as SVG inside a page.
#
# What only other readers of SVG need is left out: styles, roles of parts, invisible elements.
# Black and grey are the colour of the page's text, so charts can be read on a dark page too; a file written with
# :func:`~errata.report.charts.parts.save_chart` keeps its colours.

_NAMESPACE = "http://www.w3.org/2000/svg"
_ELEMENTS = {"g", "path", "rect", "line", "text", "tspan", "circle", "defs", "clipPath", "linearGradient", "stop"}
_ATTRIBUTES = {
    *("clip-path", "cx", "cy", "d", "dx", "dy", "fill", "fill-opacity", "font-size", "font-weight", "gradientUnits", "height"),
    *("id", "offset", "opacity", "r", "stop-color", "stroke", "stroke-dasharray", "stroke-dashoffset", "stroke-linecap", "stroke-linejoin"),
    *("stroke-miterlimit", "stroke-opacity", "stroke-width", "text-anchor", "transform", "width", "x", "x1", "x2", "y", "y1", "y2"),
}
"""Everything else is left out."""
_PAINTS = ("fill", "stroke", "stop-color")
_SHADES = {
    **dict.fromkeys(("black", "#000", "#000000", "#333333"), ""),
    **dict.fromkeys(("#666666", "#888"), "0.7"),
    "#999999": "0.45",
    **dict.fromkeys(("#ddd", "#dddddd", "#e5e5e5"), "0.15"),
}
"""The opacity of the text's colour that replaces a shade of grey; empty if it is opaque."""
_AREA = {"g", "clipPath", "defs", "linearGradient"}
"""Elements that show nothing without others inside."""


def _make_inline(svg: str, title: str, description: str, prefix: str) -> str:
    """Make an element for an HTML page from an SVG file of the drawing library."""
    root = ET.fromstring(svg)  # noqa: S314 - our own drawing, without a document type
    width, height = (root.get(name, "0") for name in ("width", "height"))
    head = f'<svg xmlns="{_NAMESPACE}" class="chart" role="img" width="{width}" height="{height}" viewBox="0 0 {width} {height}"'
    named = f"<title>{_escape(title)}</title><desc>{_escape(description)}</desc>"
    parts = [_write(child, prefix) for child in root if not _is_background(child)]
    return f'{head} font-family="{FONT_FAMILY}">{named}{"".join(parts)}</svg>'


def _is_background(element: ET.Element) -> bool:
    return _tag_name(element) == "rect" and element.get("fill") == "white"


def _tag_name(element: ET.Element) -> str:
    return element.tag.rpartition("}")[2]


def _escape(text: str) -> str:
    return escape(printable(text))


def _write(element: ET.Element, prefix: str) -> str:
    """Write an element, unless it shows nothing."""
    name = _tag_name(element)
    if name not in _ELEMENTS or element.get("display") == "none" or _is_invisible(element):
        return ""
    inside = escape(element.text or "", quote=False) if name in {"text", "tspan"} else ""
    inside += "".join(_write(child, prefix) for child in element)
    attributes = _list_attributes(element, prefix)
    if not inside and name in _AREA:
        return ""
    if name == "g" and not attributes:
        return inside
    written = "".join(f' {key}="{escape(value)}"' for key, value in attributes.items())
    return f"<{name}{written}>{inside}</{name}>" if inside else f"<{name}{written}/>"


def _is_invisible(element: ET.Element) -> bool:
    """Whether an element is the area of a group that is not painted."""
    is_area = element.get("class") in {"background", "foreground"}
    return is_area and not any(element.get(paint) for paint in _PAINTS)


def _list_attributes(element: ET.Element, prefix: str) -> dict[str, str]:
    """List the attributes that are kept, with colours and names for a page."""
    attributes: dict[str, str] = {}
    for key, value in element.items():
        if key not in _ATTRIBUTES or (key, value) in {("opacity", "1"), ("transform", "translate(0,0)")}:
            continue
        if key == "id":
            attributes[key] = f"{prefix}{value}"
        elif key == "clip-path" or value.startswith("url("):
            attributes[key] = value.replace("url(#", f"url(#{prefix}")
        elif key in _PAINTS and value in _SHADES:
            attributes[key] = "currentColor"
            if _SHADES[value]:
                attributes[f"{key.removesuffix('-color')}-opacity"] = _SHADES[value]
        else:
            attributes[key] = value
    return attributes


# Charts drawn in another process, which starts while this one still scores.
#
# To import the libraries and to start their engine takes a second, and the engine holds the lock of the interpreter, so a thread would
# not help.  The engine also ends its process if it finds too little memory, so it is never started in this one.

_PROGRAM = "import sys; sys.path[:] = {path!r}; from errata.report.charts.drawing import _serve; _serve()"
_ENDED = "the process that draws charts ended, perhaps for want of memory"


class _DrawnChart(NamedTuple):
    """A chart as SVG, or why it could not be drawn."""

    drawing: Drawing
    svg: str
    reason: str


class DrawingProcess:
    """A process that prepares to draw charts, and draws them when it is asked, once or several times."""

    def __init__(self) -> None:
        self._child: subprocess.Popen[bytes] | None = None
        self._asked: list[Drawing] = []
        if explain_missing_charts() or not sys.executable or getattr(sys, "frozen", False):
            return
        command = [sys.executable, "-P", "-c", _PROGRAM.format(path=sys.path)]
        try:
            self._child = subprocess.Popen(  # noqa: S603 - this interpreter
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
            )
        except OSError:
            self._child = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the process, if it still runs."""
        child, self._child = self._child, None
        if child is None:
            return
        child.kill()
        for pipe in (child.stdin, child.stdout):
            if pipe is not None:
                try:
                    pipe.close()
                except OSError:  # what was not written yet is not needed
                    continue
        child.wait()

    def begin(self, drawings: Sequence[Drawing], prefix: str = "chart") -> None:
        """Begin to draw charts; ``prefix`` starts the ids of their parts."""
        self._asked = list(drawings)
        if self._child is None or self._child.stdin is None:
            return
        try:
            pickle.dump((self._asked, prefix), self._child.stdin)
            self._child.stdin.flush()
        except OSError:  # it has ended
            self.close()

    def collect(self) -> list[_DrawnChart]:
        """Wait for the charts; each that cannot be drawn has a reason."""
        results = [("", _ENDED)] * len(self._asked)
        if self._child is not None and self._child.stdout is not None:
            try:
                results = pickle.load(self._child.stdout)  # noqa: S301 - from our own process
            except (EOFError, OSError, pickle.UnpicklingError):
                self.close()
            except BaseException:
                self.close()
                raise
        return [_DrawnChart(drawing, *result) for drawing, result in zip(self._asked, results, strict=True)]


def _serve() -> None:
    """Prepare, then read drawings from standard input and write charts to standard output, until the input ends."""
    output = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # nothing that a library prints is taken for a drawing
    _prepare()
    while True:
        try:
            drawings, prefix = pickle.load(sys.stdin.buffer)  # noqa: S301 - from our own process
        except EOFError:
            return
        pickle.dump([_draw(drawing, prefix, number) for number, drawing in enumerate(drawings, start=1)], output)
        output.flush()


def _draw(drawing: Drawing, prefix: str, number: int) -> tuple[str, str]:
    try:
        return drawing.render(f"{prefix}{number}-"), ""
    except (RequestError, UsageError, MemoryError) as error:
        return "", str(error) or "there is not enough memory"


def _prepare() -> None:
    """Import what charts need, and start the engine."""
    import vl_convert

    from errata.report.charts.parts import altair

    chart = altair().Chart(altair().Data(values=[{"x": 1}])).mark_point().encode(x="x:Q")
    vl_convert.vegalite_to_svg(chart.to_json())
