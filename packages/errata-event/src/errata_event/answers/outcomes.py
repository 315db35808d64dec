"""What becomes of proposals, for everybody, for organisers and for teams; and how far annotators agree."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Any, NamedTuple

from errata.errors import RequestError
from errata.studies.judgments.items import compute_alpha
from errata_event.accounts import list_accounts
from errata_event.answers.items import AnswersPhase
from errata_event.answers.judging import (
    STATUSES,
    ItemVerdict,
    Queue,
    Status,
    decide,
    list_counted,
    list_judgments,
    list_judgments_of,
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
)

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Mapping, Sequence

    from errata_event.accounts import Account
    from errata_event.answers.items import ItemEdits, MarkedSentence
    from errata_event.answers.judging import ItemJudgment
    from errata_event.database import DatabaseTransaction
    from errata_event.definition import Phase
    from errata_event.event import Event


# How far annotators agree: Cohen's kappa is (observed - chance) / (1 - chance), where chance is the agreement of two annotators who give
# their verdicts in the same shares, but at random (Cohen 1960).  Only the two who judged an item first are compared, by their newest
# judgments: a third one sees nothing but what they disagree on.  Two amendments agree if their edits do.

_COMPARED = 2


class _PairAgreement(NamedTuple):
    """How far two annotators agree."""

    annotators: tuple[int, int] | None
    """Their accounts; None for all items that two have judged, whoever they were."""
    items: int
    observed: float | None
    """The share of items on which they agree; None without items."""
    kappa: float | None
    """None if it is undefined: without items, or if both say the same of all."""

    def record(self) -> dict[str, Any]:
        """Describe it for programs."""
        return {"items": self.items, "observed": self.observed, "kappa": self.kappa}


class AnswerAgreement(NamedTuple):
    """How far all annotators agree."""

    overall: _PairAgreement
    """Of all items that two have judged; the kappa is that of the one whose account is older and the other."""
    alpha: float | None
    """Krippendorff's alpha of the same judgments, which does not depend on who is which."""
    pairs: list[_PairAgreement]

    def record(self, names: Mapping[int, str]) -> dict[str, Any]:
        """Describe it for programs; ``names`` are those of annotators."""
        pairs = [{"annotators": [names.get(account, "?") for account in pair.annotators or ()], **pair.record()} for pair in self.pairs]
        return {**self.overall.record(), "alpha": self.alpha, "pairs": pairs}


def _measure_agreement(judgments: Iterable[Sequence[ItemJudgment]]) -> AnswerAgreement:
    """Measure the agreement of annotators; ``judgments`` has all those of each item."""
    by_pair: dict[tuple[int, int], list[tuple[Hashable, Hashable]]] = defaultdict(list)
    for own in judgments:
        counted = sorted(list_counted(own)[:_COMPARED], key=lambda judgment: judgment.annotator)
        if len(counted) == _COMPARED:
            one, other = counted
            by_pair[one.annotator, other.annotator].append((one.says, other.says))
    together = [said for pair in by_pair.values() for said in pair]
    numbers: dict[Hashable, int] = {}
    units = [[numbers.setdefault(says, len(numbers)) for says in said] for said in together]
    return AnswerAgreement(
        _measure(None, together),
        compute_alpha(units, lambda one, other: float(one != other)),
        [_measure(pair, said) for pair, said in sorted(by_pair.items())],
    )


def _measure(pair: tuple[int, int] | None, said: Sequence[tuple[Hashable, Hashable]]) -> _PairAgreement:
    observed = sum(one == other for one, other in said) / len(said) if said else None
    return _PairAgreement(pair, len(said), observed, _compute_kappa(said))


