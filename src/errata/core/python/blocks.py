"""All references that mix the corrections of a sentence, scored without listing them; twin of ``native/blocks.hpp``."""

from __future__ import annotations

from functools import cached_property
from itertools import pairwise, product, takewhile
from math import prod
from typing import TYPE_CHECKING, NamedTuple

from errata.core.python.certificate import Certificate
from errata.core.python.limits import MOST_ALIGNED, MOST_BOUNDS, MOST_CELLS, name_sentence
from errata.core.python.pairwise import Costs, Pairwise
from errata.core.python.reference_graph import Branch
from errata.core.python.three_way import ThreeWay
from errata.corpus import Tokens

if TYPE_CHECKING:
    from collections.abc import Iterable

_Counts = tuple[int, ...]
_Site = tuple[int, int, tuple[Tokens, ...]]
_HALF = 9


class _Cut(NamedTuple):
    """A point before a site."""

    site: int
    p: int
    q: int


class _Block(NamedTuple):
    first: int
    last: int
    counts: list[_Counts]
    """Of each choice of variants, the last site changing fastest; and the text and least costs of each."""
    branches: list[Branch]


class _Limits(NamedTuple):
    choices: int
    cells: int
    bounds: int
    aligned: int


class MixedReferences:
    """All references that mix variants of text, scored without listing them."""

    def __init__(  # noqa: PLR0913 - as in the core
        self,
        sentences: list[tuple[Tokens, tuple[_Site, ...]]],
        gap: int,
        mismatch: int,
        realigned: bool,  # noqa: FBT001 - as in the core
        most_choices: int,
        *,
        most_cells: int = MOST_CELLS,
        most_bounds: int = MOST_BOUNDS,
        most_aligned: int = MOST_ALIGNED,
    ) -> None:
        self._costs = Costs.checked(gap, mismatch)
        self._limits = _Limits(most_choices, most_cells, most_bounds, most_aligned)
        self._sentences = [(source, sites) for source, sites in sentences]
        for source, sites in self._sentences:
            _check(sites, len(source))
        self._baselines: list[list[_Block]] | None = None
        if realigned:
            self._baselines = [self._solve(number, source, [True] * len(sites)) for number, (source, sites) in enumerate(self._sentences)]

    def blocks(self, first: int, hypotheses: list[Tokens]) -> list[list[tuple[int, int, list[tuple[int, _Counts]]]]]:
        """For consecutive sentences from `first` on their independent blocks: first site, site behind the last, and of every choice \
of variants with counts of its own its number (the last site changes fastest) and counts.  A sentence that has too many \
choices, or takes too many cells, has no blocks.
        """
        if first + len(hypotheses) > len(self._sentences):
            message = "more hypotheses than sentences"
            raise IndexError(message)
        return [
            [(block.first, block.last, _distinct(block.counts)) for block in self._blocks(number, hypothesis)]
            for number, hypothesis in enumerate(hypotheses, start=first)
        ]

    def _blocks(self, number: int, hypothesis: Tokens) -> list[_Block]:
        sites = self._sentences[number][1]
        if self._baselines is None:
            return self._solve(number, hypothesis, [True] * len(sites))
        baseline = self._baselines[number]
        if not baseline:
            return []
        starts = {block.first for block in baseline}
        blocks = self._solve(number, hypothesis, [site in starts for site in range(len(sites))])
        return [block._replace(counts=_with_baseline(block, baseline, sites)) for block in blocks]

    def _solve(self, number: int, hypothesis: Tokens, may_cut: list[bool]) -> list[_Block]:
        source, sites = self._sentences[number]
        with name_sentence(number + 1):
            return _Solver(source, hypothesis, sites, self._costs, self._limits).solve(may_cut)


def _check(sites: tuple[_Site, ...], length: int) -> None:
    before = 0
    for start, end, variants in sites:
        if not before <= start <= end <= length:
            message = "sites must lie in the sentence, in order and apart"
            raise ValueError(message)
        if not variants:
            message = "a site must have a variant"
            raise ValueError(message)
        before = end


