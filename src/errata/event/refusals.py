"""Refused uploads in the log: one line of each team and phase a minute, with how many there were, because they cost a team nothing."""

from __future__ import annotations

import threading
from datetime import timedelta
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import datetime

_PAUSE = timedelta(minutes=1)


class Refusals:
    """Counts refused uploads by team and phase.  Threads share it; what it has counted since the last line is lost with the process."""

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
