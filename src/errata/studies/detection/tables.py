"""Tables of cases or counts from files."""

from __future__ import annotations

import hashlib
import math
from dataclasses import dataclass, replace
from operator import ne
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, NoReturn, get_args

from errata.corpus.references import DIGITS
from errata.errors import FormatError, InputError, MismatchError, UsageError, pluralise
from errata.formats.labelled_tokens import LabelledSentence, read_labelled_tokens
from errata.formats.lines import display_path
from errata.formats.problems import Problem, warn_in_python
from errata.formats.tables import (
    TABULAR_FORMATS,
    find_repeated,
    guess_table_format,
    list_columns,
    open_table,
    warn_of_misspelt,
)
from errata.studies.detection.cases import DEFAULT_RULE, DEFAULT_THRESHOLD, Answers, Cases, Labels
from errata.studies.detection.measures import JudgedSystem, judge_systems

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from os import PathLike

    from errata.formats.tables import Chunk


_MOST_CASES = 2**53
"""Larger whole numbers are not exact as floating-point numbers."""
_NO_CASES = "the table has no cases: all counts are 0"
_TRUE, _FALSE = {"1", "1.0", "true", "yes", "error"}, {"0", "0.0", "false", "no"}
_FLAG = "1 or 0, true or false, yes or no"


class _TableValues:
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
        self.check(chunk, column, numbers < _MOST_CASES, f"a number below {_MOST_CASES:,}")
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


# The roles of the columns of a table.  A column has a role by its name, or because a caller says so.  If no column is named exactly like a
# role, several columns may have it with a suffix: annotators a number (``annotated_1``, ``error_2``), systems a name (``system_mine`` with
# ``confidence_mine``).
#
# A table has a row for each case, or for some cases (``count``); or, if it has the columns ``tp``, ``fp``, ``fn`` and ``tn``, a row for
# each system and type.

_CaseRole = Literal["written", "annotated", "system", "confidence", "error", "judges", "flagged", "type", "unit", "document", "count"]
_CountRole = Literal["system", "type", "tp", "fp", "fn", "tn", "n"]
_Role = _CaseRole | _CountRole
_CASE_ROLES: tuple[_CaseRole, ...] = get_args(_CaseRole)
_COUNT_ROLES: tuple[_CountRole, ...] = get_args(_CountRole)
_FOUR_COUNTS: tuple[_CountRole, ...] = ("tp", "fp", "fn", "tn")
_ROLES: tuple[_Role, ...] = (*_CASE_ROLES, *(role for role in _COUNT_ROLES if role not in _CASE_ROLES))
_COUNT_NAMES = """
    case_count cases count counts freq freqs frequencies frequency multiplicity n n_cases num num_cases number number_of_cases occurrences
    repeats times weight weights
"""
COUNT_NAMES = frozenset(_COUNT_NAMES.split())
"""Names of columns that probably say how many cases a row stands for, in lower case; such a column is never skipped."""
_BY_NUMBER, _BY_NAME = ("annotated", "error"), ("system", "confidence", "flagged")
"""Roles that several columns may have, with numbers or the names of systems as suffixes."""
_SYSTEM_ALONE = "system"
"""The name of a system whose columns have no suffix."""


@dataclass(frozen=True)
class _SystemColumns:
    """The columns of one system."""

    name: str
    system: str | None = None
    flagged: str | None = None
    confidence: str | None = None


@dataclass(frozen=True)
class _Layout:
    """The columns of a table by their roles."""

    systems: tuple[_SystemColumns, ...]
    annotated: tuple[str, ...] = ()
    written: str | None = None
    error: tuple[str, ...] = ()
    judges: str | None = None
    type: str | None = None
    unit: str | None = None
    document: str | None = None
    count: str | None = None

    @property
    def columns(self) -> list[str]:
        """All columns that are read."""
        own = [name for system in self.systems for name in (system.system, system.flagged, system.confidence)]
        single = (self.written, *self.annotated, *self.error, self.judges, self.type, self.unit, self.document, self.count)
        return [name for name in (*single, *own) if name is not None]


