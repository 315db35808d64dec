"""Find the best matches of the units of two graphs by shared words.

Units without words are matched by their parents.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Literal, NamedTuple

from errata.errors import RequestError
from errata.graph_comparison.categories import normalise_category

if TYPE_CHECKING:
    from collections.abc import Sequence

    from errata.corpus.graphs import Graph
    from errata.graph_comparison.categories import LabelMatching

Partner = Literal["f1", "share"]
_MOST_PARTNERS = 2_000_000
"""Maximum number of best matches of units without words."""
MOST_VISITED = 10_000_000
"""Units that may be visited to find them."""


class UnitPair(NamedTuple):
    """A unit and its best matches in the other graph."""

    unit: int
    partners: tuple[int, ...]
    """All that match equally well; empty if no word of the unit is aligned."""
    found: bool
    """Whether one of them has the same category."""


class UnitAlignment(NamedTuple):
    """The units of both graphs with their best matches."""

    source: tuple[UnitPair, ...]
    correction: tuple[UnitPair, ...]
    correction_reached: int
    """Units of the correction that are a best match of a source unit and share a category with it."""
    source_reached: int
    """The same, with source and correction exchanged."""


class GraphSide(NamedTuple):
    """A graph and its counted units."""

    graph: Graph
    units: list[int]


def align_units(
    source: GraphSide, correction: GraphSide, words: Sequence[tuple[int, int]], partner: Partner, matching: LabelMatching, *, implicit: bool
) -> UnitAlignment:
    """Align the units of two graphs with aligned words; units without words only if ``implicit``."""
    from errata.core import find_best_matches

    yields, other_yields = ([side.graph.yields[unit] for unit in side.units] for side in (source, correction))
    turned = [(other, one) for one, other in words]
    try:
        ahead = find_best_matches(yields, other_yields, words, partner == "share")
        back = find_best_matches(other_yields, yields, turned, partner == "share")
    except OverflowError as error:
        raise RequestError(f"{source.graph.name} and {correction.graph.name}: {error}") from None
    known: dict[tuple[str, ...], frozenset[str]] = {}
    categories, other_categories = (
        [_list_categories(side.graph, unit, matching, known) for unit in side.units] for side in (source, correction)
    )
    from_source, reached = _judge_units(source.units, correction.units, ahead, categories, other_categories)
    from_correction, other_reached = _judge_units(correction.units, source.units, back, other_categories, categories)
    if implicit and not (all(yields) and all(other_yields)):
        _add_empty(source, correction, from_source, reached, matching)
        _add_empty(correction, source, from_correction, other_reached, matching)
    return UnitAlignment(tuple(from_source), tuple(from_correction), len(reached), len(other_reached))


def _judge_units(
    units: list[int],
    others: list[int],
    matches: list[tuple[int, ...]],
    categories: list[frozenset[str]],
    other_categories: list[frozenset[str]],
) -> tuple[list[UnitPair], set[int]]:
    """Pair units with their best matches; also return the best matches that share a category."""
    pairs: list[UnitPair] = []
    reached: set[int] = set()
    for unit, own, partners in zip(units, categories, matches, strict=True):
        alike = [others[index] for index in partners if not own.isdisjoint(other_categories[index])]
        reached.update(alike)
        pairs.append(UnitPair(unit, tuple([others[index] for index in partners]), bool(alike)))
    return pairs, reached


def _add_empty(own: GraphSide, other: GraphSide, pairs: list[UnitPair], reached: set[int], matching: LabelMatching) -> None:
    """Match units without words with those inside the best matches of their parents; tops match tops."""
    known: dict[tuple[str, ...], frozenset[str]] = {}
    position = {pair.unit: number for number, pair in enumerate(pairs)}
    inside: dict[int, list[int]] = {}
    for unit in other.units:
        if not other.graph.yields[unit]:
            for edge in other.graph.incoming[unit]:
                inside.setdefault(edge.parent, []).append(unit)
    tops = [unit for unit in inside if not other.graph.incoming[unit]]
    categories = {
        unit: _list_categories(other.graph, unit, matching, known) for unit in dict.fromkeys(chain.from_iterable(inside.values()))
    }
    total = visited = 0
    for unit in own.graph.order:
        if unit not in position or own.graph.yields[unit]:
            continue
        parents = dict.fromkeys(edge.parent for edge in own.graph.incoming[unit])
        matches = [pairs[position[parent]].partners if parent in position else tops for parent in parents]
        visited += sum(map(len, matches))
        near = dict.fromkeys(chain.from_iterable(matches)) if visited <= MOST_VISITED else ()
        visited += sum(len(inside.get(one, ())) for one in near)
        partners = sorted({match for one in near for match in inside.get(one, ())}) if visited <= MOST_VISITED else []
        total += len(partners)
        if total > _MOST_PARTNERS or visited > MOST_VISITED:
            raise RequestError(f"{own.graph.name} and {other.graph.name} have too many units without words to be aligned")
        labels = _list_categories(own.graph, unit, matching, known)
        alike = [match for match in partners if not labels.isdisjoint(categories[match])]
        reached.update(alike)
        pairs[position[unit]] = UnitPair(unit, tuple(partners), found=bool(alike))


def _list_categories(graph: Graph, unit: int, matching: LabelMatching, known: dict[tuple[str, ...], frozenset[str]]) -> frozenset[str]:
    """List the categories of a unit; results are cached, because many units have the same."""
    labels = tuple([label for edge in graph.incoming[unit] for label in edge.labels])
    categories = known.get(labels)
    if categories is None:
        categories = known[labels] = frozenset(normalise_category(label, matching) for label in labels)
    return categories
