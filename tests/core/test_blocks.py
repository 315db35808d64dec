"""Blocks: their counts add up to the counts of whole alignments, for every mixed reference."""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import product
from math import prod
from types import ModuleType

import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st

from errata import _core
from errata.core import python as python_core

from thoroughness import often

Tokens = tuple[str, ...]
Sites = tuple[tuple[int, int, tuple[Tokens, ...]], ...]
Case = tuple[Tokens, Tokens, Sites]

COSTS = [(2, 3), (3, 4), (3, 5), (4, 7)]


@st.composite
def mixtures(draw: st.DrawFn, *, longest: int = 14, most: int = 200) -> Case:
    """A source of few words, often repeated; sites with deletions and long insertions; and a hypothesis made of them or not."""
    words = st.sampled_from(draw(st.sampled_from(["ab", "abc", "abcdefgh"])))
    source = tuple(draw(st.lists(words, min_size=1, max_size=longest)))
    sites: list[tuple[int, int, tuple[Tokens, ...]]] = []
    position = 0
    while position <= len(source) and prod(len(variants) for _, _, variants in sites) <= most // 4 and len(sites) < 6:
        start = position + draw(st.integers(0, 4))
        if start > len(source):
            break
        end = min(len(source), start + draw(st.integers(0, 3)))
        other = st.lists(words, max_size=draw(st.sampled_from([0, 1, 2, 6]))).map(tuple)
        variants = dict.fromkeys([source[start:end], *draw(st.lists(other, min_size=1, max_size=3))])
        sites.append((start, end, tuple(draw(st.permutations(list(variants))))))
        position = end + draw(st.integers(0, 1))
    if draw(st.booleans()):
        hypothesis = reference(source, tuple(sites), tuple(draw(st.integers(0, len(variants) - 1)) for _, _, variants in sites))
    else:
        hypothesis = source
    kept = [draw(st.sampled_from([word, word, word, word, "x", "a"])) for word in hypothesis if draw(st.integers(0, 7))]
    inserted = draw(st.integers(0, len(kept)))
    return source, (*kept[:inserted], *draw(st.lists(words, max_size=draw(st.sampled_from([0, 0, 1, 5])))), *kept[inserted:]), tuple(sites)


def reference(source: Tokens, sites: Sites, choice: tuple[int, ...]) -> Tokens:
    result: list[str] = []
    done = 0
    for (start, end, variants), chosen in zip(sites, choice, strict=True):
        result += (*source[done:start], *variants[chosen])
        done = end
    return (*result, *source[done:])


def count_whole(case: Case, cost: tuple[int, int], *, realigned: bool) -> Callable[[Tokens], tuple[int, ...]]:
    """Count a whole reference."""
    source, hypothesis, _ = case

    def count(text: Tokens) -> tuple[int, ...]:
        (counts,), _ = _core.count_three_way(source, hypothesis, (text,), *cost)
        if not realigned:
            return counts
        (baseline,), _ = _core.count_three_way(source, source, (text,), *cost)
        return counts[:9] + baseline[:9]

    return count


def check(core: ModuleType, case: Case, cost: tuple[int, int], count: Callable[[Tokens], tuple[int, ...]], *, realigned: bool) -> int:
    """Blocks give the distinct counts of all references, each with the first reference that has them; how many blocks there are."""
    source, hypothesis, sites = case
    (blocks,) = core.MixedReferences([(source, sites)], *cost, realigned, 4096).blocks(0, [hypothesis])
    assert [first for first, _, _ in blocks] == [0, *(last for _, last, _ in blocks[:-1])]
    assert blocks[-1][1] == len(sites)
    expected: dict[tuple[int, ...], tuple[int, ...]] = {}
    for choice in product(*(range(len(variants)) for _, _, variants in sites)):
        expected.setdefault(count(reference(source, sites, choice)), choice)
    found: dict[tuple[int, ...], tuple[int, ...]] = {}
    for chosen in product(*(rows for _, _, rows in blocks)):
        total = tuple(map(sum, zip(*(counts for _, counts in chosen), strict=True)))
        choice = tuple(variant for own, _ in chosen for variant in own)
        found[total] = min(found.get(total, choice), choice)
    assert found == expected
    for _, _, rows in blocks:
        assert [choice for choice, _ in rows] == sorted(choice for choice, _ in rows)
    return len(blocks)


@pytest.mark.slow
@given(mixtures(), st.sampled_from(COSTS), st.booleans())
@settings(max_examples=often(300, 100), deadline=None)
def test_blocks_add_up_for_every_reference(case: Case, cost: tuple[int, int], realigned: bool) -> None:  # noqa: FBT001
    event(f"{check(_core, case, cost, count_whole(case, cost, realigned=realigned), realigned=realigned)} blocks")


