"""The core in plain Python: oracle of the tests, and what runs where the compiled core could not be built.

One file for each header of ``native/``, with the same results to the last number.
"""

from errata._reference.alignment import align
from errata._reference.best_matches import best_matches
from errata._reference.blocks import MixedReferences
from errata._reference.edit_distance import edit_distances
from errata._reference.maxmatch import MaxMatchJudge
from errata._reference.resampling import rechosen
from errata._reference.three_way import three_way_columns, three_way_counts

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
