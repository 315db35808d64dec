"""The core in use: the compiled one, or plain Python if that was not built or ``ERRATA_CORE=python`` asks for it.

Both give the same numbers; ``errata --version`` names the one in use.
"""

from __future__ import annotations

import os
from importlib import import_module
from typing import TYPE_CHECKING

from errata.errors import UsageError

if TYPE_CHECKING:
    from types import ModuleType

__all__ = [
    "NAME",
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
_VARIABLE = "ERRATA_CORE"


def _load(wanted: str) -> tuple[str, ModuleType]:
    """Load a core by its name; the compiled one if it exists and the name is empty."""
    if wanted not in {"", "native", "python"}:
        raise UsageError(f"the environment variable {_VARIABLE} must be native or python, found {wanted[:40]!r}")
    if wanted != "python":
        try:
            return "native", import_module("errata._core")
        except ModuleNotFoundError as error:
            if error.name != "errata._core":
                raise
            if wanted:
                raise UsageError(f"{_VARIABLE}=native, but the compiled core is not installed") from None
    return "python", import_module("errata.core.python")


if TYPE_CHECKING:
    from errata._core import (
        MaxMatchJudge,
        MixedReferences,
        NgramCounter,
        ParseReader,
        TextGold,
        align,
        align_parses,
        align_three_way,
        compute_edit_distances,
        count_common_characters,
        count_three_way,
        find_best_matches,
        list_blocks,
        merge_by_rules,
        rechoose,
    )

    NAME: str
else:
    NAME, _module = _load(os.environ.get(_VARIABLE, ""))
    MaxMatchJudge = _module.MaxMatchJudge
    MixedReferences = _module.MixedReferences
    NgramCounter = _module.NgramCounter
    ParseReader = _module.ParseReader
    TextGold = _module.TextGold
    align = _module.align
    align_parses = _module.align_parses
    align_three_way = _module.align_three_way
    compute_edit_distances = _module.compute_edit_distances
    count_common_characters = _module.count_common_characters
    count_three_way = _module.count_three_way
    find_best_matches = _module.find_best_matches
    list_blocks = _module.list_blocks
    merge_by_rules = _module.merge_by_rules
    rechoose = _module.rechoose
