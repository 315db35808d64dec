"""Phases as programs read them, on the command line and over HTTP."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from errata.event.phases import Phase
    from errata.event.visibility import Visibility


def make_phase_record(visibility: Visibility, phase: Phase) -> dict[str, Any]:
    """Describe a phase."""
    return {
        "name": phase.name,
        "title": phase.title,
        "kind": phase.kind,
        "stage": visibility.stage(phase),
        "opens": phase.opens.isoformat(),
        "closes": visibility.closes(phase).isoformat(),
    }
