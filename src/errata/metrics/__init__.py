"""One file a metric; ``base`` says what a metric is, ``registry`` finds them by name."""

from typing import TYPE_CHECKING

from errata.lazy import offered

if TYPE_CHECKING:
    from errata.metrics.base import Metric, Outcomes, Output, RatioMetric, Scorer
    from errata.metrics.registry import METRICS, metric
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
    "metric",
]

if not TYPE_CHECKING:  # who checks types sees the imports above
    __getattr__, __dir__ = offered(
        __name__,
        {
            "base": "Metric Outcomes Output RatioMetric Scorer",
            "registry": "METRICS metric",
            "strategy": "Choose Draws Expectation ExpectedCounts SingleRow Strategy",
            "views": "Alignment FindsTypes JudgedEdit ShowsAlignment ShowsEdits",
        },
    )
