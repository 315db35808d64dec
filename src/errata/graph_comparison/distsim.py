"""DISTSIM: similarity of the counts of categories in two graphs, after Sulem et al. (2015).

``overlap`` reproduces the published numbers: twice the sum of the smaller counts, divided by the sum of all counts.
``difference`` is the formula in the paper: the mean over pairs of the difference of the numbers of edges.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from errata.corpus.graphs import Graph

MIN_WORDS = 2
"""Minimum number of words of a counted unit."""


def count_categories(graph: Graph, min_words: int = MIN_WORDS) -> Counter[str]:
    """Count the units of each category by primary edges; units need ``min_words`` words."""
    counts: Counter[str] = Counter()
    for unit in graph.counted:
        if len(graph.yields[unit]) >= min_words:
            counts.update({label for edge in graph.incoming[unit] if not edge.remote for label in edge.labels})
    return counts


def count_edges(graph: Graph) -> Counter[str]:
    """Count the edges of each category, primary and remote, to units of any length."""
    return Counter(label for unit in graph.counted for edge in graph.incoming[unit] for label in edge.labels)


class Distributions(NamedTuple):
    """The counts of units and edges by category, in a source and its correction."""

    source: Counter[str]
    correction: Counter[str]
    source_edges: Counter[str]
    correction_edges: Counter[str]

    def shared(self, categories: Iterable[str]) -> int:
        """Add up the smaller counts."""
        return sum(min(self.source[name], self.correction[name]) for name in categories)

    def together(self, categories: Iterable[str]) -> int:
        """Add up all counts."""
        return sum(self.source[name] + self.correction[name] for name in categories)

    def difference(self, categories: Sequence[str]) -> int:
        """Compute the difference of the numbers of edges of these categories together."""
        return abs(sum(self.source_edges[name] for name in categories) - sum(self.correction_edges[name] for name in categories))


def make_distributions(source: Graph, correction: Graph, min_words: int = MIN_WORDS) -> Distributions:
    """Count the categories of two graphs."""
    return Distributions(
        count_categories(source, min_words), count_categories(correction, min_words), count_edges(source), count_edges(correction)
    )


@dataclass(frozen=True)
class DistSimValue:
    """DISTSIM of pairs for some categories."""

    overlap: float | None
    """The mean similarity of the pairs with such units; None without such pairs."""
    pooled: float | None
    """The similarity of the sums over all pairs; the smaller counts are taken per pair."""
    difference: float | None
    """The mean difference of the numbers of edges; 0 is best."""


def compute_distsim(pairs: Sequence[Distributions], categories: Sequence[str], count: int | None = None) -> DistSimValue:
    """Compute the similarity of many pairs; ``count`` is their number if those without the categories are left out.

    >>> compute_distsim([Distributions(Counter(A=2, D=1), Counter(A=1, D=1), Counter(A=5), Counter(A=3))], ["A", "D"])
    DistSimValue(overlap=0.8, pooled=0.8, difference=2.0)
    """
    sums = [(pair.shared(categories), pair.together(categories)) for pair in pairs]
    known = [2 * shared / together for shared, together in sums if together]
    everything = sum(together for _, together in sums)
    count = len(pairs) if count is None else count
    return DistSimValue(
        sum(known) / len(known) if known else None,
        2 * sum(shared for shared, _ in sums) / everything if everything else None,
        sum(pair.difference(categories) for pair in pairs) / count if count else None,
    )
