"""Corpus-level metrics for evaluation harnesses of language models; neither harness is needed to import them."""

from errata.lazy import lazy_names

__getattr__, __dir__, __all__ = lazy_names(__name__)
