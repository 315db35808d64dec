"""Judgments of people: rankings of systems' outputs, how far judges agree, and what they say about systems."""

from errata import lazy_names

__getattr__, __dir__, __all__ = lazy_names(__name__)
