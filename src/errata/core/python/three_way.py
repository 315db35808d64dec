"""Exact alignment of source, hypothesis and reference, and the classes of its columns; twin of ``native/three_way.hpp``.

It counts the same cells as the core, but visits fewer of them if two sentences are equal.
"""

from __future__ import annotations

from functools import cached_property
from math import inf
from typing import TYPE_CHECKING, NamedTuple

from errata.core.python.columns import COUNTS_PER_SYSTEM, ColumnCounts, classify
from errata.core.python.cube import Cube, Move
from errata.core.python.limits import MOST_ALIGNED, MOST_ALIGNMENT_WORK, MOST_PAIRS
from errata.core.python.pairwise import INFINITE, Costs, Pairwise, find_range
from errata.core.python.two_equal import align_two

if TYPE_CHECKING:
    from errata.texts import Tokens


class ThreeWayAlignment(NamedTuple):
    """The preferred alignment with one reference."""

    moves: list[Move]
    cost: int
    with_source: int
    """The least cost of aligning source and reference alone, and of hypothesis and reference."""
    with_hypothesis: int
    visited: int
    """The cells of the cube and of two of its sides that the core visits; more than it has, if several bounds were tried."""
    work: int
    """The same, with the cells of the third side once for each bound."""


class _TooMuchWorkError(Exception):
    pass


def count_three_way(  # noqa: PLR0913 - as in the core
    source: Tokens,
    hypothesis: Tokens,
    references: tuple[Tokens, ...],
    gap: int,
    mismatch: int,
    *,
    most_pairs: int = MOST_PAIRS,
    most_aligned: int = MOST_ALIGNED,
    most_work: int = MOST_ALIGNMENT_WORK,
) -> tuple[list[tuple[int, ...]], int]:
    """Count the columns of alignments with references by class, for the hypothesis and the source, while work is left; also the work."""
    three_way = ThreeWay(source, hypothesis, Costs.checked(gap, mismatch), most_pairs, most_aligned)
    rows: list[tuple[int, ...]] = []
    work = 0
    for reference in references:
        aligned = three_way.align(reference, most_work - work)
        if aligned is None:
            break
        work += aligned.work
        rows.append(three_way.classes(aligned, reference))
    return rows, work


def align_three_way(
    source: Tokens,
    hypothesis: Tokens,
    reference: Tokens,
    gap: int,
    mismatch: int,
    *,
    most_pairs: int = MOST_PAIRS,
    most_aligned: int = MOST_ALIGNED,
) -> tuple[list[tuple[bool, bool, bool]], int, int]:
    """Find which of the three have a token in each column of an exact alignment; also the numbers of visited and of all cells."""
    aligned = ThreeWay(source, hypothesis, Costs.checked(gap, mismatch), most_pairs, most_aligned).align(reference)
    assert aligned is not None  # noqa: S101 - its work is not limited
    rows, columns, layers = len(source) + 1, len(hypothesis) + 1, len(reference) + 1
    cells = rows * columns * layers + (rows + columns) * layers
    return [(bool(s), bool(h), bool(r)) for s, h, r in aligned.moves], aligned.visited, cells


def check_pairs(pairs: int, most: int) -> None:
    """Refuse sentences with too many pairs of positions."""
    if pairs > most:
        raise OverflowError(
            "source, hypothesis and reference together are too long to be aligned in a gigabyte of memory; cut the sentence"
        )


class _Effort:
    """The cells visited to align with one reference."""

    def __init__(self, sides: int, third: int, most_aligned: int, most_work: float) -> None:
        self.visited = self.work = sides
        self._third = third
        self._most_aligned = most_aligned
        self._most_work = most_work

    def add(self, cells: int) -> None:
        """Add the cells that a bound allows, or raise if there are too many."""
        self.visited += cells
        self.work += cells + self._third
        if cells > self._most_aligned:
            raise OverflowError(
                "source, hypothesis and reference together are too long and too different to be aligned in seconds; cut the sentence"
            )
        if self.work > self._most_work:
            raise _TooMuchWorkError


