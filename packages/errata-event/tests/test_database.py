from __future__ import annotations

import os
import signal
import sqlite3
import stat
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from full_disk import fill_disk

from errata.errors import InputError, UsageError
from errata_event import audit
from errata_event.database import Database, DatabaseTransaction, DatabaseUnavailableError, NestedWriteError, open_database
from errata_event.event import Event
from errata_event.instants import system_clock
from errata_event.postgresql import _MOST_CONNECTIONS

from example_events import ExampleEvent
from postgresql_server import GUARDED, PASSWORD, PostgresqlServer


@pytest.fixture
def database(tmp_path: Path, database_url: str | None) -> Iterator[Database]:
    opened = open_database(tmp_path / "data", database_url)
    yield opened
    opened.close()


def _count(database: Database) -> int:
    with database.read() as transaction:
        return len(audit.read_log(transaction))


def _write(database: Database, action: str = "something") -> None:
    with database.write() as transaction:
        audit.record(transaction, system_clock(), None, action, text="café 中 \u2028 % ?")


def test_what_was_written_is_read(database: Database) -> None:
    _write(database)
    with database.read() as transaction:
        (line,) = audit.read_log(transaction)
    assert (line.action, line.details) == ("something", {"text": "café 中 \u2028 % ?"})


def test_an_error_rolls_everything_back(database: Database) -> None:
    _write(database)

    def fail(transaction: DatabaseTransaction) -> None:
        audit.record(transaction, system_clock(), None, "lost")
        raise RuntimeError("a mistake")

    with pytest.raises(RuntimeError, match="a mistake"), database.write("x") as transaction:
        fail(transaction)

    def repeat(transaction: DatabaseTransaction) -> None:
        for _ in range(2):
            transaction.run("INSERT INTO contents (sha256, content) VALUES (?, ?)", "a", b"\x00\xff")

    with pytest.raises(Exception, match=r"(?i)unique|duplicate"), database.write("x") as transaction:
        repeat(transaction)
    assert _count(database) == 1
    with database.read() as transaction:
        assert transaction.row("SELECT count(*) FROM contents") == (0,)
    _write(database)  # and no lock is left
    assert _count(database) == 2


def test_a_transaction_that_reads_cannot_write(database: Database) -> None:
    with pytest.raises(Exception, match=r"(?i)read-?only|cannot use its database"), database.read() as transaction:
        audit.record(transaction, system_clock(), None, "something")
    _write(database)
    assert _count(database) == 1


def test_a_transaction_sees_one_state(database: Database) -> None:
    _write(database)
    with database.read() as transaction:
        before = len(audit.read_log(transaction))
        _write(database)  # reading within writing and the other way round are both allowed
        assert len(audit.read_log(transaction)) == before
    with database.write() as transaction:
        audit.record(transaction, system_clock(), None, "third")
        assert _count(database) == 2
        assert len(audit.read_log(transaction)) == 3


def test_a_write_within_a_write_is_a_mistake_and_not_a_deadlock(database: Database) -> None:
    with pytest.raises(NestedWriteError), database.write("a"), database.write("b"):
        pass
    _write(database)


def test_writers_of_one_lock_wait_for_each_other(database: Database) -> None:
    def add_one() -> None:
        for _ in range(5):
            with database.write("counter", shared="all") as transaction:
                row = transaction.row("SELECT coalesce(max(number), 0) FROM golds")
                number = row[0] + 1 if row is not None else 0
                transaction.run("INSERT INTO contents (sha256, content) VALUES (?, ?)", f"{number}", b"")
                transaction.insert(
                    "INSERT INTO golds (phase, variant, number, sha256, made_at, reason) VALUES (?, ?, ?, ?, ?, ?)",
                    "dev", "gold", number, f"{number}", 0, "",
                )  # fmt: skip

    _run_threads(20, add_one)
    with database.read() as transaction:
        assert transaction.row("SELECT count(*), max(number) FROM golds") == (100, 100)


