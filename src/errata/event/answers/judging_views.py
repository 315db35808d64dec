"""What an annotator sees of an item: the source, the gold and the proposal side by side, and all other corrections of the sentence.

Nothing here says who proposed what, whether it was pooled, or what others have said of it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from errata.event.answers.answer_phases import open_answers
from errata.event.answers.composing import apply_item
from errata.event.answers.corrected_sentences import list_annotations
from errata.event.answers.items import Item, find_item, spans_overlap
from errata.event.answers.judging import require_judging, require_proposed
from errata.event.answers.proposals import list_proposed_items
from errata.event.answers.segments import MarkedSentence, correct_sentence
from errata.event.answers.verdicts import ItemJudgment, list_judgments_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from errata.corpus.corpus import Annotation, Corpus, Edit, Sentence
    from errata.corpus.texts import Tokens
    from errata.event.accounts import Account
    from errata.event.answers.items import ItemEdit, ItemEdits
    from errata.event.event import Event


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


def view_item(event: Event, annotator: Account, phase_name: str, item_id: int) -> JudgingView:
    """Show an item to an annotator who may judge it."""
    answers = open_answers(event, phase_name)
    with event.database.read() as transaction:
        require_judging(event.moment(transaction), answers.phase, annotator)
        item = find_item(transaction, answers.phase.name, item_id)
        require_proposed(transaction, item)
        items = list_proposed_items(transaction, answers.phase.name, item.sentence)
        own = [judgment for judgment in list_judgments_of(transaction, item.id) if judgment.annotator == annotator.id]
    return make_view(answers.gold, item, list(items), own[-1] if own else None)


def make_view(gold: Corpus, item: Item, items: Sequence[Item], judgment: ItemJudgment | None = None) -> JudgingView:
    """Make the view of an item from those of its sentence."""
    number = item.sentence
    sentence = gold[number - 1]
    annotations = list_annotations(sentence)
    nearest = find_nearest(sentence, item.edits)
    proposal = show_item(sentence, item.edits)
    corrected = [GoldCorrection(annotation.annotator, correct_sentence(sentence.tokens, annotation.edits)) for annotation in annotations]
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
    annotation = list_annotations(sentence)[find_nearest(sentence, edits)]
    return correct_sentence(sentence.tokens, _choose_corrections(apply_item(sentence, annotation, edits, lambda *_: ""), edits))


def find_nearest(sentence: Sentence, edits: ItemEdits) -> int:
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
    annotation = list_annotations(sentence)[find_nearest(sentence, edits)]
    return [_show_edit(sentence, annotation, edit) for edit in edits]


def _show_edit(sentence: Sentence, annotation: Annotation, edit: ItemEdit) -> ShownEdit:
    replaced = tuple(gold.corrections[0] for gold in _list_replaced(annotation.edits, edit))
    return ShownEdit(" ".join(sentence.tokens[edit.start : edit.end]), edit.correction, edit.leaves(sentence.tokens), replaced)


def _list_replaced(gold: Sequence[Edit], edit: ItemEdit) -> list[Edit]:
    return [own for own in gold if _overlap(own, edit)]


def _overlap(gold: Edit, edit: ItemEdit) -> bool:
    return spans_overlap(gold.start, gold.end, edit.start, edit.end)
