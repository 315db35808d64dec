"""The rules behind I-measure written out: every cell of the cube of three sentences, and every cell of the graph of all references.

The core and its twin leave out what bounds exclude; nothing is left out here, so that it shows whether they may.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise, product, takewhile
from math import inf
from typing import NamedTuple

Tokens = tuple[str, ...]
Counts = tuple[int, ...]
Site = tuple[int, int, tuple[Tokens, ...]]
Costs = tuple[int, int]
_Cell = tuple[int, int, int]
_Layer = dict[tuple[int, int], float]

MOVES: tuple[_Cell, ...] = ((1, 1, 1), (1, 1, 0), (1, 0, 1), (0, 1, 1), (1, 0, 0), (0, 1, 0), (0, 0, 1))


def counts_and_cost(sentences: tuple[Tokens, Tokens, Tokens], costs: Costs) -> tuple[Counts, int]:
    """The classes of the columns, of the hypothesis and of the source in its place, and what the alignment costs."""
    moves, cost = aligned(sentences, costs)
    system, unchanged = [0] * 9, [0] * 9
    tokens = [iter(sentence) for sentence in sentences]
    for move in moves:
        source, hypothesis, reference = (next(row) if taken else None for row, taken in zip(tokens, move, strict=True))
        _count(system, source, hypothesis, reference)
        if source is not None or reference is not None:
            _count(unchanged, source, source, reference)
    return (*system, *unchanged), cost


def column_cost(column: list[str | None], gap: int, mismatch: int) -> int:
    """The sum over the pairs of a column."""
    source, hypothesis, reference = column
    pairs = ((source, hypothesis), (source, reference), (hypothesis, reference))
    return sum(0 if one == other else gap if one is None or other is None else mismatch for one, other in pairs)


def aligned(sentences: tuple[Tokens, Tokens, Tokens], costs: Costs) -> tuple[list[_Cell], int]:
    """The columns of the preferred alignment, and its cost."""
    best: dict[_Cell, float] = {(0, 0, 0): 0}

    def by(cell: _Cell, move: _Cell) -> float:
        before = (cell[0] - move[0], cell[1] - move[1], cell[2] - move[2])
        if min(before) < 0:
            return inf
        column = [sentence[place - 1] if taken else None for sentence, place, taken in zip(sentences, cell, move, strict=True)]
        return best[before] + column_cost(column, *costs)

    last = (len(sentences[0]), len(sentences[1]), len(sentences[2]))
    for i in range(last[0] + 1):
        for j in range(last[1] + 1):
            for k in range(last[2] + 1):
                if (i, j, k) != (0, 0, 0):
                    best[i, j, k] = min(by((i, j, k), move) for move in MOVES)
    moves = []
    cell = last
    while cell != (0, 0, 0):
        move = next(move for move in MOVES if by(cell, move) == best[cell])
        moves.append(move)
        cell = (cell[0] - move[0], cell[1] - move[1], cell[2] - move[2])
    return moves[::-1], int(best[last])


def _count(counts: list[int], source: str | None, hypothesis: str | None, reference: str | None) -> None:
    """Table 6 of the paper: tp tn fp fn of detection, tp tn fp fn fpn of correction."""
    if source == hypothesis == reference:
        classes = (1, 5)
    elif source == hypothesis:
        classes = (3, 7)
    elif source == reference:
        classes = (2, 6)
    elif hypothesis == reference:
        classes = (0, 4)
    else:
        for place in (0, 6, 7, 8):
            counts[place] += 1
        return
    for place in classes:
        counts[place] += 1


class _Cut(NamedTuple):
    site: int
    p: int
    q: int


class Block(NamedTuple):
    """Sites from the first to before the last, and of every choice of their variants the counts, the text and the least cost."""

    first: int
    last: int
    counts: list[Counts]
    words: list[Tokens]
    least: list[int]


def blocks_of(source: Tokens, hypothesis: Tokens, sites: tuple[Site, ...], costs: Costs) -> list[Block]:
    """The independent blocks of a sentence, with cuts allowed before every site."""
    first, last = _Cut(0, 0, 0), _Cut(len(sites), len(source), len(hypothesis))
    cuts = [first, *_candidates(source, hypothesis, sites, costs), last]
    blocks = _lay_out(source, hypothesis, sites, cuts, costs)
    if len(cuts) == 2:  # only the ends
        return blocks
    entered = _walk(source, hypothesis, blocks, costs)
    left = _walk(source[::-1], hypothesis[::-1], [_reversed(block) for block in reversed(blocks)], costs)[::-1]
    missing = [_least_missing(source, hypothesis, entered[b], left[b], cuts[b], costs) for b in range(1, len(cuts) - 1)]
    kept = [first, *(cut for cut, least in zip(cuts[1:-1], missing, strict=True) if least > 0), last]
    return blocks if len(kept) == len(cuts) else _lay_out(source, hypothesis, sites, kept, costs)


def _candidates(source: Tokens, hypothesis: Tokens, sites: tuple[Site, ...], costs: Costs) -> list[_Cut]:
    """Between two sites the point with most equal words around it, of those that every optimal alignment goes through."""
    through = _through(source, hypothesis, *costs)
    cuts = [_Cut(0, 0, 0)]
    for site in range(1, len(sites)):
        start, end = sites[site - 1][1], sites[site][0]
        best, most = _Cut(0, 0, 0), (-1, -1)
        for p in range(start, end + 1):
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


def _through(one: Tokens, other: Tokens, gap: int, mismatch: int) -> _Layer:
    """The least cost of aligning two sentences through every pair of positions."""

    def costs(left: Tokens, right: Tokens) -> _Layer:
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


def _lay_out(source: Tokens, hypothesis: Tokens, sites: tuple[Site, ...], cuts: list[_Cut], costs: Costs) -> list[Block]:
    """The counts, texts and least costs of every block."""
    blocks = []
    for start, end in pairwise(cuts):
        inner = sites[start.site : end.site]
        block = Block(start.site, end.site, [], [], [])
        for choice in product(*(variants for _, _, variants in inner)):
            words: list[str] = []
            at = start.p
            for (first, last, _), variant in zip(inner, choice, strict=True):
                words += (*source[at:first], *variant)
                at = last
            text = (*words, *source[at : end.p])
            counts, cost = counts_and_cost((source[start.p : end.p], hypothesis[start.q : end.q], text), costs)
            block.counts.append(counts)
            block.words.append(text)
            block.least.append(cost)
        blocks.append(block)
    return blocks


def _reversed(block: Block) -> Block:
    return block._replace(words=[words[::-1] for words in block.words])


def _walk(source: Tokens, hypothesis: Tokens, blocks: list[Block], costs: Costs) -> list[_Layer]:
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


def _take(layer: _Layer, source: Tokens, hypothesis: Tokens, word: str, costs: Costs) -> _Layer:
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


def _relax(layer: _Layer, source: Tokens, hypothesis: Tokens, costs: Costs, blocked: tuple[int, int] | None) -> None:
    """Columns without the reference, inside a layer; none goes through the point that is blocked."""
    for i, j in layer:
        for s, h in ((1, 1), (1, 0), (0, 1)):
            if s <= i and h <= j:
                column = [source[i - 1] if s else None, hypothesis[j - 1] if h else None, None]
                layer[i, j] = min(layer[i, j], layer[i - s, j - h] + column_cost(column, *costs))
        if (i, j) == blocked:
            layer[i, j] = inf


def _least_missing(source: Tokens, hypothesis: Tokens, entered: _Layer, left: _Layer, cut: _Cut, costs: Costs) -> float:
    """The least reduced cost of an alignment that misses a cut."""
    layer = dict(entered)
    _relax(layer, source, hypothesis, costs, (cut.p, cut.q))
    return min(cost + left[len(source) - i, len(hypothesis) - j] for (i, j), cost in layer.items())
