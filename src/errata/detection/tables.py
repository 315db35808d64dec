"""Tables of cases from files."""

from __future__ import annotations

import math
from operator import ne
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn

from errata.detection.cases import Answers, Cases, Labels, describe_threshold
from errata.detection.layout import ROLES, find_layout
from errata.errors import FormatError, InputError, UsageError
from errata.formats.chunks import warn_of_misspelt
from errata.formats.lines import display_path
from errata.formats.problems import warn_in_python
from errata.formats.tables import TABULAR_FORMATS, guess_table_format, open_table

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from os import PathLike

    from errata.detection.layout import Layout, Role, SystemColumns
    from errata.formats.chunks import Chunk
    from errata.formats.problems import Problem

DEFAULT_THRESHOLD = 0.5
_TRUE, _FALSE = {"1", "1.0", "true", "yes", "error"}, {"0", "0.0", "false", "no"}
_FLAG = "1 or 0, true or false, yes or no"


def read_cases(
    path: str | PathLike[str],
    *,
    columns: Mapping[Role, Sequence[str]] | None = None,
    format: str | None = None,  # noqa: A002 - the word users know
    progress: Callable[[int], None] | None = None,
    warn: Callable[[Problem], None] = warn_in_python,
) -> Cases:
    """Read a table of cases: CSV, TSV, JSON Lines or Parquet, also compressed with gzip.

    ``columns`` names the columns of roles (:mod:`errata.detection.layout`) if they have other names.
    A system with confidences only flags cases with a confidence of at least 0.5.
    ``warn`` takes warnings about columns that are probably misspelt.
    """
    path = str(path)
    chosen = format or guess_table_format(path)
    if chosen not in TABULAR_FORMATS:
        raise UsageError(f"unknown format {chosen!r}; choose from {', '.join(TABULAR_FORMATS)}")
    with open_table(path, chosen) as table:
        try:
            layout = find_layout(table.header, columns)
        except InputError as error:
            raise FormatError(display_path(path), 1, str(error)) from None
        warn_of_misspelt(table.header, layout.columns, ROLES, display_path(path), warn)
        parts = _Parts(layout, display_path(path))
        for chunk in table.chunks(layout.columns):
            parts.add(chunk)
            if progress is not None:
                progress(chunk.rows)
    if not parts.rows:
        raise FormatError(display_path(path), None, "the table has no cases")
    return parts.cases()


