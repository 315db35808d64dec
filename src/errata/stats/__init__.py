"""What numbers say together: statistics over scores, written once for all metrics."""

from errata.stats.correlation import Correlation, correlation

__all__ = ["Correlation", "correlation"]
