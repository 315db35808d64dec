"""SQLite in the data folder, in WAL mode: readers never wait, and a process may be killed at any moment."""

from __future__ import annotations

import os
import sqlite3
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from errata.errors import InputError
from errata.event.nested_writes import NestedWriteError
from errata.event.schema import SQLITE, VERSION, list_statements
from errata.event.unavailability import DatabaseUnavailableError
from errata.formats.lines import display_path

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_NAME = "event.sqlite"
_WAIT = 60.0
"""Seconds that a transaction waits for one of another process."""
_MOST_IDLE = 16
_FOLDER_MODE, _FILE_MODE = 0o700, 0o600
_SETTINGS = ("synchronous = FULL", "foreign_keys = ON", "trusted_schema = OFF")


class SqliteTransaction:
    """Statements of one connection."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def run(self, sql: str, *values: Any) -> None:
        """Carry out a statement."""
        self._connection.execute(sql, values)

    def insert(self, sql: str, *values: Any) -> int:
        """Insert a row; return its number."""
        return self._connection.execute(sql, values).lastrowid or 0

    def row(self, sql: str, *values: Any) -> tuple[Any, ...] | None:
        """Return the first row."""
        found: tuple[Any, ...] | None = self._connection.execute(sql, values).fetchone()
        return found

    def rows(self, sql: str, *values: Any) -> list[tuple[Any, ...]]:
        """Return all rows."""
        return self._connection.execute(sql, values).fetchall()


class SqliteDatabase:
    """A file, and connections to it that threads borrow."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / _NAME
        self._shown = display_path(str(self._path))
        self._idle: list[sqlite3.Connection] = []
        self._lock = threading.Lock()
        self._writing = threading.Lock()
        self._writer: int | None = None
        self._closed = False
        try:
            folder.mkdir(mode=_FOLDER_MODE, parents=True, exist_ok=True)
            os.close(os.open(self._path, os.O_CREAT | os.O_RDWR, _FILE_MODE))  # nobody else reads it, whatever the folder allows
            self._make_tables()
        except OSError as error:
            raise InputError(f"{self._shown}: cannot be used: {error.strerror or error}") from None
        except sqlite3.Error as error:
            raise InputError(f"{self._shown}: cannot be used as a database: {error}") from None

    def _make_tables(self) -> None:
        with self.write() as transaction:
            if transaction.row("SELECT 1 FROM sqlite_master WHERE name = 'schema_version'") is None:
                if transaction.row("SELECT 1 FROM sqlite_master") is not None:
                    raise InputError(f"{self._shown}: is a database of something else")
                for statement in list_statements(SQLITE):
                    transaction.run(statement)
            row = transaction.row("SELECT number FROM schema_version")
            if row != (VERSION,):
                raise InputError(f"{self._shown}: was made by another version of errata: tables {row and row[0]}, expected {VERSION}")

    def _connect(self) -> sqlite3.Connection:
        connection = sqlite3.connect(self._path, timeout=_WAIT, isolation_level=None, check_same_thread=False)
        try:
            mode = connection.execute("PRAGMA journal_mode = WAL").fetchone()
            for setting in _SETTINGS:
                connection.execute(f"PRAGMA {setting}")
        except BaseException:
            connection.close()
            raise
        if mode != ("wal",):
            connection.close()
            raise InputError(f"{self._shown}: the file system has no shared memory for SQLite; use a folder on a disk of this machine")
        return connection

    @contextmanager
    def _borrow(self) -> Iterator[sqlite3.Connection]:
        with self._lock:
            connection = self._idle.pop() if self._idle else None
        connection = connection or self._connect()
        try:
            yield connection
        except BaseException:
            connection.close()  # whatever was begun is rolled back
            raise
        with self._lock:
            if not self._closed and len(self._idle) < _MOST_IDLE:
                self._idle.append(connection)
                return
        connection.close()

    @contextmanager
    def read(self) -> Iterator[SqliteTransaction]:
        """Begin a transaction that reads."""
        with self._explaining(), self._borrow() as connection:
            connection.execute("PRAGMA query_only = ON")
            connection.execute("BEGIN")
            yield SqliteTransaction(connection)
            connection.execute("COMMIT")
            connection.execute("PRAGMA query_only = OFF")

    @contextmanager
    def write(self, lock: str = "", shared: str = "") -> Iterator[SqliteTransaction]:
        """Begin the one transaction that writes."""
        del lock, shared  # only one transaction writes anyway
        if self._writer == threading.get_ident():
            raise NestedWriteError
        with self._explaining(), self._writing:  # threads wait for each other without asking again and again
            self._writer = threading.get_ident()
            try:
                with self._borrow() as connection:
                    connection.execute("BEGIN IMMEDIATE")
                    yield SqliteTransaction(connection)
                    connection.execute("COMMIT")
            finally:
                self._writer = None

    @contextmanager
    def _explaining(self) -> Iterator[None]:
        """Say what is wrong with the file, the disk or the folder; other errors are mistakes of ours."""
        try:
            yield
        except sqlite3.OperationalError as error:
            raise DatabaseUnavailableError(f"{self._shown}: cannot be used: {error}") from error

    def close(self) -> None:
        """Close what no thread uses; the others are closed when they are returned."""
        with self._lock:
            idle, self._idle, self._closed = self._idle, [], True
        for connection in idle:
            connection.close()


def has_database(folder: Path) -> bool:
    """Whether a folder has the file of a database."""
    return (folder / _NAME).is_file()
