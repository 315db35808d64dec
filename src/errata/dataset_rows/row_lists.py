"""Rows in whatever holds them: data sets of Hugging Face, lists, generators, slices, and tables of pandas, polars and Arrow."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

from errata.corpus.texts import list_items, same_length
from errata.errors import UsageError

_RULE = "rows must be a data set, or a list of dictionaries"
DataRow = Mapping[str, Any]
"""A row: values by the names of their columns."""


def list_rows(rows: object) -> list[DataRow]:
    """List the rows of anything that has some.

    >>> list_rows({"sentence": ["A cat", "A dog"], "corrections": [["a cat"], ["a dog"]]})[1]
    {'sentence': 'A dog', 'corrections': ['a dog']}
    """
    if isinstance(rows, Mapping):
        return _turn_columns(rows)
    found = _take_rows(rows)
    for number, row in enumerate(found, start=1):
        if not isinstance(row, Mapping):
            raise UsageError(f"{_RULE}, found {type(row).__name__} as row {number:,}: {row!r:.60}")
    if not found:
        raise UsageError(f"{_RULE}, found no row")
    return found


def _take_rows(rows: object) -> list[Any]:
    if hasattr(rows, "iter_rows"):  # polars
        return list(rows.iter_rows(named=True))
    if hasattr(rows, "to_pylist"):  # Arrow
        return list(rows.to_pylist())
    if hasattr(rows, "iloc") and hasattr(rows, "to_dict"):  # pandas
        if not hasattr(rows, "columns"):
            raise UsageError(f"{_RULE}, found a single column ({type(rows).__name__})")
        return [{name: _without_nan(value) for name, value in row.items()} for row in rows.to_dict("records")]
    if hasattr(rows, "column_names") and isinstance(rows, Iterable):  # Datasets
        return list(rows)
    return list_items(rows, _RULE)


def _without_nan(value: Any) -> Any:
    """Return None for what pandas has instead of it."""
    return None if isinstance(value, float) and math.isnan(value) else value


def _turn_columns(columns: Mapping[Any, Any]) -> list[DataRow]:
    """Make rows of a slice of a data set, which has a list for each column."""
    if any(hasattr(column, "column_names") for column in columns.values()):
        splits = ", ".join(map(str, columns))
        raise UsageError(f"{_RULE}, found several splits; choose one of them: {splits}")
    if columns and all(isinstance(column, str) for column in columns.values()):
        raise UsageError(f"{_RULE}, found a single row with {', '.join(map(str, columns))}; put it into a list")
    lists = {str(name): list_items(column, f"the column {name!r} must be a list") for name, column in columns.items()}
    same_length(**lists)
    rows: list[DataRow] = [dict(zip(lists, values, strict=True)) for values in zip(*lists.values(), strict=True)]
    if not rows:
        raise UsageError(f"{_RULE}, found no row")
    return rows
