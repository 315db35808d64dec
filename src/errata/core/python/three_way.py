"""Exact alignment of source, hypothesis and reference, in plain Python; twin of ``native/three_way.hpp`` and ``native/columns.hpp``."""

from __future__ import annotations

from functools import cached_property
from math import inf
from operator import add as plus
from operator import sub
from typing import TYPE_CHECKING, NamedTuple

from errata.core.limits import MOST_ALIGNED, MOST_ALIGNMENT_WORK, MOST_PAIRS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from errata.corpus.texts import Tokens


# --- The classes of the columns of an alignment (Felice and Briscoe 2015, Table 6); part of ``native/three_way.hpp``.

ColumnCounts = tuple[int, ...]
"""Detection: tp tn fp fn.  Correction: tp tn fp fn fpn.  Then the same nine for the source instead of the hypothesis."""

COUNTS_PER_SYSTEM = 9


def classify(counts: list[int], source: str | None, hypothesis: str | None, reference: str | None) -> None:
    """Count a column, for the hypothesis and for the source instead of it."""
    _count(counts, 0, source, hypothesis, reference)
    if source is not None or reference is not None:
        _count(counts, COUNTS_PER_SYSTEM, source, source, reference)


def add(one: ColumnCounts, other: ColumnCounts) -> ColumnCounts:
    """Add counts."""
    return tuple(map(plus, one, other))


def subtract(one: ColumnCounts, other: ColumnCounts) -> ColumnCounts:
    """Subtract counts."""
    return tuple(map(sub, one, other))


def _count(counts: list[int], shift: int, source: str | None, hypothesis: str | None, reference: str | None) -> None:
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
            counts[shift + index] += 1
        return
    for index in classes:
        counts[shift + index] += 1


# --- The least costs of aligning three sentences, within bounds; the inner part of ``native/three_way.hpp``.

_Move = tuple[int, int, int]
"""A column: which of source, hypothesis and reference have a token."""

MOVES: tuple[_Move, ...] = ((1, 1, 1), (1, 1, 0), (1, 0, 1), (0, 1, 1), (1, 0, 0), (0, 1, 0), (0, 0, 1))
"""Columns in the order of preference."""


class _Strip(NamedTuple):
    """The reference positions that may be visited for one pair of positions of source and hypothesis."""

    i: int
    j: int
    first: int
    last: int


class _Cube:
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

    def lay_out(self, bound: int) -> list[_Strip]:
        """List the pairs of positions of source and hypothesis, with the reference positions that may be visited."""
        least = [pair.least for pair in self._pairs]
        together, with_source, with_hypothesis = (
            [_find_range(row, bound - sum(least) + own) for row in pair.rows] for pair, own in zip(self._pairs, least, strict=True)
        )
        most_together = bound - least[1] - least[2]
        strips = []
        for i, (row, (start, end)) in enumerate(zip(self._pairs[0].rows, together, strict=True)):
            for j in range(start, end):
                if row[j] <= most_together:
                    first = max(with_source[i][0], with_hypothesis[j][0])
                    last = min(with_source[i][1], with_hypothesis[j][1])
                    if first < last:
                        strips.append(_Strip(i, j, first, last))
        return strips

    def fill(self, strips: list[_Strip], bound: int) -> bool:
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

    def trace(self) -> list[_Move]:
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

    def _by(self, move: _Move, i: int, j: int, k: int) -> int:
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


# --- The least cost of aligning two sentences through every pair of positions; twin of ``native/pairwise.hpp``.

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


def _find_range(row: CostRow, most: int) -> tuple[int, int]:
    """Find the range of positions that cost at most ``most``."""
    indices = [index for index, cost in enumerate(row) if cost <= most]
    return (indices[0], indices[-1] + 1) if indices else (0, 0)


# --- The three-way alignment if two of the three sentences are equal, which is an alignment of two.
#
# No alignment costs less than the sum of its three cheapest pairs.
# If the two equal sentences are aligned token by token, the cheapest alignment with the third reaches this sum.
# So every cheapest alignment aligns them token by token, and the preferred one is found as for two sentences.


def _align_two(pairs: Pairwise, costs: Costs, one_alone: _Move, other_alone: _Move, *, one_first: bool) -> list[_Move]:
    """Find the columns of the preferred alignment; ``one_alone`` and ``other_alone`` are the columns with a gap."""
    forwards = pairs.forwards
    moves: list[_Move] = []
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


# --- Exact alignment of source, hypothesis and reference, and the classes of its columns; twin of ``native/three_way.hpp``.
#
# It counts the same cells as the core, but visits fewer of them if two sentences are equal.


class _ThreeWayAlignment(NamedTuple):
    """The preferred alignment with one reference."""

    moves: list[_Move]
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

    def align(self, reference: Tokens, most_work: float = inf) -> _ThreeWayAlignment | None:
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

    def _align_equal(self, reference: Tokens, effort: _Effort) -> _ThreeWayAlignment:
        """Align if source and hypothesis are equal."""
        pairs = Pairwise(self._source, reference, self._costs)
        effort.add(sum(last - first for first, last in (_find_range(row, pairs.least) for row in pairs.rows)))
        moves = _align_two(pairs, self._costs, (1, 1, 0), (0, 0, 1), one_first=True)
        return _ThreeWayAlignment(moves, 2 * pairs.least, pairs.least, pairs.least, effort.visited, effort.work)

    def _align_with_itself(self, reference: Tokens, effort: _Effort) -> _ThreeWayAlignment:
        """Align if the reference is the source or the hypothesis."""
        least = self._pairs.least
        effort.add(sum(row.count(least) for row in self._pairs.rows))
        if reference == self._source:
            moves = _align_two(self._pairs, self._costs, (1, 0, 1), (0, 1, 0), one_first=True)
            return _ThreeWayAlignment(moves, 2 * least, 0, least, effort.visited, effort.work)
        moves = _align_two(self._pairs, self._costs, (1, 0, 0), (0, 1, 1), one_first=False)
        return _ThreeWayAlignment(moves, 2 * least, least, 0, effort.visited, effort.work)

    def _align_three(self, reference: Tokens, effort: _Effort) -> _ThreeWayAlignment:
        """Align with a bound that grows until an alignment within it is found."""
        with_source = Pairwise(self._source, reference, self._costs)
        with_hypothesis = Pairwise(self._hypothesis, reference, self._costs)
        cube = _Cube((self._source, self._hypothesis, reference), (self._pairs, with_source, with_hypothesis), self._costs)
        least = bound = self._pairs.least + with_source.least + with_hypothesis.least
        while True:
            strips = cube.lay_out(bound)
            effort.add(sum(strip.last - strip.first for strip in strips))
            if cube.fill(strips, bound):
                return _ThreeWayAlignment(cube.trace(), cube.cost, with_source.least, with_hypothesis.least, effort.visited, effort.work)
            # The cost of any alignment is a bound, too.
            bound = min(cube.cost, least + max(2 * self._costs.gap, 2 * (bound - least)))

    def classes(self, aligned: _ThreeWayAlignment, reference: Tokens) -> ColumnCounts:
        """Count the classes of the columns, for the hypothesis and for the source instead of it."""
        counts = [0] * (2 * COUNTS_PER_SYSTEM)
        tokens = [iter(sentence) for sentence in (self._source, self._hypothesis, reference)]
        for move in aligned.moves:
            classify(counts, *(next(row) if taken else None for row, taken in zip(tokens, move, strict=True)))
        return tuple(counts)
