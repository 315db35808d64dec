"""The database of an event: SQLite in its data folder, or PostgreSQL for those who run several processes.

SQL is written once, for both, with ``?`` for values.
A transaction that writes names what it must have for itself, such as the submissions of one team.
SQLite lets one transaction write at a time, whatever it names; PostgreSQL takes a lock of that name.
When a transaction ends without an error, what it wrote is on disk.
A thread may read within a transaction, which sees what was committed before, but not begin to write twice: it would wait for itself.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from errata.errors import UsageError

if TYPE_CHECKING:
    from contextlib import AbstractContextManager
    from pathlib import Path

_POSTGRESQL = ("postgresql://", "postgres://")


class DatabaseTransaction(Protocol):
    """Statements that are carried out together or not at all."""

    def run(self, sql: str, *values: Any) -> None:
        """Carry out a statement."""

    def insert(self, sql: str, *values: Any) -> int:
        """Insert a row into a table with a column ``id``; return its number."""

    def row(self, sql: str, *values: Any) -> tuple[Any, ...] | None:
        """Return the first row of a query; None if there is none."""

    def rows(self, sql: str, *values: Any) -> list[tuple[Any, ...]]:
        """Return all rows of a query."""


class Database(Protocol):
    """A database; threads may share it."""

    def read(self) -> AbstractContextManager[DatabaseTransaction]:
        """Begin a transaction that sees one state of the database, and must not write."""

    def write(self, lock: str = "", shared: str = "") -> AbstractContextManager[DatabaseTransaction]:
        """Begin a transaction that writes, while no other of the same lock does.

        It may run beside others that share a second lock, but not beside one that has that for itself.
        """

    def close(self) -> None:
        """Close all connections."""


def open_database(folder: Path, url: str | None) -> Database:
    """Open the database at a URL, or that of a folder; make the tables that are missing."""
    if url is None:
        from errata.event.sqlite_database import SqliteDatabase

        return SqliteDatabase(folder)
    if not url.startswith(_POSTGRESQL):
        scheme = url.partition(":")[0][:20] if ":" in url else url[:20]
        raise UsageError(f"a database is postgresql://..., or none for SQLite in the data folder; found {scheme!r}")
    from errata.event.postgresql_database import PostgresqlDatabase

    return PostgresqlDatabase(url)
