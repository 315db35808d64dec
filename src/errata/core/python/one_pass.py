"""The best sequence of edits in one pass over the vertices of the lattice; twin of ``native/one_pass.hpp``.

Weights are whole numbers in thousandths of a unit arc.
The states of a vertex are explained in the C++ header.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from errata.core.python.levenshtein import DELETION, DIAGONAL, INSERTION

if TYPE_CHECKING:
    from errata.core.python.gold_arcs import GoldArcs
    from errata.core.python.levenshtein import Lattice

UNIT, GOLD_WEIGHT = 1000, 1 << 40
_MOST_STATES = 1 << 13
"""The core stores a state in 13 bits."""
_OUTSIDE, _DOUBLE_UNIT, _CHANGED = 0, 1, 2


class PathEdit(NamedTuple):
    """An edit of a path: a source span became a target span."""

    start: int
    end: int
    target_start: int
    target_end: int
    gold: bool
    """Whether the arc counts as a match."""
    units: int
    """The number of unit arcs; 0 for a gold arc."""


class Path(NamedTuple):
    """A best path."""

    edits: list[PathEdit]
    ambiguous: bool
    """Whether another path of the same weight has a different number of edits."""


class _Node(NamedTuple):
    weight: int
    fewest: int
    most: int
    vertex: tuple[int, int]
    state: int
    """The previous vertex and its state."""


def count_states(lattice: Lattice, max_unchanged: int) -> int:
    """Count the states of a vertex."""
    return 2 * min(max_unchanged, *lattice.last) + 3


def search_in_one_pass(lattice: Lattice, gold: GoldArcs, max_unchanged: int, most_steps: int) -> Path:
    """Find a best path."""
    limit = min(max_unchanged, *lattice.last)
    states = count_states(lattice, max_unchanged)
    if states > _MOST_STATES or lattice.slots * states > most_steps:
        message = "source and output have too many tokens for this max_unchanged: more than a gigabyte of memory"
        raise OverflowError(message)
    nodes: dict[tuple[int, int], dict[int, _Node]] = {}
    for vertex in lattice:
        here: dict[int, _Node] = {}
        nodes[vertex] = here
        i, j = vertex
        if vertex == (0, 0):
            here[_OUTSIDE] = _Node(0, 0, 0, vertex, _OUTSIDE)
            continue
        for kind, before in ((DIAGONAL, (i - 1, j - 1)), (DELETION, (i - 1, j)), (INSERTION, (i, j - 1))):
            copies = lattice.copies(i, j, kind)
            if copies:
                kept = kind == DIAGONAL and lattice.keeps(i, j)
                for state, node in sorted(nodes[before].items()):
                    for to_state in _next_states(state, copies, limit, kept=kept):
                        _relax(here, to_state, _Node(node.weight + UNIT, node.fewest, node.most, before, state))
        for state, node in sorted(here.items()):
            if state == _DOUBLE_UNIT or _CHANGED <= state <= _CHANGED + limit:
                epsilon = 2 if state == _DOUBLE_UNIT else 1
                _relax(here, _OUTSIDE, _Node(node.weight + epsilon, node.fewest + 1, node.most + 1, vertex, state))
        for before in sorted(gold.arcs.get(vertex, ())):
            node = nodes[before][_OUTSIDE]
            _relax(here, _OUTSIDE, _Node(node.weight - GOLD_WEIGHT, node.fewest + 1, node.most + 1, before, _OUTSIDE))
    last = nodes[lattice.last][_OUTSIDE]
    return Path(_trace(nodes, lattice.last), last.fewest != last.most)


def _next_states(state: int, copies: int, limit: int, *, kept: bool) -> list[int]:
    """List the states that one unit arc leads to: changed(k) is _CHANGED + k, unchanged(k) is _CHANGED + limit + k."""
    most_changed = _CHANGED + limit
    if kept:
        if state == _OUTSIDE:
            return [_OUTSIDE, most_changed + 1] if limit else [_OUTSIDE]
        if state == _DOUBLE_UNIT:
            return [_CHANGED + 1] if limit else []
        within = state < most_changed or most_changed < state < most_changed + limit
        return [state + 1] if within else []
    if state == _OUTSIDE:
        return [_DOUBLE_UNIT if copies > 1 else _CHANGED]
    if state == _DOUBLE_UNIT:
        return [_CHANGED]
    return [state if state <= most_changed else state - limit]


def _relax(here: dict[int, _Node], state: int, candidate: _Node) -> None:
    best = here.get(state)
    if best is None or candidate.weight < best.weight:
        here[state] = candidate
    elif candidate.weight == best.weight:
        here[state] = best._replace(fewest=min(best.fewest, candidate.fewest), most=max(best.most, candidate.most))


def _trace(nodes: dict[tuple[int, int], dict[int, _Node]], last: tuple[int, int]) -> list[PathEdit]:
    edits: list[PathEdit] = []
    vertex, state, end, units = last, _OUTSIDE, last, 0
    while vertex != (0, 0) or state != _OUTSIDE:
        node = nodes[vertex][state]
        before = nodes[node.vertex][node.state]
        if node.weight < before.weight:
            edits.append(PathEdit(node.vertex[0], vertex[0], node.vertex[1], vertex[1], gold=True, units=0))
        elif node.vertex == vertex:
            end, units = vertex, 0
        else:
            units += 1
            if state != _OUTSIDE and node.state == _OUTSIDE:
                edits.append(PathEdit(node.vertex[0], end[0], node.vertex[1], end[1], gold=False, units=units))
        vertex, state = node.vertex, node.state
    return edits[::-1]
