"""A shared task in one file: gold, alternative answers, systems, metrics and types, and the tables that come out."""

from errata.lazy import lazy_names

__getattr__, __dir__, __all__ = lazy_names(__name__)
