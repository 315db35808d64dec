"""What everybody may see of a gold: while it is in force what the phase says, and afterwards what everybody could see until then.

A gold that was replaced while it was hidden stays hidden: it may be another gold, given by mistake.
"""

from __future__ import annotations

from datetime import timedelta
from functools import lru_cache
from typing import TYPE_CHECKING

from errata.errors import ErrataError
from errata.event.clock import from_micros
from errata.event.definition import parse_event
from errata.event.event import read_decisions
from errata.event.gold_versions import find_newest, list_gold_versions
from errata.event.visibility import Visibility

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import datetime

    from errata.event.database import DatabaseTransaction
    from errata.event.definition import EventDefinition
    from errata.event.event import Moment
    from errata.event.gold_versions import GoldVersion
    from errata.event.phases import Phase

ANSWERED = ("proposed", "pooled")
"""Variants of the gold that follow from a gold and from judgments in a phase of alternative answers."""
_INSTANT = timedelta(microseconds=1)


def is_board_public(transaction: DatabaseTransaction, moment: Moment, version: GoldVersion, *, named: bool) -> bool:
    """Whether everybody sees the board under a gold with the names of teams, or without: under one in force, named as the phase says."""
    definition, visibility, _ = moment
    phase = definition.phase(version.phase)
    if not visibility.board(phase, None) or named != visibility.names(phase):
        return False
    if version.variant in ANSWERED and not _are_answers_public(definition, visibility, phase):
        return False
    newest = find_newest(transaction, version.phase, version.variant)
    return newest is not None and newest.id == version.id


def list_public_golds(transaction: DatabaseTransaction, moment: Moment, phase: Phase) -> list[GoldVersion]:
    """List the golds of a phase that everybody may read: those in force, and those that everybody could read until they were replaced."""
    if not moment.visibility.gold(phase, None):
        return []
    versions = list_gold_versions(transaction, phase.name)
    found: list[GoldVersion] = []
    for index, version in enumerate(versions):
        replaced_at = _find_end(version, versions[index + 1 :])
        if replaced_at is None:
            is_public = _shows_gold(moment.definition, moment.visibility, version)
        else:
            is_public = _was_public(transaction, version, replaced_at)
        if is_public:
            found.append(version)
    return found


def _find_end(version: GoldVersion, later: Sequence[GoldVersion]) -> datetime | None:
    """When a gold was replaced; with accepted answers when the gold that it was made of was, although the next is made later."""
    ending = {version.variant, "gold"} if version.variant in ANSWERED else {version.variant}
    return next((other.made_at for other in later if other.variant in ending), None)


def _was_public(transaction: DatabaseTransaction, version: GoldVersion, replaced_at: datetime) -> bool:
    """Whether everybody could read a gold at some instant while it was in force, by the definition that was in force then."""
    decisions = read_decisions(transaction)
    for definition, start, end in _list_definitions(transaction, replaced_at):
        if max(start, version.made_at) < end:
            # What is visible at one instant is visible at all later ones of the same definition.
            visibility = Visibility(definition, decisions, end - _INSTANT)
            if _shows_gold(definition, visibility, version):
                return True
    return False


def _shows_gold(definition: EventDefinition, visibility: Visibility, version: GoldVersion) -> bool:
    phase = next((phase for phase in definition.phases if phase.name == version.phase and not phase.is_answers), None)
    if phase is None or not visibility.gold(phase, None):
        return False
    return version.variant not in ANSWERED or _are_answers_public(definition, visibility, phase)


def _are_answers_public(definition: EventDefinition, visibility: Visibility, phase: Phase) -> bool:
    answers = definition.answers_about(phase)
    return answers is not None and visibility.answers(answers, None)


def _list_definitions(transaction: DatabaseTransaction, until: datetime) -> Iterator[tuple[EventDefinition, datetime, datetime]]:
    """List the definitions before an instant, with when they began and ended."""
    rows = transaction.rows("SELECT at, toml FROM definitions ORDER BY id")
    starts = [from_micros(at) for at, _ in rows]
    for (_, toml), start, end in zip(rows, starts, [*starts[1:], until], strict=True):
        definition = _parse(toml)
        if definition is not None:
            yield definition, start, min(end, until)


@lru_cache(maxsize=16)
def _parse(toml: str) -> EventDefinition | None:
    """Parse an earlier definition; None if this version of errata no longer takes it, so that what it showed stays hidden."""
    try:
        return parse_event(toml.encode(), "an earlier definition of the event")
    except ErrataError:
        return None
