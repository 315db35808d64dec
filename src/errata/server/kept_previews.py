"""What organisers last saw of the tables with what is accepted so far: making them may take minutes, so it is done beside the requests."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, NamedTuple

from errata.event.answers.previews import preview_tables

if TYPE_CHECKING:
    from datetime import datetime

    from errata.event.answers.previews import AnswerPreview
    from errata.event.event import Event


class KeptPreview(NamedTuple):
    """The tables as they were at an instant."""

    made_at: datetime
    """When making them began."""
    previews: list[AnswerPreview]
    is_current: bool = False
    """Whether they were made for who asks."""


class KeptPreviews:
    """The tables of each phase of alternative answers that were made last.  Threads may share it."""

    def __init__(self, event: Event) -> None:
        self._event = event
        self._kept: dict[str, KeptPreview] = {}

    def find(self, phase: str) -> KeptPreview | None:
        """Make the tables of a phase anew; find the last ones if that takes longer than somebody waits, or None if there are none."""
        made: list[KeptPreview] = []

        def make() -> None:
            now = self._event.clock()
            self._kept[phase] = KeptPreview(now, preview_tables(self._event, phase))
            made.append(self._kept[phase])

        maker = self._event.board_maker
        maker.make(("preview", phase), make, time.monotonic() + maker.patience)
        if made:
            return made[0]._replace(is_current=True)
        return self._kept.get(phase)
