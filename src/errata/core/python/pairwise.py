"""The least cost of aligning two sentences through every pair of positions; twin of ``native/pairwise.hpp``."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from errata.texts import Tokens

CostRow = list[int]
"""A cost for every position of a sentence."""

INFINITE = 1 << 29
_HIGHEST_GAP = 1000


class Costs(NamedTuple):
    """The costs of a gap and of two different tokens."""

    gap: int
    mismatch: int

    @classmethod
    def checked(cls, gap: int, mismatch: int) -> Costs:
        """Make costs, or raise if they are not allowed."""
        if not (2 * gap > mismatch > gap > 0 and gap <= _HIGHEST_GAP):
            message = "costs must satisfy 2 * gap > mismatch > gap > 0"
            raise ValueError(message)
        return cls(gap, mismatch)


class Pairwise:
    """The least cost of aligning two sentences through position i of the first and j of the second: ``rows[i][j]``."""

    def __init__(self, one: Tokens, other: Tokens, costs: Costs) -> None:
        self.one = one
        self.other = other
        self.forwards = _rows(one, other, costs)
        """The least cost of aligning their beginnings."""
        backwards = _rows(one[::-1], other[::-1], costs)
        self.rows = [
            [cost + rest for cost, rest in zip(row, reversed(rest_row), strict=True)]
            for row, rest_row in zip(self.forwards, reversed(backwards), strict=True)
        ]
        self.least = self.rows[0][0]


def _rows(one: Tokens, other: Tokens, costs: Costs) -> list[CostRow]:
    rows = [make_first_row(len(other), costs)]
    for word in one:
        rows.append(make_next_row(rows[-1], other, word, costs))
    return rows


def make_first_row(length: int, costs: Costs) -> CostRow:
    """Compute the costs of gaps for the beginning of a sentence."""
    return [costs.gap * position for position in range(length + 1)]


def make_next_row(row: CostRow, sentence: Sequence[str], word: str, costs: Costs) -> CostRow:
    """Compute the least costs of aligning up to each position of a sentence, after one more word of another sentence."""
    gap, mismatch = costs
    before = iter(row)
    corner = next(before)
    left = corner + gap
    result = [left]
    for token, above in zip(sentence, before, strict=True):
        paired = corner if token == word else corner + mismatch
        alone = (above if above < left else left) + gap  # noqa: FURB136 - half the time of min
        left = paired if paired < alone else alone  # noqa: FURB136
        result.append(left)
        corner = above
    return result


def find_range(row: CostRow, most: int) -> tuple[int, int]:
    """Find the range of positions that cost at most ``most``."""
    indices = [index for index, cost in enumerate(row) if cost <= most]
    return (indices[0], indices[-1] + 1) if indices else (0, 0)
