"""Annotators judge items, blind to who proposed them and to whether they were pooled.

All judgments of a phase are stored under its lock, so annotators who judge at the same time cannot disturb each other, and none comes in
after the gold with accepted answers is made.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from errata.errors import RequestError, UsageError
from errata.event import audit
from errata.event.accounts import list_accounts, list_removed, require_admitted
from errata.event.answers.answer_phases import name_phase_lock, open_answers
from errata.event.answers.items import Item, ItemEdits, find_item, write_edits
from errata.event.answers.proposals import list_proposed, list_proposed_items
from errata.event.answers.proposing import AcceptedError, read_sentence
from errata.event.answers.verdicts import ITEM_VERDICTS, ItemJudgment, find_status, list_counted, list_judgments, list_judgments_of
from errata.event.clock import to_micros
from errata.event.event import LOCK
from errata.event.written_texts import check_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from errata.event.accounts import Account
    from errata.event.answers.answer_phases import AnswersPhase
    from errata.event.database import DatabaseTransaction
    from errata.event.event import Event, Moment
    from errata.event.phases import Phase

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


def require_judging(moment: Moment, phase: Phase, annotator: Account) -> None:
    """Raise unless somebody can judge the items of a phase now."""
    if annotator.role != "annotator":
        raise RequestError("only annotators judge proposals")
    if not phase.is_answers or not moment.visibility.judging(phase, annotator):
        stage = moment.visibility.stage(phase)
        why = "it has been published" if stage == "published" else "it has not opened yet" if stage == "coming" else "it has no proposals"
        raise RequestError(f"the proposals of the phase {phase.name} cannot be judged now: {why}")


def find_queue(transaction: DatabaseTransaction, phase: Phase, annotator: Account) -> Queue:
    """Find what an annotator has to judge: what others disagree on, then by sentence, and at last what he has skipped.

    The items of a sentence come in an order that does not depend on who proposed them, nor on when, and so does not tell it.
    If there are more annotators than an item needs, they begin in different places, so that few judge the same at the same time.
    An item is left out if he has judged it, or if it needs no judgment more.
    """
    items = list_proposed(transaction, phase.name)
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
    chosen = find_item(transaction, phase.name, min(waiting)[-1]) if waiting else None
    return Queue(chosen, len(waiting), sum(skipped for skipped, *_ in waiting), done)


def _find_first(transaction: DatabaseTransaction, phase: Phase, annotator: Account, sentences: Sequence[int]) -> int:
    """Find the sentence at which an annotator begins."""
    removed = list_removed(transaction)
    others = sorted(own.id for own in list_accounts(transaction, "annotator") if own.id not in removed)
    if len(others) <= phase.judges or annotator.id not in others or not sentences:
        return 0
    return sentences[len(sentences) * others.index(annotator.id) // len(others)]


def next_item(transaction: DatabaseTransaction, phase: Phase, annotator: Account) -> Item | None:
    """Find the item that an annotator judges next; None if there is none."""
    return find_queue(transaction, phase, annotator).next


def require_proposed(transaction: DatabaseTransaction, item: Item) -> None:
    """Raise if nobody proposes an item any more."""
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
    answers = open_answers(event, phase_name)
    with event.database.read() as transaction:
        require_judging(event.moment(transaction), answers.phase, annotator)
        item = find_item(transaction, answers.phase.name, item_id)
    edits = _read_amendment(answers, item, text) if verdict == "amend" else ()
    if verdict == "amend" and edits == item.edits:
        verdict, edits = "accept", ()
    with event.database.write(name_phase_lock(answers.phase.name), shared=LOCK) as transaction:
        require_admitted(transaction, annotator)
        moment = event.moment(transaction)
        require_judging(moment, answers.phase, annotator)
        require_proposed(transaction, item)
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
    return sorted(_pair_newest(transaction, phase, annotator), key=lambda pair: -pair[1].id)


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
            item = find_item(transaction, phase.name, id_)
            if item in list_proposed_items(transaction, phase.name, item.sentence):
                return item
    return None


def _pair_newest(transaction: DatabaseTransaction, phase: Phase, annotator: Account) -> Iterable[tuple[Item, ItemJudgment]]:
    judgments = list_judgments(transaction, phase.name)
    for item in list_proposed_items(transaction, phase.name):
        own = [judgment for judgment in judgments.get(item.id, []) if judgment.annotator == annotator.id]
        if own:
            yield item, own[-1]
