"""How often an address may try to log in: a bucket of attempts for each address.

Nobody can guess a token of 256 bits; the limit keeps those who try from taking the time of others.
There is no limit of all addresses together: whoever has some of them could shut out everybody else.
It is asked before anything else is done for a request, and needs no database.
A token that was right before is looked up whatever others try at the same address, such as that of a university or a proxy.
"""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from time import monotonic
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

_MOST_ADDRESSES = 10_000
_MOST_KNOWN = 10_000
_MINUTE = 60.0


class Attempts:
    """Counts attempts; used by the event loop only."""

    def __init__(self, per_minute: int, clock: Callable[[], float] = monotonic) -> None:
        self._per_minute, self._clock = per_minute, clock
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()
        self._known: OrderedDict[bytes, None] = OrderedDict()

    def take(self, address: str) -> bool:
        """Take an attempt of an address; return whether there was one left."""
        level, now = self._level(address)
        self._buckets[address] = (level - 1 if level >= 1 else level, now)
        self._buckets.move_to_end(address)
        while len(self._buckets) > _MOST_ADDRESSES:
            self._buckets.popitem(last=False)
        return level >= 1

    def is_left(self, address: str) -> bool:
        """Whether an attempt is left, without taking it."""
        return self._level(address)[0] >= 1

    def know(self, token: str) -> None:
        """Note that a token was right; only its hash is kept."""
        self._known[_hash(token)] = None
        while len(self._known) > _MOST_KNOWN:
            self._known.popitem(last=False)

    def forget(self, token: str) -> None:
        """Note that a token is not right."""
        self._known.pop(_hash(token), None)

    def is_known(self, token: str) -> bool:
        """Whether a token was right when it was last seen."""
        return _hash(token) in self._known

    def _level(self, address: str) -> tuple[float, float]:
        now, most = self._clock(), self._per_minute
        level, since = self._buckets.get(address, (float(most), now))
        return min(float(most), level + (now - since) * most / _MINUTE), now


def _hash(token: str) -> bytes:
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).digest()
