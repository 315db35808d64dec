"""What becomes of proposals, for everybody, for organisers and for teams, and as rows."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, NamedTuple

from errata.errors import RequestError
from errata_event.accounts import list_accounts
from errata_event.answers.items import AnswersPhase, open_answers, write_edits
from errata_event.answers.judging import (
    STATUSES,
    AnswerAgreement,
    ItemVerdict,
    Queue,
    Status,
    decide,
    find_queue,
    list_counted,
    list_judgments,
    list_judgments_of,
    measure_annotator_agreement,
    show_item,
)
from errata_event.answers.proposals import (
    EntrySentence,
    Proposal,
    ProposalQuota,
    UnmatchedEdit,
    find_entry,
    list_proposals,
    list_proposed_items,
    measure_proposal_quota,
)

if TYPE_CHECKING:
    from errata_event.accounts import Account
    from errata_event.answers.items import ItemEdits, MarkedSentence
    from errata_event.database import DatabaseTransaction
    from errata_event.definition import Phase
    from errata_event.event import Event


# --- Items and judgments as rows for CSV and JSON, from which the golds with accepted answers can be rebuilt.
#
# The accepted edits of an item replace the gold edits that they overlap (:mod:`errata_event.answers.items`).
# Edits are lists of a start, an end and a correction, as JSON.  Rows name teams and annotators, so they are for organisers.

_AnswerRow = dict[str, Any]


def list_item_rows(transaction: DatabaseTransaction, phase: Phase) -> list[_AnswerRow]:
    """List the items that somebody proposes, by sentence, with who proposed them and what was decided."""
    names = _name_accounts(transaction)
    judgments = list_judgments(transaction, phase.name)
    rows: list[_AnswerRow] = []
    for item, sources in list_proposed_items(transaction, phase.name).items():
        decision = decide(item, judgments.get(item.id, []), phase.judges)
        rows.append(
            {
                "item": item.id,
                "sentence": item.sentence,
                "edits": write_edits(item.edits),
                "teams": sorted(names[team] for team in sources.teams),
                "pooled": sources.is_pooled,
                "status": decision.status,
                "amended": decision.is_amended,
                "accepted_edits": write_edits(decision.edits) if decision.edits else "",
            }
        )
    return rows


def list_judgment_rows(transaction: DatabaseTransaction, phase: Phase) -> list[_AnswerRow]:
    """List all judgments in the order in which they were made; those of items that nobody proposes any more too."""
    names = _name_accounts(transaction)
    judgments = list_judgments(transaction, phase.name)
    counted = {judgment.id for own in judgments.values() for judgment in list_counted(own)}
    items = {row[0]: row[1:] for row in transaction.rows("SELECT id, sentence, edits FROM items WHERE phase = ?", phase.name)}
    return [
        {
            "judgment": judgment.id,
            "item": judgment.item,
            "sentence": items[judgment.item][0],
            "edits": items[judgment.item][1],
            "annotator": names[judgment.annotator],
            "verdict": judgment.verdict,
            "amended_edits": write_edits(judgment.edits) if judgment.edits else "",
            "comment": judgment.comment,
            "at": judgment.at.isoformat(),
            "newest": judgment.id in counted,
        }
        for judgment in sorted((judgment for own in judgments.values() for judgment in own), key=lambda judgment: judgment.id)
    ]


def _name_accounts(transaction: DatabaseTransaction) -> dict[int, str]:
    return {account.id: account.name for role in ("team", "annotator") for account in list_accounts(transaction, role)}


# --- What everybody learns of alternative answers once they are published: how many were accepted, and how far annotators agreed.


class _ItemCounts(NamedTuple):
    """How many items were decided, and how."""

    items: int
    by_status: dict[Status, int]
    amended: int
    """Accepted items that an annotator has amended."""

    @property
    def open(self) -> int:
        """Items that were not decided."""
        return self.by_status["undecided"] + self.by_status["disputed"]


class AnswerOutcome(NamedTuple):
    """What became of alternative answers; no team and no annotator is named."""

    proposed: _ItemCounts
    """What teams proposed."""
    all: _ItemCounts
    """That, and what was pooled."""
    teams: int
    """How many teams proposed something."""
    annotators: int
    """How many annotators judged something."""
    agreement: AnswerAgreement


def measure_outcome(transaction: DatabaseTransaction, phase: Phase) -> AnswerOutcome:
    """Measure what became of the items of a phase."""
    items = list_proposed_items(transaction, phase.name)
    judgments = list_judgments(transaction, phase.name)
    proposed: Counter[Status | None] = Counter()
    all_items: Counter[Status | None] = Counter()
    for item, sources in items.items():
        decision = decide(item, judgments.get(item.id, []), phase.judges)
        found: Counter[Status | None] = Counter({decision.status: 1, None: int(decision.is_amended)})
        all_items += found
        if sources.teams:
            proposed += found
    annotators = {judgment.annotator for item in items for judgment in list_counted(judgments.get(item.id, []))}
    return AnswerOutcome(
        _count(proposed),
        _count(all_items),
        len({team for sources in items.values() for team in sources.teams}),
        len(annotators),
        measure_annotator_agreement(judgments.get(item.id, []) for item in items),
    )


def _count(found: Counter[Status | None]) -> _ItemCounts:
    by_status = {status: found[status] for status in STATUSES}
    return _ItemCounts(sum(by_status.values()), by_status, found[None])


# --- What organisers see of alternative answers: how far judging is, how far annotators agree, and what became of each team's proposals.


class _AnnotatorProgress(NamedTuple):
    """How far an annotator is."""

    annotator: Account
    queue: Queue


class _TeamProgress(NamedTuple):
    """What became of a team's proposals."""

    team: Account
    proposed: int
    """Without those that it has withdrawn."""
    withdrawn: int
    by_status: dict[Status, int]


