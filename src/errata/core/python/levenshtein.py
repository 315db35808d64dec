"""The lattice of all shortest edit paths between two token sequences; twin of ``native/levenshtein.hpp``.

The union of the shortest paths of two Levenshtein matrices: one in which a substitution costs 1, one in which it costs 2.
A vertex ``(i, j)`` means that i source and j target tokens are consumed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from errata.core.python.diagonals import find_diagonals

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

DIAGONAL, DELETION, INSERTION = 1, 2, 4
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
                    if cell & (DIAGONAL << shift):
                        cells[i - 1][j - 1] |= member
                    if cell & (DELETION << shift):
                        cells[i - 1][j] |= member
                    if cell & (INSERTION << shift):
                        cells[i][j - 1] |= member
            rows.append(row[::-1])
        return rows[::-1]


def _predecessors(source: Sequence[str], target: Sequence[str]) -> list[bytearray]:
    """Find for the cells of all shortest paths the last arcs of those from the first cell, for both matrices."""
    width = len(target) + 1
    cells = [bytearray(width) for _ in range(len(source) + 1)]
    first, last = find_diagonals(source, target)
    for shift, substitution in ((0, 1), (_SECOND_SHIFT, 2)):
        row = [*range(last + 1), *[_FAR] * (width - last - 1)]
        for j in range(1, last + 1):
            cells[0][j] |= INSERTION << shift
        for i, token in enumerate(source, start=1):
            begin = max(i + first, 0)
            corner, left = (row[begin - 1], _FAR) if begin else (_FAR, _FAR)
            for j in range(begin, min(i + last + 1, width)):
                by_diagonal = corner + (0 if j and token == target[j - 1] else substitution)
                corner = row[j]
                by_deletion = corner + 1
                by_insertion = left + 1
                row[j] = left = best = min(by_diagonal, by_deletion, by_insertion)
                arcs = DIAGONAL * (by_diagonal == best) | DELETION * (by_deletion == best) | INSERTION * (by_insertion == best)
                cells[i][j] |= arcs << shift
    return cells
