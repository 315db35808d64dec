"""Extract the edits between a text and its correction, like the official tools of HOO with GNU wdiff.

Words are separated by white space, and every run of changed words is an edit.  If a word only gains, loses or changes one
punctuation mark at its beginning or end, the edit is that mark.  An insertion includes a space after it; a deletion includes the
space after it, unless it is one punctuation mark.

The official tools parse the output of wdiff.  ``offsets="wdiff"`` reproduces two consequences:
unchanged text has the white space of the corrected text, so offsets shift if white space differs;
and a change across a line end is not an edit, and the marks around it count as text.
``offsets="text"`` gives the true offsets and all changes.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Literal

from errata.hoo.edits import HooEdit
from errata.hoo.word_diff import diff_words

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from errata.hoo.word_diff import Hunk

Offsets = Literal["wdiff", "text"]
_WORD = re.compile(r"\S+")
_PUNCTUATION = frozenset("'\"[({])},.:;!?")
_MARKS = len("[--]")


def extract(source: str, target: str, offsets: Offsets = "wdiff") -> list[HooEdit]:
    """Extract the edits that turn one text into another.

    >>> extract("feeds word", "feeds a word")
    [HooEdit(start=6, end=6, original='', corrections=('a ',), ...)]
    >>> extract("they plays the football", "they play football")
    [HooEdit(start=5, end=14, original='plays the', corrections=('play',), ...)]
    """
    words, new = _Words(source), _Words(target)
    hunks = diff_words(words.texts, new.texts)
    placed = _as_wdiff_prints(words, new, hunks) if offsets == "wdiff" else _as_they_are(words, new, hunks)
    return [_refine(start, old, correction) for start, old, correction in placed]


class _Words:
    def __init__(self, text: str) -> None:
        self.text = text
        self._found = list(_WORD.finditer(text))
        self.texts = [word.group() for word in self._found]

    def start(self, number: int) -> int:
        """Get the start of a word; after the last word, the end of the text."""
        return self._found[number].start() if number < len(self._found) else len(self.text)

    def space_before(self, number: int) -> int:
        """Count the white space before a word."""
        return self._found[number].start() - (self._found[number - 1].end() if number else 0)

    def run(self, first: int, last: int) -> str:
        """Get the text from a word up to another."""
        return self.text[self._found[first].start() : self._found[last - 1].end()] if first < last else ""


_Placed = tuple[int, str, str]
"""The start of a change, the old text and the new text."""


def _as_they_are(words: _Words, new: _Words, hunks: Sequence[Hunk]) -> Iterator[_Placed]:
    for hunk in hunks:
        yield words.start(hunk.start), words.run(hunk.start, hunk.end), new.run(hunk.new_start, hunk.new_end)


def _as_wdiff_prints(words: _Words, new: _Words, hunks: Sequence[Hunk]) -> Iterator[_Placed]:
    """Yield changes with their positions in the output of wdiff without its insertions."""
    position = 0
    number = new_number = 0
    space_taken = 0  # the space after an insertion is a part of it
    for hunk in hunks:
        for _ in range(number, hunk.start):
            position += new.space_before(new_number) - space_taken + len(new.texts[new_number])
            new_number += 1
            space_taken = 0
        number, new_number = hunk.end, hunk.new_end
        old, correction = words.run(hunk.start, hunk.end), new.run(hunk.new_start, hunk.new_end)
        if "\n" in old or "\n" in correction:
            if old:
                position += words.space_before(hunk.start) + len(old) + ("\n" in old) * _MARKS
            if correction:
                position += new.space_before(hunk.new_start) + ("\n" in correction) * (len(correction) + _MARKS)
            continue
        if old:
            position += words.space_before(hunk.start) - space_taken
            yield position, old, correction
            position += len(old)
            space_taken = 0
        else:
            position += new.space_before(hunk.new_start) - space_taken
            yield position, old, correction
            space_taken = 1


def _refine(start: int, old: str, new: str) -> HooEdit:
    if old and new:
        for first, last, old_mark, new_mark in _single_marks(old, new):
            return HooEdit(start + first, start + last, old_mark, (new_mark,))
        return HooEdit(start, start + len(old), old, (new,))
    if new:
        return HooEdit(start, start, "", (f"{new} ",))
    if old in _PUNCTUATION:
        return HooEdit(start, start + 1, old, ("",))
    return HooEdit(start, start + len(old) + 1, f"{old} ", ("",))


def _single_marks(old: str, new: str) -> Iterator[tuple[int, int, str, str]]:
    """Yield span, old and new text if two texts differ only in one punctuation mark at the end or the beginning."""
    end = len(old)
    old_last, new_last = old[-1] in _PUNCTUATION, new[-1] in _PUNCTUATION
    old_first, new_first = old[0] in _PUNCTUATION, new[0] in _PUNCTUATION
    if new_last and old == new[:-1]:
        yield end, end, "", new[-1]
    elif old_last and old[:-1] == new:
        yield end - 1, end, old[-1], ""
    elif old_last and new_last and old[:-1] == new[:-1]:
        yield end - 1, end, old[-1], new[-1]
    elif new_first and old == new[1:]:
        yield 0, 0, "", new[0]
    elif old_first and old[1:] == new:
        yield 0, 1, old[0], ""
    elif old_first and new_first and old[1:] == new[1:]:
        yield 0, 1, old[0], new[0]
