"""Exact alignment of source, hypothesis and reference, and the classes of its columns; twin of ``native/three_way.hpp``."""

from __future__ import annotations

from math import inf

_Cell = tuple[int, int, int]

MOVES: tuple[_Cell, ...] = ((1, 1, 1), (1, 1, 0), (1, 0, 1), (0, 1, 1), (1, 0, 0), (0, 1, 0), (0, 0, 1))
"""Columns in the order of preference: which of source, hypothesis and reference have a token."""


def check_costs(gap: int, mismatch: int) -> None:
    """Raise unless costs keep gaps aligned."""
    if not 2 * gap > mismatch > gap > 0:
        message = "costs must satisfy 2 * gap > mismatch > gap > 0"
        raise ValueError(message)


def three_way_counts(
    source: tuple[str, ...], hypothesis: tuple[str, ...], references: tuple[tuple[str, ...], ...], gap: int, mismatch: int
) -> list[tuple[int, ...]]:
    """For each reference the classes of the columns of an exact alignment, of the hypothesis and of the source in its place."""
    check_costs(gap, mismatch)
    return [counts_and_cost((source, hypothesis, reference), gap, mismatch)[0] for reference in references]


def three_way_columns(
    source: tuple[str, ...], hypothesis: tuple[str, ...], reference: tuple[str, ...], gap: int, mismatch: int
) -> tuple[list[tuple[bool, bool, bool]], int, int]:
    """Which of the three have a token in each column of an exact alignment; how many cells were visited, and of how many."""
    check_costs(gap, mismatch)
    moves, _ = _aligned((source, hypothesis, reference), gap, mismatch)
    cells = (len(source) + 1) * (len(hypothesis) + 1) * (len(reference) + 1)
    return [(bool(move[0]), bool(move[1]), bool(move[2])) for move in moves], cells, cells


def counts_and_cost(sentences: tuple[tuple[str, ...], ...], gap: int, mismatch: int) -> tuple[tuple[int, ...], int]:
    """The classes of the columns, of the hypothesis and of the source in its place, and what the alignment costs."""
    moves, cost = _aligned(sentences, gap, mismatch)
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


def _aligned(sentences: tuple[tuple[str, ...], ...], gap: int, mismatch: int) -> tuple[list[_Cell], int]:
    """The columns of the preferred alignment, and its cost."""
    best: dict[_Cell, float] = {(0, 0, 0): 0}

    def by(cell: _Cell, move: _Cell) -> float:
        before = (cell[0] - move[0], cell[1] - move[1], cell[2] - move[2])
        if min(before) < 0:
            return inf
        column = [sentence[place - 1] if taken else None for sentence, place, taken in zip(sentences, cell, move, strict=True)]
        return best[before] + column_cost(column, gap, mismatch)

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
