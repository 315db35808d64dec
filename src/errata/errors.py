"""All errors and warnings that errata raises, and the words that their messages need.

::

    ErrataError                 the base class
    ├── InputError              a file or a value is wrong (exit status 2)
    │   ├── FormatError         a file is wrong at a line
    │   └── MismatchError       two inputs do not fit together
    ├── UsageError              an unknown metric, setting or format (exit status 2)
    └── RequestError            a valid request that cannot be met (exit status 1)

    InputWarning                something unusual in a file, or something that was skipped
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from collections.abc import Iterable


class ErrataError(Exception):
    """The base class of all errors."""

    exit_status: ClassVar[int] = 2


class InputError(ErrataError):
    """A file or a value is wrong."""


class FormatError(InputError):
    """A file is wrong at a line."""

    def __init__(self, path: str, line: int | None, message: str) -> None:
        self.path = path
        self.line = line
        self.message = message
        super().__init__(f"{path}:{line}: {message}" if line else f"{path}: {message}")

    def __reduce__(self) -> tuple[type[FormatError], tuple[str, int | None, str], dict[str, object]]:
        return type(self), (self.path, self.line, self.message), self.__dict__


class MismatchError(InputError):
    """Two inputs do not fit together, such as a gold file and a system with another number of sentences."""


class UsageError(ErrataError):
    """An unknown metric, setting, format or filter."""


class RequestError(ErrataError):
    """A valid request that cannot be met."""

    exit_status: ClassVar[int] = 1


class InputWarning(UserWarning):
    """Something in a file is unusual, or was skipped."""


def pluralise(count: int, noun: str, plural: str = "") -> str:
    """Format a count with its noun, in the singular or the plural.

    >>> pluralise(1, "graph"), pluralise(1312, "sentence"), pluralise(0, "query", "queries")
    ('1 graph', '1,312 sentences', '0 queries')
    """
    return f"{count:,} {noun if count == 1 else plural or f'{noun}s'}"


_CLOSE = 0.6
"""Minimum similarity of a suggestion; 1 is equality."""
_LONGEST = 100
"""Characters of words that are compared, because long comparisons are slow."""
_MOST = 1_000
"""Known words that are compared."""


def suggest(word: str, known: Iterable[str], least: float = _CLOSE) -> str:
    """Make a question for the end of a message; empty if no known word has at least this similarity.

    >>> suggest("maxmach", ["imeasure", "maxmatch"])
    '; did you mean maxmatch?'
    >>> suggest("gleu", ["imeasure", "maxmatch"])
    ''
    """
    from difflib import get_close_matches

    names = {name.lower(): name for name in islice(known, _MOST) if len(name) <= _LONGEST}
    close = get_close_matches(word[:_LONGEST].lower(), names, n=1, cutoff=least)
    return f"; did you mean {names[close[0]]}?" if close else ""
