"""The edits between two token sequences, without gold; twin of ``native/alignment.hpp``."""

from __future__ import annotations

from math import inf

from errata.core.python.levenshtein import DELETION, DIAGONAL, INSERTION, Lattice


def align(source: tuple[str, ...], target: tuple[str, ...]) -> list[tuple[int, int, int, int]]:
    """Find the fewest edits of a shortest alignment: source span and target span of each."""
    lattice = Lattice(source, target)
    # The fewest edits up to a vertex, if the last arc kept a token (or the vertex is the first), and if it was a change.
    after_keep: dict[tuple[int, int], float] = {}
    after_change: dict[tuple[int, int], float] = {}

    def opened(vertex: tuple[int, int]) -> float:
        return min(after_keep[vertex] + 1, after_change[vertex])

    def changes_into(i: int, j: int) -> list[tuple[int, int]]:
        arcs = [
            (DIAGONAL if not (i and j and lattice.keeps(i, j)) else 0, (i - 1, j - 1)),
            (DELETION, (i - 1, j)),
            (INSERTION, (i, j - 1)),
        ]
        return [before for arc, before in arcs if lattice.in_first(i, j, arc)]

    for i, j in lattice:
        keeps = lattice.in_first(i, j, DIAGONAL) and lattice.keeps(i, j)
        after_keep[i, j] = min(after_keep[i - 1, j - 1], after_change[i - 1, j - 1]) if keeps else inf
        after_change[i, j] = min((opened(before) for before in changes_into(i, j)), default=inf)
        if i == j == 0:
            after_keep[i, j] = 0
    edits: list[tuple[int, int, int, int]] = []
    vertex = end = lattice.last
    inside = after_change[vertex] < after_keep[vertex]
    while vertex != (0, 0):
        if inside:
            vertex = next(before for before in changes_into(*vertex) if opened(before) == after_change[vertex])
            inside = after_change[vertex] == opened(vertex)
            if not inside:
                edits.append((vertex[0], end[0], vertex[1], end[1]))
        else:
            end = vertex = (vertex[0] - 1, vertex[1] - 1)
            inside = after_change[vertex] < after_keep[vertex]
    return edits[::-1]
