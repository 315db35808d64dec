"""Faithfulness: the agreement of two semantic graphs, and the meaning of a source that a correction keeps."""

from errata.lazy import lazy_names

__getattr__, __dir__, __all__ = lazy_names(__name__)
