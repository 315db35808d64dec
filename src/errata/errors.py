"""All errors and warnings that errata raises.

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

from typing import ClassVar


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
