"""Tables of counts: the true and false positives and negatives of systems, as others publish them.

Chodorow et al. (2012, section 3.4) recommend to report these four, because all measures follow from them.  Counts stay counts: they
are the weights of four rows, true positive to true negative, so a large count takes no more memory than a small one.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from errata.detection.cases import Answers, Cases, Labels
from errata.detection.layout import FOUR_COUNTS, SYSTEM_ALONE
from errata.detection.signatures import describe_table
from errata.detection.statistics import JudgedSystem
from errata.detection.values import MOST_CASES, NO_CASES, TableValues
from errata.errors import FormatError
from errata.formats.problems import Problem

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from errata.detection.layout import CountsLayout
    from errata.formats.tables import Chunk

MOST_SYSTEMS = 1_000
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


class CountsTable:
    """The rows of a table that were read so far, by system and type."""

    def __init__(self, layout: CountsLayout, path: str) -> None:
        self._layout, self._path = layout, path
        self._values = TableValues(path)
        self._systems: dict[str, dict[str, _Row]] = {}

    def add(self, chunk: Chunk) -> None:
        """Read some rows."""
        layout = self._layout
        systems, types = self._names(chunk, layout.system, SYSTEM_ALONE), self._names(chunk, layout.type, "")
        for index, (system, type_, row) in enumerate(zip(systems, types, self._rows(chunk), strict=True)):
            if layout.system is not None and not system.strip():
                self._values.refuse(chunk, index, layout.system, "the name of a system", system)
            own = self._systems.setdefault(system, {})
            if len(self._systems) > MOST_SYSTEMS:
                raise FormatError(self._path, row.line, f"more than {MOST_SYSTEMS:,} systems")
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
        for role in FOUR_COUNTS:
            name = getattr(self._layout, role)
            numbers = self._values.numbers(chunk, name, _NUMBER)
            self._values.check(chunk, name, numbers >= 0, _NUMBER)
            self._values.check(chunk, name, numbers < MOST_CASES, f"a number below {MOST_CASES:,}")
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
            raise FormatError(self._path, None, NO_CASES)
        judged = [self._judge(system, rows) for system, rows in self._systems.items()]
        count = sum(map(len, self._systems.values()))
        data = describe_table(self._path, self._layout.columns, count, (item.cases for item in judged))
        return [item._replace(cases=replace(item.cases, data=data)) for item in judged]

    def _judge(self, system: str, rows: Mapping[str, _Row]) -> JudgedSystem:
        import numpy as np

        weights = np.array([row.numbers for row in rows.values()]).ravel()
        if weights.sum() >= MOST_CASES:
            raise FormatError(self._path, None, f"{system[:40]} has more cases than can be counted, {MOST_CASES:,}")
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
            types=Labels(np.repeat(np.arange(len(rows)), len(FOUR_COUNTS)), tuple(rows)) if self._layout.type is not None else None,
            weights=weights,
            known="proportions" if proportions else "counts",
        )
        return JudgedSystem(cases, answers)
