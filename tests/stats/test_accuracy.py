"""The distribution of the number of matched sentences, exact intervals, and their use for metrics."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats as scipy_stats

from errata import Bootstrap, Corpus, InputError, Matches, System, UsageError, score
from errata.cli import main
from errata.stats import compute_exact_interval

from thoroughness import often

chances = st.lists(st.floats(0, 1), min_size=1, max_size=12)


@given(chances)
@settings(max_examples=often(100, 30))
def test_the_distribution_is_that_of_scipy(values: list[float]) -> None:
    ours, theirs = Matches(tuple(values)), scipy_stats.poisson_binom(values)
    numbers = np.arange(len(values) + 1)
    assert ours.probabilities == pytest.approx(theirs.pmf(numbers), abs=1e-12)
    assert ours.accuracy * len(values) == pytest.approx(float(theirs.mean()))
    assert ours.deviation * len(values) == pytest.approx(float(theirs.std()), abs=1e-9)
    for matched in numbers:
        assert ours.p_value(int(matched), "less") == pytest.approx(float(theirs.cdf(matched)), abs=1e-12)
        assert ours.p_value(int(matched), "greater") == pytest.approx(float(theirs.sf(matched - 1)), abs=1e-12)


def test_equal_chances_are_binomial() -> None:
    ours, theirs = Matches((0.3,) * 1312), scipy_stats.binom(1312, 0.3)
    assert ours.probabilities == pytest.approx(theirs.pmf(np.arange(1313)), abs=1e-14)
    assert ours.central(0.9) == tuple(theirs.interval(0.9))
    assert ours.p_value(394) == pytest.approx(1.0, abs=0.05)
    assert ours.p_value(340) == pytest.approx(2 * theirs.cdf(340))


def test_worked_example() -> None:
    assert Matches((0.2, 0.5, 0.9)).probabilities == pytest.approx([0.04, 0.41, 0.46, 0.09])
    assert Matches((0.2, 0.5, 0.9)).central(0.9) == (1, 3)
    assert Matches((0.2, 0.5, 0.9)).central(0.5) == (1, 2)


@given(st.integers(1, 40).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))), st.sampled_from([0.8, 0.95, 0.99]))
def test_exact_intervals_are_those_of_scipy(counts: tuple[int, int], level: float) -> None:
    expected = scipy_stats.binomtest(*counts).proportion_ci(level, method="exact")
    assert compute_exact_interval(*counts, level) == pytest.approx((expected.low, expected.high), abs=1e-9)


@given(st.lists(st.floats(0, 1), min_size=2, max_size=25), st.sampled_from([0.8, 0.95]))
@settings(max_examples=often(150, 50))
def test_exact_intervals_cover_whatever_the_chances_are(values: list[float], level: float) -> None:
    """Not by simulation: the probability of every number of matches is known."""
    matches = Matches(tuple(values))
    covered = 0.0
    for matched, probability in enumerate(matches.probabilities):
        low, high = compute_exact_interval(matched, len(values), level)
        covered += float(probability) * (low <= matches.accuracy + 1e-12 and matches.accuracy - 1e-12 <= high)
    assert covered >= level - 1e-9


def test_for_metrics(gold: Corpus, systems: dict[str, System], capsys: pytest.CaptureFixture[str]) -> None:
    result = score(gold, systems["cautious"], "accuracy")
    found = result.interval(Bootstrap(method="exact"))
    assert (found.low, found.high) == compute_exact_interval(26, 72)
    assert (
        main(["score", "examples/learner.m2", "examples/systems/eager.txt", "-m", "indexmatch", "--confidence", "--interval", "exact"]) == 0
    )
    assert capsys.readouterr().out.endswith("95% intervals: exact (Clopper and Pearson)\n")
    assert main(["score", "examples/learner.m2", "examples/systems/eager.txt", "--confidence", "--interval", "exact"]) == 2
    assert "exact intervals need a metric whose sentences match or not" in capsys.readouterr().err
    with pytest.raises(UsageError, match="exact intervals do not resample"):
        Bootstrap(method="exact", by="document")


def test_bad_input() -> None:
    with pytest.raises(InputError, match="the probabilities of one sentence or more, found none"):
        Matches(())
    with pytest.raises(InputError, match=r"a probability must be a number from 0 to 1, found 1.5 for sentence 2"):
        Matches((0.5, 1.5))
    with pytest.raises(InputError, match="found nan for sentence 1"):
        Matches((float("nan"),))
    with pytest.raises(UsageError, match="the number of matches must be from 0 to 2, found 3"):
        Matches((0.5, 0.5)).p_value(3)
    with pytest.raises(UsageError, match="unknown side 'both'"):
        Matches((0.5,)).p_value(0, "both")  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="between 0 and 1"):
        Matches((0.5,)).central(1.0)


@pytest.mark.realdata
def test_a_perfect_corrector_with_20_references(data: Path) -> None:
    """From the published estimates of 48 sentences: the chance that a correction is among 20 others, and what follows."""
    seen: dict[str, float] = {}
    with (data / "crowd" / "unseenest" / "published_output_exact.tsv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file, delimiter="\t"):
            frequency, variants = float(row["frequency"]), float(row["variants"])
            seen[row["file_prefix"]] = seen.get(row["file_prefix"], 0.0) + variants * frequency * (1 - (1 - frequency) ** 20)
    matches = Matches(tuple(seen.values()))
    assert len(matches.chances) == 48
    assert (matches.accuracy, matches.deviation) == pytest.approx((0.48664, 0.06388), abs=2e-4)
    assert matches.p_value(24, "greater") == pytest.approx(0.482423, abs=2e-3)
    assert int(np.argmax(matches.probabilities)) == 23
    assert matches.central() == (17, 29)
