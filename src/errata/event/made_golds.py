"""Which golds with accepted answers are known to be made, so that not every reader of a public page looks at all proposals."""

from __future__ import annotations

import time
from datetime import timedelta
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable
    from datetime import datetime

_SETTLED = timedelta(minutes=10)
"""So long after publication what arrived before it may still be stored; a request takes five minutes at most."""
_SECONDS = 2.0


class MadeGolds:
    """Remembers it for each phase, with all that can change after publication.  Threads may share it."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._known: dict[str, tuple[Hashable, float, bool]] = {}

    def know(self, phase: str, state: Hashable, now: datetime, published: datetime) -> None:
        """Note that the golds of a phase were seen to be made at an instant; what is settled stays as it is."""
        self._known[phase] = state, self._clock(), now - published >= _SETTLED

    def are_known(self, phase: str, state: Hashable) -> bool:
        """Whether they are made as far as is known."""
        known, seen, is_settled = self._known.get(phase, (None, 0.0, False))
        return known == state and (is_settled or self._clock() - seen < _SECONDS)
