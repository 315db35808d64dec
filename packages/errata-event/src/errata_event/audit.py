"""The audit log: who did what, and when.  It has neither tokens nor contents, and nothing in it is ever changed."""

from __future__ import annotations

import json
import threading
from datetime import timedelta
from typing import TYPE_CHECKING, Any, NamedTuple

from errata_event.instants import from_micros, to_micros

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from errata_event.accounts import Account
    from errata_event.database import DatabaseTransaction


class AuditLine(NamedTuple):
    """Something that was done."""

    id: int
    at: datetime
    account: int | None
    """Who did it; None for the command line, which only organisers can use."""
    action: str
    details: dict[str, Any]

    def who(self, accounts: Mapping[int, Account]) -> str:
        """Name who did it."""
        if self.account is None:
            return "command line"
        account = accounts.get(self.account)
        return f"{account.role} {account.name}" if account is not None else f"account {self.account}"


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


_PAUSE = timedelta(minutes=1)


class Refusals:
    """Counts refused uploads, which cost a team nothing: the log has one line of each team and phase a minute, with how many there were.

    Threads share it; what it has counted since the last line is lost with the process.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._counted: dict[tuple[int, str], tuple[datetime, int]] = {}

    def count(self, team: int, phase: str, now: datetime) -> int:
        """Count one more; return how many a line is to tell of, or 0 if there was one in the last minute."""
        with self._lock:
            written, waiting = self._counted.get((team, phase), (None, 0))
            if written is not None and timedelta() <= now - written < _PAUSE:
                self._counted[team, phase] = written, waiting + 1
                return 0
            self._counted[team, phase] = now, 0
            return waiting + 1
