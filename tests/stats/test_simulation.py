"""What intervals and tests promise, tried on systems whose true scores are known.

The truth is a population: the sentences of an example system, from which test sets are drawn with replacement.
"""

from __future__ import annotations

from dataclasses import replace
from math import comb

import numpy as np
import pytest

import errata
from errata import Bootstrap, Corpus, Evaluator, Sentence, System, compare, compute_intervals
from errata.metrics.ratios import Row
from errata.scoring import Evidence

from thoroughness import THOROUGH, mixed, often

pytestmark = pytest.mark.slow

RUNS = often(600, 120)


def is_plausible(found: int, chance: float, tolerance: float) -> bool:
    """Whether so many of all runs agree with a chance: within a tolerance, or if there are fewer runs, unless it is one in 10,000."""
    if THOROUGH:
        return abs(found / RUNS - chance) <= tolerance + 1e-9
    chances = [comb(RUNS, k) * chance**k * (1 - chance) ** (RUNS - k) for k in range(RUNS + 1)]
    return min(sum(chances[: found + 1]), sum(chances[found:])) > 0.5e-4


def evidence_of(metric: str, rows: np.ndarray, name: str = "x", documents: list[str] | None = None) -> Evidence:
    sentences = tuple(Sentence(("a",), (), document) for document in documents or [""] * len(rows))
    counts: list[tuple[Row, ...]] = [(tuple(int(count) for count in row),) for row in rows]
    return Evidence(errata.metric(metric), Corpus(sentences), name, tuple(counts), (("0",),) * len(rows))


POPULATIONS = [("maxmatch", "eager"), ("maxmatch", "cautious"), ("imeasure", "rewriter"), ("hoo", "rewriter"), ("accuracy", "cautious")]


@pytest.mark.parametrize(("scored", "method"), mixed(2, POPULATIONS, ["bca", "percentile"]))
def test_intervals_cover_the_truth(gold: Corpus, systems: dict[str, System], scored: tuple[str, str], method: str) -> None:
    """Of all 95% intervals, 93% to 97% cover the score of the population."""
    metric, system = scored
    population = Evaluator(gold, metric)(systems[system]).evidence.matrix
    truth = float(errata.metric(metric).values(population.sum(axis=0)[None, :])[0])
    draw = np.random.default_rng(11)
    covered = 0
    for seed in range(RUNS):
        drawn = population[draw.integers(0, len(population), size=400)]
        (found,) = compute_intervals([evidence_of(metric, drawn)], Bootstrap(method=method, replicates=600, seed=seed))  # type: ignore[arg-type]
        covered += found.low <= truth <= found.high
    assert is_plausible(covered, 0.95, 0.02)


def test_intervals_by_document_cover_where_those_by_sentence_do_not() -> None:
    """Documents whose writers differ: their sentences are alike, so that sentences alone seem to know more than they do."""
    draw = np.random.default_rng(2)
    truth = 0.5  # recall and precision are alike, and the mean of a writer's chance is a half
    covered = {"sentence": 0, "document": 0}
    for seed in range(RUNS):
        chances = draw.beta(2, 2, size=60)
        right = draw.random((60, 8)) < chances[:, None]
        rows = np.stack([right.ravel(), np.ones(480), np.ones(480)], axis=1)
        evidence = evidence_of("maxmatch", rows, documents=[str(number // 8) for number in range(480)])
        for by in covered:
            (found,) = compute_intervals([evidence], Bootstrap(replicates=600, seed=seed, by=by))  # type: ignore[arg-type]
            covered[by] += found.low <= truth <= found.high
    assert is_plausible(covered["document"], 0.95, 0.02)
    assert covered["sentence"] / RUNS < 0.85


@pytest.mark.parametrize("test", ["randomisation", "bootstrap", "t", "sign"])
def test_as_many_sentences_as_are_said_to_be_needed_show_the_difference(test: str) -> None:
    """Four times of five, with the number estimated from a large sample; sentence scores are accuracies, so all tests ask the same."""
    draw = np.random.default_rng(7)

    def pair(size: int) -> list[Evidence]:
        both = draw.random(size)
        outcomes = (both < 0.55, (both < 0.45) | (both > 0.97))  # the second is worse by 7 points
        rows = [np.stack([outcome, np.ones(size)], axis=1) for outcome in outcomes]
        return [evidence_of("accuracy", counts, name) for counts, name in zip(rows, "ab", strict=True)]

    needed = compare(pair(100_000), test)[0].sentences_needed  # type: ignore[arg-type]
    assert needed is not None
    assert 100 < needed < 400
    found = sum(compare(pair(needed), test, bootstrap=Bootstrap(replicates=400, seed=seed))[0].p <= 0.05 for seed in range(RUNS))  # type: ignore[arg-type]
    assert is_plausible(found, 0.8, 0.08)


@pytest.mark.parametrize("test", ["randomisation", "bootstrap", "t", "sign"])
def test_p_is_small_as_often_as_it_says_where_nothing_differs(gold: Corpus, systems: dict[str, System], test: str) -> None:
    """Two systems that are equally good by construction, because their outputs of each sentence are swapped at random."""
    evaluate = Evaluator(gold)
    population = [evaluate(systems[name]).evidence.matrix for name in ("eager", "cautious")]
    draw = np.random.default_rng(3)
    small = 0
    for seed in range(RUNS):
        drawn = draw.integers(0, len(gold), size=120)
        swapped = draw.random(120)[:, None] < 0.5
        one, other = (np.where(swapped, population[k][drawn], population[1 - k][drawn]) for k in (0, 1))
        pair = [evidence_of("maxmatch", one, "a"), replace(evidence_of("maxmatch", other), system_name="b")]
        small += compare(pair, test, bootstrap=Bootstrap(replicates=400, seed=seed))[0].p <= 0.05  # type: ignore[arg-type]
    assert is_plausible(small, 0.05, 0.03)
