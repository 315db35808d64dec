"""Lines of comma-separated values, the only ones that errata writes."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from errata.html import printable
from errata.report.table import is_undefined

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from errata.report.table import Cell

_FORMULA = re.compile(r"\s*[=+\-@\uff1d\uff0b\uff0d\uff20]")
"""How a formula starts in a spreadsheet, also in full-width characters, which some read as well."""
_NUMBER = re.compile(r"[+-]?(\d++\.?\d*+|\.\d+)([eE][+-]?\d+)?", re.ASCII)


def make_csv_lines(rows: Iterable[Iterable[Cell]]) -> Iterator[str]:
    """Write rows, numbers in full precision; a text that a spreadsheet would read as a formula gets an apostrophe in front.

    >>> list(make_csv_lines([("system", "f"), ("=cmd()", -0.5), ("a, b", None)]))
    ['system,f', "'=cmd(),-0.5", '"a, b",']
    """
    import csv
    import io

    line = io.StringIO()
    writer = csv.writer(line, lineterminator="")
    for row in rows:
        writer.writerow([_written(cell) for cell in row])
        yield line.getvalue()
        line.seek(0)
        line.truncate()


def _written(cell: Cell) -> str | int:
    if isinstance(cell, str):
        text = printable(cell)
        return f"'{text}" if _FORMULA.match(text) and not _NUMBER.fullmatch(text) else text
    return "" if cell is None or is_undefined(cell) else repr(cell) if isinstance(cell, float) else cell
