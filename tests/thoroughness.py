"""How much tests try: everything with ERRATA_THOROUGH, as in ``make thorough``, else a part of it that takes less time."""

from __future__ import annotations

import os
from collections.abc import Iterable
from itertools import product
from typing import Any, TypeVar

THOROUGH = bool(os.environ.get("ERRATA_THOROUGH"))
Item = TypeVar("Item")


def often(full: int, short: int) -> int:
    """How often something is tried."""
    return full if THOROUGH else short


def some(every: Iterable[Item], count: int) -> list[Item]:
    """Some items, always the same, as far from each other as they can be: the first, the last if there is more than one, and so on."""
    items = list(every)
    if THOROUGH or count >= len(items):
        return items
    return [items[round(k * (len(items) - 1) / max(1, count - 1))] for k in range(count)]


def mixed(share: int, *lists: Iterable[Any]) -> list[tuple[Any, ...]]:
    """One of so many combinations of items of lists.

    Of two lists, every item of one occurs with some of the other; of three, every two items of two lists occur together.  Both hold if
    no list is shorter than ``share``.
    """
    combinations = product(*(enumerate(items) for items in lists))
    chosen = [each for each in combinations if THOROUGH or sum(index for index, _ in each) % share == 0]
    return [tuple(item for _, item in each) for each in chosen]
