"""Align the words of a source and a correction: in any order (Choshen and Abend, section 2), or in order."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from errata.errors import RequestError, pluralise

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_MOST_DISTANCES = 1 << 24
"""Pairs of words that are compared, 4,096 words with as many; time grows faster than their number, up to some seconds."""


class _WordsError(RequestError):
    """The words of two texts are too many or too long to be aligned."""


@contextmanager
def name_sentence_of_words(number: int) -> Iterator[None]:
    """Add the number of the sentence, counted from 1, to such an error."""
    try:
        yield
    except _WordsError as error:
        raise RequestError(f"sentence {number:,}: {error}") from None


def align_words(source: Sequence[str], target: Sequence[str]) -> list[tuple[int, int]]:
    """Align words in any order; return pairs of positions in the order of the source.

    Every word of the shorter text gets a word of the longer one, with the least total cost: the edit distance of two words, plus
    the difference of their positions divided by the length of the longer text.

    >>> align_words("I likes the cake".split(), "I like cake".split())
    [(0, 0), (1, 1), (3, 2)]
    """
    if not source or not target:
        return []
    if source == target:
        return [(position, position) for position in range(len(source))]
    import numpy as np
    from scipy.optimize import linear_sum_assignment

    longest = max(len(source), len(target))
    apart = np.abs(np.arange(len(source))[:, None] - np.arange(len(target))[None, :])
    rows, columns = linear_sum_assignment(_compute_distances(source, target).astype(np.float64) * longest + apart)
    return list(zip(rows.tolist(), columns.tolist(), strict=True))


def align_in_order(source: Sequence[str], target: Sequence[str]) -> list[tuple[int, int]]:
    """Align words in order; return pairs of positions.

    A deleted or inserted word costs its length, a changed word its edit distance.  Equal words at the beginning and at the end of both
    texts are aligned; among equal costs, aligning is preferred to deleting, from the end.

    >>> align_in_order("I likes the cake".split(), "I like big cakes".split())
    [(0, 0), (1, 1), (2, 2), (3, 3)]
    >>> align_in_order("I likes the cake".split(), "I like cake".split())
    [(0, 0), (1, 1), (3, 2)]
    """
    shorter = min(len(source), len(target))
    first = next((position for position in range(shorter) if source[position] != target[position]), shorter)
    last = next((position for position in range(shorter - first) if source[-1 - position] != target[-1 - position]), shorter - first)
    pairs = [(position, position) for position in range(first)]
    middle = source[first : len(source) - last], target[first : len(target) - last]
    if all(middle):
        pairs += [(first + one, first + other) for one, other in _cheapest(*middle)]
    return pairs + [(len(source) - position, len(target) - position) for position in range(last, 0, -1)]


def _cheapest(source: Sequence[str], target: Sequence[str]) -> list[tuple[int, int]]:
    import numpy as np

    changed = _compute_distances(source, target).astype(np.int64)
    left_out = np.array([len(word) for word in source])
    added = np.concatenate([[0], np.cumsum([len(word) for word in target])])
    costs = np.empty((len(source) + 1, len(target) + 1), np.int64)
    costs[0] = added
    for row in range(len(source)):
        costs[row + 1] = costs[row] + left_out[row]
        np.minimum(costs[row + 1, 1:], costs[row, :-1] + changed[row], out=costs[row + 1, 1:])
        # Inserted words: the least cost to the left, plus the words from there on.
        costs[row + 1] = np.minimum.accumulate(costs[row + 1] - added) + added
    pairs = []
    row, column = len(source), len(target)
    while row and column:
        if costs[row, column] == costs[row - 1, column - 1] + changed[row - 1, column - 1]:
            row, column = row - 1, column - 1
            pairs.append((row, column))
        elif costs[row, column] == costs[row - 1, column] + left_out[row - 1]:
            row -= 1
        else:
            column -= 1
    return pairs[::-1]


def _compute_distances(source: Sequence[str], target: Sequence[str]) -> Any:
    from errata.core import compute_edit_distances

    if len(source) * len(target) > _MOST_DISTANCES:
        counts = f"{len(source):,} and {pluralise(len(target), 'word')}"
        raise _WordsError(f"{counts} are too many to be aligned in seconds, more than {_MOST_DISTANCES:,} pairs; cut the sentence")
    try:
        return compute_edit_distances(source, target)
    except OverflowError as error:
        word = max((*source, *target), key=len)
        raise _WordsError(f"{error}: the longest, {word[:20]}..., has {pluralise(len(word), 'character')}") from None
