"""Tables of cases or counts from files."""

from __future__ import annotations

from dataclasses import replace
from operator import ne
from typing import TYPE_CHECKING, Any, NamedTuple

from errata.detection.cases import DEFAULT_THRESHOLD, Answers, Cases, Labels, describe_threshold
from errata.detection.counts import CountsTable
from errata.detection.layout import CASE_ROLES, COUNT_ROLES, Layout, find_layout
from errata.detection.signatures import describe_table
from errata.detection.statistics import judge_systems
from errata.detection.values import MOST_CASES, NO_CASES, TableValues
from errata.errors import FormatError, InputError, UsageError
from errata.formats.lines import display_path
from errata.formats.problems import warn_in_python
from errata.formats.tables import TABULAR_FORMATS, guess_table_format, open_table, warn_of_misspelt

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from os import PathLike

    from errata.detection.layout import Role, SystemColumns
    from errata.detection.statistics import JudgedSystem
    from errata.formats.problems import Problem
    from errata.formats.tables import Chunk


def read_judged_systems(
    path: str | PathLike[str],
    *,
    columns: Mapping[Role, Sequence[str]] | None = None,
    format: str | None = None,  # noqa: A002 - the word users know
    progress: Callable[[int], None] | None = None,
    warn: Callable[[Problem], None] = warn_in_python,
) -> list[JudgedSystem]:
    """Read the systems of a table of cases or counts: CSV, TSV, JSON Lines or Parquet, also compressed with gzip or zstd.

    ``columns`` names the columns of roles (:mod:`errata.detection.layout`) if they have other names.
    A system with confidences only flags cases with a confidence of at least 0.5.
    ``warn`` takes warnings about columns that are probably misspelt, and about rows of counts that are the sum of others.
    """
    found = _read_table(str(path), columns, format, progress, warn)
    if isinstance(found, CountsTable):
        found.warn_of_totals(warn)
        return found.judged()
    return judge_systems(found.cases())


def read_cases(
    path: str | PathLike[str],
    *,
    columns: Mapping[Role, Sequence[str]] | None = None,
    format: str | None = None,  # noqa: A002 - the word users know
    progress: Callable[[int], None] | None = None,
    warn: Callable[[Problem], None] = warn_in_python,
) -> Cases:
    """Read a table of cases, as :func:`read_judged_systems` does; a table of counts is refused, because its systems share no cases."""
    found = _read_table(str(path), columns, format, progress, warn)
    if isinstance(found, CountsTable):
        raise InputError(f"{display_path(str(path))} is a table of counts, expected cases; read it with read_judged_systems")
    return found.cases()


def _read_table(
    path: str,
    columns: Mapping[Role, Sequence[str]] | None,
    format_: str | None,
    progress: Callable[[int], None] | None,
    warn: Callable[[Problem], None],
) -> _Parts | CountsTable:
    chosen = format_ or guess_table_format(path)
    if chosen not in TABULAR_FORMATS:
        raise UsageError(f"unknown format {chosen!r}; choose from {', '.join(TABULAR_FORMATS)}")
    shown = display_path(path)
    with open_table(path, chosen) as table:
        try:
            layout = find_layout(table.header, columns)
        except InputError as error:
            raise FormatError(shown, 1, str(error)) from None
        roles = CASE_ROLES if isinstance(layout, Layout) else COUNT_ROLES
        warn_of_misspelt(table.header, layout.columns, roles, shown, warn)
        parts = _Parts(layout, shown) if isinstance(layout, Layout) else CountsTable(layout, shown)
        rows = 0
        for chunk in table.chunks(layout.columns):
            parts.add(chunk)
            rows += chunk.rows
            if progress is not None:
                progress(chunk.rows)
    if not rows:
        raise FormatError(shown, None, "the table has no cases")
    return parts


