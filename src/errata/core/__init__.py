"""The core in use: the compiled one, or plain Python if that was not built.

Both give the same numbers; ``errata --version`` names the one in use.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from errata._core import (
        MaxMatchJudge,
        MixedReferences,
        align,
        align_three_way,
        compute_edit_distances,
        count_three_way,
        find_best_matches,
        rechoose,
    )

    NAME: str
else:
    try:
        from errata._core import (
            MaxMatchJudge,
            MixedReferences,
            align,
            align_three_way,
            compute_edit_distances,
            count_three_way,
            find_best_matches,
            rechoose,
        )

        NAME = "native"
    except ModuleNotFoundError as error:
        if error.name != "errata._core":
            raise
        from errata.core.python import (
            MaxMatchJudge,
            MixedReferences,
            align,
            align_three_way,
            compute_edit_distances,
            count_three_way,
            find_best_matches,
            rechoose,
        )

        NAME = "python"

__all__ = [
    "NAME",
    "MaxMatchJudge",
    "MixedReferences",
    "align",
    "align_three_way",
    "compute_edit_distances",
    "count_three_way",
    "find_best_matches",
    "rechoose",
]
