"""Which word of a correction stands for which word of the source (Choshen and Abend 2018, section 2).

Every word of the shorter side gets a word of the longer one, so that the sum of all costs is least: the edit distance of two
words, and how far apart they are, in the length of the longer side.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


def align_words(source: Sequence[str], target: Sequence[str]) -> list[tuple[int, int]]:
    """Pairs of places, in the order of the source.

    >>> align_words("I likes the cake".split(), "I like cake".split())
    [(0, 0), (1, 1), (3, 2)]
    """
    if not source or not target:
        return []
    if source == target:
        return [(place, place) for place in range(len(source))]
    import numpy as np
    from scipy.optimize import linear_sum_assignment

    from errata.core import edit_distances

    longest = max(len(source), len(target))
    apart = np.abs(np.arange(len(source))[:, None] - np.arange(len(target))[None, :])
    rows, columns = linear_sum_assignment(edit_distances(source, target).astype(np.float64) * longest + apart)
    return list(zip(rows.tolist(), columns.tolist(), strict=True))


def changed_words(source: Sequence[str], target: Sequence[str]) -> tuple[frozenset[int], int]:
    """The places of the source that are changed or have no counterpart, and how many words of the target have none.

    >>> changed_words("I likes the cake".split(), "I like the big cake".split())
    (frozenset({1}), 1)
    """
    pairs = align_words(source, target)
    kept = {place for place, other in pairs if source[place] == target[other]}
    return frozenset(range(len(source))) - kept, len(target) - len(pairs)
