"""HTML from data that is not trusted: elements whose texts and attributes are always escaped."""

from __future__ import annotations

from typing import TYPE_CHECKING

from errata.printable import printable

if TYPE_CHECKING:
    from collections.abc import Mapping

_VOID = frozenset({"meta"})


class Html(str):
    """Markup that is complete and escaped; only :func:`element` and :func:`join_html` make it, and what errata has written itself."""

    __slots__ = ()


Child = str | Html | None
Attribute = str | int | float | bool | None


def element(tag: str, *children: Child, **attributes: Attribute) -> Html:
    """Make an element; texts are escaped, None is left out, ``class_`` and ``data_key`` are class and data-key.

    >>> element("td", "<b>", class_="number", data_value=0.5, hidden=True)
    '<td class="number" data-value="0.5" hidden>&lt;b&gt;</td>'
    """
    opened = f"<{tag}{_attributes(attributes)}>"
    return Html(opened if tag in _VOID and not children else f"{opened}{join_html(*children)}</{tag}>")


def join_html(*children: Child) -> Html:
    """Join texts, which are escaped, and elements."""
    return Html("".join(child if isinstance(child, Html) else escape_html(child) for child in children if child is not None))


def escape_html(content: str) -> Html:
    r"""Escape a text; control, direction and invisible characters are shown as escapes.

    >>> escape_html("<script>\x1b")
    '&lt;script&gt;\\x1b'
    """
    from html import escape  # not every score is shown in HTML, and this takes milliseconds to load

    return Html(escape(printable(content), quote=False))


def _attributes(attributes: Mapping[str, Attribute]) -> str:
    from html import escape

    written = []
    for name, value in attributes.items():
        if value is None or value is False:
            continue
        key = name.rstrip("_").replace("_", "-")
        written.append(f" {key}" if value is True else f' {key}="{escape(printable(str(value)))}"')
    return "".join(written)
