"""Which arcs of the lattice count as gold edits; twin of ``native/gold_arcs.hpp``."""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

from errata._reference.levenshtein import INSERTION
from errata._reference.stored_arcs import stored_arcs

if TYPE_CHECKING:
    from collections.abc import Sequence

    from errata._reference.levenshtein import Lattice

GoldEdit = tuple[int, int, tuple[tuple[str, ...], ...]]


class GoldArcs(NamedTuple):
    """Arcs that weigh as a match, by the vertex they lead to, and whether insertions were claimed by several gold edits."""

    arcs: dict[tuple[int, int], set[tuple[int, int]]]
    contested: bool


def gold_arcs(lattice: Lattice, gold: Sequence[GoldEdit], max_unchanged: int) -> GoldArcs:
    """Find all arcs that match a gold edit; each gold insertion is given to at most one arc."""
    arcs: dict[tuple[int, int], set[tuple[int, int]]] = {}
    contested = False
    for start, end, corrections in gold:
        if start == end:
            continue
        for text in corrections:
            for j in lattice.row(start):
                to = (end, j + len(text))
                if to[1] > lattice.last[1] or to not in lattice or tuple(lattice.target[j : to[1]]) != text:
                    continue
                arc = stored_arcs(lattice, (start, j), to, max_unchanged).get(to)
                if arc is not None and arc.changes:
                    arcs.setdefault(to, set()).add((start, j))
    for position in dict.fromkeys(start for start, end, _ in gold if start == end):
        here = [edit for edit in gold if edit[0] == edit[1] == position]
        matched, more_than_one_way = _walk_insertions(lattice, here, position)
        contested |= more_than_one_way
        for from_, to_ in matched:
            arcs.setdefault((position, to_), set()).add((position, from_))
    return GoldArcs(arcs, contested)


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

    texts = [text for _, _, corrections in gold for text in corrections if text]
    claims = [
        (j, j + len(text))
        for text in texts
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
            place = free.index(hit) if from_left else len(free) - 1 - free[::-1].index(hit)
            del free[place]
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
    return matched, len(claims) != len(set(claims)) or len(set(claims)) != len(matched)
