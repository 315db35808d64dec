"""Metrics, one file each; ``base`` defines what a metric is, ``registry`` finds metrics by name."""

from errata import lazy_names

__getattr__, __dir__, __all__ = lazy_names(__name__)
