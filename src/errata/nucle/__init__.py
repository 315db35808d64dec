"""Learner essays with stand-off annotations (NUCLE, CoNLL shared tasks), and their conversion to sentences."""

from errata.lazy import lazy_names

__getattr__, __dir__, __all__ = lazy_names(__name__)
