"""The names of coefficients, rules for ties and kinds of intervals that commands offer."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from errata.settings import Coefficient, TieRule


# --- What counts if a metric gives two outputs the same score, on the level of sentences.


class PairAgreement(NamedTuple):
    """How often a metric and people prefer the same of two outputs; pairs that people tie are not counted."""

    agree: int
    disagree: int
    first_better: int
    """Ties of the metric in which people prefer the first system."""
    first_worse: int
    """Ties of the metric in which people prefer the second system."""

    @property
    def ties(self) -> int:
        """Ties of the metric."""
        return self.first_better + self.first_worse


def weigh_outcomes(rule: TieRule) -> tuple[tuple[int, int, int, int], tuple[int, int, int, int], tuple[int, int, int, int]]:
    """Return the weights of the four counts in agreements, disagreements and pairs.

    >>> weigh_outcomes("loss")
    ((1, 0, 0, 1), (0, 1, 1, 0), (1, 1, 1, 1))
    """
    if rule == "drop":
        return (1, 0, 0, 0), (0, 1, 0, 0), (1, 1, 0, 0)
    if rule == "neither":
        return (1, 0, 0, 0), (0, 1, 0, 0), (1, 1, 1, 1)
    return (1, 0, 0, 1), (0, 1, 1, 0), (1, 1, 1, 1)


# --- Coefficients of correlation, for many lists of values at once: Pearson's r, Spearman's rho and Kendall's tau-b.
#
# A coefficient of a constant list is undefined (not a number).

if TYPE_CHECKING:
    _Array = NDArray[np.float64]

_NOTHING = 1e-12
"""Smaller differences, relative to the values, are rounding errors."""


def compute_many(coefficient: Coefficient, one: _Array, other: _Array) -> _Array:
    """Correlate the last axes of two arrays, which are broadcast against each other.

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
