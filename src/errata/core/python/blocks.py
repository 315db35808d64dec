"""All mixtures of the corrections of a sentence, scored without listing them; twin of ``native/blocks.hpp``."""

from __future__ import annotations

from functools import cached_property
from itertools import pairwise, product, takewhile
from math import prod
from typing import TYPE_CHECKING, NamedTuple

from errata.core.python.certificate import Certificate
from errata.core.python.limits import MOST_ALIGNED, MOST_BOUNDS, MOST_CELLS, MOST_PAIRS, name_sentence
from errata.core.python.pairwise import Costs, Pairwise
from errata.core.python.reference_graph import Branch
from errata.core.python.three_way import ThreeWay, check_pairs
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
    """The counts, and below the texts and least costs, of each choice of variants; the last site changes fastest."""
    branches: list[Branch]


class _Limits(NamedTuple):
    choices: int
    cells: int
    bounds: int
    pairs: int
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
        most_pairs: int = MOST_PAIRS,
        most_aligned: int = MOST_ALIGNED,
    ) -> None:
        self._costs = Costs.checked(gap, mismatch)
        self._limits = _Limits(most_choices, most_cells, most_bounds, most_pairs, most_aligned)
        self._sentences = [(source, sites) for source, sites in sentences]
        for source, sites in self._sentences:
            _check(sites, len(source))
        self._baselines: list[list[_Block]] | None = None
        if realigned:
            self._baselines = [self._solve(number, source, [True] * len(sites)) for number, (source, sites) in enumerate(self._sentences)]

    def blocks(self, first: int, hypotheses: list[Tokens]) -> list[list[tuple[int, int, list[tuple[int, _Counts]]]]]:
        """List the independent blocks of consecutive sentences from `first`: first site, site after the last, and the number and counts \
of every choice of variants with distinct counts (the last site changes fastest).  A sentence with too many choices or cells has \
no blocks.
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
            message = "sites must be inside the sentence, in order, without overlap"
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
        self._work = 0

    def solve(self, may_cut: list[bool]) -> list[_Block]:
        """Find the blocks; ``may_cut`` says before which sites cuts are allowed.  None if there are too many choices or cells."""
        check_pairs((len(self._source) + 1) * (len(self._hypothesis) + 1), self._limits.pairs)
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
        """Find between two sites the point with the most equal words around it, of those in every optimal alignment."""
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
        """Compute the counts, texts and least costs of every block."""
        blocks = []
        for start, end in pairwise(cuts):
            inner = self._sites[start.site : end.site]
            if prod(len(variants) for _, _, variants in inner) > self._limits.choices:
                return []
            block = _Block(start.site, end.site, [], [])
            source, hypothesis = self._source[start.p : end.p], self._hypothesis[start.q : end.q]
            three_way = ThreeWay(source, hypothesis, self._costs, self._limits.pairs, self._limits.aligned)
            for choice in product(*(variants for _, _, variants in inner)):
                text = self._text(start, end, choice)
                aligned = three_way.align(text, self._limits.cells - self._work)
                if aligned is None:
                    return []
                self._work += aligned.work
                block.counts.append(three_way.classes(aligned, text))
                block.branches.append(Branch(text, aligned.cost, aligned.with_source, aligned.with_hypothesis))
            blocks.append(block)
        return blocks

    def _text(self, start: _Cut, end: _Cut, choice: tuple[Tokens, ...]) -> Tokens:
        """Make the text of a reference between two cuts."""
        words: list[str] = []
        at = start.p
        for (first, last, _), variant in zip(self._sites[start.site : end.site], choice, strict=True):
            words += (*self._source[at:first], *variant)
            at = last
        return (*words, *self._source[at : end.p])

    def _least_missing(self, blocks: list[_Block], cuts: list[_Cut]) -> list[int]:
        """Compute for each inner cut the least reduced cost of an alignment that misses it; 0 if it takes too much."""
        graph = [block.branches for block in blocks]
        words = sum(len(branch.words) + 1 for branches in graph for branch in branches)
        first = None
        if words * (len(self._source) + len(self._hypothesis) + 2) <= self._limits.bounds:
            least = 0 if self._source == self._hypothesis else self._pairs.least
            certificate = Certificate(self._source, self._hypothesis, graph, least, self._costs)
            first = certificate.least_missing([(cut.p, cut.q) for cut in cuts], self._limits.cells)
        return [0] * (len(cuts) - 2) if first is None else first


def _run(pairs: Iterable[tuple[str, str]]) -> int:
    """Count the equal pairs before the first that differs."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def _with_baseline(block: _Block, baseline: list[_Block], sites: tuple[_Site, ...]) -> list[_Counts]:
    """Replace the counts of the baseline by those of the realigned source."""
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
    """List the first choice of every distinct row of counts."""
    first: dict[_Counts, int] = {}
    for choice, row in enumerate(counts):
        first.setdefault(row, choice)
    return [(choice, row) for row, choice in first.items()]
