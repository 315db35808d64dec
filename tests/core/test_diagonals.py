"""The lattice is built on few diagonals; it must be the one that all diagonals give."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from errata.core.python import maxmatch
from errata.core.python.maxmatch import Lattice, _find_diagonals

from strategies import hypotheses, words
from thoroughness import often


def all_diagonals(source: tuple[str, ...], target: tuple[str, ...]) -> tuple[int, int]:
    return -len(source), len(target)


@given(st.lists(words, max_size=14).map(tuple), st.data())
@settings(max_examples=often(300, 100))
def test_the_lattice_has_no_vertex_elsewhere(source: tuple[str, ...], data: st.DataObject) -> None:
    target = data.draw(hypotheses(source, 14))
    lattice = Lattice(source, target)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(maxmatch, "_find_diagonals", all_diagonals)
        whole = Lattice(source, target)
    assert list(lattice) == list(whole)
    arcs = [[one.copies(i, j, arc) for i, j in one for arc in (1, 2, 4)] for one in (lattice, whole)]
    assert arcs[0] == arcs[1]
    first, last = _find_diagonals(source, target)
    assert all(first <= j - i <= last for i, j in whole)


@pytest.mark.parametrize(
    ("source", "target", "diagonals"),
    [
        ("", "", (0, 0)),
        ("abcdefgh", "abcdefgh", (0, 0)),
        ("abcdefgh", "abXdefgh", (-1, 1)),
        ("abcdefgh", "abcdefXYgh", (0, 2)),
        ("abcdefgh", "abefgh", (-2, 0)),
        ("abcd", "", (-4, 0)),
        ("abcd", "wxyz", (-4, 4)),
    ],
)
def test_few_changes_need_few_diagonals(source: str, target: str, diagonals: tuple[int, int]) -> None:
    assert _find_diagonals(source, target) == diagonals
