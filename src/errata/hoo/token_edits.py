"""Convert edits of tokens to HOO edits of the sentence text, with single spaces between tokens.

They have only as much of their original as scores use, the space at its end: many edits may span the whole sentence.
"""

from __future__ import annotations

from itertools import accumulate
from typing import TYPE_CHECKING

from errata.hoo.edits import HooEdit

if TYPE_CHECKING:
    from errata.corpus.corpus import Edit
    from errata.corpus.texts import Tokens


class TokenPositions:
    """The character offsets of the tokens of a sentence."""

    def __init__(self, tokens: Tokens) -> None:
        self._starts = [0, *accumulate(len(token) + 1 for token in tokens)]
        self._length = max(self._starts[-1] - 1, 0)

    def gold(self, edit: Edit) -> HooEdit:
        """Convert a gold edit; one that is not required is optional."""
        corrections = tuple(" ".join(text.split()) for text in edit.corrections)
        return self._edit(edit.start, edit.end, (*corrections, None) if not edit.required else corrections, edit.type)

    def system(self, start: int, end: int, text: str) -> HooEdit:
        """Convert an edit of a system."""
        return self._edit(start, end, (text,))

    def _edit(self, start: int, end: int, corrections: tuple[str | None, ...], type_: str = "") -> HooEdit:
        """Include the following space in insertions and deletions, as in edits extracted from texts."""
        first = min(self._starts[start], self._length)
        if start == end:
            return HooEdit(first, first, "", tuple(f"{text} " if text else text for text in corrections), type_)
        last = self._starts[end] - 1
        if all(not text for text in corrections) and last < self._length:
            return HooEdit(first, last + 1, " ", corrections, type_)
        return HooEdit(first, last, "", corrections, type_)
