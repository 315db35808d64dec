"""What numbers say together: statistics over scores, written once for all metrics."""

from errata.stats.correlation import Correlation, correlation
from errata.stats.intervals import Bootstrap, Interval, intervals

__all__ = ["Bootstrap", "Correlation", "Interval", "correlation", "intervals"]
