"""Scores of single outputs: rewards for training, utilities for minimum-Bayes-risk decoding, and picks from n-best lists."""

from errata import lazy_names

__getattr__, __dir__, __all__ = lazy_names(__name__)
