"""UCCASIM and DISTSIM: how much of the meaning of the source a system keeps, by semantic graphs."""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Any, ClassVar, Literal, NamedTuple

from errata.corpus.graphs import FRAMEWORKS, UNANCHORED, Graph
from errata.errors import MismatchError, RequestError, UsageError
from errata.language.word_alignment import align_in_order, align_words
from errata.metrics.base import NO_REFERENCE, Metric, Output, RatioMetric, data_field
from errata.metrics.ratios import ZERO_OF_NOTHING, Ratio, divide, harmonic_mean
from errata.metrics.strategies import SingleRow
from errata.settings import check_settings, one_of, text, whole

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from errata.corpus.corpus import Corpus
    from errata.corpus.texts import Tokens
    from errata.language.graphs import GraphBank
    from errata.metrics.ratios import Row


class _GraphMetric(Metric):
    """A metric that compares the graph of each hypothesis with that of its source, without references."""

    referenceless: ClassVar[bool] = True
    spelling_matters: ClassVar[str] = "each text has its own graph, and similar words are aligned"
    inspected_with: ClassVar[str] = "errata faithfulness --inspect"
    graphs: GraphBank | None

    @abstractmethod
    def compare(self, source: Graph, correction: Graph) -> Row:
        """Count a sentence."""

    @property
    def strategy(self) -> SingleRow:
        return SingleRow()

    def check(self) -> None:
        from errata.language.graphs import GraphBank

        if self.graphs is not None and not isinstance(self.graphs, GraphBank):
            raise UsageError(f"graphs must be a GraphBank, found {type(self.graphs).__name__}")

    def scorer(self, corpus: Corpus) -> _GraphScorer:
        if self.graphs is None:
            raise UsageError(
                f"{self.name} needs semantic graphs: --graphs or --parser ({type(self).__name__}(graphs=GraphBank(...)) in Python)"
            )
        return _GraphScorer(self, self.graphs, corpus)

    def data(self, corpus: Corpus) -> str:
        """Describe the graphs of the source, for signatures; those of an output belong to the system."""
        if self.graphs is None:
            return ""
        known = self.graphs.fingerprint([sentence.tokens for sentence in corpus])
        return f"graphs of the source sha256 {known}" + (f", parser {self.graphs.parser}" if self.graphs.parser else "")


class _GraphScorer:
    """The graphs of the source."""

    def __init__(self, metric: _GraphMetric, graphs: GraphBank, corpus: Corpus) -> None:
        self.metric, self.graphs = metric, graphs
        self.sources = graphs.of_text([sentence.tokens for sentence in corpus], corpus.path or corpus.name, of_source=True)

    def prepare(self, hypotheses: Sequence[Tokens], first: int = 0) -> _GraphOutput:
        return _GraphOutput(self, hypotheses, first)

    def labels(self, sentence: int, rows: int) -> tuple[str, ...]:
        del sentence
        return (NO_REFERENCE,) * rows


class _GraphOutput(Output):
    """The graphs of an output."""

    def __init__(self, scorer: _GraphScorer, hypotheses: Sequence[Tokens], first: int = 0) -> None:
        super().__init__(hypotheses, first)
        self._scorer = scorer
        self._graphs = scorer.graphs.of_text(hypotheses, "", first=first)

    def rows(self, start: int, stop: int) -> Sequence[tuple[Row, ...]]:
        pairs: Any = zip(self._scorer.sources[start:stop], self._graphs[start - self.first : stop - self.first], strict=True)
        return [(self._scorer.metric.compare(source, output),) for source, output in pairs]

    def aligned_graphs(self, index: int) -> AlignedGraphs:
        """Align the graph of an output with that of its source, with the settings of the metric if it aligns graphs."""
        metric = self._scorer.metric
        settings = metric if isinstance(metric, UccaSimSettings) else None
        return align_graphs(self._scorer.sources[index], self._graphs[index - self.first], settings)


# --- UCCASIM: faithfulness of a correction, by the units of each graph with a counterpart in the other (Choshen and Abend).
#
# Words are aligned first.  Then every unit gets its best matches, the units of the other graph that share most words with it.  It is
# found if one of them has the same category.

