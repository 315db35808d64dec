"""Whether one system is better than another, or only luckier on this test set: paired tests on the same sentences.

All tests are two-sided.  Two systems with the same counts in every sentence have p = 1 by all of them.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from itertools import combinations
from typing import TYPE_CHECKING, Any, Literal, get_args

from errata.errors import RequestError, UsageError
from errata.stats.bootstrap import Bootstrap
from errata.stats.resampling import Rows, check_units, chosen_counts, chunks, documents_of, rechosen_sums, resampled_sums, unit_counts

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from errata.scoring import Evidence

Test = Literal["randomisation", "bootstrap", "t", "sign"]
TESTS: tuple[Test, ...] = get_args(Test)
Correction = Literal["holm", "bh", "none"]
CORRECTIONS: tuple[Correction, ...] = get_args(Correction)
POWER = 0.8
"""The chance to find a difference that is there, for which the number of sentences is estimated."""


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
    """Cohen's d of the differences of the scores of sentences, or of documents: their mean in standard deviations."""
    sentences_needed: int | None
    """About how many sentences like these would tell the systems apart four times of five; None where there is no difference."""


def compare(
    evidence: Sequence[Evidence],
    test: Test = "randomisation",
    correction: Correction = "holm",
    bootstrap: Bootstrap | None = None,
) -> list[Comparison]:
    """Every pair of systems that were scored on one corpus with one metric."""
    settings = bootstrap or Bootstrap()
    _check(evidence, test, correction, settings)
    corpus, metric = evidence[0].corpus, evidence[0].metric
    matrices = [unit_counts(chosen_counts(item), corpus, settings.by) for item in evidence]
    sums = resampled_sums(matrices, settings) if settings.choice == "kept" else rechosen_sums(evidence, settings)
    replicates = [metric.values(found) for found in sums]
    found = []
    for one, other in combinations(range(len(evidence)), 2):
        pair = _Pair(evidence[one], evidence[other], (matrices[one], matrices[other]), replicates[one] - replicates[other], settings)
        found.append(pair.comparison(test))
    corrected = corrected_p([item.p for item in found], correction)
    return [replace(item, corrected_p=value) for item, value in zip(found, corrected, strict=True)]


def _check(evidence: Sequence[Evidence], test: str, correction: str, settings: Bootstrap) -> None:
    if test not in TESTS:
        raise UsageError(f"unknown test {test!r}; known are {', '.join(TESTS)}")
    if correction not in CORRECTIONS:
        raise UsageError(f"unknown correction {correction!r}; known are {', '.join(CORRECTIONS)}")
    if len(evidence) < 2:  # noqa: PLR2004 - a pair
        raise RequestError(f"a comparison needs two systems, found {len(evidence)}")
    names = [item.system for item in evidence]
    if len(set(names)) < len(names):
        raise RequestError(f"a system is compared with itself: {next(name for name in names if names.count(name) > 1)}")
    if len({str(item.metric) for item in evidence}) > 1:
        raise RequestError(f"systems are compared by one metric, found {', '.join(dict.fromkeys(str(item.metric) for item in evidence))}")
    check_units(evidence, settings.by, "a test")


class _Pair:
    """Two systems with the counts of their units (sentences or documents), and how their difference varies."""

    def __init__(self, one: Evidence, other: Evidence, counts: tuple[Any, Any], replicates: Any, settings: Bootstrap) -> None:
        self._one, self._other, self._counts, self._replicates, self._settings = one, other, counts, replicates, settings
        values = one.metric.values
        self._difference = float(values(counts[0].sum(axis=0)[None, :])[0] - values(counts[1].sum(axis=0)[None, :])[0])
        self._by_unit = values(counts[0]) - values(counts[1])

    def comparison(self, test: Test) -> Comparison:
        import numpy as np

        outside = (1 - self._settings.level) / 2
        low, high = np.percentile(self._replicates, [100 * outside, 100 * (1 - outside)])
        p = self._p(test)
        needed = _needed(self._difference, float(np.std(self._replicates)), len(self._one.rows), self._settings.level)
        effect = _effect(self._by_unit)
        return Comparison(self._one.system, self._other.system, self._difference, float(low), float(high), p, p, effect, needed)

    def _p(self, test: Test) -> float:
        import numpy as np

        if not np.any(self._counts[0] != self._counts[1]) and self._one.rows == self._other.rows:
            return 1.0
        if test == "randomisation":
            return self._randomisation()
        if test == "bootstrap":
            lower, upper = float(np.sum(self._replicates <= 0)), float(np.sum(self._replicates >= 0))
            return min(1.0, 2 * (min(lower, upper) + 1) / (len(self._replicates) + 1))
        if not np.any(self._by_unit):
            return 1.0
        from scipy import stats

        if test == "t":
            return float(stats.ttest_1samp(self._by_unit, 0).pvalue) if np.std(self._by_unit) > 0 else 0.0
        wins, losses = int(np.sum(self._by_unit > 0)), int(np.sum(self._by_unit < 0))
        return float(stats.binomtest(wins, wins + losses).pvalue)

    def _randomisation(self) -> float:
        """How often systems whose outputs are swapped at random, unit by unit, differ as much."""
        import numpy as np

        swapped = self._swapped if self._settings.choice == "kept" or self._one.metric.choice == "sentence" else self._swapped_and_rechosen
        as_far = sum(int(np.sum(np.abs(found) >= abs(self._difference) * (1 - 1e-9))) for found in swapped())
        return (as_far + 1) / (self._settings.replicates + 1)

    def _swaps(self, units: int) -> Iterator[Any]:
        """For some replicates which units are swapped."""
        import numpy as np

        draw = np.random.default_rng(self._settings.seed)
        for size in chunks(self._settings.replicates, units):
            yield draw.integers(0, 2, size=(size, units))

    def _swapped(self) -> Iterator[Any]:
        import numpy as np

        values, (one, other) = self._one.metric.values, self._counts
        where = np.flatnonzero(np.any(one != other, axis=1))
        apart = (one - other)[where]
        for swaps in self._swaps(len(where)):
            moved = swaps.astype(np.float64) @ apart
            yield values(one.sum(axis=0) - moved) - values(other.sum(axis=0) + moved)

    def _swapped_and_rechosen(self) -> Iterator[Any]:
        import numpy as np

        values, sentences = self._one.metric.values, len(self._one.rows)
        rows = Rows(self._one.metric, (*self._one.rows, *self._other.rows))
        unit = np.arange(sentences)
        if self._settings.by == "document":
            for number, members in enumerate(documents_of(self._one.corpus)):
                unit[members] = number
        for swaps in self._swaps(int(unit.max()) + 1):
            own = (np.arange(sentences) + sentences * swaps[:, unit]).astype(np.int32)
            yield values(rows.sums(own)) - values(rows.sums((own + sentences) % (2 * sentences)))


def _effect(by_unit: Any) -> float:
    import numpy as np

    spread = float(np.std(by_unit, ddof=1))
    return float(np.mean(by_unit)) / spread if spread else 0.0


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
