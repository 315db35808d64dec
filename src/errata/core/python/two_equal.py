"""The three-way alignment where two of the three sentences are equal, which is an alignment of two.

No alignment costs less than its three pairs at their cheapest.
If two sentences are equal and stand side by side, as one, the cheapest alignment of this one with the third costs no more.
So every cheapest alignment has them side by side, and the preferred one is found as for two sentences.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from errata.core.python.cube import Move
    from errata.core.python.pairwise import Costs, Pairwise


def align_two(pairs: Pairwise, costs: Costs, one_alone: Move, other_alone: Move, *, one_first: bool) -> list[Move]:
    """The columns of the preferred alignment, given those with a token of the one or of the other alone, and which are preferred."""
    forwards = pairs.forwards
    moves: list[Move] = []
    i, j = len(pairs.one), len(pairs.other)
    while i or j:
        cost = forwards[i][j]
        paired = i and j and forwards[i - 1][j - 1] + (0 if pairs.one[i - 1] == pairs.other[j - 1] else costs.mismatch) == cost
        by_one = i and forwards[i - 1][j] + costs.gap == cost
        by_other = j and forwards[i][j - 1] + costs.gap == cost
        if paired:
            moves.append((1, 1, 1))
            i, j = i - 1, j - 1
        elif by_one and (one_first or not by_other):
            moves.append(one_alone)
            i -= 1
        else:
            moves.append(other_alone)
            j -= 1
    return moves[::-1]
