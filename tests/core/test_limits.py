"""Limits of work and memory: core and twin count the same, so that they refuse or give up on the same inputs."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from functools import partial
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st

from errata import _core
from errata.core import python as python_core
from errata.core.limits import MOST_STEPS
from errata.core.python.maxmatch import _GoldArcs, _search_in_one_pass

from errant_strategies import parsed_pairs
from strategies import CoreEdit, cases
from test_best_matches import aligned, sets
from test_blocks import COSTS, mixtures
from test_ngrams import texts
from test_unpruned import triples
from thoroughness import often

pytestmark = pytest.mark.slow

Tokens = tuple[str, ...]
CORES = pytest.mark.parametrize("core", [_core, python_core])


def result_or_refusal(action: Callable[[], Any]) -> Any:
    """What it returns, or the words with which it refuses."""
    try:
        return action()
    except OverflowError as error:
        return str(error)


def same_of_both(action: Callable[[ModuleType], Any]) -> Any:
    native, twin = (result_or_refusal(lambda core=core: action(core)) for core in (_core, python_core))  # type: ignore[misc]
    assert native == twin
    event("refused" if isinstance(native, str) else "solved")
    return native


def limits(**most: int) -> st.SearchStrategy[dict[str, int]]:
    """Each limit from nothing to some number, or left as it is."""
    return st.fixed_dictionaries({}, optional={name: st.integers(0, number) for name, number in most.items()})


@pytest.mark.parametrize("name", python_core.__all__)
def test_defaults_are_the_same(name: str) -> None:
    native, twin = getattr(_core, name), getattr(python_core, name)
    if isinstance(twin, type):
        native, twin = vars(native)["__init__"], vars(twin)["__init__"]
    ((signature, _, _),) = native.__nb_signature__
    parameters = inspect.signature(twin).parameters.values()
    expected = {one.name: one.default for one in parameters if one.default is not one.empty}
    assert {limit: int(value) for limit, value in re.findall(r"(\w+): int = (\d+)", signature)} == expected


@given(cases(), limits(most_work=90, most_searched=3_000, most_steps=400, most_arcs=60))
@settings(max_examples=often(300, 100))
def test_maxmatch(case: tuple[Tokens, Tokens, tuple[tuple[CoreEdit, ...], ...], int], most: dict[str, int]) -> None:
    source, hypothesis, annotators, max_unchanged = case

    def judge(core: ModuleType) -> Any:
        return core.MaxMatchJudge([(("x",), ()), (source, annotators)], max_unchanged, **most)

    same_of_both(lambda core: judge(core).counts(0, [("x",), hypothesis]))
    same_of_both(lambda core: judge(core).edits(1, hypothesis))


@given(cases(), limits(most_work=90, most_searched=3_000, most_steps=400, most_arcs=60, max_tokens=8))
@settings(max_examples=often(100, 30))
def test_texts_are_refused_by_the_same_limits(case: tuple[Tokens, Tokens, Any, int], most: dict[str, int]) -> None:
    source, hypothesis, _, max_unchanged = case
    one, other = " ".join(source), " ".join(hypothesis)
    columns = ["x", one], [["x", other], ["x", one]]
    same_of_both(lambda core: core.TextGold(*columns, max_unchanged, **most).counts(["x", other]).tolist())
    same_of_both(lambda core: core.TextGold(*columns, max_unchanged, **most).counts(["x", other[::-1]]).tolist())


@CORES
def test_all_annotators_of_a_sentence_count_together(core: ModuleType) -> None:
    """A correction of a token is two comparisons at each of two columns, its span with a token of the output six vertices."""
    sentences = [(("a", "b", "c"), (((0, 2, (("x",),)),),) * 3)] * 2
    hypotheses = [("x", "c")] * 2
    assert core.MaxMatchJudge(sentences, 2, most_work=30).counts(0, hypotheses) == [((1, 1, 1),) * 3] * 2
    with pytest.raises(OverflowError, match=r"^sentence 1 cannot be scored: its gold edits span too many tokens"):
        core.MaxMatchJudge(sentences, 2, most_work=29).counts(0, hypotheses)


@CORES
def test_the_searches_of_all_annotators_count_together(core: ModuleType) -> None:
    """Each annotator has a match of his own, so that each needs a pass over 7 states of each vertex; those without a match share one."""
    gold = [((position, position + 1, (("x",),)),) for position in range(3)]
    hypotheses = [("x", "x", "x", "d")]

    def counts(annotators: int, most: int) -> Any:
        return core.MaxMatchJudge([(("a", "b", "c", "d"), (*gold[:annotators], (), ()))], 2, most_searched=most).counts(0, hypotheses)

    alone = next(most for most in range(10, 1_000) if isinstance(result_or_refusal(partial(counts, 1, most)), list))
    assert isinstance(counts(3, 2 * alone), list)
    refusal = result_or_refusal(lambda: counts(3, 2 * alone - 1))
    assert refusal.startswith(
        "sentence 1 cannot be scored: it takes too long to be searched, with its length, its annotators and max_unchanged"
    )


@CORES
def test_the_literal_search_gives_up(core: ModuleType) -> None:
    """Paths of equal weight with other counts: the one pass alone takes another than the official scorer."""
    sentence = (tuple("abbaab"), ((),))
    followed, given_up = (core.MaxMatchJudge([sentence], 2, most_arcs=most).counts(0, [tuple("aacaa")]) for most in (104, 103))
    assert (followed, given_up) == ([((0, 2, 0),)], [((0, 1, 0),)])


def test_states_that_a_step_has_room_for() -> None:
    """Far fewer steps than the limit, but more states at one vertex than the core can tell apart."""
    message = "too many tokens for this max_unchanged"
    tokens = tuple(f"w{number}" for number in range(4_200))
    judge = _core.MaxMatchJudge([(tokens, ((),))], 4_200)
    with pytest.raises(OverflowError, match=message):
        judge.counts(0, [("x", *tokens)])
    lattice: Any = SimpleNamespace(last=(4_200, 4_201), slots=8_401)
    with pytest.raises(OverflowError, match=message):
        _search_in_one_pass(lattice, _GoldArcs({}, contested=False), 4_200, MOST_STEPS)


@given(
    mixtures(longest=10, most=60),
    st.sampled_from(COSTS),
    st.booleans(),
    st.sampled_from([1, 6, 4096]),
    limits(most_cells=4_000, most_bounds=2_000, most_beginnings=20_000, most_pairs=400, most_aligned=60),
)
@settings(max_examples=often(300, 100))
def test_mixed_references(
    case: tuple[Tokens, Tokens, Any],
    cost: tuple[int, int],
    realigned: bool,  # noqa: FBT001
    most_choices: int,
    most: dict[str, int],
) -> None:
    source, hypothesis, sites = case
    sentences = [(("x",), ()), (source, sites)]
    same_of_both(lambda core: core.MixedReferences(sentences, *cost, realigned, most_choices, **most).blocks(0, [("x",), hypothesis]))
    same_of_both(lambda core: core.list_blocks(source, hypothesis, sites, *cost, realigned, most_choices, **most))


@CORES
def test_each_limit_of_mixed_references(core: ModuleType) -> None:
    """If beginnings cannot be shared there is one block, with too many cells none, and what is too large to be aligned is refused."""
    source, sites = tuple("abcdefgh"), ((1, 2, (("x",), ("b",))), (6, 7, (("y",), ("g",))))

    def blocks(**most: int) -> list[tuple[int, int]]:
        (found,) = core.MixedReferences([(source, sites)], 2, 3, False, 4, **most).blocks(0, [source])
        return [(first, last) for first, last, _ in found]

    assert blocks() == [(0, 1), (1, 2)]
    assert blocks(most_bounds=10) == [(0, 2)]
    assert blocks(most_beginnings=500) == [(0, 2)]
    assert blocks(most_beginnings=40) == []
    assert blocks(most_cells=10) == []
    with pytest.raises(OverflowError, match=r"^sentence 1 cannot be scored: source, hypothesis and reference together are too long"):
        blocks(most_aligned=3)
    with pytest.raises(
        OverflowError, match=r"^sentence 1 cannot be scored: .* together are too long to be aligned in a gigabyte of memory"
    ):
        blocks(most_pairs=80)


@given(triples(), st.sampled_from(COSTS), limits(most_pairs=150, most_aligned=120), st.integers(0, 600))
@settings(max_examples=often(200, 70))
def test_three_way_alignments(sentences: tuple[Tokens, Tokens, Tokens], cost: tuple[int, int], most: dict[str, int], work: int) -> None:
    source, hypothesis, reference = sentences
    event(f"{len(set(sentences))} different sentences")
    same_of_both(lambda core: core.count_three_way(source, hypothesis, (reference, source), *cost, **most, most_work=work))
    same_of_both(lambda core: core.align_three_way(source, hypothesis, reference, *cost, **most))


@CORES
def test_references_are_counted_while_there_is_work_left(core: ModuleType) -> None:
    source, references = tuple("abcdefgh"), (tuple("abxdefgh"), tuple("xbcdefgx"), tuple("abcdegh"))
    every, work = core.count_three_way(source, source[1:], references, 2, 3)
    assert len(every) == 3
    for most in range(work + 1):
        rows, done = core.count_three_way(source, source[1:], references, 2, 3, most_work=most)
        assert rows == every[: len(rows)]
        assert done <= most
        assert (len(rows) == 3) == (most == work)


@CORES
def test_long_corrections_are_refused_before_they_take_memory(core: ModuleType) -> None:
    """A line of gold may have hundreds of thousands of words, far more than a sentence."""
    with pytest.raises(OverflowError, match=r"^sentence 1 cannot be scored: .* in a gigabyte of memory; cut the sentence$"):
        core.MixedReferences([(("a",) * 1000, ((0, 1, (("b",) * 300_000,)),))], 2, 3, False, 4).blocks(0, [("a",) * 1000])


@CORES
def test_costs_and_lengths_that_sums_have_no_room_for(core: ModuleType) -> None:
    with pytest.raises(ValueError, match="2 \\* gap > mismatch > gap > 0"):
        core.count_three_way((), (), (), 1001, 1002)
    with pytest.raises(OverflowError, match=r"^the sentences are too long for costs this high$"):
        core.count_three_way(("a",) * 140_000, (), ((),), 1000, 1500)


@given(st.lists(st.text("ab", max_size=150), max_size=3), st.lists(st.text("ab", max_size=9), max_size=3), st.integers(0, 60))
def test_edit_distances(one: list[str], other: list[str], most: int) -> None:
    same_of_both(lambda core: core.compute_edit_distances(one, other, most_steps=most).tolist())


@given(sets, sets, aligned, st.booleans(), limits(most_meetings=20, most_matches=8))
@settings(max_examples=often(200, 70))
def test_best_matches(one: Any, other: Any, pairs: Any, by_share: bool, most: dict[str, int]) -> None:  # noqa: FBT001
    same_of_both(lambda core: core.find_best_matches(one, other, pairs, by_share, **most))


@given(parsed_pairs(), st.booleans(), limits(most_cells=40, most_steps=150))
def test_linguistic_alignments(pair: Any, linguistic: bool, most: dict[str, int]) -> None:  # noqa: FBT001
    sentences = [(parse.forms, parse.lemmas, parse.pos) for parse in pair]
    same_of_both(lambda core: core.align_parses(sentences, [(7, 0, 1)], linguistic, **most))


@given(st.text("ab", max_size=150), st.text("ab", max_size=9), st.integers(0, 30))
def test_common_characters(one: str, other: str, most: int) -> None:
    same_of_both(lambda core: core.count_common_characters(one, other, most_steps=most))


@given(texts(), st.integers(1, 4), limits(most_ngrams=60), st.booleans())
@settings(max_examples=often(200, 70))
def test_ngrams(case: tuple[Tokens, tuple[Tokens, ...], Tokens], order: int, most: dict[str, int], excess: bool) -> None:  # noqa: FBT001
    source, references, hypothesis = case
    same_of_both(lambda core: core.NgramCounter([(source, references)], order, **most).counts(0, [hypothesis], excess))
    same_of_both(lambda core: core.NgramCounter([(source, references)], order, **most).pooled_counts(0, [hypothesis], excess))
