"""Statistics over scores, for all metrics: intervals, tests, correlations."""

from errata import lazy_names

__getattr__, __dir__, __all__ = lazy_names(__name__)
