"""The values of a chunk of a table: texts, numbers and flags, or an error that says what was expected at which line."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NoReturn

from errata.errors import FormatError, InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from errata.formats.tables import Chunk

MOST_CASES = 2**53
"""Larger whole numbers are not exact as floating-point numbers."""
NO_CASES = "the table has no cases: all counts are 0"
_TRUE, _FALSE = {"1", "1.0", "true", "yes", "error"}, {"0", "0.0", "false", "no"}
_FLAG = "1 or 0, true or false, yes or no"


class TableValues:
    """Reads values of the table at a path."""

    def __init__(self, path: str) -> None:
        self.path = path

    def texts(self, chunk: Chunk, column: str) -> Sequence[str]:
        """Return a column as texts; null in JSON or Parquet is an empty text."""
        values = chunk.columns[column]
        values = values.tolist() if hasattr(values, "tolist") else values
        kinds = set(map(type, values))
        if kinds <= {str}:
            return values
        if kinds <= {str, type(None)}:
            return ["" if value is None else value for value in values]
        if len(kinds - {type(None)}) == 1 and kinds & {int, bool, float}:  # such as the numbers of sentences
            return ["" if value is None else str(value) for value in values]
        index = next(number for number, value in enumerate(values) if not isinstance(value, str | None))
        return self.refuse(chunk, index, column, "a text", values[index])

    def numbers(self, chunk: Chunk, column: str, expected: str) -> Any:
        """Return a column as floating-point numbers, none of which is undefined."""
        import numpy as np

        values = chunk.columns[column]
        if isinstance(values, np.ndarray):
            return values.astype(np.float64)
        if set(map(type, values)) <= {str, int, float}:
            try:
                return np.fromiter(map(float, values), dtype=np.float64, count=len(values))
            except (ValueError, OverflowError):  # located below
                pass
        for index, value in enumerate(values):
            if not _is_number(value):
                self.refuse(chunk, index, column, expected, value)
        raise InputError(f"{self.path}: {column}: expected {expected}")

    def between(self, chunk: Chunk, column: str, expected: str = "a number from 0 to 1") -> Any:
        """Return a column as numbers from 0 to 1."""
        numbers = self.numbers(chunk, column, expected)
        self.check(chunk, column, (numbers >= 0) & (numbers <= 1), expected)
        return numbers

    def whole(self, chunk: Chunk, column: str, least: int = 0) -> Any:
        """Return a column as whole numbers."""
        import numpy as np

        expected = f"a whole number from {least}"
        numbers = self.numbers(chunk, column, expected)
        self.check(chunk, column, (numbers >= least) & (numbers == np.floor(numbers)), expected)
        self.check(chunk, column, numbers < MOST_CASES, f"a number below {MOST_CASES:,}")
        return numbers

    def flags(self, chunk: Chunk, column: str) -> Any:
        """Return a column of yes and no."""
        import numpy as np

        values = chunk.columns[column]
        if isinstance(values, np.ndarray):
            self.check(chunk, column, (values == 0) | (values == 1), _FLAG)
            return values == 1
        texts = [str(value).strip().lower() if value is not None else "" for value in values]
        self.check(chunk, column, np.array([text in _TRUE or text in _FALSE for text in texts]), _FLAG)
        return np.array([text in _TRUE for text in texts])

    def flags_or_shares(self, chunk: Chunk, column: str, expected: str) -> Any:
        """Return a column of yes and no, or of numbers from 0 to 1."""
        import numpy as np

        words = chunk.columns[column]
        if not isinstance(words, np.ndarray):
            texts = [str(value).strip().lower() for value in words]
            if set(texts) <= _TRUE | _FALSE:
                return np.array([text in _TRUE for text in texts], dtype=float)
        return self.between(chunk, column, expected)

    def check(self, chunk: Chunk, column: str, good: Any, expected: str) -> None:
        """Raise at the first row that is not good."""
        if not good.all():
            index = int((~good).argmax())
            self.refuse(chunk, index, column, expected, chunk.columns[column][index])

    def refuse(self, chunk: Chunk, row: int, column: str, expected: str, found: Any) -> NoReturn:
        """Raise an error about a value."""
        found = found.item() if hasattr(found, "item") else found
        raise FormatError(self.path, chunk.lines.of(row), f"{column}: expected {expected}, found {found!r:.60}")


def _is_number(value: object) -> bool:
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return False
    try:
        return not math.isnan(float(value))
    except (ValueError, OverflowError):
        return False
