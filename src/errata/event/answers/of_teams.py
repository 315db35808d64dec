"""What a team sees of alternative answers: the unmatched edits of its entry, and its own proposals with what became of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from errata.errors import RequestError
from errata.event.answers.answer_phases import AnswersPhase, open_answers
from errata.event.answers.entry_edits import EntrySentence, UnmatchedEdit, find_entry
from errata.event.answers.judging_views import show_item
from errata.event.answers.proposals import Proposal, ProposalQuota, list_proposals, measure_proposal_quota
from errata.event.answers.verdicts import ItemVerdict, Status, decide, list_counted, list_judgments_of

if TYPE_CHECKING:
    from errata.event.accounts import Account
    from errata.event.answers.items import ItemEdits
    from errata.event.answers.segments import MarkedSentence
    from errata.event.database import DatabaseTransaction
    from errata.event.event import Event


class OfferedEdit(NamedTuple):
    """An unmatched edit of an entry."""

    unmatched: UnmatchedEdit
    item: int | None
    """The number of the item, if the team proposes this edit alone; None if it does not."""


class OfferedSentence(NamedTuple):
    """A sentence of an entry with its unmatched edits."""

    sentence: EntrySentence
    offered: list[OfferedEdit]


class Said(NamedTuple):
    """What one of the annotators said of a proposal, without his name."""

    verdict: ItemVerdict
    comment: str


class TeamProposal(NamedTuple):
    """A proposal of a team."""

    proposal: Proposal
    corrected: MarkedSentence
    status: Status | None
    """None while judgments cannot be seen, or if it was withdrawn."""
    amended: MarkedSentence | None = None
    """What was accepted instead, if it was amended."""
    said: tuple[Said, ...] = ()
    """The judgments with their comments; none while they cannot be seen."""


class TeamAnswers(NamedTuple):
    """All that a team sees."""

    sentences: list[OfferedSentence]
    proposals: list[TeamProposal]
    quota: ProposalQuota
    accepts: bool
    """Whether it can propose and withdraw now."""


def view_team(event: Event, team: Account, phase_name: str) -> TeamAnswers:
    """Show a team its unmatched edits and its proposals, from when the phase opens; nothing of other teams is in it."""
    with event.database.read() as transaction:
        moment = event.moment(transaction)
        phase = moment.definition.phase(phase_name)
        if phase.is_answers and moment.visibility.stage(phase) == "coming":  # until then the gold is hidden
            raise RequestError(f"the phase {phase.name} has not opened yet")
    answers = open_answers(event, phase_name)
    with event.database.read() as transaction:
        moment = event.moment(transaction)
        own = list_proposals(transaction, phase.name, team.id)
        quota = measure_proposal_quota(transaction, phase, team.id)
        shows_status = moment.visibility.answers(phase, team)
        proposals = [
            _show_judged(transaction, answers, proposal)
            if shows_status and not proposal.is_withdrawn
            else TeamProposal(proposal, _show(answers, proposal, proposal.item.edits), None)
            for proposal in own
        ]
        accepts = team.role == "team" and moment.visibility.accepts(phase)
    return TeamAnswers(_offer(event, answers, team, own), proposals, quota, accepts)


def _show(answers: AnswersPhase, proposal: Proposal, edits: ItemEdits) -> MarkedSentence:
    return show_item(answers.sentence(proposal.item.sentence), edits)


def _show_judged(transaction: DatabaseTransaction, answers: AnswersPhase, proposal: Proposal) -> TeamProposal:
    judgments = list_judgments_of(transaction, proposal.item.id)
    decision = decide(proposal.item, judgments, answers.phase.judges)
    return TeamProposal(
        proposal,
        _show(answers, proposal, proposal.item.edits),
        decision.status,
        _show(answers, proposal, decision.edits) if decision.is_amended else None,
        tuple(Said(judgment.verdict, judgment.comment) for judgment in list_counted(judgments)),
    )


def _offer(event: Event, answers: AnswersPhase, team: Account, own: list[Proposal]) -> list[OfferedSentence]:
    known = {(proposal.item.sentence, proposal.item.edits): proposal.item.id for proposal in own if not proposal.is_withdrawn}
    return [
        OfferedSentence(
            sentence, [OfferedEdit(unmatched, known.get((sentence.number, unmatched.item))) for unmatched in sentence.unmatched]
        )
        for sentence in find_entry(event, answers, team)
    ]