_WordAlignment = Literal["assignment", "monotone"]
_Implicit = Literal["parents", "none"]
_WORD_ALIGNMENTS: dict[_WordAlignment, str] = {"assignment": "each with the most similar word", "monotone": "in order"}
_PARTNERS: dict[_Partner, str] = {"f1": "highest F1 of words", "share": "largest share of its words"}
_LABELS: dict[LabelMatching, str] = {"weak": "P = S, H = C, N = L and F = R", "strict": "only if identical"}
_IMPLICIT: dict[_Implicit, str] = {"parents": "a unit inside the best match of its parent", "none": "no match"}
_MOST_PAIRS_OF_WORDS: dict[_WordAlignment, int] = {"assignment": 4_000_000, "monotone": 25_000_000}
"""About 2,000 and 5,000 words on each side; the time of an assignment may grow with the cube of the words."""
_MOST_PAIRS_OF_CHARACTERS = 20_000_000_000
"""Characters of all words of one side times those of the other; words are compared 64 characters at a time."""


@dataclass(frozen=True)
class UccaSimSettings:
    """The settings of UCCASIM."""

    word_alignment: _WordAlignment = one_of("assignment", _WORD_ALIGNMENTS, "how words are aligned")
    partner: _Partner = one_of("f1", _PARTNERS, "the best match of a unit")
    labels: LabelMatching = one_of("weak", _LABELS, "when categories are equal")
    implicit: _Implicit = one_of("parents", _IMPLICIT, "the best match of a unit without words")
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
        """Found and all units of the source, the same of the correction, and reached units; see ``_COLUMNS``."""
        source, correction = self.source_units, self.correction_units
        matched = sum(unit.found for unit in source), len(source), sum(unit.found for unit in correction), len(correction)
        return *matched, self.correction_reached, self.source_reached


_COLUMNS = ("source_kept", "source_units", "correction_kept", "correction_units", "correction_reached", "source_reached")


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
        _GraphSide(graph, [unit for unit in graph.counted if len(graph.yields[unit]) >= settings.min_words])
        for graph in (source, correction)
    )
    alignment = _align_units(one, other, words, settings.partner, settings.labels, implicit=settings.implicit == "parents")
    return AlignedGraphs(source, correction, tuple(words), *alignment)


def _check_sizes(source: Graph, correction: Graph, how: _WordAlignment) -> None:
    """Refuse words that would take minutes to be aligned."""
    if len(source.tokens) * len(correction.tokens) > _MOST_PAIRS_OF_WORDS[how]:
        raise RequestError(
            f"{source.name} and {correction.name} have {len(source.tokens):,} and {len(correction.tokens):,} words, "
            "too many to be aligned; cut them into sentences"
        )
    sizes = [sum(map(len, graph.tokens)) for graph in (source, correction)]
    if sizes[0] * sizes[1] > _MOST_PAIRS_OF_CHARACTERS:
        raise RequestError(
            f"{source.name} and {correction.name} have words of {sizes[0]:,} and {sizes[1]:,} characters together, "
            "too many to be aligned; cut them into sentences"
        )


def _align_words(one: Tokens, other: Tokens, how: _WordAlignment) -> list[tuple[int, int]]:
    """Align words; ties are broken independently of the order of the two texts."""
    align = align_words if how == "assignment" else align_in_order
    return align(one, other) if one <= other else sorted((own, theirs) for theirs, own in align(other, one))


_Direction = Literal["both", "source", "correction", "mean"]
_DIRECTIONS: dict[_Direction, str] = {
    "both": "each side is matched with the other",
    "source": "the source is matched with the correction",
    "correction": "the correction is matched with the source",
    "mean": "the mean of source and correction",
}


