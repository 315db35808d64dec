"""Edits between two texts and their types, by the rules of ERRANT (Felice et al. 2016, Bryant et al. 2017)."""

from errata.lazy import lazy_names

__getattr__, __dir__, __all__ = lazy_names(__name__)
