"""What becomes visible to whom when organisers close or publish a phase, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from errata.event.definition import EventDefinition
    from errata.event.phases import Phase, When
    from errata.event.visibility import Visibility

CLOSE, PUBLISH = "close", "publish"
_STAGES: dict[str, When] = {CLOSE: "closed", PUBLISH: "published"}


def list_consequences(definition: EventDefinition, visibility: Visibility, phase: Phase, kind: str) -> list[str]:
    """List what a decision changes."""
    stage = _STAGES[kind]
    listed: list[str] = []
    if kind == CLOSE:
        what = "proposals" if phase.is_answers else "submissions"
        listed.append(f"Teams can send no more {what} from now on, and cannot change or withdraw those that they sent.")
        if phase.grace:
            listed.append("The grace period ends too.")
    if phase.is_answers:
        if kind == PUBLISH:
            listed.append("The judgments end.")
            listed.append(_tell_who_sees_answers(definition.phase(phase.about), visibility))
        return listed
    if phase.scores == stage:
        listed.append("Each team sees the scores of its own submissions.")
    if phase.board == stage:
        named = "with the names of the teams" if phase.names in {"open", "closed", stage} else "without the names of the teams"
        listed.append(f"Everybody sees the leaderboard, {named}.")
    elif phase.names == stage and phase.board != "never":
        listed.append("The leaderboard, which everybody sees, names the teams.")
    if phase.gold_visible == stage:
        listed.append("Everybody can download the gold, and each team sees the report pages of its submissions.")
    if len(listed) == (kind == CLOSE) + bool(kind == CLOSE and phase.grace):
        listed.append("Nothing becomes visible that is not visible now.")
    return listed


def _tell_who_sees_answers(about: Phase, visibility: Visibility) -> str:
    """Say who sees the tables with accepted answers, which are never visible before the others of their phase."""
    boards = f"the leaderboards of {about.title} with the accepted answers"
    if visibility.board(about, None):
        return f"Everybody sees {boards}."
    if about.board == "never":
        return f"Only organisers see {boards}, because that phase has no public leaderboard."
    return f"Everybody sees {boards} when that phase is {'published' if about.board == 'published' else about.board}, and not before."
