"""One file a metric; ``base`` says what a metric is, ``registry`` finds them by name."""

from errata.metrics.base import Metric, Outcomes, Output, RatioMetric, Scorer
from errata.metrics.registry import METRICS, parse
from errata.metrics.strategy import Choose, Draws, Expectation, ExpectedCounts, SingleRow, Strategy
from errata.metrics.views import Alignment, FindsTypes, JudgedEdit, ShowsAlignment, ShowsEdits

__all__ = [
    "METRICS",
    "Alignment",
    "Choose",
    "Draws",
    "Expectation",
    "ExpectedCounts",
    "FindsTypes",
    "JudgedEdit",
    "Metric",
    "Outcomes",
    "Output",
    "RatioMetric",
    "Scorer",
    "ShowsAlignment",
    "ShowsEdits",
    "SingleRow",
    "Strategy",
    "parse",
]
