"""What everybody learns of alternative answers once they are published: how many were accepted, and how far annotators agreed."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from errata.event.answers.agreement import AnswerAgreement, measure_annotator_agreement
from errata.event.answers.proposals import list_proposed_items
from errata.event.answers.verdicts import STATUSES, decide, list_counted, list_judgments

if TYPE_CHECKING:
    from errata.event.answers.verdicts import Status
    from errata.event.database import DatabaseTransaction
    from errata.event.phases import Phase


class ItemCounts(NamedTuple):
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

    proposed: ItemCounts
    """What teams proposed."""
    all: ItemCounts
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


def _count(found: Counter[Status | None]) -> ItemCounts:
    by_status = {status: found[status] for status in STATUSES}
    return ItemCounts(sum(by_status.values()), by_status, found[None])
