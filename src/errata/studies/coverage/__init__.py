"""Coverage of references: how many corrections a sentence has, and what a perfect corrector would score."""

from errata import lazy_names

__getattr__, __dir__, __all__ = lazy_names(__name__)
