"""Paired tests, their corrections, and ranks that are shared."""

from __future__ import annotations

import csv
import json
import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from scipy import stats as scipy_stats

import errata
from errata import Bootstrap, Comparison, Corpus, Evaluator, RequestError, Sentence, System, UsageError, compare
from errata.cli import main
from errata.metrics.ratios import Row
from errata.scoring import Evidence
from errata.stats import compute_intervals, correct_p, rank_systems, resample
from errata.stats.comparison import correct_comparisons

GOLD = "examples/learner.m2"
SYSTEMS = ["examples/systems/cautious.txt", "examples/systems/eager.txt", "examples/systems/rewriter.txt"]


def evidence_of(name: str, rows: Sequence[Row], metric: str = "maxmatch") -> Evidence:
    corpus = Corpus((Sentence(("a",)),) * len(rows))
    return Evidence(errata.metric(metric), corpus, name, tuple((row,) for row in rows), (("0",),) * len(rows))


@pytest.fixture(scope="module")
def pair(gold: Corpus, systems: dict[str, System]) -> list[Evidence]:
    evaluate = Evaluator(gold)
    return [evaluate(systems[name]).evidence for name in ("cautious", "eager")]


def sentence_scores(evidence: Evidence) -> np.ndarray:
    return np.array([evidence.metric.value(tuple(int(count) for count in row)) for row in evidence.matrix])


def test_t_and_sign_tests_are_those_of_scipy(pair: list[Evidence]) -> None:
    one, other = (sentence_scores(item) for item in pair)
    (t,) = compare(pair, "t")
    assert t.p == pytest.approx(float(scipy_stats.ttest_rel(one, other).pvalue))
    (sign,) = compare(pair, "sign")
    wins, losses = int(np.sum(one > other)), int(np.sum(one < other))
    assert sign.p == pytest.approx(float(scipy_stats.binomtest(wins, wins + losses).pvalue))
    difference = one - other
    assert t.effect == pytest.approx(float(np.mean(difference) / np.std(difference, ddof=1)))


def test_randomisation_is_the_permutation_test_of_scipy(pair: list[Evidence]) -> None:
    """Swapping outputs sentence by sentence; both are random, so they are near."""
    metric = pair[0].metric
    counts = [item.matrix for item in pair]
    places = np.arange(len(counts[0]))

    def difference(one: np.ndarray, other: np.ndarray) -> float:
        chosen = np.where((one >= len(places))[:, None], counts[1][one % len(places)], counts[0][one % len(places)])
        rest = np.where((other >= len(places))[:, None], counts[1][other % len(places)], counts[0][other % len(places)])
        return float(metric.values(chosen.sum(axis=0)[None, :])[0] - metric.values(rest.sum(axis=0)[None, :])[0])

    expected = scipy_stats.permutation_test(
        (places, places + len(places)), difference, permutation_type="samples", n_resamples=4000, vectorized=False, rng=3
    )
    (found,) = compare(pair, "randomisation")
    assert found.p == pytest.approx(float(expected.pvalue), abs=0.03)
    assert found.difference == pytest.approx(float(expected.statistic))


def test_all_swaps_of_few_sentences() -> None:
    """Of the eight ways to swap three outputs two are as far apart as the outputs themselves."""
    right, wrong = (1, 1, 1), (0, 0, 1)
    (found,) = compare([evidence_of("a", [right] * 3), evidence_of("b", [wrong] * 3)], bootstrap=Bootstrap(replicates=20_000))
    assert found.p == pytest.approx(2 / 8, abs=0.02)
    assert found.difference == 1


@pytest.mark.parametrize("test", ["randomisation", "bootstrap", "t", "sign"])
def test_equal_systems_have_p_1(pair: list[Evidence], test: str) -> None:
    twin = Evidence(pair[0].metric, pair[0].corpus, "twin", pair[0].rows, pair[0].labels)
    (found,) = compare([pair[0], twin], test)  # type: ignore[arg-type]
    assert (found.p, found.corrected_p, found.difference, found.effect, found.sentences_needed) == (1, 1, 0, 0, None)


def test_a_clear_difference_is_found_by_every_test() -> None:
    rows: list[Row] = [(1, 1, 1), (0, 0, 1), (1, 1, 1), (1, 2, 1)] * 30
    worse: list[Row] = [(0, 1, 1), (0, 0, 1), (0, 0, 1), (1, 2, 1)] * 30
    for test in ("randomisation", "bootstrap", "t", "sign"):
        (found,) = compare([evidence_of("a", rows), evidence_of("b", worse)], test)
        assert found.p < 0.01
        assert found.low > 0
        assert found.sentences_needed is not None
        assert found.sentences_needed < 120