class _Parts:
    """The columns of the cases read so far."""

    def __init__(self, layout: Layout, path: str) -> None:
        self._layout, self._path = layout, path
        self._values = TableValues(path)
        self._error: list[Any] = []
        self._counts: list[Any] = []
        self._answers: list[list[_Answer]] = [[] for _ in layout.systems]
        named = ("type", layout.type), ("unit", layout.unit), ("document", layout.document)
        self._labels = {role: _Names(column) for role, column in named if column is not None}

    def add(self, chunk: Chunk) -> None:
        """Read some rows; those that stand for no case are checked, but not kept."""
        import numpy as np

        layout, values = self._layout, self._values
        written = values.texts(chunk, layout.written) if layout.written is not None else None
        annotated = [values.texts(chunk, name) for name in layout.annotated]
        if written is not None and annotated:
            wrong = [_unequal(written, texts) for texts in annotated]
            error = np.mean(wrong, axis=0)
        elif len(layout.error) > 1:
            wrong = []
            error = np.mean([values.flags(chunk, name) for name in layout.error], axis=0)
        else:
            wrong = []
            error = self._shares(chunk, layout.error[0])
        kept: Any = slice(None)
        if layout.count is not None:
            counts = values.whole(chunk, layout.count)
            kept = np.flatnonzero(counts)
            self._counts.append(counts[kept])
        self._error.append(error[kept])
        for system, parts in zip(layout.systems, self._answers, strict=True):
            answer = self._answer(chunk, system, written, annotated, wrong)
            parts.append(_Answer(*(part[kept] if part is not None else None for part in answer)))
        for names in self._labels.values():
            texts = values.texts(chunk, names.column)
            names.add(texts if layout.count is None else [texts[index] for index in kept.tolist()])

    def _answer(self, chunk: Chunk, system: SystemColumns, written: Any, annotated: list[Any], wrong: list[Any]) -> _Answer:
        import numpy as np

        values = self._values
        confidence = values.between(chunk, system.confidence) if system.confidence is not None else None
        fixed = None
        if system.system is not None:
            texts = values.texts(chunk, system.system)
            flagged = _unequal(written, texts)
            if annotated:
                hits = [~_unequal(texts, wanted) & is_wrong for wanted, is_wrong in zip(annotated, wrong, strict=True)]
                fixed = np.mean(hits, axis=0)
        elif system.flagged is not None:
            flagged = values.flags(chunk, system.flagged)
        else:
            flagged = np.asarray(confidence) >= DEFAULT_THRESHOLD
        return _Answer(flagged, fixed, confidence)

    def _shares(self, chunk: Chunk, column: str) -> Any:
        """Return the share of annotators who say error, from counts or directly."""
        layout, values = self._layout, self._values
        if layout.judges is None:
            return values.flags_or_shares(chunk, column, "a number from 0 to 1 (or a whole number, with a column judges)")
        errors, judges = values.whole(chunk, column), values.whole(chunk, layout.judges, 1)
        values.check(chunk, column, errors <= judges, "at most the number of judges")
        return errors / judges

    def cases(self) -> Cases:
        """Make cases of all that was read."""
        import numpy as np

        systems = []
        for columns, parts in zip(self._layout.systems, self._answers, strict=True):
            joined = [np.concatenate(part) if part[0] is not None else None for part in zip(*parts, strict=True)]
            alone = columns.system is None and columns.flagged is None
            systems.append(Answers(columns.name, joined[0], joined[1], joined[2], describe_threshold(DEFAULT_THRESHOLD) if alone else ""))
        error = np.concatenate(self._error)
        weights = np.concatenate(self._counts) if self._counts else None
        self._check_total(weights)
        labels = {role: names.labels() for role, names in self._labels.items()}
        several = max(len(self._layout.annotated), len(self._layout.error)) > 1
        graded = several or bool(np.any((error > 0) & (error < 1)))
        annotations = self._layout.annotated or self._layout.error
        counted = f", counted by {self._layout.count}" if weights is not None else ""
        what = f"rows of {self._path} (annotations: {', '.join(annotations)}{counted})"
        cases = Cases(
            error,
            tuple(systems),
            what,
            graded=graded,
            types=labels.get("type"),
            units=labels.get("unit"),
            documents=labels.get("document"),
            weights=weights,
        )
        return replace(cases, data=describe_table(self._path, self._layout.columns, len(cases), [cases]))

    def _check_total(self, weights: Any) -> None:
        if weights is None:
            return
        total = weights.sum()
        if not total:
            raise FormatError(self._path, None, NO_CASES)
        if total >= MOST_CASES:
            raise FormatError(self._path, None, f"more cases than can be counted, {MOST_CASES:,}")


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
