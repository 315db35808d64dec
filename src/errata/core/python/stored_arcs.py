"""The phrase edits that start at one vertex, as the official scorer stores them; twin of ``native/stored_arcs.hpp``."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from errata.core.python.levenshtein import DELETION, DIAGONAL, INSERTION

if TYPE_CHECKING:
    from errata.core.python.levenshtein import Lattice


class StoredArc(NamedTuple):
    """An arc of the transitive closure."""

    units: int
    """The number of its unit arcs, including kept tokens."""
    kept: int
    """The number of kept tokens."""
    copies: int
    """How often the official scorer stores it: each time that a shorter one is found, or once for each matrix."""
    changes: bool
    """Whether any of its unit arcs changes something."""
    through: tuple[tuple[int, int], ...] = ()
    """The middle vertices with which it was stored; none for a unit arc."""


def list_stored_arcs(
    lattice: Lattice, start: tuple[int, int], end: tuple[int, int], max_unchanged: int
) -> dict[tuple[int, int], StoredArc]:
    """List all arcs from ``start`` into the box up to ``end``, in the order of their last vertices.

    The predecessors of a vertex are taken in order, and only a strictly shorter arc replaces another.
    """
    arcs: dict[tuple[int, int], StoredArc] = {}
    reached: dict[tuple[int, int], StoredArc] = {}
    any_in_row = True
    for i in range(start[0], end[0] + 1):
        if not any_in_row:
            break
        any_in_row = i == start[0]
        for j in lattice.row(i):
            if not start[1] <= j <= end[1] or (i, j) == start:
                continue
            arc: StoredArc | None = None
            for kind, before in ((DIAGONAL, (i - 1, j - 1)), (DELETION, (i - 1, j)), (INSERTION, (i, j - 1))):
                copies = lattice.copies(i, j, kind)
                if not copies:
                    continue
                kept = kind == DIAGONAL and lattice.keeps(i, j)
                if before == start:
                    arc = StoredArc(1, int(kept), copies, not kept)
                elif before in reached:
                    stem = reached[before]
                    if (arc is None or stem.units + 1 < arc.units) and stem.kept + kept <= max_unchanged:
                        through = (*(arc.through if arc else ()), before)
                        arc = StoredArc(stem.units + 1, stem.kept + kept, len(through), stem.changes or not kept, through)
            if arc is not None:
                reached[i, j] = arc
                any_in_row = True
                if arc.changes or arc.units == 1:
                    arcs[i, j] = arc
    return arcs
