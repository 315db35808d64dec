"""Exact alignment of source, hypothesis and reference, and the classes of its columns; twin of ``native/three_way.hpp``."""

from __future__ import annotations

from math import inf

_MOVES = ((1, 1, 1), (1, 1, 0), (1, 0, 1), (0, 1, 1), (1, 0, 0), (0, 1, 0), (0, 0, 1))
"""Columns in the order of preference: which of source, hypothesis and reference have a token."""

_Cell = tuple[int, int, int]


def three_way_counts(
    source: tuple[str, ...], hypothesis: tuple[str, ...], references: tuple[tuple[str, ...], ...], gap: int, mismatch: int
) -> list[tuple[int, ...]]:
    """For each reference the classes of the columns of an exact alignment, of the hypothesis and of the source in its place."""
    if not 2 * gap > mismatch > gap > 0:
        message = "costs must satisfy 2 * gap > mismatch > gap > 0"
        raise ValueError(message)
    return [_counts((source, hypothesis, reference), gap, mismatch) for reference in references]


def _counts(sentences: tuple[tuple[str, ...], ...], gap: int, mismatch: int) -> tuple[int, ...]:
    best: dict[_Cell, float] = {(0, 0, 0): 0}

    def column(cell: _Cell, move: _Cell) -> list[str | None]:
        return [sentence[place - 1] if taken else None for sentence, place, taken in zip(sentences, cell, move, strict=True)]

    def by(cell: _Cell, move: _Cell) -> float:
        before = (cell[0] - move[0], cell[1] - move[1], cell[2] - move[2])
        if min(before) < 0:
            return inf
        source, hypothesis, reference = column(cell, move)
        pairs = ((source, hypothesis), (source, reference), (hypothesis, reference))
        return best[before] + sum(0 if one == other else gap if one is None or other is None else mismatch for one, other in pairs)

    last = (len(sentences[0]), len(sentences[1]), len(sentences[2]))
    for i in range(last[0] + 1):
        for j in range(last[1] + 1):
            for k in range(last[2] + 1):
                if (i, j, k) != (0, 0, 0):
                    best[i, j, k] = min(by((i, j, k), move) for move in _MOVES)
    system, unchanged = [0] * 9, [0] * 9
    cell = last
    while cell != (0, 0, 0):
        move = next(move for move in _MOVES if by(cell, move) == best[cell])
        source, hypothesis, reference = column(cell, move)
        _count(system, source, hypothesis, reference)
        if source is not None or reference is not None:
            _count(unchanged, source, source, reference)
        cell = (cell[0] - move[0], cell[1] - move[1], cell[2] - move[2])
    return (*system, *unchanged)


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
