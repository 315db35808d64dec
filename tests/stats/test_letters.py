"""Letters of systems: shared exactly by those that are not significantly different."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from errata.stats import comparison
from errata.stats.comparison import assign_letters

NAMES = "ABCDEFG"
PAIRS = [frozenset(pair) for pair in combinations(NAMES, 2)]


@given(st.sets(st.sampled_from(PAIRS)))
def test_two_systems_share_a_letter_exactly_if_they_are_not_significantly_different(different: set[frozenset[str]]) -> None:
    assigned = assign_letters(NAMES, different)
    assert assigned is not None
    for (one, own), (other, others) in combinations(zip(NAMES, assigned, strict=True), 2):
        assert bool(set(own) & set(others)) == (frozenset((one, other)) not in different)


@given(st.sets(st.sampled_from(PAIRS)))
def test_no_letter_can_be_left_out(different: set[frozenset[str]]) -> None:
    assigned = assign_letters(NAMES, different) or []
    groups = [{name for name, own in zip(NAMES, assigned, strict=True) if letter in own} for letter in set("".join(assigned))]
    assert not any(one < other for one in groups for other in groups)


def test_the_best_system_has_the_first_letter() -> None:
    chain = {frozenset("AC"), frozenset("AD"), frozenset("BD")}
    assert assign_letters("ABCD", chain) == ["a", "ab", "bc", "c"]
    assert assign_letters("AB", set()) == ["a", "a"]
    assert assign_letters([], set()) == []


def test_more_than_26_groups_have_primes() -> None:
    names = [f"s{number}" for number in range(28)]
    assigned = assign_letters(names, {frozenset(pair) for pair in combinations(names, 2)})
    assert assigned is not None
    assert assigned[25:] == ["z", "a'", "b'"]


def test_too_many_groups_are_not_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(comparison, "_MOST_GROUPS", 5)
    names = [f"{side}{number}" for number in range(3) for side in "ab"]
    assert assign_letters(names, {frozenset((f"a{number}", f"b{number}")) for number in range(3)}) is None
