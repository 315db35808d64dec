"""Corrected sentences as segments, so that source, gold and proposals can be shown side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

from errata.corpus.corpus import list_applied

if TYPE_CHECKING:
    from collections.abc import Sequence

    from errata.corpus.corpus import Edit
    from errata.corpus.texts import Tokens

SegmentKind = Literal["unchanged", "deleted", "inserted"]


class Segment(NamedTuple):
    """Words of a sentence, with single spaces between them."""

    kind: SegmentKind
    text: str


class MarkedSentence(NamedTuple):
    """A sentence and how it came from the source."""

    segments: tuple[Segment, ...]

    @property
    def text(self) -> str:
        """The sentence after its corrections."""
        return " ".join(segment.text for segment in self.segments if segment.kind != "deleted")


def correct_sentence(tokens: Tokens, edits: Sequence[Edit]) -> MarkedSentence:
    """Show what edits make of a sentence, with the first correction of each.

    >>> from errata.corpus.corpus import Edit
    >>> shown = correct_sentence(("I", "likes", "cake"), [Edit(1, 2, ("like",)), Edit(3, 3, ("too",))])
    >>> [segment.kind for segment in shown.segments], shown.text
    (['unchanged', 'deleted', 'inserted', 'unchanged', 'inserted'], 'I like cake too')
    """
    segments: list[Segment] = []

    def add(kind: SegmentKind, text: str) -> None:
        if text:
            segments.append(Segment(kind, text))

    done = 0
    for edit in list_applied(edits):
        add("unchanged", " ".join(tokens[done : edit.start]))
        original, correction = " ".join(tokens[edit.start : edit.end]), edit.corrections[0]
        if original == correction:
            add("unchanged", original)
        else:
            add("deleted", original)
            add("inserted", " ".join(correction.split()))
        done = edit.end
    add("unchanged", " ".join(tokens[done:]))
    return MarkedSentence(tuple(segments))
