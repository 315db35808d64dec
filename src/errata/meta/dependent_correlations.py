"""Whether one metric correlates better with people than another, on the same systems.

Williams' test (Williams 1959; Steiger 1980) is for two correlations that share a variable.  The permutation test swaps the scores of
the two metrics for some systems, in all ways or at random (Deutsch et al. 2021): z-scores for Pearson's r, ranks for the others,
because metrics have different scales.  For Pearson's r what is compared is not the difference but Williams' t, which divides it by its
spread: with differences the test rejects too often (8% instead of 5% with 8 systems), because z-scores are not exchangeable.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from errata.meta.coefficients import compute_many

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from errata.meta.coefficients import Coefficient

    _Array = NDArray[np.float64]

_FEWEST_SYSTEMS = 4
"""The fewest systems that Williams' test takes."""
MOST_NEEDED = 10_000
"""Beyond so many systems nobody asks how many are needed."""
_EXACT_UP_TO = 13
_LARGE = 1e12
"""Stands for a t without a spread, times the difference."""
_AS_FAR = 1e-9
"""Differences that are smaller by this share are equal, but for rounding errors."""
_NO_DIFFERENCE = 1e-12
"""Smaller differences of correlations are rounding errors."""


def compute_williams_p(one: float, other: float, between: float, systems: int) -> float | None:
    """Compute the two-sided p of Williams' test: two correlations with a shared variable, and the correlation between the other two.

    None if there are too few systems, or if the three cannot occur together.

    >>> round(compute_williams_p(0.4, 0.2, 0.3, 103), 4)
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


def count_needed_systems(one: float, other: float, between: float, systems: int, alpha: float = 0.05) -> int | None:
    """Count the systems with which Williams' test would be significant if correlations stayed the same; None if it needs more than 10,000.

    >>> count_needed_systems(0.7, 0.6, 0.8, 12)
    84
    """

    def is_enough(count: int) -> bool:
        p = compute_williams_p(one, other, between, count)
        return p is not None and p < alpha

    if is_enough(systems):
        return systems
    low, high = systems, systems
    while not is_enough(high):
        if high >= MOST_NEEDED:
            return None
        low, high = high, min(2 * high, MOST_NEEDED)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if is_enough(middle) else (middle, high)
    return high


def compute_permutation_p(
    coefficient: Coefficient, human: _Array, one: _Array, other: _Array, replicates: int = 10_000, seed: int = 0
) -> float | None:
    """Compute the two-sided p of swapping the scores of two metrics; exact for up to 13 systems.

    None if a correlation is undefined.

    >>> import numpy as np
    >>> human = np.arange(6.0)
    >>> compute_permutation_p("pearson", human, human, np.array([5.0, 0, 4, 1, 3, 2]))
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
