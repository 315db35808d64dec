"""From a corrected sentence, or from some edits of an output, to the edits of an item.

A corrected sentence is compared by MaxMatch with each gold annotation.  The annotation with the most edits in common counts, the first of
equals; but if one accepts the sentence as it is, nothing is proposed.
The item has the edits that are wrong against it, and says of gold edits that were missed that they are not needed.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from errata.corpus.corpus import FIRST_ANNOTATOR, Annotation, Corpus, Sentence
from errata.event.answers.items import ItemEdit, ItemEdits, make_item_edits, spans_overlap, spans_touch
from errata.metrics import metric
from errata.metrics.views import JudgedEdit, ShowsEdits

if TYPE_CHECKING:
    from collections.abc import Sequence

    from errata.corpus.texts import Tokens
    from errata.metrics import Metric


def list_annotations(sentence: Sentence) -> tuple[Annotation, ...]:
    """List the annotations of a sentence; one without any is correct according to the first annotator."""
    return sentence.annotations or (Annotation(FIRST_ANNOTATOR),)


def compare_sentence(sentence: Sentence, corrected: Tokens) -> tuple[int, list[JudgedEdit]]:
    """Compare a corrected sentence with each gold annotation; return the index of the nearest, and the edits against it."""
    corpus = Corpus((Sentence(sentence.tokens, list_annotations(sentence)),))
    output = _maxmatch().scorer(corpus).prepare([corrected])
    if not isinstance(output, ShowsEdits):
        raise TypeError("MaxMatch must show edits")
    by_annotation = output.edits(0)
    nearest = max(range(len(by_annotation)), key=lambda index: (_accepts(by_annotation[index]), _count_right(by_annotation[index]), -index))
    return nearest, by_annotation[nearest]


@cache
def _maxmatch() -> Metric:
    return metric("maxmatch")


def _accepts(edits: Sequence[JudgedEdit]) -> bool:
    return all(edit.outcome == "right" or _changes_nothing(edit) for edit in edits)


def _changes_nothing(edit: JudgedEdit) -> bool:
    """Whether a gold edit changes nothing, as some do; such an edit is always missed."""
    return edit.outcome == "missed" and set(edit.corrections) == {edit.original}


def _count_right(edits: Sequence[JudgedEdit]) -> int:
    return sum(edit.outcome == "right" for edit in edits)


def find_item_edits(sentence: Sentence, corrected: Tokens) -> ItemEdits:
    """Turn a corrected sentence into the edits of an item; none if a gold annotation accepts it as it is."""
    _, judged = compare_sentence(sentence, corrected)
    return combine_edits(sentence.tokens, judged, [edit for edit in judged if edit.outcome != "right"])


def combine_edits(tokens: Tokens, judged: Sequence[JudgedEdit], chosen: Sequence[JudgedEdit]) -> ItemEdits:
    """Make the edits of one item from some wrong and missed edits of an output.

    ``judged`` has all edits of the output in the sentence.  What a wrong edit needs to be right comes with it: a right edit that inserts at
    the same place becomes a part of it, and a missed gold edit beside an insertion is left out, as the output left it out.
    """
    by_place = sorted(
        (edit for edit in judged if edit.outcome != "missed"), key=lambda edit: (edit.start, edit.end, edit.target_start or 0)
    )
    right = [edit for edit in by_place if edit.outcome == "right"]
    wrong = [edit for edit in by_place if edit in chosen and edit.outcome == "wrong"]
    made: list[ItemEdit] = []
    for edit in wrong:
        if edit.start == edit.end:
            beside = [other for other in by_place if other.start == other.end == edit.start and (other in wrong or other in right)]
            made.append(ItemEdit(edit.start, edit.end, " ".join(other.corrections[0] for other in beside)))
        else:
            made.append(ItemEdit(edit.start, edit.end, edit.corrections[0]))
    for edit in judged:
        if edit.outcome != "missed" or _changes_nothing(edit):
            continue
        span = (edit.start, edit.end)
        if edit not in chosen and not any(spans_touch(*span, other.start, other.end) for other in wrong):
            continue
        # What overlaps a wrong edit is replaced by it, and a gold edit that overlaps a right one would be removed together with that.
        changed = [*((own.start, own.end) for own in made), *((own.start, own.end) for own in right)]
        if any(spans_overlap(*span, *other) for other in changed):
            continue
        made.append(ItemEdit(*span, " ".join(tokens[edit.start : edit.end])))
    return make_item_edits(made)
