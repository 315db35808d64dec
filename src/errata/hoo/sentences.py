"""Split texts of the HOO tasks into sentences, and join those that an edit crosses."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from itertools import chain
from typing import TYPE_CHECKING

from errata.nucle.placing import place_sentence

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from errata.hoo.source_texts import SourceText
    from errata.nucle.token_edits import Language, PlacedSentence


def split_text(source: SourceText, document: str, language: Language) -> Iterator[PlacedSentence]:
    """Yield the sentences of a text, each inside one paragraph, with offsets in the text."""
    for number, (first, text) in enumerate(source.paragraphs):
        position = 0
        for sentence in language.split(text):
            start = text.find(sentence, position)
            placed = place_sentence(document, number, text, start, sentence, tuple(language.tokenise(sentence)))
            position = placed.end
            if placed.tokens:
                starts = tuple(first + own for own in placed.starts)
                yield placed._replace(start=first + placed.start, end=first + placed.end, starts=starts)


class Sentences:
    """The sentences of a text by their offsets."""

    def __init__(self, sentences: Sequence[PlacedSentence]) -> None:
        self.all = sentences
        self._starts = [sentence.start for sentence in sentences]
        self._ends = [sentence.end for sentence in sentences]

    def around(self, start: int, end: int) -> range:
        """Find the sentences of which a span has characters; for an empty span, the one that it is inside of or next to."""
        first, last = bisect_right(self._ends, start), bisect_left(self._starts, end)
        if first < last:
            return range(first, last)
        # Between two sentences, or at the end of one: it belongs to the sentence before it, unless the other starts there.
        nearest = max(0, bisect_right(self._starts, start) - 1)
        return range(nearest, nearest + 1)

    def join(self, crossing: Iterable[range]) -> Sentences:
        """Join the sentences of each range."""
        joined = set(chain.from_iterable(sentences[1:] for sentences in crossing))
        units: list[list[PlacedSentence]] = []
        for number, sentence in enumerate(self.all):
            if number in joined:
                units[-1].append(sentence)
            else:
                units.append([sentence])
        return Sentences([_join(unit) for unit in units])


def _join(sentences: Sequence[PlacedSentence]) -> PlacedSentence:
    if len(sentences) == 1:
        return sentences[0]
    tokens = tuple(token for sentence in sentences for token in sentence.tokens)
    starts = tuple(start for sentence in sentences for start in sentence.starts)
    return sentences[0]._replace(end=sentences[-1].end, tokens=tokens, starts=starts)