@dataclass(frozen=True)
class _CountsLayout:
    """The columns of a table of counts by their roles."""

    tp: str
    fp: str
    fn: str
    tn: str
    n: str | None = None
    system: str | None = None
    type: str | None = None

    @property
    def columns(self) -> list[str]:
        """All columns that are read."""
        return [name for name in (self.tp, self.fp, self.fn, self.tn, self.n, self.system, self.type) if name is not None]


def _find_layout(header: Sequence[str], given: Mapping[_Role, Sequence[str]] | None = None) -> _Layout | _CountsLayout:
    """Find the layout of a table with these columns; ``given`` names columns for roles.

    >>> _find_layout(["written", "annotated", "system", "confidence"]).systems
    (_SystemColumns(name='system', system='system', flagged=None, confidence='confidence'),)
    >>> _find_layout(["Type", "TP", "FP", "FN", "TN"])
    _CountsLayout(tp='TP', fp='FP', fn='FN', tn='TN', n=None, system=None, type='Type')
    """
    given = given or {}
    _check_header(header)
    _check_given(header, given)
    taken = {name for names in given.values() for name in names}
    free = [name for name in header if name not in taken]
    columns: dict[_Role, list[str]] = {role: _find_named(role, free) for role in _CASE_ROLES}
    columns.update({role: list(names) for role, names in given.items()})
    counts = {role: given[role] if role in given else [name for name in free if name.strip().lower() == role] for role in _COUNT_ROLES}
    if any(counts[role] for role in _FOUR_COUNTS) or "n" in given:
        layout: _Layout | _CountsLayout = _make_counts_layout(header, counts, columns)
    else:
        layout = _make_layout(header, columns, given)
    _check_unread_counts(header, layout, given)
    return layout


def _check_given(header: Sequence[str], given: Mapping[_Role, Sequence[str]]) -> None:
    for role, names in given.items():
        if role not in _ROLES:
            raise UsageError(f"unknown role {role!r} of a column; choose from {', '.join(_ROLES)}")
        if missing := [name for name in names if name not in header]:
            raise InputError(f"there is no column {missing[0]!r}; the columns are {list_columns(header)}")
        if len(names) > 1 and role not in _BY_NUMBER + _BY_NAME:
            raise UsageError(f"only one column can be {role}, found {', '.join(names)}")


def _make_layout(header: Sequence[str], columns: Mapping[_Role, Sequence[str]], given: Mapping[_Role, Sequence[str]]) -> _Layout:
    single: dict[_Role, str | None] = {role: next(iter(columns[role]), None) for role in _CASE_ROLES if role not in _BY_NUMBER + _BY_NAME}
    _check_gold(single, columns, header)
    systems = _find_systems(columns, given)
    if not systems:
        raise InputError(f"the system has no column: expected a column system, flagged or confidence, found {list_columns(header)}")
    if columns["system"] and single["written"] is None:
        raise InputError("the column system needs a column written; or use flagged instead of system")
    if (twice := find_repeated(item.name for item in systems)) is not None:
        raise InputError(f"two systems are named {twice[:40]!r}")
    return _Layout(
        systems,
        tuple(columns["annotated"]),
        single["written"],
        tuple(columns["error"]),
        single["judges"],
        single["type"],
        single["unit"],
        single["document"],
        single["count"],
    )


def _make_counts_layout(
    header: Sequence[str], counts: Mapping[_CountRole, Sequence[str]], cases: Mapping[_Role, Sequence[str]]
) -> _CountsLayout:
    found = [name for role in _FOUR_COUNTS for name in counts[role]]
    of_cases = [name for role in _CASE_ROLES if role not in _COUNT_ROLES and role != "count" for name in cases[role]]
    if of_cases:
        both = f"counts ({list_columns(found or counts['n'])}) cannot be combined with cases ({list_columns(of_cases)}) in one table"
        raise InputError(f"{both}; rename or remove the columns of one of them")
    if missing := [role for role in _FOUR_COUNTS if not counts[role]]:
        raise InputError(f"counts need the columns tp, fp, fn and tn; there is no {' and no '.join(missing)}, found {list_columns(header)}")
    for role, names in counts.items():
        if len(names) > 1:
            raise InputError(f"two columns are named {role!r}: {', '.join(names)}")
    return _CountsLayout(**{role: next(iter(names), None) for role, names in counts.items()})  # type: ignore[arg-type]


