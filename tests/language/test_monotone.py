from __future__ import annotations

from functools import cache
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from errata.core.python.counts import compute_edit_distances
from errata.language.word_alignment import align_in_order

texts = st.lists(st.sampled_from(["a", "b", "ab", "abc", "cab", "the", "then"]), max_size=7)


def cheapest(source: list[str], target: list[str]) -> int:
    """The least cost, by recursion."""

    @cache
    def cost(one: int, other: int) -> int:
        if one == len(source) or other == len(target):
            return sum(map(len, source[one:])) + sum(map(len, target[other:]))
        changed = int(compute_edit_distances([source[one]], [target[other]])[0, 0])
        return min(changed + cost(one + 1, other + 1), len(source[one]) + cost(one + 1, other), len(target[other]) + cost(one, other + 1))

    return cost(0, 0)


@given(texts, texts)
def test_the_alignment_is_in_order_and_cheapest(source: list[str], target: list[str]) -> None:
    pairs = align_in_order(source, target)
    assert all(one < next_one and other < next_other for (one, other), (next_one, next_other) in pairwise(pairs))
    aligned, reached = {one for one, _ in pairs}, {other for _, other in pairs}
    spent = sum(int(compute_edit_distances([source[one]], [target[other]])[0, 0]) for one, other in pairs)
    spent += sum(len(word) for place, word in enumerate(source) if place not in aligned)
    spent += sum(len(word) for place, word in enumerate(target) if place not in reached)
    assert spent == cheapest(source, target)
