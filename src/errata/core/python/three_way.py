"""Exact alignment of source, hypothesis and reference, and the classes of its columns; twin of ``native/three_way.hpp``.

It visits the same cells as the core, in the same order.
"""

from __future__ import annotations

from typing import NamedTuple

from errata.core.python.limits import MOST_ALIGNED
from errata.core.python.pairwise import INFINITE, Costs, Pairwise, Row, Tokens

_Move = tuple[int, int, int]

MOVES: tuple[_Move, ...] = ((1, 1, 1), (1, 1, 0), (1, 0, 1), (0, 1, 1), (1, 0, 0), (0, 1, 0), (0, 0, 1))
"""Columns in the order of preference: which of source, hypothesis and reference have a token."""


class Aligned(NamedTuple):
    """The preferred alignment with one reference."""

    moves: list[_Move]
    cost: int
    with_source: int
    """The least cost of aligning source and reference alone, and of hypothesis and reference."""
    with_hypothesis: int
    visited: int
    """Cells of the cube and of its sides that were visited; more than there are, where several bounds were tried."""


class _Strip(NamedTuple):
    """For one pair of positions the reference positions that may be visited."""

    i: int
    j: int
    first: int
    last: int


def three_way_counts(
    source: Tokens,
    hypothesis: Tokens,
    references: tuple[Tokens, ...],
    gap: int,
    mismatch: int,
    *,
    most_aligned: int = MOST_ALIGNED,
) -> list[tuple[int, ...]]:
    """For each reference the classes of the columns of an exact alignment, of the hypothesis and of the source in its place."""
    three_way = ThreeWay(source, hypothesis, Costs.checked(gap, mismatch), most_aligned)
    return [three_way.classes(three_way.align(reference), reference) for reference in references]


def three_way_columns(
    source: Tokens,
    hypothesis: Tokens,
    reference: Tokens,
    gap: int,
    mismatch: int,
    *,
    most_aligned: int = MOST_ALIGNED,
) -> tuple[list[tuple[bool, bool, bool]], int, int]:
    """Which of the three have a token in each column of an exact alignment; how many cells were visited, and of how many."""
    aligned = ThreeWay(source, hypothesis, Costs.checked(gap, mismatch), most_aligned).align(reference)
    rows, columns, layers = len(source) + 1, len(hypothesis) + 1, len(reference) + 1
    cells = rows * columns * layers + (rows + columns) * layers
    return [(bool(s), bool(h), bool(r)) for s, h, r in aligned.moves], aligned.visited, cells


class ThreeWay:
    """A source and a hypothesis, to be aligned with any number of references."""

    def __init__(self, source: Tokens, hypothesis: Tokens, costs: Costs, most_aligned: int) -> None:
        self._source = source
        self._hypothesis = hypothesis
        self._costs = costs
        self._most = most_aligned
        self._source_hypothesis = Pairwise(source, hypothesis, costs)

    def align(self, reference: Tokens) -> Aligned:
        """Align with a reference, with a bound that grows until an alignment is found that costs no more."""
        if len(self._source) + len(self._hypothesis) + len(reference) >= INFINITE // (4 * self._costs.gap):
            raise OverflowError("the sentences are too long for costs this high")
        with_source = Pairwise(self._source, reference, self._costs)
        with_hypothesis = Pairwise(self._hypothesis, reference, self._costs)
        cube = _Cube((self._source, self._hypothesis, reference), (self._source_hypothesis, with_source, with_hypothesis), self._costs)
        visited = (len(self._source) + 1 + len(self._hypothesis) + 1) * (len(reference) + 1)
        least = self._source_hypothesis.least + with_source.least + with_hypothesis.least
        slack = 0
        while True:
            strips = cube.lay_out(least + slack, self._most)
            visited += sum(strip.last - strip.first for strip in strips)
            if cube.fill(strips, least + slack):
                return Aligned(cube.trace(), cube.cost, with_source.least, with_hypothesis.least, visited)
            slack = 2 * slack or 2 * self._costs.gap

    def classes(self, aligned: Aligned, reference: Tokens) -> tuple[int, ...]:
        """The classes of the columns, of the hypothesis and of the source in its place."""
        system, unchanged = [0] * 9, [0] * 9
        tokens = [iter(sentence) for sentence in (self._source, self._hypothesis, reference)]
        for move in aligned.moves:
            s, h, r = (next(row) if taken else None for row, taken in zip(tokens, move, strict=True))
            _count(system, s, h, r)
            if s is not None or r is not None:
                _count(unchanged, s, s, r)
        return (*system, *unchanged)