class _Solver:
    """One sentence with one hypothesis."""

    def __init__(self, source: Tokens, hypothesis: Tokens, sites: tuple[_Site, ...], costs: Costs, limits: _Limits) -> None:
        self._source = source
        self._hypothesis = hypothesis
        self._sites = sites
        self._costs = costs
        self._limits = limits
        self._visited = 0

    def solve(self, may_cut: list[bool]) -> list[_Block]:
        """The blocks, where cuts are allowed before some sites; nothing where the sentence has too many choices or takes too many cells."""
        first, last = _Cut(0, 0, 0), _Cut(len(self._sites), len(self._source), len(self._hypothesis))
        cuts = [first, *self._candidates(may_cut), last]
        blocks = self._lay_out(cuts)
        if not blocks or len(cuts) == 2:  # noqa: PLR2004 - only the ends
            return blocks
        missing = self._least_missing(blocks, cuts)
        kept = [cut for cut, least in zip(cuts[1:-1], missing, strict=True) if least > 0]
        return blocks if len(kept) == len(cuts) - 2 else self._lay_out([first, *kept, last])

    @cached_property
    def _pairs(self) -> Pairwise:
        return Pairwise(self._source, self._hypothesis, self._costs)

    def _candidates(self, may_cut: list[bool]) -> list[_Cut]:
        """Between two sites the point with most equal words around it, of those that every optimal alignment goes through."""
        source, hypothesis = self._source, self._hypothesis
        cuts = []
        for site in range(1, len(self._sites)):
            start, end = self._sites[site - 1][1], self._sites[site][0]
            best, most = _Cut(0, 0, 0), (-1, -1)
            for p in range(start, end + 1) if may_cut[site] else ():
                q = p if source == hypothesis else self._pairs.only_crossing(p)
                if q is None:
                    continue
                before = _run((source[p - 1 - k], hypothesis[q - 1 - k]) for k in range(min(p - start, q)))
                after = _run((source[p + k], hypothesis[q + k]) for k in range(min(end - p, len(hypothesis) - q)))
                if (min(before, after), before + after) > most:
                    best, most = _Cut(site, p, q), (min(before, after), before + after)
            if most >= (0, 0):
                cuts.append(best)
        return cuts

    def _lay_out(self, cuts: list[_Cut]) -> list[_Block]:
        """The counts, texts and least costs of every block."""
        blocks = []
        for start, end in pairwise(cuts):
            inner = self._sites[start.site : end.site]
            if prod(len(variants) for _, _, variants in inner) > self._limits.choices:
                return []
            block = _Block(start.site, end.site, [], [])
            source, hypothesis = self._source[start.p : end.p], self._hypothesis[start.q : end.q]
            three_way = ThreeWay(source, hypothesis, self._costs, self._limits.aligned)
            for choice in product(*(variants for _, _, variants in inner)):
                text = self._text(start, end, choice)
                aligned = three_way.align(text)
                self._visited += aligned.visited
                if self._visited > self._limits.cells:
                    return []
                block.counts.append(three_way.classes(aligned, text))
                block.branches.append(Branch(text, aligned.cost, aligned.with_source, aligned.with_hypothesis))
            blocks.append(block)
        return blocks

    def _text(self, start: _Cut, end: _Cut, choice: tuple[Tokens, ...]) -> Tokens:
        """What a reference has between two cuts."""
        words: list[str] = []
        at = start.p
        for (first, last, _), variant in zip(self._sites[start.site : end.site], choice, strict=True):
            words += (*self._source[at:first], *variant)
            at = last
        return (*words, *self._source[at : end.p])

    def _least_missing(self, blocks: list[_Block], cuts: list[_Cut]) -> list[int]:
        """For each inner cut the least reduced cost of an alignment that misses it; 0 where that takes too much to find out."""
        graph = [block.branches for block in blocks]
        words = sum(len(branch.words) + 1 for branches in graph for branch in branches)
        first = None
        if words * (len(self._source) + len(self._hypothesis) + 2) <= self._limits.bounds:
            least = 0 if self._source == self._hypothesis else self._pairs.least
            certificate = Certificate(self._source, self._hypothesis, graph, least, self._costs)
            first = certificate.least_missing([(cut.p, cut.q) for cut in cuts], self._limits.cells)
        return [0] * (len(cuts) - 2) if first is None else first


def _run(pairs: Iterable[tuple[str, str]]) -> int:
    """How many pairs are equal before the first that is not."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def _with_baseline(block: _Block, baseline: list[_Block], sites: tuple[_Site, ...]) -> list[_Counts]:
    """The counts of the source in the place of the hypothesis, taken from blocks of the source's own alignment."""
    result = []
    for choice, counts in enumerate(block.counts):
        total = [0] * _HALF
        for part in baseline:
            if block.first <= part.first and part.last <= block.last:
                step = prod(len(variants) for _, _, variants in sites[part.last : block.last])
                total = [one + other for one, other in zip(total, part.counts[choice // step % len(part.counts)], strict=False)]
        result.append((*counts[:_HALF], *total))
    return result


def _distinct(counts: list[_Counts]) -> list[tuple[int, _Counts]]:
    """The first choice of every row of counts."""
    first: dict[_Counts, int] = {}
    for choice, row in enumerate(counts):
        first.setdefault(row, choice)
    return [(choice, row) for row, choice in first.items()]
