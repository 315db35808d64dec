"""Untrusted text made safe to show, and HTML whose texts and attributes are always escaped."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


# --- Untrusted text made safe to show: control, direction and invisible characters are escaped.


class _Escapes(dict[int, str]):
    """What is shown for each character; each is decided once."""

    def __init__(self, kept: str) -> None:
        super().__init__({ord(character): character for character in kept})

    def __missing__(self, code: int) -> str:
        character = chr(code)
        self[code] = character if _is_harmless(character) else repr(character)[1:-1]
        return self[code]


_JOINERS = "\u200c\u200d"
"""Invisible, but a part of words in Persian and Indian languages, and of emoji."""
_IN_LINE, _IN_LINES = _Escapes(_JOINERS), _Escapes(f"{_JOINERS}\n\t")


def printable(text: str) -> str:
    r"""Show control, direction and invisible characters as escapes, so that a file cannot control the terminal.

    >>> printable("a\x1b[31mb")
    'a\\x1b[31mb'
    """
    return text if text.isprintable() else text.translate(_IN_LINE)


def printable_lines(text: str) -> str:
    r"""Do the same, but keep line ends and tabs.

    >>> printable_lines("a\tb\r\n")
    'a\tb\\r\n'
    """
    return text if text.replace("\n", "").isprintable() else text.translate(_IN_LINES)


def _is_harmless(character: str) -> bool:
    """Tell whether a character is shown as itself; 66 code points are no characters, and XML does not allow them."""
    code = ord(character)
    is_character = code & 0xFFFE != 0xFFFE and not 0xFDD0 <= code <= 0xFDEF  # noqa: PLR2004 - from the Unicode standard
    return is_character and unicodedata.category(character) not in {"Cc", "Cf", "Cs", "Zl", "Zp"}


# --- HTML from data that is not trusted: elements whose texts and attributes are always escaped.

_VOID = frozenset({"meta"})


class Html(str):
    """Markup that is complete and escaped; only :func:`element` and :func:`join_html` make it, and what errata has written itself."""

    __slots__ = ()


Child = str | Html | None
_Attribute = str | int | float | bool | None


def element(tag: str, *children: Child, **attributes: _Attribute) -> Html:
    """Make an element; texts are escaped, None is left out, ``class_`` and ``data_key`` are class and data-key.

    >>> element("td", "<b>", class_="number", data_value=0.5, hidden=True)
    '<td class="number" data-value="0.5" hidden>&lt;b&gt;</td>'
    """
    opened = f"<{tag}{_attributes(attributes)}>"
    return Html(opened if tag in _VOID and not children else f"{opened}{join_html(*children)}</{tag}>")


def join_html(*children: Child) -> Html:
    """Join texts, which are escaped, and elements."""
    return Html("".join(child if isinstance(child, Html) else _escape_html(child) for child in children if child is not None))


def _escape_html(content: str) -> Html:
    r"""Escape a text; control, direction and invisible characters are shown as escapes.

    >>> _escape_html("<script>\x1b")
    '&lt;script&gt;\\x1b'
    """
    from html import escape  # not every score is shown in HTML, and this takes milliseconds to load

    return Html(escape(printable(content), quote=False))


def _attributes(attributes: Mapping[str, _Attribute]) -> str:
    from html import escape

    written = []
    for name, value in attributes.items():
        if value is None or value is False:
            continue
        key = name.rstrip("_").replace("_", "-")
        written.append(f" {key}" if value is True else f' {key}="{escape(printable(str(value)))}"')
    return "".join(written)
