"""The graph of all references of a sentence, and bounds in it; twin of ``native/reference_graph.hpp``."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from errata.core.python.pairwise import INFINITE, CostRow, Costs, make_first_row, make_next_row

if TYPE_CHECKING:
    from errata.texts import Tokens


class Branch(NamedTuple):
    """One text that a reference may have in a block."""

    words: Tokens
    three_way: int
    """The least costs inside the block: of all three sentences, of source and reference, of hypothesis and reference."""
    with_source: int
    with_hypothesis: int


ReferenceGraph = list[list[Branch]]
"""The branches of each block."""


class GraphBounds(NamedTuple):
    """The least reduced cost of aligning a sentence with any reference, through a position of both."""

    cuts: list[CostRow]
    """At each cut, for each position of the sentence."""
    inside: list[list[list[CostRow]]]
    """Inside each branch of each block, after each of its words but the last."""

    @property
    def least(self) -> int:
        """The least of all."""
        return min(self.cuts[0])

    def reverse(self) -> GraphBounds:
        """Make the bounds for reversed sentences."""
        cuts = [row[::-1] for row in reversed(self.cuts)]
        inside = [[[row[::-1] for row in reversed(rows)] for rows in branches] for branches in reversed(self.inside)]
        return GraphBounds(cuts, inside)


def compute_bounds(sentence: Tokens, graph: ReferenceGraph, leasts: list[list[int]], costs: Costs) -> GraphBounds:
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
    return GraphBounds([_sum(row, rest) for row, rest in zip(forwards.cuts, backwards.cuts, strict=True)], inside)


def _forwards(sentence: Tokens, graph: ReferenceGraph, leasts: list[list[int]], costs: Costs) -> GraphBounds:
    cuts = [make_first_row(len(sentence), costs)]
    inside = []
    for branches, own in zip(graph, leasts, strict=True):
        cut = [INFINITE] * (len(sentence) + 1)
        rows_of = []
        for branch, least in zip(branches, own, strict=True):
            rows = [cuts[-1]]
            for word in branch.words:
                rows.append(make_next_row(rows[-1], sentence, word, costs))
            cut = [min(cost, other - least) for cost, other in zip(cut, rows[-1], strict=True)]
            rows_of.append(rows[1:-1])
        cuts.append(cut)
        inside.append(rows_of)
    return GraphBounds(cuts, inside)


def _sum(row: CostRow, other: CostRow, more: int = 0) -> CostRow:
    return [one + two + more for one, two in zip(row, other, strict=True)]
