"""All references that mix the corrections of a sentence, scored without listing them; twin of ``native/blocks.hpp``.

The graph of all references is walked whole here, where the core leaves out what its bounds exclude.
"""

from __future__ import annotations

from itertools import pairwise, product, takewhile
from math import inf, prod
from typing import TYPE_CHECKING, NamedTuple

from errata.core.python.three_way import check_costs, column_cost, counts_and_cost

if TYPE_CHECKING:
    from collections.abc import Iterable

_Tokens = tuple[str, ...]
_Counts = tuple[int, ...]
_Site = tuple[int, int, tuple[_Tokens, ...]]
_Layer = dict[tuple[int, int], float]
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
    words: list[_Tokens]
    """The text of each choice, and the least cost of aligning it inside the block."""
    least: list[int]


class MixedReferences:
    """All references that mix variants of text, scored without listing them."""

    def __init__(
        self,
        sentences: list[tuple[_Tokens, tuple[_Site, ...]]],
        gap: int,
        mismatch: int,
        realigned: bool,  # noqa: FBT001 - as in the core
        most_choices: int,
    ) -> None:
        check_costs(gap, mismatch)
        self._sentences = [(source, sites) for source, sites in sentences]
        for source, sites in self._sentences:
            _check(sites, len(source))
        self._costs = (gap, mismatch)
        self._most = most_choices
        self._baselines = (
            [_solve(source, source, sites, [True] * len(sites), self._costs, most_choices) for source, sites in self._sentences]
            if realigned
            else None
        )

    def blocks(self, first: int, hypotheses: list[_Tokens]) -> list[list[tuple[int, int, list[tuple[int, _Counts]]]]]:
        """For consecutive sentences from `first` on their independent blocks: first site, site behind the last, and of every choice \
of variants with counts of its own its number (the last site changes fastest) and counts.  A sentence that has too many \
choices has no blocks.
        """
        if first + len(hypotheses) > len(self._sentences):
            message = "more hypotheses than sentences"
            raise IndexError(message)
        result = []
        for number, hypothesis in enumerate(hypotheses, start=first):
            source, sites = self._sentences[number]
            may_cut = [True] * len(sites)
            baseline = self._baselines[number] if self._baselines is not None else None
            if baseline is not None:
                may_cut = [site in {block.first for block in baseline} for site in range(len(sites))]
            found = _solve(source, hypothesis, sites, may_cut, self._costs, self._most) if baseline is None or baseline else []
            if baseline is not None:
                found = [block._replace(counts=_with_baseline(block, baseline, sites)) for block in found]
            result.append([(block.first, block.last, _distinct(block.counts)) for block in found])
        return result


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


def _solve(
    source: _Tokens, hypothesis: _Tokens, sites: tuple[_Site, ...], may_cut: list[bool], costs: tuple[int, int], most: int
) -> list[_Block]:
    first, last = _Cut(0, 0, 0), _Cut(len(sites), len(source), len(hypothesis))
    cuts = [first, *_candidates(source, hypothesis, sites, may_cut, costs), last]
    blocks = _lay_out(source, hypothesis, sites, cuts, costs, most)
    if not blocks or len(cuts) == 2:  # noqa: PLR2004 - only the ends
        return blocks
    entered = _walk(source, hypothesis, blocks, costs)
    left = _walk(source[::-1], hypothesis[::-1], [_reversed(block) for block in reversed(blocks)], costs)[::-1]
    missing = [_least_missing(source, hypothesis, entered[b], left[b], cuts[b], costs) for b in range(1, len(cuts) - 1)]
    kept = [first, *(cut for cut, least in zip(cuts[1:-1], missing, strict=True) if least > 0), last]
    return blocks if len(kept) == len(cuts) else _lay_out(source, hypothesis, sites, kept, costs, most)


def _candidates(source: _Tokens, hypothesis: _Tokens, sites: tuple[_Site, ...], may_cut: list[bool], costs: tuple[int, int]) -> list[_Cut]:
    """Between two sites the point with most equal words around it, of those that every optimal alignment goes through."""
    through = _through(source, hypothesis, *costs)
    cuts = [_Cut(0, 0, 0)]
    for site in range(1, len(sites)):
        start, end = sites[site - 1][1], sites[site][0]
        best, most = _Cut(0, 0, 0), (-1, -1)
        for p in range(start, end + 1) if may_cut[site] else ():
            optimal = [q for q in range(len(hypothesis) + 1) if through[p, q] == through[0, 0]]
            if len(optimal) > 1:
                continue
            q = optimal[0]
            before = _run((source[p - 1 - k], hypothesis[q - 1 - k]) for k in range(min(p - start, q)))
            after = _run((source[p + k], hypothesis[q + k]) for k in range(min(end - p, len(hypothesis) - q)))
            if (min(before, after), before + after) > most:
                best, most = _Cut(site, p, q), (min(before, after), before + after)
        if most >= (0, 0):
            cuts.append(best)
    return cuts[1:]