class _Parts:
    """The columns of the cases read so far."""

    def __init__(self, layout: Layout, path: str) -> None:
        self._layout, self._path = layout, path
        self._error: list[Any] = []
        self._answers: list[list[_Answer]] = [[] for _ in layout.systems]
        named = ("type", layout.type), ("unit", layout.unit), ("document", layout.document)
        self._labels = {role: _Names(column) for role, column in named if column is not None}
        self.rows = 0

    def add(self, chunk: Chunk) -> None:
        import numpy as np

        layout = self._layout
        written = self._texts(chunk, layout.written) if layout.written is not None else None
        annotated = [self._texts(chunk, name) for name in layout.annotated]
        if written is not None and annotated:
            wrong = [_unequal(written, texts) for texts in annotated]
            error = np.mean(wrong, axis=0)
        elif len(layout.error) > 1:
            wrong = []
            error = np.mean([self._flags(chunk, name) for name in layout.error], axis=0)
        else:
            wrong = []
            error = self._shares(chunk, layout.error[0])
        self._error.append(error)
        for system, parts in zip(layout.systems, self._answers, strict=True):
            parts.append(self._answer(chunk, system, written, annotated, wrong))
        for names in self._labels.values():
            names.add(self._texts(chunk, names.column))
        self.rows += chunk.rows

    def _answer(self, chunk: Chunk, system: SystemColumns, written: Any, annotated: list[Any], wrong: list[Any]) -> _Answer:
        import numpy as np

        confidence = self._between(chunk, system.confidence) if system.confidence is not None else None
        fixed = None
        if system.system is not None:
            texts = self._texts(chunk, system.system)
            flagged = _unequal(written, texts)
            if annotated:
                hits = [~_unequal(texts, wanted) & is_wrong for wanted, is_wrong in zip(annotated, wrong, strict=True)]
                fixed = np.mean(hits, axis=0)
        elif system.flagged is not None:
            flagged = self._flags(chunk, system.flagged)
        else:
            flagged = np.asarray(confidence) >= DEFAULT_THRESHOLD
        return _Answer(flagged, fixed, confidence)

    def _texts(self, chunk: Chunk, column: str) -> Sequence[str]:
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
        return self._refuse(chunk, index, column, "a text", values[index])

    def _numbers(self, chunk: Chunk, column: str, expected: str) -> Any:
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
                self._refuse(chunk, index, column, expected, value)
        raise InputError(f"{self._path}: {column}: expected {expected}")

    def _between(self, chunk: Chunk, column: str, expected: str = "a number from 0 to 1") -> Any:
        numbers = self._numbers(chunk, column, expected)
        self._check(chunk, column, (numbers >= 0) & (numbers <= 1), expected)
        return numbers

    def _flags(self, chunk: Chunk, column: str) -> Any:
        import numpy as np

        values = chunk.columns[column]
        if isinstance(values, np.ndarray):
            self._check(chunk, column, (values == 0) | (values == 1), _FLAG)
            return values == 1
        texts = [str(value).strip().lower() if value is not None else "" for value in values]
        self._check(chunk, column, np.array([text in _TRUE or text in _FALSE for text in texts]), _FLAG)
        return np.array([text in _TRUE for text in texts])

    def _shares(self, chunk: Chunk, column: str) -> Any:
        """Return the share of annotators who say error, from counts or directly."""
        import numpy as np

        layout = self._layout
        if layout.judges is None:
            words = chunk.columns[column]
            if not isinstance(words, np.ndarray):
                texts = [str(value).strip().lower() for value in words]
                if set(texts) <= _TRUE | _FALSE:
                    return np.array([text in _TRUE for text in texts], dtype=float)
            return self._between(chunk, column, "a number from 0 to 1 (or a whole number, with a column judges)")
        errors = self._numbers(chunk, column, "a whole number from 0")
        judges = self._numbers(chunk, layout.judges, "a whole number from 1")
        self._check(chunk, column, (errors >= 0) & (errors == np.floor(errors)), "a whole number from 0")
        self._check(chunk, layout.judges, (judges >= 1) & (judges == np.floor(judges)), "a whole number from 1")
        self._check(chunk, column, errors <= judges, "at most the number of judges")
        return errors / judges

    def _check(self, chunk: Chunk, column: str, good: Any, expected: str) -> None:
        if not good.all():
            index = int((~good).argmax())
            self._refuse(chunk, index, column, expected, chunk.columns[column][index])

    def _refuse(self, chunk: Chunk, row: int, column: str, expected: str, found: Any) -> NoReturn:
        found = found.item() if hasattr(found, "item") else found
        raise FormatError(self._path, chunk.lines.of(row), f"{column}: expected {expected}, found {found!r:.60}")

    def cases(self) -> Cases:
        """Make cases of all that was read."""
        import numpy as np

        systems = []
        for columns, parts in zip(self._layout.systems, self._answers, strict=True):
            joined = [np.concatenate(part) if part[0] is not None else None for part in zip(*parts, strict=True)]
            alone = columns.system is None and columns.flagged is None
            systems.append(Answers(columns.name, joined[0], joined[1], joined[2], describe_threshold(DEFAULT_THRESHOLD) if alone else ""))
        error = np.concatenate(self._error)
        labels = {role: names.labels() for role, names in self._labels.items()}
        several = max(len(self._layout.annotated), len(self._layout.error)) > 1
        graded = several or bool(np.any((error > 0) & (error < 1)))
        annotations = self._layout.annotated or self._layout.error
        what = f"rows of {self._path} (annotations: {', '.join(annotations)})"
        return Cases(
            error, tuple(systems), what, graded=graded, types=labels.get("type"), units=labels.get("unit"), documents=labels.get("document")
        )


class _Answer(NamedTuple):
    flagged: Any
    fixed: Any
    confidence: Any


class _Names:
    """Names as numbers, in the order of their first occurrence."""

    def __init__(self, column: str) -> None:
        self.column = column
        self._known: dict[str, int] = {}
        self._codes: list[Any] = []

    def add(self, texts: Sequence[str]) -> None:
        import numpy as np

        known = self._known
        for text in dict.fromkeys(texts):
            known.setdefault(text, len(known))
        self._codes.append(np.fromiter(map(known.__getitem__, texts), dtype=np.int32, count=len(texts)))

    def labels(self) -> Labels:
        import numpy as np

        return Labels(np.concatenate(self._codes), tuple(self._known))


def _unequal(one: Sequence[str], other: Sequence[str]) -> Any:
    import numpy as np

    return np.fromiter(map(ne, one, other), dtype=bool, count=len(one))


def _is_number(value: object) -> bool:
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return False
    try:
        return not math.isnan(float(value))
    except (ValueError, OverflowError):
        return False
