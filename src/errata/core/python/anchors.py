"""A point between every two sites of a sentence, where alignments of all references probably meet; twin of ``native/anchors.hpp``."""

from __future__ import annotations

from itertools import takewhile
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from errata.core.python.pairwise import Costs, Pairwise


class Anchor(NamedTuple):
    """A point after p tokens of the source and q of the hypothesis."""

    p: int
    q: int


def place_anchors(pairs: Pairwise, gaps: Sequence[tuple[int, int]], costs: Costs) -> list[Anchor]:
    """Find in each gap, from one position of the source to another, the point of an alignment with the most equal words around it.

    The points at both ends of the sentence are added.
    """
    source, hypothesis = pairs.one, pairs.other
    path = _trace(pairs, costs)
    anchors = [Anchor(0, 0)]
    for start, end in gaps:
        best, most = Anchor(0, 0), (-1, -1)
        for p, q in path:
            if start <= p <= end:
                before = _run((source[p - 1 - k], hypothesis[q - 1 - k]) for k in range(min(p - start, q)))
                after = _run((source[p + k], hypothesis[q + k]) for k in range(min(end - p, len(hypothesis) - q)))
                if (min(before, after), before + after) > most:
                    best, most = Anchor(p, q), (min(before, after), before + after)
        anchors.append(best)
    return [*anchors, Anchor(len(source), len(hypothesis))]


def _trace(pairs: Pairwise, costs: Costs) -> list[Anchor]:
    """List the points of an optimal alignment."""
    forwards = pairs.forwards
    i, j = len(pairs.one), len(pairs.other)
    path = [Anchor(i, j)]
    while i or j:
        cost = forwards[i][j]
        if i and j and forwards[i - 1][j - 1] + (0 if pairs.one[i - 1] == pairs.other[j - 1] else costs.mismatch) == cost:
            i, j = i - 1, j - 1
        elif i and forwards[i - 1][j] + costs.gap == cost:
            i -= 1
        else:
            j -= 1
        path.append(Anchor(i, j))
    return path[::-1]


def _run(pairs: Iterable[tuple[str, str]]) -> int:
    """Count the equal pairs before the first that differs."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
