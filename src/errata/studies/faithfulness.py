"""Faithfulness: the agreement of two semantic graphs, and the meaning of a source that a correction keeps."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, fields
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, get_args

from errata.corpus.corpus import Corpus, Sentence
from errata.errors import InputError, MismatchError, UsageError, pluralise
from errata.language.graphs import GraphBank
from errata.metrics.base import NO_REFERENCE, Metric
from errata.metrics.evidence import Evidence
from errata.metrics.meaning import (
    MIN_WORDS,
    NOTHING,
    AgreementMatching,
    AlignedGraphs,
    Distributions,
    DistSim,
    DistSimValue,
    LabelMatching,
    MatchCounts,
    UccaSim,
    UccaSimSettings,
    UccaSimValue,
    align_graphs,
    check_same_framework,
    compute_distsim,
    make_distributions,
    normalise_category,
    write_categories,
)
from errata.stats.intervals import compute_intervals

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from errata.corpus.graphs import Graph
    from errata.metrics.meaning import UnitPair
    from errata.stats.bootstrap import Bootstrap
    from errata.stats.intervals import Interval


# Agreement of two graphs of one text: the DAG F-score (Choshen and Abend, section 4.3).  Two graphs agree on a span of words if both have
# it with a common category.  Units of punctuation marks, edges to them and units without words do not count, and spans exclude punctuation
# marks.

_Edges = Literal["primary", "remote"]
_Spans = dict[tuple[int, ...], frozenset[str]]
"""The spans of a graph with their categories."""
_UNCOUNTED = "U"


@dataclass(frozen=True)
class Agreement:
    """The agreement of two graphs, or of many pairs."""

    primary: MatchCounts = NOTHING
    remote: MatchCounts = NOTHING
    categories: tuple[tuple[str, MatchCounts], ...] = ()
    """By category of primary edges, in alphabetical order; a span with several categories counts for each."""

    @property
    def pooled(self) -> MatchCounts:
        """Primary and remote edges together."""
        return self.primary.plus(self.remote)

    @classmethod
    def pool(cls, agreements: Iterable[Agreement]) -> Agreement:
        """Add up the agreement of many pairs."""
        primary = remote = NOTHING
        categories: dict[str, MatchCounts] = {}
        for item in agreements:
            primary, remote = primary.plus(item.primary), remote.plus(item.remote)
            for name, counts in item.categories:
                categories[name] = categories.get(name, NOTHING).plus(counts)
        return Agreement(primary, remote, tuple(sorted(categories.items())))


def _list_spans(graph: Graph, edges: _Edges = "primary") -> _Spans:
    """List the spans of a graph without punctuation marks, with the categories of the edges to their units."""
    spans: dict[tuple[int, ...], set[str]] = {}
    for unit in graph.counted:
        labels = {
            label for edge in graph.incoming[unit] if edge.remote == (edges == "remote") for label in edge.labels if label != _UNCOUNTED
        }
        positions = tuple(position for position in graph.yields[unit] if position not in graph.punctuation)
        if labels and positions:
            spans.setdefault(positions, set()).update(labels)
    return {positions: frozenset(labels) for positions, labels in spans.items()}


def measure_agreement(expected: Graph, guessed: Graph, labels: AgreementMatching = "weak") -> Agreement:
    """Compare two graphs of one text.

    ``labels`` are compared ``weak`` (categories that are hard to distinguish count as equal), ``strict``, or not (``unlabelled``).
    """
    if labels not in get_args(AgreementMatching):
        raise UsageError(f"labels must be weak, strict or unlabelled, found {labels!r}")
    _check_same_words(expected, guessed)
    check_same_framework(expected, guessed)
    own, other = _list_spans(guessed), _list_spans(expected)
    primary = _count_agreement(own, other, labels)
    remote = _count_agreement(_list_spans(guessed, "remote"), _list_spans(expected, "remote"), labels)
    return Agreement(primary, remote, _count_by_category(own, other, labels))


def _check_same_words(one: Graph, other: Graph) -> None:
    """Raise with the first difference if two graphs have different words."""
    if one.tokens == other.tokens:
        return
    position = next((position for position, (a, b) in enumerate(zip(one.tokens, other.tokens, strict=False)) if a != b), None)
    if position is None:
        difference = f"the first has {pluralise(len(one.tokens), 'word')}, the second {len(other.tokens):,}"
    else:
        difference = f"word {position + 1} is {one.tokens[position]!r} in the first and {other.tokens[position]!r} in the second"
    raise MismatchError(f"{one.name} and {other.name} have different texts: {difference}")


def _count_agreement(own: _Spans, other: _Spans, matching: AgreementMatching) -> MatchCounts:
    agreed = sum(_meet(labels, other.get(indices), matching) for indices, labels in own.items())
    return MatchCounts(agreed, len(own), agreed, len(other))


def _meet(labels: frozenset[str], others: frozenset[str] | None, matching: AgreementMatching) -> bool:
    if others is None:
        return False
    return not {normalise_category(label, matching) for label in labels}.isdisjoint(normalise_category(label, matching) for label in others)


def _count_by_category(own: _Spans, other: _Spans, matching: AgreementMatching) -> tuple[tuple[str, MatchCounts], ...]:
    """Count the spans of each category, and those with an equal category in the other graph."""
    (precise, guessed), (recalled, expected) = _count_found(own, other, matching), _count_found(other, own, matching)
    names = sorted(guessed | expected)
    return tuple((name, MatchCounts(precise[name], guessed[name], recalled[name], expected[name])) for name in names)


def _count_found(own: _Spans, other: _Spans, matching: AgreementMatching) -> tuple[Counter[str], Counter[str]]:
    found, counted = Counter[str](), Counter[str]()
    for indices, labels in own.items():
        counted.update(labels)
        found.update(label for label in labels if _meet(frozenset([label]), other.get(indices), matching))
    return found, counted


# Outcomes of units: kept, relabelled (its best match has another category), lost or added (it has no match).

UnitStatus = Literal["kept", "relabelled", "lost", "added"]
UNIT_MARKS: dict[UnitStatus, str] = {"kept": "=", "relabelled": "~", "lost": "-", "added": "+"}


class UnitOutcome(NamedTuple):
    """The outcome of a unit of the source, of the correction, or of a pair."""

    outcome: UnitStatus
    source: int | None
    correction: int | None

    @classmethod
    def of_source(cls, unit: UnitPair, pair: AlignedGraphs) -> UnitOutcome:
        """Judge a unit of the source, and choose its best match."""
        outcome: UnitStatus = "kept" if unit.found else "relabelled" if unit.partners else "lost"
        return cls(outcome, unit.unit, _find_best_match(unit, pair.source, pair.correction))

    @classmethod
    def of_correction(cls, unit: UnitPair, pair: AlignedGraphs) -> UnitOutcome:
        """Judge a unit of the correction, and choose its best match."""
        outcome: UnitStatus = "kept" if unit.found else "relabelled" if unit.partners else "added"
        return cls(outcome, _find_best_match(unit, pair.correction, pair.source), unit.unit)


def judge_units(pair: AlignedGraphs) -> list[UnitOutcome]:
    """List the outcomes of all units of the source, from left to right and from large to small, then of the added units.

    A unit whose best matches have other categories is relabelled; a unit without best match is lost or added.
    """
    rows = [UnitOutcome.of_source(unit, pair) for unit in sorted(pair.source_units, key=lambda item: _sort_key(pair.source, item.unit))]
    shown = {(row.source, row.correction) for row in rows if row.outcome == "relabelled"}
    for unit in sorted(pair.correction_units, key=lambda item: _sort_key(pair.correction, item.unit)):
        row = UnitOutcome.of_correction(unit, pair)
        if not unit.found and (row.source, row.correction) not in shown:
            rows.append(row)
    return rows


def _find_best_match(unit: UnitPair, graph: Graph, other: Graph) -> int | None:
    """Choose the best match to show: one with a category of the unit, if possible."""
    labels = list_labels(graph, unit.unit)

    def alike(index: int, matching: LabelMatching) -> bool:
        return not {normalise_category(label, matching) for label in labels}.isdisjoint(
            normalise_category(label, matching) for label in list_labels(other, index)
        )

    return max(unit.partners, key=lambda index: (alike(index, "strict"), alike(index, "weak"), -index), default=None)


def _sort_key(graph: Graph, unit: int) -> tuple[int, int, int]:
    positions = graph.yields[unit]
    return (positions[0] if positions else len(graph.tokens), -len(positions), unit)


def format_unit(graph: Graph, unit: int) -> str:
    """Format the words of a unit; dots mark gaps."""
    positions = graph.yields[unit]
    pieces: list[str] = []
    for number, position in enumerate(positions):
        if number and position != positions[number - 1] + 1:
            pieces.append("...")
        pieces.append(graph.tokens[position])
    return " ".join(pieces) or "(implicit)"


SCENE = ("H",)
"""The category that counts as Scene in the published numbers: parallel Scene."""


def pair_graphs(sources: Sequence[Graph], corrections: Sequence[Graph], what: str) -> list[tuple[Graph, Graph]]:
    """Pair sources with corrections: by id if the ids are the same, else in order if the numbers are equal.

    >>> from errata.language import Graph
    >>> pair_graphs([Graph("1", (), (), ())], [Graph("1b", (), (), ())], "corrections")[0][1].id
    '1b'
    """
    by_id = {graph.id: graph for graph in corrections}
    ids = [graph.id for graph in sources]
    if set(ids) == set(by_id) and len(ids) == len(corrections):
        return [(graph, by_id[graph.id]) for graph in sources]
    if len(ids) == len(corrections) and not by_id.keys() & set(ids):
        return list(zip(sources, corrections, strict=True))
    unpaired = [f"{what} has no graph {name!r}" for name in ids if name not in by_id]
    known = set(ids)
    unpaired += [f"the source has no graph {name!r}" for name in by_id if name not in known]
    raise MismatchError(f"{what} has {pluralise(len(corrections), 'graph')}, but the source has {len(ids):,}; {unpaired[0]}")


@dataclass(frozen=True)
class Faithfulness:
    """Faithfulness of the corrections of a system or a person."""

    name: str
    pairs: tuple[AlignedGraphs, ...]
    metric: UccaSim
    """The metric, with the graphs of all pairs."""
    distsim_min_words: int = MIN_WORDS
    """Minimum number of words of a unit counted for DISTSIM."""

    @cached_property
    def counts(self) -> tuple[int, ...]:
        """The sum of the counts of all pairs."""
        return tuple(map(sum, zip(*(pair.counts for pair in self.pairs), strict=True)))

    @property
    def value(self) -> UccaSimValue:
        """UCCASIM of all pairs together."""
        return UccaSimValue.of(self.counts)

    @property
    def mean(self) -> float:
        """The mean of the F of all pairs, equally weighted."""
        return sum(UccaSimValue.of(pair.counts).matched.f for pair in self.pairs) / len(self.pairs)

    @cached_property
    def distributions(self) -> list[Distributions]:
        """The counts of categories of all pairs."""
        return [make_distributions(pair.source, pair.correction, self.distsim_min_words) for pair in self.pairs]

    def distsim(self, categories: Sequence[str]) -> DistSimValue:
        """Compute DISTSIM of some categories."""
        having = sorted({number for name in categories for number in self._pairs_with.get(name, ())})
        return compute_distsim([self.distributions[number] for number in having], categories, len(self.distributions))

    @cached_property
    def _pairs_with(self) -> dict[str, list[int]]:
        """The numbers of the pairs that have each category."""
        found: dict[str, list[int]] = {}
        for number, pair in enumerate(self.distributions):
            for name in {name for counts in pair for name in counts}:
                found.setdefault(name, []).append(number)
        return found

    @property
    def categories(self) -> list[str]:
        """All categories of counted units, in alphabetical order."""
        return sorted({name for pair in self.distributions for name in (*pair.source, *pair.correction)} | dict(self.by_category).keys())

    @property
    def by_category(self) -> list[tuple[str, MatchCounts]]:
        """Counts by category; a unit with several categories counts for each."""
        found, counted, other_found, other_counted = (Counter[str]() for _ in range(4))
        for pair in self.pairs:
            _count_faithfulness(pair.correction, pair.correction_units, found, counted)
            _count_faithfulness(pair.source, pair.source_units, other_found, other_counted)
        names = sorted(counted | other_counted)
        return [(name, MatchCounts(found[name], counted[name], other_found[name], other_counted[name])) for name in names]

    @property
    def settings(self) -> UccaSimSettings:
        """The settings of UCCASIM."""
        return UccaSimSettings(**_select_settings(self.metric))

    def evidence(self, name: str = "") -> Evidence:
        """Collect the counts of all pairs, for intervals and tests."""
        return self._evidence(self.metric, [pair.counts for pair in self.pairs], name)

    def distsim_evidence(self, categories: Sequence[str], name: str = "") -> Evidence:
        """Collect the counts of all pairs for DISTSIM of some categories."""
        metric = DistSim(write_categories(categories), self.distsim_min_words, self.metric.graphs)
        return self._evidence(metric, [metric.count_units(pair) for pair in self.distributions], name)

    def distsim_interval(self, categories: Sequence[str], bootstrap: Bootstrap) -> Interval | None:
        """Compute the interval of DISTSIM over all pairs; None if no unit has one of the categories."""
        return None if self.distsim(categories).pooled is None else compute_intervals([self.distsim_evidence(categories)], bootstrap)[0]

    def _evidence(self, metric: Metric, rows: Sequence[tuple[int, ...]], name: str) -> Evidence:
        corpus = Corpus(tuple(Sentence(pair.source.tokens) for pair in self.pairs), name)
        return Evidence(metric, corpus, self.name, tuple((row,) for row in rows), ((NO_REFERENCE,),) * len(rows))


def list_labels(graph: Graph, unit: int) -> list[str]:
    """List the categories of a unit, those of primary edges first."""
    edges = sorted(graph.incoming[unit], key=lambda edge: edge.remote)
    return list(dict.fromkeys(label for edge in edges for label in edge.labels))


def _count_faithfulness(graph: Graph, units: Sequence[UnitPair], found: Counter[str], counted: Counter[str]) -> None:
    for unit in units:
        labels = list_labels(graph, unit.unit)
        counted.update(labels)
        if unit.found:
            found.update(labels)


def evaluate_faithfulness(
    name: str, pairs: Sequence[tuple[Graph, Graph]], settings: UccaSimSettings | None = None, progress: Callable[[int], None] | None = None
) -> Faithfulness:
    """Evaluate all pairs; ``settings`` may also be a metric, with the graphs of other corrections."""
    if not pairs:
        raise InputError(f"{name}: there are no graphs to compare")
    metric = settings if isinstance(settings, UccaSim) else UccaSim(**_select_settings(settings or UccaSimSettings()))
    if metric.graphs is None:
        metric = metric.with_data(graphs=GraphBank(graph for pair in pairs for graph in pair))
    compared = []
    for source, correction in pairs:
        compared.append(align_graphs(source, correction, metric))
        if progress is not None:
            progress(1)
    return Faithfulness(name, tuple(compared), metric)


def _select_settings(settings: UccaSimSettings) -> dict[str, Any]:
    """Select the settings of UCCASIM."""
    return {item.name: getattr(settings, item.name) for item in fields(UccaSimSettings)}