def _compute_kappa(said: Sequence[tuple[Hashable, Hashable]]) -> float | None:
    """Compute Cohen's kappa of what two annotators said of the same items; None if it is undefined.

    >>> _compute_kappa([("accept", "accept")] * 20 + [("accept", "reject")] * 5 + [("reject", "accept")] * 10 + [("reject", "reject")] * 15)
    0.4
    """
    first, second = Counter(one for one, _ in said), Counter(other for _, other in said)
    total = len(said) ** 2
    # Whole numbers until the end: nearly all agreement may be expected by chance.
    chance = sum(count * second[says] for says, count in first.items())
    agreeing = sum(one == other for one, other in said) * len(said)
    return (agreeing - chance) / (total - chance) if total > chance else None


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
    """What everybody learns of alternative answers once they are published; no team and no annotator is named."""

    proposed: _ItemCounts
    """What teams proposed."""
    all: _ItemCounts
    """That, and what was pooled."""
    teams: int
    """How many teams proposed something."""
    annotators: int
    """How many annotators judged something."""
    agreement: AnswerAgreement

    @classmethod
    def measure(cls, transaction: DatabaseTransaction, phase: Phase) -> AnswerOutcome:
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
        return cls(
            _count(proposed),
            _count(all_items),
            len({team for sources in items.values() for team in sources.teams}),
            len(annotators),
            _measure_agreement(judgments.get(item.id, []) for item in items),
        )


def _count(found: Counter[Status | None]) -> _ItemCounts:
    by_status = {status: found[status] for status in STATUSES}
    return _ItemCounts(sum(by_status.values()), by_status, found[None])


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
    """What organisers see: how far judging is, how far annotators agree, and what became of each team's proposals."""

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

    @classmethod
    def measure(cls, transaction: DatabaseTransaction, phase: Phase) -> AnswerProgress:
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
        return cls(
            len(items),
            sum(bool(sources.teams) for sources in items.values()),
            _complete(Counter(decision.status for decision in decisions.values())),
            sum(decision.is_amended for decision in decisions.values()),
            [_AnnotatorProgress(own, Queue.find(transaction, phase, own)) for own in list_accounts(transaction, "annotator")],
            _measure_agreement(judgments.get(item.id, []) for item in items),
            teams,
        )


def _complete(counts: Counter[Status]) -> dict[Status, int]:
    return {status: counts[status] for status in STATUSES}


def count_undecided(transaction: DatabaseTransaction, phase: Phase) -> int:
    """Count the items that are not decided, which are not accepted if the phase is published."""
    judgments = list_judgments(transaction, phase.name)
    items = list_proposed_items(transaction, phase.name)
    return sum(decide(item, judgments.get(item.id, []), phase.judges).status in {"undecided", "disputed"} for item in items)


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
    """All that a team sees: the unmatched edits of its entry, and its own proposals with what became of them."""

    sentences: list[OfferedSentence]
    proposals: list[TeamProposal]
    quota: ProposalQuota
    accepts: bool
    """Whether it can propose and withdraw now."""

    @classmethod
    def of(cls, event: Event, team: Account, phase_name: str) -> TeamAnswers:
        """Show a team its unmatched edits and its proposals, from when the phase opens; nothing of other teams is in it."""
        with event.database.read() as transaction:
            moment = event.moment(transaction)
            phase = moment.definition.phase(phase_name)
            if phase.is_answers and moment.visibility.stage(phase) == "coming":  # until then the gold is hidden
                raise RequestError(f"the phase {phase.name} has not opened yet")
        answers = AnswersPhase.open(event, phase_name)
        with event.database.read() as transaction:
            moment = event.moment(transaction)
            own = list_proposals(transaction, phase.name, team.id)
            quota = ProposalQuota.measure(transaction, phase, team.id)
            shows_status = moment.visibility.answers(phase, team)
            proposals = [
                _show_judged(transaction, answers, proposal)
                if shows_status and not proposal.is_withdrawn
                else TeamProposal(proposal, _show(answers, proposal, proposal.item.edits), None)
                for proposal in own
            ]
            accepts = team.role == "team" and moment.visibility.accepts(phase)
        return cls(_offer(event, answers, team, own), proposals, quota, accepts)


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
