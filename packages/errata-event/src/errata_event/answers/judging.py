"""Annotators judge items, blind to who proposed them and to whether they were pooled: verdicts, decisions, and what annotators see.

An annotator accepts an item, rejects it, amends it (gives another corrected sentence), or skips it, which says nothing.  Judgments are
never changed: an annotator who thinks again adds another one, and the newest counts.  With one judge, the annotator who judged first
decides.  With two, those who judged first and second decide if they agree; if not, the third decides.  They agree on an amendment if its
edits are the same.  Judgments beyond those are kept, but decide nothing.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, get_args

from errata.errors import RequestError, UsageError
from errata_event import audit
from errata_event.accounts import list_accounts, list_removed
from errata_event.answers.items import (
    AnswersPhase,
    Item,
    ItemEdits,
    MarkedSentence,
    apply_item,
    list_annotations,
    read_edits,
    spans_overlap,
    write_edits,
)
from errata_event.answers.proposals import AcceptedError, list_proposed_items, read_sentence
from errata_event.event import LOCK
from errata_event.instants import from_micros, to_micros
from errata_event.submissions import check_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime

    from errata.corpus.corpus import Annotation, Corpus, Edit, Sentence
    from errata.corpus.texts import Tokens
    from errata_event.accounts import Account
    from errata_event.answers.items import ItemEdit
    from errata_event.database import DatabaseTransaction
    from errata_event.definition import Phase
    from errata_event.event import Event, Moment


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
    return ItemJudgment(int(row[0]), int(row[1]), int(row[2]), row[3], read_edits(row[4]), row[5], from_micros(row[6]))


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
    if judges == 1 or len({judgment.says for judgment in counted[:judges]}) <= 1:
        return counted[0]
    return counted[judges] if len(counted) > judges else "disputed"


# All judgments of a phase are stored under its lock, so annotators who judge at the same time cannot disturb each other, and none comes in
# after the gold with accepted answers is made.

LONGEST_COMMENT = 2_000
"""Characters of a comment."""


class Queue(NamedTuple):
    """What an annotator has to do."""

    next: Item | None
    """The item to be judged next; None if there is none."""
    left: int
    """How many items need a judgment of this annotator, ``next`` included."""
    skipped: int
    """How many of them he has skipped."""
    done: int
    """How many items he has judged."""

    @classmethod
    def find(cls, transaction: DatabaseTransaction, phase: Phase, annotator: Account) -> Queue:
        """Find what an annotator has to judge: what others disagree on, then by sentence, and at last what he has skipped.

        The items of a sentence come in an order that does not depend on who proposed them, nor on when, and so does not tell it.
        If there are more annotators than an item needs, they begin in different places, so that few judge the same at the same time.
        An item is left out if he has judged it, or if it needs no judgment more.
        """
        items = _list_proposed(transaction, phase.name)
        judgments = list_judgments(transaction, phase.name)
        sentences = sorted({item.sentence for item in items})
        first = _find_first(transaction, phase, annotator, sentences)
        waiting: list[tuple[bool, bool, bool, int, str, int]] = []
        done = 0
        for item in items:
            own = judgments.get(item.id, [])
            if any(judgment.annotator == annotator.id for judgment in list_counted(own)):
                done += 1
            elif (status := find_status(own, phase.judges)) in {"undecided", "disputed"}:
                skipped = any(judgment.annotator == annotator.id for judgment in own)
                waiting.append((skipped, status != "disputed", item.sentence < first, item.sentence, item.sha256, item.id))
        chosen = Item.find(transaction, phase.name, min(waiting)[-1]) if waiting else None
        return cls(chosen, len(waiting), sum(skipped for skipped, *_ in waiting), done)


def require_judging(moment: Moment, phase: Phase, annotator: Account) -> None:
    """Raise unless somebody can judge the items of a phase now."""
    if annotator.role != "annotator":
        raise RequestError("only annotators judge proposals")
    if not phase.is_answers or not moment.visibility.judging(phase, annotator):
        stage = moment.visibility.stage(phase)
        why = "it has been published" if stage == "published" else "it has not opened yet" if stage == "coming" else "it has no proposals"
        raise RequestError(f"the proposals of the phase {phase.name} cannot be judged now: {why}")


class _ProposedItem(NamedTuple):
    """An item without its edits and without where it comes from."""

    id: int
    sentence: int
    sha256: str
    """That of its edits, by which items of a sentence can be ordered without telling who proposed them."""


def _list_proposed(transaction: DatabaseTransaction, phase: str) -> list[_ProposedItem]:
    """List what :func:`list_proposed_items` does, in a fraction of the time: there may be tens of thousands of pooled items."""
    rows = transaction.rows(
        "SELECT DISTINCT i.id, i.sentence, i.sha256 FROM items i JOIN proposals p ON p.item = i.id LEFT JOIN accounts a ON a.id = p.team "
        "WHERE i.phase = ? AND p.withdrawn_at IS NULL AND a.disabled_at IS NULL",
        phase,
    )
    return [_ProposedItem(*row) for row in rows]


def _find_first(transaction: DatabaseTransaction, phase: Phase, annotator: Account, sentences: Sequence[int]) -> int:
    removed = list_removed(transaction)
    others = sorted(own.id for own in list_accounts(transaction, "annotator") if own.id not in removed)
    if len(others) <= phase.judges or annotator.id not in others or not sentences:
        return 0
    return sentences[len(sentences) * others.index(annotator.id) // len(others)]


def _require_proposed(transaction: DatabaseTransaction, item: Item) -> None:
    if item not in list_proposed_items(transaction, item.phase, item.sentence):
        raise RequestError("this proposal was withdrawn, so it needs no judgment")


def judge_item(
    event: Event, annotator: Account, phase_name: str, item_id: int, verdict: str, comment: str = "", text: str = ""
) -> ItemJudgment:
    """Store a judgment; ``text`` is the corrected sentence of an amendment.

    A judgment of an item that has enough of them is kept, because the annotator has done the work, but decides nothing.
    An amendment to the edits of the item itself accepts it.
    """
    if verdict not in ITEM_VERDICTS:
        raise UsageError(f"a verdict must be one of {', '.join(ITEM_VERDICTS)}, found {verdict[:40]!r}")
    comment = check_text(comment, "a comment", LONGEST_COMMENT)
    answers = AnswersPhase.open(event, phase_name)
    with event.database.read() as transaction:
        require_judging(event.moment(transaction), answers.phase, annotator)
        item = Item.find(transaction, answers.phase.name, item_id)
    edits = _read_amendment(answers, item, text) if verdict == "amend" else ()
    if verdict == "amend" and edits == item.edits:
        verdict, edits = "accept", ()
    with event.database.write(answers.lock, shared=LOCK) as transaction:
        annotator.require_admitted(transaction)
        moment = event.moment(transaction)
        require_judging(moment, answers.phase, annotator)
        _require_proposed(transaction, item)
        newest = next((own for own in reversed(list_judgments_of(transaction, item.id)) if own.annotator == annotator.id), None)
        if newest is not None and (newest.says, newest.comment) == ((verdict, edits), comment):
            return newest  # the same form was sent twice
        transaction.insert(
            "INSERT INTO judgments (item, annotator, verdict, edits, comment, at) VALUES (?, ?, ?, ?, ?, ?)",
            item.id,
            annotator.id,
            verdict,
            write_edits(edits) if edits else "",
            comment,
            to_micros(moment.now),
        )
        audit.record(transaction, moment.now, annotator.id, "proposal judged", phase=answers.phase.name, item=item.id, verdict=verdict)
        return list_judgments_of(transaction, item.id)[-1]


def _read_amendment(answers: AnswersPhase, item: Item, text: str) -> ItemEdits:
    if not text.strip():
        raise RequestError("an amendment is another corrected sentence, found nothing")
    try:
        return read_sentence(answers, item.sentence, text)
    except AcceptedError as error:
        raise RequestError(f"{error}; reject the proposal if nothing else is right") from None


def list_own_judgments(transaction: DatabaseTransaction, phase: Phase, annotator: Account) -> list[tuple[Item, ItemJudgment]]:
    """List what an annotator has said, the newest first, one judgment for each item, so that it can be changed until publication."""
    judgments = list_judgments(transaction, phase.name)
    newest: list[tuple[Item, ItemJudgment]] = []
    for item in list_proposed_items(transaction, phase.name):
        newest += [(item, judgment) for judgment in judgments.get(item.id, []) if judgment.annotator == annotator.id][-1:]
    return sorted(newest, key=lambda pair: -pair[1].id)


def find_judged_before(transaction: DatabaseTransaction, phase: Phase, annotator: Account, judgment: ItemJudgment | None) -> Item | None:
    """Find the item that an annotator judged last, or last before a judgment; None if there is none."""
    rows = transaction.rows(
        "SELECT j.item, max(j.id) FROM judgments j JOIN items i ON i.id = j.item WHERE i.phase = ? AND j.annotator = ? "
        "GROUP BY j.item ORDER BY max(j.id) DESC",
        phase.name,
        annotator.id,
    )
    for id_, newest in rows:
        if judgment is None or newest < judgment.id:
            item = Item.find(transaction, phase.name, id_)
            if item in list_proposed_items(transaction, phase.name, item.sentence):
                return item
    return None


# What an annotator sees of an item: the source, the gold and the proposal side by side, and all other corrections of the sentence.
# Nothing here says who proposed what, whether it was pooled, or what others have said of it.


class GoldCorrection(NamedTuple):
    """What a gold annotator makes of the sentence."""

    annotator: str
    corrected: MarkedSentence


class ShownEdit(NamedTuple):
    """An edit of a proposal."""

    original: str
    """Empty for an insertion."""
    correction: str
    """Empty for a deletion."""
    leaves: bool
    """Whether it says that the source is right as it is."""
    replaces: tuple[str, ...]
    """The corrections of the gold edits that it is proposed in place of."""


class JudgingView(NamedTuple):
    """An item as an annotator sees it."""

    item: int
    number: int
    """Of the sentence, from 1."""
    source: Tokens
    before: str
    """The sentence before it; empty if there is none."""
    after: str
    gold: list[GoldCorrection]
    nearest: int
    """The index of the gold annotation that the proposal is shown in."""
    proposal: MarkedSentence
    """The sentence with the item, and with those edits of the nearest gold annotation that it does not replace."""
    edits: list[ShownEdit]
    others: list[MarkedSentence]
    """What other items make of the sentence, in the order of the alphabet; none twice."""
    judgment: ItemJudgment | None
    """What this annotator has said last, if anything."""
    amended: MarkedSentence | None = None
    """What he made of the sentence, if he amended the proposal."""

    @classmethod
    def of(cls, event: Event, annotator: Account, phase_name: str, item_id: int) -> JudgingView:
        """Show an item to an annotator who may judge it."""
        answers = AnswersPhase.open(event, phase_name)
        with event.database.read() as transaction:
            require_judging(event.moment(transaction), answers.phase, annotator)
            item = Item.find(transaction, answers.phase.name, item_id)
            _require_proposed(transaction, item)
            items = list_proposed_items(transaction, answers.phase.name, item.sentence)
            own = [judgment for judgment in list_judgments_of(transaction, item.id) if judgment.annotator == annotator.id]
        return _make_view(answers.gold, item, list(items), own[-1] if own else None)


def _make_view(gold: Corpus, item: Item, items: Sequence[Item], judgment: ItemJudgment | None = None) -> JudgingView:
    number = item.sentence
    sentence = gold[number - 1]
    annotations = list_annotations(sentence)
    nearest = _find_nearest(sentence, item.edits)
    proposal = show_item(sentence, item.edits)
    corrected = [GoldCorrection(annotation.annotator, MarkedSentence.of(sentence.tokens, annotation.edits)) for annotation in annotations]
    others = {show_item(sentence, other.edits) for other in items} - {proposal}
    return JudgingView(
        item.id,
        number,
        sentence.tokens,
        gold[number - 2].text if number > 1 else "",
        gold[number].text if number < len(gold) else "",
        corrected,
        nearest,
        proposal,
        show_edits(sentence, item.edits),
        sorted(others, key=lambda other: other.text),
        judgment,
        show_item(sentence, judgment.edits) if judgment is not None and judgment.edits else None,
    )


def show_item(sentence: Sentence, edits: ItemEdits) -> MarkedSentence:
    """Show what an item makes of its sentence, together with the rest of the nearest gold annotation."""
    annotation = list_annotations(sentence)[_find_nearest(sentence, edits)]
    return MarkedSentence.of(sentence.tokens, _choose_corrections(apply_item(sentence, annotation, edits, lambda *_: ""), edits))


def _find_nearest(sentence: Sentence, edits: ItemEdits) -> int:
    """Find the gold annotation that an item fits best: of whose edits it leaves out the most by name; then, keeps the most."""

    def rate(index: int) -> tuple[int, int, int]:
        gold = list_annotations(sentence)[index].edits
        left_out = sum(edit.leaves(sentence.tokens) and bool(_list_replaced(gold, edit)) for edit in edits)
        return left_out, sum(not any(_overlap(own, edit) for edit in edits) for own in gold), -index

    return max(range(len(list_annotations(sentence))), key=rate)


def _choose_corrections(made: Sequence[Edit], edits: ItemEdits) -> list[Edit]:
    """Show the correction that an item has, where the gold has several."""
    own = {(edit.start, edit.end): edit.correction for edit in edits}
    return [
        replace(edit, corrections=(own[edit.start, edit.end],), written="") if own.get((edit.start, edit.end)) in edit.corrections else edit
        for edit in made
    ]


def show_edits(sentence: Sentence, edits: ItemEdits) -> list[ShownEdit]:
    """Show the edits of an item beside those of the nearest gold annotation."""
    annotation = list_annotations(sentence)[_find_nearest(sentence, edits)]
    return [_show_edit(sentence, annotation, edit) for edit in edits]


def _show_edit(sentence: Sentence, annotation: Annotation, edit: ItemEdit) -> ShownEdit:
    replaced = tuple(gold.corrections[0] for gold in _list_replaced(annotation.edits, edit))
    return ShownEdit(" ".join(sentence.tokens[edit.start : edit.end]), edit.correction, edit.leaves(sentence.tokens), replaced)


def _list_replaced(gold: Sequence[Edit], edit: ItemEdit) -> list[Edit]:
    return [own for own in gold if _overlap(own, edit)]


def _overlap(gold: Edit, edit: ItemEdit) -> bool:
    return spans_overlap(gold.start, gold.end, edit.start, edit.end)