def _check_unread_counts(header: Sequence[str], layout: _Layout | _CountsLayout, given: Mapping[_Role, Sequence[str]]) -> None:
    """Refuse a column that says how many cases a row stands for, but is not read."""
    role = "count" if isinstance(layout, _Layout) else "n"
    unread = [name for name in header if name.strip().lower() in COUNT_NAMES and name not in layout.columns]
    if unread and role not in given:
        name = unread[0]
        what = "how many cases each row stands for" if role == "count" else "the number of cases, the sum of tp, fp, fn and tn"
        raise InputError(
            f"the column {name!r} is not read; if it is {what}, use --column {role}={name} "
            f"(columns={{{role!r}: [{name!r}]}} in Python), else rename or remove it"
        )


def _check_header(header: Sequence[str]) -> None:
    if not header or not any(name.strip() for name in header):
        raise InputError("the first line must name the columns, found none")
    if (twice := find_repeated(header)) is not None:
        raise InputError(f"two columns are named {twice[:40]!r}")


def _find_named(role: _Role, header: Sequence[str]) -> list[str]:
    """Find the columns that have a role by their names."""
    if role in header:
        return [role]
    behind = [(name, name.removeprefix(f"{role}_")) for name in header if name.startswith(f"{role}_")]
    if role in _BY_NUMBER:
        return [name for name, rest in behind if rest.isdecimal()]
    return [name for name, _ in behind] if role in _BY_NAME else []


def _check_gold(single: Mapping[_Role, str | None], columns: Mapping[_Role, Sequence[str]], header: Sequence[str]) -> None:
    by_text, errors = bool(columns["annotated"]), columns["error"]
    if by_text and single["written"] is None:
        raise InputError(f"the column annotated needs a column written, found {list_columns(header)}")
    if by_text and errors:
        raise InputError(f"{columns['annotated'][0]} and {errors[0]} both mark errors; use only one of them")
    if not by_text and not errors:
        raise InputError(f"no column marks errors: expected the columns written and annotated, or error, found {list_columns(header)}")
    if single["judges"] is not None and len(errors) != 1:
        raise InputError("the column judges needs exactly one column error, the number of annotators who say error")


def _find_systems(named: Mapping[_Role, Sequence[str]], given: Mapping[_Role, Sequence[str]]) -> tuple[_SystemColumns, ...]:
    """Find systems by the suffixes of their columns, or in the order in which their columns are given."""
    roles: tuple[_Role, ...] = ("system", "flagged", "confidence")
    if not any(role in given for role in roles):
        names = dict.fromkeys(name.removeprefix(role).removeprefix("_") for role in roles for name in named[role])
        columns = {role: {name.removeprefix(role).removeprefix("_"): name for name in named[role]} for role in roles}
        return tuple(_SystemColumns(name or _SYSTEM_ALONE, *(columns[role].get(name) for role in roles)) for name in names)
    alone = all(len(named[role]) <= 1 for role in roles)
    named = {role: named[role] if role in given or alone else [] for role in roles}  # the systems of the others are unknown
    main = next(role for role in roles if named[role])
    for role in roles:
        if named[role] and len(named[role]) != len(named[main]):
            raise UsageError(
                f"{pluralise(len(named[main]), 'column')} for {main}, but {len(named[role])} for {role}; each system needs one of each"
            )
    systems = []
    for index, name in enumerate(named[main]):
        own = {role: named[role][index] if named[role] else None for role in roles}
        systems.append(_SystemColumns(name, own["system"], own["flagged"], own["confidence"]))
    return tuple(systems)


# Tables of counts: the true and false positives and negatives of systems, as others publish them.  Chodorow et al. (2012, section 3.4)
# recommend to report these four, because all measures follow from them.  Counts stay counts: they are the weights of four rows, true
# positive to true negative, so a large count takes no more memory than a small one.

_MOST_SYSTEMS = 1_000
"""Systems of a table, as many as a table of cases can have columns."""
_ROUNDED = 0.02 + 1e-9
"""How much the sum of four numbers may differ from what it should be, if each is rounded to two decimals."""
_EXACT = 1e-9
"""How much a sum may differ because of floating-point numbers."""
_NUMBER = "a number from 0"


