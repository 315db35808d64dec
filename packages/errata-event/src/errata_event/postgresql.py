"""PostgreSQL, for those who run several processes or have a server of it."""

from __future__ import annotations

import hashlib
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from errata.errors import InputError, RequestError
from errata_event.database import POSTGRESQL, VERSION, DatabaseUnavailableError, NestedWriteError, list_statements

if TYPE_CHECKING:
    from collections.abc import Iterator

    from psycopg import Connection

_MOST_CONNECTIONS = 16
_TIMEOUT = "60s"
_IDLE_TIMEOUT = "5min"
"""So long may a transaction do nothing, as when its process was stopped: then the server ends it, and others get its locks."""
_WAIT = 60.0
_CONNECT_SECONDS = 10
_LONGEST_REASON = 200


class _PostgresqlTransaction:
    """Statements of one connection."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def run(self, sql: str, *values: Any) -> None:
        self._connection.execute(_mark(sql), values)

    def insert(self, sql: str, *values: Any) -> int:
        row = self._connection.execute(_mark(f"{sql} RETURNING id"), values).fetchone()
        return int(row[0]) if row is not None else 0

    def row(self, sql: str, *values: Any) -> tuple[Any, ...] | None:
        return self._connection.execute(_mark(sql), values).fetchone()

    def rows(self, sql: str, *values: Any) -> list[tuple[Any, ...]]:
        return self._connection.execute(_mark(sql), values).fetchall()


def _mark(sql: str) -> Any:
    """Write the marks of values as psycopg does; no statement has a percent sign or a question mark of its own."""
    return sql.replace("?", "%s")


class PostgresqlDatabase:
    """A server, and connections to it that threads borrow; at most so many, the others wait."""

    def __init__(self, url: str) -> None:
        try:
            import psycopg
        except ImportError:
            raise RequestError("PostgreSQL needs the package psycopg; install errata[postgresql]") from None
        self._psycopg, self._url = psycopg, url
        self._idle: list[Connection] = []
        self._lock = threading.Lock()
        self._free = threading.BoundedSemaphore(_MOST_CONNECTIONS)
        self._own = threading.local()
        self._closed = False
        try:
            self._make_tables()
        except psycopg.Error as error:
            self.close()
            raise InputError(f"the database cannot be used: {_first_line(error)}") from None
        except BaseException:
            self.close()
            raise

    def _make_tables(self) -> None:
        with self.write("schema") as transaction:
            if transaction.row("SHOW server_encoding") != ("UTF8",):
                raise InputError("the database has another encoding than UTF8; make one with ENCODING 'UTF8' TEMPLATE template0")
            if transaction.row("SELECT 1 FROM pg_tables WHERE schemaname = current_schema() AND tablename = 'schema_version'") is None:
                if transaction.row("SELECT 1 FROM pg_tables WHERE schemaname = current_schema()") is not None:
                    raise InputError("the database is one of something else; make an empty one for the event")
                for statement in list_statements(POSTGRESQL):
                    transaction.run(statement)
            row = transaction.row("SELECT number FROM schema_version")
            if row != (VERSION,):
                raise InputError(f"the database was made by another version of errata: tables {row and row[0]}, expected {VERSION}")

    def _connect(self) -> Connection:
        try:
            connection = self._psycopg.connect(self._url, autocommit=True, connect_timeout=_CONNECT_SECONDS, application_name="errata")
        except (self._psycopg.Error, UnicodeError) as error:
            raise DatabaseUnavailableError(f"the database cannot be reached: {_explain_refusal(str(error))}") from None
        connection.execute(f"SET statement_timeout = '{_TIMEOUT}'")  # that of waiting for a lock too
        connection.execute(f"SET idle_in_transaction_session_timeout = '{_IDLE_TIMEOUT}'")
        return connection

    @contextmanager
    def _begin(self, statement: str) -> Iterator[Connection]:
        """Borrow a connection with a transaction; one that the server has closed meanwhile is replaced."""
        depth = getattr(self._own, "depth", 0)
        # A thread that has a connection gets another at once: if it waited too, threads that each have one could wait for each other.
        if not depth and not self._free.acquire(timeout=_WAIT):
            raise DatabaseUnavailableError(f"no connection to the database was free for {_WAIT:.0f} seconds")
        self._own.depth = depth + 1
        try:
            with self._borrow(statement) as connection:
                yield connection
        finally:
            self._own.depth = depth
            if not depth:
                self._free.release()

    @contextmanager
    def _borrow(self, statement: str) -> Iterator[Connection]:
        connection = self._start(statement)
        try:
            yield connection
            connection.execute("COMMIT")
        except self._psycopg.OperationalError as error:
            connection.close()
            raise DatabaseUnavailableError(f"the database cannot be used: {_first_line(error)}") from error
        except BaseException:
            connection.close()  # the server rolls back
            raise
        with self._lock:
            if not self._closed and len(self._idle) < _MOST_CONNECTIONS:
                self._idle.append(connection)
                return
        connection.close()

    def _start(self, statement: str) -> Connection:
        while True:
            with self._lock:
                connection = self._idle.pop() if self._idle else None
            if connection is None:
                connection = self._connect()
                connection.execute(statement)
                return connection
            try:
                connection.execute(statement)
            except self._psycopg.Error:
                connection.close()  # the server was started again
            else:
                return connection

    @contextmanager
    def read(self) -> Iterator[_PostgresqlTransaction]:
        with self._begin("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY") as connection:
            yield _PostgresqlTransaction(connection)

    @contextmanager
    def write(self, lock: str = "", shared: str = "") -> Iterator[_PostgresqlTransaction]:
        if getattr(self._own, "writes", False):
            raise NestedWriteError
        with self._begin("BEGIN ISOLATION LEVEL READ COMMITTED") as connection:
            self._own.writes = True
            try:
                if shared:
                    connection.execute("SELECT pg_advisory_xact_lock_shared(%s)", (_number(shared),))
                if lock:
                    connection.execute("SELECT pg_advisory_xact_lock(%s)", (_number(lock),))
                yield _PostgresqlTransaction(connection)
            finally:
                self._own.writes = False

    def close(self) -> None:
        """Close what no thread uses; the others are closed when they are returned."""
        with self._lock:
            idle, self._idle, self._closed = self._idle, [], True
        for connection in idle:
            connection.close()


def _number(lock: str) -> int:
    """A number for a lock, which is all that PostgreSQL takes."""
    return int.from_bytes(hashlib.sha256(f"errata {lock}".encode()).digest()[:8], "big", signed=True)


def _first_line(error: Exception) -> str:
    """The first line of what the server or psycopg said about a statement."""
    return str(error).partition("\n")[0][:_LONGEST_REASON] or type(error).__name__


def _explain_refusal(message: str) -> str:
    """Say why there is no connection, without the address, of which a password is a part; where it could be quoted, nothing is repeated.

    >>> _explain_refusal('connection to server at "db.example.org", port 5432 failed: Connection refused')
    'Connection refused'
    >>> _explain_refusal('invalid integer value "secret" for connection option "port"')
    'its address is not understood, or there is no such host; in a password, / is written as %2F, and @ as %40'
    """
    _, failed, reason = message.partition("\n")[0].rpartition(" failed: ")
    if failed:
        return reason[:_LONGEST_REASON]
    return "its address is not understood, or there is no such host; in a password, / is written as %2F, and @ as %40"
