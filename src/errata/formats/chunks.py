"""A table while it is read: chunks of rows, as columns."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from errata.errors import suggest
from errata.formats.problems import Problem

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

CHUNK_ROWS = 4_000
"""Rows at a time; more would not fit into the processor's cache."""
CHUNK_BYTES = 1 << 22
"""Bytes after which a chunk has no further rows, because a row may be long."""
_SHOWN = 20
_MISSPELT = 0.85
"""Similarity of a column that is not read with a name that is missing, from which it is probably misspelt."""


def find_repeated(names: Iterable[str]) -> str | None:
    """Find the first name that occurred before.

    >>> find_repeated(["a", "b", "a"]), find_repeated(["a", "b"])
    ('a', None)
    """
    seen: set[str] = set()
    for name in names:
        if name in seen:
            return name
        seen.add(name)
    return None


def list_columns(names: Sequence[str]) -> str:
    """List the names of columns for a message.

    >>> list_columns(["error", "flagged"])
    'error, flagged'
    """
    more = f" and {len(names) - _SHOWN:,} more" if len(names) > _SHOWN else ""
    return ", ".join(name[:40] for name in names[:_SHOWN]) + more


def warn_of_misspelt(header: Sequence[str], read: Sequence[str], names: Iterable[str], path: str, warn: Callable[[Problem], None]) -> None:
    """Warn about columns that are not read, but resemble a name that no column has.

    Other columns are not errors: they may be there for other programs, or as ``confidence_b`` does, belong to a system that is not there.
    """
    missing = [name for name in names if name not in header]
    for column in set(header) - set(read):
        if meant := suggest(column, [name for name in missing if name not in column], _MISSPELT):
            warn(Problem(path, 1, "warning", f"the column {column[:40]!r} is skipped{meant}"))


class Lines(NamedTuple):
    """The first line of each row; in Parquet, the number of each row."""

    first: int
    known: Sequence[int] = ()
    """The line of each row, if lines are not consecutive."""

    def of(self, row: int) -> int:
        """Get the line of a row, whose index starts at 0."""
        return self.known[row] if self.known else self.first + row


class Chunk(NamedTuple):
    """Some rows, as columns."""

    columns: dict[str, Sequence[Any]]
    lines: Lines
    rows: int


class OpenTable(NamedTuple):
    """A table that is being read; it can be read once."""

    header: list[str]
    """The names of the columns; in JSON Lines, the keys of the first object."""
    chunks: Callable[[Sequence[str]], Iterator[Chunk]]
    """Yields chunks of rows with the given columns."""
