"""Whether two graphs have as many units of each category: DISTSIM, after Sulem et al. (2015).

``overlap`` is what gives the published numbers: twice the sum of the smaller counts, over the sum of all counts.
``difference`` is the formula that the paper prints: the mean over pairs of the difference of the numbers of edges.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from errata.graphs import Graph

MIN_WORDS = 2
"""Words that a unit must have to be counted."""


def count_categories(graph: Graph, min_words: int = MIN_WORDS) -> Counter[str]:
    """How many units of at least so many words have each category, by their primary edges."""
    counts: Counter[str] = Counter()
    for unit in graph.counted:
        if len(graph.yields[unit]) >= min_words:
            counts.update({label for edge in graph.incoming[unit] if not edge.remote for label in edge.labels})
    return counts


def count_edges(graph: Graph) -> Counter[str]:
    """How many edges have each category, primary and remote, to units with however many words."""
    return Counter(label for unit in graph.counted for edge in graph.incoming[unit] for label in edge.labels)


class Distributions(NamedTuple):
    """The counts of categories of a source and its correction: of units, and of edges."""

    source: Counter[str]
    correction: Counter[str]
    source_edges: Counter[str]
    correction_edges: Counter[str]

    def shared(self, categories: Iterable[str]) -> int:
        """The sum of the smaller counts."""
        return sum(min(self.source[name], self.correction[name]) for name in categories)

    def together(self, categories: Iterable[str]) -> int:
        """The sum of all counts."""
        return sum(self.source[name] + self.correction[name] for name in categories)

    def difference(self, categories: Sequence[str]) -> int:
        """How far apart the numbers of edges of all these categories together are."""
        return abs(sum(self.source_edges[name] for name in categories) - sum(self.correction_edges[name] for name in categories))


def make_distributions(source: Graph, correction: Graph, min_words: int = MIN_WORDS) -> Distributions:
    """Count the categories of both."""
    return Distributions(
        count_categories(source, min_words), count_categories(correction, min_words), count_edges(source), count_edges(correction)
    )


@dataclass(frozen=True)
class DistSimValue:
    """What pairs come to for some categories."""

    overlap: float | None
    """The mean of the similarity of pairs that have such units; none if no pair has."""
    pooled: float | None
    """The similarity of the sums over all pairs, each with its own smaller counts."""
    difference: float | None
    """The mean difference of the numbers of edges; 0 is best."""


def compute_distsim(pairs: Sequence[Distributions], categories: Sequence[str]) -> DistSimValue:
    """The similarity of many pairs.

    >>> compute_distsim([Distributions(Counter(A=2, D=1), Counter(A=1, D=1), Counter(A=5), Counter(A=3))], ["A", "D"])
    DistSimValue(overlap=0.8, pooled=0.8, difference=2.0)
    """
    sums = [(pair.shared(categories), pair.together(categories)) for pair in pairs]
    known = [2 * shared / together for shared, together in sums if together]
    everything = sum(together for _, together in sums)
    return DistSimValue(
        sum(known) / len(known) if known else None,
        2 * sum(shared for shared, _ in sums) / everything if everything else None,
        sum(pair.difference(categories) for pair in pairs) / len(pairs) if pairs else None,
    )
