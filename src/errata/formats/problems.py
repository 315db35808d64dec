"""What a reader does with what is wrong in a file.

Readers report every problem here and go on where they can.
Reading for a score stops at the first error; checking lists them all.
"""

from __future__ import annotations

import re
import warnings
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from errata.errors import FormatError, InputWarning
from errata.words import pluralise

if TYPE_CHECKING:
    from collections.abc import Callable

Severity = Literal["error", "oddity"]

MOST_OF_A_KIND = 1000
_PARTICULARS = re.compile(r"'.*'|-?\d[\d,]*")


@dataclass(frozen=True, slots=True)
class Problem:
    """Something wrong (an error) or unusual but well defined (a warning) at a location in a file."""

    path: str
    line: int | None
    severity: Severity
    message: str

    def __str__(self) -> str:
        index = f"{self.path}:{self.line}" if self.line else self.path
        return f"{index}: {self.message}"


def warn_in_python(problem: Problem) -> None:
    """Tell a Python caller what was ignored."""
    warnings.warn(str(problem), InputWarning, stacklevel=2)


class Problems:
    """Stops at the first error; with ``lenient``, edits with impossible offsets only cause a warning."""

    wants_oddities = False

    def __init__(self, path: str, *, lenient: bool = False, warn: Callable[[Problem], None] = warn_in_python) -> None:
        self.path = path
        self.lenient = lenient
        self.warn = warn

    def error(self, line: int | None, message: str) -> None:
        """Report something that cannot be read."""
        raise FormatError(self.path, line, message)

    def bad_offsets(self, line: int | None, message: str) -> None:
        """Report an edit that cannot lie in its sentence."""
        if not self.lenient:
            raise FormatError(self.path, line, f"{message} (--lenient ignores such edits)")
        self.warn(Problem(self.path, line, "error", f"ignored: {message}"))

    def oddity(self, line: int | None, message: str) -> None:
        """Report something unusual that is read all the same."""

    def passed_over(self, line: int | None, message: str) -> None:
        """Report something that is in the file and not in what is read; an oddity, if nobody minds."""
        self.oddity(line, f"{message} is passed over")

    def odd_spacing(self, line: int) -> None:
        """Report a line whose tokens are not separated by single spaces; real files have it on every line."""


class AllProblems(Problems):
    """Lists everything instead of stopping; of one kind of problem the first thousand, and how many more there are."""

    wants_oddities = True

    def __init__(self, path: str) -> None:
        super().__init__(path)
        self._found: list[Problem] = []
        self._kinds: Counter[tuple[Severity, str]] = Counter()
        self._odd_spacing: list[int] = []

    def odd_spacing(self, line: int) -> None:
        """Count it; one report speaks of all."""
        self._odd_spacing.append(line)

    @property
    def found(self) -> list[Problem]:
        """All problems in order of their lines."""
        if self._odd_spacing:
            lines, self._odd_spacing = self._odd_spacing, []
            count = f"{pluralise(len(lines), 'line')}{', this is the first,' if len(lines) > 1 else ''} whose"
            self.oddity(lines[0], f"{count} tokens are not separated by single spaces (read as such)")
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

    def oddity(self, line: int | None, message: str) -> None:
        """Add an oddity."""
        self._add("oddity", line, message)

    def _add(self, severity: Severity, line: int | None, message: str) -> None:
        kind = (severity, _PARTICULARS.sub("…", message))
        self._kinds[kind] += 1
        if self._kinds[kind] <= MOST_OF_A_KIND:
            self._found.append(Problem(self.path, line, severity, message))
