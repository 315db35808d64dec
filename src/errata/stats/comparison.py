"""Whether one system is better than another, or only luckier on this test set: paired tests on the same sentences.

All tests are two-sided.  Two systems with the same counts in every sentence have p = 1 by all of them.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from itertools import combinations
from typing import TYPE_CHECKING, Any, Literal, get_args

from errata.errors import RequestError, UsageError
from errata.stats.intervals import Bootstrap, chosen_counts, resampled_sums

if TYPE_CHECKING:
    from collections.abc import Sequence

    from errata.scoring import Evidence

Test = Literal["randomisation", "bootstrap", "t", "sign"]
TESTS: tuple[Test, ...] = get_args(Test)
Correction = Literal["holm", "bh", "none"]
CORRECTIONS: tuple[Correction, ...] = get_args(Correction)
POWER = 0.8
"""The chance to find a difference that is there, for which the number of sentences is estimated."""
_CHUNK = 500


@dataclass(frozen=True)
class Comparison:
    """One system against another."""

    system: str
    other: str
    difference: float
    """Of their scores, the first less the second."""
    low: float
    high: float
    """A confidence interval of the difference."""
    p: float
    corrected_p: float
    """With regard to all pairs that are compared."""
    effect: float
    """Cohen's d of the differences of sentence scores: their mean in standard deviations."""
    sentences_needed: int | None
    """About how many sentences like these would tell the systems apart four times of five; None where there is no difference."""


def compare(
    evidence: Sequence[Evidence],
    test: Test = "randomisation",
    correction: Correction = "holm",
    bootstrap: Bootstrap | None = None,
) -> list[Comparison]:
    """Every pair of systems that were scored on one corpus with one metric."""
    import numpy as np

    settings = bootstrap or Bootstrap()
    _check(evidence, test, correction)
    matrices = [chosen_counts(item) for item in evidence]
    metric = evidence[0].metric
    values = [metric.values(sums) for sums in resampled_sums(matrices, settings)]
    scores = [float(metric.values(matrix.sum(axis=0)[None, :])[0]) for matrix in matrices]
    each = [metric.values(matrix) for matrix in matrices]
    outside = (1 - settings.level) / 2
    found = []
    for one, other in combinations(range(len(evidence)), 2):
        difference = scores[one] - scores[other]
        replicates = values[one] - values[other]
        low, high = np.percentile(replicates, [100 * outside, 100 * (1 - outside)])
        p = _p_value(test, metric, (matrices[one], matrices[other]), difference, replicates, each[one] - each[other], settings)
        spread = float(np.std(replicates))
        found.append(
            Comparison(
                evidence[one].system,
                evidence[other].system,
                difference,
                float(low),
                float(high),
                p,
                p,
                _effect(each[one] - each[other]),
                _needed(difference, spread, len(matrices[0]), settings.level),
            )
        )
    corrected = corrected_p([item.p for item in found], correction)
    return [replace(item, corrected_p=value) for item, value in zip(found, corrected, strict=True)]


def _check(evidence: Sequence[Evidence], test: str, correction: str) -> None:
    if test not in TESTS:
        raise UsageError(f"unknown test {test!r}; known are {', '.join(TESTS)}")
    if correction not in CORRECTIONS:
        raise UsageError(f"unknown correction {correction!r}; known are {', '.join(CORRECTIONS)}")
    if len(evidence) < 2:  # noqa: PLR2004 - a pair
        raise RequestError(f"a comparison needs two systems, found {len(evidence)}")
    names = [item.system for item in evidence]
    if len(set(names)) < len(names):
        raise RequestError(f"a system is compared with itself: {next(name for name in names if names.count(name) > 1)}")
    if len({str(item.metric) for item in evidence}) > 1 or len({len(item.rows) for item in evidence}) > 1:
        raise RequestError("systems are compared by one metric on the same sentences")
    if len(evidence[0].rows) < 2:  # noqa: PLR2004 - one sentence has no variance
        raise RequestError(f"a test needs two sentences or more, found {len(evidence[0].rows)}")


