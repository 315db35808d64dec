"""Accepted items become gold: annotations are added that have them in place of the gold edits that they overlap.

The gold's own annotations come first and stay as they are.  Then every gold annotation of the sentence gets one more for every choice of
accepted items that can be made together.  An annotation whose edits exist already is left out.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from errata.corpus.corpus import FIRST_ANNOTATOR, Annotation, Corpus, Edit, Sentence
from errata.corpus.texts import write_ranges
from errata.errors import pluralise
from errata.event.answers.accepted_types import AnswerTypes, PlacedEdit
from errata.event.answers.corrected_sentences import list_annotations
from errata.event.answers.items import ItemEdits, make_item_edits, spans_overlap

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from errata.event.answers.items import ItemEdit

MOST_CHOICES = 256
"""The most annotations that the choices of one sentence add; of more choices only the smallest and the largest are taken."""
_LONGEST_LIST = 200

_Key = tuple[tuple[int, int, tuple[str, ...]], ...]


class Composed(NamedTuple):
    """A gold with accepted items."""

    corpus: Corpus
    limited: tuple[int, ...]
    """The numbers of sentences with too many choices."""

    @property
    def note(self) -> str:
        """What is to be said of the gold, if anything."""
        if not self.limited:
            return ""
        listed = ", ".join(write_ranges(self.limited))
        shown = f": {listed}" if len(listed) <= _LONGEST_LIST else ""
        where = pluralise(len(self.limited), "sentence")
        return (
            f"the accepted proposals of {where} can be combined in more than {MOST_CHOICES} ways{shown}, "
            "so there each proposal counts alone, and all that fit together"
        )


def compose(gold: Corpus, accepted: Mapping[int, Sequence[ItemEdits]], types: AnswerTypes) -> Composed:
    """Add annotations with accepted items, by the numbers of their sentences."""
    types.prepare(PlacedEdit(number - 1, edit) for number, items in accepted.items() for item in items for edit in item)
    names = [int(name) for name in gold.annotators if name.isdecimal()]
    first = max(names, default=int(FIRST_ANNOTATOR)) + 1
    sentences: list[Sentence] = []
    limited: list[int] = []
    for number, sentence in enumerate(gold, start=1):
        items = sorted(set(accepted.get(number, ())))
        if not items:
            sentences.append(sentence)
            continue
        choices, all_taken = list_choices(items, MOST_CHOICES // len(list_annotations(sentence)))
        if not all_taken:
            limited.append(number)
        sentences.append(_add_annotations(sentence, choices, first, partial(types.find, number - 1)))
    return Composed(replace(gold, sentences=tuple(sentences)), tuple(limited))


def list_choices(items: Sequence[ItemEdits], most: int) -> tuple[list[ItemEdits], bool]:
    """List what can be made together, small choices first, and whether that is all.

    If there are more than ``most``, each item is taken alone, and all that fit together, of those that do not the first.
    """
    found: list[tuple[int, ItemEdits]] = []
    for size, edits in _walk(items):
        found.append((size, edits))
        if len(found) > most:
            largest: ItemEdits = ()
            for item in items:
                if _fit(largest, item):
                    largest = make_item_edits((*largest, *item))
            return list(dict.fromkeys((*items, largest))), False
    return list(dict.fromkeys(edits for _, edits in sorted(found))), True


def _walk(items: Sequence[ItemEdits]) -> Iterator[tuple[int, ItemEdits]]:
    """Yield all choices, with the number of their items; every choice begins with a smaller one, so few steps lead to each."""
    waiting: list[tuple[int, int, ItemEdits]] = [(0, 0, ())]
    while waiting:
        place, size, edits = waiting.pop()
        for index in range(place, len(items)):
            if _fit(edits, items[index]):
                together = make_item_edits((*edits, *items[index]))
                yield size + 1, together
                waiting.append((index + 1, size + 1, together))


def _fit(edits: ItemEdits, more: ItemEdits) -> bool:
    """Whether edits can be made together; equal ones can."""
    return not any(one != other and spans_overlap(one.start, one.end, other.start, other.end) for one in edits for other in more)


def apply_item(
    sentence: Sentence, annotation: Annotation, edits: ItemEdits, find_type: Callable[[ItemEdit, Sequence[Edit]], str]
) -> tuple[Edit, ...]:
    """Make the edits of an annotation with an item in place of the gold edits that it overlaps.

    A gold edit that has a correction of the item stays as it is, with its other corrections.
    """
    made = [edit for edit in edits if not edit.leaves(sentence.tokens)]
    kept: list[Edit] = []
    replaced: list[Edit] = []
    present: set[ItemEdit] = set()
    for gold in annotation.edits:
        same = next((edit for edit in made if edit[:2] == (gold.start, gold.end) and edit.correction in gold.corrections), None)
        if same is not None:
            present.add(same)
            kept.append(gold)
        elif any(spans_overlap(gold.start, gold.end, edit.start, edit.end) for edit in edits):
            replaced.append(gold)
        else:
            kept.append(gold)
    new = [Edit(edit.start, edit.end, (edit.correction,), find_type(edit, replaced)) for edit in made if edit not in present]
    return tuple(sorted((*kept, *new), key=lambda edit: (edit.start, edit.end)))


def changes_gold(sentence: Sentence, edits: ItemEdits) -> bool:
    """Whether an item makes an annotation that the gold does not have."""
    annotations = list_annotations(sentence)
    known = {_key(annotation.edits) for annotation in annotations}
    return any(_key(apply_item(sentence, annotation, edits, lambda *_: "")) not in known for annotation in annotations)


def _add_annotations(
    sentence: Sentence, choices: Sequence[ItemEdits], first: int, find_type: Callable[[ItemEdit, Sequence[Edit]], str]
) -> Sentence:
    annotations = list(list_annotations(sentence))
    known = {_key(annotation.edits) for annotation in annotations}
    added: list[Annotation] = []
    for annotation in annotations:
        for choice in choices:
            edits = apply_item(sentence, annotation, choice, find_type)
            if (key := _key(edits)) not in known:
                known.add(key)
                added.append(Annotation(str(first + len(added)), edits))
    return replace(sentence, annotations=(*annotations, *added)) if added else sentence


def _key(edits: Sequence[Edit]) -> _Key:
    return tuple(sorted((edit.start, edit.end, edit.corrections) for edit in edits))
