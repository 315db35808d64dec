"""Detection of errors: cases, what their counts mean, and curves over a threshold (Chodorow et al. 2012)."""

from errata.detection.cases import ASPECTS, Answers, Cases, Labels, count
from errata.detection.chance import chance_counts
from errata.detection.curves import Areas, Curve, curve_of
from errata.detection.evaluation import Evaluation, evaluate, evaluate_types
from errata.detection.from_corpora import CorpusCases, cases_of, places_of
from errata.detection.measures import MEASURES, Counts, Measure
from errata.detection.statistics import Judged, compare_systems, judged_of, measure_intervals
from errata.detection.tables import read_cases

__all__ = [
    "ASPECTS",
    "MEASURES",
    "Answers",
    "Areas",
    "Cases",
    "CorpusCases",
    "Counts",
    "Curve",
    "Evaluation",
    "Judged",
    "Labels",
    "Measure",
    "cases_of",
    "chance_counts",
    "compare_systems",
    "count",
    "curve_of",
    "evaluate",
    "evaluate_types",
    "judged_of",
    "measure_intervals",
    "places_of",
    "read_cases",
]
