"""Leaderboards: the tables of a phase under one version of its gold, as ``errata task run`` makes them, kept in the database.

What a board was made of is its state, and a new board is made only if that has changed.
A newer board of the same gold replaces the older one; the tables of an older gold stay.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, NamedTuple

from errata.event.clock import from_micros, to_micros
from errata.report.table import Column, Table
from errata.task.tables import TaskTable

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from errata.event.database import DatabaseTransaction
    from errata.event.definition import EventDefinition
    from errata.event.gold_versions import GoldVersion
    from errata.event.submissions import Submission

_DIGITS = 16


class Entry(NamedTuple):
    """What a board has of a team: the name that it shows, and the submission that counts."""

    name: str
    submission: Submission


class Board(NamedTuple):
    """The tables of a phase."""

    id: int
    phase: str
    gold: int
    state: str
    made_at: datetime
    tables: dict[str, TaskTable]
    teams: list[str]
    """The teams, as the tables name them."""
    named: bool
    """Whether these are their names."""
    is_current: bool = True
    """False if what counts has changed since, and a newer one is being made."""
    is_public: bool = False
    """Whether everybody could see it, so that it stays to be seen when the gold is replaced; organisers may have seen others before."""


def compute_state(definition: EventDefinition, version: GoldVersion, entries: Sequence[Entry], *, named: bool) -> str:
    """Hash everything that a board is made of."""
    made_of = {
        "settings": definition.settings_hash,
        "phase": definition.title_of(definition.phase(version.phase)),
        "gold": version.sha256,
        "named": named,
        "entries": sorted([entry.name, entry.submission.sha256] for entry in entries),
    }
    return hashlib.sha256(json.dumps(made_of, sort_keys=True).encode()).hexdigest()[:_DIGITS]


def keep_board(transaction: DatabaseTransaction, board: Board) -> Board:
    """Store a board, unless another process has stored the same meanwhile; return it with its number."""
    known = transaction.row("SELECT id FROM boards WHERE gold = ? AND state = ?", board.gold, board.state)
    if known is not None:
        return board._replace(id=known[0])
    for older in list_boards(transaction, board.gold):
        if older.named == board.named and (board.is_public or not older.is_public):  # what everybody saw stays
            transaction.run("DELETE FROM boards WHERE id = ?", older.id)
    id_ = transaction.insert(
        "INSERT INTO boards (phase, gold, state, made_at, named, public, content) VALUES (?, ?, ?, ?, ?, ?, ?)",
        board.phase,
        board.gold,
        board.state,
        to_micros(board.made_at),
        int(board.named),
        int(board.is_public),
        _write(board),
    )
    return board._replace(id=id_)


def mark_public(transaction: DatabaseTransaction, board: Board) -> Board:
    """Remember that everybody could see a board."""
    transaction.run("UPDATE boards SET public = 1 WHERE id = ?", board.id)
    return board._replace(is_public=True)


def list_public_namings(transaction: DatabaseTransaction, phase: str) -> set[tuple[int, bool]]:
    """List the golds of a phase with a board that everybody could see, by their numbers and whether it has the names of teams."""
    rows = transaction.rows("SELECT gold, named FROM boards WHERE phase = ? AND public = 1", phase)
    return {(gold, bool(named)) for gold, named in rows}


def _write(board: Board) -> str:
    tables = {name: [_pack(table) for table in own] for name, own in board.tables.items()}
    return json.dumps({"tables": tables, "teams": board.teams})


_COLUMNS = "id, phase, gold, state, made_at, named, public, content"


def find_kept_board(transaction: DatabaseTransaction, version: GoldVersion, state: str) -> Board | None:
    """Find the board of a state."""
    row = transaction.row(f"SELECT {_COLUMNS} FROM boards WHERE phase = ? AND gold = ? AND state = ?", version.phase, version.id, state)  # noqa: S608 - constants
    return _make(row) if row is not None else None


def list_boards(transaction: DatabaseTransaction, gold: int) -> list[Board]:
    """List the boards under the gold of a number, the newest first: one with the names of teams and one without, public or not, at most."""
    return [_make(row) for row in transaction.rows(f"SELECT {_COLUMNS} FROM boards WHERE gold = ? ORDER BY id DESC", gold)]  # noqa: S608


def _make(row: tuple[Any, ...]) -> Board:
    id_, phase, gold, state, made_at, named, public, raw = row
    content = json.loads(raw)
    tables = {name: TaskTable(*map(_unpack, own)) for name, own in content["tables"].items()}
    return Board(id_, phase, gold, state, from_micros(made_at), tables, content["teams"], bool(named), is_public=bool(public))


def _pack(table: Table) -> dict[str, Any]:
    return {
        "title": table.title,
        "columns": [asdict(column) for column in table.columns],
        "rows": table.rows,
        "notes": table.notes,
        "best_of": table.best_of,
    }


def _unpack(record: Mapping[str, Any]) -> Table:
    return Table(
        tuple(Column(**column) for column in record["columns"]),
        tuple(tuple(row) for row in record["rows"]),
        record["title"],
        tuple(record["notes"]),
        record["best_of"],
    )
