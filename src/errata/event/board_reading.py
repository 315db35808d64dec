"""The board of a phase for somebody who does not wait long: as it is now, or else the last one while a newer one is being made."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from errata.event.board_making import InMakingError
from errata.event.boards import list_boards
from errata.event.public_golds import is_board_public
from errata.event.results import find_board, look_for_board

if TYPE_CHECKING:
    from errata.event.boards import Board
    from errata.event.event import Event
    from errata.event.gold_versions import GoldVersion
    from errata.event.phases import Phase


def read_board(event: Event, phase: Phase, version: GoldVersion, *, named: bool, until: float | None = None) -> Board | None:
    """Find the board of a phase as it is now, or have it made and wait for a moment; then the last one, which says that it is not current.

    None if no team has submitted anything that can be scored; raises :class:`InMakingError` if there is no board yet.
    ``until`` is an instant of ``time.monotonic``, for those who read several.
    """
    look = look_for_board(event, phase, version, named=named)
    if look.board is not None or not look.has_entries:
        return look.board
    until = time.monotonic() + event.board_maker.patience if until is None else until
    made: list[Board | None] = []
    event.board_maker.make((version.id, named), lambda: made.append(find_board(event, phase, version, named=named)), until)
    if made:
        return made[0]
    look = look_for_board(event, phase, version, named=named)  # another may have been waiting for it
    if look.board is not None:
        return look.board
    last = _find_last(event, version, named=named)
    if last is None:
        raise InMakingError
    return last


def _find_last(event: Event, version: GoldVersion, *, named: bool) -> Board | None:
    with event.database.read() as transaction:
        needs_public = is_board_public(transaction, event.moment(transaction), version, named=named)
        kept = list_boards(transaction, version.id)
    last = next((board for board in kept if board.named == named and (board.is_public or not needs_public)), None)
    return last._replace(is_current=False) if last is not None else None
