"""The core in plain Python: the oracle of the tests, and the core that runs if the compiled one could not be built.

Each header of ``native/`` has a file with exactly the same results; some parts are in other files.
"""

from errata.core.python.counts import NgramCounter, compute_edit_distances, find_best_matches, rechoose
from errata.core.python.errant import ParseReader, align_parses, count_common_characters, merge_by_rules
from errata.core.python.imeasure import MixedReferences, align_three_way, count_three_way, list_blocks
from errata.core.python.maxmatch import MaxMatchJudge, TextGold, align

__all__ = [
    "MaxMatchJudge",
    "MixedReferences",
    "NgramCounter",
    "ParseReader",
    "TextGold",
    "align",
    "align_parses",
    "align_three_way",
    "compute_edit_distances",
    "count_common_characters",
    "count_three_way",
    "find_best_matches",
    "list_blocks",
    "merge_by_rules",
    "rechoose",
]
