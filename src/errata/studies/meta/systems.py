"""How far the scores of systems by metrics correlate with their scores by people, and whether one metric correlates better."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any, NamedTuple

from errata.errors import RequestError, UsageError, suggest
from errata.settings import COEFFICIENTS, INTERVAL_METHODS, Coefficient, IntervalMethod
from errata.stats.bootstrap import Bootstrap
from errata.stats.intervals import compute_ends
from errata.studies.meta.scores import NO_INTERVALS, HumanScores, Replicates

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from errata.settings import Correction
    from errata.studies.meta.evaluation import MetaSettings
    from errata.studies.meta.scores import JudgedSentences, MetricScores, ScoreIntervals


if TYPE_CHECKING:
    _Array = NDArray[np.float64]

_NOTHING = 1e-12
"""Smaller differences, relative to the values, are rounding errors."""


def compute_many(coefficient: Coefficient, one: _Array, other: _Array) -> _Array:
    """Correlate the last axes of two arrays, which are broadcast against each other; tau is tau-b.

    A coefficient of a constant list is undefined (not a number).

    >>> import numpy as np
    >>> x, y = np.array([1.0, 2.0, 3.0, 4.0]), np.array([[1.0, 2.0, 4.0, 3.0], [4.0, 3.0, 2.0, 1.0]])
    >>> compute_many("kendall", x, y).round(4).tolist(), compute_many("spearman", x, y).round(4).tolist()
    ([0.6667, -1.0], [0.8, -1.0])
    """
    one, other = _without_rounding_errors(one), _without_rounding_errors(other)
    if coefficient == "kendall":
        return _compute_cosine(_compare_all(one), _compare_all(other))
    if coefficient == "spearman":
        from scipy.stats import rankdata

        one, other = rankdata(one, axis=-1), rankdata(other, axis=-1)
    return _compute_cosine(one - one.mean(axis=-1, keepdims=True), other - other.mean(axis=-1, keepdims=True))


def none_if_undefined(value: float) -> float | None:
    """Return None for what is not a number."""
    return None if value != value else value  # noqa: PLR0124 - NaN


def _without_rounding_errors(values: _Array) -> _Array:
    """Make lists constant that vary by no more than rounding errors."""
    import numpy as np

    largest = np.abs(values).max(axis=-1, keepdims=True)
    is_constant = np.ptp(values, axis=-1, keepdims=True) <= _NOTHING * largest
    scaled: _Array = np.where(is_constant, 0.0, np.divide(values, largest, out=np.zeros(values.shape), where=largest > 0))
    return scaled


def _compare_all(values: _Array) -> _Array:
    """List the signs of the differences of all pairs of values."""
    import numpy as np

    one, other = np.triu_indices(values.shape[-1], 1)
    signs: _Array = np.sign(values[..., one] - values[..., other])
    return signs


def _compute_cosine(one: _Array, other: _Array) -> _Array:
    import numpy as np

    below = np.sqrt((one**2).sum(axis=-1) * (other**2).sum(axis=-1))
    above = (one * other).sum(axis=-1)
    cosine: _Array = np.divide(above, below, out=np.full(below.shape, np.nan), where=below > 0)
    return np.clip(cosine, -1.0, 1.0)


# --- Draws of the true scores of systems, given noisy ones: a hierarchical model.
#
# Scores by people and by metrics are noisy, and noise lowers a correlation.  In a replicate of the bootstrap noise is added a second time,
# so the correlations of replicates are too low, and intervals made of them cover too little: 85% to 90% instead of 95% with 12 systems.
# Here the bootstrap says only how large the noise is (its covariances over systems and scores).  The true scores of the systems, people and
# metrics together, are draws from a normal distribution whose covariances are unknown.  Gibbs sampling gives draws of the true scores of
# these systems; the ends of an interval are quantiles of their correlations.
#
# Covariances of noise are estimates from some sentences and replicates.  Taken as known they make intervals too narrow, because the inverse
# of an estimated covariance matrix is too large, so noise has a t distribution (Sellentin and Heavens 2016): its scale is drawn too.
#
# The prior of the covariances between systems decides on which side an interval misses.  With the usual one (inverse Wishart with one
# degree of freedom more than there are lists) correlations of a given set of systems are pulled towards 1 and -1: their density is (1 -
# r²)^-3.  With minus as many degrees of freedom as lists, and hardly any scale, it is (1 - r²)^-1/2, which is flat in the angle between two
# lists, on whose scale noise has the same size everywhere.  With fewer than 2k + 1 systems for k lists there is no such distribution, so
# the usual prior is taken.

_DRAWS = 1_000
_CHAINS = 20
"""Independent chains, which are computed together."""
_BURN_IN = 50
_PRIOR_SCALE, _PRIOR_SCALE_OF_FEW = 0.01, 0.5
"""The scale of the prior of covariances, and that for few systems; scores have the variance 1."""
_EVENNESS = 0.5
"""How far covariances of noise are moved towards those with the same noise for all systems, from 0 to 1."""
_LEAST_NOISE = 1e-6
"""Variance of scores without noise, which keeps matrices regular."""


def _draw_true_scores(
    observed: Sequence[_Array], replicates: Sequence[_Array], sentences: int, seed: int = 0, draws: int = _DRAWS
) -> _Array | None:
    """Draw true scores, given lists of scores of systems and their replicates (rows): an array of draws, lists and systems.

    ``sentences`` is how many were resampled.  Scores are centred and scaled, which does not change correlations.  None if all systems have
    the same score in a list.
    """
    import numpy as np

    largest = [max(float(np.abs(own).max()), np.finfo(float).tiny) for own in observed]  # so that no square overflows
    scores = np.array([own / size for own, size in zip(observed, largest, strict=True)])
    replicates = [own / size for own, size in zip(replicates, largest, strict=True)]
    lists, systems = scores.shape
    scales = scores.std(axis=1, ddof=1)
    if not (scales > 0).all() or not np.isfinite(scores).all():
        return None
    contrasts = _make_contrasts(systems)
    noise = np.concatenate([own / scale @ contrasts for own, scale in zip(replicates, scales, strict=True)], axis=1)
    noise = noise[np.isfinite(noise).all(axis=1)]
    if len(noise) <= noise.shape[1]:
        return None
    covariances = np.cov(noise.T)
    size = int(np.count_nonzero(np.diag(covariances) > _LEAST_NOISE**2))  # scores without noise have no covariances to estimate
    known = _count_known(sentences, len(noise))
    freedom = max(known - size + 1, 1.0)
    precision = np.linalg.inv(_even_out(covariances, lists) * (known / freedom) + _LEAST_NOISE * np.eye(len(covariances)))
    seen = scores / scales[:, None] @ contrasts
    random = np.random.default_rng(seed)
    true, found = np.tile(seen, (_CHAINS, 1, 1)), []
    for step in range(_BURN_IN + -(-draws // _CHAINS)):
        apart = (seen - true).reshape(_CHAINS, -1)
        distances = np.einsum("ci,ij,cj->c", apart, precision, apart)
        scale = 2 * random.standard_gamma((freedom + len(precision)) / 2, _CHAINS) / (freedom + distances)
        within = scale[:, None, None] * precision
        blocks = within.reshape(_CHAINS, lists, systems - 1, lists, systems - 1)
        np.einsum("cisjs->csij", blocks)[...] += _draw_precisions(true, random)[:, None]
        factor = np.linalg.cholesky(within)
        noisy = scale[:, None] * (precision @ seen.ravel()) + (factor @ random.standard_normal((_CHAINS, len(precision), 1)))[..., 0]
        true = np.linalg.solve(within, noisy[..., None]).reshape(true.shape)
        if step >= _BURN_IN:
            found.append(true)
    return np.concatenate(found)[:draws] @ contrasts.T


def _count_known(sentences: int, replicates: int) -> float:
    """Count the degrees of freedom of covariances of noise, which are estimated from sentences by replicates, and then evened out."""
    estimated = 1 / (1 / max(sentences - 1, 1) + 1 / max(replicates - 1, 1))
    return estimated / (1 - _EVENNESS)


def _even_out(covariances: _Array, lists: int) -> _Array:
    """Move covariances of noise towards those with the same noise for all systems, which few sentences estimate better."""
    import numpy as np

    size = len(covariances) // lists
    mean = np.einsum("isjs->ij", covariances.reshape(lists, size, lists, size)) / size
    return (1 - _EVENNESS) * covariances + _EVENNESS * np.kron(mean, np.eye(size))


def _make_contrasts(systems: int) -> _Array:
    """Make an orthonormal basis (columns) of all differences of systems."""
    import numpy as np

    start = np.column_stack([np.ones(systems), np.eye(systems)[:, 1:]])
    basis: _Array = np.linalg.qr(start)[0][:, 1:]
    return basis


def _choose_prior(lists: int, size: int) -> tuple[int, float]:
    """Choose the degrees of freedom of covariances between systems, given their scores, and the scale of the prior."""
    if size >= 2 * lists:
        return size - lists, _PRIOR_SCALE
    return size + lists + 1, _PRIOR_SCALE_OF_FEW


def _draw_precisions(true: _Array, random: np.random.Generator) -> _Array:
    """Draw the inverse of the covariances between systems for each chain; it is Wishart (Bartlett's decomposition)."""
    import numpy as np

    chains, lists, size = true.shape
    freedom, scale = _choose_prior(lists, size)
    factor = np.linalg.cholesky(np.linalg.inv(scale * np.eye(lists) + true @ true.swapaxes(1, 2)))
    draw = np.tril(random.standard_normal((chains, lists, lists)), -1)
    diagonal = np.arange(lists)
    draw[:, diagonal, diagonal] = np.sqrt(random.chisquare(freedom - diagonal, (chains, lists)))
    root = factor @ draw
    precisions: _Array = root @ root.swapaxes(1, 2)
    return precisions


# --- Whether one metric correlates better with people than another, on the same systems.
#
# Williams' test (Williams 1959; Steiger 1980) is for two correlations that share a variable.  The permutation test swaps the scores of the
# two metrics for some systems, in all ways or at random (Deutsch et al. 2021): z-scores for Pearson's r, ranks for the others, because
# metrics have different scales.  For Pearson's r what is compared is not the difference but Williams' t, which divides it by its spread:
# with differences the test rejects too often (8% instead of 5% with 8 systems), because z-scores are not exchangeable.

_FEWEST_SYSTEMS = 4
"""The fewest systems that Williams' test takes."""
_MOST_NEEDED = 10_000
"""Beyond so many systems nobody asks how many are needed."""
_EXACT_UP_TO = 13
_LARGE = 1e12
"""Stands for a t without a spread, times the difference."""
_AS_FAR = 1e-9
"""Differences that are smaller by this share are equal, but for rounding errors."""
_NO_DIFFERENCE = 1e-12
"""Smaller differences of correlations are rounding errors."""


def _compute_williams_p(one: float, other: float, between: float, systems: int) -> float | None:
    """Compute the two-sided p of Williams' test: two correlations with a shared variable, and the correlation between the other two.

    None if there are too few systems, or if the three cannot occur together.

    >>> round(_compute_williams_p(0.4, 0.2, 0.3, 103), 4)
    0.0697
    """
    from scipy.special import stdtr

    if systems < _FEWEST_SYSTEMS or not all(map(math.isfinite, (one, other, between))):
        return None
    if abs(one - other) <= _NO_DIFFERENCE:
        return 1.0
    determinant = 1 - one**2 - other**2 - between**2 + 2 * one * other * between
    spread = 2 * (systems - 1) / (systems - 3) * max(determinant, 0.0) + (one + other) ** 2 / 4 * (1 - between) ** 3
    if spread <= 0:
        return None
    t = (one - other) * math.sqrt((systems - 1) * (1 + between) / spread)
    return float(2 * stdtr(systems - 3, -abs(t)))


def _count_needed_systems(one: float, other: float, between: float, systems: int, alpha: float = 0.05) -> int | None:
    """Count the systems with which Williams' test would be significant if correlations stayed the same; None if it needs more than 10,000.

    >>> _count_needed_systems(0.7, 0.6, 0.8, 12)
    84
    """

    def is_enough(count: int) -> bool:
        p = _compute_williams_p(one, other, between, count)
        return p is not None and p < alpha

    if is_enough(systems):
        return systems
    low, high = systems, systems
    while not is_enough(high):
        if high >= _MOST_NEEDED:
            return None
        low, high = high, min(2 * high, _MOST_NEEDED)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if is_enough(middle) else (middle, high)
    return high


def _compute_permutation_p(
    coefficient: Coefficient, human: _Array, one: _Array, other: _Array, replicates: int = 10_000, seed: int = 0
) -> float | None:
    """Compute the two-sided p of swapping the scores of two metrics; exact for up to 13 systems.

    None if a correlation is undefined.

    >>> import numpy as np
    >>> human = np.arange(6.0)
    >>> _compute_permutation_p("pearson", human, human, np.array([5.0, 0, 4, 1, 3, 2]))
    0.0625
    """
    import numpy as np

    if np.isnan([compute_many(coefficient, own, human) for own in (one, other)]).any():
        return None
    one, other = _to_one_scale(coefficient, one), _to_one_scale(coefficient, other)
    systems = len(human)
    exact = systems <= _EXACT_UP_TO
    if exact:  # swapping all systems is swapping the metrics, which changes only the sign
        numbers = np.arange(1 << (systems - 1))
        swapped = (numbers[:, None] >> np.arange(systems)) & 1 == 1
    else:
        swapped = np.random.default_rng(seed).random((replicates, systems)) < 0.5  # noqa: PLR2004 - a coin
    first, second = np.where(swapped, other, one), np.where(swapped, one, other)
    differences = _measure_distance(coefficient, human, first, second)
    observed = float(_measure_distance(coefficient, human, one, other))
    if math.isnan(observed):
        return None
    as_far = int(np.sum(~(differences < observed * (1 - _AS_FAR))))  # what is undefined counts as far
    return as_far / len(differences) if exact else (as_far + 1) / (replicates + 1)


def _measure_distance(coefficient: Coefficient, human: _Array, one: _Array, other: _Array) -> _Array:
    """Measure how far apart the correlations of two metrics with people are: Williams' t for Pearson's r, else the difference."""
    import numpy as np

    r, s = (compute_many(coefficient, own, human) for own in (one, other))
    apart = np.asarray(np.abs(r - s))
    if coefficient != "pearson" or len(human) < _FEWEST_SYSTEMS:
        return apart
    between = compute_many(coefficient, one, other)
    determinant = np.maximum(1 - r**2 - s**2 - between**2 + 2 * r * s * between, 0.0)
    systems = len(human)
    spread = 2 * (systems - 1) / (systems - 3) * determinant + (r + s) ** 2 / 4 * (1 - between) ** 3
    with np.errstate(divide="ignore", invalid="ignore"):
        t: _Array = np.divide(apart * np.sqrt(1 + between), np.sqrt(spread), out=np.asarray(0 * apart), where=apart > _NO_DIFFERENCE)
    return np.where(1 + between <= _NO_DIFFERENCE, _LARGE * apart, t)  # 0/0: one metric is the reverse of the other


def _to_one_scale(coefficient: Coefficient, values: _Array) -> _Array:
    import numpy as np
    from scipy.stats import rankdata

    if coefficient != "pearson":
        ranks: _Array = rankdata(values)
        return ranks
    values = values / np.abs(values).max()  # so that no square overflows
    spread = float(np.std(values))
    return (values - values.mean()) / spread if spread > 0 else np.zeros(len(values))


_IntervalEnds = tuple[float | None, float | None]
"""The ends of an interval; None if they are unknown."""
_ROUNDING = 1e-12
_UNKNOWN: _IntervalEnds = (None, None)


class MetaIntervals(NamedTuple):
    """How intervals are computed."""

    level: float = 0.95
    replicates: int = 1_000
    seed: int = 0
    method: IntervalMethod = "hierarchical"

    @property
    def bootstrap(self) -> Bootstrap:
        """The settings of resampling."""
        if self.method not in INTERVAL_METHODS:
            raise UsageError(f"unknown kind of interval {self.method!r}; choose from {', '.join(INTERVAL_METHODS)}")
        return Bootstrap(self.level, "percentile" if self.method == "percentile" else "bca", self.replicates, self.seed)


class _SetIntervals:
    """Makes the intervals of correlations on a set of systems, from replicates of these and perhaps others."""

    def __init__(self, replicates: Replicates, kept: Sequence[int], settings: MetaIntervals) -> None:
        self._replicates, self._kept, self._settings, self._bootstrap = replicates, list(kept), settings, settings.bootstrap
        self._true_scores: dict[tuple[int, ...], Any] = {}

    def find_ends(self, coefficient: Coefficient, metrics: Sequence[int], observed: Sequence[_Array]) -> _IntervalEnds:
        """Find the ends for one metric, or for the difference of two; ``observed`` are the scores by people, then by these metrics."""
        value = float(_measure(coefficient, observed))
        if math.isnan(value):
            return _UNKNOWN
        lists = [self._replicates.human, *(self._replicates.metrics[index] for index in metrics)]
        if self._settings.method == "hierarchical":
            return self._find_hierarchical(coefficient, tuple(metrics), observed, [own.values[:, self._kept] for own in lists])
        drawn, without = (_measure(coefficient, [own[index][:, self._kept] for own in lists]) for index in (0, 1))
        interval = compute_ends(drawn, self._bootstrap, value, without)
        return (interval.low, interval.high) if math.isfinite(interval.low) else _UNKNOWN

    def _find_hierarchical(
        self, coefficient: Coefficient, key: tuple[int, ...], observed: Sequence[_Array], drawn: Sequence[_Array]
    ) -> _IntervalEnds:
        import numpy as np

        if key not in self._true_scores:
            draws = max(_DRAWS, self._settings.replicates)
            lists = [self._replicates.human, *(self._replicates.metrics[index] for index in key)]
            sentences = _count_varying_sentences(observed, [own.without_one[:, self._kept] for own in lists])
            self._true_scores[key] = _draw_true_scores(observed, drawn, sentences, self._settings.seed, draws)
        true = self._true_scores[key]
        if true is None:
            return _UNKNOWN
        outside = (1 - self._settings.level) / 2
        # Of n draws, a further one is between the k-th smallest and the k-th largest with a chance of 1 - 2k/(n + 1): Weibull's quantiles.
        measured = _measure(coefficient, list(np.swapaxes(true, 0, 1)))
        low, high = np.quantile(measured, [outside, 1 - outside], method="weibull").tolist()
        return low, high


def _count_varying_sentences(observed: Sequence[_Array], without_one: Sequence[_Array]) -> int:
    """Count the sentences that change scores if they are left out, of the list with the fewest; constant lists have none."""
    import numpy as np

    near = [_ROUNDING * max(float(np.abs(scores).max()), np.finfo(float).tiny) for scores in observed]
    moved = [np.abs(rows - scores).max(axis=1) > least for scores, rows, least in zip(observed, without_one, near, strict=True)]
    counts = [int(np.count_nonzero(own)) for own in moved]
    return min((count for count in counts if count), default=0)


def _measure(coefficient: Coefficient, lists: Sequence[_Array]) -> _Array:
    """Correlate the second list with the first; if there is a third, subtract its correlation with the first."""
    people, *metrics = lists
    values = [compute_many(coefficient, own, people) for own in metrics]
    return values[0] if len(values) == 1 else values[0] - values[1]


OUTLIERS = "outliers"
"""Stands for all outliers, instead of the name of a system."""
_ALL = "all"


@dataclass(frozen=True)
class SystemSet:
    """Systems with a name for the set."""

    name: str
    systems: tuple[str, ...]

    def find_indices(self, systems: Sequence[str]) -> list[int]:
        """Find the places of the systems among others."""
        return [systems.index(name) for name in self.systems]


def _make_sets(systems: Sequence[str], without: Sequence[str], human: HumanScores) -> list[SystemSet]:
    """Make the set of all systems, and for each list of names, separated by commas, the set without these.

    >>> [own.systems for own in _make_sets(["a", "b", "c"], ["b,c"], HumanScores("people", {}))]
    [('a', 'b', 'c'), ('a',)]
    """
    sets = [SystemSet(_ALL, tuple(systems))]
    for given in without:
        names = [name.strip() for name in given.split(",") if name.strip()]
        left_out: set[str] = set()
        for name in names:
            if name in systems:
                left_out.add(name)
            elif name == OUTLIERS:
                left_out.update(human.find_outliers(systems))
            else:
                raise UsageError(f"--without {name!r}: there is no such system; there are {', '.join(systems)}{suggest(name, systems)}")
        if not names:
            raise UsageError("--without needs names of systems, separated by commas, or outliers")
        sets.append(SystemSet(f"without {', '.join(names)}", tuple(system for system in systems if system not in left_out)))
    return sets


class WindowCorrelation(NamedTuple):
    """The correlation of a metric with people on neighbours in the ranking by people; None if all have the same score."""

    metric: str
    size: int
    first_rank: int
    last_rank: int
    pearson: float | None
    spearman: float | None
    kendall: float | None
    systems: tuple[str, ...]


def _correlate_windows(
    human: HumanScores, metrics: Iterable[MetricScores], systems: Sequence[str], sizes: Iterable[int]
) -> list[WindowCorrelation]:
    """Correlate every metric with people in every window: a run of neighbours in the ranking by people (Kobayashi et al. 2024).

    Systems with the same score by people stand in the order of names.
    """
    from errata.stats.correlation import FEWEST

    order = sorted(systems, key=lambda name: (-human.values[name], name))
    found = []
    kept = list(metrics)
    for size in dict.fromkeys(sizes):
        if not FEWEST <= size <= len(order):
            raise RequestError(f"a window must have from {FEWEST} to {len(order)} systems here, found {size}")
        for metric in kept:
            for first in range(len(order) - size + 1):
                names = order[first : first + size]
                values, by_people = metric.list_values(names), human.list_values(names)
                r, rho, tau = (float(compute_many(kind, values, by_people)) for kind in ("pearson", "spearman", "kendall"))
                found.append(
                    WindowCorrelation(
                        metric.name,
                        size,
                        first + 1,
                        first + size,
                        none_if_undefined(r),
                        none_if_undefined(rho),
                        none_if_undefined(tau),
                        tuple(names),
                    )
                )
    return found


# How far the scores of systems by metrics correlate with their scores by people, and whether one metric correlates better.  There are two
# kinds of intervals.  Those over sentences keep the systems, and resample sentences with their outputs and judgments: they say what other
# sentences would give.  Those over systems say what other systems would give; they need no resampling, and are much wider.  For r and rho
# they are by Fisher's transformation, with the variance of Bonett and Wright (2000) for rho.  For tau they are all values that a test would
# not reject, with the variance of tau in a normal distribution (Esscher 1924): with the transformation and the variance of Fieller et al.
# (1957), 95% intervals of large taus cover 89% to 93%.

_FEWEST_FOR_R = 4
"""The fewest systems with an interval over systems, for r and rho."""
_FEWEST_FOR_TAU = 5


class SystemCorrelation(NamedTuple):
    """The correlation of a metric with people on a set of systems; ends are None if they are unknown."""

    metric: str
    systems: str
    """The name of the set."""
    size: int
    """How many systems it has."""
    coefficient: Coefficient
    value: float | None
    low: float | None
    high: float | None
    """The interval over sentences."""
    systems_low: float | None
    systems_high: float | None
    """The interval over systems."""


class MetricComparison(NamedTuple):
    """Whether one metric correlates better with people than another, on a set of systems; p-values are corrected."""

    metric: str
    other: str
    systems: str
    size: int
    coefficient: Coefficient
    difference: float | None
    low: float | None
    high: float | None
    """The interval of the difference over sentences."""
    williams: float | None
    """None for rho, for which this test rejects too often, and for tau, for which it rejects too rarely."""
    permutation: float | None
    between: float | None
    """The correlation of the two metrics."""
    needed: int | None
    """With how many systems Williams' test would be significant; None if it is, or if it would need more than 10,000."""


def _compute_interval_over_systems(coefficient: Coefficient, value: float, systems: int, level: float) -> tuple[float, float] | None:
    """Compute the interval of a correlation if systems were drawn at random; None for too few, or if r or rho is 1 or -1.

    >>> [round(end, 4) for end in _compute_interval_over_systems("pearson", 0.7, 12, 0.95)]
    [0.2108, 0.9088]
    >>> [round(end, 4) for end in _compute_interval_over_systems("kendall", 1.0, 12, 0.95)]
    [0.8375, 1.0]
    """
    from scipy.special import ndtri

    quantile = float(ndtri((1 + level) / 2))
    if coefficient == "kendall":
        if systems < _FEWEST_FOR_TAU or not abs(value) <= 1:
            return None
        return _find_smallest_tau(value, systems, quantile), -_find_smallest_tau(-value, systems, quantile)
    if systems < _FEWEST_FOR_R or not abs(value) < 1 - _ROUNDING:
        return None
    reach = quantile * math.sqrt((1 + value**2 / 2 if coefficient == "spearman" else 1) / (systems - 3))
    return math.tanh(math.atanh(value) - reach), math.tanh(math.atanh(value) + reach)


def _find_smallest_tau(value: float, systems: int, quantile: float) -> float:
    """Find the smallest tau from which so large a value is not too far."""
    low, high = -1.0, value
    for _ in range(60):
        middle = (low + high) / 2
        if value - middle > quantile * _compute_deviation_of_tau(middle, systems):
            low = middle
        else:
            high = middle
    return high


def _compute_deviation_of_tau(tau: float, systems: int) -> float:
    """Compute the standard deviation of Kendall's tau of some systems, drawn from a normal distribution with this tau."""
    half = 2 / math.pi * math.asin(math.sin(math.pi * tau / 2) / 2)
    variance = 2 / (systems * (systems - 1)) * (1 - tau**2 + 2 * (systems - 2) * (1 / 9 - half**2))
    return math.sqrt(max(variance, 0.0))


def _correlate_with_people(
    human: HumanScores, metrics: Sequence[MetricScores], own_set: SystemSet, level: float = 0.95, maker: _SetIntervals | None = None
) -> list[SystemCorrelation]:
    """Correlate every metric with people on a set of systems, by every coefficient; ``maker`` makes intervals over sentences."""
    _check_size(own_set)
    by_people = human.list_values(own_set.systems)
    found = []
    for index, metric in enumerate(metrics):
        values = metric.list_values(own_set.systems)
        for coefficient in COEFFICIENTS:
            value = float(compute_many(coefficient, values, by_people))
            ends: _IntervalEnds = (None, None)
            if maker is not None and (human.varies or metric.varies):
                ends = maker.find_ends(coefficient, [index], [by_people, values])
            over_systems = _compute_interval_over_systems(coefficient, value, len(values), level) or (None, None)
            found.append(
                SystemCorrelation(metric.name, own_set.name, len(values), coefficient, none_if_undefined(value), *ends, *over_systems)
            )
    return found


def _compare_metrics(  # noqa: PLR0913 - the last ones are given by name
    human: HumanScores,
    metrics: Sequence[MetricScores],
    own_set: SystemSet,
    maker: _SetIntervals | None = None,
    *,
    coefficient: Coefficient = "pearson",
    correction: Correction = "holm",
    alpha: float = 0.05,
    seed: int = 0,
) -> list[MetricComparison]:
    """Compare all pairs of metrics on a set of systems."""
    _check_size(own_set)
    by_people = human.list_values(own_set.systems)
    count = len(own_set.systems)
    pairs = list(combinations(range(len(metrics)), 2))
    lists = [metric.list_values(own_set.systems) for metric in metrics]
    with_people = [float(compute_many(coefficient, own, by_people)) for own in lists]
    between = {pair: float(compute_many(coefficient, lists[pair[0]], lists[pair[1]])) for pair in pairs}
    tests: list[float | None] = [None] * len(pairs)
    if coefficient == "pearson":
        tests = [_compute_williams_p(with_people[one], with_people[other], between[one, other], count) for one, other in pairs]
    williams = _correct(tests, correction)
    swaps = [_compute_permutation_p(coefficient, by_people, lists[one], lists[other], seed=seed) for one, other in pairs]
    found = []
    for (one, other), p, permutation in zip(pairs, williams, _correct(swaps, correction), strict=True):
        ends: _IntervalEnds = (None, None)
        if maker is not None and (human.varies or metrics[one].varies or metrics[other].varies):
            ends = maker.find_ends(coefficient, [one, other], [by_people, lists[one], lists[other]])
        needed = None
        if p is not None and p >= alpha:
            needed = _count_needed_systems(with_people[one], with_people[other], between[one, other], count, alpha)
        difference = none_if_undefined(with_people[one] - with_people[other])
        names = (metrics[one].name, metrics[other].name, own_set.name, count, coefficient)
        needed = needed if needed is not None and needed > count else None
        found.append(MetricComparison(*names, difference, *ends, p, permutation, none_if_undefined(between[one, other]), needed))
    return found


def _check_size(own_set: SystemSet) -> None:
    """Raise if a set has too few systems."""
    from errata.stats.correlation import FEWEST

    if len(own_set.systems) < FEWEST:
        raise RequestError(f"a correlation needs {FEWEST} systems or more, found {len(own_set.systems)} ({own_set.name})")


def _correct(values: Sequence[float | None], correction: Correction) -> list[float | None]:
    from errata.stats.comparison import correct_p

    known = iter(correct_p([value for value in values if value is not None], correction))
    return [None if value is None else next(known) for value in values]


class SystemResults(NamedTuple):
    """What the level of systems says of all metrics."""

    sets: list[SystemSet]
    correlations: list[SystemCorrelation]
    comparisons: list[MetricComparison]
    windows: list[WindowCorrelation]
    score_intervals: ScoreIntervals


def compare_systems(
    human: HumanScores,
    metrics: Sequence[MetricScores],
    systems: Sequence[str],
    judged: JudgedSentences | None,
    settings: MetaSettings,
    progress: Callable[[int], None] | None,
) -> SystemResults:
    """Correlate all metrics with people, and compare them, on every set of systems and in every window."""
    sets = _make_sets(systems, settings.without, human)
    windows = _correlate_windows(human, metrics, systems, settings.windows)
    makers, of_scores = _make_intervals(human, metrics, systems, sets, judged, settings, progress)
    level = settings.intervals.level if settings.intervals is not None else settings.level
    how: dict[str, Any] = {"coefficient": settings.coefficient, "correction": settings.correction, "alpha": settings.alpha}
    correlations, comparisons = [], []
    for own_set, maker in zip(sets, makers, strict=True):
        correlations += _correlate_with_people(human, metrics, own_set, level, maker)
        comparisons += _compare_metrics(human, metrics, own_set, maker, seed=settings.intervals.seed if settings.intervals else 0, **how)
    return SystemResults(sets, correlations, comparisons, windows, of_scores)


def _make_intervals(
    human: HumanScores,
    metrics: Sequence[MetricScores],
    systems: Sequence[str],
    sets: Sequence[SystemSet],
    judged: JudgedSentences | None,
    settings: MetaSettings,
    progress: Callable[[int], None] | None,
) -> tuple[list[_SetIntervals | None], ScoreIntervals]:
    varying = [scores.evidence for scores in metrics if scores.evidence is not None]
    sentences = len(judged.places) if judged is not None else next(iter(varying[0].values())).size if varying else 0
    if settings.intervals is None or not (human.varies or varying):
        return [None] * len(sets), NO_INTERVALS
    if sentences < 2:  # noqa: PLR2004 - one has no variance
        raise RequestError(f"intervals need two sentences or more, found {sentences}")
    bootstrap = settings.intervals.bootstrap
    replicates = Replicates.of(human, metrics, systems, sentences, bootstrap, progress=progress)
    makers = [_SetIntervals(replicates, own_set.find_indices(systems), settings.intervals) for own_set in sets]
    return [*makers], replicates.find_intervals(human, metrics, systems, bootstrap.level)
