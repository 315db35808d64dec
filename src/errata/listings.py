"""Results that are a list and a table: ``rows()`` for Python, the Arrow interface for frames, HTML for notebooks."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Generic, TypeVar, overload

from errata.errors import RequestError
from errata.html import Html, element

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    _Ordered = Sequence
else:  # frames take a Sequence for a list of anything, so it is none at run time
    _Ordered = Generic

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
