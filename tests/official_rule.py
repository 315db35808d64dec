"""MaxMatch for one annotator, written out as slowly and plainly as possible.

Every arc of the lattice is listed, closed transitively with three loops over the vertices, weighed, and searched with
Bellman-Ford.  Cubic and more, but there is nothing clever in it that could be wrong; the core must count the same.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from math import inf

Vertex = tuple[int, int]
Edit = tuple[int, int, tuple[tuple[str, ...], ...]]


@dataclass
class Arc:
    units: int
    kept: int
    changes: bool


def unit_arcs(source: tuple[str, ...], target: tuple[str, ...], substitution: int) -> set[tuple[Vertex, Vertex]]:
    """Arcs on shortest paths: those for which the way there, the arc and the way on add up to the whole distance."""
    n, m = len(source), len(target)

    def steps(i: int, j: int) -> list[tuple[Vertex, int]]:
        found: list[tuple[Vertex, int]] = []
        if i < n and j < m:
            found.append(((i + 1, j + 1), 0 if source[i] == target[j] else substitution))
        if i < n:
            found.append(((i + 1, j), 1))
        if j < m:
            found.append(((i, j + 1), 1))
        return found

    there: dict[Vertex, float] = dict.fromkeys(product(range(n + 1), range(m + 1)), inf)
    there[0, 0] = 0
    for vertex in product(range(n + 1), range(m + 1)):
        for to, cost in steps(*vertex):
            there[to] = min(there[to], there[vertex] + cost)
    back: dict[Vertex, float] = {}
    for vertex in reversed(list(product(range(n + 1), range(m + 1)))):
        back[vertex] = min((cost + back[to] for to, cost in steps(*vertex)), default=0)
    whole = there[n, m]
    return {(vertex, to) for vertex in there for to, cost in steps(*vertex) if there[vertex] + cost + back[to] == whole}


def official_counts(source: tuple[str, ...], target: tuple[str, ...], gold: tuple[Edit, ...], max_unchanged: int) -> tuple[int, int, int]:
    if source == target:
        return 0, 0, len(gold)
    first, second = unit_arcs(source, target, 1), unit_arcs(source, target, 2)
    order = sorted([*first, *second])
    vertices = sorted({vertex for ends in order for vertex in ends})
    arcs: dict[tuple[Vertex, Vertex], Arc] = {}
    for (i, j), (k, m) in order:
        kept = k > i and m > j and source[i] == target[j]
        arcs[(i, j), (k, m)] = Arc(1, int(kept), not kept)
    for middle, start, end in product(vertices, vertices, vertices):
        one, two = arcs.get((start, middle)), arcs.get((middle, end))
        if one is None or two is None:
            continue
        known = arcs.get((start, end))
        if (known is None or one.units + two.units < known.units) and one.kept + two.kept <= max_unchanged:
            arcs[start, end] = Arc(one.units + two.units, one.kept + two.kept, one.changes or two.changes)
            order.append((start, end))
    order = [ends for ends in order if arcs[ends].changes or arcs[ends].units == 1]
    weights = weigh(order, arcs, target, gold)
    return count(best_path(order, weights, vertices), arcs, target, gold)


def weigh(
    order: list[tuple[Vertex, Vertex]], arcs: dict[tuple[Vertex, Vertex], Arc], target: tuple[str, ...], gold: tuple[Edit, ...]
) -> dict[tuple[Vertex, Vertex], float]:
    weights = {ends: float(arcs[ends].units) for ends in order}
    matched = insertion_matches(order, target, gold)
    for ends in order:
        if not arcs[ends].changes:
            continue
        (i, j), (k, m) = ends
        spans = any((start, end) == (i, k) and target[j:m] in texts for start, end, texts in gold)
        is_gold = ends in matched if i == k else spans
        weights[ends] = -float(len(order)) if is_gold else weights[ends] + 0.001
    return weights


def insertion_matches(order: list[tuple[Vertex, Vertex]], target: tuple[str, ...], gold: tuple[Edit, ...]) -> set[tuple[Vertex, Vertex]]:
    matched = set()
    for position in {start for start, end, _ in gold if start == end}:
        here = sorted(ends for ends in order if ends[0][0] == ends[1][0] == position)
        free = [texts for start, end, texts in gold if start == end == position]
        left = True
        while here:
            ends = here.pop(0 if left else -1)
            text = target[ends[0][1] : ends[1][1]]
            candidates = range(len(free)) if left else range(len(free) - 1, -1, -1)
            hit = next((k for k in candidates if text in free[k]), None)
            if hit is not None:
                matched.add(ends)
                del free[hit]
                while here and (here[0][0] != ends[1] if left else here[-1][1] != ends[0]):
                    here.pop(0 if left else -1)
            left = not left
    return matched


def best_path(
    order: list[tuple[Vertex, Vertex]], weights: dict[tuple[Vertex, Vertex], float], vertices: list[Vertex]
) -> list[tuple[Vertex, Vertex]]:
    sums = dict.fromkeys(vertices, inf)
    sums[0, 0] = 0.0
    before: dict[Vertex, Vertex] = {}
    for _ in vertices:
        for start, end in order:
            if sums[start] + weights[start, end] < sums[end]:
                sums[end] = sums[start] + weights[start, end]
                before[end] = start
    path = []
    vertex = vertices[-1]
    while vertex != (0, 0):
        path.append((before[vertex], vertex))
        vertex = before[vertex]
    return path[::-1]


def count(
    path: list[tuple[Vertex, Vertex]], arcs: dict[tuple[Vertex, Vertex], Arc], target: tuple[str, ...], gold: tuple[Edit, ...]
) -> tuple[int, int, int]:
    edits = [ends for ends in path if arcs[ends].changes]
    free = list(gold)
    correct = 0
    for (i, j), (k, m) in edits:
        hit = next((edit for edit in free if edit[:2] == (i, k) and target[j:m] in edit[2]), None)
        if hit is not None:
            free.remove(hit)
            correct += 1
    return correct, len(edits), len(gold)
