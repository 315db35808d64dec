"""What is visible to whom, and when: the one place that decides.

Organisers see everything.  Annotators see the gold and the proposals that they judge, but nobody's scores.
A team sees its own submissions always, its own scores from when the phase says, and never those of another team before the board does.
Everybody sees what is public.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from errata.event.accounts import Account
    from errata.event.definition import EventDefinition
    from errata.event.phases import Phase, When

Stage = Literal["coming", "open", "closed", "published"]
STAGES: tuple[Stage, ...] = ("coming", "open", "closed", "published")


@dataclass(frozen=True)
class Decisions:
    """What organisers decided about a phase while the event ran."""

    closed_at: datetime | None = None
    published_at: datetime | None = None


class Visibility:
    """What is visible at an instant."""

    def __init__(self, definition: EventDefinition, decisions: Mapping[str, Decisions], now: datetime) -> None:
        self.definition, self._decisions, self.now = definition, decisions, now

    def closes(self, phase: Phase) -> datetime:
        """When a phase closes: when it says, or when organisers closed it before."""
        decided = self._decisions.get(phase.name, Decisions()).closed_at
        return phase.closes if decided is None else min(phase.closes, decided)

    def accepts_until(self, phase: Phase) -> datetime:
        """Until when something is accepted; a phase that organisers closed has no grace period."""
        decided = self._decisions.get(phase.name, Decisions()).closed_at
        return phase.accepts_until if decided is None else min(phase.accepts_until, decided)

    def published(self, phase: Phase) -> datetime | None:
        """When a phase was or will be published; None if nobody has said so."""
        decided = self._decisions.get(phase.name, Decisions()).published_at
        known = [instant for instant in (phase.publishes, decided) if instant is not None]
        return min(known) if known else None

    def stage(self, phase: Phase) -> Stage:
        """Where a phase stands.  It is open from the very instant at which it opens until, and without, the end of its grace period."""
        published = self.published(phase)
        if published is not None and self.now >= published:
            return "published"
        if self.now < phase.opens:
            return "coming"
        return "open" if self.now < self.accepts_until(phase) else "closed"

    def _has_reached(self, phase: Phase, when: When) -> bool:
        return when != "never" and STAGES.index(self.stage(phase)) >= STAGES.index(when)

    def accepts(self, phase: Phase) -> bool:
        """Whether uploads or proposals are accepted, and submissions can be marked or withdrawn."""
        return self.stage(phase) == "open"

    def source(self, phase: Phase, viewer: Account | None) -> bool:
        """Whether the texts to be corrected can be read: by everybody from when the phase opens."""
        return is_organiser(viewer) or self.stage(phase) != "coming"

    def gold(self, phase: Phase, viewer: Account | None) -> bool:
        """Whether the gold can be read; by teams and annotators also once alternative answers to it are asked for."""
        if is_organiser(viewer) or self._has_reached(phase, phase.gold_visible):
            return True
        return viewer is not None and self._is_discussed(phase)

    def _is_discussed(self, phase: Phase) -> bool:
        answers = self.definition.answers_about(phase)
        return answers is not None and self.stage(answers) != "coming"

    def shows_to_teams(self, phase: Phase, what: str) -> bool:
        """Whether teams see the gold of a phase, their scores, or its leaderboard."""
        if what == "gold":
            return self._has_reached(phase, phase.gold_visible) or self._is_discussed(phase)
        return self.board(phase, None) or (what == "scores" and self._has_reached(phase, phase.scores))

    def own_scores(self, phase: Phase, team: Account) -> bool:
        """Whether a team sees its scores."""
        del team  # all teams alike
        return self._has_reached(phase, phase.scores) or self.board(phase, None)

    def scores_of(self, phase: Phase, team_id: int, viewer: Account | None) -> bool:
        """Whether somebody sees the scores of a single submission of a team."""
        return is_organiser(viewer) or (viewer is not None and viewer.id == team_id and self.own_scores(phase, viewer))

    def board(self, phase: Phase, viewer: Account | None) -> bool:
        """Whether somebody sees the leaderboard."""
        return is_organiser(viewer) or self._has_reached(phase, phase.board)

    def names(self, phase: Phase) -> bool:
        """Whether the board names teams."""
        return self._has_reached(phase, phase.names)

    def answers(self, phase: Phase, viewer: Account | None) -> bool:
        """Whether the judgments of proposals and the tables with accepted answers can be seen."""
        return is_organiser(viewer) or self.stage(phase) == "published"

    def judging(self, phase: Phase, viewer: Account | None) -> bool:
        """Whether an annotator can judge: from when proposals are made until all is published."""
        return viewer is not None and viewer.role == "annotator" and self.stage(phase) in {"open", "closed"}


def is_organiser(viewer: Account | None) -> bool:
    """Whether somebody is an organiser."""
    return viewer is not None and viewer.role == "organiser"
