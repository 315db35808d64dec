"""A whole text cut into the units of its source: every word of it is in one unit."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from errata.line_alignment.aligning import cut_texts
from errata.line_alignment.alignment import StretchFinder
from errata.line_alignment.gaps import Stretch

if TYPE_CHECKING:
    from collections.abc import Sequence


class CutDocument(NamedTuple):
    """A text, cut."""

    texts: list[str]
    """The text of each unit of the source."""
    missing: list[int]
    """The units that have words in the source, but not in the text, counted from 0."""
    added: int
    """Sentences of the text without a counterpart, which are in the unit before them, or in the first."""


def cut_document(units: Sequence[str], sentences: Sequence[str]) -> CutDocument:
    """Cut the sentences of a text into the units of its source.

    >>> cut_document(["I likes cake .", "He go home ."], ["I like cake, and he goes home.", "Bye!"]).texts
    ['I like cake,', 'and he goes home. Bye!']
    """
    finder = StretchFinder(units, sentences)
    found = finder.find()
    used = {stretch.line for stretches in found for stretch in stretches}
    added = [number for number, words in enumerate(finder.outputs) if words and number not in used]
    first = next((number for number, stretches in enumerate(found) if stretches), 0)
    for line in added:
        before = [number for number, stretches in enumerate(found) if stretches and stretches[-1].line < line]
        stretches = found[max(before, default=first)]
        stretches.append(Stretch(line, 0, len(finder.outputs[line])))
        stretches.sort()
    texts = [text or "" for text in cut_texts(sentences, finder, found)]
    missing = [number for number, text in enumerate(texts) if not text.strip() and finder.sources[number]]
    return CutDocument([text.strip() for text in texts], missing, len(added))
