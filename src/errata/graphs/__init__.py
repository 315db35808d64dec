"""Semantic graphs: one model, files, passages cut into sentences, and parsers."""

from errata.lazy import lazy_names

__getattr__, __dir__, __all__ = lazy_names(__name__)
