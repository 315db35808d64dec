"""Which columns of a table are printed, and in which order."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from errata.errors import UsageError, suggest

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from errata.report.table import Column, Table

_COMMA = re.compile(r",(?![^()]*\))")
_MOST_SHOWN = 60
"""Characters of a wrong name."""


def split_names(text: str) -> list[str]:
    """Split the names of columns at commas; those in parentheses belong to the settings of a metric.

    >>> split_names("system, maxmatch(beta=1.0,missing=noop),gleu")
    ['system', 'maxmatch(beta=1.0,missing=noop)', 'gleu']
    """
    return [name.strip() for name in _COMMA.split(text)]


def select_columns(tables: Sequence[Table], names: Sequence[str], parts: Collection[str] = ()) -> list[Table]:
    """Keep these columns, in this order, of the tables that have all of them; a name is that in CSV, or a heading.

    Letters of significance stay with the column that they belong to, unless they are named themselves.
    ``parts`` are names that could be columns if the user asked for these parts of scores.
    """
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
