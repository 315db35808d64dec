"""What intervals and tests of metrics against people promise, tried on systems whose truth is known."""

from __future__ import annotations

from typing import Any
from unittest.mock import patch

import numpy as np
import pytest
from scipy.special import bdtr, bdtrc

from errata.settings import COEFFICIENTS, Coefficient
from errata.stats.bootstrap import Bootstrap
from errata.studies.judgments.ranking import RankingReplicates, rank_by_judgments
from errata.studies.meta import systems as correlation_intervals
from errata.studies.meta.evaluation import _compare_agreement, _count_by_sentence, _describe_agreement, _list_decided_pairs
from errata.studies.meta.systems import (
    MetaIntervals,
    _compute_interval_over_systems,
    _compute_permutation_p,
    _compute_williams_p,
    _draw_true_scores,
    compute_many,
)
from simulated_judgments import (
    Setting,
    compute_of_population,
    compute_true_accuracy,
    compute_true_wins,
    draw_items,
    draw_judgments,
    draw_normal,
    draw_sentence_scores,
    draw_simulated,
    make_intervals,
    name_systems,
)

from thoroughness import often

pytestmark = pytest.mark.slow

_ROUNDING = 1e-9
LITTLE: dict[str, Any] = {"sentences": 400, "spread": 1.0, "noise": 1.0}
MUCH: dict[str, Any] = {"sentences": 150, "spread": 0.6, "noise": 3.0}
"""Variances of noise of about 1%, and of 5% to 12%, of those of scores."""
SETTINGS = [
    Setting(12, **MUCH, correlations=(0.65, 0.5)),
    Setting(8, **MUCH, correlations=(0.3, 0.15)),
    Setting(15, **MUCH, correlations=(0.9, 0.7)),
    Setting(12, **LITTLE, correlations=(0.65, 0.5)),
]


def is_plausible(found: int, runs: int, least: float, most: float = 1.0) -> bool:
    """Whether so many of all runs are possible with a chance in this range: unless it is one in 10,000."""
    return bool(bdtr(found, runs, least) > 1e-4 and bdtrc(found - 1, runs, most) > 1e-4)


def _draw_few(observed: Any, replicates: Any, sentences: int, seed: int, _draws: int) -> Any:
    return _draw_true_scores(observed, replicates, sentences, seed, 400)


def count_over_sentences(setting: Setting, runs: int) -> dict[tuple[int, Coefficient], int]:
    """Count the intervals over sentences that cover the truth: of one metric, and of the difference of two."""
    random = np.random.default_rng(5)
    covered = {(count, coefficient): 0 for count in (1, 2) for coefficient in COEFFICIENTS}
    for seed in range(runs):
        simulated = draw_simulated(setting, random)
        names = list(simulated.human.values)
        lists = [simulated.human.list_values(names), *(metric.list_values(names) for metric in simulated.metrics)]
        with patch.object(correlation_intervals, "_draw_true_scores", _draw_few):
            maker = make_intervals(simulated, MetaIntervals(seed=seed))
            for count, coefficient in covered:
                low, high = maker.find_ends(coefficient, range(count), lists[: count + 1])
                values = [float(compute_many(coefficient, own, simulated.true[0])) for own in simulated.true[1 : count + 1]]
                truth = values[0] if count == 1 else values[0] - values[1]
                assert low is not None
                assert high is not None
                covered[count, coefficient] += low - _ROUNDING <= truth <= high + _ROUNDING
    return covered


def count_over_systems(coefficient: Coefficient, systems: int, correlation: float, runs: int) -> tuple[int, int]:
    """Count the intervals over systems, and those that cover the truth; a correlation of 1 may have none."""
    random = np.random.default_rng(3)
    truth = compute_of_population(coefficient, correlation)
    known = covered = 0
    for _ in range(runs):
        one, other = draw_normal(np.array([[1, correlation], [correlation, 1]]), systems, random)
        ends = _compute_interval_over_systems(coefficient, float(compute_many(coefficient, one, other)), systems, 0.95)
        known += ends is not None
        covered += ends is not None and ends[0] <= truth <= ends[1]
    return known, covered


def count_significant(coefficient: Coefficient, systems: int, correlation: float, between: float, runs: int) -> tuple[int, int]:
    """Count p-values of at most 0.05, by Williams' test and by permutation, if two metrics correlate equally with people."""
    random = np.random.default_rng(4)
    correlations = np.array([[1, correlation, correlation], [correlation, 1, between], [correlation, between, 1]])
    williams = permutation = 0
    for seed in range(runs):
        human, one, other = draw_normal(correlations, systems, random)
        three = [float(compute_many(coefficient, *pair)) for pair in ((one, human), (other, human), (one, other))]
        p = _compute_williams_p(three[0], three[1], three[2], systems)
        williams += p is not None and p <= 0.05
        p = _compute_permutation_p(coefficient, human, one, other, replicates=999, seed=seed)
        permutation += p is not None and p <= 0.05
    return williams, permutation


