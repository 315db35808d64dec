"""The counts of all references of a sentence that mix variants of text; twin of ``native/mixtures.hpp``."""

from __future__ import annotations

from itertools import accumulate, pairwise, product
from operator import mul
from typing import TYPE_CHECKING, NamedTuple

from errata.core.python.anchors import place_anchors
from errata.core.python.beginnings import CELLS_FOR_MEMORY, Beginnings, Step
from errata.core.python.columns import COUNTS_PER_SYSTEM, ColumnCounts
from errata.core.python.completions import AnchoredReferences, Budget, Completions, TooManyCellsError
from errata.core.python.pairwise import Costs, Pairwise
from errata.core.python.reference_graph import Branch, ReferenceGraph
from errata.core.python.three_way import ThreeWay, check_pairs
from errata.texts import Tokens

if TYPE_CHECKING:
    from errata.core.python.anchors import Anchor

CoreSite = tuple[int, int, tuple[Tokens, ...]]


class BlocksLimits(NamedTuple):
    """Choices are references that are aligned one by one, and rows of a block; for the others see ``limits.py``."""

    choices: int
    cells: int
    bounds: int
    beginnings: int
    pairs: int
    aligned: int


class Mixtures(NamedTuple):
    """The counts of all references: those before the first class, and for each site, class of beginnings and variant what it adds."""

    counts: ColumnCounts
    steps: list[list[list[Step]]]


class MixtureSolver:
    """One sentence with one hypothesis."""

    def __init__(
        self, source: Tokens, hypothesis: Tokens, sites: tuple[CoreSite, ...], costs: Costs, limits: BlocksLimits, counted: int
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

    def solve(self) -> Mixtures | None:
        """Count all references; None if it takes too much."""
        check_pairs((len(self._source) + 1) * (len(self._hypothesis) + 1), self._limits.pairs)
        if len(self._sites) > 1:
            mixtures = self._share_beginnings()
            if mixtures is not None:
                return mixtures
        return self._count_each()

    def _share_beginnings(self) -> Mixtures | None:
        """Align beginnings of references, of which many are equal for the rest."""
        source, hypothesis, costs, limits = self._source, self._hypothesis, self._costs, self._limits
        pairs = Pairwise(source, hypothesis, costs)
        anchors = place_anchors(pairs, [(one[1], other[0]) for one, other in pairwise(self._sites)], costs)
        graph = self._make_graph(anchors)
        self._shared = (len(source) + 1) * (len(hypothesis) + 1)
        if graph is None:
            return None
        bounds = sum(len(branch.words) + 1 for branches in graph for branch in branches) * (len(source) + len(hypothesis) + 2)
        if bounds > limits.bounds:
            return None
        self._shared += bounds
        completions = Budget(limits.bounds - bounds)
        beginnings = Budget(limits.beginnings)
        try:
            references = AnchoredReferences(source, hypothesis, graph, anchors, costs)
            found = Beginnings(references, Completions(references, pairs.least, completions), beginnings, self._counted)
        except TooManyCellsError:
            return None
        finally:
            self._shared += completions.used + beginnings.used
        return Mixtures(found.counts, found.steps)

    def _make_graph(self, anchors: list[Anchor]) -> ReferenceGraph | None:
        """Make the branches between anchors; None if it takes too much."""
        graph = []
        for (start, end), (first, last, variants) in zip(pairwise(anchors), self._sites, strict=True):
            source, hypothesis = self._source[start.p : end.p], self._hypothesis[start.q : end.q]
            three_way = ThreeWay(source, hypothesis, self._costs, self._limits.pairs, self._limits.aligned)
            branches = []
            for variant in variants:
                words = (*self._source[start.p : first], *variant, *self._source[last : end.p])
                aligned = three_way.align(words, self._limits.cells - self._work)
                if aligned is None:
                    return None
                self._work += aligned.work
                branches.append(Branch(words, aligned.cost, aligned.with_source, aligned.with_hypothesis))
            graph.append(branches)
        return graph

    def _count_each(self) -> Mixtures | None:
        """Align every reference."""
        references = list(accumulate((len(variants) for _, _, variants in self._sites), mul))
        if max(references, default=1) > self._limits.choices or CELLS_FOR_MEMORY * sum(references) > self._limits.beginnings:
            return None
        three_way = ThreeWay(self._source, self._hypothesis, self._costs, self._limits.pairs, self._limits.aligned)
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


def _make_tree(found: list[ColumnCounts], sizes: list[int]) -> Mixtures:
    """Make every beginning a class of its own; the counts of whole references are added by the last site."""
    none = (0,) * (2 * COUNTS_PER_SYSTEM)
    if not sizes:
        return Mixtures(found[0], [])
    steps = []
    classes = 1
    for size in sizes[:-1]:
        steps.append([[Step(number * size + variant, none) for variant in range(size)] for number in range(classes)])
        classes *= size
    size = sizes[-1]
    steps.append([[Step(0, counts) for counts in found[number * size : (number + 1) * size]] for number in range(classes)])
    return Mixtures(none, steps)
