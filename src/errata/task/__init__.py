"""Shared tasks, defined by one file: gold, alternative answers, systems, metrics and types; and their tables."""

from errata import lazy_names

__getattr__, __dir__, __all__ = lazy_names(__name__)