def _p_value(
    test: Test, metric: Any, pair: tuple[Any, Any], difference: float, replicates: Any, by_sentence: Any, settings: Bootstrap
) -> float:
    import numpy as np

    if not np.any(pair[0] != pair[1]):
        return 1.0
    if test == "randomisation":
        return _randomisation(metric, pair, difference, settings)
    if test == "bootstrap":
        lower, upper = float(np.sum(replicates <= 0)), float(np.sum(replicates >= 0))
        return min(1.0, 2 * (min(lower, upper) + 1) / (len(replicates) + 1))
    if not np.any(by_sentence):
        return 1.0
    from scipy import stats

    if test == "t":
        return float(stats.ttest_1samp(by_sentence, 0).pvalue) if np.std(by_sentence) > 0 else 0.0
    wins, losses = int(np.sum(by_sentence > 0)), int(np.sum(by_sentence < 0))
    return float(stats.binomtest(wins, wins + losses).pvalue)


def _randomisation(metric: Any, pair: tuple[Any, Any], difference: float, settings: Bootstrap) -> float:
    """How often systems whose outputs are swapped at random, sentence by sentence, differ as much."""
    import numpy as np

    apart = pair[0] - pair[1]
    where = np.flatnonzero(np.any(apart != 0, axis=1))
    apart, total = apart[where], pair[0].sum(axis=0)
    other_total = pair[1].sum(axis=0)
    draw = np.random.default_rng(settings.seed)
    as_far = 0
    for first in range(0, settings.replicates, _CHUNK):
        size = min(_CHUNK, settings.replicates - first)
        moved = draw.integers(0, 2, size=(size, len(where))).astype(np.float64) @ apart
        found = metric.values(total - moved) - metric.values(other_total + moved)
        as_far += int(np.sum(np.abs(found) >= abs(difference) * (1 - 1e-9)))
    return (as_far + 1) / (settings.replicates + 1)


def _effect(by_sentence: Any) -> float:
    import numpy as np

    spread = float(np.std(by_sentence, ddof=1))
    return float(np.mean(by_sentence)) / spread if spread else 0.0


def _needed(difference: float, spread: float, sentences: int, level: float) -> int | None:
    """The size at which a difference this large, with a spread that shrinks with the root of the size, is found."""
    if difference == 0 or spread == 0:
        return None
    from scipy.special import ndtri

    wanted = float(ndtri(1 - (1 - level) / 2) + ndtri(POWER))
    return max(2, math.ceil(sentences * (wanted * spread / difference) ** 2))


def corrected_p(values: Sequence[float], correction: Correction) -> list[float]:
    """p-values with regard to their number: Holm's keep the chance of any false finding, Benjamini and Hochberg's their share.

    >>> corrected_p([0.01, 0.04, 0.03], "holm"), corrected_p([0.01, 0.04, 0.03], "bh")
    ([0.03, 0.06, 0.06], [0.03, 0.04, 0.04])
    """
    count = len(values)
    order = sorted(range(count), key=values.__getitem__)
    result = list(values)
    if correction == "holm":
        largest = 0.0
        for rank, place in enumerate(order):
            largest = max(largest, min(1.0, (count - rank) * values[place]))
            result[place] = largest
    elif correction == "bh":
        smallest = 1.0
        for rank in range(count, 0, -1):
            place = order[rank - 1]
            smallest = min(smallest, values[place] * count / rank)
            result[place] = smallest
    return result


def clusters(scores: Sequence[tuple[str, float]], comparisons: Sequence[Comparison], alpha: float = 0.05) -> list[int]:
    """A rank for each system, shared where no system can be told apart from all that are ranked just before it.

    From the best system down: a system starts a new rank if it differs from every system of the rank before by a corrected
    p-value of at most ``alpha``.  The first and the last of a rank may differ when those between them join them.
    """
    told_apart = {frozenset((item.system, item.other)) for item in comparisons if item.corrected_p <= alpha}
    ranked = sorted(range(len(scores)), key=lambda place: (-scores[place][1], scores[place][0]))
    ranks = [0] * len(scores)
    members: list[str] = []
    rank = 1
    for position, place in enumerate(ranked, start=1):
        name = scores[place][0]
        if members and all(frozenset((name, member)) in told_apart for member in members):
            rank, members = position, []
        members.append(name)
        ranks[place] = rank
    return ranks
