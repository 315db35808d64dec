"""The three-way alignment if two of the three sentences are equal, which is an alignment of two.

No alignment costs less than the sum of its three cheapest pairs.
If the two equal sentences are aligned token by token, the cheapest alignment with the third reaches this sum.
So every cheapest alignment aligns them token by token, and the preferred one is found as for two sentences.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from errata.core.python.cube import Move
    from errata.core.python.pairwise import Costs, Pairwise


def align_two(pairs: Pairwise, costs: Costs, one_alone: Move, other_alone: Move, *, one_first: bool) -> list[Move]:
    """Find the columns of the preferred alignment; ``one_alone`` and ``other_alone`` are the columns with a gap."""
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
