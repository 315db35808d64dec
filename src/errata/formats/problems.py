"""What a reader does with what is wrong in a file.

Readers report every problem here and go on where they can.
Reading for a score stops at the first error; checking lists them all.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from errata.errors import FormatError, InputWarning

if TYPE_CHECKING:
    from collections.abc import Callable

Severity = Literal["error", "oddity"]


@dataclass(frozen=True, slots=True)
class Problem:
    """Something wrong (an error) or unusual but well defined (an oddity) at a place in a file."""

    path: str
    line: int | None
    severity: Severity
    message: str

    def __str__(self) -> str:
        place = f"{self.path}:{self.line}" if self.line else self.path
        return f"{place}: {self.message}"


def warn_in_python(problem: Problem) -> None:
    """Tell a Python caller what was ignored."""
    warnings.warn(str(problem), InputWarning, stacklevel=2)


class Problems:
    """Stops at the first error; with ``lenient``, edits with impossible offsets only cause a warning."""

    wants_oddities = False

    def __init__(self, path: str, *, lenient: bool = False, warn: Callable[[Problem], None] = warn_in_python) -> None:
        self.path = path
        self.lenient = lenient
        self._warn = warn

    def error(self, line: int | None, message: str) -> None:
        """Report something that cannot be read."""
        raise FormatError(self.path, line, message)

    def bad_offsets(self, line: int | None, message: str) -> None:
        """Report an edit that cannot lie in its sentence."""
        if not self.lenient:
            raise FormatError(self.path, line, f"{message} (--lenient ignores such edits)")
        self._warn(Problem(self.path, line, "error", f"ignored: {message}"))

    def oddity(self, line: int | None, message: str) -> None:
        """Report something unusual that is read all the same."""


class AllProblems(Problems):
    """Lists everything instead of stopping."""

    wants_oddities = True

    def __init__(self, path: str) -> None:
        super().__init__(path)
        self.found: list[Problem] = []

    def error(self, line: int | None, message: str) -> None:
        """Add an error."""
        self.found.append(Problem(self.path, line, "error", message))

    def bad_offsets(self, line: int | None, message: str) -> None:
        """Add an error."""
        self.error(line, message)

    def oddity(self, line: int | None, message: str) -> None:
        """Add an oddity."""
        self.found.append(Problem(self.path, line, "oddity", message))
