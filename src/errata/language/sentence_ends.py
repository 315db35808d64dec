"""Where sentences end: between the words of a line, and at the ends of lines.

A text has one line for each sentence of the source.  A correction can still join the sentences of two lines, by replacing the full
stop of the first by a comma, or split a sentence that went on in the next line.
"""

from __future__ import annotations

import re
from enum import IntFlag
from typing import TYPE_CHECKING, NamedTuple

from errata.corpus.unicode import SENTENCE_MARKS
from errata.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_GAP = re.compile(r"(?<![^\W_])([^\W_]++)([\W_]++)(?=([^\W_]))")
"""A word, the characters up to the next word, and the first character of the next word."""
_FIRST = re.compile(r"[^\W_]")
SENTENCE_ENDS = ".?!"
"""Marks that end a sentence."""
_OPEN = (",", ";")


def check_sentence_ends(marks: str) -> None:
    """Raise unless these are marks: characters that are neither letters, digits nor spaces."""
    if not marks or any(character.isalnum() or character.isspace() for character in marks):
        raise UsageError(f"sentence ends must be punctuation marks, such as '.?!;', found {marks[:40]!r}")


def count_boundaries(text: str, marks: str = SENTENCE_ENDS) -> int:
    """Count the sentence ends between two words, also without a space after them.

    A dot in an abbreviation, a number or an address is not counted: after a single lower-case letter, directly after a single letter
    unless a new sentence seems to follow, and before neither a space nor a capital.  Marks of other scripts need no space after them.

    >>> count_boundaries("I know it . It is e.g. 1.5 km to the U.S. from here .")
    1
    """
    count, ends = 0, frozenset(marks)
    unspaced = ends.intersection(SENTENCE_MARKS)
    for gap in _GAP.finditer(text):
        before, between, after = gap.groups()
        if ends.isdisjoint(between):
            continue
        spaced = any(character.isspace() for character in between)
        initial = len(before) == 1 and (before.islower() or (between[0] == "." and not (spaced and after.isupper())))
        count += not initial and (spaced or after.isupper() or not unspaced.isdisjoint(between))
    return count


class LineEnds(IntFlag):
    """What the first and the last characters of a line say about sentences."""

    WORDS = 1
    """It has words."""
    ENDED = 2
    """A sentence ends after its last word."""
    OPEN = 4
    """It ends with a comma or a semicolon."""
    SMALL = 8
    """Its first word starts with a small letter."""


def describe_line_ends(text: str, marks: str = SENTENCE_ENDS) -> LineEnds:
    """Describe the ends of a line.

    >>> describe_line_ends("and they left ,")
    <LineEnds.WORDS|OPEN|SMALL: 13>
    """
    first = _FIRST.search(text)
    if first is None:
        return LineEnds(0)
    found = LineEnds.WORDS | (LineEnds.SMALL if first.group().islower() else LineEnds(0))
    end = len(text)
    while not text[end - 1].isalnum():
        end -= 1
    if not frozenset(marks).isdisjoint(text[end:]):
        return found | LineEnds.ENDED
    return found | (LineEnds.OPEN if text.rstrip().endswith(_OPEN) else LineEnds(0))


def find_joined_lines(one: Sequence[int], other: Sequence[int], neighbours: Sequence[bool]) -> Iterator[int]:
    """Find the lines of one text after which a sentence ends, but goes on in the next line of another text; ends as ``LineEnds``.

    A sentence goes on in the next line if it does not end, and the next line starts with a small letter or the line ends with a
    comma or a semicolon.  Lines that only the other text leaves empty are skipped; an empty line of both ends a paragraph.
    ``neighbours`` says whether each line follows the one before it.
    Swapped texts give the sentences that were split.
    """
    for index, (before, after) in enumerate(zip(one, other, strict=True)):
        if before & LineEnds.ENDED and after & LineEnds.WORDS and not after & LineEnds.ENDED:
            following = index + 1
            while _skips(one, other, neighbours, following):
                following += 1
            if (
                following < len(other)
                and neighbours[following]
                and one[following] & other[following] & LineEnds.WORDS
                and (after & LineEnds.OPEN or other[following] & LineEnds.SMALL)
            ):
                yield index


def _skips(one: Sequence[int], other: Sequence[int], neighbours: Sequence[bool], index: int) -> bool:
    """Whether a line has words in one text only, and follows the line before it."""
    return index < len(other) and neighbours[index] and bool(one[index] & ~other[index] & LineEnds.WORDS)


class SentenceChanges(NamedTuple):
    """How often sentences were split and joined."""

    split: int
    """Sentence ends that were added, inside lines."""
    joined: int
    """Sentence ends that were removed, inside lines."""
    split_lines: int
    """Sentences that went on in the next line, and now end."""
    joined_lines: int
    """Sentences that ended with their line, and now go on in the next line."""


def compare_sentences(
    sources: Sequence[str], targets: Sequence[str], neighbours: Sequence[bool], marks: str = SENTENCE_ENDS
) -> SentenceChanges:
    """Count how often sentences were split and joined, in lines and across their ends, if these marks end a sentence.

    >>> compare_sentences(["I know it , it is late .", "So go ."], ["I know it . It is late ,", "so go ."], [False, True])
    SentenceChanges(split=1, joined=0, split_lines=0, joined_lines=1)
    """
    check_sentence_ends(marks)
    gained = [count_boundaries(target, marks) - count_boundaries(source, marks) for source, target in zip(sources, targets, strict=True)]
    before, after = (bytes(describe_line_ends(text, marks) for text in texts) for texts in (sources, targets))
    return SentenceChanges(
        sum(number for number in gained if number > 0),
        -sum(number for number in gained if number < 0),
        len(list(find_joined_lines(after, before, neighbours))),
        len(list(find_joined_lines(before, after, neighbours))),
    )
