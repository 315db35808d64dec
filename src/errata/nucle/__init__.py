"""Learners' essays with stand-off annotations, as the NUCLE corpus and the CoNLL shared tasks have them, and their way to M2."""

from errata.lazy import lazy_names

__getattr__, __dir__, __all__ = lazy_names(__name__)
