"""Detection of errors: cases, measures of their counts, and curves over the threshold (Chodorow et al. 2012)."""

from errata import lazy_names

__getattr__, __dir__, __all__ = lazy_names(__name__)
