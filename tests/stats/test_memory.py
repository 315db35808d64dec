"""Replicates, systems, sentences and references do not multiply in memory."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
import pytest

import errata.metrics.evidence
import errata.scoring.by_type
import errata.stats.resampling
from errata import Corpus, Metric, Sentence, System
from errata.metrics import Draws, Strategy
from errata.scoring import Evaluator
from errata.scoring.by_type import TypeCounts, compute_type_intervals
from errata.stats import Bootstrap, compare, compute_intervals, resample
from errata.studies.coverage import estimate
from errata.studies.detection import MEASURES, Answers, Cases, compare_detectors, compute_measure_intervals, judge_systems

SYSTEMS = 12


def peak(compute: Callable[[], object]) -> int:
    """The most bytes that a computation has at one time."""
    compute()  # what is imported and kept is not counted
    tracemalloc.start()
    try:
        compute()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.fixture
def cases() -> Cases:
    draw = np.random.default_rng(0)
    systems = tuple(Answers(str(number), draw.random(30) < 0.5) for number in range(SYSTEMS))
    return Cases(np.round(draw.random(30)), systems)


def test_replicates_of_many_detectors(cases: Cases) -> None:
    def run(replicates: int) -> Callable[[], object]:
        return lambda: compare_detectors(
            judge_systems(cases), MEASURES["f"], "detection", 1.0, Bootstrap(replicates=replicates), "case", test="bootstrap"
        )

    growth = (peak(run(20_000)) - peak(run(4_000))) / 16_000
    assert growth < 3 * 8 * SYSTEMS  # a score for each system, not five counts


def test_replicates_of_measures(cases: Cases) -> None:
    def run(replicates: int) -> Callable[[], object]:
        settings = Bootstrap(replicates=replicates)
        return lambda: compute_measure_intervals(judge_systems(cases)[0], [MEASURES["f"]], "detection", 1.0, settings, "case")

    assert (peak(run(20_000)) - peak(run(4_000))) / 16_000 < 5 * 8


@dataclass(frozen=True)
class Random(Metric):
    """A metric with random references for each sentence, and many counts."""

    name: ClassVar[str] = "random"
    summary: ClassVar[str] = "the share of equal words"
    columns: ClassVar[tuple[str, ...]] = ("equal", "words", *(str(number) for number in range(298)))
    strategy: ClassVar[Strategy] = Draws(times=4)

    def count(self, sentence: Sentence, hypothesis: tuple[str, ...]) -> list[tuple[int, ...]]:
        equal = sum(map(str.__eq__, sentence.tokens, hypothesis))
        return [(part, len(sentence.tokens), *[0] * 298) for part in (equal, 0)]

    def value(self, counts: tuple[int, ...]) -> float:
        return counts[0] / counts[1] if counts[1] else 1.0

    def values(self, counts: Any) -> Any:
        return counts[:, 0] / counts[:, 1]


@pytest.mark.slow
def test_systems_with_random_references(monkeypatch: pytest.MonkeyPatch) -> None:
    corpus = Corpus(tuple(Sentence.of(f"a b {number}", [], []) for number in range(200)))
    settings = Bootstrap(replicates=100)

    def run(systems: int) -> Callable[[], object]:
        evaluate = Evaluator(corpus, Random())
        outputs = [System(str(name), tuple(("a", str(name), str(row % name)) for row in range(200))) for name in range(1, systems + 1)]
        evidence = [evaluate(output).evidence for output in outputs]
        return lambda: (compute_intervals(evidence, settings), compare(evidence, bootstrap=settings) if systems > 1 else None)

    kept = run(3)()
    monkeypatch.setattr(errata.metrics.evidence, "_MOST_KEPT_VALUES", 0)
    assert run(3)() == kept
    one = 200 * 300 * 4 * 8
    assert peak(run(7)) - peak(run(3)) < one  # the counts of four more systems would take four times as much


def test_wide_counts_are_resampled_alone_with_the_same_numbers(
    gold: Corpus, systems: dict[str, System], monkeypatch: pytest.MonkeyPatch
) -> None:
    evaluate = Evaluator(gold, "maxmatch")
    evidence = [evaluate(system).evidence for system in systems.values()]
    settings = Bootstrap(replicates=200)
    together = [item.values.tolist() for item in resample(evidence, settings)]
    monkeypatch.setattr(errata.stats.resampling, "WIDE", 2)
    assert [item.values.tolist() for item in resample(evidence, settings)] == together


def test_types_in_groups_have_the_same_intervals(gold: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    counts = [TypeCounts(str(name), 9, 20, 15, tuple((row, row % 2, 1 + row % 3, 1) for row in range(name, 70, 7))) for name in range(1, 6)]
    settings = replace(Bootstrap(), replicates=200)
    together = compute_type_intervals(counts, gold, 0.5, settings)
    monkeypatch.setattr(errata.scoring.by_type, "_MOST_SUMS", 3 * 200 * 2)
    calls: list[int] = []
    assert compute_type_intervals(counts, gold, 0.5, settings, calls.append) == together
    assert sum(calls) == 200


def test_a_frequent_correction_takes_no_square_of_memory() -> None:
    assert peak(lambda: estimate((3, 1, *[0] * 1996, 1))) < 60_000_000  # a square of 2,000 by 4,000 numbers alone is 64 million bytes
