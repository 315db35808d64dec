"""What a report shows: scores, their statistics, types and edits, all computed before anything is written."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from errata.names import shorten_type
from errata.scoring.scores import best_first

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from errata.corpus.corpus import Corpus, System
    from errata.metrics import JudgedEdit, Metric
    from errata.names import Correction, Detail, Test
    from errata.report.charts.drawing_process import DrawingProcess
    from errata.report.charts.drawings import Drawing
    from errata.report.tables.types import TypedScore
    from errata.scoring import Score
    from errata.stats import Bootstrap, Comparison, Interval
    from errata.studies.meta import JudgedSentences, MetaEvaluation


class Testing(NamedTuple):
    """How systems are compared."""

    test: Test = "bootstrap"
    """By default that which takes the replicates of the intervals, so that nothing is resampled twice."""
    correction: Correction = "holm"
    alpha: float = 0.05

    def describe(self, bootstrap: Bootstrap) -> str:
        """Say how intervals and tests were made."""
        return f"{self.test} test, {self.correction} correction, alpha {self.alpha:g}; {bootstrap}"


@dataclass(frozen=True)
class RankedSystems:
    """The scores of all systems with one metric, with intervals and paired tests."""

    metric: Metric
    scores: Sequence[Score]
    """In the order in which systems were given, as everything here."""
    intervals: Sequence[Interval]
    comparisons: Sequence[Comparison]
    ranks: Sequence[int]
    """By score; equal scores share a rank, and undefined ones are last."""
    letters: Sequence[str] | None
    """Two systems share a letter if they are not significantly different; None if there are too many groups."""
    how: str
    """How intervals and tests were made."""

    @property
    def has_intervals(self) -> bool:
        """Whether there are enough sentences for intervals and tests."""
        return not all(math.isnan(interval.low) for interval in self.intervals)

    @cached_property
    def order(self) -> list[int]:
        """The indices of systems, the best first."""
        return sorted(range(len(self.scores)), key=lambda index: best_first(self.scores[index]))


Edits = list["JudgedEdit"]
"""The edits of a sentence, judged by the chosen reference."""


@dataclass(frozen=True)
class JudgedSystems:
    """The edits of every system in every sentence, judged by one metric."""

    scores: Sequence[Score]
    edits: Sequence[Sequence[Edits]]
    """For each system and sentence."""
    is_extra: bool
    """Whether the metric was not asked for, and only judges edits, because no other does."""

    @property
    def metric(self) -> Metric:
        """The metric that judges the edits."""
        return self.scores[0].metric

    def with_types(self, wrong_types: Sequence[Sequence[str] | None], detail: Detail) -> JudgedSystems:
        """Give wrong edits the types that were found for each system, and keep of all types what ``detail`` says."""
        edits = [
            _type_edits(own, types, detail) if types is not None or detail != "full" else own
            for own, types in zip(self.edits, wrong_types, strict=True)
        ]
        return replace(self, edits=edits)


def _type_edits(sentences: Sequence[Edits], wrong_types: Sequence[str] | None, detail: Detail) -> list[Edits]:
    found = iter(wrong_types or ())
    return [
        [
            replace(edit, type=shorten_type((next(found, "") if edit.outcome == "wrong" else edit.type) or "", detail) or None)
            if edit.outcome == "wrong" or detail != "full"
            else edit
            for edit in edits
        ]
        for edits in sentences
    ]


@dataclass(frozen=True)
class ComparedWithPeople:
    """The metrics of a report, judged against people."""

    judged: JudgedSentences
    evaluation: MetaEvaluation | None
    """None if there is a reason why they cannot be compared."""
    drawings: Sequence[Drawing] = ()
    reason: str = ""


@dataclass(frozen=True)
class Report:
    """Everything that a page shows."""

    corpus: Corpus
    systems: Sequence[System]
    rankings: Sequence[RankedSystems]
    """One for each metric."""
    judged: JudgedSystems | None
    """None if edits cannot be judged, because the gold has no references."""
    typed: Sequence[TypedScore]
    """Scores by error type, one for each system; empty if there are none."""
    bootstrap: Bootstrap
    testing: Testing
    shown: Sequence[int]
    """The indices of the sentences that are in the page."""
    people: ComparedWithPeople | None = None
    """None without judgments of people."""
    drawer: DrawingProcess | None = None
    """What draws the charts; None for no charts."""
    sampled: str = ""
    """Why not all sentences are in the page; empty if they are."""
    title: str = ""
    """What the page is about; by default the name of the gold."""
    command: str = ""
    warnings: Sequence[str] = ()
    handles: Mapping[str, Collection[str]] = field(default_factory=dict)
    """The error types that systems handle, as their teams say; a system that is not named handles all."""
    signed: str = ""
    """What belongs to every signature beside what the scores have."""
    start: str = ""
    """The view that the page opens, as in a fragment of its address."""

    @property
    def names(self) -> list[str]:
        """The names of the systems."""
        return [system.name for system in self.systems]

    @property
    def main(self) -> RankedSystems:
        """The scores by the first metric."""
        return self.rankings[0]
