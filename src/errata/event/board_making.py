"""What takes long is made in one thread of its own, beside those that answer: leaderboards, and golds with accepted answers.

Who asks waits for a moment only, and few at a time do: at an instant of publication everybody asks, and if all waited, nobody would be left
to take uploads.  The others are shown what there was before.
"""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from contextlib import contextmanager
from typing import TYPE_CHECKING

from errata.errors import RequestError

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterator

    from errata.event.boards import Board

_PATIENCE = 2.0
"""Seconds that a reader waits for what is being made."""
_MOST_WAITING = 4
"""Readers that wait at a time, in threads that others need."""
_MOST_UNKEPT = 16
BoardKey = tuple[int, bool]
"""The number of a gold, and whether teams have their names."""


class InMakingError(RequestError):
    """What was asked for is being made."""

    def __init__(self, what: str = "the leaderboard") -> None:
        super().__init__(f"{what} is being made; try again in a moment")


class _Making:
    """Something that is made, or waits for its turn."""

    def __init__(self, make: Callable[[], object]) -> None:
        self.make = make
        self.is_done = threading.Event()
        self.error: Exception | None = None


class BoardMaker:
    """Makes one thing after the other, in a thread that ends when nothing is left.  Threads share it."""

    def __init__(self, patience: float = _PATIENCE, most_waiting: int = _MOST_WAITING) -> None:
        self.patience = patience
        self._lock = threading.Lock()
        self._waiting = threading.BoundedSemaphore(most_waiting)
        self._makings: OrderedDict[Hashable, _Making] = OrderedDict()
        self._is_running = False
        self._locks: dict[BoardKey, threading.Lock] = {}
        self._unkept: OrderedDict[BoardKey, Board] = OrderedDict()

    def make(self, key: Hashable, make: Callable[[], object], until: float) -> None:
        """Have something made, unless it is being made; wait for it until an instant of ``time.monotonic``, unless many wait already.

        Raises what making raises, if this ends while somebody waits.
        """
        with self._lock:
            making = self._makings.get(key)
            if making is None:
                making = self._makings[key] = _Making(make)
            if not self._is_running:
                self._is_running = True
                threading.Thread(target=self._run, name="errata-boards", daemon=True).start()
        if self._waiting.acquire(blocking=False):
            try:
                making.is_done.wait(max(0.0, until - time.monotonic()))
            finally:
                self._waiting.release()
        if making.error is not None:
            raise making.error

    def _run(self) -> None:
        while True:
            with self._lock:
                key, making = next(iter(self._makings.items()), (None, None))
                if making is None:
                    self._is_running = False
                    return
            try:
                making.make()
            except Exception as error:  # noqa: BLE001 - those who wait are told, and the next who asks tries again
                making.error = error
            finally:
                with self._lock:
                    del self._makings[key]
                making.is_done.set()

    @property
    def is_busy(self) -> bool:
        """Whether something is being made."""
        with self._lock:
            return self._is_running

    @contextmanager
    def making(self, key: BoardKey) -> Iterator[None]:
        """Make a board while no other thread makes the same."""
        with self._lock:
            lock = self._locks.setdefault(key, threading.Lock())
        with lock:
            yield

    def remember(self, key: BoardKey, board: Board) -> None:
        """Remember a board that the database could not keep."""
        with self._lock:
            self._unkept[key] = board
            while len(self._unkept) > _MOST_UNKEPT:
                self._unkept.popitem(last=False)

    def recall(self, key: BoardKey, state: str) -> Board | None:
        """Recall a board of a state that the database could not keep."""
        with self._lock:
            board = self._unkept.get(key)
        return board if board is not None and board.state == state else None
