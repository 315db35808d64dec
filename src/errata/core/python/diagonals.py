"""The diagonals of an edit matrix that shortest paths can visit; twin of ``native/diagonals.hpp``."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


def find_diagonals(source: Sequence[str], target: Sequence[str]) -> tuple[int, int]:
    """Find the first and the last diagonal, where (i, j) lies on diagonal j - i; all diagonals if the texts have little in common.

    >>> find_diagonals("I like cake .".split(), "I like the cake .".split())
    (0, 1)
    """
    rows, columns = len(source), len(target)
    more = columns - rows
    most = (rows + columns) // 4
    farthest: dict[int, int] = {}
    for changes in range(most + 1 if abs(more) <= most else 0):
        for diagonal in range(-changes, changes + 1, 2):
            i = max(farthest.get(diagonal - 1, -1), farthest.get(diagonal + 1, -1) + 1)
            while i < rows and i + diagonal < columns and source[i] == target[i + diagonal]:
                i += 1
            farthest[diagonal] = i
            if i >= rows and diagonal == more:
                return (more - changes) // 2, (more + changes) // 2
    return -rows, columns
