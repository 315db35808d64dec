"""The database of an event: its tables, in SQLite or in PostgreSQL."""

from __future__ import annotations

import os
import sqlite3
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from errata.errors import InputError, RequestError, UsageError
from errata.formats.lines import display_path

if TYPE_CHECKING:
    from collections.abc import Iterator
    from contextlib import AbstractContextManager
    from pathlib import Path


class NestedWriteError(RuntimeError):
    """A thread that has begun a transaction that writes begins another, for which it would wait for itself: a mistake of ours."""

    def __init__(self) -> None:
        super().__init__("a transaction that writes is begun within another")


class DatabaseUnavailableError(RequestError):
    """The database cannot be used now, as when its disk is full.

    What it says is for anybody; ``detail`` also says where the database is, for organisers.
    """

    def __init__(self, detail: str) -> None:
        super().__init__("the server cannot use its database now, and has stored nothing; try again later")
        self.detail = detail


# The tables, for both kinds of database.  Instants are microseconds since 1970 (:mod:`errata_event.instants`).
# ``definitions``, ``contents``, ``submissions``, ``marks``, ``golds``, ``decisions``, ``proposals``, ``judgments`` and ``audit`` only grow;
# ``scores`` and ``boards`` can be computed from them again.

VERSION = 1
"""Raised when tables change; a database of another version is refused."""


class _Dialect(NamedTuple):
    """What databases write differently."""

    id: str
    bytes: str


_SQLITE = _Dialect("INTEGER PRIMARY KEY AUTOINCREMENT", "BLOB")
POSTGRESQL = _Dialect("BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY", "BYTEA")

_TABLES = """
CREATE TABLE schema_version (number BIGINT NOT NULL);
CREATE TABLE definitions (
    id {id}, at BIGINT NOT NULL, sha256 TEXT NOT NULL, toml TEXT NOT NULL
);
CREATE TABLE decisions (
    id {id}, phase TEXT NOT NULL, kind TEXT NOT NULL, at BIGINT NOT NULL
);
CREATE TABLE contents (
    sha256 TEXT PRIMARY KEY, content {bytes} NOT NULL
);
CREATE TABLE accounts (
    id {id}, role TEXT NOT NULL, name TEXT NOT NULL, slot BIGINT NOT NULL, token_hash TEXT NOT NULL UNIQUE,
    created_at BIGINT NOT NULL, disabled_at BIGINT, UNIQUE (role, name), UNIQUE (role, slot)
);
CREATE TABLE alias_keys (value TEXT NOT NULL);
CREATE TABLE sessions (
    hash TEXT PRIMARY KEY, account BIGINT NOT NULL REFERENCES accounts (id), created_at BIGINT NOT NULL, expires_at BIGINT NOT NULL
);
CREATE TABLE submissions (
    id {id}, public_id TEXT NOT NULL UNIQUE, team BIGINT NOT NULL REFERENCES accounts (id), phase TEXT NOT NULL,
    number BIGINT NOT NULL, received_at BIGINT NOT NULL, sha256 TEXT NOT NULL REFERENCES contents (sha256),
    UNIQUE (team, phase, number), UNIQUE (team, phase, sha256)
);
CREATE INDEX submissions_of_phase ON submissions (phase, id);
CREATE TABLE marks (
    id {id}, submission BIGINT NOT NULL REFERENCES submissions (id), kind TEXT NOT NULL, text TEXT NOT NULL,
    at BIGINT NOT NULL, account BIGINT NOT NULL REFERENCES accounts (id)
);
CREATE INDEX marks_of_submission ON marks (submission);
CREATE TABLE golds (
    id {id}, phase TEXT NOT NULL, variant TEXT NOT NULL, number BIGINT NOT NULL, sha256 TEXT NOT NULL REFERENCES contents (sha256),
    made_at BIGINT NOT NULL, reason TEXT NOT NULL, UNIQUE (phase, variant, number)
);
CREATE TABLE scores (
    submission BIGINT NOT NULL REFERENCES submissions (id), gold BIGINT NOT NULL REFERENCES golds (id), settings TEXT NOT NULL,
    metric TEXT NOT NULL, value DOUBLE PRECISION, parts TEXT NOT NULL, signature TEXT NOT NULL, problem TEXT NOT NULL,
    made_at BIGINT NOT NULL, PRIMARY KEY (submission, gold, settings, metric)
);
CREATE TABLE boards (
    id {id}, phase TEXT NOT NULL, gold BIGINT NOT NULL REFERENCES golds (id), state TEXT NOT NULL, made_at BIGINT NOT NULL,
    named BIGINT NOT NULL, public BIGINT NOT NULL, content TEXT NOT NULL, UNIQUE (gold, state)
);
CREATE TABLE items (
    id {id}, phase TEXT NOT NULL, sentence BIGINT NOT NULL, edits TEXT NOT NULL, sha256 TEXT NOT NULL, made_at BIGINT NOT NULL,
    UNIQUE (phase, sentence, sha256)
);
CREATE TABLE proposals (
    id {id}, item BIGINT NOT NULL REFERENCES items (id), team BIGINT REFERENCES accounts (id), at BIGINT NOT NULL,
    withdrawn_at BIGINT, UNIQUE (item, team)
);
CREATE TABLE judgments (
    id {id}, item BIGINT NOT NULL REFERENCES items (id), annotator BIGINT NOT NULL REFERENCES accounts (id), verdict TEXT NOT NULL,
    edits TEXT NOT NULL, comment TEXT NOT NULL, at BIGINT NOT NULL
);
CREATE INDEX judgments_of_item ON judgments (item);
CREATE TABLE pools (
    id {id}, phase TEXT NOT NULL, state TEXT NOT NULL, at BIGINT NOT NULL
);
CREATE TABLE answer_golds (
    id {id}, phase TEXT NOT NULL, state TEXT NOT NULL, at BIGINT NOT NULL
);
CREATE TABLE audit (
    id {id}, at BIGINT NOT NULL, account BIGINT REFERENCES accounts (id), action TEXT NOT NULL, details TEXT NOT NULL
);
INSERT INTO schema_version VALUES ({version})
"""