class _Row(NamedTuple):
    """The four numbers of a system and type."""

    line: int
    numbers: tuple[float, ...]
    is_whole: bool
    proportions: bool


class _CountsTable:
    """The rows of a table that were read so far, by system and type."""

    def __init__(self, layout: _CountsLayout, path: str) -> None:
        self._layout, self._path = layout, path
        self._values = _TableValues(path)
        self._systems: dict[str, dict[str, _Row]] = {}

    def add(self, chunk: Chunk) -> None:
        """Read some rows."""
        layout = self._layout
        systems, types = self._names(chunk, layout.system, _SYSTEM_ALONE), self._names(chunk, layout.type, "")
        for index, (system, type_, row) in enumerate(zip(systems, types, self._rows(chunk), strict=True)):
            if layout.system is not None and not system.strip():
                self._values.refuse(chunk, index, layout.system, "the name of a system", system)
            own = self._systems.setdefault(system, {})
            if len(self._systems) > _MOST_SYSTEMS:
                raise FormatError(self._path, row.line, f"more than {_MOST_SYSTEMS:,} systems")
            if type_ in own:
                raise FormatError(
                    self._path, row.line, f"{self._explain_repeated(system, type_)}, found another in line {own[type_].line:,}"
                )
            own[type_] = row
            if len(own) > 1 and (row.proportions or next(iter(own.values())).proportions):
                raise FormatError(self._path, row.line, f"proportions need one row for each system, found {len(own)} of {system[:40]!r}")

    def _names(self, chunk: Chunk, column: str | None, default: str) -> Sequence[str]:
        return [default] * chunk.rows if column is None else self._values.texts(chunk, column)

    def _explain_repeated(self, system: str, type_: str) -> str:
        if self._layout.system is None and self._layout.type is None:
            return "expected one row, or a column system or type that names them"
        named = [(self._layout.system, f"the system {system[:40]!r}"), (self._layout.type, f"the type {type_[:40]!r}")]
        return f"expected one row for {' and '.join(name for column, name in named if column is not None)}"

    def _rows(self, chunk: Chunk) -> Iterator[_Row]:
        columns = []
        for role in _FOUR_COUNTS:
            name = getattr(self._layout, role)
            numbers = self._values.numbers(chunk, name, _NUMBER)
            self._values.check(chunk, name, numbers >= 0, _NUMBER)
            self._values.check(chunk, name, numbers < _MOST_CASES, f"a number below {_MOST_CASES:,}")
            columns.append(numbers.tolist())
        known = self._values.whole(chunk, self._layout.n).tolist() if self._layout.n is not None else [None] * chunk.rows
        for index, (n, *numbers) in enumerate(zip(known, *columns, strict=True)):
            yield self._make_row(chunk.lines.of(index), tuple(numbers), n)

    def _make_row(self, line: int, numbers: tuple[float, ...], n: float | None) -> _Row:
        """Distinguish counts, proportions, and counts of graded judgments, which sum to the number of cases too."""
        total, is_whole = sum(numbers), all(number.is_integer() for number in numbers)
        if n is None:
            proportions = not is_whole and abs(total - 1) <= _ROUNDED
            expected = "" if is_whole or proportions else "whole numbers, or proportions that sum to 1 (graded counts need a column n)"
        else:
            proportions = False
            expected = "" if abs(total - n) <= (0 if is_whole else _ROUNDED) else f"numbers that sum to n ({n:.0f})"
        if expected:
            shown = ", ".join(f"{number:.10g}" for number in numbers)
            raise FormatError(self._path, line, f"tp, fp, fn, tn: expected {expected}, found {shown}, which sum to {total:.10g}")
        return _Row(line, numbers, is_whole, proportions)

    def warn_of_totals(self, warn: Callable[[Problem], None]) -> None:
        """Warn about rows that are the sum of all others of the system, because they are counted too."""
        for own in self._systems.values():
            sums = [sum(numbers) for numbers in zip(*(row.numbers for row in own.values()), strict=True)]
            for type_, row in own.items():
                is_total = all(2 * number == total for number, total in zip(row.numbers, sums, strict=True))
                if len(own) > 2 and any(sums) and is_total:  # noqa: PLR2004 - two types and their sum
                    message = (
                        f"the row {type_[:40]!r} is the sum of the other rows of its system, and is counted too; remove it if it is a total"
                    )
                    warn(Problem(self._path, row.line, "warning", message))

    def judged(self) -> list[JudgedSystem]:
        """Make cases of all that was read, for each system its own."""
        if not any(any(row.numbers) for rows in self._systems.values() for row in rows.values()):
            raise FormatError(self._path, None, _NO_CASES)
        judged = [self._judge(system, rows) for system, rows in self._systems.items()]
        count = sum(map(len, self._systems.values()))
        data = _describe_table(self._path, self._layout.columns, count, (item.cases for item in judged))
        return [item._replace(cases=replace(item.cases, data=data)) for item in judged]

    def _judge(self, system: str, rows: Mapping[str, _Row]) -> JudgedSystem:
        import numpy as np

        weights = np.array([row.numbers for row in rows.values()]).ravel()
        if weights.sum() >= _MOST_CASES:
            raise FormatError(self._path, None, f"{system[:40]} has more cases than can be counted, {_MOST_CASES:,}")
        proportions = any(row.proportions for row in rows.values())
        total = float(weights.sum())
        notes = (f"The proportions sum to {total:.10g}.",) if proportions and abs(total - 1) > _EXACT else ()
        answers = Answers(system, np.tile([True, True, False, False], len(rows)))
        cases = Cases(
            np.tile([1.0, 0.0, 1.0, 0.0], len(rows)),
            (answers,),
            f"{'proportions' if proportions else 'counts'} in {self._path}",
            notes=notes,
            graded=not proportions and not all(row.is_whole for row in rows.values()),
            types=Labels(np.repeat(np.arange(len(rows)), len(_FOUR_COUNTS)), tuple(rows)) if self._layout.type is not None else None,
            weights=weights,
            known="proportions" if proportions else "counts",
        )
        return JudgedSystem(cases, answers)