def test_who_has_a_lock_alone_waits_for_those_who_share_it(database: Database) -> None:
    order: list[str] = []
    shares = threading.Event()

    def decide() -> None:
        shares.wait(10)
        with database.write("event"):
            order.append("alone")

    thread = threading.Thread(target=decide)
    thread.start()
    with database.write("team 1", shared="event"):
        shares.set()
        thread.join(0.2)
        order.append("shared")
    thread.join(10)
    assert order == ["shared", "alone"]


def test_more_threads_than_connections_that_each_need_two(database: Database) -> None:
    """Each has one before any takes its second, which would be a deadlock if both came out of the same few."""
    barrier = threading.Barrier(_MOST_CONNECTIONS)

    def nest() -> None:
        with database.read() as outer:
            barrier.wait(20)
            with database.read() as inner:
                assert outer.row("SELECT 1") == inner.row("SELECT 1")

    _run_threads(_MOST_CONNECTIONS, nest)
    _run_threads(3 * _MOST_CONNECTIONS, lambda: _write(database))
    assert _count(database) == 3 * _MOST_CONNECTIONS


def _run_threads(count: int, work: Callable[[], None]) -> None:
    failures: list[BaseException] = []

    def run() -> None:
        try:
            work()
        except BaseException as error:  # noqa: BLE001 - it is raised below
            failures.append(error)

    threads = [threading.Thread(target=run) for _ in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert not failures


def test_nobody_else_reads_the_folder(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        database = open_database(tmp_path / "new" / "data", None)
        _write(database)
        modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in (tmp_path / "new" / "data").iterdir()}
        database.close()
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "new" / "data").stat().st_mode) == 0o700
    assert set(modes) >= {"event.sqlite", "event.sqlite-wal"}
    assert set(modes.values()) == {0o600}


def test_files_that_are_no_database_of_errata(tmp_path: Path) -> None:
    path = tmp_path / "event.sqlite"
    path.write_text("This is a text and no database." * 100)
    with pytest.raises(InputError, match=r"event\.sqlite: cannot be used as a database"):
        open_database(tmp_path, None)
    path.unlink()
    with sqlite3.connect(path) as other:
        other.execute("CREATE TABLE recipes (name TEXT)")
    other.close()
    with pytest.raises(InputError, match="is a database of something else"):
        open_database(tmp_path, None)
    path.unlink()
    with sqlite3.connect(path) as other:
        other.execute("CREATE TABLE schema_version (number INT)")
        other.execute("INSERT INTO schema_version VALUES (99)")
    other.close()
    with pytest.raises(InputError, match="was made by another version of errata: tables 99, expected 1"):
        open_database(tmp_path, None)


def test_a_folder_that_cannot_be_used(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match=r"file/event\.sqlite: cannot be used"):
        open_database(tmp_path / "file", None)


def test_opening_makes_nothing_where_there_is_no_event(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there is no event in"):
        Event.open(str(tmp_path))
    with pytest.raises(InputError, match="there is no event in"):
        Event.open(str(tmp_path / "missing"))
    assert list(tmp_path.iterdir()) == []


def test_addresses_that_are_none_of_postgresql(tmp_path: Path) -> None:
    with pytest.raises(
        UsageError, match=r"a database is postgresql://\.\.\., or none for SQLite in the data folder; found 'mysql'"
    ) as caught:
        open_database(tmp_path, "mysql://user:secret@host/db")
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://user:pa/ss-secret@127.0.0.1:1/db",
        "postgresql://user:p@ss-secret@127.0.0.1:1/db",
        "postgresql://user:ss-secret%zz@127.0.0.1:1/db",
        "postgresql://user:ss-secret@127.0.0.1:1/db",
        "postgresql://user:ss-secret@127.0.0.1:99999/db",
        "postgresql://user:ss-secret@/db?host=/nowhere",
        "postgresql://user:ss-secret@127.0.0.1:1/db?colour=ss-secret",
        "postgresql://user:ss-secret@ss-secret.invalid/db",
    ],
)
def test_no_message_has_the_password_of_a_server_that_cannot_be_reached(tmp_path: Path, url: str) -> None:
    pytest.importorskip("psycopg")
    with pytest.raises(DatabaseUnavailableError) as caught:
        open_database(tmp_path, url)
    assert caught.value.detail.startswith("the database cannot be reached: ")
    assert "ss-secret" not in caught.value.detail
    assert "postgresql://" not in caught.value.detail


