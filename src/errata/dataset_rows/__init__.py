"""Rows of data sets, such as those of Hugging Face, as a corpus."""

from errata.lazy import lazy_names

__getattr__, __dir__, __all__ = lazy_names(__name__)
