"""Beginnings of references, in classes that any rest of a reference continues in the same way; twin of ``native/beginnings.hpp``."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from errata.core.python.columns import COUNTS_PER_SYSTEM, ColumnCounts, add, classify, subtract
from errata.core.python.cube import MOVES
from errata.core.python.pairwise import INFINITE

if TYPE_CHECKING:
    from errata.core.python.completions import AnchoredReferences, Budget, Completions, Layer
    from errata.texts import Tokens

_Cell = tuple[int, int]
CELLS_FOR_MEMORY = 64
"""A stored cell or step counts like so many visited ones."""


class _Class(NamedTuple):
    """The cells at an anchor that an optimal alignment may leave by a token of the reference.

    Costs and counts are those of the first cell more.
    """

    cells: dict[_Cell, tuple[int, ColumnCounts]]
    at_anchor: int
    """The cost at the anchor."""

    @property
    def key(self) -> tuple[tuple[_Cell, tuple[int, ColumnCounts]], ...]:
        """What all beginnings of the class have in common."""
        return tuple(self.cells.items())


class Step(NamedTuple):
    """What a variant of a site adds to a beginning: the class of the longer beginning, and counts."""

    to: int
    counts: ColumnCounts


class _Reached(NamedTuple):
    """The cells of a layer that are reached, with their cost and the column that ends there (none in the first layer)."""

    cells: dict[_Cell, tuple[int, int]]
    rows: tuple[int, int]
    columns: tuple[int, int]


class Beginnings:
    """Classes of beginnings at each anchor.

    Beginnings of a class differ by a constant cost and by constant counts, in all cells of an optimal alignment with any rest.
    So the preferred alignment of the rest is the same.
    """

    def __init__(self, references: AnchoredReferences, completions: Completions, budget: Budget, counted: int) -> None:
        """``counted`` is how many of the counts matter."""
        self._source, self._hypothesis, self._graph, self._anchors, self._costs = references
        self._completions = completions
        self._budget = budget
        self._counted = counted
        self.steps: list[list[list[Step]]] = []
        """For each site, class and variant; the first class is the only one at the first anchor, and so is that at the last."""
        start = self._reach(_Reached({}, (0, 0), (0, 0)), completions.at_anchors[0], None, 0)
        first, self.counts = self._classify([start], _Class({}, 0), 0, ())
        """The counts of the columns before the first site can matter."""
        classes = [first]
        for site, branches in enumerate(self._graph):
            found: dict[tuple[tuple[_Cell, tuple[int, ColumnCounts]], ...], int] = {}
            following: list[_Class] = []
            steps = []
            for one in classes:
                own = []
                for choice in range(len(branches)):
                    longer, counts = self._extend(one, site, choice)
                    number = found.setdefault(longer.key, len(following))
                    if number == len(following):
                        following.append(longer)
                    own.append(Step(number, counts))
                steps.append(own)
            self.steps.append(steps)
            classes = following

    def _extend(self, start: _Class, site: int, choice: int) -> tuple[_Class, ColumnCounts]:
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

    def _reach(self, before: _Reached, bounds: Layer, word: str | None, most: int) -> _Reached:
        """Compute the cells of the next layer from which an alignment can be completed at a cost of at most ``most``.

        Without a word, the layer is the first.
        """
        source, hypothesis, (gap, mismatch) = self._source, self._hypothesis, self._costs
        cells: dict[_Cell, tuple[int, int]] = {}
        old = before.cells
        nowhere = (INFINITE, 0)
        first_column = max(before.columns[0], bounds.first_column)
        left_end, right_end = bounds.first_column + bounds.width, 0
        row_start, row_end = INFINITE, 0
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

    def _classify(self, layers: list[_Reached], start: _Class, number: int, words: Tokens) -> tuple[_Class, ColumnCounts]:
        """Compute the class of a beginning, and the counts up to the anchor."""
        at_anchor, _ = layers[-1].cells[self._anchors[number]]
        bounds = self._completions.leaving[number]
        cells = {
            (i, j): (cost, self._count(layers, start, (i, j), words))
            for (i, j), (cost, _) in layers[-1].cells.items()
            if cost + bounds.at(i, j) <= at_anchor
        }
        self._budget.use(CELLS_FOR_MEMORY * (len(cells) + 1))
        least, counts = next(iter(cells.values()))
        reduced = {cell: (cost - least, subtract(own, counts)) for cell, (cost, own) in cells.items()}
        return _Class(reduced, at_anchor - least), counts

    def _count(self, layers: list[_Reached], start: _Class, cell: _Cell, words: Tokens) -> ColumnCounts:
        """Count the columns of the preferred alignment up to a cell of the last layer."""
        counts = [0] * (2 * COUNTS_PER_SYSTEM)
        i, j = cell
        layer, columns = len(layers) - 1, 0
        while layer > 0 or (not start.cells and (i, j) != (0, 0)):
            s, h, r = MOVES[layers[layer].cells[i, j][1]]
            classify(counts, self._source[i - 1] if s else None, self._hypothesis[j - 1] if h else None, words[layer - 1] if r else None)
            i, j, layer = i - s, j - h, layer - r
            columns += 1
        self._budget.use(columns)
        counts[self._counted :] = [0] * (2 * COUNTS_PER_SYSTEM - self._counted)
        return add(tuple(counts), start.cells[i, j][1]) if start.cells else tuple(counts)
