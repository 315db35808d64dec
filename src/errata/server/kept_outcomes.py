"""What became of alternative answers, kept for a short time: everybody may ask, and counting tens of thousands of items takes long."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from errata.event.answers.outcomes import AnswerOutcome

_SECONDS = 30.0
"""As long as caches may keep the page."""


class KeptOutcomes:
    """The outcomes of phases.  Threads may share it; one at a time counts, and no other waits for it."""

    def __init__(self, seconds: float = _SECONDS, clock: Callable[[], float] = time.monotonic) -> None:
        self._seconds, self._clock = seconds, clock
        self._kept: dict[str, tuple[float, AnswerOutcome]] = {}
        self._lock = threading.Lock()

    def find(self, phase: str, measure: Callable[[], AnswerOutcome]) -> AnswerOutcome | None:
        """Find the outcome of a phase, or measure it; while another thread measures, find the last one, or None if there is none."""
        made_at, outcome = self._kept.get(phase, (float("-inf"), None))
        if outcome is not None and self._clock() - made_at < self._seconds:
            return outcome
        if not self._lock.acquire(blocking=False):
            return outcome
        try:
            outcome = measure()
            self._kept[phase] = self._clock(), outcome
        finally:
            self._lock.release()
        return outcome
