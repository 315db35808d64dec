"""Everything errata raises on purpose.

::

    ErrataError                 the root; the command line catches it in one place
    ├── InputError              a file or a value is wrong (exit status 2)
    │   ├── FormatError         ... at a line of a file
    │   └── MismatchError       ... two things that belong together do not fit
    ├── UsageError              an unknown metric, setting or format (exit status 2)
    └── RequestError            a sound request that cannot be met (exit status 1)

    InputWarning                something was ignored because the caller asked to be lenient
"""

from __future__ import annotations

from typing import ClassVar


class ErrataError(Exception):
    """The root of all errors."""

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


class MismatchError(InputError):
    """Two things that belong together do not fit, such as a gold file and a system of another length."""


class UsageError(ErrataError):
    """An unknown metric, setting, format or filter."""


class RequestError(ErrataError):
    """A sound request that cannot be met."""

    exit_status: ClassVar[int] = 1


class InputWarning(UserWarning):
    """Something in a file was ignored because the caller asked to be lenient."""
