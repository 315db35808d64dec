"""Intervals of estimates of coverage, by a parametric bootstrap.

Replicates are sampled from the estimated distributions, because the given answers lack the unseen corrections that are estimated.
The ends are those of the basic bootstrap: as far below the estimate as replicates are above it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from errata.coverage.classical import estimate_classically
from errata.coverage.estimation import GAMMAS, SentenceEstimate, compute_coverage
from errata.coverage.unseen import Distribution, count_frequencies, estimate
from errata.errors import UsageError
from errata.stats.bootstrap import check_level

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

FEWEST_REPLICATES, MOST_REPLICATES, DEFAULT_REPLICATES = 20, 10_000, 100
FREQUENT = 0.01
"""The probability above which a correction is frequent."""


class Range(NamedTuple):
    """An interval."""

    low: float
    high: float


def compute_estimate_intervals(
    estimates: Sequence[SentenceEstimate],
    summaries: Callable[[Sequence[SentenceEstimate]], Sequence[float]],
    *,
    level: float = 0.95,
    replicates: int = DEFAULT_REPLICATES,
    seed: int = 0,
    progress: Callable[[int], None] | None = None,
) -> list[Range]:
    """Compute the intervals of summaries of estimates, in their order."""
    import numpy as np

    check_level(level)
    if not FEWEST_REPLICATES <= replicates <= MOST_REPLICATES:
        raise UsageError(f"replicates must be a whole number from {FEWEST_REPLICATES} to {MOST_REPLICATES:,}, found {replicates}")
    draw = np.random.default_rng(seed)
    observed = np.array(summaries(estimates))
    rows = []
    for _ in range(replicates):
        drawn = []
        for item in estimates:
            frequency_counts = _draw_frequency_counts(item.distribution, item.classical.answers, draw)
            drawn.append(
                SentenceEstimate(
                    item.sentence, frequency_counts, estimate(frequency_counts, item.sentence.name), estimate_classically(frequency_counts)
                )
            )
            if progress is not None:
                progress(1)
        rows.append(list(summaries(drawn)))
    outside = (1 - level) / 2
    low, high = np.percentile(np.array(rows), [100 * outside, 100 * (1 - outside)], axis=0)
    return [Range(float(one), float(other)) for one, other in zip(2 * observed - high, 2 * observed - low, strict=True)]


def _draw_frequency_counts(distribution: Distribution, answers: int, draw: Any) -> tuple[int, ...]:
    """Sample answers from a distribution, and return their frequency counts."""
    import numpy as np

    masses = np.maximum(distribution.frequencies * distribution.variants, 0.0)
    bins = draw.multinomial(answers, masses / masses.sum())
    counts: list[int] = []
    for index in np.flatnonzero(bins):
        kinds = max(1, round(float(distribution.variants[index])))
        _, times = np.unique(draw.integers(0, kinds, size=bins[index]), return_counts=True)
        counts += times.tolist()
    return count_frequencies(counts)


class SentenceIntervals(NamedTuple):
    """Intervals of one sentence."""

    corrections: Range
    """Of the number of corrections."""
    frequent_mass: Range
    """Of the total probability of the frequent corrections."""


class CoverageIntervals(NamedTuple):
    """Intervals of all estimates, cut to possible values: numbers from 0, shares from 0 to 1."""

    corrections: list[Range]
    """More probable than each of GAMMAS."""
    mass: list[Range]
    accuracy: list[Range]
    """For each number of references."""
    distinct: list[Range]
    """For each number of distinct references."""
    chao1: Range
    jackknife: Range
    good_turing: Range
    sentences: list[SentenceIntervals]


def compute_coverage_intervals(
    estimates: Sequence[SentenceEstimate],
    numbers: Sequence[int],
    *,
    level: float = 0.95,
    replicates: int = DEFAULT_REPLICATES,
    seed: int = 0,
    progress: Callable[[int], None] | None = None,
) -> CoverageIntervals:
    """Compute all intervals for these numbers of references."""

    def shares(drawn: Sequence[SentenceEstimate]) -> list[float]:
        coverage = compute_coverage(drawn)
        masses = [coverage.mass(gamma) for gamma in GAMMAS]
        masses += [coverage.accuracy(number, distinct=distinct) for distinct in (False, True) for number in numbers]
        return [*masses, _mean(drawn, "good_turing"), *(item.distribution.mass_above(FREQUENT) for item in drawn)]

    def sizes(drawn: Sequence[SentenceEstimate]) -> list[float]:
        coverage = compute_coverage(drawn)
        masses = [*(coverage.variants(gamma) for gamma in GAMMAS), _mean(drawn, "chao1"), _mean(drawn, "jackknife")]
        return [*masses, *(item.distribution.number_above() for item in drawn)]

    masses = compute_estimate_intervals(
        estimates, lambda drawn: sizes(drawn) + shares(drawn), level=level, replicates=replicates, seed=seed, progress=progress
    )
    border = len(GAMMAS) + 2 + len(estimates)
    of_sizes = [Range(max(0.0, item.low), max(0.0, item.high)) for item in masses[:border]]
    of_shares = [Range(min(1.0, max(0.0, item.low)), min(1.0, max(0.0, item.high))) for item in masses[border:]]
    corrections, (chao1, jackknife), own = of_sizes[: len(GAMMAS)], of_sizes[len(GAMMAS) : len(GAMMAS) + 2], of_sizes[len(GAMMAS) + 2 :]
    mass, rest = of_shares[: len(GAMMAS)], of_shares[len(GAMMAS) :]
    accuracy, distinct, rest = rest[: len(numbers)], rest[len(numbers) : 2 * len(numbers)], rest[2 * len(numbers) :]
    sentences = [SentenceIntervals(*pair) for pair in zip(own, rest[1:], strict=True)]
    return CoverageIntervals(corrections, mass, accuracy, distinct, chao1, jackknife, rest[0], sentences)


def _mean(estimates: Sequence[SentenceEstimate], name: str) -> float:
    """Compute the mean of a classical estimate."""
    return float(sum(getattr(item.classical, name) for item in estimates)) / len(estimates)
