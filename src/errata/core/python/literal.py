"""The best sequence of edits with the official scorer's own arcs, weights, order and sums; twin of ``native/literal.hpp``."""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING

from errata.core.python.one_pass import PathEdit
from errata.core.python.stored_arcs import StoredArc, list_stored_arcs

if TYPE_CHECKING:
    from errata.core.python.gold_arcs import GoldArcs
    from errata.core.python.levenshtein import Lattice

EPSILON = 0.001

_Vertex = tuple[int, int]


def search_literally(lattice: Lattice, gold: GoldArcs, max_unchanged: int, most_arcs: int) -> tuple[list[PathEdit] | None, int]:
    """Follow the official scorer: Bellman-Ford over its arcs in its order; only a strictly smaller sum replaces another.

    None if there are more arcs than ``most_arcs``.  Also returns the visited arcs: about ten times to find and sort them, then once in
    each round of Bellman-Ford.
    """
    arcs: dict[tuple[_Vertex, _Vertex], StoredArc] = {}
    entries = 0
    for vertex in lattice:
        for to, arc in list_stored_arcs(lattice, vertex, lattice.last, max_unchanged).items():
            arcs[vertex, to] = arc
            entries += len(arc.through) or 1
        if entries > most_arcs:
            return None, 0
    stored = sum(arc.copies for arc in arcs.values())
    weights = {ends: _weight(ends, arc, gold, stored) for ends, arc in arcs.items()}
    units = sorted(ends for ends, arc in arcs.items() if not arc.through)
    phrases = sorted((through, ends) for ends, arc in arcs.items() for through in arc.through)
    steps, rounds = _bellman_ford([*units, *(ends for _, ends in phrases)], weights)
    edits: list[PathEdit] = []
    vertex = lattice.last
    while vertex != (0, 0):
        before = steps[vertex]
        arc = arcs[before, vertex]
        if arc.changes:
            is_gold = before in gold.arcs.get(vertex, ())
            edits.append(PathEdit(before[0], vertex[0], before[1], vertex[1], gold=is_gold, units=0 if is_gold else arc.units))
        vertex = before
    return edits[::-1], (10 + rounds) * entries


def _weight(ends: tuple[_Vertex, _Vertex], arc: StoredArc, gold: GoldArcs, stored: int) -> float:
    if arc.changes and ends[0] in gold.arcs.get(ends[1], ()):
        return -float(stored)
    weight = float(arc.units)
    if arc.changes:
        for _ in range(arc.copies):
            weight += EPSILON
    return weight


def _bellman_ford(
    order: list[tuple[_Vertex, _Vertex]], weights: dict[tuple[_Vertex, _Vertex], float]
) -> tuple[dict[_Vertex, _Vertex], int]:
    sums: dict[_Vertex, float] = {(0, 0): 0.0}
    steps: dict[_Vertex, _Vertex] = {}
    changed = True
    rounds = 0
    while changed:
        changed = False
        rounds += 1
        for before, to in order:
            total = sums.get(before, inf) + weights[before, to]
            if total < sums.get(to, inf):
                sums[to], steps[to] = total, before
                changed = True
    return steps, rounds