def read_judged_systems(
    path: str | PathLike[str],
    *,
    columns: Mapping[_Role, Sequence[str]] | None = None,
    format: str | None = None,  # noqa: A002 - the word users know
    progress: Callable[[int], None] | None = None,
    warn: Callable[[Problem], None] = warn_in_python,
) -> list[JudgedSystem]:
    """Read the systems of a table of cases or counts: CSV, TSV, JSON Lines or Parquet, also compressed with gzip or zstd.

    ``columns`` names the columns of roles (:mod:`errata.studies.detection.tables`) if they have other names.
    A system with confidences only flags cases with a confidence of at least 0.5.
    ``warn`` takes warnings about columns that are probably misspelt, and about rows of counts that are the sum of others.
    """
    found = _read_table(str(path), columns, format, progress, warn)
    if isinstance(found, _CountsTable):
        found.warn_of_totals(warn)
        return found.judged()
    return judge_systems(found.cases())


def read_cases(
    path: str | PathLike[str],
    *,
    columns: Mapping[_Role, Sequence[str]] | None = None,
    format: str | None = None,  # noqa: A002 - the word users know
    progress: Callable[[int], None] | None = None,
    warn: Callable[[Problem], None] = warn_in_python,
) -> Cases:
    """Read a table of cases, as :func:`read_judged_systems` does; a table of counts is refused, because its systems share no cases."""
    found = _read_table(str(path), columns, format, progress, warn)
    if isinstance(found, _CountsTable):
        raise InputError(f"{display_path(str(path))} is a table of counts, expected cases; read it with read_judged_systems")
    return found.cases()


