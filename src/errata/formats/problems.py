"""Problems of input files.

Readers report every problem here and continue if they can.
Scoring stops at the first error; checking lists all problems.
"""

from __future__ import annotations

import re
import warnings
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from errata.errors import FormatError, InputWarning, pluralise

if TYPE_CHECKING:
    from collections.abc import Callable

Severity = Literal["error", "warning"]

MOST_OF_A_KIND = 1000
_COLUMN = re.compile(r"^column \d+: ")
_MOST_KINDS = 1000
_OTHERS = "other problems"
_PARTICULARS = re.compile(r"""'.*'|".*"|-?\d[\d,]*""")


@dataclass(frozen=True, slots=True)
class Problem:
    """Something wrong (an error) or unusual but well defined (a warning) at a location in a file."""

    path: str
    line: int | None
    severity: Severity
    message: str

    def __str__(self) -> str:
        location = f"{self.path}:{self.line}" if self.line else self.path
        return f"{location}: {self.message}"


def warn_in_python(problem: Problem) -> None:
    """Issue a Python warning."""
    warnings.warn(str(problem), InputWarning, stacklevel=2)


def ignore_problem(problem: Problem) -> None:
    """Say nothing."""
    del problem


class Problems:
    """Stops at the first error; with ``lenient``, edits with impossible offsets are skipped with a warning."""

    wants_warnings = False

    def __init__(self, path: str, *, lenient: bool = False, warn: Callable[[Problem], None] = warn_in_python) -> None:
        self.path = path
        self.lenient = lenient
        self.warn = warn

    def about(self, path: str) -> Problems:
        """Problems of another file that is read together with this one."""
        return Problems(path, lenient=self.lenient, warn=self.warn)

    def error(self, line: int | None, message: str) -> None:
        """Report something that cannot be read."""
        raise FormatError(self.path, line, message)

    def bad_offsets(self, line: int | None, message: str) -> None:
        """Report an edit outside its sentence."""
        if not self.lenient:
            raise FormatError(self.path, line, f"{message} (--lenient skips such edits)")
        self.warn(Problem(self.path, line, "error", f"skipped: {message}"))

    def warning(self, line: int | None, message: str) -> None:
        """Report something unusual but well defined."""

    def skipped(self, line: int | None, message: str) -> None:
        """Report a part of the file that is not read; a warning unless a subclass decides otherwise."""
        self.warning(line, f"{message} is skipped")

    def odd_spacing(self, line: int) -> None:
        """Report a line whose tokens are not separated by single spaces; often this is true of every line."""


class WarnOnce(Problems):
    """Stops at errors; warns once about each kind of skipped content."""

    def __init__(self, path: str, warn: Callable[[Problem], None], *, lenient: bool | None = None) -> None:
        """``lenient`` is None if nobody can ask for it."""
        super().__init__(path, lenient=bool(lenient), warn=warn)
        self._can_be_lenient = lenient is not None
        self._told: set[str] = set()

    def bad_offsets(self, line: int | None, message: str) -> None:
        """Report an edit with impossible offsets."""
        if self._can_be_lenient:
            super().bad_offsets(line, message)
        else:
            self.error(line, message)

    def skipped(self, line: int | None, message: str) -> None:
        """Warn of a part of the file that is not read, without its column."""
        what = _COLUMN.sub("", message)
        if what not in self._told:
            self._told.add(what)
            self.warn(Problem(self.path, line, "warning", f"{what} is skipped"))


class AllProblems(Problems):
    """Lists all problems; of one kind the first thousand and the number of the others."""

    wants_warnings = True

    def __init__(self, path: str) -> None:
        super().__init__(path)
        self._found: list[Problem] = []
        self._kinds: Counter[tuple[Severity, str]] = Counter()
        self._odd_spacing = 0
        self._first_odd = 0

    def odd_spacing(self, line: int) -> None:
        """Remember the first line and count the others; one warning is about all of them."""
        self._first_odd = self._first_odd or line
        self._odd_spacing += 1

    @property
    def found(self) -> list[Problem]:
        """All problems in order of their lines."""
        if self._odd_spacing:
            lines, self._odd_spacing = self._odd_spacing, 0
            count = f"{pluralise(lines, 'line')}{', of which this is the first' if lines > 1 else ''}"
            self.warning(self._first_odd, f"tokens are not separated by single spaces in {count} (accepted)")
        more = [
            Problem(self.path, None, severity, f"{count - MOST_OF_A_KIND:,} more like this: {kind}")
            for (severity, kind), count in self._kinds.items()
            if count > MOST_OF_A_KIND
        ]
        return sorted(self._found, key=lambda problem: problem.line or 0) + more

    def error(self, line: int | None, message: str) -> None:
        """Add an error."""
        self._add("error", line, message)

    def bad_offsets(self, line: int | None, message: str) -> None:
        """Add an error."""
        self._add("error", line, message)

    def warning(self, line: int | None, message: str) -> None:
        """Add a warning."""
        self._add("warning", line, message)

    def _add(self, severity: Severity, line: int | None, message: str) -> None:
        kind = (severity, _PARTICULARS.sub("…", message))
        if kind not in self._kinds and len(self._kinds) >= _MOST_KINDS:
            kind = (severity, _OTHERS)
        self._kinds[kind] += 1
        if self._kinds[kind] <= MOST_OF_A_KIND:
            self._found.append(Problem(self.path, line, severity, message))
