"""The words that differ between two texts: the fewest deleted and inserted.

A shortest script of deletions and insertions is found with the greedy algorithm of Myers (1986), in time that grows with the length
of the texts times the number of differences.  Where there are several, runs of changed words are moved to where they are best
read, much as ``diff``, and so GNU wdiff, does it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence


class Hunk(NamedTuple):
    """Words from ``start`` to ``end`` of one text that stand for those from ``new_start`` to ``new_end`` of the other."""

    start: int
    end: int
    new_start: int
    new_end: int


def word_diff(old: Sequence[str], new: Sequence[str]) -> list[Hunk]:
    """The runs of words in which two texts differ.

    >>> word_diff("no a doubt".split(), "no doubt".split())
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
    """How many words two texts share at their beginning, and at their end without those."""
    shorter = min(len(old), len(new))
    before = 0
    while before < shorter and old[before] == new[before]:
        before += 1
    after = 0
    while after < shorter - before and old[len(old) - 1 - after] == new[len(new) - 1 - after]:
        after += 1
    return before, after


def _shortest_script(old: Sequence[str], new: Sequence[str], before: int, after: int) -> tuple[list[bool], list[bool]]:
    """Which words are deleted and which inserted: along each diagonal as far as possible, with one more change in every round."""
    a, b = old[before : len(old) - after], new[before : len(new) - after]
    furthest = {1: 0}
    rounds: list[dict[int, int]] = []
    changes = 0
    while True:
        rounds.append(dict(furthest))
        for diagonal in range(-changes, changes + 1, 2):
            down = diagonal == -changes or (diagonal != changes and furthest[diagonal - 1] < furthest[diagonal + 1])
            x = furthest[diagonal + 1] if down else furthest[diagonal - 1] + 1
            while x < len(a) and x - diagonal < len(b) and a[x] == b[x - diagonal]:
                x += 1
            furthest[diagonal] = x
        if furthest.get(len(a) - len(b), -1) >= len(a):
            break
        changes += 1
    deleted, inserted = [False] * len(old), [False] * len(new)
    x, y = len(a), len(b)
    for done in range(changes, 0, -1):
        known = rounds[done]
        diagonal = x - y
        down = diagonal == -done or (diagonal != done and known[diagonal - 1] < known[diagonal + 1])
        if down:
            x = known[diagonal + 1]
            y = x - diagonal - 1
            inserted[before + y] = True
        else:
            x = known[diagonal - 1]
            y = x - diagonal + 1
            deleted[before + x] = True
    return deleted, inserted


def _settle(words: Sequence[str], changed: list[bool], other: list[bool], first: int, last: int) -> None:
    """Move every run of changed words to where it is best read.

    A run may move by a word if the word it would leave equals the one it would take.  It goes as far down as it can, joined with
    the runs it meets on the way up and down, but stays where the other text has changes at the same place if there is such a place.
    """
    gaps = _gaps(other)
    start = first
    while start < last:
        if not changed[start]:
            start += 1
            continue
        end = start
        while end < last and changed[end]:
            end += 1
        before = sum(not flag for flag in changed[:start])  # unchanged words, which say what place of the other text this is
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
            start, end = start - 1, end - 1
        start = end


def _gaps(changed: list[bool]) -> list[bool]:
    """Whether there are changed words before the first unchanged word, between the first and the second, and so on."""
    gaps = [False]
    for flag in changed:
        if flag:
            gaps[-1] = True
        else:
            gaps.append(False)
    return gaps
