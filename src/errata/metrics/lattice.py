"""The edit lattice of a sentence and its hypothesis (Dahlmeier and Ng 2012, section 2, Figures 1 and 2), to be shown.

A vertex ``(i, j)`` means that i source and j hypothesis tokens are consumed.  An arc keeps, inserts, deletes or replaces a token, or is
a phrase edit: consecutive arcs with at least one change and at most u unchanged tokens.  The lattice is that of the official scorer:
the shortest paths with substitutions that cost 1, and those with substitutions that cost 2.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from errata.core.limits import MOST_WORK
from errata.core.python.maxmatch import Lattice, Work, find_gold_arcs, list_stored_arcs
from errata.errors import RequestError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from errata.core.edits import MatchedEdit
    from errata.core.python.maxmatch import GoldEdit
    from errata.corpus.texts import Tokens

MOST_CELLS, MOST_ARCS = 1_000_000, 5_000
"""Cells of the matrix and arcs of the lattice that can be shown."""

Vertex = tuple[int, int]


class LatticeArc(NamedTuple):
    """An arc of the lattice."""

    start: Vertex
    end: Vertex
    units: int
    """The number of its unit arcs, including kept tokens: its cost, unless it matches gold."""
    changes: bool
    """Whether it is an edit, and not a kept token."""
    gold: bool
    """Whether it matches a gold edit."""
    on_path: bool
    """Whether it is on the path that is scored."""


@dataclass(frozen=True)
class EditLattice:
    """All edits that turn a source into a hypothesis, and the path that matches gold best."""

    source: Tokens
    hypothesis: Tokens
    max_unchanged: int
    vertices: tuple[Vertex, ...]
    arcs: tuple[LatticeArc, ...]
    path: tuple[Vertex, ...]
    """The vertices of the path that is scored."""

    def cost(self, arc: LatticeArc) -> int:
        """Return the cost of an arc as the paper defines it: its unit arcs, or -(u + 1) times the number of arcs if it matches gold."""
        return -(self.max_unchanged + 1) * len(self.arcs) if arc.gold else arc.units

    def original(self, arc: LatticeArc) -> str:
        """Return the source text of an arc."""
        return " ".join(self.source[arc.start[0] : arc.end[0]])

    def correction(self, arc: LatticeArc) -> str:
        """Return the text of the hypothesis for an arc."""
        return " ".join(self.hypothesis[arc.start[1] : arc.end[1]])

    @cached_property
    def distances(self) -> tuple[tuple[int, ...], ...]:
        """The Levenshtein matrix (Figure 1): the distance of the first i source and the first j hypothesis tokens."""
        rows = [tuple(range(len(self.hypothesis) + 1))]
        for i, token in enumerate(self.source, start=1):
            above, here = rows[-1], [i]
            for j, other in enumerate(self.hypothesis, start=1):
                here.append(min(above[j - 1] + (token != other), above[j] + 1, here[-1] + 1))
            rows.append(tuple(here))
        return tuple(rows)


def make_edit_lattice(
    source: Tokens, hypothesis: Tokens, gold: Sequence[GoldEdit], max_unchanged: int, edits: Sequence[MatchedEdit]
) -> EditLattice:
    """Make the lattice for the gold edits of one annotator; ``edits`` are those that MaxMatch found.

    Raise :class:`RequestError` if it is too large to be shown.
    """
    cells = (len(source) + 1) * (len(hypothesis) + 1)
    if cells > MOST_CELLS:
        raise RequestError(f"its lattice has {cells:,} cells, more than the {MOST_CELLS:,} that can be shown; cut the sentence")
    lattice = Lattice(source, hypothesis)
    path = _find_path(edits, lattice.last)
    steps = set(pairwise(path))
    matching = find_gold_arcs(lattice, gold, max_unchanged, Work(MOST_WORK)).arcs
    arcs: list[LatticeArc] = []
    vertices = tuple(lattice)
    for start in vertices:
        for end, arc in list_stored_arcs(lattice, start, lattice.last, max_unchanged).items():
            is_gold = arc.changes and start in matching.get(end, ())
            arcs.append(LatticeArc(start, end, arc.units, arc.changes, is_gold, (start, end) in steps))
        if len(arcs) > MOST_ARCS:
            fewer = ", or choose a smaller max_unchanged, such as -m 'maxmatch(max_unchanged=0)'" if max_unchanged else ""
            raise RequestError(f"its lattice has more than {MOST_ARCS:,} arcs, too many to be shown; cut the sentence{fewer}")
    return EditLattice(source, hypothesis, max_unchanged, vertices, tuple(arcs), tuple(path))


def _find_path(edits: Sequence[MatchedEdit], last: Vertex) -> list[Vertex]:
    """List the vertices of a path: its edits, and kept tokens between them."""
    path = [(0, 0)]
    for start, end in (*(((edit.start, edit.target_start), (edit.end, edit.target_end)) for edit in edits), (last, last)):
        while path[-1] != start:
            path.append((path[-1][0] + 1, path[-1][1] + 1))
        if end != start:
            path.append(end)
    return path
