"""F with smoothing: its definition, its limits, and that it ranks as it should."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

import errata
from errata.metrics.evidence import RowArrays
from errata.studies.rewards import SentenceValue, _find_best_rows

ROWS = [(c, p, g) for c, p, g in product(range(4), range(5), range(5)) if c <= min(p, g)]


def smoothed(row: tuple[int, int, int], k: Fraction, beta: Fraction) -> Fraction:
    correct, proposed, gold = (count + k for count in row)
    below = proposed + beta**2 * gold
    return (1 + beta**2) * correct / below if below else Fraction(1)


@pytest.mark.parametrize("beta", ["0.5", "1", "2"])
@pytest.mark.parametrize("k", ["0", "0.1", "1", "3"])
def test_f_adds_edits_that_are_right(beta: str, k: str) -> None:
    found = SentenceValue.of(errata.metric(f"maxmatch(beta={beta})"), float(k)).compute(np.array(ROWS))
    wanted = [float(smoothed(row, Fraction(k), Fraction(beta))) for row in ROWS]
    assert found.tolist() == pytest.approx(wanted, abs=1e-15)


def test_without_smoothing_it_is_the_f_of_scores() -> None:
    metric = errata.MaxMatch()
    assert SentenceValue.of(metric, 0).compute(np.array(ROWS)).tolist() == [metric.value(row) for row in ROWS]


@pytest.mark.parametrize("k", [0.01, 1.0, 5.0])
def test_limits_and_order(k: float) -> None:
    values = dict(zip(ROWS, SentenceValue.of(errata.MaxMatch(), k).compute(np.array(ROWS)).tolist(), strict=True))
    for (c, p, g), value in values.items():
        assert 0 < value <= 1
        assert (value == 1) == (c == p == g)
        for other, better in (((c + 1, p, g), True), ((c + 1, p + 1, g), True), ((c, p + 1, g), False), ((c, p, g + 1), False)):
            if other in values:
                assert values[other] > value if better else values[other] < value, (c, p, g, other)


def test_errant_and_hoo_are_smoothed_in_the_same_way() -> None:
    rows = np.array([(c, p - c, g - c) for c, p, g in ROWS])
    wanted = SentenceValue.of(errata.MaxMatch(), 1).compute(np.array(ROWS)).tolist()
    assert SentenceValue.of(errata.Errant(), 1).compute(rows).tolist() == pytest.approx(wanted, abs=1e-15)
    source, references = ["He go home ."] * 3, ["He goes home ."] * 3
    assert errata.Rewards("hoo")(["He goes home .", "He go home .", "He went home ."], source, references) == pytest.approx(
        [1, 1 / 2, 1 / 3]
    )


@pytest.mark.parametrize("wrong", [-1, math.nan, math.inf, "1", True])
def test_smoothing_is_a_number_from_0(wrong: object) -> None:
    with pytest.raises(errata.UsageError, match="smoothing must be a number from 0, found"):
        errata.Rewards(smoothing=wrong)  # type: ignore[arg-type]


def test_metrics_without_f_have_no_smoothing() -> None:
    with pytest.raises(errata.UsageError, match="smoothing needs a metric whose value is F, such as maxmatch; found gleu"):
        errata.Rewards("gleu", smoothing=1)
    assert errata.Rewards("gleu").value.smoothing is None


@pytest.mark.parametrize(
    ("smoothing", "wanted", "break_even"), [(0.25, [1, 0.556, 0.2], 0.44), (0.5, [1, 0.714, 0.333], 0.57), (1, [1, 0.833, 0.5], 0.67)]
)
def test_when_an_edit_is_worth_its_risk(smoothing: float, wanted: list[float], break_even: float) -> None:
    """As docs/training.md has it: right, unchanged and wrong, and the probability from which to edit is better."""
    right, unchanged, wrong = errata.Rewards(smoothing=smoothing)(["a c", "a b", "a d"], ["a b"] * 3, ["a c"] * 3)
    assert [right, unchanged, wrong] == pytest.approx(wanted, abs=5e-4)
    assert (unchanged - wrong) / (right - wrong) == pytest.approx(break_even, abs=5e-3)


def test_a_value_that_is_not_defined_is_chosen_last() -> None:
    rows = RowArrays(None, np.array([0, 2, 4, 5]))  # only where rows begin matters
    assert _find_best_rows(rows, np.array([np.nan, 0.5, np.nan, np.nan, 1.0])).tolist() == [1, 2, 4]
