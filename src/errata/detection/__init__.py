"""Detection of errors: cases, what their counts mean, and curves over a threshold (Chodorow et al. 2012)."""

from errata.detection.cases import ASPECTS, Answers, Cases, Labels, count
from errata.detection.curves import Areas, Curve, curve_of
from errata.detection.measures import MEASURES, Counts, Measure

__all__ = ["ASPECTS", "MEASURES", "Answers", "Areas", "Cases", "Counts", "Curve", "Labels", "Measure", "count", "curve_of"]
