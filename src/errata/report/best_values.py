"""Which values of a table are the best, so that they can be bold."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from errata.report.table import Table

_FEWEST = 2
"""Values of a contest."""


def find_best_cells(table: Table) -> set[tuple[int, int]]:
    """Find the cells with the best value of their column, or row, as (row, column).

    Values are compared as they are printed: those that a reader sees as equal are all the best.

    >>> from errata.report import Column, Table
    >>> table = Table((Column("System"), Column("F0.5", "percent", is_contest=True)), (("a", 0.50001), ("b", 0.5), ("c", 0.4)))
    >>> sorted(find_best_cells(table))
    [(0, 1), (1, 1)]
    """
    contests = [index for index, column in enumerate(table.columns) if column.is_contest]
    cells = [[(row, column) for row in range(len(table.rows))] for column in contests]
    if table.best_of == "row":
        cells = [[(row, column) for column in contests] for row in range(len(table.rows))]
    return {cell for own in cells for cell in _find_best(table, own)}


def _find_best(table: Table, cells: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Find the best of the cells of one contest; none if fewer than two have a value, or all are zero."""
    values = {}
    for row, column in cells:
        value = table.rows[row][column]
        if isinstance(value, int | float) and value == value:  # noqa: PLR0124 - not NaN
            values[row, column] = float(table.columns[column].shown(value).replace(",", ""))
    if len(values) < _FEWEST or not any(values.values()):
        return []
    best = max(values.values())
    return [cell for cell, value in values.items() if value == best]