@dataclass(frozen=True)
class UccaSim(_GraphMetric, UccaSimSettings):
    """UCCASIM: F of the units of source and output that have a counterpart in the other graph.

    R is the share of the units of meaning of the source that the output keeps, P the share of those of the output that the source has, and
    UCCASIM = 2PR / (P + R).

    >>> import errata
    >>> gold, output = errata.read("examples/graphs/learner.m2"), errata.read_system("examples/graphs/bold.txt")
    >>> graphs = [graph for name in ("source", "bold") for graph in errata.read_graphs(f"examples/graphs/{name}.mrp")]
    >>> print(errata.score(gold, output, errata.UccaSim(graphs=errata.GraphBank(graphs))))
    uccasim of bold: 0.7858 (source_kept 37, source_units 51, correction_kept 36, correction_units 42, precision 0.8571, recall 0.7255)
    """

    direction: _Direction = one_of("both", _DIRECTIONS, "which best matches count")
    graphs: GraphBank | None = data_field()
    """The graphs of all texts."""

    name: ClassVar[str] = "uccasim"
    title: ClassVar[str] = "UCCASIM"
    summary: ClassVar[str] = "units of meaning that source and output share; needs semantic graphs, no references"
    paper: ClassVar[str] = "Choshen and Abend"
    columns: ClassVar[tuple[str, ...]] = _COLUMNS
    columns_explained: ClassVar[str] = "Recall: units of the source that are kept; precision: units of the output that the source has."

    def compare(self, source: Graph, correction: Graph) -> Row:
        return align_graphs(source, correction, self).counts

    def warnings(self, counts: Row) -> list[str]:
        nothing = "the value is meaningless: neither the graphs of the source nor those of the output have units"
        return [] if counts[1] or counts[3] else [nothing]

    def value(self, counts: Row) -> float:
        named = UccaSimValue.of(counts)
        values = {"both": named.matched.f, "source": named.from_source.f, "correction": named.from_correction.f, "mean": named.mean}
        return values[self.direction]

    def values(self, counts: Any) -> Any:
        kept, source, found, output, output_reached, source_reached = counts.T
        both, ahead, back = (
            _f(precise, output, recalled, source) for precise, recalled in ((found, kept), (output_reached, kept), (found, source_reached))
        )
        return {"both": both, "source": ahead, "correction": back, "mean": (ahead + back) / 2}[self.direction]

    def parts(self, counts: Row) -> dict[str, Any]:
        named = UccaSimValue.of(counts)
        return {
            **super().parts(counts),
            "precision": named.matched.precision,
            "recall": named.matched.recall,
            "f": named.matched.f,
            "from_source": named.from_source.f,
            "from_correction": named.from_correction.f,
            "mean": named.mean,
        }

    def shown(self, counts: Row) -> dict[str, float]:
        parts = self.parts(counts)
        return {name: parts[name] for name in (*_COLUMNS[:4], "precision", "recall")}

    @property
    def label(self) -> str:
        return "UCCASIM" if self.direction == "both" else f"UCCASIM ({self.direction})"


def _f(precise: Any, guessed: Any, recalled: Any, expected: Any) -> Any:
    """Compute F of many counts."""
    import numpy as np

    above, below = harmonic_mean((precise, guessed), (recalled, expected))
    return np.divide(above, below, out=np.zeros(len(above)), where=below != 0)


# Units without words are matched by their parents.

_Partner = Literal["f1", "share"]
_MOST_PARTNERS = 2_000_000
"""Maximum number of best matches of units without words."""
_MOST_VISITED = 10_000_000
"""Units that may be visited to find them."""


class UnitPair(NamedTuple):
    """A unit and its best matches in the other graph."""

    unit: int
    partners: tuple[int, ...]
    """All that match equally well; empty if no word of the unit is aligned."""
    found: bool
    """Whether one of them has the same category."""


class _UnitAlignment(NamedTuple):
    """The units of both graphs with their best matches."""

    source: tuple[UnitPair, ...]
    correction: tuple[UnitPair, ...]
    correction_reached: int
    """Units of the correction that are a best match of a source unit and share a category with it."""
    source_reached: int
    """The same, with source and correction exchanged."""


class _GraphSide(NamedTuple):
    """A graph and its counted units."""

    graph: Graph
    units: list[int]


def _align_units(
    source: _GraphSide,
    correction: _GraphSide,
    words: Sequence[tuple[int, int]],
    partner: _Partner,
    matching: LabelMatching,
    *,
    implicit: bool,
) -> _UnitAlignment:
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
    return _UnitAlignment(tuple(from_source), tuple(from_correction), len(reached), len(other_reached))


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


