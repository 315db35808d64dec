"""How much it costs at least to complete an alignment, with any reference; twin of ``native/completions.hpp``."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from errata.core.python.pairwise import INFINITE, CostRow, Costs
from errata.core.python.reference_graph import Branch, ReferenceGraph, compute_bounds

if TYPE_CHECKING:
    from errata.core.python.anchors import Anchor
    from errata.texts import Tokens


class Layer(NamedTuple):
    """Costs of positions of source and hypothesis at one position of the reference; infinite outside."""

    first_row: int
    first_column: int
    width: int
    costs: list[CostRow]

    def at(self, i: int, j: int) -> int:
        """Return the cost of a cell."""
        inside = self.first_row <= i < self.first_row + len(self.costs) and self.first_column <= j < self.first_column + self.width
        return self.costs[i - self.first_row][j - self.first_column] if inside else INFINITE

    def part(self, i: int, first: int, last: int) -> CostRow:
        """Return the costs of a row from one column to before another."""
        if not self.first_row <= i < self.first_row + len(self.costs):
            return [INFINITE] * (last - first)
        row = self.costs[i - self.first_row]
        start, end = first - self.first_column, last - self.first_column
        if start >= 0 and end <= self.width:
            return row[start:end]
        inner = row[max(start, 0) : max(end, 0)]
        before = min(max(-start, 0), last - first)
        return [INFINITE] * before + inner + [INFINITE] * (last - first - before - len(inner))

    def turn(self, rows: int, columns: int) -> Layer:
        """Make the layer of reversed sentences with so many positions."""
        return Layer(
            rows - self.first_row - len(self.costs),
            columns - self.first_column - self.width,
            self.width,
            [row[::-1] for row in reversed(self.costs)],
        )


class TooManyCellsError(Exception):
    """More cells than allowed."""


class Budget:
    """The cells that may be visited."""

    def __init__(self, most: int) -> None:
        self._most = most
        self.used = 0

    def use(self, cells: int) -> None:
        """Visit cells, or raise if there are too many."""
        if cells > self._most - self.used:
            self.used = self._most
            raise TooManyCellsError
        self.used += cells


class AnchoredReferences(NamedTuple):
    """A source, a hypothesis and the graph of all references, with anchors between the sites."""

    source: Tokens
    hypothesis: Tokens
    graph: ReferenceGraph
    anchors: list[Anchor]
    costs: Costs


class Completions:
    """The least cost of completing an alignment from a cell, minus that of completing it from the last anchor before.

    Both are for the same rest of a reference, so it is a bound for every reference.
    """

    def __init__(self, references: AnchoredReferences, least: int, budget: Budget) -> None:
        """``least`` is the least cost of aligning source and hypothesis."""
        source, hypothesis, graph, anchors, costs = references
        slack = sum(max(one.three_way - one.with_source - one.with_hypothesis for one in branches) for branches in graph)
        self._most = slack - least
        self._budget = budget
        self._with_source = compute_bounds(source, graph, [[branch.with_source for branch in branches] for branches in graph], costs)
        self._with_hypothesis = self._with_source
        if hypothesis != source:
            leasts = [[branch.with_hypothesis for branch in branches] for branches in graph]
            self._with_hypothesis = compute_bounds(hypothesis, graph, leasts, costs)
        self._forwards = _Columns(source, hypothesis, costs)
        self._backwards = _Columns(source[::-1], hypothesis[::-1], costs)
        self._turn = len(source) + 1, len(hypothesis) + 1
        self.at_anchors: list[Layer] = []
        """At each anchor."""
        self.leaving: list[Layer] = []
        """At each anchor, if the next column has a token of the reference."""
        self.inside: list[list[list[Layer]]] = []
        """Inside each branch of each block, after each of its words but the last."""
        self._walk(graph, anchors)
        for found in (self.at_anchors, self.leaving, self.inside):
            found.reverse()

    def _walk(self, graph: ReferenceGraph, anchors: list[Anchor]) -> None:
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

    def _end_of_branch(self, from_anchor: Layer, site: int, choice: int, branch: Branch) -> Layer:
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

    def _finish(self, layer: Layer, anchor: Anchor) -> None:
        """Add columns without the reference at an anchor."""
        relaxed = layer.turn(*self._turn)
        self._backwards.relax(relaxed)
        relaxed = relaxed.turn(*self._turn)
        for own in (layer, relaxed):
            _raise_near(own, anchor, self._backwards.costs)
        self.leaving.append(layer)
        self.at_anchors.append(relaxed)

    def _open(self, site: int, choice: int = 0, words: int = 0) -> Layer:
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
        return Layer(rows[0] if rows else 0, columns[0] if columns else 0, width, [[INFINITE] * width for _ in range(height)])


def _set(layer: Layer, anchor: Anchor, cost: int) -> None:
    layer.costs[anchor.p - layer.first_row][anchor.q - layer.first_column] = cost


def _lower(layer: Layer, other: Layer) -> None:
    """Lower the costs of a layer to those of another."""
    first, last = layer.first_column, layer.first_column + layer.width
    for i, costs in enumerate(layer.costs, start=layer.first_row):
        costs[:] = map(min, costs, other.part(i, first, last))


def _raise_near(layer: Layer, anchor: Anchor, costs: Costs) -> None:
    """Raise bounds that are too low: with one token more or less, an alignment costs at most two gaps more."""
    for i, row in enumerate(layer.costs, start=layer.first_row):
        first = abs(i - anchor.p)
        for index, cost in enumerate(row):
            lowest = -2 * costs.gap * (first + abs(layer.first_column + index - anchor.q))
            if cost < lowest:
                row[index] = lowest


class _Columns:
    """Adds columns to alignments of beginnings of source, hypothesis and reference."""

    def __init__(self, source: Tokens, hypothesis: Tokens, costs: Costs) -> None:
        self._source = source
        self._hypothesis = hypothesis
        self.costs = costs

    def take(self, before: Layer, layer: Layer, word: str) -> None:
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

    def relax(self, layer: Layer) -> None:
        """Add columns without the reference, inside a layer."""
        gaps, mismatch = 2 * self.costs.gap, self.costs.mismatch
        above = [INFINITE] * layer.width
        for i, row in enumerate(layer.costs, start=layer.first_row):
            corner = left = INFINITE
            for index, j in enumerate(range(layer.first_column, layer.first_column + layer.width)):
                together = corner if i and j and self._source[i - 1] == self._hypothesis[j - 1] else corner + mismatch
                best = min(row[index], gaps + min(together, above[index], left))
                corner = above[index]
                row[index] = left = best
            above = row
