"""The core in plain Python: oracle of the tests, and what runs where the compiled core could not be built.

A file for each header of ``native/``, with the same results to the last number; some have a part of theirs in another file.
"""

from errata.core.python.alignment import align
from errata.core.python.best_matches import best_matches
from errata.core.python.blocks import MixedReferences
from errata.core.python.edit_distance import edit_distances
from errata.core.python.maxmatch import MaxMatchJudge
from errata.core.python.resampling import rechosen
from errata.core.python.three_way import three_way_columns, three_way_counts

__all__ = [
    "MaxMatchJudge",
    "MixedReferences",
    "align",
    "best_matches",
    "edit_distances",
    "rechosen",
    "three_way_columns",
    "three_way_counts",
]
