"""Tokenise outputs as models write them, so that they can be compared with tokenised gold."""

from errata.lazy import lazy_names

__getattr__, __dir__, __all__ = lazy_names(__name__)
