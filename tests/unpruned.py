"""The rules behind I-measure written out: every cell of the cube of three sentences.

The core and its twin leave out what bounds exclude; nothing is left out here, so that it shows whether they may.
"""

from __future__ import annotations

from math import inf

Tokens = tuple[str, ...]
Counts = tuple[int, ...]
Costs = tuple[int, int]
_Cell = tuple[int, int, int]

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