@pytest.mark.slow
@given(mixtures(), st.sampled_from(COSTS), st.booleans(), st.sampled_from([1, 6, 4096]))
@settings(max_examples=often(300, 100), deadline=None)
def test_core_and_twin_agree(case: Case, cost: tuple[int, int], realigned: bool, most: int) -> None:  # noqa: FBT001
    source, hypothesis, sites = case
    native, twin = (core.MixedReferences([(source, sites)], *cost, realigned, most) for core in (_core, python_core))
    blocks = native.blocks(0, [hypothesis])
    assert twin.blocks(0, [hypothesis]) == blocks
    alone = [core.list_blocks(source, hypothesis, sites, *cost, realigned, most) for core in (_core, python_core)]
    assert alone[0] == alone[1]
    assert alone[0][0] == blocks[0]


def errors_apart(count: int, alternatives: int) -> tuple[Tokens, Sites]:
    source = tuple(word for number in range(count) for word in (f"e{number}", "the", f"k{number}", "of"))
    sites = tuple((4 * number, 4 * number + 1, tuple((f"e{number}.{index}",) for index in range(alternatives))) for number in range(count))
    return source, sites


@pytest.mark.parametrize("core", [_core, python_core])
def test_errors_apart_are_blocks_of_their_own(core: ModuleType) -> None:
    """8^40 references, of which neither the core nor its twin looks at more than their bounds allow."""
    source, sites = errors_apart(40, 8)
    (blocks,) = core.MixedReferences([(source, sites)], 2, 3, True, 4096).blocks(0, [source])
    assert [(first, last) for first, last, _ in blocks] == [(number, number + 1) for number in range(40)]


def test_errors_that_depend_on_each_other_are_one_block() -> None:
    """Which of two a's is aligned with the only one left depends on the choices next to both."""
    source, sites = ("x", "a", "y"), ((0, 1, ((), ("x",))), (2, 3, ((), ("y", "a"))))
    case = source, ("x", "y", "a"), sites
    assert check(_core, case, (2, 3), count_whole(case, (2, 3), realigned=True), realigned=True) == 1


def test_a_large_block_is_solved_without_listing_its_references() -> None:
    """Few words, so alignments are ambiguous everywhere: a block of 3^15 references.  Every row is right, none of a sample is missing."""
    draw = random.Random(5)
    source = tuple(draw.choice("abcd") for _ in range(30))
    sites: Sites = tuple((k, k + 1, ((source[k],), (), ("x", source[k]))) for k in range(0, 30, 2))
    hypothesis = tuple(word for k, word in enumerate(source) if k % 5)
    (blocks,) = _core.MixedReferences([(source, sites)], 2, 3, False, 4096).blocks(0, [hypothesis])
    ((first, last, rows),) = blocks
    assert (first, last) == (0, 15)
    count = count_whole((source, hypothesis, sites), (2, 3), realigned=False)
    for choice, counts in rows:
        assert count(reference(source, sites, choice)) == counts
    listed = {counts for _, counts in rows}
    for _ in range(2000):
        assert count(reference(source, sites, tuple(draw.randrange(3) for _ in sites))) in listed
    assert python_core.MixedReferences([(source, sites)], 2, 3, False, 4096).blocks(0, [hypothesis]) == [blocks]


def test_too_many_choices_are_not_solved() -> None:
    source, sites = errors_apart(4, 3)
    for core in (_core, python_core):
        assert core.MixedReferences([(source, sites)], 2, 3, True, 0).blocks(0, [source]) == [[]]
        hopeless = core.MixedReferences([(source, sites)], 2, 3, False, 26, most_bounds=10).blocks(0, [("z",)])
        assert hopeless == [[]]


@pytest.mark.parametrize(
    ("sentences", "kind", "message"),
    [
        ([(("a",), ((1, 0, (("b",),)),))], ValueError, "in order, without overlap"),
        ([(("a",), ((0, 2, (("b",),)),))], ValueError, "in order, without overlap"),
        ([(("a", "b"), ((0, 2, (("b",),)), (1, 2, (("b",),))))], ValueError, "in order, without overlap"),
        ([(("a",), ((0, 1, ()),))], ValueError, "a site must have a variant"),
    ],
)
def test_bad_sites_are_refused(sentences: list[tuple[Tokens, Sites]], kind: type[Exception], message: str) -> None:
    for core in (_core, python_core):
        with pytest.raises(kind, match=message):
            core.MixedReferences(sentences, 2, 3, True, 10)
    for core in (_core, python_core):
        with pytest.raises(IndexError, match="more hypotheses than sentences"):
            core.MixedReferences([], 2, 3, True, 10).blocks(0, [("a",)])
        with pytest.raises(ValueError, match="2 \\* gap > mismatch > gap > 0"):
            core.MixedReferences([], 2, 4, True, 10)
