"""The annotators of a corpus: how systems do by the judgment of each, and how far annotators agree."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from errata.detection.evaluation import Evaluation, evaluate_detection, list_aspects
from errata.detection.statistics import JudgedSystem

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from errata.corpus.corpus import System
    from errata.detection.cases import Cases
    from errata.detection.from_corpora import CorpusCases

MOST_ANNOTATORS = 20
"""The most annotators that are compared, because every pair is judged."""


class AnnotatorEvaluation(NamedTuple):
    """What one annotator says about a system, or about another annotator."""

    annotator: str
    evaluation: Evaluation


class AnnotatorEvaluations(NamedTuple):
    """All systems by each annotator, and all pairs of annotators: the first is the gold, the second the system."""

    systems: list[AnnotatorEvaluation]
    pairs: list[AnnotatorEvaluation]
    skipped: int = 0
    """The number of annotators, if they are too many to be compared."""


def evaluate_annotators(
    corpus_cases: CorpusCases,
    systems: Sequence[System],
    annotators: int,
    beta: float = 1.0,
    progress: Callable[[int], None] | None = None,
) -> AnnotatorEvaluations:
    """Evaluate systems by each annotator, and annotators by each other; ``progress`` is called after each."""
    if annotators > MOST_ANNOTATORS:
        return AnnotatorEvaluations([], [], annotators)

    def evaluate(name: str, cases: Cases) -> list[AnnotatorEvaluation]:
        if progress is not None:
            progress(1)
        judged = JudgedSystem(cases, cases.systems[0])
        return [AnnotatorEvaluation(name, evaluate_detection(judged, aspect, beta)) for aspect in list_aspects(judged)]

    by_system = [item for system in systems for name, cases in corpus_cases.judge_by_annotator(system) for item in evaluate(name, cases)]
    pairs = [item for name, cases in corpus_cases.judge_annotators() for item in evaluate(name, cases)]
    return AnnotatorEvaluations(by_system, pairs)
