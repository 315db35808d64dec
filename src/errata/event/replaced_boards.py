"""Boards of golds that were replaced: as everybody saw them then, and with the names of teams once these are public.

They are never computed anew, because teams may have submitted something else since.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from errata.event.accounts import list_accounts
from errata.event.aliases import list_aliases
from errata.event.boards import list_boards, list_public_namings
from errata.task.tables import TaskTable

if TYPE_CHECKING:
    from collections.abc import Mapping

    from errata.event.boards import Board
    from errata.event.database import DatabaseTransaction
    from errata.event.gold_versions import GoldVersion
    from errata.report.table import Table


def find_replaced_board(transaction: DatabaseTransaction, version: GoldVersion, *, named: bool) -> Board | None:
    """Find the last board under a gold that everybody could see; None if nobody looked at one.

    One that was anonymous then gets the names of teams, if they are asked for.
    """
    public = [board for board in list_boards(transaction, version.id) if board.is_public]
    if not named:
        return next((board for board in public if not board.named), None)
    if not public or public[0].named:
        return next(iter(public), None)
    teams = list_accounts(transaction, "team")
    anonymous = list_aliases(transaction, version.phase, teams)
    return name_teams(public[0], {anonymous[team.id]: team.name for team in teams})


def list_with_public_boards(transaction: DatabaseTransaction, phase: str, *, named: bool) -> set[int]:
    """List the numbers of golds for which :func:`find_replaced_board` finds a board."""
    return {gold for gold, has_names in list_public_namings(transaction, phase) if named or not has_names}


def name_teams(board: Board, names: Mapping[str, str]) -> Board:
    """Name the teams of an anonymous board, in every text of its rows; nothing else changes, nor does the order of the rows."""
    pattern = re.compile(rf"\b(?:{'|'.join(map(re.escape, names))})\b")

    def write(text: str) -> str:
        return pattern.sub(lambda found: names[found[0]], text)

    def convert(table: Table) -> Table:
        return replace(table, rows=tuple(tuple(write(cell) if isinstance(cell, str) else cell for cell in row) for row in table.rows))

    tables = {name: TaskTable(*map(convert, own)) for name, own in board.tables.items()}
    return board._replace(tables=tables, teams=[names.get(team, team) for team in board.teams], named=True)
