"""How many corrections a sentence has, and how probable each is, from the few that were collected.

UnseenEst (Zou et al. 2016): of all distributions over a grid of probabilities, the one whose expected fingerprint is nearest to
the fingerprint that was seen, a linear program.  The fingerprint says how many corrections were given once, twice, and so on.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from errata.errors import InputError, RequestError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_GRID_STEP = 1.05
_GRID_START = 100
"""The smallest probability is one over so many times the number of answers."""
MOST_VARIANTS = 65e6
"""Corrections that a sentence may have at most."""
_FEWEST_ANSWERS = 2
_LONGEST_FINGERPRINT = 4_000
"""The most frequent correction may be given so often; the program grows with the square of it."""


def count_frequencies(counts: Iterable[int]) -> tuple[int, ...]:
    """How many corrections were given once, twice, ..., as often as the most frequent one.

    >>> count_frequencies([3, 1, 1])
    (2, 0, 1)
    """
    times = list(counts)
    for number in times:
        if not isinstance(number, int) or isinstance(number, bool) or number < 1:
            raise InputError(f"a correction was given once or more often, a whole number, found {number!r}")
    frequencies = [0] * max(times, default=0)
    for number in times:
        frequencies[number - 1] += 1
    return tuple(frequencies)


@dataclass(frozen=True)
class Distribution:
    """How many corrections have which probability."""

    frequencies: Any
    """Probabilities, from small to large."""
    variants: Any
    """How many corrections have each; not whole, for they are expected numbers."""
    objective: float = 0.0
    """How far the expected fingerprint is from the one that was seen."""

    def number_above(self, frequency: float = 0.0) -> float:
        """How many corrections are more probable than this."""
        return float(self.variants[self.frequencies > frequency].sum())

    def mass_above(self, frequency: float = 0.0) -> float:
        """How probable these are together."""
        kept = self.frequencies > frequency
        return float(self.frequencies[kept] @ self.variants[kept])

    def coverage(self, references: float) -> float:
        """How probable it is that a correction is among so many references, drawn like it, with repetitions."""
        return float(self.variants @ (self.frequencies * -_power_less_one(self.frequencies, references)))

    def coverage_of_distinct(self, references: int) -> float:
        """The same where no two references are equal: after as many draws as give so many different ones on average."""
        if references >= self.variants.sum():
            return 1.0
        draws = _draws_for(self, references)
        return self.coverage(draws)


def _power_less_one(frequencies: Any, draws: float) -> Any:
    """(1 - x)^draws - 1, exact for small x."""
    import numpy as np

    if draws == 0:
        return np.zeros_like(frequencies)
    with np.errstate(divide="ignore"):
        return np.expm1(draws * np.log1p(-np.minimum(frequencies, 1.0)))


def _draws_for(distribution: Distribution, references: int) -> float:
    """How many draws give so many different corrections on average."""
    from scipy.optimize import brentq

    def missing(draws: float) -> float:
        return references + float(distribution.variants @ _power_less_one(distribution.frequencies, draws))

    high = float(references)
    while missing(high) > 0:
        high *= 2
    return float(brentq(missing, 0.0, high, xtol=1e-9))


def _binomial(times: Any, answers: int, chances: Any) -> Any:
    """How probable it is to be given so often."""
    import numpy as np
    from scipy.special import gammaln, xlog1py, xlogy

    ways = gammaln(answers + 1) - gammaln(times + 1) - gammaln(np.maximum(answers - times, 0) + 1)
    probabilities = np.exp(ways + xlogy(times, chances) + xlog1py(answers - times, -chances))
    return np.where(times <= answers, probabilities, 0.0)


def estimate(fingerprint: Sequence[int], name: str = "", trials: int | None = None) -> Distribution:
    """The distribution whose expected fingerprint is nearest to the one that was seen; ``name`` is for messages.

    ``trials`` is how often each variant could have been seen, where that is not the number of answers: every answer is one
    correction, but a genome has many variants, and their probabilities do not add up to 1.

    >>> round(estimate((15, 2, 1, 0, 1, 1, 1, 0, 0, 1)).mass_above(0.1), 2)
    0.6
    """
    import numpy as np
    from scipy.optimize import linprog

    where = f"{name}: " if name else ""
    answers = sum(times * number for times, number in enumerate(fingerprint, start=1))
    if answers < _FEWEST_ANSWERS:
        raise RequestError(f"{where}a distribution cannot be estimated from {answers} correction{'s' if answers != 1 else ''}")
    if len(fingerprint) > _LONGEST_FINGERPRINT:
        raise RequestError(
            f"{where}one correction was given {len(fingerprint):,} times, and the program takes {_LONGEST_FINGERPRINT:,} at most"
        )
    trials = answers if trials is None else trials
    seen = np.array([*fingerprint, *[0] * int(np.ceil(np.sqrt(len(fingerprint))))], dtype=float)
    smallest, largest = 1 / (_GRID_START * trials), len(fingerprint) / trials
    steps = int(np.ceil(np.log(largest / smallest) / np.log(_GRID_STEP) - 1e-9))
    grid = np.minimum(1.0, smallest * _GRID_STEP ** np.arange(steps + 1))
    # Masses rather than numbers of corrections are the unknowns, so that all are of one size.
    times = np.arange(1, len(seen) + 1)
    expected = _binomial(times[:, None], trials, grid[None, :]) / grid[None, :]
    size, count = len(grid), len(seen)
    weights = 1 / np.sqrt(seen + 1)
    equal = np.zeros((count + 1, size + 2 * count))
    equal[:count, :size] = expected
    equal[:count, size : size + count] = np.eye(count)
    equal[:count, size + count :] = -np.eye(count)
    equal[count, :size] = 1
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
