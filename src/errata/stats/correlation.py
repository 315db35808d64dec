"""Whether two metrics agree on systems: rank correlation of their rankings and linear correlation of their values."""

from __future__ import annotations

import math
import statistics
from dataclasses import dataclass
from itertools import permutations
from typing import TYPE_CHECKING

from errata.corpus.texts import list_items
from errata.errors import RequestError

if TYPE_CHECKING:
    from collections.abc import Sequence

FEWEST = 3
"""The fewest systems that can be correlated: two points always lie on a line."""
_EXACT_UP_TO = 8
_NOTHING = 1e-12
"""Smaller differences, relative to the values, are rounding errors."""


@dataclass(frozen=True)
class Correlation:
    """The correlation of two lists of values, with two-sided p-values; None if one of the lists is constant."""

    spearman: float | None
    spearman_p: float | None
    pearson: float | None
    pearson_p: float | None
    systems: int


def correlate(one: Sequence[float], other: Sequence[float]) -> Correlation:
    """Compute Spearman's rho (equal values share their mean rank) and Pearson's r of the values of systems.

    For up to 8 systems p-values are exact: the share of all permutations that correlate at least as much.  For more systems they
    are those of the t distribution.

    >>> correlate([0.1, 0.2, 0.3, 0.9], [4.0, 3.0, 2.0, 1.0]).spearman
    -1.0
    """
    one, other = (list_items(values, "values to correlate must be a list of numbers") for values in (one, other))
    if len(one) != len(other):
        raise RequestError(f"lists of values must be equally long, found {len(one):,} and {len(other):,} values")
    if len(one) < FEWEST:
        raise RequestError(f"a correlation needs {FEWEST} systems or more, found {len(one)}")
    if not all(isinstance(value, int | float) and math.isfinite(value) for value in (*one, *other)):
        raise RequestError("values to correlate must be finite numbers")
    if _is_constant(one) or _is_constant(other):
        return Correlation(None, None, None, None, len(one))
    from scipy import stats

    ranks, line = stats.spearmanr(one, other), stats.pearsonr(one, other)
    p_values = (ranks.pvalue, line.pvalue)
    if len(one) <= _EXACT_UP_TO:
        p_values = (_compute_exact_p(stats.rankdata(one), stats.rankdata(other)), _compute_exact_p(one, other))
    return Correlation(float(ranks.statistic), float(p_values[0]), float(line.statistic), float(p_values[1]), len(one))


def compute_coefficients(one: Sequence[float], other: Sequence[float]) -> tuple[float, float] | None:
    """Compute Spearman's rho and Pearson's r only, without loading SciPy; None if one of the lists is constant.

    >>> compute_coefficients([0.1, 0.2, 0.3, 0.9], [1.0, 2.0, 3.0, 9.0])
    (1.0, 1.0)
    """
    if _is_constant(one) or _is_constant(other):
        return None
    return statistics.correlation(_rank(one), _rank(other)), statistics.correlation(one, other)


def _rank(values: Sequence[float]) -> list[float]:
    """Compute the rank of each value; equal values share their mean rank."""
    return [sum(other < value for other in values) + sum(other == value for other in values) / 2 for value in values]


def _is_constant(values: Sequence[float]) -> bool:
    """Whether values differ by no more than rounding errors."""
    return max(values) / 2 - min(values) / 2 <= _NOTHING * max(map(abs, values))


def _compute_exact_p(one: Sequence[float], other: Sequence[float]) -> float:
    """Compute the share of permutations of a list whose correlation with the other is at least as far from 0."""
    import numpy as np

    centred, others = (np.asarray(values, float) / max(map(abs, values)) for values in (one, other))  # so that no product overflows
    centred, others = centred - np.mean(centred), others - np.mean(others)
    orders = np.array(list(permutations(others)))
    correlations = np.abs(orders @ centred)
    return float(np.mean(correlations >= correlations[0] * (1 - 1e-9)))  # the first permutation is the list itself