def test_a_transaction_of_a_process_that_stopped_does_not_hold_locks_for_ever(postgresql: PostgresqlServer, tmp_path: Path) -> None:
    with postgresql.make_database() as url:
        database = open_database(tmp_path, url)
        with database.read() as transaction:
            assert transaction.row("SHOW idle_in_transaction_session_timeout") == ("5min",)
        database.close()


def test_nobody_is_told_where_the_database_is_if_the_disk_is_full(tmp_path: Path) -> None:
    database = open_database(tmp_path, None)
    fill_disk(database)
    with pytest.raises(DatabaseUnavailableError) as caught, database.write() as transaction:
        transaction.run("INSERT INTO contents (sha256, content) VALUES ('x', ?)", b"x" * 100_000)
    assert caught.value.detail.endswith("event.sqlite: cannot be used: database or disk is full")
    assert "sqlite" not in str(caught.value)
    with database.read() as transaction:
        assert transaction.row("SELECT 1 FROM contents") is None
    database.close()


def test_a_wrong_password(postgresql: PostgresqlServer, tmp_path: Path) -> None:
    with pytest.raises(DatabaseUnavailableError) as caught:
        open_database(tmp_path, postgresql.url(user=GUARDED, password="wrong-secret"))
    assert "password authentication failed" in caught.value.detail
    assert "wrong-secret" not in caught.value.detail
    with pytest.raises(DatabaseUnavailableError) as caught:
        open_database(tmp_path, postgresql.url("missing"))
    assert "does not exist" in caught.value.detail


def test_a_password_with_special_characters(postgresql: PostgresqlServer, tmp_path: Path) -> None:
    with postgresql.make_database() as url:
        name = url.partition("@/")[2].partition("?")[0]
        postgresql.run(f"ALTER DATABASE {name} OWNER TO {GUARDED}")
        database = open_database(tmp_path, postgresql.url(name, GUARDED, PASSWORD))
        _write(database)
        assert _count(database) == 1
        database.close()


def test_postgresql_databases_of_something_else(postgresql: PostgresqlServer, tmp_path: Path) -> None:
    import psycopg

    def refuse(sql: str, reason: str) -> None:
        with postgresql.make_database() as url:
            with psycopg.connect(url, autocommit=True) as connection:
                connection.execute(sql.encode())
            with pytest.raises(InputError, match=reason):
                open_database(tmp_path, url)

    refuse("CREATE TABLE accounts (name TEXT)", "is one of something else")
    refuse("CREATE TABLE schema_version (colour TEXT)", "cannot be used: column")
    refuse("CREATE TABLE schema_version AS SELECT 99 AS number", "made by another version of errata: tables 99, expected 1")


def test_postgresql_may_be_started_again_while_the_event_runs(postgresql: PostgresqlServer, tmp_path: Path) -> None:
    with postgresql.make_database() as url:
        database = open_database(tmp_path, url)
        _run_threads(8, lambda: _write(database))
        for how in (signal.SIGINT, signal.SIGQUIT):
            postgresql.stop(how)
            with pytest.raises(DatabaseUnavailableError) as caught:
                _write(database)
            assert caught.value.detail.startswith("the database cannot be reached: ")
            postgresql.start()
            _write(database)
        assert _count(database) == 10
        database.close()


def test_a_server_that_stops_within_a_transaction(postgresql: PostgresqlServer, tmp_path: Path) -> None:
    with postgresql.make_database() as url:
        database = open_database(tmp_path, url)
        with pytest.raises(DatabaseUnavailableError) as caught, database.write() as transaction:  # noqa: PT012
            audit.record(transaction, system_clock(), None, "lost")
            postgresql.stop()
            audit.record(transaction, system_clock(), None, "lost too")
        assert caught.value.detail.startswith("the database cannot be used: ")
        postgresql.start()
        assert _count(database) == 0
        database.close()


def test_two_processes_have_one_event(event: ExampleEvent) -> None:
    team = event.add("Alpha")
    other = event.reopen()
    try:
        number = other.upload(team).submission
        assert number is not None
        assert event.upload(team).submission == number
    finally:
        other.event.close()
