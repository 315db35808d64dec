"""What organisers see of alternative answers: how far judging is, how far annotators agree, and what became of each team's proposals."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from errata.event.accounts import list_accounts
from errata.event.answers.agreement import AnswerAgreement, measure_annotator_agreement
from errata.event.answers.judging import Queue, find_queue
from errata.event.answers.proposals import list_proposals, list_proposed_items
from errata.event.answers.verdicts import STATUSES, decide, list_judgments

if TYPE_CHECKING:
    from errata.event.accounts import Account
    from errata.event.answers.verdicts import Status
    from errata.event.database import DatabaseTransaction
    from errata.event.phases import Phase


class AnnotatorProgress(NamedTuple):
    """How far an annotator is."""

    annotator: Account
    queue: Queue


class TeamProgress(NamedTuple):
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
    annotators: list[AnnotatorProgress]
    agreement: AnswerAgreement
    teams: list[TeamProgress]
    """Those that have proposed something, by name; tables mark those with a proposal that is not withdrawn."""


def measure_progress(transaction: DatabaseTransaction, phase: Phase) -> AnswerProgress:
    """Measure how far judging is; what this returns names teams, so annotators must not see it."""
    items = list_proposed_items(transaction, phase.name)
    judgments = list_judgments(transaction, phase.name)
    decisions = {item: decide(item, judgments.get(item.id, []), phase.judges) for item in items}
    teams: list[TeamProgress] = []
    for team in list_accounts(transaction, "team"):
        own = list_proposals(transaction, phase.name, team.id)
        if own:
            made = [item for item, sources in items.items() if team.id in sources.teams]
            statuses = Counter(decisions[item].status for item in made)
            teams.append(TeamProgress(team, len(made), sum(proposal.is_withdrawn for proposal in own), _complete(statuses)))
    return AnswerProgress(
        len(items),
        sum(bool(sources.teams) for sources in items.values()),
        _complete(Counter(decision.status for decision in decisions.values())),
        sum(decision.is_amended for decision in decisions.values()),
        [AnnotatorProgress(own, find_queue(transaction, phase, own)) for own in list_accounts(transaction, "annotator")],
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
