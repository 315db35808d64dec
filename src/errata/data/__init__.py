"""Data sets by name: which there are, where they come from, and the copies on this machine."""

from errata.lazy import lazy_names

__getattr__, __dir__, __all__ = lazy_names(__name__)
