"""Results of the study of metrics and people, from public data: gold, outputs and judgments."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import errata
from errata.studies.judgments import read_judgments
from errata.studies.meta import (
    JudgedSentences,
    MetaSettings,
    MetricScores,
    SentenceAgreement,
    SystemCorrelation,
    evaluate_metrics,
    score_by_people,
)
from errata.studies.meta.systems import compute_many, none_if_undefined

from study_texts import Compared

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from errata.corpus.corpus import Corpus, System
    from errata.studies.meta import HumanScores, MetaEvaluation

COPY = "INPUT"
"""The system that changes nothing."""
BOTH = "combined"
_JUDGMENTS = {"GJG15": "gjg15", "SEEDA-E": "seeda-edit", "SEEDA-S": "seeda-sent"}


class Row(NamedTuple):
    """One metric on one data set."""

    metric: str
    correlations: dict[str, SystemCorrelation]
    """By the name of the coefficient."""
    without_copy: float | None
    """Pearson's r without the system that changes nothing."""
    sentences: SentenceAgreement

    @property
    def tied(self) -> float:
        """The share of pairs that the metric ties."""
        own = self.sentences
        ties = own.first_better + own.first_worse
        return ties / (own.agree + own.disagree + ties)


@dataclass(frozen=True)
class DataSet:
    """Judgments with the outputs they are about; metrics are computed for the judged sentences, or for all."""

    name: str
    folder: Path
    _scores: dict[tuple[str, str], MetricScores] = field(default_factory=dict, repr=False)

    @cached_property
    def _judged_of_all(self) -> JudgedSentences:
        judgments = read_judgments(self.folder / f"judgments/{_JUDGMENTS[self.name]}.tsv.gz")
        whole = len(self._read_gold(BOTH))
        return JudgedSentences.of(judgments, range(1, whole + 1), 0, whole)

    @cached_property
    def judged(self) -> JudgedSentences:
        """The judgments, counted from the sentences that metrics see."""
        every = self._judged_of_all
        return every if self.name == "GJG15" else JudgedSentences(every.items, every.judged_numbers, every.first)

    @cached_property
    def human(self) -> HumanScores:
        """The scores of systems by people."""
        return score_by_people(self.judged.items, self.judged.places)

    @cached_property
    def systems(self) -> list[System]:
        """The public outputs."""
        folder = self.folder / "conll14"
        modern = [folder / f"systems/{COPY}.txt", *sorted((folder / "modern").glob("*.txt"))]
        return [errata.read_system(path) for path in (sorted((folder / "systems").glob("*.txt")) if self.name == "GJG15" else modern)]

    def _read_gold(self, annotators: str) -> Corpus:
        return errata.read(self.folder / f"conll14/gold/official-2014.{annotators}.m2")

    def score(self, metric: str, annotators: str = BOTH) -> MetricScores:
        """Score all systems with the corrections of both annotators, or of one (``0`` or ``1``)."""
        key = (metric, annotators)
        if key not in self._scores:
            corpus = self._read_gold(annotators).subset(self.judged.numbers)
            name = metric if annotators == BOTH else f"{metric}, annotator {annotators}"
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", UserWarning)  # about outputs that are known
                evaluate = errata.Evaluator(corpus, metric)
                found = [evaluate(corpus.fit(system)) for system in self.systems]
            self._scores[key] = MetricScores.of(found, name)
        return self._scores[key]

    def describe(self, metric: str) -> Row:
        """Compare one metric with people."""
        scores = self.score(metric)
        found = evaluate_metrics(self.human, [scores], self.judged)
        kept = [name for name in found.systems if name != COPY]
        r = float(compute_many("pearson", scores.list_values(kept), self.human.list_values(kept)))
        return Row(metric, {row.coefficient: row for row in found.correlations}, none_if_undefined(r), found.agreements[0])

    def compare(self, one: tuple[str, str], other: tuple[str, str]) -> Compared:
        """Compare two metrics, each with its annotators; p-values are not corrected."""
        found = evaluate_metrics(self.human, [self.score(*one), self.score(*other)], self.judged)
        return make_compared(self.name, found)[0]

    def compare_all(self, metrics: Sequence[str]) -> list[Compared]:
        """Compare all pairs of metrics; p-values are corrected by Holm's method."""
        return make_compared(self.name, evaluate_metrics(self.human, [self.score(name) for name in metrics], self.judged, MetaSettings()))


def make_compared(data: str, found: MetaEvaluation) -> list[Compared]:
    """Join the comparisons on systems and on sentences."""
    return [
        Compared(
            data,
            systems.metric,
            systems.other,
            (systems.difference, systems.low, systems.high),
            systems.williams,
            systems.permutation,
            systems.needed,
            (sentences.difference, sentences.low, sentences.high),
            sentences.p,
        )
        for systems, sentences in zip(found.comparisons, found.agreement_comparisons, strict=True)
    ]
