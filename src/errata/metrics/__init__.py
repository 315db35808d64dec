"""One file a metric, and the register of them all."""

from __future__ import annotations

from errata.metrics.alignments import Alignment, AlignmentScorer
from errata.metrics.base import EditScorer, JudgedEdit, Metric, PrecisionRecall, Scorer, TypeScorer
from errata.metrics.exact import Accuracy, IndexMatch
from errata.metrics.faithfulness import DistSim, UccaSim
from errata.metrics.hoo import Hoo
from errata.metrics.imeasure.metric import IMeasure
from errata.metrics.maxmatch import MaxMatch
from errata.metrics.notation import parse_metric

__all__ = [
    "METRICS",
    "Accuracy",
    "Alignment",
    "AlignmentScorer",
    "DistSim",
    "EditScorer",
    "Hoo",
    "IMeasure",
    "IndexMatch",
    "JudgedEdit",
    "MaxMatch",
    "Metric",
    "PrecisionRecall",
    "Scorer",
    "TypeScorer",
    "UccaSim",
    "parse",
]

METRICS: dict[str, type[Metric]] = {metric.name: metric for metric in (MaxMatch, IMeasure, Hoo, Accuracy, IndexMatch, UccaSim, DistSim)}
"""All metrics by name."""


def parse(text: str | Metric) -> Metric:
    """The metric that a text names.

    >>> parse("maxmatch(beta=1,choice=optimal)")
    MaxMatch(beta=1.0, max_unchanged=2, ignore_case_and_space=False, choice='optimal', missing='absent')
    """
    return text if isinstance(text, Metric) else parse_metric(text, METRICS)
