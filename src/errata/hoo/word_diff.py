"""Find the words that differ between two texts: the fewest deletions and insertions.

If there are several shortest scripts, runs of changed words are moved to readable positions, much like in ``diff`` and GNU wdiff.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from errata.hoo.common_words import find_common_words

if TYPE_CHECKING:
    from collections.abc import Sequence


class Hunk(NamedTuple):
    """Words ``start`` to ``end`` of the old text, which words ``new_start`` to ``new_end`` of the new text replace."""

    start: int
    end: int
    new_start: int
    new_end: int


def diff_words(old: Sequence[str], new: Sequence[str]) -> list[Hunk]:
    """Find the runs of words in which two texts differ.

    >>> diff_words("no a doubt".split(), "no doubt".split())
    [Hunk(start=1, end=2, new_start=1, new_end=1)]
    """
    before, after = _shared_ends(old, new)
    deleted, inserted = _shortest_script(old, new, before, after)
    _settle(old, deleted, inserted, before, len(old) - after)
    _settle(new, inserted, deleted, before, len(new) - after)
    hunks = []
    i = j = 0
    while i < len(old) or j < len(new):
        start, new_start = i, j
        while i < len(old) and deleted[i]:
            i += 1
        while j < len(new) and inserted[j]:
            j += 1
        if (i, j) == (start, new_start):
            i, j = i + 1, j + 1
        else:
            hunks.append(Hunk(start, i, new_start, j))
    return hunks


def _shared_ends(old: Sequence[str], new: Sequence[str]) -> tuple[int, int]:
    """Count the words that two texts share at the beginning, and at the end of the rest."""
    shorter = min(len(old), len(new))
    before = 0
    while before < shorter and old[before] == new[before]:
        before += 1
    after = 0
    while after < shorter - before and old[len(old) - 1 - after] == new[len(new) - 1 - after]:
        after += 1
    return before, after


def _shortest_script(old: Sequence[str], new: Sequence[str], before: int, after: int) -> tuple[list[bool], list[bool]]:
    """Mark the words that are deleted and the words that are inserted."""
    # A word that is not in the other text is always changed.
    there, here = set(new[before : len(new) - after]), set(old[before : len(old) - after])
    kept = [position for position in range(before, len(old) - after) if old[position] in there]
    new_kept = [position for position in range(before, len(new) - after) if new[position] in here]
    deleted, inserted = [False] * len(old), [False] * len(new)
    deleted[before : len(old) - after] = [True] * (len(old) - after - before)
    inserted[before : len(new) - after] = [True] * (len(new) - after - before)
    for x, y in find_common_words([old[position] for position in kept], [new[position] for position in new_kept]):
        deleted[kept[x]] = inserted[new_kept[y]] = False
    return deleted, inserted


def _settle(words: Sequence[str], changed: list[bool], other: list[bool], first: int, last: int) -> None:
    """Move every run of changed words to a readable position.

    A run may move by one word if the word it leaves equals the word it takes.  It moves as far down as possible and joins the runs it
    meets; but it prefers a position where the other text has changes too.
    """
    gaps = _gaps(other)
    start = first
    before = first
    """Unchanged words before a run, which give its position in the other text."""
    while start < last:
        if not changed[start]:
            start, before = start + 1, before + 1
            continue
        end = start
        while end < last and changed[end]:
            end += 1
        beside: int | None = None
        length = -1
        while length != end - start:
            length = end - start
            while start > first and words[start - 1] == words[end - 1]:
                changed[start - 1], changed[end - 1] = True, False
                start, end, before = start - 1, end - 1, before - 1
                while start > first and changed[start - 1]:
                    start -= 1
            beside = end if gaps[before] else None
            while end < last and words[start] == words[end]:
                changed[start], changed[end] = False, True
                start, end, before = start + 1, end + 1, before + 1
                while end < last and changed[end]:
                    end += 1
                if gaps[before]:
                    beside = end
        while beside is not None and beside < end:
            changed[start - 1], changed[end - 1] = True, False
            start, end, before = start - 1, end - 1, before - 1
        start = end


def _gaps(changed: list[bool]) -> list[bool]:
    """Tell for each gap between unchanged words, and before the first, whether it has changed words."""
    gaps = [False]
    for flag in changed:
        if flag:
            gaps[-1] = True
        else:
            gaps.append(False)
    return gaps
