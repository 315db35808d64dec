"""Helping Our Own (HOO): edits with character offsets, extracted like GNU wdiff, and the scores of the 2011 and 2012 tasks."""

from errata.lazy import lazy_names

__getattr__, __dir__, __all__ = lazy_names(__name__)
