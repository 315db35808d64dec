"""Curves over the threshold, against scikit-learn and by hand."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn import metrics as sklearn

from errata import UsageError
from errata.report.charts.detection import plot
from errata.report.tables.detection import write_curves
from errata.studies.detection import Answers, Cases, make_curve

from thoroughness import often

sure = st.sampled_from([0.0, 0.1, 0.25, 0.5, 0.75, 0.9, 1.0])
cases_of_judges = st.lists(st.tuples(st.integers(0, 3), sure), min_size=2, max_size=40)


def cases_of(errors: list[float], confidences: list[float]) -> Cases:
    sures = np.array(confidences)
    return Cases(np.array(errors), (Answers("x", sures >= 0.5, None, sures),))


@pytest.mark.slow
@given(cases_of_judges)
@settings(max_examples=often(200, 70))
def test_agreement_with_scikit_learn(rows: list[tuple[int, float]]) -> None:
    """Three annotators: each case is an error with one weight and not an error with another."""
    errors, confidences = [count / 3 for count, _ in rows], [value for _, value in rows]
    curve = make_curve(cases_of(errors, confidences), cases_of(errors, confidences).systems[0])
    gold = np.array([1] * len(rows) + [0] * len(rows))
    scores = np.array(confidences * 2)
    weights = np.array([*errors, *(1 - share for share in errors)])
    if 0 < sum(errors) < len(rows):
        assert curve.areas.auc == pytest.approx(sklearn.roc_auc_score(gold, scores, sample_weight=weights))
        assert curve.areas.average_precision == pytest.approx(sklearn.average_precision_score(gold, scores, sample_weight=weights))
        rate, recall, thresholds = sklearn.roc_curve(gold, scores, sample_weight=weights, drop_intermediate=False)
        assert curve.thresholds.tolist() == thresholds.tolist()
        assert curve.false_positive_rate == pytest.approx(rate, abs=1e-9)
        assert curve.values("recall") == pytest.approx(recall, abs=1e-9)
        for index in range(1, len(thresholds)):
            kappa = sklearn.cohen_kappa_score(gold, scores >= thresholds[index], sample_weight=weights)
            assert curve.values("kappa")[index] == pytest.approx(kappa, abs=1e-9)
    else:
        assert (curve.areas.auc, curve.areas.average_precision, curve.areas.auk) == (None, None, None)


def test_by_hand() -> None:
    """Three thresholds: one error first, then one that is none, then one of each."""
    cases = cases_of([1, 0, 1, 0], [0.9, 0.6, 0.3, 0.3])
    curve = make_curve(cases, cases.systems[0])
    assert curve.thresholds.tolist() == [np.inf, 0.9, 0.6, 0.3]
    assert curve.counts.tolist() == [[0, 0, 2, 2, 0], [1, 0, 1, 2, 0], [1, 1, 1, 1, 0], [2, 2, 0, 0, 0]]
    assert curve.values("kappa").tolist() == [0, 0.5, 0, 0]
    assert curve.areas.auc == 0.625
    assert curve.areas.average_precision == 0.75
    assert curve.areas.auk == 0.125
    assert curve.best("kappa") == (0.9, 0.5)
    assert curve.best("f", 2.0) == pytest.approx((0.3, 5 * 0.5 / (4 * 0.5 + 1)))


def test_equal_confidences_are_one_threshold() -> None:
    cases = cases_of([1, 0, 0], [0.5, 0.5, 0.5])
    curve = make_curve(cases, cases.systems[0])
    assert len(curve.thresholds) == 2
    assert curve.areas.auc == 0.5


def test_the_best_threshold_is_the_highest_of_equals() -> None:
    cases = cases_of([1, 1, 0, 0], [0.9, 0.9, 0.2, 0.1])
    assert make_curve(cases, cases.systems[0]).best("recall") == (0.9, 1.0)
    nothing = cases_of([0, 0], [0.9, 0.1])
    assert make_curve(nothing, nothing.systems[0]).best("recall") is None


@pytest.mark.parametrize(("errors", "reason"), [([0, 0], "there are only cases without an error"), ([1, 1], "there are only errors")])
def test_one_class_has_no_areas(errors: list[float], reason: str) -> None:
    cases = cases_of(errors, [0.1, 0.9])
    assert make_curve(cases, cases.systems[0]).areas.reason == f"areas are undefined: {reason}"


def test_thinned_curves_keep_their_ends() -> None:
    draw = np.random.default_rng(1)
    cases = cases_of((draw.random(5000) < 0.2).astype(float).tolist(), draw.random(5000).tolist())
    curve = make_curve(cases, cases.systems[0])
    thin = curve.thinned(50)
    assert len(thin.thresholds) <= 50 < len(curve.thresholds)
    assert (thin.flagged[0], thin.flagged[-1]) == (0, 5000)
    assert thin.areas.auc == pytest.approx(curve.areas.auc, abs=0.01)
    assert curve.thinned(10**6) is curve
    with pytest.raises(UsageError, match="two points or more, found 1"):
        curve.thinned(1)


def test_curves_need_confidences() -> None:
    cases = Cases(np.array([1.0]), (Answers("x", np.array([True])),))
    with pytest.raises(UsageError, match="curves need confidences, but x has none"):
        make_curve(cases, cases.systems[0])


def test_files(tmp_path: Path) -> None:
    cases = cases_of([1, 0, 1, 0], [0.9, 0.6, 0.3, 0.3])
    curve = make_curve(cases, cases.systems[0])
    write_curves([curve, curve], str(tmp_path / "c.csv"))
    with (tmp_path / "c.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 8
    assert (rows[0]["threshold"], rows[0]["precision"], rows[0]["recall"]) == ("", "", "0.0")
    assert [float(row["kappa"]) for row in rows[:4]] == [0, 0.5, 0, 0]
    write_curves([curve], str(tmp_path / "c.json"))
    points = json.loads((tmp_path / "c.json").read_text())["x"]
    assert [point["threshold"] for point in points] == [None, 0.9, 0.6, 0.3]
    with pytest.raises(UsageError, match=r"extension .csv or .json, found 'c.txt'"):
        write_curves([curve], "c.txt")


def test_a_plot_shows_where_lines_are() -> None:
    lines = plot([("A", "up", [(0.0, 0.0), (0.5, 0.5), (1.0, 1.0)]), ("B", "none", [(float("nan"), 0.3)])], "share").splitlines()
    assert lines[0].startswith(" 1.00 ┤")
    assert lines[0].endswith("A")
    assert lines[12].startswith(" 0.00 ┤A")
    assert lines[-2].split()[-1] == "share"
    assert "A up  B none" in lines[-1]
