"""Confidence intervals of scores: BCa (bias-corrected and accelerated) or percentiles of a bootstrap, or exact for an accuracy.

All are computed from the counts of sentences, for every metric.  Values of groups of sentences by length are here too.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, get_args

from errata.display import Listing
from errata.errors import InputError, RequestError, UsageError
from errata.metrics.evidence import collect_evidence
from errata.stats.bootstrap import Bootstrap, check_level
from errata.stats.resampling import ResampledScores, check_units, resample

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from errata.display import TableRow
    from errata.metrics.evidence import Evidence, HasEvidence
    from errata.stats.bootstrap import Progress


@dataclass(frozen=True)
class Interval:
    """A confidence interval; both ends are not a number if the score is undefined."""

    low: float
    high: float
    bootstrap: Bootstrap


class _Intervals(Listing[Interval]):
    """The intervals of several systems, in their order."""

    def __init__(self, intervals: Iterable[Interval], evidence: Sequence[Evidence]) -> None:
        super().__init__(intervals)
        self._scores = [(item.system_name, str(item.metric), float(item.value)) for item in evidence]

    def rows(self) -> list[TableRow]:
        """List system, metric, value, both ends, level and method."""
        return [
            {
                "system": system,
                "metric": metric,
                "value": value,
                "low": float(interval.low),
                "high": float(interval.high),
                "level": interval.bootstrap.level,
                "method": interval.bootstrap.method,
            }
            for interval, (system, metric, value) in zip(self, self._scores, strict=True)
        ]


def compute_intervals(
    evidence: Sequence[Evidence | HasEvidence],
    bootstrap: Bootstrap | None = None,
    resampled: Sequence[ResampledScores] | None = None,
    progress: Progress | None = None,
) -> _Intervals:
    """Compute the intervals of systems that were scored on one corpus, given as scores or evidence.

    ``resampled`` are the results of :func:`resample` with the same settings, if it was called before.
    ``progress`` is called with the number of replicates that were just done; every system counts.
    """
    settings, evidence = Bootstrap.of(bootstrap), collect_evidence(evidence)
    if not evidence:
        return _Intervals((), ())
    check_units(evidence, settings.by, "an interval")
    if settings.method == "exact":
        return _Intervals([_compute_exact(item, settings) for item in evidence], evidence)
    drawn = resampled or resample(evidence, settings, progress)
    return _Intervals([_make_interval(item, own, settings) for item, own in zip(evidence, drawn, strict=True)], evidence)


def _make_interval(evidence: Evidence, drawn: ResampledScores, settings: Bootstrap) -> Interval:
    units = drawn.units
    return make_interval(evidence.values, units.matrices[0], drawn.values, settings, units.times)


def _compute_exact(evidence: Evidence, settings: Bootstrap) -> Interval:
    successes = evidence.metric.successes(evidence.counts)
    if successes is None or not evidence.chooses:
        raise UsageError(
            f"exact intervals need a metric whose sentences match or not, such as accuracy and indexmatch, found {evidence.metric}"
        )
    return Interval(*compute_exact_interval(*successes, settings.level), settings)


def make_interval(measure: Callable[[Any], Any], matrix: Any, replicates: Any, settings: Bootstrap, times: Any = None) -> Interval:
    """Make the interval of a measure of summed counts, from the counts of all units and the values of the measure in all replicates.

    ``times`` says how many units have each row (default 1).  Replicates in which the measure is undefined (not a number) are
    left out; if it is undefined in all of them, both ends are undefined.
    """
    import numpy as np

    times = np.ones(len(matrix)) if times is None else times
    if settings.method != "bca":
        return compute_ends(replicates, settings)
    total = times @ matrix
    return compute_ends(replicates, settings, float(measure(total[None, :])[0]), measure(total - matrix), times)


def compute_ends(replicates: Any, settings: Bootstrap, observed: float = math.nan, without_one: Any = None, times: Any = None) -> Interval:
    """Compute the interval of a measure from its replicates, its value, and its values without each unit (of which there are ``times``).

    The last two are needed for bca only.  Replicates in which the measure is undefined are left out.
    """
    import numpy as np

    values = replicates[~np.isnan(replicates)]
    if not len(values):
        return Interval(math.nan, math.nan, settings)
    outside = (1 - settings.level) / 2
    shares = (outside, 1 - outside)
    if settings.method == "bca":
        known = ~np.isnan(without_one)
        times = np.ones(len(without_one)) if times is None else times
        shares = _compute_bca_percentiles(values, observed, without_one[known], times[known], outside)
    low, high = np.percentile(values, [100 * share for share in shares])
    return Interval(float(low), float(high), settings)


def _compute_bca_percentiles(values: Any, observed: float, without_one: Any, times: Any, outside: float) -> tuple[float, float]:
    """Compute the percentiles of the ends of BCa (Efron 1987): corrected for bias, and for a spread that changes with the value.

    They are not corrected if nothing varies, or if the measure is undefined without any one of the units.
    """
    import numpy as np
    from scipy.special import ndtr, ndtri

    below = float(np.mean(values < observed) + np.mean(values <= observed)) / 2
    if not times.sum() or below in {0.0, 1.0}:
        return outside, 1 - outside
    deviations = np.average(without_one, weights=times) - without_one
    spread = float(times @ deviations**2)
    if spread * math.sqrt(spread) == 0:
        return outside, 1 - outside
    bias = float(ndtri(below))
    acceleration = float(times @ deviations**3) / (6 * spread * math.sqrt(spread))

    def share(plain: float) -> float:
        shifted = bias + float(ndtri(plain))
        stretched = 1 - acceleration * shifted
        return float(ndtr(bias + shifted / stretched)) if stretched > 0 else float(shifted > 0)

    return share(outside), share(1 - outside)


# --- Intervals and tests of an accuracy, without resampling.
#
# Each sentence is matched with its own probability, so the number of matches has a Poisson binomial distribution (Choshen and Abend,
# section 3.4).  If the probabilities are unknown, the binomial distribution with their mean has heavier tails (Hoeffding 1956),
# so the interval of Clopper and Pearson covers the true mean at least as often as its level says.

_Tail = Literal["two-sided", "less", "greater"]


@dataclass(frozen=True)
class Matches:
    """The distribution of the number of matched sentences, if each is matched with its own probability.

    >>> matches = Matches((0.2, 0.5, 0.9))
    >>> [round(float(probability), 4) for probability in matches.probabilities]
    [0.04, 0.41, 0.46, 0.09]
    """

    chances: tuple[float, ...]

    def __post_init__(self) -> None:
        if not self.chances:
            raise InputError("the number of matches needs the probabilities of one sentence or more, found none")
        for number, chance in enumerate(self.chances, start=1):
            if not (isinstance(chance, int | float) and 0 <= chance <= 1):
                raise InputError(f"a probability must be a number from 0 to 1, found {chance!r} for sentence {number:,}")

    @cached_property
    def probabilities(self) -> Any:
        """The probabilities of 0, 1, 2, ... matches, computed by adding positive numbers only, for accuracy."""
        import numpy as np

        probabilities = np.zeros(len(self.chances) + 1)
        probabilities[0] = 1.0
        for index, chance in enumerate(self.chances, start=1):
            probabilities[1 : index + 1] = probabilities[1 : index + 1] * (1 - chance) + probabilities[:index] * chance
            probabilities[0] *= 1 - chance
        return probabilities

    @property
    def accuracy(self) -> float:
        """The expected share of matches."""
        return math.fsum(self.chances) / len(self.chances)

    @property
    def deviation(self) -> float:
        """The standard deviation of the share of matches."""
        return math.sqrt(math.fsum(chance * (1 - chance) for chance in self.chances)) / len(self.chances)

    def central(self, level: float = 0.95) -> tuple[int, int]:
        """Compute the fewest and the most matches, with at most (1 - level) / 2 of the probability outside on either side."""
        import numpy as np

        check_level(level)
        outside = (1 - level) / 2
        below, above = np.cumsum(self.probabilities), np.cumsum(self.probabilities[::-1])
        return int(np.argmax(below > outside)), len(self.chances) - int(np.argmax(above > outside))

    def p_value(self, matched: int, side: _Tail = "two-sided") -> float:
        """Compute the probability of at most (less) or at least (greater) so many matches; two-sided is twice the smaller one."""
        if side not in get_args(_Tail):
            raise UsageError(f"unknown side {side!r}; choose from {', '.join(get_args(_Tail))}")
        if not 0 <= matched <= len(self.chances):
            raise UsageError(f"the number of matches must be from 0 to {len(self.chances):,}, found {matched:,}")
        less, greater = (math.fsum(part) for part in (self.probabilities[: matched + 1], self.probabilities[matched:]))
        return min(1.0, {"less": less, "greater": greater, "two-sided": 2 * min(less, greater)}[side])


def compute_exact_interval(matched: int, sentences: int, level: float = 0.95) -> tuple[float, float]:
    """Compute the interval of Clopper and Pearson for the mean probability of a match.

    >>> [round(bound, 4) for bound in compute_exact_interval(0, 10)]
    [0.0, 0.3085]
    """
    from scipy.special import betainccinv, betaincinv

    check_level(level)
    if not 0 <= matched <= sentences or sentences < 1:
        raise RequestError(f"an exact interval needs 1 or more sentences and at most as many matches, found {matched:,} of {sentences:,}")
    outside = (1 - level) / 2
    low = float(betaincinv(matched, sentences - matched + 1, outside)) if matched else 0.0
    high = float(betainccinv(matched + 1, sentences - matched, outside)) if matched < sentences else 1.0
    return low, high


_MOST_GROUPS = 8
_FEWEST_SENTENCES = 10
"""In a group, unless it is the only one; the value of fewer is mostly chance."""


class LengthGroup(NamedTuple):
    """The values of systems for sentences of similar length."""

    shortest: int
    """Tokens of the shortest source sentence."""
    longest: int
    sentences: int
    values: tuple[float, ...]
    """One for each system, in their order; not a number where it is undefined."""


def score_by_length(evidence: Sequence[Evidence | HasEvidence]) -> list[LengthGroup]:
    """Score groups of sentences, from the shortest to the longest; systems of one corpus and metric are given as scores or evidence.

    The value of a group is that of the sum of its counts, as if it were a corpus; references are those chosen in the whole corpus.
    """
    import numpy as np

    items = collect_evidence(evidence)
    if not items:
        return []
    corpus = items[0].corpus
    if any(item.corpus is not corpus or item.metric != items[0].metric for item in items):
        raise UsageError("scores by length must be of one corpus and one metric")
    lengths = [len(sentence.tokens) for sentence in corpus]
    groups = _group_lengths(lengths)
    if not groups:
        return []
    number_of = {length: index for index, (first, last, _) in enumerate(groups) for length in range(first, last + 1)}
    members = np.array([number_of[length] for length in lengths])
    columns = []
    for item in items:
        matrix = item.matrix
        sums = np.array([matrix[members == index].sum(axis=0) for index in range(len(groups))])
        columns.append([float(value) for value in item.values(sums)])
    return [LengthGroup(*group, tuple(column[index] for column in columns)) for index, group in enumerate(groups)]


def _group_lengths(lengths: Iterable[int]) -> list[tuple[int, int, int]]:
    """Group lengths into the shortest and the longest of each group, and how many there are; equal lengths are never separated.

    >>> _group_lengths([*range(1, 21), 20, 20])
    [(1, 11, 11), (12, 20, 11)]
    """
    counts = sorted(Counter(lengths).items())
    total = sum(count for _, count in counts)
    wanted = max(1, min(_MOST_GROUPS, total // _FEWEST_SENTENCES))
    groups: list[tuple[int, int, int]] = []
    seen = in_groups = 0
    first = None
    for index, (length, count) in enumerate(counts):
        first = length if first is None else first
        seen += count
        following = counts[index + 1][1] if index + 1 < len(counts) else 0
        goal = total * (len(groups) + 1) / wanted
        is_near = seen >= goal or goal - seen <= seen + following - goal  # with the next length it would be further from the goal
        if not following or (is_near and min(seen - in_groups, total - seen) >= min(_FEWEST_SENTENCES, total // wanted)):
            groups.append((first, length, seen - in_groups))
            in_groups, first = seen, None
    return groups
