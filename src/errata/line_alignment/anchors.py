"""Pairs of lines that plainly belong together, found by phrases that occur once in each text.

A phrase of three words that occurs once in the source and once in the output is an anchor; the longest chain of anchors in the same
order in both texts is kept.  Lines that most anchors connect are pairs.  A pair is certain if the pairs before and after it are
neighbours in both texts, all three are similar, and no words moved across the ends of its lines.
So whatever is joined, split, dropped, repeated or added is not certain, and neither are its neighbours.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from errata.line_alignment.words import share_words

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from errata.line_alignment.words import NumberedWords

_PHRASE = 3
"""Words of a phrase."""
_SIMILAR, _MOSTLY_EQUAL = 0.5, 0.8
"""Shares of equal words: of a certain pair, and of one of which the first or last word was changed."""


class Anchors(NamedTuple):
    """Words that belong together: their positions in the source and in the output, in ascending order."""

    source: list[int]
    output: list[int]


class FlatLines:
    """The words of all lines in a row."""

    def __init__(self, lines: Sequence[NumberedWords]) -> None:
        import numpy as np

        self.lines = lines
        self.words: NDArray[np.int64] = np.fromiter(chain.from_iterable(lines), dtype=np.int64)
        self.starts: NDArray[np.int64] = np.zeros(len(lines) + 1, dtype=np.int64)
        np.cumsum([len(line) for line in lines], out=self.starts[1:])

    def find_lines(self, positions: Sequence[int]) -> list[int]:
        """Find the lines of words."""
        import numpy as np

        found: list[int] = (np.searchsorted(self.starts, positions, side="right") - 1).tolist()
        return found


def find_anchors(source: FlatLines, output: FlatLines) -> Anchors:
    """Find the longest chain of phrases that occur once in each text."""
    import numpy as np

    (own, own_places), (other, other_places) = (_find_single_phrases(text.words) for text in (source, output))
    _, at, other_at = np.intersect1d(own, other, assume_unique=True, return_indices=True)
    places, other_places = own_places[at], other_places[other_at]
    order = np.argsort(places)
    chained = _find_longest_rise(other_places[order].tolist())
    return Anchors(places[order][chained].tolist(), other_places[order][chained].tolist())


def _find_single_phrases(words: NDArray[np.int64]) -> tuple[NDArray[np.uint64], NDArray[np.int64]]:
    """Find the phrases that occur once, and where."""
    import numpy as np

    if len(words) < _PHRASE:
        return np.zeros(0, dtype=np.uint64), np.zeros(0, dtype=np.int64)
    numbers = words.astype(np.uint64)
    most = np.uint64(1 << 21)  # more words than any vocabulary here has; if it has more, a few phrases are mistaken for others
    phrases = (numbers[:-2] * most + numbers[1:-1]) * most + numbers[2:]
    values, places, counts = np.unique(phrases, return_index=True, return_counts=True)
    return values[counts == 1], places[counts == 1]


def _find_longest_rise(values: Sequence[int]) -> list[int]:
    """Find the indices of a longest subsequence of distinct values that rises.

    >>> _find_longest_rise([5, 1, 2, 9, 3])
    [1, 2, 4]
    """
    ends: list[int] = []
    at_end: list[int] = []
    before: list[int] = []
    for index, value in enumerate(values):
        length = bisect_left(ends, value)
        before.append(at_end[length - 1] if length else -1)
        if length == len(ends):
            ends.append(value)
            at_end.append(index)
        else:
            ends[length], at_end[length] = value, index
    chained: list[int] = []
    index = at_end[-1] if at_end else -1
    while index >= 0:
        chained.append(index)
        index = before[index]
    return chained[::-1]


def find_certain_pairs(source: FlatLines, output: FlatLines, anchors: Anchors) -> list[tuple[int, int]]:
    """Find the pairs of lines that certainly belong together, in order."""
    return _keep_certain(_add_equal(_pair_by_anchors(source, output, anchors), source.lines, output.lines), source.lines, output.lines)


def _pair_by_anchors(source: FlatLines, output: FlatLines, anchors: Anchors) -> list[tuple[int, int]]:
    """Pair the lines that most anchors connect, and lines between such pairs if there are as many in both texts."""
    votes = Counter(zip(source.find_lines(anchors.source), output.find_lines(anchors.output), strict=True))
    taken: dict[int, int] = {}
    others: set[int] = set()
    for line, other in sorted(votes, key=lambda pair: (-votes[pair], pair)):
        if line not in taken and other not in others:
            taken[line] = other
            others.add(other)
    result: list[tuple[int, int]] = []
    for line in sorted(taken):
        other = taken[line]
        if result and other <= result[-1][1]:
            continue
        last_line, last_other = result[-1] if result else (-1, -1)
        if line - last_line == other - last_other:
            result += zip(range(last_line + 1, line), range(last_other + 1, other), strict=True)
        result.append((line, other))
    last_line, last_other = result[-1] if result else (-1, -1)
    if len(source.lines) - last_line == len(output.lines) - last_other:
        result += zip(range(last_line + 1, len(source.lines)), range(last_other + 1, len(output.lines)), strict=True)
    return result


def _add_equal(pairs: list[tuple[int, int]], sources: Sequence[NumberedWords], outputs: Sequence[NumberedWords]) -> list[tuple[int, int]]:
    """Add equal lines after and before pairs, where anchors found none."""
    result: list[tuple[int, int]] = []
    line, other = 0, 0
    for next_line, next_other in [*pairs, (len(sources), len(outputs))]:
        while line < next_line and other < next_other and sources[line] == outputs[other]:
            result.append((line, other))
            line, other = line + 1, other + 1
        back = 1
        while next_line - back >= line and next_other - back >= other and sources[next_line - back] == outputs[next_other - back]:
            back += 1
        result += ((next_line - step, next_other - step) for step in range(back - 1, 0, -1))
        if next_line < len(sources):
            result.append((next_line, next_other))
        line, other = next_line + 1, next_other + 1
    return result


def _keep_certain(
    pairs: list[tuple[int, int]], sources: Sequence[NumberedWords], outputs: Sequence[NumberedWords]
) -> list[tuple[int, int]]:
    shares = [share_words(sources[line], outputs[other]) for line, other in pairs]
    size = (len(sources), len(outputs))

    def ends_together(index: int) -> bool:
        """Whether the lines of a pair end at the same place, and so do those before the next."""
        line, other = pairs[index] if index >= 0 else (-1, -1)
        following = pairs[index + 1] if index + 1 < len(pairs) else size
        if following != (line + 1, other + 1):
            return False
        if index < 0 or following == size:
            return True
        equal = (sources[line][-1:] == outputs[other][-1:]) + (sources[line + 1][:1] == outputs[other + 1][:1])
        least = (2.0, _MOSTLY_EQUAL, _SIMILAR)[equal]
        return min(shares[index], shares[index + 1]) >= least

    together = [ends_together(index) for index in range(-1, len(pairs))]
    return [pair for index, pair in enumerate(pairs) if together[index] and together[index + 1] and shares[index] >= _SIMILAR]
