"""MaxMatch in plain Python: lattices of edits, their best paths, and texts as gold; twin of the bindings of MaxMatch and of texts."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from itertools import accumulate
from math import inf
from typing import TYPE_CHECKING, Any, NamedTuple

from errata.core.limits import MOST_ARCS, MOST_SEARCHED, MOST_STEPS, MOST_TEXT_TOKENS, MOST_WORK, name_sentence

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from errata.core.edits import MatchedEdit


# Texts and their tokens; twin of ``native/texts.hpp`` and of ``native/bindings/text_columns.hpp``.

_TYPES = ("string", "large_string", "string_view")
_SURROGATE = re.compile("[\ud800-\udfff]")


class _TextArgument(NamedTuple):
    """The texts of one argument; name and number of the first sentence are for messages."""

    texts: Sequence[str | bytes | None]
    name: str
    first: int

    def split(self, index: int, max_tokens: int) -> tuple[str, ...]:
        """Split a text at white space, or raise with the number of the sentence."""
        text = self.texts[index]
        if isinstance(text, bytes):
            try:
                text = text.decode("utf-8")
            except UnicodeDecodeError as error:
                raise ValueError(self.refuse(index, f"is not UTF-8: byte 0x{text[error.start]:02x} at byte {error.start + 1}")) from None
        tokens = tuple(str(text).split())
        if len(tokens) > max_tokens:
            raise OverflowError(self.refuse(index, f"has {len(tokens)} tokens, more than the limit of {max_tokens}"))
        return tokens

    def refuse(self, index: int, what: str) -> str:
        """Say which text cannot be read, and why."""
        return f"sentence {self.first + index} cannot be scored: its {self.name} {what}"


def _read_text_argument(values: Any, name: str, first: int) -> _TextArgument:
    """Read the texts of a list, or of an array of any library with Arrow's PyCapsule interface.

    >>> _read_text_argument(["A cat ."], "source", 1).split(0, 100)
    ('A', 'cat', '.')
    """
    if isinstance(values, list):
        column = _TextArgument(tuple(values), name, first)
        for index, text in enumerate(column.texts):
            if not isinstance(text, str):
                raise TypeError("a text must be a str")
            if not text.isascii() and _SURROGATE.search(text):
                raise ValueError(column.refuse(index, "has a surrogate, which is no character"))
        return column
    if not hasattr(values, "__arrow_c_array__"):
        raise TypeError("texts must be a list of str or an Arrow array of strings")
    import pyarrow as pa

    array = pa.array(values)
    if str(array.type) not in _TYPES:
        raise TypeError("an Arrow array of texts must have the type string, large_string or string_view")
    column = _TextArgument(array.cast(pa.large_binary()).to_pylist(), name, first)
    if None in column.texts:
        raise ValueError(column.refuse(column.texts.index(None), "is null"))
    return column


# The diagonals of an edit matrix that shortest paths can visit; twin of ``native/diagonals.hpp``.
def _find_diagonals(source: Sequence[str], target: Sequence[str]) -> tuple[int, int]:
    """Find the first and the last diagonal, where (i, j) lies on diagonal j - i; all diagonals if the texts have little in common.

    >>> _find_diagonals("I like cake .".split(), "I like the cake .".split())
    (0, 1)
    """
    rows, columns = len(source), len(target)
    more = columns - rows
    most = (rows + columns) // 4
    farthest: dict[int, int] = {}
    for changes in range(most + 1 if abs(more) <= most else 0):
        for diagonal in range(-changes, changes + 1, 2):
            i = max(farthest.get(diagonal - 1, -1), farthest.get(diagonal + 1, -1) + 1)
            while i < rows and i + diagonal < columns and source[i] == target[i + diagonal]:
                i += 1
            farthest[diagonal] = i
            if i >= rows and diagonal == more:
                return (more - changes) // 2, (more + changes) // 2
    return -rows, columns


# The lattice of all shortest edit paths between two token sequences; twin of ``native/levenshtein.hpp``.
# The union of the shortest paths of two Levenshtein matrices: one in which a substitution costs 1, one in which it costs 2.
# A vertex ``(i, j)`` means that i source and j target tokens are consumed.

_DIAGONAL, _DELETION, _INSERTION = 1, 2, 4
_FIRST_ARCS, _SECOND_ARCS = 0o07, 0o70
_SECOND_SHIFT = 3
_FIRST_MEMBER, _SECOND_MEMBER = 64, 128
_FAR = 1 << 60


class Lattice:
    """Vertices and the arcs into each; ``cells[i][j]`` holds the bits of both matrices."""

    def __init__(self, source: Sequence[str], target: Sequence[str]) -> None:
        self.source = source
        self.target = target
        self.last = (len(source), len(target))
        self._cells = _predecessors(source, target)
        self._rows = self._keep_what_reaches_the_end()
        self.slots = sum(row[-1] - row[0] + 1 for row in self._rows)
        """Columns between the first and the last vertex of each row, over all rows."""

    def __iter__(self) -> Iterator[tuple[int, int]]:
        """All vertices in order."""
        return ((i, j) for i, row in enumerate(self._rows) for j in row)

    def __contains__(self, vertex: tuple[int, int]) -> bool:
        i, j = vertex
        return self._cells[i][j] != 0

    def row(self, i: int) -> list[int]:
        """Return the columns of the vertices in row i, in order."""
        return self._rows[i]

    def copies(self, i: int, j: int, arc: int) -> int:
        """Count the matrices in which an arc leads into (i, j): the official scorer stores it once for each."""
        cell = self._cells[i][j]
        return bool(cell & arc) + bool(cell & (arc << _SECOND_SHIFT))

    def in_first(self, i: int, j: int, arc: int) -> bool:
        """Whether the matrix in which a substitution costs 1 has the arc."""
        return bool(self._cells[i][j] & arc)

    def keeps(self, i: int, j: int) -> bool:
        """Whether the diagonal arc into (i, j) keeps a token."""
        return self.source[i - 1] == self.target[j - 1]

    def find_gold_arcs(self, gold: Sequence[GoldEdit], max_unchanged: int, work: Work) -> _GoldArcs:
        """Find all arcs that match a gold edit; each gold insertion is given to at most one arc.

        Twin of ``native/gold_arcs.hpp``.
        """
        arcs: dict[tuple[int, int], set[tuple[int, int]]] = {}
        contested = False
        texts_of: dict[tuple[int, int], set[tuple[str, ...]]] = {}
        for start, end, corrections in gold:
            if start != end:
                texts_of.setdefault((start, end), set()).update(corrections)
        for (start, end), texts in texts_of.items():
            row = self.row(start)
            work.add((row[-1] - row[0] + 1) * _count_words(texts))
            for j in row:
                ends = {j + len(text) for text in texts if tuple(self.target[j : j + len(text)]) == text}
                ends = {to for to in ends if to <= self.last[1] and (end, to) in self}
                if not ends:
                    continue
                work.add((end - start + 1) * (max(ends) - j + 1))
                stored = self.list_stored_arcs((start, j), (end, max(ends)), max_unchanged)
                for to in ends:
                    if (end, to) in stored and stored[end, to].changes:
                        arcs.setdefault((end, to), set()).add((start, j))
        for position in dict.fromkeys(start for start, end, _ in gold if start == end):
            here = [edit for edit in gold if edit[0] == edit[1] == position]
            work.add((self.last[1] + 1) * _count_words({text for _, _, corrections in here for text in corrections}))
            matched, more_than_one_way = _walk_insertions(self, here, position)
            contested |= more_than_one_way
            for from_, to_ in matched:
                arcs.setdefault((position, to_), set()).add((position, from_))
        return _GoldArcs(arcs, contested)

    def list_stored_arcs(self, start: tuple[int, int], end: tuple[int, int], max_unchanged: int) -> dict[tuple[int, int], _StoredArc]:
        """List all arcs from ``start`` into the box up to ``end``, in the order of their last vertices.

        The predecessors of a vertex are taken in order, and only a strictly shorter arc replaces another.
        Twin of ``native/stored_arcs.hpp``.
        """
        arcs: dict[tuple[int, int], _StoredArc] = {}
        reached: dict[tuple[int, int], _StoredArc] = {}
        any_in_row = True
        for i in range(start[0], end[0] + 1):
            if not any_in_row:
                break
            any_in_row = i == start[0]
            for j in self.row(i):
                if not start[1] <= j <= end[1] or (i, j) == start:
                    continue
                arc: _StoredArc | None = None
                for kind, before in ((_DIAGONAL, (i - 1, j - 1)), (_DELETION, (i - 1, j)), (_INSERTION, (i, j - 1))):
                    copies = self.copies(i, j, kind)
                    if not copies:
                        continue
                    kept = kind == _DIAGONAL and self.keeps(i, j)
                    if before == start:
                        arc = _StoredArc(1, int(kept), copies, not kept)
                    elif before in reached:
                        stem = reached[before]
                        if (arc is None or stem.units + 1 < arc.units) and stem.kept + kept <= max_unchanged:
                            through = (*(arc.through if arc else ()), before)
                            arc = _StoredArc(stem.units + 1, stem.kept + kept, len(through), stem.changes or not kept, through)
                if arc is not None:
                    reached[i, j] = arc
                    any_in_row = True
                    if arc.changes or arc.units == 1:
                        arcs[i, j] = arc
        return arcs

    def _keep_what_reaches_the_end(self) -> list[list[int]]:
        cells = self._cells
        cells[-1][-1] |= _FIRST_MEMBER | _SECOND_MEMBER
        rows: list[list[int]] = []
        for i in range(len(cells) - 1, -1, -1):
            row: list[int] = []
            for j in range(len(cells[i]) - 1, -1, -1):
                cell = cells[i][j]
                if not cell & _FIRST_MEMBER:
                    cell &= ~_FIRST_ARCS
                if not cell & _SECOND_MEMBER:
                    cell &= ~_SECOND_ARCS
                cells[i][j] = cell
                if not cell:
                    continue
                row.append(j)
                for shift, member in ((0, _FIRST_MEMBER), (_SECOND_SHIFT, _SECOND_MEMBER)):
                    if cell & (_DIAGONAL << shift):
                        cells[i - 1][j - 1] |= member
                    if cell & (_DELETION << shift):
                        cells[i - 1][j] |= member
                    if cell & (_INSERTION << shift):
                        cells[i][j - 1] |= member
            rows.append(row[::-1])
        return rows[::-1]


def _predecessors(source: Sequence[str], target: Sequence[str]) -> list[bytearray]:
    """Find for the cells of all shortest paths the last arcs of those from the first cell, for both matrices."""
    width = len(target) + 1
    cells = [bytearray(width) for _ in range(len(source) + 1)]
    first, last = _find_diagonals(source, target)
    for shift, substitution in ((0, 1), (_SECOND_SHIFT, 2)):
        row = [*range(last + 1), *[_FAR] * (width - last - 1)]
        for j in range(1, last + 1):
            cells[0][j] |= _INSERTION << shift
        for i, token in enumerate(source, start=1):
            begin = max(i + first, 0)
            corner, left = (row[begin - 1], _FAR) if begin else (_FAR, _FAR)
            for j in range(begin, min(i + last + 1, width)):
                by_diagonal = corner + (0 if j and token == target[j - 1] else substitution)
                corner = row[j]
                by_deletion = corner + 1
                by_insertion = left + 1
                row[j] = left = best = min(by_diagonal, by_deletion, by_insertion)
                arcs = _DIAGONAL * (by_diagonal == best) | _DELETION * (by_deletion == best) | _INSERTION * (by_insertion == best)
                cells[i][j] |= arcs << shift
    return cells


# The edits between two token sequences, without gold; twin of ``native/alignment.hpp``.
def align(source: tuple[str, ...], target: tuple[str, ...]) -> list[tuple[int, int, int, int]]:
    """Find the fewest edits of a shortest alignment: source span and target span of each."""
    lattice = Lattice(source, target)
    # The fewest edits up to a vertex, if the last arc kept a token (or the vertex is the first), and if it was a change.
    after_keep: dict[tuple[int, int], float] = {}
    after_change: dict[tuple[int, int], float] = {}

    def opened(vertex: tuple[int, int]) -> float:
        return min(after_keep[vertex] + 1, after_change[vertex])

    def changes_into(i: int, j: int) -> list[tuple[int, int]]:
        arcs = [
            (_DIAGONAL if not (i and j and lattice.keeps(i, j)) else 0, (i - 1, j - 1)),
            (_DELETION, (i - 1, j)),
            (_INSERTION, (i, j - 1)),
        ]
        return [before for arc, before in arcs if lattice.in_first(i, j, arc)]

    for i, j in lattice:
        keeps = lattice.in_first(i, j, _DIAGONAL) and lattice.keeps(i, j)
        after_keep[i, j] = min(after_keep[i - 1, j - 1], after_change[i - 1, j - 1]) if keeps else inf
        after_change[i, j] = min((opened(before) for before in changes_into(i, j)), default=inf)
        if i == j == 0:
            after_keep[i, j] = 0
    edits: list[tuple[int, int, int, int]] = []
    vertex = end = lattice.last
    inside = after_change[vertex] < after_keep[vertex]
    while vertex != (0, 0):
        if inside:
            vertex = next(before for before in changes_into(*vertex) if opened(before) == after_change[vertex])
            inside = after_change[vertex] == opened(vertex)
            if not inside:
                edits.append((vertex[0], end[0], vertex[1], end[1]))
        else:
            end = vertex = (vertex[0] - 1, vertex[1] - 1)
            inside = after_change[vertex] < after_keep[vertex]
    return edits[::-1]


GoldEdit = tuple[int, int, tuple[tuple[str, ...], ...]]


class _GoldArcs(NamedTuple):
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


def _count_words(texts: set[tuple[str, ...]]) -> int:
    """Count the words of texts, and one more for each: what is compared at a position."""
    return sum(len(text) + 1 for text in texts)


def _walk_insertions(lattice: Lattice, gold: list[GoldEdit], position: int) -> tuple[list[tuple[int, int]], bool]:
    """Give gold insertions to the arcs that insert at a position, taking turns from the left and the right end.

    The arcs are numbered in order of (from, to), a unit arc of both matrices twice.
    """
    columns = lattice.last[1] + 1
    copies = [lattice.copies(position, j + 1, _INSERTION) for j in range(columns - 1)] + [0]
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


class _StoredArc(NamedTuple):
    """An arc of the transitive closure."""

    units: int
    """The number of its unit arcs, including kept tokens."""
    kept: int
    """The number of kept tokens."""
    copies: int
    """How often the official scorer stores it: each time that a shorter one is found, or once for each matrix."""
    changes: bool
    """Whether any of its unit arcs changes something."""
    through: tuple[tuple[int, int], ...] = ()
    """The middle vertices with which it was stored; none for a unit arc."""


# The best sequence of edits with the official scorer's own arcs, weights, order and sums; twin of ``native/literal.hpp``.

_EPSILON = 0.001

_Vertex = tuple[int, int]


def _search_literally(lattice: Lattice, gold: _GoldArcs, max_unchanged: int, most_arcs: int) -> tuple[list[_PathEdit] | None, int]:
    """Follow the official scorer: Bellman-Ford over its arcs in its order; only a strictly smaller sum replaces another.

    None if there are more arcs than ``most_arcs``.  Also returns the visited arcs: about ten times to find and sort them, then once in
    each round of Bellman-Ford.
    """
    arcs: dict[tuple[_Vertex, _Vertex], _StoredArc] = {}
    entries = 0
    for vertex in lattice:
        for to, arc in lattice.list_stored_arcs(vertex, lattice.last, max_unchanged).items():
            arcs[vertex, to] = arc
            entries += len(arc.through) or 1
        if entries > most_arcs:
            return None, 0
    stored = sum(arc.copies for arc in arcs.values())
    weights = {ends: _weight(ends, arc, gold, stored) for ends, arc in arcs.items()}
    units = sorted(ends for ends, arc in arcs.items() if not arc.through)
    phrases = sorted((through, ends) for ends, arc in arcs.items() for through in arc.through)
    steps, rounds = _bellman_ford([*units, *(ends for _, ends in phrases)], weights)
    edits: list[_PathEdit] = []
    vertex = lattice.last
    while vertex != (0, 0):
        before = steps[vertex]
        arc = arcs[before, vertex]
        if arc.changes:
            is_gold = before in gold.arcs.get(vertex, ())
            edits.append(_PathEdit(before[0], vertex[0], before[1], vertex[1], gold=is_gold, units=0 if is_gold else arc.units))
        vertex = before
    return edits[::-1], (10 + rounds) * entries


def _weight(ends: tuple[_Vertex, _Vertex], arc: _StoredArc, gold: _GoldArcs, stored: int) -> float:
    if arc.changes and ends[0] in gold.arcs.get(ends[1], ()):
        return -float(stored)
    weight = float(arc.units)
    if arc.changes:
        for _ in range(arc.copies):
            weight += _EPSILON
    return weight


def _bellman_ford(
    order: list[tuple[_Vertex, _Vertex]], weights: dict[tuple[_Vertex, _Vertex], float]
) -> tuple[dict[_Vertex, _Vertex], int]:
    sums: dict[_Vertex, float] = {(0, 0): 0.0}
    steps: dict[_Vertex, _Vertex] = {}
    changed = True
    rounds = 0
    while changed:
        changed = False
        rounds += 1
        for before, to in order:
            total = sums.get(before, inf) + weights[before, to]
            if total < sums.get(to, inf):
                sums[to], steps[to] = total, before
                changed = True
    return steps, rounds


# The best sequence of edits in one pass over the vertices of the lattice; twin of ``native/one_pass.hpp``.
# Weights are whole numbers in thousandths of a unit arc.
# The states of a vertex are explained in the C++ header.

_UNIT, _GOLD_WEIGHT = 1000, 1 << 40
_MOST_STATES = 1 << 13
"""The core stores a state in 13 bits."""
_OUTSIDE, _DOUBLE_UNIT, _CHANGED = 0, 1, 2


class _PathEdit(NamedTuple):
    """An edit of a path: a source span became a target span."""

    start: int
    end: int
    target_start: int
    target_end: int
    gold: bool
    """Whether the arc counts as a match."""
    units: int
    """The number of unit arcs; 0 for a gold arc."""


class _Path(NamedTuple):
    """A best path."""

    edits: list[_PathEdit]
    ambiguous: bool
    """Whether another path of the same weight has a different number of edits."""


class _Node(NamedTuple):
    weight: int
    fewest: int
    most: int
    vertex: tuple[int, int]
    state: int
    """The previous vertex and its state."""


def _count_states(lattice: Lattice, max_unchanged: int) -> int:
    """Count the states of a vertex."""
    return 2 * min(max_unchanged, *lattice.last) + 3


def _search_in_one_pass(lattice: Lattice, gold: _GoldArcs, max_unchanged: int, most_steps: int) -> _Path:
    """Find a best path."""
    limit = min(max_unchanged, *lattice.last)
    states = _count_states(lattice, max_unchanged)
    if states > _MOST_STATES or lattice.slots * states > most_steps:
        message = "source and output have too many tokens for this max_unchanged: more than a gigabyte of memory"
        raise OverflowError(message)
    nodes: dict[tuple[int, int], dict[int, _Node]] = {}
    for vertex in lattice:
        here: dict[int, _Node] = {}
        nodes[vertex] = here
        i, j = vertex
        if vertex == (0, 0):
            here[_OUTSIDE] = _Node(0, 0, 0, vertex, _OUTSIDE)
            continue
        for kind, before in ((_DIAGONAL, (i - 1, j - 1)), (_DELETION, (i - 1, j)), (_INSERTION, (i, j - 1))):
            copies = lattice.copies(i, j, kind)
            if copies:
                kept = kind == _DIAGONAL and lattice.keeps(i, j)
                for state, node in sorted(nodes[before].items()):
                    for to_state in _next_states(state, copies, limit, kept=kept):
                        _relax(here, to_state, _Node(node.weight + _UNIT, node.fewest, node.most, before, state))
        for state, node in sorted(here.items()):
            if state == _DOUBLE_UNIT or _CHANGED <= state <= _CHANGED + limit:
                epsilon = 2 if state == _DOUBLE_UNIT else 1
                _relax(here, _OUTSIDE, _Node(node.weight + epsilon, node.fewest + 1, node.most + 1, vertex, state))
        for before in sorted(gold.arcs.get(vertex, ())):
            node = nodes[before][_OUTSIDE]
            _relax(here, _OUTSIDE, _Node(node.weight - _GOLD_WEIGHT, node.fewest + 1, node.most + 1, before, _OUTSIDE))
    last = nodes[lattice.last][_OUTSIDE]
    return _Path(_trace(nodes, lattice.last), last.fewest != last.most)


def _next_states(state: int, copies: int, limit: int, *, kept: bool) -> list[int]:
    """List the states that one unit arc leads to: changed(k) is _CHANGED + k, unchanged(k) is _CHANGED + limit + k."""
    most_changed = _CHANGED + limit
    if kept:
        if state == _OUTSIDE:
            return [_OUTSIDE, most_changed + 1] if limit else [_OUTSIDE]
        if state == _DOUBLE_UNIT:
            return [_CHANGED + 1] if limit else []
        within = state < most_changed or most_changed < state < most_changed + limit
        return [state + 1] if within else []
    if state == _OUTSIDE:
        return [_DOUBLE_UNIT if copies > 1 else _CHANGED]
    if state == _DOUBLE_UNIT:
        return [_CHANGED]
    return [state if state <= most_changed else state - limit]


def _relax(here: dict[int, _Node], state: int, candidate: _Node) -> None:
    best = here.get(state)
    if best is None or candidate.weight < best.weight:
        here[state] = candidate
    elif candidate.weight == best.weight:
        here[state] = best._replace(fewest=min(best.fewest, candidate.fewest), most=max(best.most, candidate.most))


def _trace(nodes: dict[tuple[int, int], dict[int, _Node]], last: tuple[int, int]) -> list[_PathEdit]:
    edits: list[_PathEdit] = []
    vertex, state, end, units = last, _OUTSIDE, last, 0
    while vertex != (0, 0) or state != _OUTSIDE:
        node = nodes[vertex][state]
        before = nodes[node.vertex][node.state]
        if node.weight < before.weight:
            edits.append(_PathEdit(node.vertex[0], vertex[0], node.vertex[1], vertex[1], gold=True, units=0))
        elif node.vertex == vertex:
            end, units = vertex, 0
        else:
            units += 1
            if state != _OUTSIDE and node.state == _OUTSIDE:
                edits.append(_PathEdit(node.vertex[0], end[0], node.vertex[1], end[1], gold=False, units=units))
        vertex, state = node.vertex, node.state
    return edits[::-1]


# --- MaxMatch in plain Python; twin of ``native/maxmatch.hpp`` and of the class in ``native/bindings/maxmatch.cpp``.

_GoldSentence = tuple[tuple[str, ...], tuple[tuple[GoldEdit, ...], ...]]


class _MaxMatchSettings(NamedTuple):
    """How many unchanged tokens an edit may have, and the limits."""

    max_unchanged: int
    most_work: int
    most_searched: int
    most_steps: int
    most_arcs: int


class MaxMatchJudge:
    """MaxMatch counts of hypotheses against a corpus, which is read once."""

    def __init__(
        self,
        sentences: list[_GoldSentence],
        max_unchanged: int,
        *,
        most_work: int = MOST_WORK,
        most_searched: int = MOST_SEARCHED,
        most_steps: int = MOST_STEPS,
        most_arcs: int = MOST_ARCS,
    ) -> None:
        if max_unchanged < 0:
            message = "max_unchanged must not be negative"
            raise ValueError(message)
        for source, annotators in sentences:
            for edits in annotators:
                for start, end, _ in edits:
                    if not 0 <= start <= end <= len(source):
                        message = "an edit lies outside its sentence"
                        raise ValueError(message)
        self._sentences = sentences
        self._settings = _MaxMatchSettings(max_unchanged, most_work, most_searched, most_steps, most_arcs)

    def counts(self, first: int, hypotheses: list[tuple[str, ...]]) -> list[tuple[tuple[int, int, int], ...]]:
        """Count correct, proposed and gold edits of consecutive sentences from `first`, one row for each annotator."""
        self._check_range(first, len(hypotheses))
        result = []
        for k, hypothesis in enumerate(hypotheses, start=first):
            with name_sentence(k + 1):
                result.append(_count_matches(self._sentences[k], hypothesis, self._settings))
        return result

    def probe(self, sentence: int, hypothesis: tuple[str, ...]) -> tuple[list[bool], list[int]]:
        """Find which edits of the first annotator can match, and the positions of the source between which counts are independent."""
        source, pool = self._sentence_with_pool(sentence)
        if source == hypothesis:
            return [False] * len(pool), []
        lattice = Lattice(source, hypothesis)
        search = _Search(lattice, self._settings)
        with name_sentence(sentence + 1):
            return [search.can_match(edit) for edit in pool], _find_cuts(lattice, self._settings.max_unchanged)

    def counts_of(self, sentence: int, hypothesis: tuple[str, ...], selections: list[tuple[int, ...]]) -> list[tuple[int, int, bool]]:
        """Count correct and proposed edits for each selection of edits of the first annotator, and whether the one pass proves them."""
        source, pool = self._sentence_with_pool(sentence)
        if any(not 0 <= edit < len(pool) for selection in selections for edit in selection):
            message = "a selection has an edit that does not exist"
            raise IndexError(message)
        if source == hypothesis:
            return [(0, 0, True)] * len(selections)
        search = _Search(Lattice(source, hypothesis), self._settings)
        result = []
        with name_sentence(sentence + 1):
            for selection in selections:
                gold = [pool[edit] for edit in selection]
                edits = _match(search.find_quickly(gold), gold, hypothesis)
                result.append((sum(edit.gold >= 0 for edit in edits), len(edits), search.proven))
        return result

    def _sentence_with_pool(self, sentence: int) -> tuple[tuple[str, ...], tuple[GoldEdit, ...]]:
        self._check_range(sentence, 1)
        source, annotators = self._sentences[sentence]
        if not annotators:
            message = "the sentence has no edits to select from"
            raise ValueError(message)
        return source, annotators[0]

    def edits(self, sentence: int, hypothesis: tuple[str, ...]) -> list[list[MatchedEdit]]:
        """List the edits found for each annotator, each with the gold edit that it matches."""
        self._check_range(sentence, 1)
        with name_sentence(sentence + 1):
            return _find(self._sentences[sentence], hypothesis, self._settings, the_very_edits=True)

    def _check_range(self, first: int, count: int) -> None:
        if not 0 <= first <= len(self._sentences) - count:
            message = "more hypotheses than sentences"
            raise IndexError(message)


def _count_matches(sentence: _GoldSentence, hypothesis: tuple[str, ...], settings: _MaxMatchSettings) -> tuple[tuple[int, int, int], ...]:
    """Count correct, proposed and gold edits of a sentence, one row for each annotator."""
    by_annotator = _find(sentence, hypothesis, settings, the_very_edits=False)
    rows = zip(by_annotator, sentence[1], strict=True)
    return tuple((sum(edit.gold >= 0 for edit in edits), len(edits), len(gold)) for edits, gold in rows)


def _find(
    sentence: _GoldSentence, hypothesis: tuple[str, ...], settings: _MaxMatchSettings, *, the_very_edits: bool
) -> list[list[MatchedEdit]]:
    source, annotators = sentence
    if source == hypothesis:
        return [[] for _ in annotators]
    search = _Search(Lattice(source, hypothesis), settings)
    best = [search.find_very_edits(gold) if the_very_edits else search.find_quickly(gold) for gold in annotators]
    return [_match(edits, gold, hypothesis) for edits, gold in zip(best, annotators, strict=True)]


class _Search:
    """The search for the best edits of one sentence, for all its annotators."""

    def __init__(self, lattice: Lattice, settings: _MaxMatchSettings) -> None:
        self._lattice = lattice
        self._settings = settings
        self._work = Work(settings.most_work)
        self._searched = 0
        self._plain: list[_PathEdit] | None = None
        """The edits of annotators without a match, which are all the same."""
        self._plain_proven = False
        self.proven = True
        """Whether the one pass proved the last edits, so that their counts are sums over the parts between cuts."""

    def find_very_edits(self, gold: Sequence[GoldEdit]) -> list[_PathEdit]:
        """Find the same edits as the official scorer, not only the same number."""
        arcs = self._find_arcs(gold)
        followed = self._search_literally(arcs)
        return self._search_in_one_pass(arcs).edits if followed is None else followed

    def find_quickly(self, gold: Sequence[GoldEdit]) -> list[_PathEdit]:
        """Find edits with the same counts as those of the official scorer."""
        arcs = self._find_arcs(gold)
        if arcs.arcs or arcs.contested:
            return self._quickest(arcs)
        if self._plain is None:
            self._plain = self._quickest(arcs)
            self._plain_proven = self.proven
        self.proven = self._plain_proven
        return self._plain

    def can_match(self, edit: GoldEdit) -> bool:
        """Whether a gold edit can match any edit of the hypothesis."""
        arcs = self._find_arcs([edit])
        return bool(arcs.arcs) or arcs.contested

    def _find_arcs(self, gold: Sequence[GoldEdit]) -> _GoldArcs:
        return self._lattice.find_gold_arcs(gold, self._settings.max_unchanged, self._work)

    def _quickest(self, arcs: _GoldArcs) -> list[_PathEdit]:
        path = self._search_in_one_pass(arcs)
        most = self._settings.max_unchanged
        stored = all(_stored_as_found(self._lattice, edit, most) for edit in path.edits)
        self.proven = stored and not path.ambiguous and not arcs.contested
        followed = None if self.proven else self._search_literally(arcs)
        return path.edits if followed is None else followed

    def _search_in_one_pass(self, arcs: _GoldArcs) -> _Path:
        self._add(self._lattice.slots * _count_states(self._lattice, self._settings.max_unchanged))
        return _search_in_one_pass(self._lattice, arcs, self._settings.max_unchanged, self._settings.most_steps)

    def _search_literally(self, arcs: _GoldArcs) -> list[_PathEdit] | None:
        followed, visited = _search_literally(self._lattice, arcs, self._settings.max_unchanged, self._settings.most_arcs)
        self._add(visited)
        return followed

    def _add(self, units: int) -> None:
        self._searched += units
        if self._searched > self._settings.most_searched:
            raise OverflowError(
                "it takes too long to be searched, with its length, its annotators and max_unchanged; cut the sentence, or leave some out"
            )


def _find_cuts(lattice: Lattice, max_unchanged: int) -> list[int]:
    """Find the positions of the source that no edit needs to reach over, unless it is gold.

    All paths keep the same token before and after them, and keep so many tokens around them that no edit has changes on both sides.
    """
    found: list[int] = []
    first = 0
    for i in range(len(lattice.source) + 1):
        if i < len(lattice.source) and _only_kept(lattice, i):
            continue
        if i - first > max_unchanged:
            found += range(first + 1, i)
        first = i + 1
    return found


def _only_kept(lattice: Lattice, i: int) -> bool:
    """Whether all paths lead through one vertex of this row and one of the next, and keep the token between them."""
    here, following = lattice.row(i), lattice.row(i + 1)
    return len(here) == len(following) == 1 and following[0] == here[0] + 1 and lattice.keeps(i + 1, following[0])


def _stored_as_found(lattice: Lattice, edit: _PathEdit, max_unchanged: int) -> bool:
    """Whether the official scorer has this edit with the same weight as in the one pass."""
    if edit.gold or edit.units == 1:
        return True
    end = (edit.end, edit.target_end)
    arc = lattice.list_stored_arcs((edit.start, edit.target_start), end, max_unchanged).get(end)
    return arc is not None and arc.copies == 1 and arc.units == edit.units


def _match(path: list[_PathEdit], gold: Sequence[GoldEdit], hypothesis: tuple[str, ...]) -> list[MatchedEdit]:
    """Match edits in order; each takes the first gold edit in the file that it equals and that is still free."""
    from errata.core.edits import MatchedEdit

    free = dict(enumerate(gold))
    matched = []
    for edit in path:
        text = hypothesis[edit.target_start : edit.target_end]
        hit = next((g for g, (start, end, texts) in free.items() if (start, end) == (edit.start, edit.end) and text in texts), -1)
        free.pop(hit, None)
        matched.append(MatchedEdit(edit.start, edit.end, edit.target_start, edit.target_end, hit))
    return matched


# --- MaxMatch from texts; twin of ``native/text_gold.hpp`` and of the class in ``native/bindings/text_gold.cpp``.


class TextGold:
    """MaxMatch counts of texts against references, whose edits are found once."""

    def __init__(  # noqa: PLR0913 - as in the core
        self,
        source: Any,
        references: Sequence[Any],
        max_unchanged: int,
        first: int = 1,
        *,
        max_tokens: int = MOST_TEXT_TOKENS,
        most_work: int = MOST_WORK,
        most_searched: int = MOST_SEARCHED,
        most_steps: int = MOST_STEPS,
        most_arcs: int = MOST_ARCS,
    ) -> None:
        if not isinstance(references, (list, tuple)):
            raise TypeError("references must be a list with the texts of each")
        column = _read_text_argument(source, "source", first)
        columns = [_read_text_argument(reference, f"reference {number}", first) for number, reference in enumerate(references, start=1)]
        if max_unchanged < 0:
            raise ValueError("max_unchanged must not be negative")
        if not columns:
            raise ValueError("references must have at least one list of texts")
        self._first = first
        self._max_tokens = max_tokens
        self._settings = _MaxMatchSettings(max_unchanged, most_work, most_searched, most_steps, most_arcs)
        self._count = len(column.texts)
        for one in columns:
            self._check_count(one, "references")
        self._sentences = [self._make_sentence(column, columns, index) for index in range(self._count)]

    def counts(self, hypotheses: Any) -> Any:
        """Count correct, proposed and gold edits: one row for each sentence and reference."""
        import numpy as np

        column = _read_text_argument(hypotheses, "hypothesis", self._first)
        self._check_count(column, "hypotheses")
        rows: list[tuple[int, int, int]] = []
        for index, sentence in enumerate(self._sentences):
            hypothesis = column.split(index, self._max_tokens)
            with name_sentence(self._first + index):
                rows += _count_matches(sentence, hypothesis, self._settings)
        return np.array(rows, dtype=np.int32).reshape(-1, 3)

    def content(self, start: int, stop: int) -> bytes:
        """Write what a fingerprint is computed from, for the sentences from one index up to another."""
        if not 0 <= start <= stop <= self._count:
            raise IndexError("start and stop must be a range of sentences")
        return "".join(map(_write_content, self._sentences[start:stop])).encode("utf-8")

    def _make_sentence(self, source: _TextArgument, references: list[_TextArgument], index: int) -> _GoldSentence:
        tokens = source.split(index, self._max_tokens)
        return tokens, tuple(_find_edits(tokens, reference.split(index, self._max_tokens)) for reference in references)

    def _check_count(self, column: _TextArgument, name: str) -> None:
        if len(column.texts) != self._count:
            raise ValueError(f"{name} must have a text for each of the {self._count} sentences, found {len(column.texts)}")


def _find_edits(source: tuple[str, ...], target: tuple[str, ...]) -> tuple[GoldEdit, ...]:
    return tuple((start, end, (target[target_start:target_end],)) for start, end, target_start, target_end in align(source, target))


def _write_content(sentence: _GoldSentence) -> str:
    tokens, annotators = sentence
    content = "\x1f".join(tokens)
    for annotator, edits in enumerate(annotators):
        content += f"\x1d{annotator}"
        for start, end, (correction,) in edits:
            kind = "Missing" if start == end else "Replacement" if correction else "Unnecessary"
            content += "\x1e" + "\x1f".join((str(start), str(end), kind, "REQUIRED", " ".join(correction)))
    return content + "\x1c"
