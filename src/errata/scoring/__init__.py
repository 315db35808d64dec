"""Scoring: from a corpus, a system and a metric to evidence, and from evidence to scores, also for each error type."""

from errata import lazy_names

__getattr__, __dir__, __all__ = lazy_names(__name__)