def test_corrections() -> None:
    values = [0.001, 0.04, 0.03, 0.2, 0.01]
    assert correct_p(values, "bh") == pytest.approx(list(scipy_stats.false_discovery_control(values, method="bh")))
    assert correct_p(values, "holm") == pytest.approx([0.005, 0.09, 0.09, 0.2, 0.04])
    assert correct_p(values, "none") == values
    assert correct_p([0.6, 0.7], "holm") == [1.0, 1.0]


def pair_of(one: str, other: str, p: float, tested: float = 0.1) -> Comparison:
    return Comparison(one, other, 0.1, 0.0, 0.2, p, p, tested, 0.1, 10)


def test_systems_that_are_not_significantly_different_share_a_rank() -> None:
    scores = [("a", 0.9), ("b", 0.8), ("c", 0.7), ("d", 0.1)]
    chain = [pair_of("a", "b", 0.5), pair_of("b", "c", 0.5), pair_of("a", "c", 0.01)]
    apart = [pair_of(name, "d", 0.001) for name in "abc"]
    assert rank_systems(scores, [*chain, *apart]) == [1, 1, 1, 4]
    assert rank_systems(scores, [pair_of("a", "b", 0.01), pair_of("b", "c", 0.5), pair_of("a", "c", 0.01), *apart]) == [1, 2, 2, 4]


def test_bad_requests(pair: list[Evidence]) -> None:
    with pytest.raises(RequestError, match="a comparison needs two systems, found 1"):
        compare(pair[:1])
    with pytest.raises(RequestError, match="a system cannot be compared with itself: cautious"):
        compare([pair[0], pair[0]])
    with pytest.raises(RequestError, match="systems must be scored on the same sentences, found a 3, b 4"):
        compare([evidence_of("a", [(1, 1, 1)] * 3), evidence_of("b", [(1, 1, 1)] * 4)])
    with pytest.raises(RequestError, match="a test needs two sentences or more, found 1"):
        compare([evidence_of("a", [(1, 1, 1)]), evidence_of("b", [(1, 1, 1)])])
    with pytest.raises(UsageError, match="unknown test 'z'"):
        compare(pair, "z")  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="unknown correction 'z'"):
        compare(pair, correction="z")  # type: ignore[arg-type]


def test_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", GOLD, *SYSTEMS]) == 0
    out = capsys.readouterr().out
    assert "   3  rewriter  34.08  [29.60, 39.28]" in out
    assert "1  eager               +10.52  +31.44" in out
    assert "3  rewriter  ≤0.0003  ≤0.0003" in out
    assert "≤: the smallest p-value possible with this number of replicates (--replicates)." in out
    assert main(["compare", GOLD, *SYSTEMS, "-m", "imeasure", "--test", "t", "--correction", "bh", "--format", "json"]) == 0
    record = json.loads(capsys.readouterr().out)
    assert [entry["rank"] for entry in record["systems"]] == [1, 1, 3]
    assert all(math.isfinite(item["corrected_p"]) for item in record["pairs"])
    assert main(["compare", GOLD, SYSTEMS[0]]) == 1
    assert main(["compare", GOLD, *SYSTEMS, "--alpha", "0"]) == 2
    assert main(["compare", GOLD, SYSTEMS[0], SYSTEMS[0]]) == 2
    assert main(["compare", GOLD, *SYSTEMS, "--format", "csv"]) == 0


def test_a_p_that_is_the_least_the_replicates_can_show_is_a_bound(gold: Corpus, systems: dict[str, System]) -> None:
    evaluate = Evaluator(gold)
    evidence = [evaluate(system).evidence for system in systems.values()]
    settings = Bootstrap(replicates=1000)
    for test, least in (("randomisation", 1 / 1001), ("bootstrap", 2 / 1001)):
        found = compare(evidence, test, bootstrap=settings)  # type: ignore[arg-type]
        assert [item.p_is_bound for item in found] == [item.p == least for item in found]
        assert {item.p_is_bound for item in found} == {True, False}
        assert [item.corrected_p_is_bound for item in found] == [item.p_is_bound for item in found]
    assert not any(item.p_is_bound or item.corrected_p_is_bound for item in compare(evidence, "t", bootstrap=settings))


