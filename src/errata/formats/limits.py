"""Limits on one input file, so that no file takes all memory; they hold for every format."""

from __future__ import annotations

import io
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from errata.errors import FormatError, UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from _typeshed import WriteableBuffer


@dataclass(frozen=True)
class Limits:
    """What one input file may have at most."""

    max_bytes: int = 1 << 30
    """Bytes, after decompression."""
    max_lines: int = 10_000_000
    """Lines; in Parquet rows, in XML elements."""
    max_columns: int = 1_000
    """Columns of a table."""
    max_field: int = 1 << 20
    """Characters of a value of a table; in JSON Lines, bytes of a row."""

    def __post_init__(self) -> None:
        for name in ("max_bytes", "max_lines", "max_columns", "max_field"):
            value = getattr(self, name)
            if type(value) is not int or value < 1:
                raise UsageError(f"{name} must be a whole number from 1, found {value!r:.40}")


_CURRENT: ContextVar[Limits] = ContextVar("limits", default=Limits())  # noqa: B039 - it cannot change


def get_limits() -> Limits:
    """Get the limits in use."""
    return _CURRENT.get()


@contextmanager
def limit_input(
    *, max_bytes: int | None = None, max_lines: int | None = None, max_columns: int | None = None, max_field: int | None = None
) -> Iterator[Limits]:
    """Set limits on every input file that is read inside ``with``: bytes after decompression, lines, columns and values of a table.

    Limits that are not given stay as they are.  They hold in the current thread or task.

    >>> import errata
    >>> with limit_input(max_lines=10):
    ...     errata.read("examples/learner.m2")
    Traceback (most recent call last):
    ...
    errata.errors.FormatError: examples/learner.m2:11: more than 10 lines; raise it with --max-lines (limit_input(max_lines=...) in Python)
    """
    given = {"max_bytes": max_bytes, "max_lines": max_lines, "max_columns": max_columns, "max_field": max_field}
    token = _CURRENT.set(replace(get_limits(), **{name: value for name, value in given.items() if value is not None}))
    try:
        yield get_limits()
    finally:
        _CURRENT.reset(token)


def too_many_bytes(path: str, when: str = "") -> FormatError:
    """Make the error for a file with too many bytes; ``when`` says how they were counted."""
    return FormatError(path, None, f"more than {get_limits().max_bytes:,} bytes{when}{advise_limit('bytes')}")


def too_many_lines(path: str, what: str = "lines") -> FormatError:
    """Make the error for a file with too many lines, or what counts as lines."""
    limit = get_limits().max_lines
    return FormatError(path, limit + 1 if what == "lines" else None, f"more than {limit:,} {what}{advise_limit('lines')}")


def too_many_columns(path: str, found: int) -> FormatError:
    """Make the error for a table with too many columns."""
    limit = get_limits().max_columns
    return FormatError(path, 1, f"{found:,} columns, more than the limit of {limit:,}{advise_limit('columns')}")


def advise_limit(name: str) -> str:
    """Say how a limit is raised."""
    return f"; raise it with --max-{name} (limit_input(max_{name}=...) in Python)"


class BoundedFile(io.RawIOBase):
    """A file that raises :class:`FormatError` when more bytes are read than the limit; closing it leaves the file below open."""

    def __init__(self, file: Any, path: str, when: str = "") -> None:
        self._file, self._path, self._when = file, path, when
        self._left = get_limits().max_bytes

    def readable(self) -> bool:
        """Tell that it can be read."""
        return True

    def readinto(self, buffer: WriteableBuffer) -> int:
        """Read the next bytes and count them."""
        count: int = self._file.readinto1(buffer)
        self._left -= count
        if self._left < 0:
            raise too_many_bytes(self._path, self._when)
        return count
