"""Metrics against people: how far the scores of metrics agree with judgments of systems and of sentences."""

from errata import lazy_names

__getattr__, __dir__, __all__ = lazy_names(__name__)
