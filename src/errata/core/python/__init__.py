"""The core in plain Python: oracle of the tests, and what runs where the compiled core could not be built.

A file for each header of ``native/``, with the same results to the last number; some have a part of theirs in another file.
"""

from errata.core.python.alignment import align
from errata.core.python.best_matches import find_best_matches
from errata.core.python.blocks import MixedReferences
from errata.core.python.edit_distance import compute_edit_distances
from errata.core.python.maxmatch import MaxMatchJudge
from errata.core.python.resampling import rechoose
from errata.core.python.three_way import align_three_way, count_three_way

__all__ = [
    "MaxMatchJudge",
    "MixedReferences",
    "align",
    "align_three_way",
    "compute_edit_distances",
    "count_three_way",
    "find_best_matches",
    "rechoose",
]