def list_statements(dialect: _Dialect) -> list[str]:
    """List the statements that make all tables."""
    return _TABLES.format(id=dialect.id, bytes=dialect.bytes, version=VERSION).strip().split(";\n")


# SQLite in the data folder, in WAL mode: readers never wait, and a process may be killed at any moment.

_NAME = "event.sqlite"
_WAIT = 60.0
"""Seconds that a transaction waits for one of another process."""
_MOST_IDLE = 16
_FOLDER_MODE, _FILE_MODE = 0o700, 0o600
_SETTINGS = ("synchronous = FULL", "foreign_keys = ON", "trusted_schema = OFF")


class _SqliteTransaction:
    """Statements of one connection."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def run(self, sql: str, *values: Any) -> None:
        self._connection.execute(sql, values)

    def insert(self, sql: str, *values: Any) -> int:
        return self._connection.execute(sql, values).lastrowid or 0

    def row(self, sql: str, *values: Any) -> tuple[Any, ...] | None:
        found: tuple[Any, ...] | None = self._connection.execute(sql, values).fetchone()
        return found

    def rows(self, sql: str, *values: Any) -> list[tuple[Any, ...]]:
        return self._connection.execute(sql, values).fetchall()


class _SqliteDatabase:
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
                for statement in list_statements(_SQLITE):
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
    def read(self) -> Iterator[_SqliteTransaction]:
        with self._explaining(), self._borrow() as connection:
            connection.execute("PRAGMA query_only = ON")
            connection.execute("BEGIN")
            yield _SqliteTransaction(connection)
            connection.execute("COMMIT")
            connection.execute("PRAGMA query_only = OFF")

    @contextmanager
    def write(self, lock: str = "", shared: str = "") -> Iterator[_SqliteTransaction]:
        del lock, shared  # only one transaction writes anyway
        if self._writer == threading.get_ident():
            raise NestedWriteError
        with self._explaining(), self._writing:  # threads wait for each other without asking again and again
            self._writer = threading.get_ident()
            try:
                with self._borrow() as connection:
                    connection.execute("BEGIN IMMEDIATE")
                    yield _SqliteTransaction(connection)
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


# SQL is written once, for both, with ``?`` for values.
# A transaction that writes names what it must have for itself, such as the submissions of one team.
# SQLite lets one transaction write at a time, whatever it names; PostgreSQL takes a lock of that name.
# When a transaction ends without an error, what it wrote is on disk.
# A thread may read within a transaction, which sees what was committed before, but not begin to write twice: it would wait for itself.

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
        return _SqliteDatabase(folder)
    if not url.startswith(_POSTGRESQL):
        scheme = url.partition(":")[0][:20] if ":" in url else url[:20]
        raise UsageError(f"a database is postgresql://..., or none for SQLite in the data folder; found {scheme!r}")
    from errata_event.postgresql import PostgresqlDatabase

    return PostgresqlDatabase(url)
