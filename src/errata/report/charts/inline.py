"""Charts as SVG inside a page.

What only other readers of SVG need is left out: styles, roles of parts, invisible elements.
Black and grey are the colour of the page's text, so charts can be read on a dark page too; a file written with
:func:`~errata.report.charts.scores.save_chart` keeps its colours.
"""

from __future__ import annotations

import json
from html import escape
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

from errata.html import printable
from errata.report.charts.scores import FONT_FAMILY

if TYPE_CHECKING:
    from collections.abc import Sequence

    from errata.report.charts.drawings import Drawing

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


def render_svgs(drawings: Sequence[Drawing], prefix: str = "chart") -> list[str]:
    """Draw charts as SVG elements for an HTML page: ``<svg class="chart" role="img">`` with title and description.

    They have no style, script or link; the page gives them ``max-width: 100%; height: auto``, and ``color`` for text and axes.
    ``prefix`` starts the ids of parts, which no other element of the page may have.
    """
    return [render_svg(drawing, prefix, number) for number, drawing in enumerate(drawings, start=1)]


def render_svg(drawing: Drawing, prefix: str, number: int) -> str:
    """Draw one of several charts."""
    import vl_convert
    from altair.utils.schemapi import debug_mode

    with debug_mode(False):  # to check a chart against its schema takes longer than to draw it
        specification = json.dumps(drawing.draw().to_dict(validate=False))
    return make_inline(vl_convert.vegalite_to_svg(specification), drawing.title, drawing.description, f"{prefix}{number}-")


def make_inline(svg: str, title: str, description: str, prefix: str) -> str:
    """Make an element for an HTML page from an SVG file of the drawing library."""
    root = ET.fromstring(svg)  # noqa: S314 - our own drawing, without a document type
    width, height = (root.get(name, "0") for name in ("width", "height"))
    head = f'<svg xmlns="{_NAMESPACE}" class="chart" role="img" width="{width}" height="{height}" viewBox="0 0 {width} {height}"'
    named = f"<title>{_escape(title)}</title><desc>{_escape(description)}</desc>"
    parts = [_write(child, prefix) for child in root if not _is_background(child)]
    return f'{head} font-family="{FONT_FAMILY}">{named}{"".join(parts)}</svg>'


def _is_background(element: ET.Element) -> bool:
    return _name(element) == "rect" and element.get("fill") == "white"


def _name(element: ET.Element) -> str:
    return element.tag.rpartition("}")[2]


def _escape(text: str) -> str:
    return escape(printable(text))


def _write(element: ET.Element, prefix: str) -> str:
    """Write an element, unless it shows nothing."""
    name = _name(element)
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
