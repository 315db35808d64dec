"""The core in plain Python: oracle of the tests, and what runs where the compiled core could not be built.

One file for each header of ``native/``, with the same results to the last number.
"""

from errata._reference.alignment import align
from errata._reference.maxmatch import MaxMatchJudge

__all__ = ["MaxMatchJudge", "align"]
