"""The cuts that every optimal alignment with every reference goes through; twin of ``native/certificate.hpp``."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from errata.core.python.pairwise import INFINITE, CostRow, Costs
from errata.core.python.reference_graph import GraphBounds, ReferenceGraph, compute_bounds

if TYPE_CHECKING:
    from errata.corpus import Tokens


class Layer(NamedTuple):
    """Costs of positions of source and hypothesis at one position of the reference, if alignments of at most 0 are possible."""

    first_row: int
    first_column: int
    width: int
    costs: list[CostRow]

    def part(self, i: int, first: int, last: int) -> CostRow:
        """Return the costs of a row from one column to before another, infinite outside the layer."""
        if not self.first_row <= i < self.first_row + len(self.costs):
            return [INFINITE] * (last - first)
        row = self.costs[i - self.first_row]
        start, end = first - self.first_column, last - self.first_column
        if start >= 0 and end <= self.width:
            return row[start:end]
        inner = row[max(start, 0) : max(end, 0)]
        before = min(max(-start, 0), last - first)
        return [INFINITE] * before + inner + [INFINITE] * (last - first - before - len(inner))


class _TooManyCellsError(Exception):
    pass


class Certificate:
    """Walks over the graph of all references, forwards and backwards."""

    def __init__(self, source: Tokens, hypothesis: Tokens, graph: ReferenceGraph, least: int, costs: Costs) -> None:
        """``least`` is the least cost of aligning source and hypothesis."""
        self._source = source
        self._hypothesis = hypothesis
        self._graph = graph
        self._costs = costs
        self._most = sum(max(0, *(one.three_way - one.with_source - one.with_hypothesis for one in branches)) for branches in graph) - least
        self._cells = 0

    def least_missing(self, cuts: list[tuple[int, int]], most_cells: int) -> list[int] | None:
        """Compute for each inner cut the least reduced cost of an alignment that misses it; None if it takes too many cells.

        A cut is a position of the source and one of the hypothesis.
        """
        graph, costs = self._graph, self._costs
        with_source = compute_bounds(self._source, graph, [[branch.with_source for branch in branches] for branches in graph], costs)
        with_hypothesis = with_source
        if self._hypothesis != self._source:
            leasts = [[branch.with_hypothesis for branch in branches] for branches in graph]
            with_hypothesis = compute_bounds(self._hypothesis, graph, leasts, costs)
        backwards = [[branch._replace(words=branch.words[::-1]) for branch in branches] for branches in reversed(graph)]
        try:
            entered = self._walk(self._source, self._hypothesis, graph, (with_source, with_hypothesis), most_cells)
            left = self._walk(
                self._source[::-1], self._hypothesis[::-1], backwards, (with_source.reverse(), with_hypothesis.reverse()), most_cells
            )
        except _TooManyCellsError:
            return None
        return [self._missing(entered[b], left[-1 - b], cuts[b]) for b in range(1, len(cuts) - 1)]

    def _walk(
        self, source: Tokens, hypothesis: Tokens, graph: ReferenceGraph, bounds: tuple[GraphBounds, GraphBounds], most_cells: int
    ) -> list[Layer]:
        """Compute for each cut the least reduced cost of entering its layer at a cell by a token of the reference."""
        with_source, with_hypothesis = bounds
        most = (self._most - with_hypothesis.least, self._most - with_source.least, most_cells)
        layers = [self._open(with_source.cuts[0], with_hypothesis.cuts[0], *most)]
        here = _copy(layers[0])
        here.costs[0][0] = 0
        _relax(here, source, hypothesis, self._costs, None)
        for b, branches in enumerate(graph):
            entered = self._open(with_source.cuts[b + 1], with_hypothesis.cuts[b + 1], *most)
            layers.append(entered)
            for choice, branch in enumerate(branches):
                layer = here
                for number, word in enumerate(branch.words, start=1):
                    inside = number < len(branch.words)
                    row = with_source.inside[b][choice][number - 1] if inside else with_source.cuts[b + 1]
                    column = with_hypothesis.inside[b][choice][number - 1] if inside else with_hypothesis.cuts[b + 1]
                    following = self._open(row, column, *most)
                    _take(layer, following, source, hypothesis, word, self._costs)
                    layer = following
                    if inside:
                        _relax(layer, source, hypothesis, self._costs, None)
                first, last = entered.first_column, entered.first_column + entered.width
                for i, costs in enumerate(entered.costs, start=entered.first_row):
                    costs[:] = [min(cost, new - branch.three_way) for cost, new in zip(costs, layer.part(i, first, last), strict=True)]
            here = _copy(entered)
            _relax(here, source, hypothesis, self._costs, None)
        return layers

    def _open(self, with_source: CostRow, with_hypothesis: CostRow, most_source: int, most_hypothesis: int, most_cells: int) -> Layer:
        """Make a layer of the positions where the sum of the pairwise bounds allows an alignment of at most 0, if there are few enough."""
        rows = [i for i, cost in enumerate(with_source) if cost <= most_source]
        columns = [j for j, cost in enumerate(with_hypothesis) if cost <= most_hypothesis]
        height = rows[-1] + 1 - rows[0] if rows else 0
        width = columns[-1] + 1 - columns[0] if columns else 0
        self._cells += height * width + 1
        if self._cells > most_cells:
            raise _TooManyCellsError
        return Layer(rows[0] if rows else 0, columns[0] if columns else 0, width, [[INFINITE] * width for _ in range(height)])

    def _missing(self, entered: Layer, left: Layer, cut: tuple[int, int]) -> int:
        """Compute the least reduced cost of an alignment that misses a cut."""
        layer = _copy(entered)
        _relax(layer, self._source, self._hypothesis, self._costs, cut)
        return min(
            (
                cost + rest
                for row, rest_row in zip(layer.costs, reversed(left.costs), strict=True)
                for cost, rest in zip(row, reversed(rest_row), strict=True)
            ),
            default=INFINITE,
        )


def _copy(layer: Layer) -> Layer:
    return layer._replace(costs=[row[:] for row in layer.costs])


def _take(before: Layer, layer: Layer, source: Tokens, hypothesis: Tokens, word: str, costs: Costs) -> None:
    """Consume one token of the reference, from one layer to the next."""
    if not layer.width:
        return
    gaps, mismatch = 2 * costs.gap, costs.mismatch
    first, last = layer.first_column, layer.first_column + layer.width
    # There is nothing before the first column, so its word does not matter.
    tokens = hypothesis[first - 1 : last - 1] if first else ("", *hypothesis[: last - 1])
    pairs = [0 if token == word else mismatch for token in tokens]
    above = before.part(layer.first_row - 1, first - 1, last)
    for i, row in enumerate(layer.costs, start=layer.first_row):
        here = before.part(i, first - 1, last)
        token = source[i - 1] if i else ""
        pair = 0 if token == word else mismatch
        for position, with_hypothesis in enumerate(pairs):
            together = 0 if tokens[position] == token else mismatch
            row[position] = min(
                above[position] + pair + with_hypothesis + together,
                gaps + min(here[position + 1], above[position + 1] + pair, here[position] + with_hypothesis),
            )
        above = here


def _relax(layer: Layer, source: Tokens, hypothesis: Tokens, costs: Costs, blocked: tuple[int, int] | None) -> None:
    """Add columns without the reference, inside a layer; none goes through the blocked point."""
    gaps, mismatch = 2 * costs.gap, costs.mismatch
    above = [INFINITE] * layer.width
    for i, row in enumerate(layer.costs, start=layer.first_row):
        corner = left = INFINITE
        for index, j in enumerate(range(layer.first_column, layer.first_column + layer.width)):
            if (i, j) == blocked:
                best = INFINITE
            else:
                together = corner if i and j and source[i - 1] == hypothesis[j - 1] else corner + mismatch
                best = min(row[index], gaps + min(together, above[index], left))
            corner = above[index]
            row[index] = left = best
        above = row
