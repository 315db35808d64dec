"""How texts and results are shown: texts that cannot harm a terminal, HTML that is always escaped, and results that are tables.

A result that is a list is a table, too: ``rows()`` for Python, the Arrow interface for frames, HTML for notebooks.
"""

from __future__ import annotations

import math
import unicodedata
from typing import TYPE_CHECKING, Any, Generic, TypeVar, overload

from errata.errors import RequestError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    _Ordered = Sequence
else:  # frames take a Sequence for a list of anything, so it is none at run time
    _Ordered = Generic


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


def printable(text: str, *, lines: bool = False) -> str:
    r"""Show control, direction and invisible characters as escapes, so that a file cannot control the terminal.

    Of several ``lines``, line ends and tabs are kept.

    >>> printable("a\x1b[31mb"), printable("a\tb\r\n", lines=True)
    ('a\\x1b[31mb', 'a\tb\\r\n')
    """
    if (text.replace("\n", "") if lines else text).isprintable():
        return text
    return text.translate(_IN_LINES if lines else _IN_LINE)


def _is_harmless(character: str) -> bool:
    """Tell whether a character is shown as itself; 66 code points are no characters, and XML does not allow them."""
    code = ord(character)
    is_character = code & 0xFFFE != 0xFFFE and not 0xFDD0 <= code <= 0xFDEF  # noqa: PLR2004 - from the Unicode standard
    return is_character and unicodedata.category(character) not in {"Cc", "Cf", "Cs", "Zl", "Zp"}


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


_Item = TypeVar("_Item")
TableRow = dict[str, Any]
"""The values of a row by column."""

_MOST_SHOWN = 100
"""Rows of a table that a notebook shows."""
_DIGITS = 4
_NUMBER = "text-align: right; font-variant-numeric: tabular-nums"
_TEXT = "text-align: left"


class HasRows:
    """A result with rows of a table, which pandas, polars, pyarrow and DuckDB take as a frame.

    >>> class Squares(HasRows):
    ...     def rows(self):
    ...         return [{"number": number, "square": number**2} for number in range(3)]
    >>> import pyarrow
    >>> pyarrow.table(Squares()).column("square").to_pylist()
    [0, 1, 4]
    """

    def rows(self) -> list[TableRow]:
        """List the rows; all have the same columns."""
        raise NotImplementedError

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """Hand out the table to any library that knows the Arrow interface; this needs pyarrow."""
        try:
            import pyarrow as pa
        except ModuleNotFoundError:
            raise RequestError("a frame needs pyarrow, which is not installed: pip install 'errata[parquet]'; rows() does not") from None
        rows = [{name: _clean(value) for name, value in row.items()} for row in self.rows()]
        return pa.Table.from_pylist(rows).__arrow_c_stream__(requested_schema)


class Listing(HasRows, _Ordered[_Item]):
    """Items in order, which are also a table.

    It is read like a tuple and equals a list of its items.
    """

    def __init__(self, items: Iterable[_Item]) -> None:
        self._items = tuple(items)

    def __len__(self) -> int:
        return len(self._items)

    def __iter__(self) -> Iterator[_Item]:
        return iter(self._items)

    def __reversed__(self) -> Iterator[_Item]:
        return reversed(self._items)

    def __contains__(self, item: object) -> bool:
        return item in self._items

    @overload
    def __getitem__(self, index: int) -> _Item: ...
    @overload
    def __getitem__(self, index: slice) -> list[_Item]: ...
    def __getitem__(self, index: int | slice) -> _Item | list[_Item]:
        return list(self._items[index]) if isinstance(index, slice) else self._items[index]

    def __eq__(self, other: object) -> bool:
        return list(self._items) == list(other) if isinstance(other, (Listing, list, tuple)) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._items)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({list(self._items)!r})"

    def _repr_html_(self) -> str:
        return make_html_table(self.rows())


def make_html_table(rows: Sequence[TableRow], caption: str = "", notes: Sequence[str] = ()) -> Html:
    """Make a table for a notebook: numbers on the right with four digits, everything escaped, without style sheet or script."""
    if not rows:
        return element("p", "no rows")
    numeric = {name for name in rows[0] if all(isinstance(row[name], (int, float)) or row[name] is None for row in rows)}

    def align(name: str) -> str:
        return _NUMBER if name in numeric else _TEXT

    head = element("tr", *(element("th", name.replace("_", " "), scope="col", style=align(name)) for name in rows[0]))
    body = [
        element("tr", *(element("td", _show_value(value), style=align(name)) for name, value in row.items())) for row in rows[:_MOST_SHOWN]
    ]
    left = len(rows) - _MOST_SHOWN
    more = [f"{left:,} more rows; rows() has all"] if left > 0 else []
    below = [element("p", note, style="font-size: smaller; opacity: 0.7; overflow-wrap: anywhere") for note in (*more, *notes)]
    title = element("caption", caption, style="text-align: left; caption-side: top") if caption else None
    return element("div", element("table", title, element("thead", head), element("tbody", *body)), *below)


def _show_value(value: object) -> str:
    """Write a value of a table for people.

    >>> _show_value(0.65517), _show_value(1312), _show_value(None), _show_value(float("nan")), _show_value(["a", "b"])
    ('0.6552', '1,312', '–', '–', 'a | b')
    """
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return "–"
    if isinstance(value, bool) or not isinstance(value, (int, float, list, tuple)):
        return str(value)
    if isinstance(value, (list, tuple)):
        return " | ".join(map(str, value))
    return f"{value:.{_DIGITS}f}" if isinstance(value, float) else f"{value:,}"


def _clean(value: Any) -> Any:
    """Make a value that Arrow takes: texts without lone surrogates."""
    if isinstance(value, str):
        return value if value.isascii() else value.encode("utf-8", "replace").decode("utf-8")
    return [_clean(one) for one in value] if isinstance(value, (list, tuple)) else value
