"""The classes of the columns of an alignment (Felice and Briscoe 2015, Table 6); part of ``native/three_way.hpp``."""

from __future__ import annotations

from operator import add as plus
from operator import sub

ColumnCounts = tuple[int, ...]
"""Detection: tp tn fp fn.  Correction: tp tn fp fn fpn.  Then the same nine for the source instead of the hypothesis."""

COUNTS_PER_SYSTEM = 9


def classify(counts: list[int], source: str | None, hypothesis: str | None, reference: str | None) -> None:
    """Count a column, for the hypothesis and for the source instead of it."""
    _count(counts, 0, source, hypothesis, reference)
    if source is not None or reference is not None:
        _count(counts, COUNTS_PER_SYSTEM, source, source, reference)


def add(one: ColumnCounts, other: ColumnCounts) -> ColumnCounts:
    """Add counts."""
    return tuple(map(plus, one, other))


def subtract(one: ColumnCounts, other: ColumnCounts) -> ColumnCounts:
    """Subtract counts."""
    return tuple(map(sub, one, other))


def _count(counts: list[int], shift: int, source: str | None, hypothesis: str | None, reference: str | None) -> None:
    if source == hypothesis == reference:
        classes = (1, 5)
    elif source == hypothesis:
        classes = (3, 7)
    elif source == reference:
        classes = (2, 6)
    elif hypothesis == reference:
        classes = (0, 4)
    else:
        for index in (0, 6, 7, 8):
            counts[shift + index] += 1
        return
    for index in classes:
        counts[shift + index] += 1
