"""Find a longest common subsequence of two lists of words.

Of several, both functions find the one that the greedy algorithm of Myers (1986) finds: from the end, a word of the second list is
inserted if it can be, else one of the first is deleted, else the two words are common.
"""

from __future__ import annotations

from array import array
from math import isqrt
from typing import TYPE_CHECKING

from errata.errors import RequestError, pluralise

if TYPE_CHECKING:
    from collections.abc import Sequence

CommonWords = list[tuple[int, int]]
"""The positions of common words in both lists, from the end."""
FEW_CHANGES = 500
"""Up to here the greedy algorithm is used: its time and memory grow with the square of the changes, but hardly with the length."""
MOST_PAIRS_IN_DIFF = 10_000_000_000
"""Pairs of words that may be compared, 64 at a time: this takes seconds."""


def find_common_words(a: Sequence[str], b: Sequence[str]) -> CommonWords:
    """Find the positions of a longest common subsequence, from the end."""
    common = find_with_few_changes(a, b, FEW_CHANGES)
    return find_with_any_changes(a, b, MOST_PAIRS_IN_DIFF) if common is None else common


def find_with_few_changes(a: Sequence[str], b: Sequence[str], most: int) -> CommonWords | None:
    """Find them by the greedy algorithm; None if there are more than ``most`` changes."""
    furthest = {1: 0}
    rounds: list[array[int]] = []  # the furthest position on each diagonal before the round, from the lowest diagonal
    changes = 0
    while True:
        rounds.append(array("i", (furthest.get(diagonal, -1) for diagonal in range(-changes - 1, changes + 2, 2))))
        for diagonal in range(-changes, changes + 1, 2):
            down = diagonal == -changes or (diagonal != changes and furthest[diagonal - 1] < furthest[diagonal + 1])
            x = furthest[diagonal + 1] if down else furthest[diagonal - 1] + 1
            while x < len(a) and x - diagonal < len(b) and a[x] == b[x - diagonal]:
                x += 1
            furthest[diagonal] = x
        if furthest.get(len(a) - len(b), -1) >= len(a):
            break
        changes += 1
        if changes > most:
            return None
    common = []
    x, y = len(a), len(b)
    for done in range(changes, -1, -1):
        diagonal = x - y
        known = rounds[done]
        lower, upper = known[(diagonal + done) // 2], known[(diagonal + done) // 2 + 1]
        down = diagonal == -done or (diagonal != done and lower < upper)
        start = upper if down else lower + 1
        if done == 0:
            start = 0
        while x > start:
            x, y = x - 1, y - 1
            common.append((x, y))
        if down:
            y -= 1
        else:
            x -= 1
    return common


def find_with_any_changes(a: Sequence[str], b: Sequence[str], most_pairs: int) -> CommonWords:
    """Find them by bit vectors: bit ``y`` of row ``x`` is 0 if ``b[y]`` makes the common subsequence with ``a[:x]`` longer.

    Only some rows are kept; the rows between two of them are computed again when they are needed.
    """
    if len(a) * len(b) > most_pairs:
        raise RequestError(
            f"two texts differ too much to be compared: they have {pluralise(len(a), 'word')} and {len(b):,} that occur in both, "
            f"and more than {FEW_CHANGES:,} changes"
        )
    places: dict[str, list[int]] = {}
    for position, word in enumerate(b):
        places.setdefault(word, []).append(position)
    masks = {word: _set_bits(own, len(b)) for word, own in places.items()}
    every = isqrt(len(a)) + 1
    full = (1 << len(b)) - 1
    kept = [full]
    for first in range(0, len(a), every):
        kept.append(_rows(kept[-1], a[first : first + every], masks, full)[-1])
    common = []
    x, y = len(a), len(b)
    while x:
        first = (x - 1) // every * every
        rows = _rows(kept[first // every], a[first:x], masks, full)
        while x > first and y:
            if rows[x - first] >> (y - 1) & 1:
                y -= 1
                continue
            x -= 1
            if a[x] == b[y - 1] and rows[x - first] >> (y - 1) & 1:
                y -= 1
                common.append((x, y))
        if not y:
            break
    return common


def _set_bits(positions: Sequence[int], length: int) -> int:
    bits = bytearray((length + 7) // 8)
    for position in positions:
        bits[position // 8] |= 1 << position % 8
    return int.from_bytes(bits, "little")


def _rows(row: int, words: Sequence[str], masks: dict[str, int], full: int) -> list[int]:
    """List a row and those of the following words (Hyyrö 2004)."""
    rows = [row]
    for word in words:
        matches = row & masks.get(word, 0)
        row = ((row + matches) | (row - matches)) & full
        rows.append(row)
    return rows
