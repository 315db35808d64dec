from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from example_events import DEFINITION, DURING_TEST, ExampleEvent, make_example_event
from postgresql_server import PostgresqlServer, explain_missing, run_postgresql

SQLITE, POSTGRESQL = "sqlite", "postgresql"


@pytest.fixture(scope="session")
def postgresql() -> Iterator[PostgresqlServer]:
    """One server for all tests of a process, with a database for each test."""
    if reason := explain_missing():
        pytest.skip(reason)
    with run_postgresql() as server:
        yield server


@pytest.fixture(params=[SQLITE, POSTGRESQL])
def database_url(request: pytest.FixtureRequest) -> Iterator[str | None]:
    """None for SQLite in the data folder, or the address of an empty database; what uses it is tested with both."""
    if request.param == SQLITE:
        yield None
        return
    server: PostgresqlServer = request.getfixturevalue("postgresql")
    with server.make_database() as url:
        yield url


def _give_maker(tmp_path: Path, url: str | None) -> Iterator[Callable[..., ExampleEvent]]:
    with ExitStack() as stack:

        def make(definition: str = DEFINITION, now: str = DURING_TEST) -> ExampleEvent:
            made = make_example_event(tmp_path, definition, url, now)
            stack.callback(made.event.close)
            return made

        yield make


@pytest.fixture
def make_event(tmp_path: Path, database_url: str | None) -> Iterator[Callable[..., ExampleEvent]]:
    """Makes the event of a definition, once in each test; on SQLite and on PostgreSQL."""
    yield from _give_maker(tmp_path, database_url)


@pytest.fixture
def make_sqlite_event(tmp_path: Path) -> Iterator[Callable[..., ExampleEvent]]:
    """Makes the event of a definition, where the database does not matter."""
    yield from _give_maker(tmp_path, None)


@pytest.fixture
def event(make_event: Callable[..., ExampleEvent]) -> ExampleEvent:
    """An event in which ``dev`` and ``test`` are open; on SQLite and on PostgreSQL."""
    return make_event()


@pytest.fixture
def sqlite_event(make_sqlite_event: Callable[..., ExampleEvent]) -> ExampleEvent:
    """The same, where the database does not matter."""
    return make_sqlite_event()