@pytest.mark.parametrize("test", ["randomisation", "t"])
@pytest.mark.parametrize("choice", ["kept", "again"])
def test_progress_is_told_of_every_replicate(gold: Corpus, systems: dict[str, System], test: str, choice: str) -> None:
    evaluate = Evaluator(gold)
    evidence = [evaluate(system).evidence for system in systems.values()]
    settings = Bootstrap(replicates=600, choice=choice)  # type: ignore[arg-type]
    told: list[int] = []
    drawn = resample(evidence, settings, told.append)
    assert sum(told) == 600 * len(evidence)
    told.clear()
    assert compute_intervals(evidence, settings, progress=told.append) == compute_intervals(evidence, settings, drawn)
    assert sum(told) == 600 * len(evidence)
    told.clear()
    assert compare(evidence, test, "holm", settings, drawn, told.append) == compare(evidence, test, "holm", settings)  # type: ignore[arg-type]
    assert sum(told) == 600 * 3


def test_a_corrected_p_depends_on_a_bound_before_it() -> None:
    """With Holm's correction a p-value is at least as large as those of the pairs before it."""
    bound = replace(pair_of("a", "b", 0.001), p_is_bound=True)
    others = [pair_of("a", "c", 0.0011), pair_of("b", "c", 0.5)]
    found = correct_comparisons([bound, *others], "holm")
    assert [(item.corrected_p, item.corrected_p_is_bound) for item in found] == [(0.003, True), (0.003, True), (0.5, False)]
    assert [item.corrected_p_is_bound for item in correct_comparisons([bound, *others], "bh")] == [True, False, False]


def test_a_test_that_finds_the_opposite_tells_nothing_apart() -> None:
    """F of the whole and the mean of sentence scores may disagree: a sentence with nothing to do scores 1."""
    scores = [("a", 0.9), ("b", 0.8)]
    assert rank_systems(scores, [pair_of("a", "b", 0.001)]) == [1, 2]
    assert rank_systems(scores, [pair_of("a", "b", 0.001, tested=-0.2)]) == [1, 1]
    one = evidence_of("a", [(4, 4, 4)] * 20 + [(0, 1, 0)] * 30)
    other = evidence_of("b", [(1, 1, 4)] * 20 + [(0, 0, 0)] * 30)
    (found,) = compare([one, other], "t")
    assert found.difference > 0 > found.tested
    assert found.p < 0.01
    assert found.effect is not None
    assert found.effect < 0


def test_sentences_that_all_differ_by_the_same() -> None:
    """There is no variance for t to measure by; that all have the same sign is as improbable as the sign test says."""
    (found,) = compare([evidence_of("a", [(1, 1, 1)] * 5), evidence_of("b", [(0, 1, 1)] * 5)], "t")
    assert found.p == 2 / 2**5
    assert found.effect is None
    rounded = [(1, 2, 3), (2, 4, 6), (3, 6, 9)]
    (found,) = compare([evidence_of("a", [(1, 1, 1)] * 3), evidence_of("b", rounded)], "t")
    assert found.effect is None


def test_needed_is_what_the_test_needs() -> None:
    """At least 50, and for t and sign from the sentences, not from the whole."""
    (found,) = compare([evidence_of("a", [(1, 1, 1)] * 99 + [(0, 1, 1)]), evidence_of("b", [(0, 1, 1)] * 100)])
    assert found.sentences_needed == 50
    rows = [(1, 1, 1)] * 11 + [(0, 1, 1)] * 9
    (t,), (sign,) = (compare([evidence_of("a", rows * 9), evidence_of("b", rows[::-1] * 9)], test) for test in ("t", "sign"))
    assert (t.sentences_needed, sign.sentences_needed) == (None, None)


def test_draws_that_are_too_few_for_so_many_pairs(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", GOLD, *SYSTEMS, "--replicates", "100", "--alpha", "0.02"]) == 1
    assert "with 3 pairs and Holm's correction 100 replicates cannot show p up to 0.02; take at least 149" in capsys.readouterr().err
    assert main(["compare", GOLD, *SYSTEMS, "--replicates", "149", "--alpha", "0.02"]) == 0
    assert main(["compare", GOLD, *SYSTEMS, "--replicates", "100", "--alpha", "0.02", "--test", "t"]) == 0


def test_csv_says_how_it_was_made(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", GOLD, *SYSTEMS, "--format", "csv", "--seed", "5"]) == 0
    rows = list(csv.DictReader(capsys.readouterr().out.splitlines()))
    assert {row["how"] for row in rows} == {
        "randomisation test, holm correction, alpha 0.05; 95% intervals: bca, 10,000 replicates of sentences, seed 5"
    }
    assert all(float(row["score"]) - float(row["other_score"]) == pytest.approx(float(row["difference"])) for row in rows)


def test_two_corpora_are_not_one(gold: Corpus, systems: dict[str, System], pair: list[Evidence]) -> None:
    other = Corpus(gold.sentences[::-1])
    stranger = Evaluator(other)(System("x", systems["eager"].sentences[::-1])).evidence
    with pytest.raises(RequestError, match="found two corpora"):
        compare([pair[0], stranger])
