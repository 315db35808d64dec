"""Was the meaning kept: how far two semantic graphs agree, and how much of a source is in a correction."""

from errata.lazy import lazy_names

__getattr__, __dir__, __all__ = lazy_names(__name__)
