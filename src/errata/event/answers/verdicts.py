"""What annotators say about items, and what follows from it.

An annotator accepts an item, rejects it, amends it (gives another corrected sentence), or skips it, which says nothing.  Judgments are
never changed: an annotator who thinks again adds another one, and the newest counts.  With one judge, the annotator who judged first
decides.  With two, those who judged first and second decide if they agree; if not, the third decides.  They agree on an amendment if its
edits are the same.  Judgments beyond those are kept, but decide nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, NamedTuple, get_args

from errata.event.answers.items import ItemEdits, read_item_edits
from errata.event.clock import from_micros

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime

    from errata.event.answers.items import Item
    from errata.event.database import DatabaseTransaction

ItemVerdict = Literal["accept", "reject", "amend", "skip"]
ITEM_VERDICTS: tuple[ItemVerdict, ...] = get_args(ItemVerdict)
Status = Literal["accepted", "rejected", "undecided", "disputed"]
STATUSES: tuple[Status, ...] = get_args(Status)


class ItemJudgment(NamedTuple):
    """What an annotator said about an item."""

    id: int
    item: int
    annotator: int
    verdict: ItemVerdict
    edits: ItemEdits
    """Those of an amendment; else none."""
    comment: str
    at: datetime

    @property
    def says(self) -> tuple[ItemVerdict, ItemEdits]:
        """What two annotators must have in common to agree."""
        return self.verdict, self.edits


class Decision(NamedTuple):
    """What judgments say about an item."""

    status: Status
    """``disputed`` if two annotators disagree and a third is needed; ``undecided`` if more judgments are needed."""
    edits: ItemEdits = ()
    """The accepted edits: those of the item, or of an amendment."""
    is_amended: bool = False


def list_judgments(transaction: DatabaseTransaction, phase: str) -> dict[int, list[ItemJudgment]]:
    """List all judgments of a phase by the numbers of their items, in the order in which they were made."""
    found: dict[int, list[ItemJudgment]] = {}
    rows = transaction.rows(
        "SELECT j.id, j.item, j.annotator, j.verdict, j.edits, j.comment, j.at FROM judgments j JOIN items i ON i.id = j.item "
        "WHERE i.phase = ? ORDER BY j.id",
        phase,
    )
    for row in rows:
        found.setdefault(int(row[1]), []).append(_make(row))
    return found


def list_judgments_of(transaction: DatabaseTransaction, item: int) -> list[ItemJudgment]:
    """List all judgments of an item, in the order in which they were made."""
    rows = transaction.rows("SELECT id, item, annotator, verdict, edits, comment, at FROM judgments WHERE item = ? ORDER BY id", item)
    return [_make(row) for row in rows]


def _make(row: tuple[Any, ...]) -> ItemJudgment:
    return ItemJudgment(int(row[0]), int(row[1]), int(row[2]), row[3], read_item_edits(row[4]), row[5], from_micros(row[6]))


def list_counted(judgments: Iterable[ItemJudgment]) -> list[ItemJudgment]:
    """List the newest judgment of each annotator who did not skip, in the order in which they first judged without skipping since."""
    newest: dict[int, ItemJudgment] = {}
    for judgment in judgments:
        if judgment.verdict == "skip":
            newest.pop(judgment.annotator, None)  # who skips gives his place to others
        else:
            newest[judgment.annotator] = judgment  # a dictionary keeps the place of a key
    return list(newest.values())


def decide(item: Item, judgments: Iterable[ItemJudgment], judges: int) -> Decision:
    """Decide about an item by all its judgments."""
    found = _find_deciding(judgments, judges)
    if not isinstance(found, ItemJudgment):
        return Decision(found)
    if found.verdict == "reject":
        return Decision("rejected")
    return Decision("accepted", found.edits, is_amended=True) if found.verdict == "amend" else Decision("accepted", item.edits)


def find_status(judgments: Iterable[ItemJudgment], judges: int) -> Status:
    """Find what judgments say about an item, whatever its edits are."""
    found = _find_deciding(judgments, judges)
    return ("rejected" if found.verdict == "reject" else "accepted") if isinstance(found, ItemJudgment) else found


def _find_deciding(judgments: Iterable[ItemJudgment], judges: int) -> ItemJudgment | Status:
    """Find the judgment that decides; else say why there is none."""
    counted = list_counted(judgments)
    if len(counted) < judges:
        return "undecided"
    if judges == 1 or agree(counted[:judges]):
        return counted[0]
    return counted[judges] if len(counted) > judges else "disputed"


def agree(judgments: Sequence[ItemJudgment]) -> bool:
    """Whether all say the same."""
    return len({judgment.says for judgment in judgments}) <= 1
