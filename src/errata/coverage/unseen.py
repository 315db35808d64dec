"""UnseenEst (Zou et al. 2015): how many corrections a sentence has, and how probable each is, from a sample of answers.

Frequency counts say how many corrections were given once, twice, and so on.  Of all distributions over a grid of probabilities, a
linear program finds the one whose expected frequency counts are closest to the observed ones.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from errata.errors import InputError, RequestError, pluralise

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_GRID_STEP = 1.05
_GRID_START = 100
"""The smallest probability is 1 / (this · number of answers)."""
MOST_VARIANTS = 65e6
"""The most corrections that a sentence may have."""
_FEWEST_ANSWERS = 2
_MOST_FREQUENT = 4_000
"""How often the most frequent correction may be given; the program grows with it."""


def count_frequencies(counts: Iterable[int]) -> tuple[int, ...]:
    """Count how many corrections were given once, twice, ..., as often as the most frequent one.

    >>> count_frequencies([3, 1, 1])
    (2, 0, 1)
    """
    times = list(counts)
    for number in times:
        if not isinstance(number, int) or isinstance(number, bool) or number < 1:
            raise InputError(f"the frequency of a correction must be a whole number from 1, found {number!r}")
    frequencies = [0] * max(times, default=0)
    for number in times:
        frequencies[number - 1] += 1
    return tuple(frequencies)


@dataclass(frozen=True)
class Distribution:
    """The number of corrections for each probability."""

    frequencies: Any
    """Probabilities, from small to large."""
    variants: Any
    """The expected number of corrections with each probability; not a whole number."""
    objective: float = 0.0
    """The distance between expected and observed frequency counts."""

    def number_above(self, frequency: float = 0.0) -> float:
        """Compute the number of corrections that are more probable than this."""
        return float(self.variants[self.frequencies > frequency].sum())

    def mass_above(self, frequency: float = 0.0) -> float:
        """Compute the total probability of these corrections."""
        kept = self.frequencies > frequency
        return float(self.frequencies[kept] @ self.variants[kept])

    def coverage(self, references: float) -> float:
        """Compute the probability that an answer is among so many references, sampled like it, with repetitions."""
        return float(self.variants @ (self.frequencies * -_power_less_one(self.frequencies, references)))

    def coverage_of_distinct(self, references: int) -> float:
        """Compute the same for distinct references: with as many draws as give so many distinct ones on average."""
        if references >= self.variants.sum():
            return 1.0
        draws = _draws_for(self, references)
        return self.coverage(draws)


def _power_less_one(frequencies: Any, draws: float) -> Any:
    """Compute (1 - x)^draws - 1, accurate for small x."""
    import numpy as np

    if draws == 0:
        return np.zeros_like(frequencies)
    with np.errstate(divide="ignore"):
        return np.expm1(draws * np.log1p(-np.minimum(frequencies, 1.0)))


def _draws_for(distribution: Distribution, references: int) -> float:
    """Compute how many draws give so many distinct corrections on average."""
    from scipy.optimize import brentq

    def missing(draws: float) -> float:
        return references + float(distribution.variants @ _power_less_one(distribution.frequencies, draws))

    high = float(references)
    while missing(high) > 0:
        high *= 2
    return float(brentq(missing, 0.0, high, xtol=1e-9))


def _binomial(times: Any, answers: int, chances: Any) -> Any:
    """Compute the probability to be given so often."""
    import numpy as np
    from scipy.special import gammaln, xlog1py, xlogy

    ways = gammaln(answers + 1) - gammaln(times + 1) - gammaln(np.maximum(answers - times, 0) + 1)
    probabilities = np.exp(ways + xlogy(times, chances) + xlog1py(answers - times, -chances))
    return np.where(times <= answers, probabilities, 0.0)


def estimate(frequency_counts: Sequence[int], name: str = "", trials: int | None = None) -> Distribution:
    """Estimate the distribution whose expected frequency counts are closest to the observed ones; ``name`` is for messages.

    ``trials`` is how often each variant could have been seen (default the number of answers).  It differs if one trial has many
    variants, such as a genome, whose probabilities do not sum to 1.

    >>> round(estimate((15, 2, 1, 0, 1, 1, 1, 0, 0, 1)).mass_above(0.1), 2)
    0.6
    """
    import numpy as np
    from scipy import sparse
    from scipy.optimize import linprog

    where = f"{name}: " if name else ""
    answers = sum(times * number for times, number in enumerate(frequency_counts, start=1))
    if answers < _FEWEST_ANSWERS:
        raise RequestError(f"{where}a distribution cannot be estimated from {pluralise(answers, 'answer')}")
    if len(frequency_counts) > _MOST_FREQUENT:
        raise RequestError(f"{where}a correction may be given at most {_MOST_FREQUENT:,} times, found {len(frequency_counts):,}")
    trials = answers if trials is None else trials
    seen = np.array([*frequency_counts, *[0] * int(np.ceil(np.sqrt(len(frequency_counts))))], dtype=float)
    smallest, largest = 1 / (_GRID_START * trials), len(frequency_counts) / trials
    steps = int(np.ceil(np.log(largest / smallest) / np.log(_GRID_STEP) - 1e-9))
    grid = np.minimum(1.0, smallest * _GRID_STEP ** np.arange(steps + 1))
    # The unknowns are masses, not numbers of corrections, so that all have the same magnitude.
    times = np.arange(1, len(seen) + 1)
    expected = _binomial(times[:, None], trials, grid[None, :]) / grid[None, :]
    size, count = len(grid), len(seen)
    weights = 1 / np.sqrt(seen + 1)
    difference = sparse.vstack([sparse.eye_array(count), sparse.csc_array((1, count))])  # as matrices they would grow with the square
    equal = sparse.hstack([sparse.csc_array(np.vstack([expected, np.ones(size)])), difference, -difference], format="csc")
    limit = np.concatenate([1 / grid, np.zeros(2 * count)])[None, :]
    solution = linprog(
        np.concatenate([np.zeros(size), weights, weights]),
        A_ub=limit,
        b_ub=[MOST_VARIANTS],
        A_eq=equal,
        b_eq=[*seen, answers / trials],
        method="highs",
    )
    if not solution.success:
        raise RequestError(f"{where}no distribution was found: {solution.message}")
    masses = solution.x[:size]
    return Distribution(grid, masses / grid, float(solution.fun))
