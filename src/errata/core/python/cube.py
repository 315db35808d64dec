"""The least costs of aligning three sentences, within bounds; the inner part of ``native/three_way.hpp``."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from errata.core.python.pairwise import INFINITE, CostRow, Costs, Pairwise, find_range

if TYPE_CHECKING:
    from errata.texts import Tokens

Move = tuple[int, int, int]
"""A column: which of source, hypothesis and reference have a token."""

MOVES: tuple[Move, ...] = ((1, 1, 1), (1, 1, 0), (1, 0, 1), (0, 1, 1), (1, 0, 0), (0, 1, 0), (0, 0, 1))
"""Columns in the order of preference."""


class Strip(NamedTuple):
    """The reference positions that may be visited for one pair of positions of source and hypothesis."""

    i: int
    j: int
    first: int
    last: int


class Cube:
    """The least costs up to each triple of positions that the bound allows.

    Each pair of positions of source and hypothesis has a list of costs, with a row and a column of lists before the first.
    Every list has one more cost after its last, which is also before its first (``costs[-1]``).
    These borders are infinite, so cells at a side need no special case.
    """

    def __init__(self, sentences: tuple[Tokens, Tokens, Tokens], pairs: tuple[Pairwise, Pairwise, Pairwise], costs: Costs) -> None:
        self._sentences = sentences
        self._pairs = pairs
        self._costs = costs
        self._last = tuple(len(sentence) for sentence in sentences)
        self._width = len(sentences[1]) + 2
        self._nothing = [INFINITE] * (len(sentences[2]) + 2)
        self._best: list[CostRow] = []
        self._pair_source, self._pair_hypothesis = (_pairs(sentence, sentences[2], costs) for sentence in sentences[:2])

    def lay_out(self, bound: int) -> list[Strip]:
        """List the pairs of positions of source and hypothesis, with the reference positions that may be visited."""
        least = [pair.least for pair in self._pairs]
        together, with_source, with_hypothesis = (
            [find_range(row, bound - sum(least) + own) for row in pair.rows] for pair, own in zip(self._pairs, least, strict=True)
        )
        most_together = bound - least[1] - least[2]
        strips = []
        for i, (row, (start, end)) in enumerate(zip(self._pairs[0].rows, together, strict=True)):
            for j in range(start, end):
                if row[j] <= most_together:
                    first = max(with_source[i][0], with_hypothesis[j][0])
                    last = min(with_source[i][1], with_hypothesis[j][1])
                    if first < last:
                        strips.append(Strip(i, j, first, last))
        return strips

    def fill(self, strips: list[Strip], bound: int) -> bool:
        """Compute the least costs, and return whether a whole alignment is within the bound."""
        width, nothing = self._width, self._nothing
        together, with_source, with_hypothesis = (pair.rows for pair in self._pairs)
        gaps = 2 * self._costs.gap
        best = self._best = [nothing] * ((self._last[0] + 2) * width)
        best[0] = [*nothing[:-1], 0]  # before the first cell
        for i, j, first, last in strips:
            index = (i + 1) * width + j + 1
            both, source, hypothesis = best[index - width - 1], best[index - width], best[index - 1]
            here = best[index] = nothing[:]
            paired = self._paired(i, j)
            source_pairs, hypothesis_pairs = self._pair_source[i], self._pair_hypothesis[j]
            left = bound - together[i][j]
            own_source, own_hypothesis = with_source[i], with_hypothesis[j]
            for k in range(first, last):
                if own_source[k] + own_hypothesis[k] > left:
                    continue
                with_source_word, with_hypothesis_word = source_pairs[k], hypothesis_pairs[k]
                here[k] = min(
                    both[k - 1] + paired + with_source_word + with_hypothesis_word,
                    gaps
                    + min(
                        both[k] + paired,
                        source[k - 1] + with_source_word,
                        hypothesis[k - 1] + with_hypothesis_word,
                        source[k],
                        hypothesis[k],
                        here[k - 1],
                    ),
                )
        return self.cost <= bound

    @property
    def cost(self) -> int:
        """The cost of a whole alignment."""
        return self._best[-1][self._last[2]]

    def trace(self) -> list[Move]:
        """List the columns of the preferred alignment."""
        moves = []
        i, j, k = self._last
        while i or j or k:
            cost = self._best[(i + 1) * self._width + j + 1][k]
            s, h, r = next(move for move in MOVES if self._by(move, i, j, k) == cost)
            moves.append((s, h, r))
            i, j, k = i - s, j - h, k - r
        return moves[::-1]

    def _paired(self, i: int, j: int) -> int:
        """Return the cost of pairing the source word before one position with the hypothesis word before another."""
        return self._costs.mismatch if i and j and self._sentences[0][i - 1] != self._sentences[1][j - 1] else 0

    def _by(self, move: Move, i: int, j: int, k: int) -> int:
        s, h, r = move
        if s > i or h > j or r > k:
            return INFINITE
        gap = self._costs.gap
        cost = self._paired(i, j) if s and h else gap * (s or h)
        cost += self._pair_source[i][k] if s and r else gap * (s or r)
        cost += self._pair_hypothesis[j][k] if h and r else gap * (h or r)
        return self._best[(i + 1 - s) * self._width + j + 1 - h][k - r] + cost


def _pairs(sentence: Tokens, reference: Tokens, costs: Costs) -> list[CostRow]:
    """Compute the costs of pairing the words before each position of two sentences; 0 before the first."""
    return [[0] * (len(reference) + 1), *([0, *(0 if token == word else costs.mismatch for token in reference)] for word in sentence)]
