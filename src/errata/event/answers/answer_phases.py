"""A phase of alternative answers, with the gold that it is about."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from errata.errors import RequestError, UsageError
from errata.event.accounts import require_admitted
from errata.event.uploading import require_open

if TYPE_CHECKING:
    from datetime import datetime

    from errata.corpus.corpus import Corpus, Sentence
    from errata.event.accounts import Account
    from errata.event.database import DatabaseTransaction
    from errata.event.definition import EventDefinition
    from errata.event.event import Event, Moment
    from errata.event.gold_versions import GoldVersion
    from errata.event.phases import Phase
    from errata.event.scoring import PhaseScorer


class AnswersPhase(NamedTuple):
    """A phase of alternative answers."""

    definition: EventDefinition
    phase: Phase
    about: Phase
    """The phase whose gold is discussed."""
    version: GoldVersion
    """That gold."""
    scorer: PhaseScorer
    received_at: datetime | None = None
    """When what a team sent had arrived, though it may have waited since; None if it has just arrived."""

    @property
    def gold(self) -> Corpus:
        """The sentences with their annotations."""
        return self.scorer.gold

    def sentence(self, number: int) -> Sentence:
        """The sentence of a number, from 1."""
        if not 1 <= number <= len(self.gold):
            raise UsageError(f"sentences are numbered from 1 to {len(self.gold):,}, found {number}")
        return self.gold[number - 1]


def open_answers(event: Event, phase_name: str, received_at: datetime | None = None) -> AnswersPhase:
    """Find a phase of alternative answers, and prepare its gold.

    Must not be called inside a transaction that writes, because it opens one that reads.
    """
    with event.database.read() as transaction:
        moment = event.moment(transaction)
        phase = moment.definition.phase(phase_name)
        require_answers(phase)
        about = moment.definition.phase(phase.about)
        version = event.newest_gold(transaction, about)
    return AnswersPhase(moment.definition, phase, about, version, event.scorer(version, moment.definition), received_at)


def require_answers(phase: Phase) -> None:
    """Raise unless alternative answers are proposed in a phase."""
    if not phase.is_answers:
        raise RequestError(f"outputs are submitted to the phase {phase.name}, and no alternative answers proposed")


def require_proposing(event: Event, transaction: DatabaseTransaction, answers: AnswersPhase, team: Account) -> Moment:
    """Raise unless a team can propose answers now, or could when they arrived; return the moment."""
    if team.role != "team":
        raise RequestError("only teams propose alternative answers")
    require_admitted(transaction, team)
    moment = event.moment(transaction, answers.received_at)
    require_open(moment, answers.phase)
    return moment


def name_phase_lock(phase: str) -> str:
    """The lock under which proposals and judgments of a phase are stored, so that what they depend on does not change meanwhile."""
    return f"answers {phase}"
