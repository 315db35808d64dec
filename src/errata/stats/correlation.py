"""Whether two metrics agree on systems: rank correlation of their rankings and linear correlation of their values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from errata.errors import RequestError

if TYPE_CHECKING:
    from collections.abc import Sequence

FEWEST = 3
"""Systems without which there is nothing to correlate: two points always lie on a line."""


@dataclass(frozen=True)
class Correlation:
    """How two lists of values go together, with two-sided p-values of the t distribution; None where one of them is constant."""

    spearman: float | None
    spearman_p: float | None
    pearson: float | None
    pearson_p: float | None
    systems: int


def correlation(one: Sequence[float], other: Sequence[float]) -> Correlation:
    """Spearman's rho, where equal values share their mean rank, and Pearson's r of the values of systems.

    >>> correlation([0.1, 0.2, 0.3, 0.9], [4.0, 3.0, 2.0, 1.0]).spearman
    -1.0
    """
    if len(one) != len(other):
        raise RequestError(f"two lists of values are correlated item by item, but they have {len(one):,} and {len(other):,} items")
    if len(one) < FEWEST:
        raise RequestError(f"a correlation needs {FEWEST} systems or more, found {len(one)}")
    if len(set(one)) == 1 or len(set(other)) == 1:
        return Correlation(None, None, None, None, len(one))
    from scipy import stats

    ranks, line = stats.spearmanr(one, other), stats.pearsonr(one, other)
    return Correlation(float(ranks.statistic), float(ranks.pvalue), float(line.statistic), float(line.pvalue), len(one))
