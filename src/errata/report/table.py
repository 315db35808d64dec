"""The table model: columns that format their values, rows of plain values, notes, chosen columns, and best values."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal

from errata.errors import UsageError, suggest

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence


Cell = str | int | float | None
"""A text, a count, a number, or None."""

Kind = Literal["text", "count", "percent", "number", "p", "letters"]
"""What a column has; letters are those of significance, which belong to a column of values."""


_FEWEST = 2
"""Values of a contest."""
_SMALLEST_P = 0.0001

HEADINGS = {
    "precision": "P",
    "recall": "R",
    "wacc": "WAcc",
    "tp": "TP",
    "tn": "TN",
    "fp": "FP",
    "fn": "FN",
    "fpn": "FPN",
    "accuracy": "Acc",
    "i": "I",
    "brevity_penalty": "BP",
    **{f"precision_{order}": f"P{order}" for order in range(1, 101)},
}
"""Headings of the parts of scores, if a heading is not simply the capitalised name."""


def is_undefined(value: Cell) -> bool:
    """Whether a cell has no value, or is not a number."""
    return value is None or (isinstance(value, float) and math.isnan(value))


@dataclass(frozen=True, slots=True)
class Column:
    """A heading and the kind of its values: a percent is a fraction, shown times 100; numbers and p-values have four decimals."""

    name: str
    kind: Kind = "text"
    key: str = ""
    """The name in CSV and in a choice of columns; if empty, the heading."""
    digits: int = 2
    """Decimals of a percent."""
    is_contest: bool = False
    """Whether a higher value is better, so that the best can be bold."""
    written: str = ""
    """The heading in LaTeX, as papers write it; if empty, the name."""
    is_data: bool = False
    """Whether the heading is a name of the data, which is never taken for that of a measure."""
    belongs_to: str = ""
    """The key of the column that letters belong to."""

    @property
    def is_text(self) -> bool:
        """Whether values are aligned on the left."""
        return self.kind in {"text", "letters"}

    def shown(self, value: Cell) -> str:
        """Format a value for people.

        >>> Column("P", "percent").shown(0.41619), Column("n", "count").shown(29207), Column("x").shown(None)
        ('41.62', '29,207', '–')
        """
        if is_undefined(value):
            return "–"
        if self.kind == "percent" and isinstance(value, int | float):
            return _without_minus_zero(f"{100 * value:.{self.digits}f}")
        if self.kind in {"number", "p"} and isinstance(value, float):
            small = self.kind == "p" and value < _SMALLEST_P
            return f"<{_SMALLEST_P:.4f}" if small else _without_minus_zero(f"{value:.4f}")
        if self.kind == "count" and isinstance(value, int):
            return f"{value:,}"
        return str(value)


def _without_minus_zero(text: str) -> str:
    """Remove the sign of a number that is printed as zero."""
    return text.removeprefix("-") if not text.strip("-0.") else text


@dataclass(frozen=True)
class Table:
    """Columns, rows, a title and notes below the table."""

    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    title: str = ""
    notes: tuple[str, ...] = field(default=())
    best_of: Literal["column", "row"] = "column"
    """Whether the best value of each column can be bold, or that of each row."""

    def __post_init__(self) -> None:
        for row in self.rows:
            if len(row) != len(self.columns):
                message = f"a row has {len(row)} cells for {len(self.columns)} columns"
                raise ValueError(message)

    def find_best_cells(self) -> set[tuple[int, int]]:
        """Find the cells with the best value of their column, or row, as (row, column).

        Values are compared as they are printed: those that a reader sees as equal are all the best.

        >>> from errata.report import Column, Table
        >>> table = Table((Column("System"), Column("F0.5", "percent", is_contest=True)), (("a", 0.50001), ("b", 0.5), ("c", 0.4)))
        >>> sorted(table.find_best_cells())
        [(0, 1), (1, 1)]
        """
        contests = [index for index, column in enumerate(self.columns) if column.is_contest]
        cells = [[(row, column) for row in range(len(self.rows))] for column in contests]
        if self.best_of == "row":
            cells = [[(row, column) for column in contests] for row in range(len(self.rows))]
        return {cell for own in cells for cell in self._find_best(own)}

    def _find_best(self, cells: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
        """Find the best of the cells of one contest; none if fewer than two have a value, or all are zero."""
        values = {}
        for row, column in cells:
            value = self.rows[row][column]
            if isinstance(value, int | float) and value == value:  # noqa: PLR0124 - not NaN
                values[row, column] = float(self.columns[column].shown(value).replace(",", ""))
        if len(values) < _FEWEST or not any(values.values()):
            return []
        best = max(values.values())
        return [cell for cell, value in values.items() if value == best]


_COMMA = re.compile(r",(?![^()]*\))")
_MOST_SHOWN = 60
"""Characters of a wrong name."""


def _split_names(text: str) -> list[str]:
    """Split the names of columns at commas; those in parentheses belong to the settings of a metric.

    >>> _split_names("system, maxmatch(beta=1.0,missing=noop),gleu")
    ['system', 'maxmatch(beta=1.0,missing=noop)', 'gleu']
    """
    return [name.strip() for name in _COMMA.split(text)]


def select_columns(tables: Sequence[Table], names: str | Sequence[str], parts: Collection[str] = ()) -> list[Table]:
    """Keep these columns, in this order, of the tables that have all of them; a name is that in CSV, or a heading.

    Names in one text have commas between them.

    Letters of significance stay with the column that they belong to, unless they are named themselves.
    ``parts`` are names that could be columns if the user asked for these parts of scores.
    """
    names = _split_names(names) if isinstance(names, str) else names
    known = list(dict.fromkeys(_key(column) for table in tables for column in table.columns))
    for name in names:
        if any(_find(table.columns, name) for table in tables):
            continue
        advice = f"; --parts {name} adds it" if name in parts else suggest(name, [*known, *parts])
        raise UsageError(f"there is no column {name[:_MOST_SHOWN]!r}; choose from {', '.join(known)}{advice}")
    kept = [_select(table, names) for table in tables if all(_find(table.columns, name) for name in names)]
    if not kept:
        listed = "; ".join(", ".join(map(_key, table.columns)) for table in tables)
        raise UsageError(f"no table has all of {', '.join(names)}; the columns of each are: {listed}")
    return kept


def _key(column: Column) -> str:
    return column.key or column.name


def _find(columns: Sequence[Column], name: str) -> list[int]:
    """Find the column with a name: its key, else its heading, whatever its case."""
    for found in (
        [index for index, column in enumerate(columns) if _key(column) == name],
        [index for index, column in enumerate(columns) if column.name.casefold() == name.casefold()],
        [index for index, column in enumerate(columns) if _key(column).casefold() == name.casefold()],
    ):
        if len(found) > 1:
            raise UsageError(f"{name!r} is the heading of {len(found)} columns; choose from {', '.join(_key(columns[k]) for k in found)}")
        if found:
            return found
    return []


def _select(table: Table, names: Sequence[str]) -> Table:
    chosen: list[int] = []
    for name in names:
        (index,) = _find(table.columns, name)
        if index in chosen:
            raise UsageError(f"the column {name!r} is given twice")
        chosen.append(index)
    for index, column in enumerate(table.columns):
        if not column.belongs_to or index in chosen:
            continue
        (values,) = _find(table.columns, column.belongs_to)
        if values not in chosen:
            raise UsageError(f"letters need the column {column.belongs_to}, which is not among {', '.join(names)}")
        chosen.insert(chosen.index(values) + 1, index)
    rows = tuple(tuple(row[index] for index in chosen) for row in table.rows)
    return replace(table, columns=tuple(table.columns[index] for index in chosen), rows=rows)
