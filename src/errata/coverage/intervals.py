"""Intervals of estimates of coverage, from answers that are resampled from the estimated distributions.

Answers that were given cannot simply be drawn again: those that nobody gave are what is estimated.  The ends are those of the
basic bootstrap: as far below the estimate as replicates lie above it.
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
"""What more than one person of a hundred writes."""


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
    """Intervals of summaries of estimates, in their order."""
    import numpy as np

    check_level(level)
    if not FEWEST_REPLICATES <= replicates <= MOST_REPLICATES:
        raise UsageError(f"replicates are a whole number from {FEWEST_REPLICATES} to {MOST_REPLICATES:,}, found {replicates}")
    draw = np.random.default_rng(seed)
    observed = np.array(summaries(estimates))
    rows = []
    for _ in range(replicates):
        drawn = []
        for item in estimates:
            fingerprint = _draw_fingerprint(item.distribution, item.classical.answers, draw)
            drawn.append(
                SentenceEstimate(item.sentence, fingerprint, estimate(fingerprint, item.sentence.name), estimate_classically(fingerprint))
            )
            if progress is not None:
                progress(1)
        rows.append(list(summaries(drawn)))
    outside = (1 - level) / 2
    low, high = np.percentile(np.array(rows), [100 * outside, 100 * (1 - outside)], axis=0)
    return [Range(float(one), float(other)) for one, other in zip(2 * observed - high, 2 * observed - low, strict=True)]


def _draw_fingerprint(distribution: Distribution, answers: int, draw: Any) -> tuple[int, ...]:
    """The fingerprint of as many answers, drawn from a distribution."""
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
    """Of one sentence."""

    corrections: Range
    """How many it has."""
    frequent_mass: Range
    """How probable the frequent ones are together."""


class CoverageIntervals(NamedTuple):
    """Of everything that is estimated, as far as it is possible: numbers from 0 on, shares from 0 to 1."""

    corrections: list[Range]
    """Above each of the probabilities that are counted (GAMMAS)."""
    mass: list[Range]
    accuracy: list[Range]
    """For each number of references."""
    distinct: list[Range]
    """... that are all different."""
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
    """Intervals for these numbers of references."""

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
    """Of a classical estimate."""
    return float(sum(getattr(item.classical, name) for item in estimates)) / len(estimates)
