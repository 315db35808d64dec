"""errata evaluates grammatical error correction and detection.

>>> import errata
>>> gold = errata.read("examples/learner.m2")
>>> errata.score(gold, errata.read_system("examples/systems/eager.txt")).value
0.655...
"""

from errata.lazy import lazy_names

__getattr__, __dir__, __all__ = lazy_names(__name__)
