"""The audit log: who did what, and when.  It has neither tokens nor contents, and nothing in it is ever changed."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

from errata.event.clock import from_micros, to_micros

if TYPE_CHECKING:
    from datetime import datetime

    from errata.event.database import DatabaseTransaction


class AuditLine(NamedTuple):
    """Something that was done."""

    id: int
    at: datetime
    account: int | None
    """Who did it; None for the command line, which only organisers can use."""
    action: str
    details: dict[str, Any]


def record(transaction: DatabaseTransaction, now: datetime, account: int | None, action: str, **details: str | int | None) -> None:
    """Add a line."""
    transaction.insert(
        "INSERT INTO audit (at, account, action, details) VALUES (?, ?, ?, ?)",
        to_micros(now),
        account,
        action,
        json.dumps(details, sort_keys=True),
    )


def read_log(transaction: DatabaseTransaction, most: int | None = None, before: int | None = None) -> list[AuditLine]:
    """Read the log, the newest line first; at most so many lines, and only those before the line of a number."""
    where, of_line = ("", ()) if before is None else (" WHERE id < ?", (before,))
    limit, of_page = ("", ()) if most is None else (" LIMIT ?", (most,))
    query = f"SELECT id, at, account, action, details FROM audit{where} ORDER BY id DESC{limit}"  # noqa: S608 - constants
    return [
        AuditLine(id_, from_micros(at), account, action, json.loads(details))
        for id_, at, account, action, details in transaction.rows(query, *of_line, *of_page)
    ]
