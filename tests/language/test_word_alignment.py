"""Words of a correction that stand for words of the source."""

from __future__ import annotations

from itertools import permutations
from types import ModuleType

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from errata import _core
from errata.core import python as python_core
from errata.language.word_alignment import align_words
from errata.metrics.exact import _find_changed_words

from thoroughness import often

words = st.text("abcé\U0001f600", max_size=9)
long_words = st.builds(lambda word, times, end: word * times + end, words, st.integers(0, 20), words)


@given(st.lists(st.one_of(words, long_words), max_size=4), st.lists(st.one_of(words, long_words), max_size=4))
@settings(max_examples=often(200, 70))
def test_distances_of_core_and_twin_agree(one: list[str], other: list[str]) -> None:
    found = _core.compute_edit_distances(one, other)
    assert found.shape == (len(one), len(other))
    assert np.array_equal(found, python_core.compute_edit_distances(one, other))
    assert np.array_equal(found.T, _core.compute_edit_distances(other, one))


def test_a_word_of_very_many_different_characters() -> None:
    """Memory grows with its length, not with its square, which would be 10 GB here."""
    word = "".join(map(chr, range(0x20000, 0x60000)))
    assert _core.compute_edit_distances([word], [word[100:300] + "x"]).tolist() == [[len(word) - 200]]


def test_known_distances() -> None:
    assert _core.compute_edit_distances(["kitten", "", "a" * 100], ["sitting", "flaw", "a" * 64]).tolist() == [
        [3, 6, 64],
        [7, 4, 64],
        [100, 99, 36],
    ]


@pytest.mark.parametrize("core", [_core, python_core])
def test_words_are_strings(core: ModuleType) -> None:
    with pytest.raises(TypeError, match="a word must be a str"):
        core.compute_edit_distances(["a", 1], ["b"])


small = st.lists(st.sampled_from(["a", "ab", "b", "cat", "cats", "the"]), max_size=5)


@given(small, small)
@settings(max_examples=often(200, 70))
def test_no_alignment_costs_less(source: list[str], target: list[str]) -> None:
    """Against all ways to give every word of the shorter side one of the longer."""
    distances = python_core.compute_edit_distances(source, target)
    longest = max(len(source), len(target), 1)

    def cost(pairs: list[tuple[int, int]]) -> float:
        return sum(int(distances[i, j]) * longest + abs(i - j) for i, j in pairs)

    if len(source) <= len(target):
        everything = [list(zip(range(len(source)), places, strict=True)) for places in permutations(range(len(target)), len(source))]
    else:
        everything = [list(zip(places, range(len(target)), strict=True)) for places in permutations(range(len(source)), len(target))]
    pairs = align_words(source, target)
    assert len(pairs) == min(len(source), len(target))
    assert cost(pairs) == min(map(cost, everything))


def test_what_is_changed() -> None:
    assert _find_changed_words(["a", "b"], ["a", "b"]) == (frozenset(), 0)
    assert _find_changed_words([], ["a", "b"]) == (frozenset(), 2)
    assert _find_changed_words(["a", "b"], []) == (frozenset({0, 1}), 0)
    assert _find_changed_words(["he", "go", "to", "school"], ["he", "goes", "to", "the", "school"]) == (frozenset({1}), 1)
    assert _find_changed_words(["one", "two"], ["two", "one"]) == (frozenset(), 0)
