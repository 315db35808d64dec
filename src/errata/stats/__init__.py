"""What numbers say together: statistics over scores, written once for all metrics."""

from errata.lazy import lazy_names

__getattr__, __dir__, __all__ = lazy_names(__name__)
