"""Detection of errors: cases, what their counts mean, and curves over a threshold (Chodorow et al. 2012)."""

from errata.lazy import lazy_names

__getattr__, __dir__, __all__ = lazy_names(__name__)
