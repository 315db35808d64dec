"""Measures: the figures of Chodorow et al. 2012, scikit-learn on random tables, and what is undefined."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn import metrics as sklearn

from errata import UsageError
from errata.studies.detection import MEASURES, Counts
from errata.studies.detection.measures import Measure, compute_chance_counts

from thoroughness import often


def values(*counts: float) -> dict[str, float | None]:
    return {name: measure.value(Counts(*counts)) for name, measure in MEASURES.items()}


def test_figure_2_formulas() -> None:
    tp, fp, fn, tn = 7.0, 3.0, 5.0, 85.0
    found = values(tp, fp, fn, tn)
    precision, recall = tp / (tp + fp), tp / (tp + fn)
    assert found["accuracy"] == (tp + tn) / 100
    assert (found["precision"], found["recall"], found["tnr"]) == (precision, recall, tn / (tn + fp))
    assert found["f"] == pytest.approx(2 * precision * recall / (precision + recall))
    assert MEASURES["f"].value(Counts(tp, fp, fn, tn), 0.5) == pytest.approx(1.25 * precision * recall / (0.25 * precision + recall))


@pytest.mark.parametrize(
    ("counts", "expected"),
    [
        ((0.04, 0.16, 0.16, 0.64), {"accuracy": 0.68, "expected": 0.68, "kappa": 0, "precision": 0.2, "recall": 0.2, "f": 0.2}),  # Figure 5
        ((0.10, 0.10, 0.10, 0.70), {"accuracy": 0.80, "expected": 0.68, "kappa": 0.375, "prevalence": 0.2, "bias": 0.2}),  # Figures 6 and 7
        ((0.12, 0.18, 0.28, 0.42), {"accuracy": 0.54, "kappa": 0, "precision": 0.4, "recall": 0.3, "f": 12 / 35}),  # Figure 8
        ((12, 18, 28, 42), {"accuracy": 0.54, "kappa": 0, "prevalence": 0.4, "bias": 0.3}),  # Figure 9
        (
            (12, 18, 28, 142),
            {"accuracy": 0.77, "kappa": 0.2069, "prevalence": 0.2, "bias": 0.15, "precision": 0.4, "recall": 0.3},
        ),  # Figure 10
    ],
)
def test_figures_5_to_10(counts: tuple[float, ...], expected: dict[str, float]) -> None:
    found = values(*counts)
    for name, value in expected.items():
        assert found[name] == pytest.approx(value, abs=5e-5), name


def test_the_printed_digits() -> None:
    """Kappa of Figure 7 is printed as .38, of Figure 10 as .21, F of Figure 8 as .34."""
    for counts, name, printed in (
        ((0.10, 0.10, 0.10, 0.70), "kappa", 0.38),
        ((12, 18, 28, 142), "kappa", 0.21),
        ((12, 18, 28, 42), "f", 0.34),
    ):
        assert values(*counts)[name] == pytest.approx(printed, abs=0.005 + 1e-9)


shares = st.floats(0.01, 0.99)


@given(shares, shares)
def test_at_chance(prevalence: float, bias: float) -> None:
    """Section 3.3: precision is the prevalence, recall the bias, and what is corrected for chance is 0, whatever the skew."""
    found = values(*compute_chance_counts(prevalence, bias, 1000))
    assert found["precision"] == pytest.approx(prevalence)
    assert found["recall"] == pytest.approx(bias)
    assert found["accuracy"] == pytest.approx(found["expected"])
    for name in ("kappa", "mcc", "informedness", "markedness"):
        assert found[name] == pytest.approx(0, abs=1e-9)


@given(shares, shares, st.floats(0.05, 0.9))
def test_what_skew_moves(prevalence: float, bias: float, more: float) -> None:
    """A system at chance that flags more gains recall; where more is wrong it gains precision; kappa moves with neither."""
    eager, skewed = bias + (1 - bias) * more, prevalence + (1 - prevalence) * more
    one, flags_more, more_wrong = (
        values(*compute_chance_counts(*pair)) for pair in ((prevalence, bias), (prevalence, eager), (skewed, bias))
    )
    assert one["recall"] < flags_more["recall"]  # type: ignore[operator]
    assert one["precision"] < more_wrong["precision"]  # type: ignore[operator]
    assert flags_more["kappa"] == pytest.approx(0, abs=1e-9)
    assert more_wrong["kappa"] == pytest.approx(0, abs=1e-9)


def test_more_true_negatives_raise_kappa_and_accuracy_alone() -> None:
    """Section 3.6: positions that are trivially right change neither precision, recall nor F."""
    few, many = values(12, 18, 28, 42), values(12, 18, 28, 142)
    assert all(few[name] == many[name] for name in ("precision", "recall", "f"))
    assert all(few[name] < many[name] for name in ("accuracy", "kappa"))  # type: ignore[operator]


tables = st.lists(st.tuples(st.booleans(), st.booleans(), st.floats(0.125, 4)), min_size=1, max_size=30)


@pytest.mark.slow
@given(tables)
@settings(max_examples=often(200, 70))
def test_agreement_with_scikit_learn(rows: list[tuple[bool, bool, float]]) -> None:
    gold, system, weights = (np.array(column) for column in zip(*rows, strict=True))
    counts = [float(weights[(gold == g) & (system == s)].sum()) for g, s in ((1, 1), (0, 1), (1, 0), (0, 0))]
    found = values(*counts)
    own = {"sample_weight": weights}
    assert found["accuracy"] == pytest.approx(sklearn.accuracy_score(gold, system, **own))
    assert found["precision"] == near(sklearn.precision_score(gold, system, zero_division=np.nan, **own))
    assert found["recall"] == near(sklearn.recall_score(gold, system, zero_division=np.nan, **own))
    assert found["f"] == near(sklearn.f1_score(gold, system, zero_division=np.nan, **own))
    if found["kappa"] is not None:
        assert found["kappa"] == pytest.approx(sklearn.cohen_kappa_score(gold, system, **own), abs=1e-9)
    if found["mcc"] is not None:
        assert found["mcc"] == pytest.approx(sklearn.matthews_corrcoef(gold, system, **own), abs=1e-9)
    if found["informedness"] is not None:
        assert found["informedness"] == pytest.approx(sklearn.balanced_accuracy_score(gold, system, adjusted=True, **own), abs=1e-9)


def near(value: float) -> object:
    return None if math.isnan(value) else pytest.approx(value)


whole = st.integers(0, 30)


@given(whole, whole, whole, whole)
def test_alpha_is_that_of_the_coincidence_matrix(tp: int, fp: int, fn: int, tn: int) -> None:
    """Krippendorff's definition: the pairs of values inside units, against those that could be made of all values."""
    units = [(1, 1)] * tp + [(0, 1)] * fp + [(1, 0)] * fn + [(0, 0)] * tn
    everything = [value for unit in units for value in unit]
    found = MEASURES["alpha"].value(Counts(tp, fp, fn, tn))
    ones, zeros = everything.count(1), everything.count(0)
    if not ones or not zeros:
        assert found is None
        return
    observed = sum(one != other for one, other in units) / len(units)
    expected = 2 * ones * zeros / (len(everything) * (len(everything) - 1))
    assert found == pytest.approx(1 - observed / expected)


