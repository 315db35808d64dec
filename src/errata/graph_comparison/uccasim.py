"""UCCASIM: faithfulness of a correction, by the units of each graph with a counterpart in the other (Choshen and Abend).

Words are aligned first.  Then every unit gets its best matches, the units of the other graph that share most words with it.  It is
found if one of them has the same category.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple

from errata.corpus.graphs import FRAMEWORKS, UNANCHORED, Graph
from errata.errors import RequestError, UsageError
from errata.graph_comparison.matched import MatchCounts, check_same_framework
from errata.graph_comparison.unit_alignment import GraphSide, Partner, UnitPair, align_units
from errata.language.word_alignment import align_in_order, align_words
from errata.settings import check_settings, one_of, whole

if TYPE_CHECKING:
    from collections.abc import Sequence

    from errata.corpus.texts import Tokens
    from errata.graph_comparison.categories import LabelMatching


WordAlignment = Literal["assignment", "monotone"]
Implicit = Literal["parents", "none"]
_WORD_ALIGNMENTS: dict[WordAlignment, str] = {"assignment": "each with the most similar word", "monotone": "in order"}
_PARTNERS: dict[Partner, str] = {"f1": "highest F1 of words", "share": "largest share of its words"}
_LABELS: dict[LabelMatching, str] = {"weak": "P = S, H = C, N = L and F = R", "strict": "only if identical"}
_IMPLICIT: dict[Implicit, str] = {"parents": "a unit inside the best match of its parent", "none": "no match"}
MOST_PAIRS_OF_WORDS: dict[WordAlignment, int] = {"assignment": 4_000_000, "monotone": 25_000_000}
"""About 2,000 and 5,000 words on each side; the time of an assignment may grow with the cube of the words."""
MOST_PAIRS_OF_CHARACTERS = 20_000_000_000
"""Characters of all words of one side times those of the other; words are compared 64 characters at a time."""


@dataclass(frozen=True)
class UccaSimSettings:
    """The settings of UCCASIM."""

    word_alignment: WordAlignment = one_of("assignment", _WORD_ALIGNMENTS, "how words are aligned")
    partner: Partner = one_of("f1", _PARTNERS, "the best match of a unit")
    labels: LabelMatching = one_of("weak", _LABELS, "when categories are equal")
    implicit: Implicit = one_of("parents", _IMPLICIT, "the best match of a unit without words")
    min_words: int = whole(0, "minimum number of words of a counted unit; implicit units have 0", most=1_000_000)

    def __post_init__(self) -> None:
        check_settings(self, "uccasim")


@dataclass(frozen=True)
class AlignedGraphs:
    """A source and a correction with aligned units."""

    source: Graph
    correction: Graph
    words: tuple[tuple[int, int], ...]
    """The aligned words, by their indices."""
    source_units: tuple[UnitPair, ...]
    correction_units: tuple[UnitPair, ...]
    correction_reached: int
    """Units of the correction that are a best match of a source unit and share a category with it."""
    source_reached: int
    """The same, with source and correction exchanged."""

    @property
    def counts(self) -> tuple[int, int, int, int, int, int]:
        """Found and all units of the source, the same of the correction, and reached units; see ``COLUMNS``."""
        source, correction = self.source_units, self.correction_units
        matched = sum(unit.found for unit in source), len(source), sum(unit.found for unit in correction), len(correction)
        return *matched, self.correction_reached, self.source_reached


COLUMNS = ("source_kept", "source_units", "correction_kept", "correction_units", "correction_reached", "source_reached")


class UccaSimValue(NamedTuple):
    """UCCASIM computed from counts."""

    matched: MatchCounts
    """Every unit with its best match; its F is the value."""
    from_source: MatchCounts
    """Only the best matches of source units, for both sides (s to r in the paper)."""
    from_correction: MatchCounts
    """Only the best matches of correction units (r to s)."""

    @property
    def mean(self) -> float:
        """The mean of the F of both directions."""
        return (self.from_source.f + self.from_correction.f) / 2

    @classmethod
    def of(cls, counts: Sequence[int]) -> UccaSimValue:
        """Compute UCCASIM from counts or their sum."""
        source_kept, source, correction_kept, correction, correction_reached, source_reached = counts
        return cls(
            MatchCounts(correction_kept, correction, source_kept, source),
            MatchCounts(correction_reached, correction, source_kept, source),
            MatchCounts(correction_kept, correction, source_reached, source),
        )


def align_graphs(source: Graph, correction: Graph, settings: UccaSimSettings | None = None) -> AlignedGraphs:
    """Compare a source with a correction.

    >>> from errata.language import read_graphs
    >>> source, correction = read_graphs("examples/graphs/source.mrp")[0], read_graphs("examples/graphs/bold.mrp")[0]
    >>> UccaSimValue.of(align_graphs(source, correction).counts).matched.f
    1.0
    """
    settings = settings or UccaSimSettings()
    for graph in (source, correction):
        if not isinstance(graph, Graph):
            raise UsageError(f"expected graphs, for example from errata.read_graphs, found {type(graph).__name__}")
        if FRAMEWORKS.get(graph.framework) == UNANCHORED and graph.counted and not any(graph.yields):
            raise RequestError(f"{graph.name} has no units with words (framework {graph.framework}), but units are aligned by their words")
    check_same_framework(source, correction)
    if source.tokens != correction.tokens:
        _check_sizes(source, correction, settings.word_alignment)
    words = _align_words(source.tokens, correction.tokens, settings.word_alignment)
    one, other = (
        GraphSide(graph, [unit for unit in graph.counted if len(graph.yields[unit]) >= settings.min_words])
        for graph in (source, correction)
    )
    alignment = align_units(one, other, words, settings.partner, settings.labels, implicit=settings.implicit == "parents")
    return AlignedGraphs(source, correction, tuple(words), *alignment)


def _check_sizes(source: Graph, correction: Graph, how: WordAlignment) -> None:
    """Refuse words that would take minutes to be aligned."""
    if len(source.tokens) * len(correction.tokens) > MOST_PAIRS_OF_WORDS[how]:
        raise RequestError(
            f"{source.name} and {correction.name} have {len(source.tokens):,} and {len(correction.tokens):,} words, "
            "too many to be aligned; cut them into sentences"
        )
    sizes = [sum(map(len, graph.tokens)) for graph in (source, correction)]
    if sizes[0] * sizes[1] > MOST_PAIRS_OF_CHARACTERS:
        raise RequestError(
            f"{source.name} and {correction.name} have words of {sizes[0]:,} and {sizes[1]:,} characters together, "
            "too many to be aligned; cut them into sentences"
        )


def _align_words(one: Tokens, other: Tokens, how: WordAlignment) -> list[tuple[int, int]]:
    """Align words; ties are broken independently of the order of the two texts."""
    align = align_words if how == "assignment" else align_in_order
    return align(one, other) if one <= other else sorted((own, theirs) for theirs, own in align(other, one))