def count_on_sentences(runs: int, sentences: int = 150, noise: float = 1.5) -> tuple[int, int, int]:
    """Count what is right about accuracies: intervals of one, intervals of a difference that is none, and p-values of at most 0.05."""
    random = np.random.default_rng(6)
    names = name_systems(12)
    covered = covered_differences = significant = 0
    for seed in range(runs):
        qualities, residuals = random.standard_normal((2, 12))
        true = 0.6 * qualities + 0.8 * residuals
        truth = compute_true_accuracy(qualities, true, noise)
        items = draw_items(qualities, sentences, random, judges=2)
        pairs = _list_decided_pairs(items, {number: number for number in range(sentences)}, names, "collapsed", "neither")
        counts = []
        for _ in range(2):
            scores = draw_sentence_scores(true, sentences, noise, random)
            ranks = np.argsort(np.argsort(scores.T, axis=0), axis=0)
            counts.append(_count_by_sentence(pairs, ranks, sentences))
        bootstrap = Bootstrap(replicates=600, seed=seed)
        agreement = _describe_agreement(["a", "b"], counts, "all", 0, "neither", bootstrap)[0]
        (comparison,) = _compare_agreement(["a", "b"], counts, "all", "neither", bootstrap=bootstrap, seed=seed)
        assert agreement.accuracy_low is not None
        assert agreement.accuracy_high is not None
        assert comparison.low is not None
        assert comparison.high is not None
        assert comparison.p is not None
        covered += agreement.accuracy_low <= truth <= agreement.accuracy_high
        covered_differences += comparison.low <= 0 <= comparison.high
        significant += comparison.p <= 0.05
    return covered, covered_differences, significant


def count_rankings(runs: int, systems: int = 12, sentences: int = 200) -> int:
    """Count the intervals of expected wins, of all systems, that cover the truth."""
    random = np.random.default_rng(8)
    covered = 0
    for seed in range(runs):
        qualities = 0.7 * random.standard_normal(systems)
        truth = dict(zip(name_systems(systems), compute_true_wins(qualities).tolist(), strict=True))
        ranking = rank_by_judgments(draw_judgments(qualities, sentences, random), settings=RankingReplicates(600, seed=seed))
        for row in ranking:
            assert row.low is not None
            assert row.high is not None
            covered += row.low <= truth[row.system] <= row.high
    return covered


@pytest.mark.parametrize("setting", SETTINGS[: often(len(SETTINGS), 1)], ids=str)
def test_intervals_over_sentences_cover_the_truth(setting: Setting) -> None:
    """For one metric and for the difference of two."""
    runs = often(400, 12)
    for (count, coefficient), covered in count_over_sentences(setting, runs).items():
        assert is_plausible(covered, runs, 0.93, 0.98), (count, coefficient, covered)


@pytest.mark.parametrize("coefficient", COEFFICIENTS)
@pytest.mark.parametrize(("systems", "correlation"), [(8, 0.9), (12, 0.3), (12, 0.9), (15, 0.6)])
def test_intervals_over_systems_cover_the_truth(coefficient: Coefficient, systems: int, correlation: float) -> None:
    """Those of large rank correlations too."""
    known, covered = count_over_systems(coefficient, systems, correlation, often(4_000, 400))
    assert is_plausible(covered, known, 0.94, 0.97)


@pytest.mark.parametrize(("systems", "correlation", "between"), [(8, 0.6, 0.3), (8, 0.8, 0.9), (12, 0.6, 0.6)][: often(3, 2)])
def test_tests_of_correlations_keep_their_level(systems: int, correlation: float, between: float) -> None:
    """Williams' test of Pearson's r, and permutation; Williams' test is not meant for rho, with which it rejects too often."""
    runs = often(1_000, 100)
    for coefficient in COEFFICIENTS:
        williams, permutation = count_significant(coefficient, systems, correlation, between, runs)
        assert is_plausible(permutation, runs, 0.0, 0.05), (coefficient, permutation)
        if coefficient == "pearson":
            assert is_plausible(williams, runs, 0.0, 0.05), williams


def test_accuracies_on_sentences_cover_the_truth_and_keep_their_level() -> None:
    runs = often(600, 20)
    covered, covered_differences, significant = count_on_sentences(runs)
    assert is_plausible(covered, runs, 0.93, 0.97)
    assert is_plausible(covered_differences, runs, 0.93, 0.97)
    assert is_plausible(significant, runs, 0.0, 0.05)


def test_intervals_of_expected_wins_cover_the_truth() -> None:
    """The systems of a run are not independent, so that the bounds are wide."""
    runs = often(150, 8)
    assert count_rankings(runs) / (12 * runs) > often(92, 85) / 100