def test_ac1_of_a_worked_table() -> None:
    """Two raters, 118 and 2 agreements, 5 disagreements: chance by Gwet is 2 * pi * (1 - pi) with the mean share pi."""
    share = (2 * 118 + 5) / 250
    chance = 2 * share * (1 - share)
    assert MEASURES["ac1"].value(Counts(118, 5, 0, 2)) == pytest.approx((120 / 125 - chance) / (1 - chance))


@given(whole, whole, whole, whole, whole)
def test_measures_of_correction_stay_in_their_range(tp: int, fp: int, fn: int, tn: int, both: int) -> None:
    """What is found and corrected wrongly is a false positive and a false negative, each a cell of a table of two by two."""
    correction = values(tp, fp + both, fn + both, tn, both)
    assert correction == values(tp, fp + both, fn + both, tn)
    for name in ("kappa", "mcc", "informedness", "markedness", "alpha", "ac1"):
        assert correction[name] is None or -1 - 1e-9 <= correction[name] <= 1 + 1e-9  # type: ignore[operator]


@given(st.lists(st.tuples(st.integers(0, 3), st.booleans()), min_size=1, max_size=30))
def test_shares_that_do_not_add_up_exactly(rows: list[tuple[int, bool]]) -> None:
    """Thirds of annotators: rounding errors become 0, so undefined values stay undefined."""
    counts = [0.0] * 4
    for judges, flagged in rows:
        share = judges / 3
        counts[0 if flagged else 2] += share
        counts[1 if flagged else 3] += 1 - share
    found = values(*counts)
    exact = [sum(number for number, flagged in rows if flagged), 0, sum(number for number, flagged in rows if not flagged), 0]
    exact[1], exact[3] = (3 * sum(flagged == side for _, flagged in rows) - exact[index] for side, index in ((True, 0), (False, 2)))
    for name, value in values(*exact).items():
        if name != "alpha":  # which counts units
            assert found[name] == (pytest.approx(value, abs=1e-9) if value is not None else None), name


@pytest.mark.parametrize(
    ("counts", "measure", "reason"),
    [
        ((0, 0, 3, 4), "precision", "the system flags nothing"),
        ((0, 2, 0, 4), "recall", "there are no errors"),
        ((0, 0, 0, 4), "f", "there are no errors, and the system flags nothing"),
        ((2, 0, 3, 0), "tnr", "every case is an error"),
        ((0, 0, 0, 4), "kappa", "annotator and system put all cases into one class"),
        ((0, 2, 0, 4), "mcc", "annotator or system put all cases into one class"),
        ((0, 2, 0, 4), "informedness", "all cases are errors, or none is"),
        ((0, 0, 2, 4), "markedness", "the system flags every case, or none"),
        ((0, 0, 0, 4), "alpha", "annotator and system put all cases into one class"),
        ((0, 0, 0, 0), "accuracy", "there are no cases"),
        ((1, 2, 3, math.nan), "kappa", "there are no true negatives among these cases"),
        ((1, 2, 3, math.nan), "prevalence", "there are no true negatives among these cases"),
    ],
)
def test_undefined_values_have_a_reason(counts: tuple[float, ...], measure: str, reason: str) -> None:
    assert MEASURES[measure].value(Counts(*counts)) is None
    assert MEASURES[measure].reason(Counts(*counts)) == reason


def test_without_true_negatives_some_are_defined() -> None:
    found = values(2, 3, 4, math.nan)
    assert {name for name, value in found.items() if value is not None} == {"precision", "recall", "f"}


def test_very_many_cases() -> None:
    assert MEASURES["mcc"].value(Counts(1e9, 1e9, 1e9, 1e12)) == pytest.approx(0.4995, abs=1e-3)


def test_unknown_names() -> None:
    with pytest.raises(UsageError, match="unknown measure 'auc'; choose from accuracy, precision"):
        Measure.named("auc")
    with pytest.raises(UsageError, match=r"a bias must be a number from 0 to 1, found 1.5"):
        compute_chance_counts(0.5, 1.5)
