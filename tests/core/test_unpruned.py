"""Bounds do not change results: core and twin against the same rules without bounds."""

from __future__ import annotations

from types import ModuleType

import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st

from errata import _core
from errata.core import python as python_core

from strategies import hypotheses
from test_blocks import COSTS, Case, Tokens, check, mixtures
from thoroughness import often
from unpruned import aligned, counts_and_cost

pytestmark = pytest.mark.slow

CORES = pytest.mark.parametrize("core", [_core, python_core])


@st.composite
def triples(draw: st.DrawFn) -> tuple[Tokens, Tokens, Tokens]:
    """Sentences that are alike, equal or have nothing in common."""
    source = tuple(draw(st.lists(st.sampled_from("abcde"), max_size=9)))
    hypothesis = source if draw(st.integers(0, 3)) == 3 else draw(hypotheses(source))
    same = {7: source, 6: hypothesis}.get(draw(st.integers(0, 7)))
    return source, hypothesis, draw(hypotheses(draw(st.sampled_from([source, hypothesis])))) if same is None else same


@CORES
@given(triples(), st.sampled_from(COSTS))
@settings(max_examples=often(250, 80))
def test_alignments(core: ModuleType, sentences: tuple[Tokens, Tokens, Tokens], cost: tuple[int, int]) -> None:
    source, hypothesis, reference = sentences
    columns, visited, cells = core.align_three_way(*sentences, *cost)
    assert columns == [tuple(map(bool, move)) for move in aligned(sentences, cost)[0]]
    assert core.count_three_way(source, hypothesis, (reference,), *cost)[0] == [counts_and_cost(sentences, cost)[0]]
    event("fewer cells" if visited < cells else "more cells than there are")


@CORES
@given(mixtures(longest=8, most=12), st.sampled_from(COSTS))
@settings(max_examples=often(80, 40))
def test_blocks(core: ModuleType, case: Case, cost: tuple[int, int]) -> None:
    source, hypothesis, _ = case
    check(core, case, cost, lambda text: counts_and_cost((source, hypothesis, text), cost)[0], realigned=False)
