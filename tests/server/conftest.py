from __future__ import annotations

from collections.abc import Iterator

import pytest

from postgresql_server import PostgresqlServer

SQLITE, POSTGRESQL = "sqlite", "postgresql"


@pytest.fixture(params=[SQLITE, POSTGRESQL])
def database_url(request: pytest.FixtureRequest) -> Iterator[str | None]:
    """None for SQLite in the data folder, or the address of an empty database; what uses it is tested with both."""
    if request.param == SQLITE:
        yield None
        return
    server: PostgresqlServer = request.getfixturevalue("postgresql")
    with server.make_database() as url:
        yield url
