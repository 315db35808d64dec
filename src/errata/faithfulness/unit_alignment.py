"""The best match of every unit of a graph among the units of another, by the words that they share.

All pairs of units are compared at once, as matrices.  Units without words are matched by the units that they are in.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from errata.errors import RequestError
from errata.faithfulness.categories import category

if TYPE_CHECKING:
    from collections.abc import Sequence

    from errata.faithfulness.categories import Tags
    from errata.graphs import Graph

Partner = Literal["f1", "share"]
_BLOCK = 1 << 22
"""Pairs of units that are compared at a time."""
MOST_PAIRS = 100_000_000
"""Pairs of units in all, which passages of 7,000 words have."""


class UnitPair(NamedTuple):
    """A unit and the best match for it on the other side."""

    unit: int
    partners: tuple[int, ...]
    """All that match equally well; none if no word of the unit is aligned."""
    found: bool
    """Whether one of them has a category that the unit has."""


class Aligned(NamedTuple):
    """The units of both sides with their best matches."""

    source: tuple[UnitPair, ...]
    correction: tuple[UnitPair, ...]
    correction_reached: int
    """Units of the correction that are the best match of a unit of the source and share a category with it."""
    source_reached: int
    """The other way round."""


class Side(NamedTuple):
    """A graph and its units that are counted."""

    graph: Graph
    units: list[int]


def align_units(
    source: Side, correction: Side, words: Sequence[tuple[int, int]], partner: Partner, tags: Tags, *, implicit: bool
) -> Aligned:
    """Align the units of two graphs whose words are aligned; units without words only if ``implicit``."""
    import numpy as np

    count = len(source.units) * len(correction.units)
    if count > MOST_PAIRS:
        raise RequestError(
            f"{source.graph.name} and {correction.graph.name} have {count:,} pairs of units, more than {MOST_PAIRS:,}; "
            "cut them into sentences"
        )
    shared = _in_words(source, [place for place, _ in words]) @ _in_words(correction, [place for _, place in words]).T
    known: dict[str, int] = {}
    categories, other_categories = _labelled(source, known, tags), _labelled(correction, known, tags)
    meet = _matrix(categories, len(source.units), len(known)) @ _matrix(other_categories, len(correction.units), len(known)).T > 0
    sizes, other_sizes = (np.array([len(side.graph.yields[unit]) for unit in side.units], np.float64) for side in (source, correction))
    from_source, reached = _best(source.units, correction.units, shared, meet, sizes, other_sizes, partner)
    from_correction, other_reached = _best(correction.units, source.units, shared.T, meet.T, other_sizes, sizes, partner)
    if implicit and any(not side.graph.yields[unit] for side in (source, correction) for unit in side.units):
        _add_empty(source, correction, from_source, reached, tags)
        _add_empty(correction, source, from_correction, other_reached, tags)
    return Aligned(tuple(from_source), tuple(from_correction), len(reached), len(other_reached))


def _in_words(side: Side, aligned: list[int]) -> Any:
    """Which unit has which aligned word."""
    column = dict(zip(aligned, range(len(aligned)), strict=True))
    yields = side.graph.yields
    cells = [(row, column[place]) for row, unit in enumerate(side.units) for place in yields[unit] if place in column]
    return _matrix(cells, len(side.units), len(aligned))


def _labelled(side: Side, known: dict[str, int], tags: Tags) -> list[tuple[int, int]]:
    """Which unit has which category, by the numbers of categories; new ones get one."""
    return [
        (row, known.setdefault(category(label, tags), len(known)))
        for row, unit in enumerate(side.units)
        for edge in side.graph.incoming[unit]
        for label in edge.labels
    ]


def _matrix(cells: list[tuple[int, int]], rows: int, columns: int) -> Any:
    """A matrix with 1 in some cells and 0 elsewhere."""
    import numpy as np

    found = np.zeros((rows, columns), np.float32)
    if cells:
        places = np.array(cells)
        found[places[:, 0], places[:, 1]] = 1
    return found


def _best(
    units: list[int], others: list[int], shared: Any, meet: Any, sizes: Any, other_sizes: Any, partner: Partner
) -> tuple[list[UnitPair], set[int]]:
    """The best matches for every unit, and the units of the other side that are one and share a category."""
    import numpy as np

    if not units or not others:
        return [UnitPair(unit, (), found=False) for unit in units], set()
    pairs: list[UnitPair] = []
    reached = np.zeros(len(others), bool)
    places = np.array(others)
    step = max(1, _BLOCK // len(others))
    for first in range(0, len(units), step):
        block = slice(first, first + step)
        # Equal fractions of whole numbers are equal floating-point numbers, so ties are ties.
        whole = sizes[block, None] + other_sizes if partner == "f1" else other_sizes
        score = shared[block] / np.maximum(whole, 1)
        best = score.max(axis=1)
        ties = score == best[:, None]
        ties[best == 0] = False
        kept = ties & meet[block]
        reached |= kept.any(axis=0)
        found = kept.any(axis=1).tolist()
        rows, columns = np.nonzero(ties)
        ends = np.searchsorted(rows, np.arange(len(best) + 1)).tolist()
        partners = places[columns].tolist()
        for row, unit in enumerate(units[block]):
            pairs.append(UnitPair(unit, tuple(partners[ends[row] : ends[row + 1]]), found[row]))
    return pairs, set(places[reached].tolist())


def _add_empty(own: Side, other: Side, pairs: list[UnitPair], reached: set[int], tags: Tags) -> None:
    """Match units without words: with those that are in a best match of a unit that they are in; tops match tops."""
    place = {pair.unit: number for number, pair in enumerate(pairs)}
    inside: dict[int, list[int]] = {}
    for unit in other.units:
        if not other.graph.yields[unit]:
            for edge in other.graph.incoming[unit]:
                inside.setdefault(edge.parent, []).append(unit)
    tops = [unit for unit in inside if not other.graph.incoming[unit]]
    for unit in own.graph.order:
        if unit not in place or own.graph.yields[unit]:
            continue
        parents = [edge.parent for edge in own.graph.incoming[unit]]
        near = [match for parent in parents for match in (pairs[place[parent]].partners if parent in place else tops)]
        partners = sorted({match for one in near for match in inside.get(one, ())})
        labels = _tags_of(own.graph, unit, tags)
        alike = [match for match in partners if not labels.isdisjoint(_tags_of(other.graph, match, tags))]
        reached.update(alike)
        pairs[place[unit]] = UnitPair(unit, tuple(partners), found=bool(alike))


def _tags_of(graph: Graph, unit: int, tags: Tags) -> set[str]:
    return {category(label, tags) for edge in graph.incoming[unit] for label in edge.labels}