class AnswerProgress(NamedTuple):
    """How far judging is."""

    items: int
    from_teams: int
    """Items that a team proposed; the others are pooled."""
    by_status: dict[Status, int]
    amended: int
    """Accepted items that an annotator has amended."""
    annotators: list[_AnnotatorProgress]
    agreement: AnswerAgreement
    teams: list[_TeamProgress]
    """Those that have proposed something, by name; tables mark those with a proposal that is not withdrawn."""


def measure_progress(transaction: DatabaseTransaction, phase: Phase) -> AnswerProgress:
    """Measure how far judging is; what this returns names teams, so annotators must not see it."""
    items = list_proposed_items(transaction, phase.name)
    judgments = list_judgments(transaction, phase.name)
    decisions = {item: decide(item, judgments.get(item.id, []), phase.judges) for item in items}
    teams: list[_TeamProgress] = []
    for team in list_accounts(transaction, "team"):
        own = list_proposals(transaction, phase.name, team.id)
        if own:
            made = [item for item, sources in items.items() if team.id in sources.teams]
            statuses = Counter(decisions[item].status for item in made)
            teams.append(_TeamProgress(team, len(made), sum(proposal.is_withdrawn for proposal in own), _complete(statuses)))
    return AnswerProgress(
        len(items),
        sum(bool(sources.teams) for sources in items.values()),
        _complete(Counter(decision.status for decision in decisions.values())),
        sum(decision.is_amended for decision in decisions.values()),
        [_AnnotatorProgress(own, find_queue(transaction, phase, own)) for own in list_accounts(transaction, "annotator")],
        measure_annotator_agreement(judgments.get(item.id, []) for item in items),
        teams,
    )


def _complete(counts: Counter[Status]) -> dict[Status, int]:
    return {status: counts[status] for status in STATUSES}


def count_undecided(transaction: DatabaseTransaction, phase: Phase) -> int:
    """Count the items that are not decided, which are not accepted if the phase is published."""
    judgments = list_judgments(transaction, phase.name)
    items = list_proposed_items(transaction, phase.name)
    return sum(decide(item, judgments.get(item.id, []), phase.judges).status in {"undecided", "disputed"} for item in items)


# --- What a team sees of alternative answers: the unmatched edits of its entry, and its own proposals with what became of them.


class _OfferedEdit(NamedTuple):
    """An unmatched edit of an entry."""

    unmatched: UnmatchedEdit
    item: int | None
    """The number of the item, if the team proposes this edit alone; None if it does not."""


class OfferedSentence(NamedTuple):
    """A sentence of an entry with its unmatched edits."""

    sentence: EntrySentence
    offered: list[_OfferedEdit]


class _Comment(NamedTuple):
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
    comments: tuple[_Comment, ...] = ()
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
        tuple(_Comment(judgment.verdict, judgment.comment) for judgment in list_counted(judgments)),
    )


def _offer(event: Event, answers: AnswersPhase, team: Account, own: list[Proposal]) -> list[OfferedSentence]:
    known = {(proposal.item.sentence, proposal.item.edits): proposal.item.id for proposal in own if not proposal.is_withdrawn}
    return [
        OfferedSentence(
            sentence, [_OfferedEdit(unmatched, known.get((sentence.number, unmatched.item))) for unmatched in sentence.unmatched]
        )
        for sentence in find_entry(event, answers, team)
    ]
