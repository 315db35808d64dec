"""Boards are made once: threads that need the same one wait for it, or take the last one if it takes long."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from errata.event.boards import Board

_LONG = 1.0
"""Seconds that readers wait; intervals of many teams take longer."""


class _Making:
    """The making of one board."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.seconds = 0.0
        """How long it took the last time."""


class BoardMaker:
    """Makes the boards of an event, each in one thread at a time.  Threads share it."""

    def __init__(self, long: float = _LONG) -> None:
        self._long = long
        self._lock = threading.Lock()
        self._makings: dict[tuple[int, bool], _Making] = {}

    def make(self, key: tuple[int, bool], make: Callable[[], Board | None], find_last: Callable[[], Board | None]) -> Board | None:
        """Make the board of a gold, with or without names; or find the last one while another thread makes it, if that takes long.

        ``make`` looks first whether it has been made meanwhile.
        """
        with self._lock:
            making = self._makings.setdefault(key, _Making())
        if not making.lock.acquire(blocking=False):
            if making.seconds > self._long and (last := find_last()) is not None:
                return last
            making.lock.acquire()
        try:
            started = time.monotonic()
            board = make()
            making.seconds = max(time.monotonic() - started, making.seconds / 2)  # one that was found was made in no time
            return board
        finally:
            making.lock.release()
