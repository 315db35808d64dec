from __future__ import annotations

import random
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from errata.errors import UsageError
from errata.metrics.ratios import Row, make_edit_ratios
from errata.metrics.strategies import RULES, Rule, _choose

from thoroughness import often


@st.composite
def rows(draw: st.DrawFn) -> Row:
    correct = draw(st.integers(0, 4))
    return correct, correct + draw(st.integers(0, 4)), correct + draw(st.integers(0, 4))


sentences = st.lists(st.lists(rows(), min_size=1, max_size=3), min_size=1, max_size=6)
betas = st.sampled_from([0.5, 1.0, 2.0, 0.3])


def f(choice: list[int], corpus: list[list[Row]], beta: float) -> Fraction:
    correct, proposed, gold = (sum(row[index][k] for row, index in zip(corpus, choice, strict=True)) for k in range(3))
    squared = Fraction(str(beta)) ** 2
    below = proposed + squared * gold
    return (1 + squared) * correct / below if below else Fraction(1)


@given(sentences, betas)
@settings(max_examples=often(200, 70))
def test_optimal_is_the_best_of_all_choices(corpus: list[list[Row]], beta: float) -> None:
    best = max(f(list(choice), corpus, beta) for choice in product(*(range(len(rows)) for rows in corpus)))
    assert f(_choose(corpus, make_edit_ratios(beta).f, "optimal"), corpus, beta) == best


@given(sentences, betas)
def test_optimal_is_never_below_the_other_rules(corpus: list[list[Row]], beta: float) -> None:
    values = {rule: f(_choose(corpus, make_edit_ratios(beta).f, rule), corpus, beta) for rule in RULES}
    assert values["optimal"] == max(values.values())


@given(sentences, betas, st.randoms(use_true_random=False))
def test_optimal_and_sentence_do_not_depend_on_the_order_of_sentences(corpus: list[list[Row]], beta: float, draw: random.Random) -> None:
    order = list(range(len(corpus)))
    draw.shuffle(order)
    for rule in ("optimal", "sentence"):
        straight = _choose(corpus, make_edit_ratios(beta).f, rule)
        shuffled = _choose([corpus[k] for k in order], make_edit_ratios(beta).f, rule)
        assert shuffled == [straight[k] for k in order]


def test_official_is_greedy_and_depends_on_the_order() -> None:
    """Alone the second sentence prefers its first row; after a good sentence it prefers its second."""
    easy: list[Row] = [(9, 9, 9)]
    hard: list[Row] = [(1, 4, 1), (0, 2, 0)]
    ratio = make_edit_ratios(1.0).f
    assert _choose([hard, easy], ratio, "official") == [0, 0]
    assert _choose([easy, hard], ratio, "official") == [0, 1]


def test_ties_go_to_more_correct_then_to_less_proposed_and_gold_then_to_the_first() -> None:
    ratio = make_edit_ratios(1.0).f
    assert _choose([[(0, 1, 2), (0, 1, 1)]], ratio, "official") == [1]
    assert _choose([[(1, 2, 2), (2, 4, 4)]], ratio, "official") == [1]
    assert _choose([[(1, 1, 1), (1, 1, 1)]], ratio, "official") == [0]


def test_a_ratio_of_nothing_to_nothing_is_one() -> None:
    assert _choose([[(0, 0, 2), (0, 0, 0)]], make_edit_ratios(0.5).f, "official") == [1]
    assert _choose([[(0, 0, 2), (0, 0, 0)], [(0, 0, 0)]], make_edit_ratios(0.5).f, "optimal") == [1, 0]


def test_bad_calls_are_refused() -> None:
    bad: Rule = "best"  # type: ignore[assignment]
    with pytest.raises(UsageError, match="official, optimal, sentence"):
        _choose([[(0, 0, 0)]], make_edit_ratios(1.0).f, bad)
    with pytest.raises(ValueError, match="at least one row"):
        _choose([[]], make_edit_ratios(1.0).f, "official")
    with pytest.raises(ValueError, match="as many counts"):
        _choose([[(1, 2)]], make_edit_ratios(1.0).f, "official")


@pytest.mark.parametrize(
    ("beta", "expected"), [(0.5, (5, 4, 1)), (1.0, (2, 1, 1)), (0.1, (101, 100, 1)), (2.0, (5, 1, 4)), (0.0, (1, 1, 0))]
)
def test_weights_of_f_are_whole(beta: float, expected: tuple[int, int, int]) -> None:
    ratio = make_edit_ratios(beta).f
    assert (ratio.numerator[0], ratio.denominator[1], ratio.denominator[2]) == expected
