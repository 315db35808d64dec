"""How sure a score is: confidence intervals from the counts of sentences alone, and so for every metric.

Sentences are drawn again with replacement, their counts are added up, and the metric says what the sum means.  The reference that
each sentence was scored against stays the one that the whole corpus chose.  Systems that are scored on one corpus share the draws.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, get_args

from errata.errors import RequestError, UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from errata.scoring import Evidence

Method = Literal["bca", "percentile"]
METHODS: tuple[Method, ...] = get_args(Method)
Choice = Literal["kept", "again"]
FEWEST_REPLICATES = 100
MOST_REPLICATES = 1_000_000
_CHUNK = 250
"""Replicates that are drawn at once."""
_TOGETHER = 4
"""Times as many for which references are chosen at once."""


@dataclass(frozen=True)
class Bootstrap:
    """How intervals are made; the same settings give the same numbers everywhere."""

    level: float = 0.95
    method: Method = "bca"
    """Bias-corrected and accelerated (Efron 1987), or the plain percentiles of the replicates."""
    replicates: int = 10_000
    seed: int = 0
    choice: Choice = "kept"
    """Whether each sentence keeps the reference that the whole corpus chose, or the choice is made again in every replicate."""

    def __post_init__(self) -> None:
        if not (isinstance(self.level, float) and 0 < self.level < 1):
            raise UsageError(f"a level of confidence lies between 0 and 1, such as 0.95, found {self.level}")
        if self.method not in METHODS:
            raise UsageError(f"unknown kind of interval {self.method!r}; known are {', '.join(METHODS)}")
        if self.choice not in get_args(Choice):
            raise UsageError(f"the choice among references is {' or '.join(get_args(Choice))}, found {self.choice!r}")
        if not (isinstance(self.replicates, int) and FEWEST_REPLICATES <= self.replicates <= MOST_REPLICATES):
            raise UsageError(f"replicates are a whole number from {FEWEST_REPLICATES:,} to {MOST_REPLICATES:,}, found {self.replicates}")
        if not (isinstance(self.seed, int) and 0 <= self.seed < 1 << 63):
            raise UsageError(f"a seed is a whole number from 0, found {self.seed}")

    def __str__(self) -> str:
        again = ", choice made again" if self.choice == "again" else ""
        return f"{100 * self.level:g}% intervals: {self.method}, {self.replicates:,} replicates of sentences, seed {self.seed}{again}"


@dataclass(frozen=True)
class Interval:
    """A range that covers the true score with the confidence of its level."""

    low: float
    high: float
    bootstrap: Bootstrap


def intervals(evidence: Sequence[Evidence], bootstrap: Bootstrap | None = None) -> list[Interval]:
    """The intervals of systems that were scored on one corpus."""
    settings = bootstrap or Bootstrap()
    if not evidence:
        return []
    sentences = len(evidence[0].rows)
    if any(len(item.rows) != sentences for item in evidence):
        raise RequestError("intervals of systems on one corpus need evidence of the same sentences")
    if sentences < 2:  # noqa: PLR2004 - one sentence has no variance
        raise RequestError(f"an interval needs two sentences or more, found {sentences}")
    matrices = [chosen_counts(item) for item in evidence]
    sums = resampled_sums(matrices, settings) if settings.choice == "kept" else rechosen_sums(evidence, settings)
    return [_interval(item, matrix, found, settings) for item, matrix, found in zip(evidence, matrices, sums, strict=True)]


def chosen_counts(evidence: Evidence) -> Any:
    """The counts of the chosen row of each sentence."""
    import numpy as np

    return np.array([rows[place] for rows, place in zip(evidence.rows, evidence.chosen, strict=True)], dtype=np.float64)


def resampled_sums(matrices: Sequence[Any], settings: Bootstrap) -> list[Any]:
    """For each system the summed counts of every replicate; whole numbers, so that no order of adding matters."""
    import numpy as np

    draw = np.random.default_rng(settings.seed)
    sentences = len(matrices[0])
    together = np.hstack(matrices)
    found = np.empty((settings.replicates, together.shape[1]))
    for first in range(0, settings.replicates, _CHUNK):
        size = min(_CHUNK, settings.replicates - first)
        picked = draw.integers(0, sentences, size=(size, sentences))
        picked += np.arange(size)[:, None] * sentences
        weights = np.bincount(picked.ravel(), minlength=size * sentences).reshape(size, sentences)
        found[first : first + size] = weights.astype(np.float64) @ together
    ends = np.cumsum([matrix.shape[1] for matrix in matrices])[:-1]
    return list(np.split(found, ends, axis=1))


def rechosen_sums(evidence: Sequence[Evidence], settings: Bootstrap) -> list[Any]:
    """The same with the choice among references made again in every replicate; the sentences drawn are the same."""
    import numpy as np

    from errata.stats.rechoosing import Rechooser

    draw = np.random.default_rng(settings.seed)
    sentences = len(evidence[0].rows)
    rechoosers = [Rechooser(item) for item in evidence]
    sizes = [min(_CHUNK, settings.replicates - first) for first in range(0, settings.replicates, _CHUNK)]
    found: list[list[Any]] = [[] for _ in evidence]
    for first in range(0, len(sizes), _TOGETHER):
        picked = np.concatenate([draw.integers(0, sentences, size=(size, sentences)) for size in sizes[first : first + _TOGETHER]])
        for place, rechooser in enumerate(rechoosers):
            found[place].append(rechooser.sums(picked))
    return [np.concatenate(parts) for parts in found]


def _interval(evidence: Evidence, matrix: Any, sums: Any, settings: Bootstrap) -> Interval:
    import numpy as np

    metric = evidence.metric
    values = metric.values(sums)
    outside = (1 - settings.level) / 2
    shares = (outside, 1 - outside)
    if settings.method == "bca":
        total = matrix.sum(axis=0)
        shares = _bca_shares(values, float(metric.values(total[None, :])[0]), metric.values(total - matrix), outside)
    low, high = np.percentile(values, [100 * share for share in shares])
    return Interval(float(low), float(high), settings)


def _bca_shares(values: Any, observed: float, without_one: Any, outside: float) -> tuple[float, float]:
    """Which percentiles of the replicates are the ends: corrected for bias, and for how the spread changes with the value."""
    import numpy as np
    from scipy.special import ndtr, ndtri

    below = float(np.mean(values < observed) + np.mean(values <= observed)) / 2
    deviations = np.mean(without_one) - without_one
    spread = float(np.sum(deviations**2))
    if spread == 0 or below in {0.0, 1.0}:  # nothing varies, so there is nothing to correct
        return outside, 1 - outside
    bias = float(ndtri(below))
    acceleration = float(np.sum(deviations**3)) / (6 * spread * math.sqrt(spread))

    def share(plain: float) -> float:
        shifted = bias + float(ndtri(plain))
        return float(ndtr(bias + shifted / (1 - acceleration * shifted)))

    return share(outside), share(1 - outside)
