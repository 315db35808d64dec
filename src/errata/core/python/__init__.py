"""The core in plain Python: the oracle of the tests, and the core that runs if the compiled one could not be built.

Each header of ``native/`` has a file with exactly the same results; some parts are in other files.
"""

from errata.core.python.alignment import align
from errata.core.python.best_matches import find_best_matches
from errata.core.python.blocks import MixedReferences, list_blocks
from errata.core.python.edit_distance import compute_edit_distances
from errata.core.python.linguistic_alignment import align_parses, count_common_characters
from errata.core.python.maxmatch import MaxMatchJudge
from errata.core.python.merging import merge_by_rules
from errata.core.python.ngram_counts import NgramCounter
from errata.core.python.parse_lines import ParseReader
from errata.core.python.resampling import rechoose
from errata.core.python.text_gold import TextGold
from errata.core.python.three_way import align_three_way, count_three_way

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
