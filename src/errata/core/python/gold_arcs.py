"""The arcs of the lattice that count as gold edits; twin of ``native/gold_arcs.hpp``."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

from errata.core.python.levenshtein import INSERTION
from errata.core.python.stored_arcs import list_stored_arcs

if TYPE_CHECKING:
    from collections.abc import Sequence

    from errata.core.python.levenshtein import Lattice

GoldEdit = tuple[int, int, tuple[tuple[str, ...], ...]]


class GoldArcs(NamedTuple):
    """Arcs that count as a match, by the vertex they lead to, and whether several gold edits claim an insertion."""

    arcs: dict[tuple[int, int], set[tuple[int, int]]]
    contested: bool


class Work:
    """The work of matching the gold of all annotators of one sentence."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._done = 0

    def add(self, vertices: int) -> None:
        """Add vertices that will be visited, or words that will be compared, or refuse the sentence."""
        self._done += vertices
        if self._done > self._most:
            message = "its gold edits span too many tokens, with corrections that occur at too many positions, to be matched in seconds"
            raise OverflowError(message)


def find_gold_arcs(lattice: Lattice, gold: Sequence[GoldEdit], max_unchanged: int, work: Work) -> GoldArcs:
    """Find all arcs that match a gold edit; each gold insertion is given to at most one arc."""
    arcs: dict[tuple[int, int], set[tuple[int, int]]] = {}
    contested = False
    texts_of: dict[tuple[int, int], set[tuple[str, ...]]] = {}
    for start, end, corrections in gold:
        if start != end:
            texts_of.setdefault((start, end), set()).update(corrections)
    for (start, end), texts in texts_of.items():
        row = lattice.row(start)
        work.add((row[-1] - row[0] + 1) * _count_words(texts))
        for j in row:
            ends = {j + len(text) for text in texts if tuple(lattice.target[j : j + len(text)]) == text}
            ends = {to for to in ends if to <= lattice.last[1] and (end, to) in lattice}
            if not ends:
                continue
            work.add((end - start + 1) * (max(ends) - j + 1))
            stored = list_stored_arcs(lattice, (start, j), (end, max(ends)), max_unchanged)
            for to in ends:
                if (end, to) in stored and stored[end, to].changes:
                    arcs.setdefault((end, to), set()).add((start, j))
    for position in dict.fromkeys(start for start, end, _ in gold if start == end):
        here = [edit for edit in gold if edit[0] == edit[1] == position]
        work.add((lattice.last[1] + 1) * _count_words({text for _, _, corrections in here for text in corrections}))
        matched, more_than_one_way = _walk_insertions(lattice, here, position)
        contested |= more_than_one_way
        for from_, to_ in matched:
            arcs.setdefault((position, to_), set()).add((position, from_))
    return GoldArcs(arcs, contested)


def _count_words(texts: set[tuple[str, ...]]) -> int:
    """Count the words of texts, and one more for each: what is compared at a position."""
    return sum(len(text) + 1 for text in texts)


def _walk_insertions(lattice: Lattice, gold: list[GoldEdit], position: int) -> tuple[list[tuple[int, int]], bool]:
    """Give gold insertions to the arcs that insert at a position, taking turns from the left and the right end.

    The arcs are numbered in order of (from, to), a unit arc of both matrices twice.
    """
    columns = lattice.last[1] + 1
    copies = [lattice.copies(position, j + 1, INSERTION) for j in range(columns - 1)] + [0]
    run_end = list(range(columns))
    for j in range(columns - 2, -1, -1):
        if copies[j]:
            run_end[j] = run_end[j + 1]
    twice = [int(count > 1) for count in copies]
    before = list(accumulate((run_end[j] - j + twice[j] for j in range(columns)), initial=0))

    def arc(number: int) -> tuple[int, int]:
        from_ = bisect_right(before, number) - 1
        return from_, from_ + 1 + max(0, number - before[from_] - twice[from_])

    holders = Counter(text for _, _, corrections in gold for text in set(corrections) if text)
    claims = [
        (j, j + len(text))
        for text in holders
        for j in range(columns - len(text))
        if run_end[j] >= j + len(text) and tuple(lattice.target[j : j + len(text)]) == text
    ]
    matched: list[tuple[int, int]] = []
    free = list(gold)
    left, right, from_left = 0, (before[-1] if claims else 0) - 1, True
    while left <= right:
        from_, to = arc(left if from_left else right)
        text = tuple(lattice.target[from_:to])
        hit = next((edit for edit in (free if from_left else reversed(free)) if text in edit[2]), None)
        if hit is not None:
            index = free.index(hit) if from_left else len(free) - 1 - free[::-1].index(hit)
            del free[index]
            matched.append((from_, to))
        if from_left:
            left += 1
            while hit is not None and left <= right and arc(left)[0] != to:
                left += 1
        else:
            right -= 1
            while hit is not None and left <= right and arc(right)[1] != from_:
                right -= 1
        from_left = not from_left
    shared = any(holders[tuple(lattice.target[from_:to])] > 1 for from_, to in claims)
    return matched, shared or len(claims) != len(matched)
