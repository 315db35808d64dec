"""Exact alignment of source, hypothesis and reference, and the classes of its columns; twin of ``native/three_way.hpp``.

It counts the same cells as the core, but visits fewer of them if two sentences are equal.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from errata.core.python.cube import Cube, Move
from errata.core.python.limits import MOST_ALIGNED
from errata.core.python.pairwise import INFINITE, Costs, Pairwise, find_range
from errata.core.python.two_equal import align_two

if TYPE_CHECKING:
    from errata.corpus import Tokens


class ThreeWayAlignment(NamedTuple):
    """The preferred alignment with one reference."""

    moves: list[Move]
    cost: int
    with_source: int
    """The least cost of aligning source and reference alone, and of hypothesis and reference."""
    with_hypothesis: int
    visited: int
    """The cells of the cube and of its sides that the core visits; more than it has, if several bounds were tried."""


def count_three_way(
    source: Tokens,
    hypothesis: Tokens,
    references: tuple[Tokens, ...],
    gap: int,
    mismatch: int,
    *,
    most_aligned: int = MOST_ALIGNED,
) -> list[tuple[int, ...]]:
    """Count the classes of the columns of an exact alignment with each reference, for the hypothesis and for the source instead of it."""
    three_way = ThreeWay(source, hypothesis, Costs.checked(gap, mismatch), most_aligned)
    return [three_way.classes(three_way.align(reference), reference) for reference in references]


def align_three_way(
    source: Tokens,
    hypothesis: Tokens,
    reference: Tokens,
    gap: int,
    mismatch: int,
    *,
    most_aligned: int = MOST_ALIGNED,
) -> tuple[list[tuple[bool, bool, bool]], int, int]:
    """Find which of the three have a token in each column of an exact alignment; also the numbers of visited and of all cells."""
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

    @cached_property
    def _pairs(self) -> Pairwise:
        return Pairwise(self._source, self._hypothesis, self._costs)

    def align(self, reference: Tokens) -> ThreeWayAlignment:
        """Align with a reference."""
        if len(self._source) + len(self._hypothesis) + len(reference) >= INFINITE // (4 * self._costs.gap):
            raise OverflowError("the sentences are too long for costs this high")
        if self._source == self._hypothesis:
            pairs = Pairwise(self._source, reference, self._costs)
            moves = align_two(pairs, self._costs, (1, 1, 0), (0, 0, 1), one_first=True)
            visited = self._checked(sum(last - first for first, last in (find_range(row, pairs.least) for row in pairs.rows)))
            return ThreeWayAlignment(moves, 2 * pairs.least, pairs.least, pairs.least, visited + self._sides(reference))
        if reference in (self._source, self._hypothesis):
            return self._align_with_itself(reference)
        return self._align_three(reference)

    def _align_with_itself(self, reference: Tokens) -> ThreeWayAlignment:
        """Align if the reference is the source or the hypothesis."""
        least = self._pairs.least
        visited = self._checked(sum(row.count(least) for row in self._pairs.rows)) + self._sides(reference)
        if reference == self._source:
            return ThreeWayAlignment(
                align_two(self._pairs, self._costs, (1, 0, 1), (0, 1, 0), one_first=True), 2 * least, 0, least, visited
            )
        return ThreeWayAlignment(align_two(self._pairs, self._costs, (1, 0, 0), (0, 1, 1), one_first=False), 2 * least, least, 0, visited)

    def _align_three(self, reference: Tokens) -> ThreeWayAlignment:
        """Align with a bound that grows until an alignment within it is found."""
        with_source = Pairwise(self._source, reference, self._costs)
        with_hypothesis = Pairwise(self._hypothesis, reference, self._costs)
        cube = Cube((self._source, self._hypothesis, reference), (self._pairs, with_source, with_hypothesis), self._costs)
        least = self._pairs.least + with_source.least + with_hypothesis.least
        visited = self._sides(reference)
        slack = 0
        while True:
            strips = cube.lay_out(least + slack)
            visited += self._checked(sum(strip.last - strip.first for strip in strips))
            if cube.fill(strips, least + slack):
                return ThreeWayAlignment(cube.trace(), cube.cost, with_source.least, with_hypothesis.least, visited)
            slack = 2 * slack or 2 * self._costs.gap

    def _checked(self, cells: int) -> int:
        """Return the number of cells, or raise if there are too many."""
        if cells > self._most:
            raise OverflowError("source, hypothesis and reference together are too long to be aligned in a gigabyte of memory")
        return cells

    def _sides(self, reference: Tokens) -> int:
        """Count the cells of two sides of the cube, which hold the bounds."""
        return (len(self._source) + 1 + len(self._hypothesis) + 1) * (len(reference) + 1)

    def classes(self, aligned: ThreeWayAlignment, reference: Tokens) -> tuple[int, ...]:
        """Count the classes of the columns, for the hypothesis and for the source instead of it."""
        system, unchanged = [0] * 9, [0] * 9
        tokens = [iter(sentence) for sentence in (self._source, self._hypothesis, reference)]
        for move in aligned.moves:
            s, h, r = (next(row) if taken else None for row, taken in zip(tokens, move, strict=True))
            _count(system, s, h, r)
            if s is not None or r is not None:
                _count(unchanged, s, s, r)
        return (*system, *unchanged)


def _count(counts: list[int], source: str | None, hypothesis: str | None, reference: str | None) -> None:
    """Count a column by Table 6 of the paper: tp tn fp fn of detection, tp tn fp fn fpn of correction."""
    if source == hypothesis == reference:
        classes = (1, 5)
    elif source == hypothesis:
        classes = (3, 7)
    elif source == reference:
        classes = (2, 6)
    elif hypothesis == reference:
        classes = (0, 4)
    else:
        for index in (0, 6, 7, 8):
            counts[index] += 1
        return
    for index in classes:
        counts[index] += 1