def _add_empty(own: _GraphSide, other: _GraphSide, pairs: list[UnitPair], reached: set[int], matching: LabelMatching) -> None:
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
        near = dict.fromkeys(chain.from_iterable(matches)) if visited <= _MOST_VISITED else ()
        visited += sum(len(inside.get(one, ())) for one in near)
        partners = sorted({match for one in near for match in inside.get(one, ())}) if visited <= _MOST_VISITED else []
        total += len(partners)
        if total > _MOST_PARTNERS or visited > _MOST_VISITED:
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


class MatchCounts(NamedTuple):
    """Counts of matched units on both sides: guess and expected graph, or correction and source."""

    precise: int = 0
    guessed: int = 0
    recalled: int = 0
    expected: int = 0

    @property
    def precision(self) -> float:
        """The share of guessed units that are matched; 1 without guessed units."""
        return divide(self.precise, self.guessed)

    @property
    def recall(self) -> float:
        """The share of expected units that are matched; 1 without expected units."""
        return divide(self.recalled, self.expected)

    @property
    def f(self) -> float:
        """The harmonic mean of precision and recall.

        >>> MatchCounts(1, 2, 1, 1).f
        0.6666666666666666
        """
        above, below = harmonic_mean((self.precise, self.guessed), (self.recalled, self.expected))
        return divide(above, below, ZERO_OF_NOTHING)

    def plus(self, other: MatchCounts) -> MatchCounts:
        """Add other counts."""
        return MatchCounts(*(one + two for one, two in zip(self, other, strict=True)))


NOTHING = MatchCounts()


def check_same_framework(one: Graph, other: Graph) -> None:
    """Raise if two graphs have different frameworks; a graph without units fits all."""
    if one.framework != other.framework and one.units and other.units:
        raise MismatchError(
            f"{one.name} is of the framework {one.framework}, but {other.name} of {other.framework}; they cannot be compared"
        )


LabelMatching = Literal["weak", "strict"]
AgreementMatching = Literal["weak", "strict", "unlabelled"]
"""Agreement may also compare spans without their categories."""

_WEAK = {"P": "S", "H": "C", "N": "L", "F": "R"}
"""Process and State, parallel Scene and Center, Connector and Linker, Function and Relator are hard to distinguish."""


def normalise_category(label: str, matching: AgreementMatching) -> str:
    """Map a category to a name that is shared by all categories equal to it.

    >>> (
    ...     normalise_category("P", "weak") == normalise_category("S", "weak"),
    ...     normalise_category("P", "strict") == normalise_category("S", "strict"),
    ... )
    (True, False)
    """
    return _WEAK.get(label, label) if matching == "weak" else label if matching == "strict" else ""


# --- DISTSIM: similarity of the counts of categories in two graphs, after Sulem et al. (2015).
#
# ``overlap`` reproduces the published numbers: twice the sum of the smaller counts, divided by the sum of all counts.
# ``difference`` is the formula in the paper: the mean over pairs of the difference of the numbers of edges.

MIN_WORDS = 2
"""Minimum number of words of a counted unit."""


def _count_categories(graph: Graph, min_words: int = MIN_WORDS) -> Counter[str]:
    """Count the units of each category by primary edges; units need ``min_words`` words."""
    counts: Counter[str] = Counter()
    for unit in graph.counted:
        if len(graph.yields[unit]) >= min_words:
            counts.update({label for edge in graph.incoming[unit] if not edge.remote for label in edge.labels})
    return counts


def _count_edges(graph: Graph) -> Counter[str]:
    """Count the edges of each category, primary and remote, to units of any length."""
    return Counter(label for unit in graph.counted for edge in graph.incoming[unit] for label in edge.labels)


class Distributions(NamedTuple):
    """The counts of units and edges by category, in a source and its correction."""

    source: Counter[str]
    correction: Counter[str]
    source_edges: Counter[str]
    correction_edges: Counter[str]

    def shared(self, categories: Iterable[str]) -> int:
        """Add up the smaller counts."""
        return sum(min(self.source[name], self.correction[name]) for name in categories)

    def together(self, categories: Iterable[str]) -> int:
        """Add up all counts."""
        return sum(self.source[name] + self.correction[name] for name in categories)

    def difference(self, categories: Sequence[str]) -> int:
        """Compute the difference of the numbers of edges of these categories together."""
        return abs(sum(self.source_edges[name] for name in categories) - sum(self.correction_edges[name] for name in categories))