class _Cube:
    """The least costs up to each triple of positions, where the bound allows one.

    Costs are kept in a list for each pair of positions of source and hypothesis, with a row and a column of lists before the first.
    Every list has one more cost behind its last, which is that before its first (``costs[-1]``).
    So a cell at a side needs no care: what would come before it costs an infinite amount.
    """

    def __init__(self, sentences: tuple[Tokens, Tokens, Tokens], pairs: tuple[Pairwise, Pairwise, Pairwise], costs: Costs) -> None:
        self._sentences = sentences
        self._pairs = pairs
        self._costs = costs
        self._last = tuple(len(sentence) for sentence in sentences)
        self._width = len(sentences[1]) + 2
        self._nothing = [INFINITE] * (len(sentences[2]) + 2)
        self._best: list[Row] = []
        self._pair_source, self._pair_hypothesis = (_pairs(sentence, sentences[2], costs) for sentence in sentences[:2])

    def lay_out(self, bound: int, most: int) -> list[_Strip]:
        """All pairs of positions of source and hypothesis with the reference positions that may be visited with them."""
        least = [pair.least for pair in self._pairs]
        together, with_source, with_hypothesis = (
            [_range(row, bound - sum(least) + own) for row in pair.rows] for pair, own in zip(self._pairs, least, strict=True)
        )
        most_together = bound - least[1] - least[2]
        strips = []
        laid_out = 0
        for i, (row, (start, end)) in enumerate(zip(self._pairs[0].rows, together, strict=True)):
            for j in range(start, end):
                if row[j] <= most_together:
                    first = max(with_source[i][0], with_hypothesis[j][0])
                    last = min(with_source[i][1], with_hypothesis[j][1])
                    if first < last:
                        strips.append(_Strip(i, j, first, last))
                        laid_out += last - first
        if laid_out > most:
            raise OverflowError("source, hypothesis and reference together are too long to be aligned in a gigabyte of memory")
        return strips

    def fill(self, strips: list[_Strip], bound: int) -> bool:
        """Find the least costs, and whether those of a whole alignment are within the bound."""
        width, nothing = self._width, self._nothing
        together, with_source, with_hypothesis = (pair.rows for pair in self._pairs)
        gaps = 2 * self._costs.gap
        best = self._best = [nothing] * ((self._last[0] + 2) * width)
        best[0] = [*nothing[:-1], 0]  # before the first cell
        for i, j, first, last in strips:
            place = (i + 1) * width + j + 1
            both, source, hypothesis = best[place - width - 1], best[place - width], best[place - 1]
            here = best[place] = nothing[:]
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

    def trace(self) -> list[_Move]:
        """The columns of the preferred alignment."""
        moves = []
        i, j, k = self._last
        while i or j or k:
            cost = self._best[(i + 1) * self._width + j + 1][k]
            s, h, r = next(move for move in MOVES if self._by(move, i, j, k) == cost)
            moves.append((s, h, r))
            i, j, k = i - s, j - h, k - r
        return moves[::-1]

    def _paired(self, i: int, j: int) -> int:
        """What the source word before one position and the hypothesis word before another cost."""
        return self._costs.mismatch if i and j and self._sentences[0][i - 1] != self._sentences[1][j - 1] else 0

    def _by(self, move: _Move, i: int, j: int, k: int) -> int:
        s, h, r = move
        if s > i or h > j or r > k:
            return INFINITE
        gap = self._costs.gap
        cost = self._paired(i, j) if s and h else gap * (s or h)
        cost += self._pair_source[i][k] if s and r else gap * (s or r)
        cost += self._pair_hypothesis[j][k] if h and r else gap * (h or r)
        return self._best[(i + 1 - s) * self._width + j + 1 - h][k - r] + cost


def _pairs(sentence: Tokens, reference: Tokens, costs: Costs) -> list[Row]:
    """What the words before each position of two sentences cost together; 0 before the first."""
    return [[0] * (len(reference) + 1), *([0, *(0 if token == word else costs.mismatch for token in reference)] for word in sentence)]


def _range(row: Row, most: int) -> tuple[int, int]:
    """From the first position to behind the last that costs no more."""
    places = [place for place, cost in enumerate(row) if cost <= most]
    return (places[0], places[-1] + 1) if places else (0, 0)


def _count(counts: list[int], source: str | None, hypothesis: str | None, reference: str | None) -> None:
    """Table 6 of the paper: tp tn fp fn of detection, tp tn fp fn fpn of correction."""
    if source == hypothesis == reference:
        classes = (1, 5)
    elif source == hypothesis:
        classes = (3, 7)
    elif source == reference:
        classes = (2, 6)
    elif hypothesis == reference:
        classes = (0, 4)
    else:
        for place in (0, 6, 7, 8):
            counts[place] += 1
        return
    for place in classes:
        counts[place] += 1
