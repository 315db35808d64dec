"""Sentences that two phases have in common: who can read the gold of one knows that of the other."""

from __future__ import annotations

from typing import TYPE_CHECKING

from errata.event.gold_versions import list_sources
from errata.formats.problems import Problem

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from datetime import datetime

    from errata.event.definition import EventDefinition
    from errata.event.phases import Phase

_FEWEST, _SHARE = 3, 0.01
"""How many sentences are warned of, and which share of a phase; any two texts can have a short sentence in common."""


def list_leaks(definition: EventDefinition, golds: Mapping[str, bytes]) -> Iterator[Problem]:
    """Warn of phases that accept uploads while teams can read, as the gold of another phase, some of what they hide."""
    sources = {name: set(list_sources(m2)) for name, m2 in golds.items()}
    phases = [phase for phase in definition.phases if phase.name in sources]
    for hidden in phases:
        own = sources[hidden.name]
        for other in phases:
            readable_at = _find_readable(definition, other)
            if other is hidden or hidden.gold_visible == "open" or readable_at is None or readable_at >= hidden.accepts_until:
                continue
            common = len(own & sources[other.name])
            if common >= max(_FEWEST, _SHARE * len(own)):
                yield Problem(
                    definition.path,
                    None,
                    "warning",
                    f"{common:,} of {len(own):,} sentences of the phase {hidden.name} are in the gold of {other.name} too, which teams can "
                    f"read before {hidden.name} closes",
                )


def _find_readable(definition: EventDefinition, phase: Phase) -> datetime | None:
    """When teams can read the gold of a phase; None if the definition does not say when."""
    instants = {"open": phase.opens, "closed": phase.accepts_until, "published": phase.publishes, "never": None}
    answers = definition.answers_about(phase)
    known = [instants[phase.gold_visible], answers.opens if answers is not None else None]
    return min((instant for instant in known if instant is not None), default=None)
