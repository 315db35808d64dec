"""Faithfulness of a system over many pairs of graphs, source and correction."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, fields
from functools import cached_property
from typing import TYPE_CHECKING, Any

from errata.corpus.corpus import Corpus, Sentence
from errata.errors import InputError, MismatchError, pluralise
from errata.language.graphs import GraphBank
from errata.metrics.base import NO_REFERENCE, Metric
from errata.metrics.evidence import Evidence
from errata.metrics.meaning import (
    MIN_WORDS,
    AlignedGraphs,
    Distributions,
    DistSim,
    DistSimValue,
    MatchCounts,
    UccaSim,
    UccaSimSettings,
    UccaSimValue,
    align_graphs,
    compute_distsim,
    make_distributions,
    write_categories,
)
from errata.stats.intervals import compute_intervals

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from errata.corpus.graphs import Graph
    from errata.metrics.meaning import UnitPair
    from errata.stats import Bootstrap, Interval

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
            _count(pair.correction, pair.correction_units, found, counted)
            _count(pair.source, pair.source_units, other_found, other_counted)
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


def _count(graph: Graph, units: Sequence[UnitPair], found: Counter[str], counted: Counter[str]) -> None:
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
