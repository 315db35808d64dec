"""The edit distance of words: the fewest characters to insert, delete or replace."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from errata.core.python.limits import MOST_EDIT_STEPS

if TYPE_CHECKING:
    from collections.abc import Sequence


def compute_edit_distances(one: Sequence[str], other: Sequence[str], *, most_steps: int = MOST_EDIT_STEPS) -> Any:
    """Compute the edit distance of every word of one list to every word of the other, a row for each word of the first."""
    import numpy as np

    for word in (*one, *other):
        if not isinstance(word, str):
            raise TypeError("a word must be a str")
    if sum(-(-len(word) // 64) for word in one) * sum(map(len, other)) > most_steps:
        raise OverflowError("the words are too long to be compared in seconds")
    known: dict[tuple[str, str], int] = {}
    distances = np.zeros((len(one), len(other)), dtype=np.int32)
    for row, word in enumerate(one):
        for column, target in enumerate(other):
            if (word, target) not in known:
                known[word, target] = _compute_distance(word, target)
            distances[row, column] = known[word, target]
    return distances


def _compute_distance(one: str, other: str) -> int:
    before = list(range(len(other) + 1))
    for row, character in enumerate(one, start=1):
        current = [row]
        for column, target in enumerate(other, start=1):
            current.append(min(before[column] + 1, current[-1] + 1, before[column - 1] + (character != target)))
        before = current
    return before[-1]