def _run(pairs: Iterable[tuple[str, str]]) -> int:
    """How many pairs are equal before the first that is not."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def _through(one: _Tokens, other: _Tokens, gap: int, mismatch: int) -> _Layer:
    """The least cost of aligning two sentences through every pair of positions."""

    def costs(left: _Tokens, right: _Tokens) -> _Layer:
        found: _Layer = {}
        for i in range(len(left) + 1):
            for j in range(len(right) + 1):
                options = [0.0] if i == j == 0 else []
                if i and j:
                    options.append(found[i - 1, j - 1] + (0 if left[i - 1] == right[j - 1] else mismatch))
                if i:
                    options.append(found[i - 1, j] + gap)
                if j:
                    options.append(found[i, j - 1] + gap)
                found[i, j] = min(options)
        return found

    forwards, backwards = costs(one, other), costs(one[::-1], other[::-1])
    return {(i, j): cost + backwards[len(one) - i, len(other) - j] for (i, j), cost in forwards.items()}


def _lay_out(
    source: _Tokens, hypothesis: _Tokens, sites: tuple[_Site, ...], cuts: list[_Cut], costs: tuple[int, int], most: int
) -> list[_Block]:
    """The counts, texts and least costs of every block."""
    blocks = []
    for start, end in pairwise(cuts):
        inner = sites[start.site : end.site]
        if prod(len(variants) for _, _, variants in inner) > most:
            return []
        block = _Block(start.site, end.site, [], [], [])
        for choice in product(*(variants for _, _, variants in inner)):
            words: list[str] = []
            at = start.p
            for (first, last, _), variant in zip(inner, choice, strict=True):
                words += (*source[at:first], *variant)
                at = last
            text = (*words, *source[at : end.p])
            counts, cost = counts_and_cost((source[start.p : end.p], hypothesis[start.q : end.q], text), *costs)
            block.counts.append(counts)
            block.words.append(text)
            block.least.append(cost)
        blocks.append(block)
    return blocks


def _reversed(block: _Block) -> _Block:
    return block._replace(words=[words[::-1] for words in block.words])


def _walk(source: _Tokens, hypothesis: _Tokens, blocks: list[_Block], costs: tuple[int, int]) -> list[_Layer]:
    """For each cut the least reduced cost of entering its layer at a cell by a token of the reference."""
    cells = [(i, j) for i in range(len(source) + 1) for j in range(len(hypothesis) + 1)]
    here: _Layer = dict.fromkeys(cells, inf)
    here[0, 0] = 0
    entered = [dict(here)]
    _relax(here, source, hypothesis, costs, None)
    for block in blocks:
        found: _Layer = dict.fromkeys(cells, inf)
        for words, least in zip(block.words, block.least, strict=True):
            layer = dict(here)
            for number, word in enumerate(words):
                layer = _take(layer, source, hypothesis, word, costs)
                if number + 1 < len(words):
                    _relax(layer, source, hypothesis, costs, None)
            for cell in cells:
                found[cell] = min(found[cell], layer[cell] - least)
        entered.append(dict(found))
        here = found
        _relax(here, source, hypothesis, costs, None)
    return entered


def _take(layer: _Layer, source: _Tokens, hypothesis: _Tokens, word: str, costs: tuple[int, int]) -> _Layer:
    """One token of the reference, from one layer to the next."""
    result: _Layer = {}
    for i, j in layer:
        options = []
        for s, h in ((1, 1), (1, 0), (0, 1), (0, 0)):
            if s <= i and h <= j:
                column = [source[i - 1] if s else None, hypothesis[j - 1] if h else None, word]
                options.append(layer[i - s, j - h] + column_cost(column, *costs))
        result[i, j] = min(options)
    return result


def _relax(layer: _Layer, source: _Tokens, hypothesis: _Tokens, costs: tuple[int, int], blocked: tuple[int, int] | None) -> None:
    """Columns without the reference, inside a layer; none goes through the point that is blocked."""
    for i, j in layer:
        for s, h in ((1, 1), (1, 0), (0, 1)):
            if s <= i and h <= j:
                column = [source[i - 1] if s else None, hypothesis[j - 1] if h else None, None]
                layer[i, j] = min(layer[i, j], layer[i - s, j - h] + column_cost(column, *costs))
        if (i, j) == blocked:
            layer[i, j] = inf


def _least_missing(source: _Tokens, hypothesis: _Tokens, entered: _Layer, left: _Layer, cut: _Cut, costs: tuple[int, int]) -> float:
    """The least reduced cost of an alignment that misses a cut."""
    layer = dict(entered)
    _relax(layer, source, hypothesis, costs, (cut.p, cut.q))
    return min(cost + left[len(source) - i, len(hypothesis) - j] for (i, j), cost in layer.items())


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
