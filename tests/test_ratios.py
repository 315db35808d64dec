"""Precision, recall and F: what 0/0 is, and weights of any size and from any library."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import errata
from errata import MaxMatch, UsageError
from errata.cli import main
from errata.metrics.ratios import ONE_OF_NOTHING, UNDEFINED, ZERO_OF_NOTHING, Ratio, harmonic_mean, make_edit_ratios

counts = st.tuples(st.integers(0, 50), st.integers(0, 50), st.integers(0, 50))


@given(counts, st.sampled_from([0.0, 0.5, 1.0, 2.0, 0.123456789012345, 1e-200, 1e150]))
def test_f_is_the_weighted_harmonic_mean(row: tuple[int, int, int], beta: float) -> None:
    correct, proposed, gold = min(row), row[1], row[2]
    if proposed and gold:
        precision, recall, squared = Fraction(correct, proposed), Fraction(correct, gold), Fraction(repr(beta)) ** 2
        below = squared * precision + recall
        expected = float((1 + squared) * precision * recall / below) if below else 0.0
        ratio = make_edit_ratios(beta).f
        assert ratio.value((correct, proposed, gold)) == pytest.approx(expected, rel=1e-12)
        assert ratio.values(np.array([[correct, proposed, gold]], dtype=float))[0] == pytest.approx(expected, rel=1e-12, abs=1e-300)


def test_what_a_share_of_nothing_is() -> None:
    ratio, nothing = Ratio((1, 0), (0, 1)), np.zeros((1, 2))
    for convention in (ONE_OF_NOTHING, ZERO_OF_NOTHING):
        assert ratio.value((0, 0), convention) == ratio.values(nothing, convention)[0] == convention
    assert math.isnan(ratio.value((0, 0), UNDEFINED))
    assert math.isnan(ratio.values(nothing, UNDEFINED)[0])
    assert harmonic_mean((0, 0), (1, 2)) == (2, 3)  # of 1 and 1/2
    assert harmonic_mean((0, 3), (0, 2)) == (0, 0)


def test_a_count_without_weight_may_be_undefined() -> None:
    assert Ratio((1, 0, 0), (1, 1, 0)).values(np.array([[1.0, 3.0, np.nan]]))[0] == 0.25


def test_numbers_of_any_library_and_size() -> None:
    three: Any = np.int64(3)
    assert MaxMatch(beta=np.float64(1), max_unchanged=three) == errata.metric("maxmatch(beta=1,max_unchanged=3)")
    assert make_edit_ratios(np.float64(0.5)) == make_edit_ratios(0.5)
    for beta in (10**400, float("nan"), float("inf"), True, "1"):
        with pytest.raises(UsageError, match="maxmatch setting beta must be a number from 0 to 1000, found"):
            MaxMatch(beta=beta)  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="a metric must be a Metric or a text, found NoneType"):
        errata.metric(None)  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="maxmatch needs no graphs"):
        MaxMatch().with_data(graphs=1)


@pytest.mark.parametrize("beta", ["1e-200", "1e200"])
def test_a_beta_that_leaves_one_side_no_weight(beta: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["detect", "examples/prepositions.csv", "--beta", beta]) == 0
    assert "F" in capsys.readouterr().out


def test_a_format_by_another_of_its_names(capsys: pytest.CaptureFixture[str]) -> None:
    outputs = []
    for name in ("sgml", "sgm"):
        assert main(["convert", "examples/essays.sgml", "--from", name, "--profile", "conll13", "--to", "m2"]) == 0
        outputs.append(capsys.readouterr().out)
    assert outputs[0] == outputs[1] != ""
