"""No phase accepts uploads again once teams have seen what it hides while it is open: its gold, their scores, or its leaderboard."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from errata.errors import ErrataError, RequestError
from errata.event.clock import from_micros
from errata.event.definition import parse_event
from errata.event.visibility import Visibility

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from datetime import datetime

    from errata.event.database import DatabaseTransaction
    from errata.event.definition import EventDefinition
    from errata.event.visibility import Decisions

_SETTINGS = {"gold": "gold_visible", "scores": "scores", "leaderboard": "board"}


def refuse_reopening(
    transaction: DatabaseTransaction, definition: EventDefinition, decisions: Mapping[str, Decisions], now: datetime
) -> None:
    """Raise if a definition would open a phase after something was seen that it hides while the phase is open.

    Every definition that was in force is looked at, so that what was seen cannot be forgotten by two changes one after the other.
    """
    after = Visibility(definition, decisions, now)
    hidden = {
        phase.name: [what for what, setting in _SETTINGS.items() if getattr(phase, setting) != "open"]
        for phase in definition.phases
        if not phase.is_answers and after.stage(phase) in {"coming", "open"}
    }
    for before in _list_former(transaction, decisions, now):
        for phase in before.definition.phases:
            seen = [what for what in hidden.get(phase.name, []) if not phase.is_answers and before.shows_to_teams(phase, what)]
            if seen:
                path, what = definition.path, seen[0]
                raise RequestError(
                    f"{path}: the phase {phase.name} would accept uploads again, though teams could see its {what} already; "
                    f'make it a phase of its own, with other sentences, or say {_SETTINGS[what]} = "open" if everybody may submit with that'
                )


def _list_former(transaction: DatabaseTransaction, decisions: Mapping[str, Decisions], now: datetime) -> Iterator[Visibility]:
    """What was visible at the end of each definition that was in force; the last ends now."""
    rows = transaction.rows("SELECT at, toml FROM definitions ORDER BY id")
    ends = [*(from_micros(at) for at, _ in rows[1:]), now]
    for (_, toml), end in zip(rows, ends, strict=True):
        with suppress(ErrataError):  # it may name a metric of a plugin that is gone
            yield Visibility(parse_event(toml.encode(), "a former definition"), decisions, end)
