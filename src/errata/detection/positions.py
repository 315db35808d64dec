"""Positions of a sentence at which another text may differ from it: tokens, characters, gaps between tokens, or the sentence itself.

The positions depend on the source alone, so they are the same for all annotators and systems.  Every text is aligned with the source
in the same way (:func:`errata.language.word_alignment.align_in_order`), so equal texts differ from it at the same positions.

- Tokens and characters: what stands at a token is its replacement, with the words inserted before it; words inserted at the end stand
  at the last token.
- Gaps: the words inserted before a token, or at the end.
- Gaps for some words, such as articles: these words stand in the gaps between the other tokens, and are written, or not, in each.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

from errata.language.word_alignment import align_in_order

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from errata.corpus.texts import Tokens

Position = Literal["token", "character", "gap", "sentence"]


class Change(NamedTuple):
    """What another text has at a position, if that is not what the source has."""

    text: Tokens
    start: int
    end: int
    """The span of tokens of the other text that stand at the position; only some of them belong to ``text`` if words are given."""


class SentencePositions:
    """The positions of one sentence.

    >>> positions = SentencePositions(("He", "is", "fond", "beer", "."), "gap")
    >>> len(positions), positions.changes(("He", "is", "fond", "of", "beer", "."))
    (6, {3: Change(text=('of',), start=3, end=4)})
    """

    def __init__(self, tokens: Tokens, kind: Position, words: Collection[str] = frozenset()) -> None:
        self._tokens, self._kind, self._words = tokens, kind, words
        self._source = tuple(" ".join(tokens)) if kind == "character" else tokens
        self.spans: list[tuple[int, int]] = list(self._locate(self._source))
        """The source tokens that stand at each position."""

    def __len__(self) -> int:
        return len(self.spans)

    def written(self, position: int) -> Tokens:
        """Get what the source has at a position."""
        return self._read(self._source, self.spans[position])

    def changes(self, target: Tokens) -> dict[int, Change]:
        """Find the positions where another text has something else."""
        if target == self._tokens:
            return {}
        other = tuple(" ".join(target)) if self._kind == "character" else target
        found = ((position, Change(self._read(other, span), *span)) for position, span in enumerate(self._locate(other)))
        return {position: change for position, change in found if change.text != self.written(position)}

    def list_places(self, position: int, change: Change) -> list[tuple[int, bool]]:
        """List the source tokens where a change may be marked, and whether it is inserted there, the most likely first."""
        start, end = self.spans[position]
        if self._words:
            gap = end if position == len(self) - 1 else end - 1
            return [*((token, False) for token in range(start, gap)), (gap, True)]
        token = self._source[start:end]
        if start == end or change.text[-1:] == token:
            return [(start, True)]
        return [(end, True)] if change.text[:1] == token else [(start, False)]

    def list_gaps(self, position: int) -> range:
        """List the gaps between tokens, by the number of tokens before them, that belong to a position."""
        start, end = self.spans[position]
        at_end = position == len(self) - 1
        return range(start, end + 1 if at_end or not self._words else end)

    def _read(self, text: Sequence[str], span: tuple[int, int]) -> Tokens:
        inside = text[slice(*span)]
        return tuple(word.lower() for word in inside if word.lower() in self._words) if self._words else tuple(inside)

    def _locate(self, target: Sequence[str]) -> Iterator[tuple[int, int]]:
        """Yield the span of another text at each position."""
        if self._kind == "sentence":
            yield 0, len(target)
            return
        aligned = dict(align_in_order(self._source, target))
        gaps = self._kind == "gap"
        end, last = 0, len(self._source) - 1
        for position, word in enumerate(self._source):
            if gaps and self._words and word.lower() in self._words:
                continue
            start = end
            other = aligned.get(position)
            if other is not None:
                end = other + 1
            if not gaps and position == last:
                end = len(target)
            yield start, max(start, end - 1) if gaps and not self._words else end
        if gaps:
            yield end, len(target)