def _read_table(
    path: str,
    columns: Mapping[_Role, Sequence[str]] | None,
    format_: str | None,
    progress: Callable[[int], None] | None,
    warn: Callable[[Problem], None],
) -> _Parts | _CountsTable:
    chosen = format_ or guess_table_format(path)
    if chosen not in TABULAR_FORMATS:
        raise UsageError(f"unknown format {chosen!r}; choose from {', '.join(TABULAR_FORMATS)}")
    shown = display_path(path)
    with open_table(path, chosen) as table:
        try:
            layout = _find_layout(table.header, columns)
        except InputError as error:
            raise FormatError(shown, 1, str(error)) from None
        roles = _CASE_ROLES if isinstance(layout, _Layout) else _COUNT_ROLES
        warn_of_misspelt(table.header, layout.columns, roles, shown, warn)
        parts = _Parts(layout, shown) if isinstance(layout, _Layout) else _CountsTable(layout, shown)
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

    def __init__(self, layout: _Layout, path: str) -> None:
        self._layout, self._path = layout, path
        self._values = _TableValues(path)
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

    def _answer(self, chunk: Chunk, system: _SystemColumns, written: Any, annotated: list[Any], wrong: list[Any]) -> _Answer:
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
            systems.append(Answers(columns.name, joined[0], joined[1], joined[2], DEFAULT_RULE if alone else ""))
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
        return replace(cases, data=_describe_table(self._path, self._layout.columns, len(cases), [cases]))

    def _check_total(self, weights: Any) -> None:
        if weights is None:
            return
        total = weights.sum()
        if not total:
            raise FormatError(self._path, None, _NO_CASES)
        if total >= _MOST_CASES:
            raise FormatError(self._path, None, f"more cases than can be counted, {_MOST_CASES:,}")


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


# Cases from labelled tokens: every token is a case, its label in gold says whether it is an error, and that of a system what it flags.


def read_labelled_cases(
    gold: str | PathLike[str],
    systems: Mapping[str, str | PathLike[str]],
    *,
    progress: Callable[[int], None] | None = None,
    warn: Callable[[Problem], None] = warn_in_python,
) -> Cases:
    """Read the labels of gold and of systems, whose files are given by name; all must have the same tokens in the same sentences.

    A system with probabilities only flags tokens with a probability of at least 0.5.
    ``progress`` is called with the number of tokens just read, ``warn`` takes warnings about probabilities.
    """
    import numpy as np

    if not systems:
        raise UsageError("labelled tokens need a system, found none")
    wanted, error = _read_gold(str(gold))
    answers = []
    for name, path in systems.items():
        answers.append(_read_system(name, str(path), wanted, str(gold), warn))
        if progress is not None:
            progress(len(error))
    sizes = [len(sentence.tokens) for sentence in wanted]
    units = Labels(np.repeat(np.arange(len(wanted), dtype=np.int32), sizes), tuple(str(number) for number in range(1, len(wanted) + 1)))
    cases = Cases(error, (), f"labelled tokens of {display_path(str(gold))}", units=units)
    return replace(cases, systems=tuple(answers), data=_describe_labels(display_path(str(gold)), len(wanted), cases))


def _read_gold(path: str) -> tuple[list[LabelledSentence], Any]:
    import numpy as np

    sentences: list[LabelledSentence] = []
    incorrect: list[Any] = []
    for sentence in read_labelled_tokens(path):
        if sentence.probabilities[0] is not None:
            raise FormatError(
                display_path(path), sentence.first_line, "gold must have the label c or i in its last column, found a probability"
            )
        sentences.append(sentence._replace(incorrect=[], probabilities=[]))
        incorrect.append(np.array(sentence.incorrect, dtype=float))
    if not sentences:
        raise InputError(f"{display_path(path)}: no sentences found")
    return sentences, np.concatenate(incorrect)


def _read_system(name: str, path: str, wanted: Sequence[LabelledSentence], gold: str, warn: Callable[[Problem], None]) -> Answers:
    import numpy as np

    flagged: list[Any] = []
    probabilities: list[Any] = []
    labelled = True
    for sentence in read_labelled_tokens(path):
        number = len(flagged)
        if number == len(wanted):
            found = f"found the token {sentence.tokens[0][:60]!r} in another sentence"
            raise FormatError(
                display_path(path), sentence.first_line, f"expected the {pluralise(number, 'sentence')} of {display_path(gold)}, {found}"
            )
        _check_tokens(sentence, wanted[number], display_path(path), display_path(gold))
        labelled = sentence.incorrect[0] is not None
        chances = np.array(sentence.probabilities, dtype=float)  # not a number if unknown
        probabilities.append(chances)
        flagged.append(np.array(sentence.incorrect, dtype=bool) if labelled else chances >= DEFAULT_THRESHOLD)
    if len(flagged) < len(wanted):
        raise MismatchError(
            f"{display_path(path)} has {pluralise(len(flagged), 'sentence')}, expected the {len(wanted):,} of {display_path(gold)}"
        )
    chosen, confidence = np.concatenate(flagged), np.concatenate(probabilities)
    if np.isnan(confidence[0]):
        return Answers(name, chosen)
    if labelled and not chosen.all() and (confidence[~chosen] >= DEFAULT_THRESHOLD).all():
        message = (
            "every token labelled c has a probability of 0.5 or more; expected the probability that it is incorrect, not that of its label"
        )
        warn(Problem(display_path(path), None, "warning", message))
    return Answers(name, chosen, None, confidence, "" if labelled else DEFAULT_RULE)


