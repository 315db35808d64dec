"""A disk that is full, as SQLite sees it: no page can be added to the file."""

from __future__ import annotations

from errata_event.database import Database, _SqliteDatabase


def fill_disk(database: Database) -> None:
    """Let the file of a database not grow any more."""
    assert isinstance(database, _SqliteDatabase)
    connect = database._connect
    database.close()  # connections that were made before
    database._closed = False

    def connect_full() -> object:
        connection = connect()
        connection.execute("PRAGMA max_page_count = 1")  # SQLite takes the number of pages that there are
        return connection

    database._connect = connect_full  # type: ignore[method-assign,assignment]