class ThreeWay:
    """A source and a hypothesis, to be aligned with any number of references."""

    def __init__(self, source: Tokens, hypothesis: Tokens, costs: Costs, most_pairs: int, most_aligned: int) -> None:
        self._source = source
        self._hypothesis = hypothesis
        self._costs = costs
        self._most_pairs = most_pairs
        self._most_aligned = most_aligned
        self._third = (len(source) + 1) * (len(hypothesis) + 1)
        check_pairs(self._third, most_pairs)

    @cached_property
    def _pairs(self) -> Pairwise:
        return Pairwise(self._source, self._hypothesis, self._costs)

    def align(self, reference: Tokens, most_work: float = inf) -> ThreeWayAlignment | None:
        """Align with a reference; None if it would take more work."""
        if len(self._source) + len(self._hypothesis) + len(reference) >= INFINITE // (4 * self._costs.gap):
            raise OverflowError("the sentences are too long for costs this high")
        sides = (len(self._source) + 1 + len(self._hypothesis) + 1) * (len(reference) + 1)
        check_pairs(self._third + sides, self._most_pairs)
        if sides > most_work:
            return None
        effort = _Effort(sides, self._third, self._most_aligned, most_work)
        try:
            if self._source == self._hypothesis:
                return self._align_equal(reference, effort)
            if reference in (self._source, self._hypothesis):
                return self._align_with_itself(reference, effort)
            return self._align_three(reference, effort)
        except _TooMuchWorkError:
            return None

    def _align_equal(self, reference: Tokens, effort: _Effort) -> ThreeWayAlignment:
        """Align if source and hypothesis are equal."""
        pairs = Pairwise(self._source, reference, self._costs)
        effort.add(sum(last - first for first, last in (find_range(row, pairs.least) for row in pairs.rows)))
        moves = align_two(pairs, self._costs, (1, 1, 0), (0, 0, 1), one_first=True)
        return ThreeWayAlignment(moves, 2 * pairs.least, pairs.least, pairs.least, effort.visited, effort.work)

    def _align_with_itself(self, reference: Tokens, effort: _Effort) -> ThreeWayAlignment:
        """Align if the reference is the source or the hypothesis."""
        least = self._pairs.least
        effort.add(sum(row.count(least) for row in self._pairs.rows))
        if reference == self._source:
            moves = align_two(self._pairs, self._costs, (1, 0, 1), (0, 1, 0), one_first=True)
            return ThreeWayAlignment(moves, 2 * least, 0, least, effort.visited, effort.work)
        moves = align_two(self._pairs, self._costs, (1, 0, 0), (0, 1, 1), one_first=False)
        return ThreeWayAlignment(moves, 2 * least, least, 0, effort.visited, effort.work)

    def _align_three(self, reference: Tokens, effort: _Effort) -> ThreeWayAlignment:
        """Align with a bound that grows until an alignment within it is found."""
        with_source = Pairwise(self._source, reference, self._costs)
        with_hypothesis = Pairwise(self._hypothesis, reference, self._costs)
        cube = Cube((self._source, self._hypothesis, reference), (self._pairs, with_source, with_hypothesis), self._costs)
        least = bound = self._pairs.least + with_source.least + with_hypothesis.least
        while True:
            strips = cube.lay_out(bound)
            effort.add(sum(strip.last - strip.first for strip in strips))
            if cube.fill(strips, bound):
                return ThreeWayAlignment(cube.trace(), cube.cost, with_source.least, with_hypothesis.least, effort.visited, effort.work)
            # The cost of any alignment is a bound, too.
            bound = min(cube.cost, least + max(2 * self._costs.gap, 2 * (bound - least)))

    def classes(self, aligned: ThreeWayAlignment, reference: Tokens) -> ColumnCounts:
        """Count the classes of the columns, for the hypothesis and for the source instead of it."""
        counts = [0] * (2 * COUNTS_PER_SYSTEM)
        tokens = [iter(sentence) for sentence in (self._source, self._hypothesis, reference)]
        for move in aligned.moves:
            classify(counts, *(next(row) if taken else None for row, taken in zip(tokens, move, strict=True)))
        return tuple(counts)
