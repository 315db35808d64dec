"""How faithful a correction is: UCCASIM, the units of each graph that have a counterpart in the other (Choshen and Abend 2018).

Words are aligned first.  Then every unit gets the units of the other graph whose words are the best match for its own, and is
found if one of those has a category that it has.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, get_args

from errata.errors import RequestError, UsageError
from errata.faithfulness.categories import Tags, category
from errata.faithfulness.matched import Matched
from errata.graphs.mrp import FRAMEWORKS, UNANCHORED
from errata.monotone import align_in_order
from errata.word_alignment import align_words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from errata.graphs import Graph

Words = Literal["assignment", "monotone"]
Partner = Literal["f1", "share"]
_BLOCK = 1 << 22
"""Pairs of units that are compared at a time."""
MOST_PAIRS = 100_000_000
"""Pairs of units in all, which passages of 7,000 words have."""


@dataclass(frozen=True)
class Comparing:
    """The settings of UCCASIM."""

    words: Words = "assignment"
    """How words are aligned: each with the most similar one (section 2 of the paper), or in order."""
    partner: Partner = "f1"
    """The best match: the one with the highest F1 of words, or with the largest share of its own words (the formula of the paper)."""
    tags: Tags = "weak"
    """When categories meet: weak (P and S, H and C, N and L, F and R are the same), strict, or none (all do)."""
    least: int = 0
    """Words that a unit must have to be counted; implicit units have none."""

    def __post_init__(self) -> None:
        for name, value, known in (("words", self.words, Words), ("partner", self.partner, Partner), ("tags", self.tags, Tags)):
            if value not in get_args(known):
                raise UsageError(f"uccasim setting {name} is one of {', '.join(get_args(known))}, found {value!r}")
        if self.least < 0:
            raise UsageError(f"uccasim setting least is a number of words, found {self.least}")


class UnitPair(NamedTuple):
    """A unit and the best match for it on the other side."""

    unit: int
    partners: tuple[int, ...]
    """All that match equally well; none if no word of the unit is aligned."""
    found: bool
    """Whether one of them has a category that the unit has."""


@dataclass(frozen=True)
class Compared:
    """A source and a correction, unit by unit."""

    source: Graph
    correction: Graph
    words: tuple[tuple[int, int], ...]
    """The aligned words, by their places."""
    source_units: tuple[UnitPair, ...]
    correction_units: tuple[UnitPair, ...]
    reached: tuple[int, int]
    """Units of the correction that a unit of the source is aligned with and shares a category with, and the other way round."""

    @property
    def counts(self) -> tuple[int, int, int, int, int, int]:
        """Units found and counted of source and correction, and :attr:`reached`."""
        source, correction = self.source_units, self.correction_units
        return sum(unit.found for unit in source), len(source), sum(unit.found for unit in correction), len(correction), *self.reached


COLUMNS = ("source_kept", "source_units", "correction_kept", "correction_units", "correction_reached", "source_reached")


class UccaSimValue(NamedTuple):
    """What a sum of counts comes to."""

    matched: Matched
    """Every unit with its own best match; its F is the value."""
    from_source: Matched
    """Units of the source with their best matches, for both sides (s to r in the paper)."""
    from_correction: Matched
    """Units of the correction with theirs (r to s)."""

    @property
    def mean(self) -> float:
        """The mean of the F of both directions."""
        return (self.from_source.f + self.from_correction.f) / 2

    @classmethod
    def of(cls, counts: Sequence[int]) -> UccaSimValue:
        """From a sum of counts."""
        source_kept, source, correction_kept, correction, correction_reached, source_reached = counts
        return cls(
            Matched(correction_kept, correction, source_kept, source),
            Matched(correction_reached, correction, source_kept, source),
            Matched(correction_kept, correction, source_reached, source),
        )


def compare_graphs(source: Graph, correction: Graph, settings: Comparing | None = None) -> Compared:
    """Compare a source with a correction.

    >>> from errata.graphs import read_graphs
    >>> source, correction = read_graphs("examples/graphs/source.mrp")[0], read_graphs("examples/graphs/bold.mrp")[0]
    >>> UccaSimValue.of(compare_graphs(source, correction).counts).matched.f
    1.0
    """
    settings = settings or Comparing()
    for graph in (source, correction):
        if FRAMEWORKS.get(graph.framework) == UNANCHORED and graph.counted and not any(graph.yields):
            raise RequestError(f"{graph.name} has no units with words (framework {graph.framework}), and units are aligned by their words")
    align = align_words if settings.words == "assignment" else align_in_order
    words = align(source.tokens, correction.tokens)
    own, other = _counted(source, settings.least), _counted(correction, settings.least)
    return Compared(source, correction, tuple(words), *_partners(source, own, correction, other, words, settings))


def _counted(graph: Graph, least: int) -> list[int]:
    return [unit for unit in graph.counted if len(graph.yields[unit]) >= least]


def _partners(
    source: Graph, own: list[int], correction: Graph, other: list[int], words: Sequence[tuple[int, int]], settings: Comparing
) -> tuple[tuple[UnitPair, ...], tuple[UnitPair, ...], tuple[int, int]]:
    if len(own) * len(other) > MOST_PAIRS:
        raise RequestError(
            f"{source.name} and {correction.name} have {len(own) * len(other):,} pairs of units, more than {MOST_PAIRS:,}; "
            "cut them into sentences"
        )
    import numpy as np

    mine, theirs = _in_words(source, own, [place for place, _ in words]), _in_words(correction, other, [place for _, place in words])
    known: dict[str, int] = {}
    categories, other_categories = _labelled(source, own, known, settings.tags), _labelled(correction, other, known, settings.tags)
    shared = mine @ theirs.T
    meet = _matrix(categories, len(own), len(known)) @ _matrix(other_categories, len(other), len(known)).T > 0
    sizes = np.array([len(source.yields[unit]) for unit in own], np.float64)
    other_sizes = np.array([len(correction.yields[unit]) for unit in other], np.float64)
    from_source, reached = _best(own, other, shared, meet, sizes, other_sizes, settings.partner)
    from_correction, other_reached = _best(other, own, shared.T, meet.T, other_sizes, sizes, settings.partner)
    return from_source, from_correction, (reached, other_reached)


def _in_words(graph: Graph, units: list[int], aligned: list[int]) -> Any:
    """Which unit has which aligned word."""
    column = dict(zip(aligned, range(len(aligned)), strict=True))
    yields = graph.yields
    return _matrix(
        [(row, column[place]) for row, unit in enumerate(units) for place in yields[unit] if place in column], len(units), len(aligned)
    )


def _labelled(graph: Graph, units: list[int], known: dict[str, int], tags: Tags) -> list[tuple[int, int]]:
    """Which unit has which category, by the numbers of categories; new ones get one."""
    return [
        (row, known.setdefault(category(label, tags), len(known)))
        for row, unit in enumerate(units)
        for edge in graph.incoming[unit]
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
) -> tuple[tuple[UnitPair, ...], int]:
    """The best matches for every unit, and how many units of the other side are one and share a category."""
    import numpy as np

    if not units or not others:
        return tuple(UnitPair(unit, (), found=False) for unit in units), 0
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
    return tuple(pairs), int(reached.sum())
