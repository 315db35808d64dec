"""What is kept in memory, within bounds, and what is made in a thread of its own because it takes long."""

from __future__ import annotations

import math
import threading
import time
from collections import OrderedDict
from typing import TYPE_CHECKING, Generic, TypeVar
from weakref import WeakValueDictionary

from errata.errors import RequestError

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

_Key = TypeVar("_Key", bound="Hashable")
_Value = TypeVar("_Value")


class Cache(Generic[_Key, _Value]):
    """Values that were used last: at most so many, of at most so much ``size`` together, each for ``ttl`` seconds.  Threads share it.

    A value that is larger than all of it is not kept.
    """

    def __init__(self, most: int, size: float = math.inf, ttl: float = math.inf, clock: Callable[[], float] = time.monotonic) -> None:
        self._most, self._size, self._ttl, self._clock = most, size, ttl, clock
        self._kept: OrderedDict[_Key, tuple[_Value, int, float]] = OrderedDict()
        self._used = 0
        self._lock = threading.Lock()
        self._making: WeakValueDictionary[_Key, threading.Lock] = WeakValueDictionary()

    def get(self, key: _Key, *, expired: bool = False) -> _Value | None:
        """Get a value; None if there is none, or only an ``expired`` one that is not wanted."""
        with self._lock:
            value, _, until = self._kept.get(key, (None, 0, 0.0))
            if value is None or not (expired or self._clock() < until):
                return None
            self._kept.move_to_end(key)
            return value

    def put(self, key: _Key, value: _Value, size: int = 0, ttl: float | None = None) -> None:
        """Keep a value, and forget those that were not used for longest; ``ttl`` is its own."""
        with self._lock:
            _, before, _ = self._kept.pop(key, (value, 0, 0.0))
            if size > self._size:
                self._used -= before
                return
            self._kept[key] = value, size, self._clock() + (self._ttl if ttl is None else ttl)
            self._used += size - before
            while len(self._kept) > self._most or self._used > self._size:
                _, (_, forgotten, _) = self._kept.popitem(last=False)
                self._used -= forgotten

    def drop(self, key: _Key) -> None:
        """Forget a value, if it is kept."""
        with self._lock:
            _, size, _ = self._kept.pop(key, (None, 0, 0.0))
            self._used -= size

    def make(self, key: _Key, make: Callable[[], _Value], measure: Callable[[_Value], int] = lambda _: 0) -> _Value:
        """Get a value, or make it; who needs the same meanwhile waits instead of making it too."""
        if (known := self.get(key)) is not None:
            return known
        with self._find_lock(key):
            if (known := self.get(key)) is None:
                known = make()
                self.put(key, known, measure(known))
            return known

    def refresh(self, key: _Key, make: Callable[[], _Value]) -> _Value | None:
        """Get a value, or make it; who needs the same meanwhile gets the expired one, or None."""
        lock = self._find_lock(key)
        if (known := self.get(key)) is not None or not lock.acquire(blocking=False):
            return known if known is not None else self.get(key, expired=True)
        try:
            self.put(key, made := make())
            return made
        finally:
            lock.release()

    def _find_lock(self, key: _Key) -> threading.Lock:
        with self._lock:
            return self._making.setdefault(key, threading.Lock())


# Who asks for what takes long, such as a leaderboard, waits for a moment only, and few at a time do: at an instant of publication
# everybody asks, and if all waited, nobody would be left to take uploads.  The others are shown what there was before.

_MAX_WAIT = 2.0
"""Seconds that a reader waits for what is pending."""
_MOST_WAITING = 4
"""Readers that wait at a time, in threads that others need."""


class PendingError(RequestError):
    """What was asked for is not made yet."""

    def __init__(self, what: str = "the leaderboard") -> None:
        super().__init__(f"{what} is being made; try again in a moment")


class _Pending:
    """Something that is made, or waits for its turn."""

    def __init__(self, make: Callable[[], object]) -> None:
        self.make = make
        self.is_done = threading.Event()
        self.error: Exception | None = None


class Maker:
    """Makes one thing after the other, in a thread that ends when nothing is left.  Threads share it."""

    def __init__(self, max_wait: float = _MAX_WAIT, most_waiting: int = _MOST_WAITING) -> None:
        self._max_wait = max_wait
        self._lock = threading.Lock()
        self._waiting = threading.BoundedSemaphore(most_waiting)
        self._pending: OrderedDict[Hashable, _Pending] = OrderedDict()
        self._is_running = False

    def wait_until(self) -> float:
        """Until when somebody waits who asks now, by ``time.monotonic``."""
        return time.monotonic() + self._max_wait

    def make(self, key: Hashable, make: Callable[[], object], until: float | None = None) -> None:
        """Have something made, unless it is pending; wait for it until an instant of :meth:`wait_until`, unless many wait already.

        Raises what making raises, if this ends while somebody waits.
        """
        until = self.wait_until() if until is None else until
        with self._lock:
            pending = self._pending.get(key)
            if pending is None:
                pending = self._pending[key] = _Pending(make)
            if not self._is_running:
                self._is_running = True
                threading.Thread(target=self._run, name="errata-boards", daemon=True).start()
        if self._waiting.acquire(blocking=False):
            try:
                pending.is_done.wait(max(0.0, until - time.monotonic()))
            finally:
                self._waiting.release()
        if pending.error is not None:
            raise pending.error

    def _run(self) -> None:
        while True:
            with self._lock:
                key, pending = next(iter(self._pending.items()), (None, None))
                if pending is None:
                    self._is_running = False
                    return
            try:
                pending.make()
            except Exception as error:  # noqa: BLE001 - those who wait are told, and the next who asks tries again
                pending.error = error
            finally:
                with self._lock:
                    del self._pending[key]
                pending.is_done.set()

    @property
    def is_busy(self) -> bool:
        """Whether something is pending."""
        with self._lock:
            return self._is_running
