"""The best choice of one row from each of several blocks, whose counts are summed.

A ratio of weighted sums (:class:`errata.ratios.Ratio`) is maximised exactly, without listing the combinations: Dinkelbach's
method finds in each block separately the row with the largest numerator - ratio * denominator.  The combinations with the best
ratio are then all combinations of the best rows of each block, so a second ratio can decide between them in the same way.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

    from errata.ratios import Ratio, Row

Blocks = list[list["Row"]]
"""The rows of each block."""

_Pair = tuple[int, int]


class Goal(NamedTuple):
    """A ratio to maximise, or to minimise."""

    ratio: Ratio
    largest: bool = True


def add_rows(rows: Iterable[Row]) -> Row:
    """Sum rows."""
    return tuple(map(sum, zip(*rows, strict=True)))


def narrow_blocks(blocks: Blocks, goal: Goal) -> tuple[Blocks, Fraction]:
    """Select the rows of each block that belong to a best combination, and compute the best ratio; 0/0 is 1.

    >>> from errata.ratios import Ratio
    >>> narrow_blocks([[(1, 2), (2, 3)], [(0, 1), (1, 4)]], Goal(Ratio((1, 0), (0, 1))))
    ([[(2, 3)], [(0, 1)]], Fraction(1, 2))
    """
    sign = 1 if goal.largest else -1
    pairs = [[goal.ratio.of(row) for row in rows] for rows in blocks]
    if len(blocks) == 1:  # with one block, a single row can give 0/0
        pairs = [[pair if pair[1] else (1, 1) for pair in pairs[0]]]
    elif goal.largest and sum(min(pair[1] for pair in block) for block in pairs) == 0:  # counts of single blocks can be negative
        return _rows_at(blocks, pairs, (1, 1), sign), Fraction(1)
    best = _sum(block[0] for block in pairs)
    while True:
        chosen = [max(block, key=lambda pair: sign * _gain(pair, best)) for block in pairs]
        total = _sum(chosen)
        if not total[1] or _gain(total, best) == 0:
            return _rows_at(blocks, pairs, best, sign), Fraction(*best) if best[1] else Fraction(1)
        best = total


def _gain(pair: _Pair, ratio: _Pair) -> int:
    """Compute how much a row adds beyond the ratio."""
    above, below = ratio if ratio[1] else (1, 1)
    return pair[0] * below - above * pair[1]


def _sum(pairs: Iterable[_Pair]) -> _Pair:
    above = below = 0
    for pair in pairs:
        above += pair[0]
        below += pair[1]
    return above, below


def _rows_at(blocks: Blocks, pairs: list[list[_Pair]], ratio: _Pair, sign: int) -> Blocks:
    result = []
    for rows, block in zip(blocks, pairs, strict=True):
        gains = [sign * _gain(pair, ratio) for pair in block]
        most = max(gains)
        result.append([row for row, gain in zip(rows, gains, strict=True) if gain == most])
    return result


def list_sums(blocks: Blocks, most: int) -> dict[Row, tuple[Row, ...]] | None:
    """List the distinct sums of one row from each block, with the first rows that give them.

    None if there are more than ``most``, or if finding them takes more than 50 times as many additions.
    """
    sums: dict[Row, tuple[Row, ...]] = {(0,) * len(blocks[0][0]): ()}
    additions = 0
    for rows in blocks:
        additions += len(sums) * len(rows)
        if additions > 50 * most:
            return None
        longer: dict[Row, tuple[Row, ...]] = {}
        for total, chosen in sums.items():
            for row in rows:
                longer.setdefault(add_rows((total, row)), (*chosen, row))
            if len(longer) > most:
                return None
        sums = longer
    return sums


def find_frontier(blocks: Blocks, ratio: Ratio) -> list[Blocks]:
    """List the rows of each block that are the best for some value of the ratio of the whole corpus.

    They are the corners of the upper hull of all sums.  Between two known corners, the best rows are computed at the value where
    both are equally good; if they are better, they are a new corner.

    >>> from errata.ratios import Ratio
    >>> find_frontier([[(0, 1), (1, 2), (2, 8)]], Ratio((1, 0), (0, 1)))
    [[[(2, 8)]], [[(1, 2)]]]
    """
    pairs = [[ratio.of(row) for row in rows] for rows in blocks]

    def best_at(value: _Pair) -> list[_Pair]:
        return [max(block, key=lambda pair: (_gain(pair, value), pair[0], -pair[1])) for block in pairs]

    def between(low: list[_Pair], high: list[_Pair]) -> list[list[_Pair]]:
        above, below = _sum(low), _sum(high)
        value = (above[0] - below[0], above[1] - below[1])
        if value[0] <= 0 or value[1] <= 0:
            return []
        next_corner = best_at(value)
        if _gain(_sum(next_corner), value) <= _gain(above, value):
            return []
        return [*between(low, next_corner), next_corner, *between(next_corner, high)]

    first, last = best_at((0, 1)), best_at((1, 1))
    corners = [first, *between(first, last), last] if first != last else [first]
    return [
        [
            [row for row, pair in zip(rows, block, strict=True) if pair == best]
            for rows, block, best in zip(blocks, pairs, corner, strict=True)
        ]
        for corner in corners
    ]
