"""Intervals and tests of measures, from groups of cases."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats as scipy_stats

from errata import Bootstrap, RequestError, UsageError
from errata.stats.resampling import RowGroups
from errata.studies.detection import MEASURES, Answers, Cases, Labels, count_cases
from errata.studies.detection.measures import (
    JudgedSystem,
    _group_counts,
    choose_resampling,
    compare_detectors,
    compute_measure_intervals,
)

CASES = 400


@pytest.fixture(scope="module")
def judged() -> list[JudgedSystem]:
    """Two systems on the same cases, in units of four and documents of forty."""
    draw = np.random.default_rng(4)
    error = draw.integers(0, 4, size=CASES) / 3
    wrong = error > 0.5
    systems = []
    for name, skill in (("good", 0.8), ("poor", 0.6)):
        flagged = np.where(draw.random(CASES) < skill, wrong, ~wrong)
        systems.append(Answers(name, flagged, error * (draw.random(CASES) < 0.7)))
    units = Labels(np.arange(CASES) // 4, tuple(str(k) for k in range(CASES // 4)))
    documents = Labels(np.arange(CASES) // 40, tuple(str(k) for k in range(CASES // 40)))
    cases = Cases(error, tuple(systems), graded=True, units=units, documents=documents)
    return [JudgedSystem(cases, answers) for answers in systems]


@pytest.mark.parametrize("by", ["case", "sentence", "document"])
@pytest.mark.parametrize("aspect", ["detection", "correction"])
def test_groups_have_the_counts_of_all_cases(judged: list[JudgedSystem], by: str, aspect: str) -> None:
    groups = _group_counts(judged, aspect, by)  # type: ignore[arg-type]
    assert groups.units == {"case": CASES, "sentence": CASES // 4, "document": CASES // 40}[by]
    for index, item in enumerate(judged):
        expected = count_cases(item.cases, item.answers, aspect)[0]  # type: ignore[arg-type]
        assert groups.columns(5 * index, 5 * index + 5).total == pytest.approx(expected)


def test_intervals_are_those_of_resampled_sentences(judged: list[JudgedSystem]) -> None:
    """Groups that are drawn together give about the percentiles of units that are drawn one by one."""
    item = judged[0]
    rows = count_cases(item.cases, item.answers, "detection", item.cases.units)
    draw = np.random.default_rng(8)
    sums = np.stack([rows[draw.integers(0, len(rows), size=len(rows))].sum(axis=0) for _ in range(4000)])
    names = ["kappa", "precision", "recall", "mcc", "alpha"]
    settings = Bootstrap(0.9, "percentile", 4000, 1)
    found = compute_measure_intervals(item, [MEASURES[name] for name in names], "detection", 1.0, settings, "sentence")
    for name, interval in zip(names, found, strict=True):
        assert interval is not None
        expected = np.percentile(MEASURES[name].values(sums), [5, 95])
        assert (interval.low, interval.high) == pytest.approx(tuple(expected), abs=0.01)


def test_bca_of_kinds_is_that_of_scipy(judged: list[JudgedSystem]) -> None:
    """The jackknife counts every unit of a group."""
    groups = _group_counts(judged[:1], "detection", "case")
    settings = Bootstrap(0.95, "bca", 2000, 3)
    values = MEASURES["kappa"].values(np.concatenate(list(groups.resample(settings))))
    rows = np.repeat(groups.rows, groups.times, axis=0)

    def kappa(indices: np.ndarray, axis: int = -1) -> np.ndarray:
        return np.asarray(MEASURES["kappa"].values(rows[indices].sum(axis=-2 if axis == -1 else axis)))

    class Given:
        bootstrap_distribution = values

    expected = scipy_stats.bootstrap(
        (np.arange(len(rows)),), kappa, n_resamples=0, method="BCa", vectorized=True, bootstrap_result=Given()
    ).confidence_interval
    (found,) = compute_measure_intervals(judged[0], [MEASURES["kappa"]], "detection", 1.0, settings, "case")
    assert found is not None
    assert (found.low, found.high) == pytest.approx((expected.low, expected.high), abs=1e-9)


def test_coverage_of_kappa() -> None:
    """Of 95% intervals of systems whose true kappa is known, 93% to 97% cover it."""
    draw = np.random.default_rng(6)
    shares = np.array([0.12, 0.08, 0.06, 0.74])
    truth = float(MEASURES["kappa"].values(np.array([*shares, 0.0])))
    covered = 0
    for seed in range(600):
        outcome = draw.choice(4, size=500, p=shares)
        cases = Cases(np.isin(outcome, (0, 2)).astype(float), (Answers("x", np.isin(outcome, (0, 1))),))
        (found,) = compute_measure_intervals(
            JudgedSystem(cases, cases.systems[0]), [MEASURES["kappa"]], "detection", 1.0, Bootstrap(replicates=600, seed=seed), "case"
        )
        assert found is not None
        covered += found.low <= truth <= found.high
    assert 0.93 <= covered / 600 <= 0.97


@pytest.mark.parametrize("test", ["randomisation", "bootstrap", "t", "sign"])
def test_systems_are_significantly_different(judged: list[JudgedSystem], test: str) -> None:
    (found,) = compare_detectors(judged, MEASURES["accuracy"], "detection", 1.0, Bootstrap(replicates=2000), "sentence", test=test)  # type: ignore[arg-type]
    assert found.p < 0.01
    assert found.low > 0
    same = [judged[0], judged[0]._replace(answers=Answers("twin", judged[0].answers.flagged, judged[0].answers.fixed))]
    (found,) = compare_detectors(same, MEASURES["accuracy"], "detection", 1.0, Bootstrap(replicates=200), "sentence", test=test)  # type: ignore[arg-type]
    assert (found.p, found.difference) == (1, 0)


def test_randomisation_of_kinds_is_a_permutation_test() -> None:
    """Few cases, so that all swaps can be listed."""
    error = np.array([1.0, 1, 0, 0, 1, 0, 0, 1])
    one, other = np.array([1, 1, 0, 0, 1, 1, 0, 1], dtype=bool), np.array([1, 0, 1, 0, 0, 1, 0, 1], dtype=bool)
    cases = Cases(error, (Answers("a", one), Answers("b", other)))
    accuracy = MEASURES["accuracy"]
    (found,) = compare_detectors(
        [JudgedSystem(cases, item) for item in cases.systems], accuracy, "detection", 1.0, Bootstrap(replicates=40_000), "case"
    )
    right = [(one == error).astype(int), (other == error).astype(int)]
    apart = right[0] - right[1]
    swaps = [sum(sign * value for sign, value in zip(signs, apart, strict=True)) for signs in _signs(len(apart))]
    assert found.p == pytest.approx(np.mean(np.abs(swaps) >= abs(apart.sum())), abs=0.01)


def _signs(count_: int) -> list[tuple[int, ...]]:
    from itertools import product

    return list(product((1, -1), repeat=count_))


def test_many_cases_take_no_more_time_than_their_groups() -> None:
    draw = np.random.default_rng(1)
    error = (draw.random(1_000_000) < 0.1).astype(float)
    cases = Cases(error, (Answers("x", draw.random(1_000_000) < 0.2), Answers("y", (error > 0) ^ (draw.random(1_000_000) < 0.05))))
    pair = [JudgedSystem(cases, answers) for answers in cases.systems]
    groups = _group_counts(pair, "detection", "case")
    assert len(groups.rows) == 8
    assert groups.units == 1_000_000
    (found,) = compare_detectors(pair, MEASURES["kappa"], "detection", 1.0, Bootstrap(), "case")
    assert found.p < 0.001
    assert found.effect is None


def test_what_is_resampled_by_default(judged: list[JudgedSystem]) -> None:
    assert choose_resampling(judged, None) == "sentence"
    assert choose_resampling(judged, "document") == "document"
    plain = Cases(judged[0].cases.error, judged[0].cases.systems)
    assert choose_resampling([JudgedSystem(plain, plain.systems[0])], None) == "case"


def test_bad_requests(judged: list[JudgedSystem]) -> None:
    plain = Cases(judged[0].cases.error, judged[0].cases.systems)
    alone = JudgedSystem(plain, plain.systems[0])
    kappa = MEASURES["kappa"]
    with pytest.raises(RequestError, match="cannot resample by document: the cases do not name their document"):
        compute_measure_intervals(alone, [kappa], "detection", 1.0, Bootstrap(), "document")
    with pytest.raises(UsageError, match="intervals of cases must be bca or percentile"):
        compute_measure_intervals(alone, [kappa], "detection", 1.0, Bootstrap(method="exact"), "case")
    with pytest.raises(RequestError, match="this score is undefined for single sentences or cases"):
        compare_detectors([JudgedSystem(plain, item) for item in plain.systems], kappa, "detection", 1.0, Bootstrap(), "case", test="t")
    with pytest.raises(RequestError, match="a comparison needs two systems, found 1"):
        compare_detectors([alone], kappa, "detection", 1.0, Bootstrap(), "case")
    one = Cases(np.array([1.0]), (Answers("a", np.array([True])), Answers("b", np.array([False]))))
    with pytest.raises(RequestError, match="a test needs two cases or more, found 1"):
        compare_detectors([JudgedSystem(one, item) for item in one.systems], MEASURES["accuracy"], "detection", 1.0, Bootstrap(), "case")
    silent = Cases(np.array([1.0, 0]), (Answers("a", np.array([True, False])), Answers("b", np.array([False, False]))))
    with pytest.raises(RequestError, match="Precision of b is undefined because the system flags nothing"):
        compare_detectors(
            [JudgedSystem(silent, item) for item in silent.systems], MEASURES["precision"], "detection", 1.0, Bootstrap(), "case"
        )


def test_kinds() -> None:
    groups = RowGroups.of(np.array([[1.0, 0], [0, 1], [1, 0]]))
    assert groups.rows.tolist() == [[0, 1], [1, 0]]
    assert groups.times.tolist() == [1, 2]
    sums = np.concatenate(list(groups.resample(Bootstrap(replicates=5000))))
    assert sums.sum(axis=1).tolist() == [3.0] * 5000
    assert sums[:, 0].mean() == pytest.approx(2, abs=0.05)
