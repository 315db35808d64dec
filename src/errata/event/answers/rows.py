"""Items and judgments as rows for CSV and JSON, from which the golds with accepted answers can be rebuilt.

The accepted edits of an item replace the gold edits that they overlap (:mod:`errata.event.answers.composing`).
Edits are lists of a start, an end and a correction, as JSON.  Rows name teams and annotators, so they are for organisers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from errata.event.accounts import list_accounts
from errata.event.answers.items import write_edits
from errata.event.answers.proposals import list_proposed_items
from errata.event.answers.verdicts import decide, list_counted, list_judgments

if TYPE_CHECKING:
    from errata.event.database import DatabaseTransaction
    from errata.event.phases import Phase

AnswerRow = dict[str, Any]


def list_item_rows(transaction: DatabaseTransaction, phase: Phase) -> list[AnswerRow]:
    """List the items that somebody proposes, by sentence, with who proposed them and what was decided."""
    names = _name_accounts(transaction)
    judgments = list_judgments(transaction, phase.name)
    rows: list[AnswerRow] = []
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


def list_judgment_rows(transaction: DatabaseTransaction, phase: Phase) -> list[AnswerRow]:
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
