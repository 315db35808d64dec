"""Report pages that were read last: they are made one at a time, which takes a second or more."""

from __future__ import annotations

import threading
from collections import OrderedDict
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

_MOST_BYTES = 48_000_000
ReportKey = tuple[str, int, str, str, str]


class KeptReports:
    """The reports that were read last, up to so many bytes.  Threads may share it."""

    def __init__(self, most: int = _MOST_BYTES) -> None:
        self._most = most
        self._kept: OrderedDict[ReportKey, bytes] = OrderedDict()
        self._lock = threading.Lock()

    def find(self, key: ReportKey, make: Callable[[], bytes]) -> bytes:
        """Find a report, or make it."""
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
                return self._kept[key]
        made = make()
        with self._lock:
            self._kept[key] = made
            while len(self._kept) > 1 and sum(map(len, self._kept.values())) > self._most:
                self._kept.popitem(last=False)
        return made