def make_distributions(source: Graph, correction: Graph, min_words: int = MIN_WORDS) -> Distributions:
    """Count the categories of two graphs."""
    return Distributions(
        _count_categories(source, min_words), _count_categories(correction, min_words), _count_edges(source), _count_edges(correction)
    )


@dataclass(frozen=True)
class DistSimValue:
    """DISTSIM of pairs for some categories."""

    overlap: float | None
    """The mean similarity of the pairs with such units; None without such pairs."""
    pooled: float | None
    """The similarity of the sums over all pairs; the smaller counts are taken per pair."""
    difference: float | None
    """The mean difference of the numbers of edges; 0 is best."""


def compute_distsim(pairs: Sequence[Distributions], categories: Sequence[str], count: int | None = None) -> DistSimValue:
    """Compute the similarity of many pairs; ``count`` is their number if those without the categories are left out.

    >>> compute_distsim([Distributions(Counter(A=2, D=1), Counter(A=1, D=1), Counter(A=5), Counter(A=3))], ["A", "D"])
    DistSimValue(overlap=0.8, pooled=0.8, difference=2.0)
    """
    sums = [(pair.shared(categories), pair.together(categories)) for pair in pairs]
    known = [2 * shared / together for shared, together in sums if together]
    everything = sum(together for _, together in sums)
    count = len(pairs) if count is None else count
    return DistSimValue(
        sum(known) / len(known) if known else None,
        2 * sum(shared for shared, _ in sums) / everything if everything else None,
        sum(pair.difference(categories) for pair in pairs) / count if count else None,
    )


_NO_CATEGORY = "_"
"""The notation for no category."""
_CATEGORIES = r"[^,()+]+(\+[^,()+]+)*"


def write_categories(names: Sequence[str]) -> str:
    """Write categories in the notation of the setting.

    >>> write_categories(["A", ""])
    'A+_'
    """
    return "+".join(name or _NO_CATEGORY for name in names)


@dataclass(frozen=True)
class DistSim(_GraphMetric, RatioMetric):
    """DISTSIM with its settings.

    With a and b units of a category in the source and in the output of a sentence, DISTSIM = 2 Σ min(a, b) / Σ (a + b).
    """

    categories: str = text("A+D", "categories whose numbers of units are compared; _ means no category", pattern=_CATEGORIES, example="A+D")
    min_words: int = whole(MIN_WORDS, "words that a unit must have to be counted", most=1_000_000)
    graphs: GraphBank | None = data_field()
    """The graphs of all texts."""

    name: ClassVar[str] = "distsim"
    title: ClassVar[str] = "DISTSIM"
    summary: ClassVar[str] = "whether source and output have equally many units of some categories; needs semantic graphs, no references"
    paper: ClassVar[str] = "Sulem et al. 2015; Choshen and Abend"
    columns: ClassVar[tuple[str, ...]] = ("shared", "together")
    columns_explained: ClassVar[str] = "Shared: sum of the smaller count of each pair; together: sum of both counts."

    def compare(self, source: Graph, correction: Graph) -> Row:
        return self.count_units(make_distributions(source, correction, self.min_words))

    def count_units(self, pair: Distributions) -> Row:
        """Count from known distributions."""
        categories = ["" if name == _NO_CATEGORY else name for name in self.categories.split("+")]
        return pair.shared(categories), pair.together(categories)

    def warnings(self, counts: Row) -> list[str]:
        named = " or ".join(self.categories.split("+"))
        return [] if counts[1] else [f"the value is meaningless: no unit of {self.min_words} or more words has the category {named}"]

    @property
    def ratio(self) -> Ratio:
        """Twice the shared units, divided by the units of both; 1 if there are none."""
        return Ratio((2, 0), (0, 1))

    @property
    def label(self) -> str:
        return f"DISTSIM {self.categories}"
