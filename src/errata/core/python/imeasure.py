"""What I-measure counts, in plain Python: the classes of the columns of exact alignments of a source, a hypothesis and references.

A reference is aligned alone (twin of ``native/three_way.hpp`` and ``native/columns.hpp``), or all mixtures of the corrections of a
sentence are aligned together, without listing them (twin of the binding of I-measure).
"""

from __future__ import annotations

from functools import cached_property
from itertools import accumulate, pairwise, product, takewhile
from math import inf
from operator import add, mul, sub
from typing import TYPE_CHECKING, NamedTuple

from errata.core.limits import (
    MOST_ALIGNED,
    MOST_ALIGNMENT_WORK,
    MOST_BEGINNINGS,
    MOST_BOUNDS,
    MOST_CELLS,
    MOST_PAIRS,
    name_sentence,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from errata.corpus.texts import Tokens


# The least cost of aligning two sentences through every pair of positions; twin of ``native/pairwise.hpp``.

_CostRow = list[int]
"""A cost for every position of a sentence."""

_INFINITE = 1 << 29
_HIGHEST_GAP = 1000


class _Costs(NamedTuple):
    """The costs of a gap and of two different tokens."""

    gap: int
    mismatch: int

    @classmethod
    def checked(cls, gap: int, mismatch: int) -> _Costs:
        """Make costs, or raise if they are not allowed."""
        if not (2 * gap > mismatch > gap > 0 and gap <= _HIGHEST_GAP):
            message = "costs must satisfy 2 * gap > mismatch > gap > 0"
            raise ValueError(message)
        return cls(gap, mismatch)


class _Pairwise:
    """The least cost of aligning two sentences through position i of the first and j of the second: ``rows[i][j]``."""

    def __init__(self, one: Tokens, other: Tokens, costs: _Costs) -> None:
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


def _rows(one: Tokens, other: Tokens, costs: _Costs) -> list[_CostRow]:
    rows = [_make_first_row(len(other), costs)]
    for word in one:
        rows.append(_make_next_row(rows[-1], other, word, costs))
    return rows


def _make_first_row(length: int, costs: _Costs) -> _CostRow:
    """Compute the costs of gaps for the beginning of a sentence."""
    return [costs.gap * position for position in range(length + 1)]


def _make_next_row(row: _CostRow, sentence: Sequence[str], word: str, costs: _Costs) -> _CostRow:
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


def _find_range(row: _CostRow, most: int) -> tuple[int, int]:
    """Find the range of positions that cost at most ``most``."""
    indices = [index for index, cost in enumerate(row) if cost <= most]
    return (indices[0], indices[-1] + 1) if indices else (0, 0)


# The classes of the columns of an alignment (Felice and Briscoe 2015, Table 6); part of ``native/three_way.hpp``.

_ColumnCounts = tuple[int, ...]
"""Detection: tp tn fp fn.  Correction: tp tn fp fn fpn.  Then the same nine for the source instead of the hypothesis."""

_COUNTS_PER_SYSTEM = 9


def _classify(counts: list[int], source: str | None, hypothesis: str | None, reference: str | None) -> None:
    """Count a column, for the hypothesis and for the source instead of it."""
    _count(counts, 0, source, hypothesis, reference)
    if source is not None or reference is not None:
        _count(counts, _COUNTS_PER_SYSTEM, source, source, reference)


def _add(one: _ColumnCounts, other: _ColumnCounts) -> _ColumnCounts:
    return tuple(map(add, one, other))


def _subtract(one: _ColumnCounts, other: _ColumnCounts) -> _ColumnCounts:
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


# The least costs of aligning three sentences, within bounds; the inner part of ``native/three_way.hpp``.

_Move = tuple[int, int, int]
"""A column: which of source, hypothesis and reference have a token."""

_MOVES: tuple[_Move, ...] = ((1, 1, 1), (1, 1, 0), (1, 0, 1), (0, 1, 1), (1, 0, 0), (0, 1, 0), (0, 0, 1))
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

    def __init__(self, sentences: tuple[Tokens, Tokens, Tokens], pairs: tuple[_Pairwise, _Pairwise, _Pairwise], costs: _Costs) -> None:
        self._sentences = sentences
        self._pairs = pairs
        self._costs = costs
        self._last = tuple(len(sentence) for sentence in sentences)
        self._width = len(sentences[1]) + 2
        self._nothing = [_INFINITE] * (len(sentences[2]) + 2)
        self._best: list[_CostRow] = []
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
            s, h, r = next(move for move in _MOVES if self._by(move, i, j, k) == cost)
            moves.append((s, h, r))
            i, j, k = i - s, j - h, k - r
        return moves[::-1]

    def _paired(self, i: int, j: int) -> int:
        """Return the cost of pairing the source word before one position with the hypothesis word before another."""
        return self._costs.mismatch if i and j and self._sentences[0][i - 1] != self._sentences[1][j - 1] else 0

    def _by(self, move: _Move, i: int, j: int, k: int) -> int:
        s, h, r = move
        if s > i or h > j or r > k:
            return _INFINITE
        gap = self._costs.gap
        cost = self._paired(i, j) if s and h else gap * (s or h)
        cost += self._pair_source[i][k] if s and r else gap * (s or r)
        cost += self._pair_hypothesis[j][k] if h and r else gap * (h or r)
        return self._best[(i + 1 - s) * self._width + j + 1 - h][k - r] + cost


def _pairs(sentence: Tokens, reference: Tokens, costs: _Costs) -> list[_CostRow]:
    """Compute the costs of pairing the words before each position of two sentences; 0 before the first."""
    return [[0] * (len(reference) + 1), *([0, *(0 if token == word else costs.mismatch for token in reference)] for word in sentence)]


# The three-way alignment if two of the three sentences are equal, which is an alignment of two.
# No alignment costs less than the sum of its three cheapest pairs.
# If the two equal sentences are aligned token by token, the cheapest alignment with the third reaches this sum.
# So every cheapest alignment aligns them token by token, and the preferred one is found as for two sentences.
def _align_two(pairs: _Pairwise, costs: _Costs, one_alone: _Move, other_alone: _Move, *, one_first: bool) -> list[_Move]:
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
    three_way = _ThreeWay(source, hypothesis, _Costs.checked(gap, mismatch), most_pairs, most_aligned)
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
    aligned = _ThreeWay(source, hypothesis, _Costs.checked(gap, mismatch), most_pairs, most_aligned).align(reference)
    assert aligned is not None  # noqa: S101 - its work is not limited
    rows, columns, layers = len(source) + 1, len(hypothesis) + 1, len(reference) + 1
    cells = rows * columns * layers + (rows + columns) * layers
    return [(bool(s), bool(h), bool(r)) for s, h, r in aligned.moves], aligned.visited, cells


def _check_pairs(pairs: int, most: int) -> None:
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


class _ThreeWay:
    """A source and a hypothesis, to be aligned with any number of references."""

    def __init__(self, source: Tokens, hypothesis: Tokens, costs: _Costs, most_pairs: int, most_aligned: int) -> None:
        self._source = source
        self._hypothesis = hypothesis
        self._costs = costs
        self._most_pairs = most_pairs
        self._most_aligned = most_aligned
        self._third = (len(source) + 1) * (len(hypothesis) + 1)
        _check_pairs(self._third, most_pairs)

    @cached_property
    def _pairs(self) -> _Pairwise:
        return _Pairwise(self._source, self._hypothesis, self._costs)

    def align(self, reference: Tokens, most_work: float = inf) -> _ThreeWayAlignment | None:
        """Align with a reference; None if it would take more work."""
        if len(self._source) + len(self._hypothesis) + len(reference) >= _INFINITE // (4 * self._costs.gap):
            raise OverflowError("the sentences are too long for costs this high")
        sides = (len(self._source) + 1 + len(self._hypothesis) + 1) * (len(reference) + 1)
        _check_pairs(self._third + sides, self._most_pairs)
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
        pairs = _Pairwise(self._source, reference, self._costs)
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
        with_source = _Pairwise(self._source, reference, self._costs)
        with_hypothesis = _Pairwise(self._hypothesis, reference, self._costs)
        cube = _Cube((self._source, self._hypothesis, reference), (self._pairs, with_source, with_hypothesis), self._costs)
        least = bound = self._pairs.least + with_source.least + with_hypothesis.least
        while True:
            strips = cube.lay_out(bound)
            effort.add(sum(strip.last - strip.first for strip in strips))
            if cube.fill(strips, bound):
                return _ThreeWayAlignment(cube.trace(), cube.cost, with_source.least, with_hypothesis.least, effort.visited, effort.work)
            # The cost of any alignment is a bound, too.
            bound = min(cube.cost, least + max(2 * self._costs.gap, 2 * (bound - least)))

    def classes(self, aligned: _ThreeWayAlignment, reference: Tokens) -> _ColumnCounts:
        """Count the classes of the columns, for the hypothesis and for the source instead of it."""
        counts = [0] * (2 * _COUNTS_PER_SYSTEM)
        tokens = [iter(sentence) for sentence in (self._source, self._hypothesis, reference)]
        for move in aligned.moves:
            _classify(counts, *(next(row) if taken else None for row, taken in zip(tokens, move, strict=True)))
        return tuple(counts)


# A point between every two sites of a sentence, where alignments of all references probably meet; twin of ``native/anchors.hpp``.
class _Anchor(NamedTuple):
    """A point after p tokens of the source and q of the hypothesis."""

    p: int
    q: int


def _place_anchors(pairs: _Pairwise, gaps: Sequence[tuple[int, int]], costs: _Costs) -> list[_Anchor]:
    """Find in each gap, from one position of the source to another, the point of an alignment with the most equal words around it.

    The points at both ends of the sentence are added.
    """
    source, hypothesis = pairs.one, pairs.other
    path = _trace(pairs, costs)
    anchors = [_Anchor(0, 0)]
    for start, end in gaps:
        best, most = _Anchor(0, 0), (-1, -1)
        for p, q in path:
            if start <= p <= end:
                before = _run((source[p - 1 - k], hypothesis[q - 1 - k]) for k in range(min(p - start, q)))
                after = _run((source[p + k], hypothesis[q + k]) for k in range(min(end - p, len(hypothesis) - q)))
                if (min(before, after), before + after) > most:
                    best, most = _Anchor(p, q), (min(before, after), before + after)
        anchors.append(best)
    return [*anchors, _Anchor(len(source), len(hypothesis))]


def _trace(pairs: _Pairwise, costs: _Costs) -> list[_Anchor]:
    """List the points of an optimal alignment."""
    forwards = pairs.forwards
    i, j = len(pairs.one), len(pairs.other)
    path = [_Anchor(i, j)]
    while i or j:
        cost = forwards[i][j]
        if i and j and forwards[i - 1][j - 1] + (0 if pairs.one[i - 1] == pairs.other[j - 1] else costs.mismatch) == cost:
            i, j = i - 1, j - 1
        elif i and forwards[i - 1][j] + costs.gap == cost:
            i -= 1
        else:
            j -= 1
        path.append(_Anchor(i, j))
    return path[::-1]


def _run(pairs: Iterable[tuple[str, str]]) -> int:
    """Count the equal pairs before the first that differs."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


# The graph of all references of a sentence, and bounds in it; twin of ``native/reference_graph.hpp``.
class _Branch(NamedTuple):
    """One text that a reference may have in a block."""

    words: Tokens
    three_way: int
    """The least costs inside the block: of all three sentences, of source and reference, of hypothesis and reference."""
    with_source: int
    with_hypothesis: int


_ReferenceGraph = list[list[_Branch]]
"""The branches of each block."""


class _GraphBounds(NamedTuple):
    """The least reduced cost of aligning a sentence with any reference, through a position of both."""

    cuts: list[_CostRow]
    """At each cut, for each position of the sentence."""
    inside: list[list[list[_CostRow]]]
    """Inside each branch of each block, after each of its words but the last."""

    @property
    def least(self) -> int:
        return min(self.cuts[0])

    def reverse(self) -> _GraphBounds:
        """Make the bounds for reversed sentences."""
        cuts = [row[::-1] for row in reversed(self.cuts)]
        inside = [[[row[::-1] for row in reversed(rows)] for rows in branches] for branches in reversed(self.inside)]
        return _GraphBounds(cuts, inside)


def _compute_bounds(sentence: Tokens, graph: _ReferenceGraph, leasts: list[list[int]], costs: _Costs) -> _GraphBounds:
    """Compute the bounds of a sentence; ``leasts`` are the least costs of aligning each branch with its part of the sentence."""
    forwards = _forwards(sentence, graph, leasts, costs)
    backward_graph = [[branch._replace(words=branch.words[::-1]) for branch in branches] for branches in reversed(graph)]
    backwards = _forwards(sentence[::-1], backward_graph, leasts[::-1], costs).reverse()
    # Forwards, the least cost of a branch is subtracted after it, backwards before it; inside it, once.
    inside = [
        [
            [_sum(row, rest, -least) for row, rest in zip(rows, rest_rows, strict=True)]
            for rows, rest_rows, least in zip(branches, rest_branches, own, strict=True)
        ]
        for branches, rest_branches, own in zip(forwards.inside, backwards.inside, leasts, strict=True)
    ]
    return _GraphBounds([_sum(row, rest) for row, rest in zip(forwards.cuts, backwards.cuts, strict=True)], inside)


def _forwards(sentence: Tokens, graph: _ReferenceGraph, leasts: list[list[int]], costs: _Costs) -> _GraphBounds:
    cuts = [_make_first_row(len(sentence), costs)]
    inside = []
    for branches, own in zip(graph, leasts, strict=True):
        cut = [_INFINITE] * (len(sentence) + 1)
        rows_of = []
        for branch, least in zip(branches, own, strict=True):
            rows = [cuts[-1]]
            for word in branch.words:
                rows.append(_make_next_row(rows[-1], sentence, word, costs))
            cut = [min(cost, other - least) for cost, other in zip(cut, rows[-1], strict=True)]
            rows_of.append(rows[1:-1])
        cuts.append(cut)
        inside.append(rows_of)
    return _GraphBounds(cuts, inside)


def _sum(row: _CostRow, other: _CostRow, more: int = 0) -> _CostRow:
    return [one + two + more for one, two in zip(row, other, strict=True)]


# Beginnings of references, in classes that any rest of a reference continues in the same way; twin of ``native/beginnings.hpp``.

_Cell = tuple[int, int]
_CELLS_FOR_MEMORY = 64
"""A stored cell or step counts like so many visited ones."""


class _Class(NamedTuple):
    """The cells at an anchor that an optimal alignment may leave by a token of the reference.

    _Costs and counts are those of the first cell more.
    """

    cells: dict[_Cell, tuple[int, _ColumnCounts]]
    at_anchor: int
    """The cost at the anchor."""

    @property
    def key(self) -> tuple[tuple[_Cell, tuple[int, _ColumnCounts]], ...]:
        """What all beginnings of the class have in common."""
        return tuple(self.cells.items())


class _Step(NamedTuple):
    """What a variant of a site adds to a beginning: the class of the longer beginning, and counts."""

    to: int
    counts: _ColumnCounts


class _Reached(NamedTuple):
    """The cells of a layer that are reached, with their cost and the column that ends there (none in the first layer)."""

    cells: dict[_Cell, tuple[int, int]]
    rows: tuple[int, int]
    columns: tuple[int, int]


class _Beginnings:
    """Classes of beginnings at each anchor.

    Beginnings of a class differ by a constant cost and by constant counts, in all cells of an optimal alignment with any rest.
    So the preferred alignment of the rest is the same.
    """

    def __init__(self, references: _AnchoredReferences, completions: _Completions, budget: _Budget, counted: int) -> None:
        """``counted`` is how many of the counts matter."""
        self._source, self._hypothesis, self._graph, self._anchors, self._costs = references
        self._completions = completions
        self._budget = budget
        self._counted = counted
        self.steps: list[list[list[_Step]]] = []
        """For each site, class and variant; the first class is the only one at the first anchor, and so is that at the last."""
        start = self._reach(_Reached({}, (0, 0), (0, 0)), completions.at_anchors[0], None, 0)
        first, self.counts = self._classify([start], _Class({}, 0), 0, ())
        """The counts of the columns before the first site can matter."""
        classes = [first]
        for site, branches in enumerate(self._graph):
            found: dict[tuple[tuple[_Cell, tuple[int, _ColumnCounts]], ...], int] = {}
            following: list[_Class] = []
            steps = []
            for one in classes:
                own = []
                for choice in range(len(branches)):
                    longer, counts = self._extend(one, site, choice)
                    number = found.setdefault(longer.key, len(following))
                    if number == len(following):
                        following.append(longer)
                    own.append(_Step(number, counts))
                steps.append(own)
            self.steps.append(steps)
            classes = following

    def _extend(self, start: _Class, site: int, choice: int) -> tuple[_Class, _ColumnCounts]:
        """Take a variant of a site."""
        branch, inside = self._graph[site][choice], self._completions.inside[site][choice]
        rows = [i for i, _ in start.cells]
        columns = [j for _, j in start.cells]
        first = _Reached(
            {cell: (cost, 0) for cell, (cost, _) in start.cells.items()}, (rows[0], rows[-1] + 1), (min(columns), max(columns) + 1)
        )
        layers = [first]
        for number, word in enumerate(branch.words, start=1):
            if number < len(branch.words):
                layers.append(self._reach(layers[-1], inside[number - 1], word, start.at_anchor))
            else:
                bounds = self._completions.at_anchors[site + 1]
                layers.append(self._reach(layers[-1], bounds, word, start.at_anchor + branch.three_way))
        return self._classify(layers, start, site + 1, branch.words)

    def _reach(self, before: _Reached, bounds: _Layer, word: str | None, most: int) -> _Reached:
        """Compute the cells of the next layer from which an alignment can be completed at a cost of at most ``most``.

        Without a word, the layer is the first.
        """
        source, hypothesis, (gap, mismatch) = self._source, self._hypothesis, self._costs
        cells: dict[_Cell, tuple[int, int]] = {}
        old = before.cells
        nowhere = (_INFINITE, 0)
        first_column = max(before.columns[0], bounds.first_column)
        left_end, right_end = bounds.first_column + bounds.width, 0
        row_start, row_end = _INFINITE, 0
        above_end = visited = 0
        for i in range(max(before.rows[0], bounds.first_row), bounds.first_row + len(bounds.costs)):
            if i > max(before.rows[1], row_end):
                break
            completion = bounds.costs[i - bounds.first_row]
            source_word = source[i - 1] if i else None
            pair = 0 if source_word == word else mismatch
            here_end = 0
            for j in range(first_column, bounds.first_column + bounds.width):
                if j > max(before.columns[1], above_end, here_end):
                    break
                visited += 1
                hypothesis_word = hypothesis[j - 1] if j else None
                with_hypothesis = 0 if hypothesis_word == word else mismatch
                together = 0 if source_word == hypothesis_word else mismatch
                up, left, corner = (i - 1, j), (i, j - 1), (i - 1, j - 1)
                best = min(
                    (old.get(corner, nowhere)[0] + together + pair + with_hypothesis, 0),
                    (cells.get(corner, nowhere)[0] + together + 2 * gap, 1),
                    (old.get(up, nowhere)[0] + pair + 2 * gap, 2),
                    (old.get(left, nowhere)[0] + with_hypothesis + 2 * gap, 3),
                    (cells.get(up, nowhere)[0] + 2 * gap, 4),
                    (cells.get(left, nowhere)[0] + 2 * gap, 5),
                    (old.get((i, j), nowhere)[0] + 2 * gap, 6),
                )
                if word is None and i == j == 0:
                    best = (0, 0)
                if best[0] + completion[j - bounds.first_column] <= most:
                    cells[i, j] = best
                    here_end = j + 1
                    left_end, right_end = min(left_end, j), max(right_end, j + 1)
                    row_start, row_end = min(row_start, i), i + 1
            above_end = here_end
        self._budget.use(visited)
        return _Reached(cells, (row_start, row_end), (left_end, right_end))

    def _classify(self, layers: list[_Reached], start: _Class, number: int, words: Tokens) -> tuple[_Class, _ColumnCounts]:
        """Compute the class of a beginning, and the counts up to the anchor."""
        at_anchor, _ = layers[-1].cells[self._anchors[number]]
        bounds = self._completions.leaving[number]
        cells = {
            (i, j): (cost, self._count(layers, start, (i, j), words))
            for (i, j), (cost, _) in layers[-1].cells.items()
            if cost + bounds.at(i, j) <= at_anchor
        }
        self._budget.use(_CELLS_FOR_MEMORY * (len(cells) + 1))
        least, counts = next(iter(cells.values()))
        reduced = {cell: (cost - least, _subtract(own, counts)) for cell, (cost, own) in cells.items()}
        return _Class(reduced, at_anchor - least), counts

    def _count(self, layers: list[_Reached], start: _Class, cell: _Cell, words: Tokens) -> _ColumnCounts:
        """Count the columns of the preferred alignment up to a cell of the last layer."""
        counts = [0] * (2 * _COUNTS_PER_SYSTEM)
        i, j = cell
        layer, columns = len(layers) - 1, 0
        while layer > 0 or (not start.cells and (i, j) != (0, 0)):
            s, h, r = _MOVES[layers[layer].cells[i, j][1]]
            _classify(counts, self._source[i - 1] if s else None, self._hypothesis[j - 1] if h else None, words[layer - 1] if r else None)
            i, j, layer = i - s, j - h, layer - r
            columns += 1
        self._budget.use(columns)
        counts[self._counted :] = [0] * (2 * _COUNTS_PER_SYSTEM - self._counted)
        return _add(tuple(counts), start.cells[i, j][1]) if start.cells else tuple(counts)


# How much it costs at least to complete an alignment, with any reference; twin of ``native/completions.hpp``.
class _Layer(NamedTuple):
    """_Costs of positions of source and hypothesis at one position of the reference; infinite outside."""

    first_row: int
    first_column: int
    width: int
    costs: list[_CostRow]

    def at(self, i: int, j: int) -> int:
        inside = self.first_row <= i < self.first_row + len(self.costs) and self.first_column <= j < self.first_column + self.width
        return self.costs[i - self.first_row][j - self.first_column] if inside else _INFINITE

    def part(self, i: int, first: int, last: int) -> _CostRow:
        """Return the costs of a row from one column to before another."""
        if not self.first_row <= i < self.first_row + len(self.costs):
            return [_INFINITE] * (last - first)
        row = self.costs[i - self.first_row]
        start, end = first - self.first_column, last - self.first_column
        if start >= 0 and end <= self.width:
            return row[start:end]
        inner = row[max(start, 0) : max(end, 0)]
        before = min(max(-start, 0), last - first)
        return [_INFINITE] * before + inner + [_INFINITE] * (last - first - before - len(inner))

    def turn(self, rows: int, columns: int) -> _Layer:
        """Make the layer of reversed sentences with so many positions."""
        return _Layer(
            rows - self.first_row - len(self.costs),
            columns - self.first_column - self.width,
            self.width,
            [row[::-1] for row in reversed(self.costs)],
        )


class _TooManyCellsError(Exception):
    """More cells than allowed."""


class _Budget:
    """The cells that may be visited."""

    def __init__(self, most: int) -> None:
        self._most = most
        self.used = 0

    def use(self, cells: int) -> None:
        """Visit cells, or raise if there are too many."""
        if cells > self._most - self.used:
            self.used = self._most
            raise _TooManyCellsError
        self.used += cells


class _AnchoredReferences(NamedTuple):
    """A source, a hypothesis and the graph of all references, with anchors between the sites."""

    source: Tokens
    hypothesis: Tokens
    graph: _ReferenceGraph
    anchors: list[_Anchor]
    costs: _Costs


class _Completions:
    """The least cost of completing an alignment from a cell, minus that of completing it from the last anchor before.

    Both are for the same rest of a reference, so it is a bound for every reference.
    """

    def __init__(self, references: _AnchoredReferences, least: int, budget: _Budget) -> None:
        """``least`` is the least cost of aligning source and hypothesis."""
        source, hypothesis, graph, anchors, costs = references
        slack = sum(max(one.three_way - one.with_source - one.with_hypothesis for one in branches) for branches in graph)
        self._most = slack - least
        self._budget = budget
        self._with_source = _compute_bounds(source, graph, [[branch.with_source for branch in branches] for branches in graph], costs)
        self._with_hypothesis = self._with_source
        if hypothesis != source:
            leasts = [[branch.with_hypothesis for branch in branches] for branches in graph]
            self._with_hypothesis = _compute_bounds(hypothesis, graph, leasts, costs)
        self._forwards = _Columns(source, hypothesis, costs)
        self._backwards = _Columns(source[::-1], hypothesis[::-1], costs)
        self._turn = len(source) + 1, len(hypothesis) + 1
        self.at_anchors: list[_Layer] = []
        """At each anchor."""
        self.leaving: list[_Layer] = []
        """At each anchor, if the next column has a token of the reference."""
        self.inside: list[list[list[_Layer]]] = []
        """Inside each branch of each block, after each of its words but the last."""
        self._walk(graph, anchors)
        for found in (self.at_anchors, self.leaving, self.inside):
            found.reverse()

    def _walk(self, graph: _ReferenceGraph, anchors: list[_Anchor]) -> None:
        """Fill the layers from the last to the first."""
        last = self._open(len(graph))
        _set(last, anchors[-1], 0)
        self._finish(last, anchors[-1])
        for site in reversed(range(len(graph))):
            from_anchor = self._open(site)
            _set(from_anchor, anchors[site], 0)
            self._forwards.relax(from_anchor)
            here = self._open(site)
            inside = []
            for choice, branch in enumerate(graph[site]):
                after = self._end_of_branch(from_anchor, site, choice, branch)
                layers = []
                for number in reversed(range(len(branch.words))):
                    layer = self._open(site, choice, number).turn(*self._turn)
                    self._backwards.take(after.turn(*self._turn), layer, branch.words[number])
                    if number:
                        self._backwards.relax(layer)
                    after = layer.turn(*self._turn)
                    layers.append(after)
                _lower(here, after)
                inside.append(layers[-2::-1])
            self.inside.append(inside)
            self._finish(here, anchors[site])

    def _end_of_branch(self, from_anchor: _Layer, site: int, choice: int, branch: _Branch) -> _Layer:
        """Compute the bounds after a branch, minus the cost of completing from the anchor before it.

        From there, an alignment may go to the next anchor, or to the same cell.
        """
        own = from_anchor
        for number, word in enumerate(branch.words, start=1):
            layer = self._open(site, choice, number) if number < len(branch.words) else self._open(site + 1)
            self._forwards.take(own, layer, word)
            self._forwards.relax(layer)
            own = layer
        after = self.at_anchors[-1]
        first, last = after.first_column, after.first_column + after.width
        costs = [
            [max(bound - branch.three_way, -cost) for bound, cost in zip(row, own.part(i, first, last), strict=True)]
            for i, row in enumerate(after.costs, start=after.first_row)
        ]
        return after._replace(costs=costs)

    def _finish(self, layer: _Layer, anchor: _Anchor) -> None:
        """Add columns without the reference at an anchor."""
        relaxed = layer.turn(*self._turn)
        self._backwards.relax(relaxed)
        relaxed = relaxed.turn(*self._turn)
        for own in (layer, relaxed):
            _raise_near(own, anchor, self._backwards.costs)
        self.leaving.append(layer)
        self.at_anchors.append(relaxed)

    def _open(self, site: int, choice: int = 0, words: int = 0) -> _Layer:
        """Make a layer of the positions where the sum of the pairwise bounds allows an optimal alignment.

        It is at the anchor before a site, or after some words of a branch.
        """
        with_source, with_hypothesis = (
            bounds.inside[site][choice][words - 1] if words else bounds.cuts[site] for bounds in (self._with_source, self._with_hypothesis)
        )
        rows = [i for i, cost in enumerate(with_source) if cost <= self._most - self._with_hypothesis.least]
        columns = [j for j, cost in enumerate(with_hypothesis) if cost <= self._most - self._with_source.least]
        height = rows[-1] + 1 - rows[0] if rows else 0
        width = columns[-1] + 1 - columns[0] if columns else 0
        self._budget.use(height * width + 1)
        return _Layer(rows[0] if rows else 0, columns[0] if columns else 0, width, [[_INFINITE] * width for _ in range(height)])


def _set(layer: _Layer, anchor: _Anchor, cost: int) -> None:
    layer.costs[anchor.p - layer.first_row][anchor.q - layer.first_column] = cost


def _lower(layer: _Layer, other: _Layer) -> None:
    """Lower the costs of a layer to those of another."""
    first, last = layer.first_column, layer.first_column + layer.width
    for i, costs in enumerate(layer.costs, start=layer.first_row):
        costs[:] = map(min, costs, other.part(i, first, last))


def _raise_near(layer: _Layer, anchor: _Anchor, costs: _Costs) -> None:
    """Raise bounds that are too low: with one token more or less, an alignment costs at most two gaps more."""
    for i, row in enumerate(layer.costs, start=layer.first_row):
        first = abs(i - anchor.p)
        for index, cost in enumerate(row):
            lowest = -2 * costs.gap * (first + abs(layer.first_column + index - anchor.q))
            if cost < lowest:
                row[index] = lowest


class _Columns:
    """Adds columns to alignments of beginnings of source, hypothesis and reference."""

    def __init__(self, source: Tokens, hypothesis: Tokens, costs: _Costs) -> None:
        self._source = source
        self._hypothesis = hypothesis
        self.costs = costs

    def take(self, before: _Layer, layer: _Layer, word: str) -> None:
        """Add columns with a token of the reference, from one layer to the next."""
        if not layer.width:
            return
        gaps, mismatch = 2 * self.costs.gap, self.costs.mismatch
        first, last = layer.first_column, layer.first_column + layer.width
        # There is nothing before the first column, so its word does not matter.
        tokens = self._hypothesis[first - 1 : last - 1] if first else ("", *self._hypothesis[: last - 1])
        pairs = [0 if token == word else mismatch for token in tokens]
        above = before.part(layer.first_row - 1, first - 1, last)
        for i, row in enumerate(layer.costs, start=layer.first_row):
            here = before.part(i, first - 1, last)
            token = self._source[i - 1] if i else ""
            pair = 0 if token == word else mismatch
            for position, with_hypothesis in enumerate(pairs):
                together = 0 if tokens[position] == token else mismatch
                row[position] = min(
                    above[position] + pair + with_hypothesis + together,
                    gaps + min(here[position + 1], above[position + 1] + pair, here[position] + with_hypothesis),
                )
            above = here

    def relax(self, layer: _Layer) -> None:
        """Add columns without the reference, inside a layer."""
        gaps, mismatch = 2 * self.costs.gap, self.costs.mismatch
        above = [_INFINITE] * layer.width
        for i, row in enumerate(layer.costs, start=layer.first_row):
            corner = left = _INFINITE
            for index, j in enumerate(range(layer.first_column, layer.first_column + layer.width)):
                together = corner if i and j and self._source[i - 1] == self._hypothesis[j - 1] else corner + mismatch
                best = min(row[index], gaps + min(together, above[index], left))
                corner = above[index]
                row[index] = left = best
            above = row


# --- The counts of all references of a sentence that mix variants of text; twin of ``native/mixtures.hpp``.

_CoreSite = tuple[int, int, tuple[tuple[str, ...], ...]]


class _BlocksLimits(NamedTuple):
    """Choices are references that are aligned one by one, and rows of a block; for the others see ``limits.py``."""

    choices: int
    cells: int
    bounds: int
    beginnings: int
    pairs: int
    aligned: int


class _Mixtures(NamedTuple):
    """The counts of all references: those before the first class, and for each site, class of beginnings and variant what it adds."""

    counts: _ColumnCounts
    steps: list[list[list[_Step]]]


class _MixtureSolver:
    """One sentence with one hypothesis."""

    def __init__(
        self, source: Tokens, hypothesis: Tokens, sites: tuple[_CoreSite, ...], costs: _Costs, limits: _BlocksLimits, counted: int
    ) -> None:
        self._source = source
        self._hypothesis = hypothesis
        self._sites = sites
        self._costs = costs
        self._limits = limits
        self._counted = counted
        self._work = self._shared = 0

    @property
    def work(self) -> int:
        """The work so far, in cells: for alignments, and for what alignments share."""
        return self._work + self._shared

    def solve(self) -> _Mixtures | None:
        """Count all references; None if it takes too much."""
        _check_pairs((len(self._source) + 1) * (len(self._hypothesis) + 1), self._limits.pairs)
        if len(self._sites) > 1:
            mixtures = self._share_beginnings()
            if mixtures is not None:
                return mixtures
        return self._count_each()

    def _share_beginnings(self) -> _Mixtures | None:
        """Align beginnings of references, of which many are equal for the rest."""
        source, hypothesis, costs, limits = self._source, self._hypothesis, self._costs, self._limits
        pairs = _Pairwise(source, hypothesis, costs)
        anchors = _place_anchors(pairs, [(one[1], other[0]) for one, other in pairwise(self._sites)], costs)
        graph = self._make_graph(anchors)
        self._shared = (len(source) + 1) * (len(hypothesis) + 1)
        if graph is None:
            return None
        bounds = sum(len(branch.words) + 1 for branches in graph for branch in branches) * (len(source) + len(hypothesis) + 2)
        if bounds > limits.bounds:
            return None
        self._shared += bounds
        completions = _Budget(limits.bounds - bounds)
        beginnings = _Budget(limits.beginnings)
        try:
            references = _AnchoredReferences(source, hypothesis, graph, anchors, costs)
            found = _Beginnings(references, _Completions(references, pairs.least, completions), beginnings, self._counted)
        except _TooManyCellsError:
            return None
        finally:
            self._shared += completions.used + beginnings.used
        return _Mixtures(found.counts, found.steps)

    def _make_graph(self, anchors: list[_Anchor]) -> _ReferenceGraph | None:
        """Make the branches between anchors; None if it takes too much."""
        graph = []
        for (start, end), (first, last, variants) in zip(pairwise(anchors), self._sites, strict=True):
            source, hypothesis = self._source[start.p : end.p], self._hypothesis[start.q : end.q]
            three_way = _ThreeWay(source, hypothesis, self._costs, self._limits.pairs, self._limits.aligned)
            branches = []
            for variant in variants:
                words = (*self._source[start.p : first], *variant, *self._source[last : end.p])
                aligned = three_way.align(words, self._limits.cells - self._work)
                if aligned is None:
                    return None
                self._work += aligned.work
                branches.append(_Branch(words, aligned.cost, aligned.with_source, aligned.with_hypothesis))
            graph.append(branches)
        return graph

    def _count_each(self) -> _Mixtures | None:
        """Align every reference."""
        references = list(accumulate((len(variants) for _, _, variants in self._sites), mul))
        if max(references, default=1) > self._limits.choices or _CELLS_FOR_MEMORY * sum(references) > self._limits.beginnings:
            return None
        three_way = _ThreeWay(self._source, self._hypothesis, self._costs, self._limits.pairs, self._limits.aligned)
        found = []
        for choice in product(*(variants for _, _, variants in self._sites)):
            reference: list[str] = []
            done = 0
            for (first, last, _), variant in zip(self._sites, choice, strict=True):
                reference += (*self._source[done:first], *variant)
                done = last
            text = (*reference, *self._source[done:])
            aligned = three_way.align(text, self._limits.cells - self._work)
            if aligned is None:
                return None
            self._work += aligned.work
            counts = three_way.classes(aligned, text)
            found.append((*counts[: self._counted], *(0,) * (len(counts) - self._counted)))
        return _make_tree(found, [len(variants) for _, _, variants in self._sites])


def _make_tree(found: list[_ColumnCounts], sizes: list[int]) -> _Mixtures:
    """Make every beginning a class of its own; the counts of whole references are added by the last site."""
    none = (0,) * (2 * _COUNTS_PER_SYSTEM)
    if not sizes:
        return _Mixtures(found[0], [])
    steps = []
    classes = 1
    for size in sizes[:-1]:
        steps.append([[_Step(number * size + variant, none) for variant in range(size)] for number in range(classes)])
        classes *= size
    size = sizes[-1]
    steps.append([[_Step(0, counts) for counts in found[number * size : (number + 1) * size]] for number in range(classes)])
    return _Mixtures(none, steps)


# All mixtures of the corrections of a sentence, in independent blocks; twin of ``native/blocks.hpp``.

_Row = tuple[tuple[int, ...], _ColumnCounts]
"""The variant of each site of a block, and the counts."""
_Block = tuple[int, int, list[_Row]]
"""The first site, the site after the last, and the rows."""
_CELLS_FOR_ADDITION, _CELLS_FOR_ROW, _CELLS_FOR_CHOICE = 16, 64, 8
"""How many visited cells they count like."""


class MixedReferences:
    """All references that mix variants of text, scored without listing them."""

    def __init__(  # noqa: PLR0913 - as in the core
        self,
        sentences: list[tuple[Tokens, tuple[_CoreSite, ...]]],
        gap: int,
        mismatch: int,
        realigned: bool,  # noqa: FBT001 - as in the core
        most_choices: int,
        *,
        most_cells: int = MOST_CELLS,
        most_bounds: int = MOST_BOUNDS,
        most_beginnings: int = MOST_BEGINNINGS,
        most_pairs: int = MOST_PAIRS,
        most_aligned: int = MOST_ALIGNED,
    ) -> None:
        self._costs = _Costs.checked(gap, mismatch)
        self._limits = _BlocksLimits(most_choices, most_cells, most_bounds, most_beginnings, most_pairs, most_aligned)
        self._sentences = [(source, sites) for source, sites in sentences]
        for source, sites in self._sentences:
            _check(sites, len(source))
        self._realigned = realigned
        self._baselines = [self._solve(number, source) for number, (source, _) in enumerate(self._sentences)] if realigned else []

    def blocks(self, first: int, hypotheses: list[Tokens]) -> list[list[_Block]]:
        """List the independent blocks of consecutive sentences from `first`: first site, site after the last, and the distinct counts \
with the first choice of variants that has them.  A sentence with too many of them or too many cells has no blocks.
        """
        if first + len(hypotheses) > len(self._sentences):
            message = "more hypotheses than sentences"
            raise IndexError(message)
        return [self._blocks(number, hypothesis) for number, hypothesis in enumerate(hypotheses, start=first)]

    def _blocks(self, number: int, hypothesis: Tokens) -> list[_Block]:
        baseline = self._baselines[number] if self._realigned else None
        if self._realigned and baseline is None:
            return []
        mixtures = self._solve(number, hypothesis)
        return [] if mixtures is None else _BlockList(mixtures, baseline, self._limits).make()

    def _solve(self, number: int, hypothesis: Tokens) -> _Mixtures | None:
        source, sites = self._sentences[number]
        counted = _COUNTS_PER_SYSTEM if self._realigned else 2 * _COUNTS_PER_SYSTEM
        with name_sentence(number + 1):
            return _MixtureSolver(source, hypothesis, sites, self._costs, self._limits, counted).solve()


def list_blocks(  # noqa: PLR0913 - as in the core
    source: Tokens,
    hypothesis: Tokens,
    sites: tuple[_CoreSite, ...],
    gap: int,
    mismatch: int,
    realigned: bool,  # noqa: FBT001 - as in the core
    most_choices: int,
    *,
    most_cells: int = MOST_CELLS,
    most_bounds: int = MOST_BOUNDS,
    most_beginnings: int = MOST_BEGINNINGS,
    most_pairs: int = MOST_PAIRS,
    most_aligned: int = MOST_ALIGNED,
) -> tuple[list[_Block], int]:
    """List the independent blocks of one sentence, as `MixedReferences` does; also the work."""
    costs = _Costs.checked(gap, mismatch)
    limits = _BlocksLimits(most_choices, most_cells, most_bounds, most_beginnings, most_pairs, most_aligned)
    _check(sites, len(source))
    found, work = [], 0
    for tokens in (source, hypothesis) if realigned else (hypothesis,):
        solver = _MixtureSolver(source, tokens, sites, costs, limits, _COUNTS_PER_SYSTEM if realigned else 2 * _COUNTS_PER_SYSTEM)
        mixtures = solver.solve()
        work += solver.work
        if mixtures is None:
            return [], work
        found.append(mixtures)
    blocks = _BlockList(found[-1], found[0] if realigned else None, limits)
    return blocks.make(), work + blocks.work


def _check(sites: tuple[_CoreSite, ...], length: int) -> None:
    before = 0
    for start, end, variants in sites:
        if not before <= start <= end <= length:
            message = "sites must be inside the sentence, in order, without overlap"
            raise ValueError(message)
        if not variants:
            message = "a site must have a variant"
            raise ValueError(message)
        before = end


class _Entry(NamedTuple):
    """The first beginning of a block with some classes and counts: that with one site less, and the variant of the last site."""

    before: int
    variant: int


class _State(NamedTuple):
    """The classes of system and baseline, and the counts of both."""

    system: int
    baseline: int
    counts: _ColumnCounts


class _BlockList:
    """The blocks of a sentence, with the counts of its baseline if it was realigned."""

    def __init__(self, system: _Mixtures, baseline: _Mixtures | None, limits: _BlocksLimits) -> None:
        self._baseline = baseline
        self._system = system
        self._limits = limits
        self.work = 0
        """The work so far, in cells."""

    def make(self) -> list[_Block]:
        """List the blocks; none if a block has too many rows, or if they take too many additions."""
        mixtures = [self._system] if self._baseline is None else [self._system, self._baseline]
        sites = len(self._system.steps)
        ends = [site for site in range(1, sites) if all(len(one.steps[site]) == 1 for one in mixtures)]
        blocks = []
        for first, last in pairwise([0, *ends, sites]):
            rows = self._rows(first, last)
            if rows is None:
                return []
            blocks.append((first, last, rows))
        return blocks

    def _rows(self, first: int, last: int) -> list[_Row] | None:
        """List distinct counts, each with the first choice of variants.

        Beginnings are listed in the order of their choices, so the first is found first.
        """
        none = (0,) * (2 * _COUNTS_PER_SYSTEM)
        baseline = self._baseline
        start = self._join(self._system.counts, none if baseline is None else baseline.counts) if first == 0 else none
        states = [_State(0, 0, start)]
        entries: list[list[_Entry]] = []
        for site in range(first, last):
            found: dict[_State, _Entry] = {}
            for before, state in enumerate(states):
                steps = self._system.steps[site][state.system]
                others = [_Step(0, none)] * len(steps) if baseline is None else baseline.steps[site][state.baseline]
                if not self._use(_CELLS_FOR_ADDITION * len(steps)):
                    return None
                for variant, (step, other) in enumerate(zip(steps, others, strict=True)):
                    counts = _add(state.counts, self._join(step.counts, other.counts))
                    found.setdefault(_State(step.to, other.to, counts), _Entry(before, variant))
                if len(found) > self._limits.choices:
                    return None
            if not self._use(_CELLS_FOR_ROW * len(found)):
                return None
            states = list(found)
            entries.append(list(found.values()))
        if not self._use(_CELLS_FOR_CHOICE * len(states) * len(entries)):
            return None
        return [(_list_choice(entries, number), state.counts) for number, state in enumerate(states)]

    def _use(self, cells: int) -> bool:
        """Count work, and tell whether it is not too much."""
        self.work += cells
        return self.work <= self._limits.beginnings

    def _join(self, system: _ColumnCounts, baseline: _ColumnCounts) -> _ColumnCounts:
        """Put the counts of the baseline in the place of those of the unchanged source."""
        return system if self._baseline is None else (*system[:_COUNTS_PER_SYSTEM], *baseline[:_COUNTS_PER_SYSTEM])


def _list_choice(entries: list[list[_Entry]], number: int) -> tuple[int, ...]:
    """List the variant of each site of a block."""
    result = []
    for column in reversed(entries):
        number, variant = column[number]
        result.append(variant)
    return tuple(reversed(result))
