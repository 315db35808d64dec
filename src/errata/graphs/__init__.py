"""Semantic graphs: model, files, cutting passages into sentences, and parsers."""

from errata.lazy import lazy_names

__getattr__, __dir__, __all__ = lazy_names(__name__)
