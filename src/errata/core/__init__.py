"""The core in use: the compiled one, or plain Python where that was not built.

Both give the same numbers; ``errata --version`` names the one in use.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from errata._core import (
        MaxMatchJudge,
        MixedReferences,
        align,
        best_matches,
        edit_distances,
        rechosen,
        three_way_columns,
        three_way_counts,
    )

    NAME: str
else:
    try:
        from errata._core import (
            MaxMatchJudge,
            MixedReferences,
            align,
            best_matches,
            edit_distances,
            rechosen,
            three_way_columns,
            three_way_counts,
        )

        NAME = "native"
    except ModuleNotFoundError as error:
        if error.name != "errata._core":
            raise
        from errata.core.python import (
            MaxMatchJudge,
            MixedReferences,
            align,
            best_matches,
            edit_distances,
            rechosen,
            three_way_columns,
            three_way_counts,
        )

        NAME = "python"

__all__ = [
    "NAME",
    "MaxMatchJudge",
    "MixedReferences",
    "align",
    "best_matches",
    "edit_distances",
    "rechosen",
    "three_way_columns",
    "three_way_counts",
]