def _check_tokens(found: LabelledSentence, wanted: LabelledSentence, path: str, gold: str) -> None:
    """Raise at the first token that is not that of gold."""
    if found.tokens == wanted.tokens:
        return
    pairs = enumerate(zip(found.tokens, wanted.tokens, strict=False))
    shorter = min(len(found.tokens), len(wanted.tokens))
    index = next((number for number, (one, other) in pairs if one != other), shorter)
    names = [
        f"the token {sentence.tokens[index][:60]!r}" if index < len(sentence.tokens) else "the end of the sentence"
        for sentence in (wanted, found)
    ]
    line, line_of_gold = (sentence.first_line + index for sentence in (found, wanted))
    raise FormatError(path, line, f"expected {names[0]} ({gold}:{line_of_gold}), found {names[1]}")


# What signatures name: data by their content.

_MOST_NAMED = 20
"""The most columns that a signature names; the fingerprint says the rest."""


def _describe_table(path: str, columns: Sequence[str], rows: int, tables: Iterable[Cases]) -> str:
    """Name a table with the columns that are used, and the hash of what they say about cases and systems."""
    named = ",".join(columns[:_MOST_NAMED]) + (",..." if len(columns) > _MOST_NAMED else "")
    return f"table {PurePath(path).name}, {pluralise(rows, 'row')}, columns {named}, sha256 {_fingerprint_cases(tables)}"


def _describe_labels(path: str, sentences: int, cases: Cases) -> str:
    """Name labelled tokens with the hash of their labels; those of systems belong to the systems."""
    size = f"{pluralise(sentences, 'sentence')}, {pluralise(len(cases), 'token')}"
    return f"labels {PurePath(path).name}, {size}, sha256 {_fingerprint_cases([cases])}"


def _fingerprint_cases(tables: Iterable[Cases]) -> str:
    """Compute the first digits of the SHA-256 of everything that is counted: the format and names of a file do not count."""
    digest = hashlib.sha256()
    for cases in tables:
        for name, content in _list_contents(cases):
            digest.update(f"\x1d{name}\x1f{len(content)}\x1f".encode())
            digest.update(content)
        digest.update(b"\x1c")
    return digest.hexdigest()[:DIGITS]


def _list_contents(cases: Cases) -> Iterator[tuple[str, Any]]:
    """Yield what is known of cases, as bytes that are the same on every machine."""
    yield "known", cases.known.encode()
    yield from _list_arrays(error=(cases.error, "<f8"), weights=(cases.weights, "<f8"))
    for name, labels in (("type", cases.types), ("unit", cases.units), ("document", cases.documents)):
        if labels is not None:
            yield from _list_labels(name, labels)
    for answers in cases.systems:
        yield "system", b""
        yield from _list_arrays(flagged=(answers.flagged, "?"), fixed=(answers.fixed, "<f8"), confidence=(answers.confidence, "<f8"))


def _list_labels(name: str, labels: Labels) -> Iterator[tuple[str, Any]]:
    yield from _list_arrays(**{name: (labels.codes, "<i8")})
    yield f"{name} names", "\x1f".join(labels.names).encode("utf-8", "surrogatepass")


def _list_arrays(**arrays: tuple[Any, str]) -> Iterator[tuple[str, Any]]:
    import numpy as np

    for name, (values, kind) in arrays.items():
        if values is not None:
            yield name, np.ascontiguousarray(values, dtype=kind).data.cast("B") if len(values) else b""
