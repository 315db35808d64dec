"""What numbers say together: statistics over scores, written once for all metrics."""

from errata.stats.accuracy import Matches, exact_interval
from errata.stats.bootstrap import Bootstrap
from errata.stats.comparison import Comparison, clusters, compare, corrected_p
from errata.stats.correlation import Correlation, correlation
from errata.stats.intervals import Interval, intervals
from errata.stats.resampling import Resampled, resample

__all__ = [
    "Bootstrap",
    "Comparison",
    "Correlation",
    "Interval",
    "Matches",
    "Resampled",
    "clusters",
    "compare",
    "corrected_p",
    "correlation",
    "exact_interval",
    "intervals",
    "resample",
]
