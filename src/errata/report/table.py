"""The table model: columns that format their values, rows of plain values, and notes."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Literal

Cell = str | int | float | None
"""A text, a count, a number, or None."""

Kind = Literal["text", "count", "percent", "number", "p", "letters"]
"""What a column has; letters are those of significance, which belong to a column of values."""


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
_MEASURES = frozenset({"precision", "recall", "f", "wacc", "accuracy", "i", *(f"precision_{order}" for order in range(1, 101))})
_OF_THE_SOURCE = "baseline"


def is_measure(part: str) -> bool:
    """Whether more of a part of a score is better: a measure of the system, not a count, and not a measure of the source.

    >>> [is_measure(part) for part in ("recall", "correction.wacc", "proposed", "baseline.correction.wacc")]
    [True, True, False, False]
    """
    group, _, name = part.rpartition(".")
    return name in _MEASURES and not group.startswith(_OF_THE_SOURCE)


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
