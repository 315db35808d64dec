"""Sets of words and those that match them best: core and twin."""

from __future__ import annotations

from types import ModuleType

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from errata import _core
from errata.core import python as python_core

from thoroughness import often

words = st.lists(st.integers(0, 7), max_size=6, unique=True).map(tuple)
sets = st.lists(words, max_size=6)
aligned = st.lists(st.tuples(st.integers(0, 8), st.integers(0, 8)), max_size=10, unique=True)


@pytest.mark.slow
@given(sets, sets, aligned, st.booleans())
@settings(max_examples=often(250, 80))
def test_core_and_twin_agree(
    one: list[tuple[int, ...]],
    other: list[tuple[int, ...]],
    pairs: list[tuple[int, int]],
    by_share: bool,  # noqa: FBT001
) -> None:
    assert _core.find_best_matches(one, other, pairs, by_share) == python_core.find_best_matches(one, other, pairs, by_share)


def test_a_small_case() -> None:
    one, other = [(0, 1, 2), (2,), (), (9,)], [(0, 1), (1, 2), (2,), (0, 1, 2, 3)]
    same = [(index, index) for index in range(4)]
    assert _core.find_best_matches(one, other, same, by_share=False) == [(3,), (2,), (), ()]
    assert _core.find_best_matches(one, other, same, by_share=True) == [(0, 1, 2), (2,), (), ()]


@pytest.mark.parametrize("core", [_core, python_core])
def test_what_is_no_set_of_words(core: ModuleType) -> None:
    with pytest.raises(ValueError, match="cannot be negative"):
        core.find_best_matches([(-1,)], [], [], by_share=False)
    with pytest.raises(ValueError, match="at most ten million"):
        core.find_best_matches([], [(10_000_000,)], [], by_share=False)
    with pytest.raises(TypeError):
        core.find_best_matches([[0]], [], [], by_share=False)
    with pytest.raises(TypeError):
        core.find_best_matches([("a",)], [], [], by_share=False)
    with pytest.raises(ValueError):  # noqa: PT011 - the words differ
        core.find_best_matches([(0,)], [(0,)], [(0,)], by_share=False)


@pytest.mark.slow
@pytest.mark.parametrize("core", [_core, python_core])
def test_too_many_matches(core: ModuleType) -> None:
    same = [(0,)] * 1_500
    with pytest.raises(OverflowError, match="too many units have the same words"):
        core.find_best_matches(same, same, [(0, 0)], by_share=False)
