"""The value of GLEU: of a sum of rows, of many sums, and the expected value of random sums.

A row has the lengths of output and reference, then for each order of n-grams a numerator, then for each a denominator.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_LEAST_MEAN = 12
"""A numerator must be so many standard deviations above 0 for its logarithm to be expanded; the error is then below 0.0001."""
_POINTS = 512
"""Points of a normal distribution that replace the expansion."""
_ROWS_AT_ONCE = 256


Smoothing = Literal["official", "none", "pypi"]


@dataclass(frozen=True)
class GleuValue:
    """How rows become a value."""

    order: int
    scale: int = 1
    """What numerators are multiplied by, to be whole numbers."""
    exchanged: bool = False
    """Whether the two lengths are exchanged, so that long outputs are punished instead of short ones."""

    def value(self, row: Sequence[int]) -> float:
        """Compute the value: the brevity penalty times the geometric mean of precisions; 0 if a count is not above 0."""
        return self._combine(row, self.precisions(row)) if min(row) > 0 else 0.0

    def smoothed(self, row: Sequence[int], smoothing: Smoothing) -> float:
        """Compute the value of one sentence."""
        if smoothing == "none":
            return self.value(row)
        end = 2 + self.order
        if smoothing == "official":
            return self.value(
                [*(count or 1 for count in row[:2]), *(count or self.scale for count in row[2:end]), *(count or 1 for count in row[end:])]
            )
        precisions = [above / (self.scale * below) if below else 1.0 for above, below in self._pairs(row)]
        return self._combine(row, precisions) if min(*row[:2], *precisions) > 0 else 0.0

    def precisions(self, row: Sequence[int]) -> list[float]:
        """Divide numerators by denominators; 0/0 is 0."""
        return [above / (self.scale * below) if below else 0.0 for above, below in self._pairs(row)]

    def brevity(self, row: Sequence[int]) -> float:
        """Compute the brevity penalty, at most 1; 0 if the shorter text has no token."""
        short, long = (row[1], row[0]) if self.exchanged else (row[0], row[1])
        return math.exp(min(0.0, 1 - long / short)) if short else 0.0

    def _pairs(self, row: Sequence[int]) -> Iterator[tuple[int, int]]:
        end = 2 + self.order
        return zip(row[2:end], row[end:], strict=True)

    def _combine(self, row: Sequence[int], precisions: Sequence[float]) -> float:
        return self.brevity(row) * math.exp(math.fsum(map(math.log, precisions)) / self.order)

    def values(self, rows: Any) -> Any:
        """Compute the values of many rows."""
        import numpy as np

        good = (rows > 0).all(axis=-1)
        output, reference, numerators, denominators = self._split(np.where(good[..., None], rows, 1.0))
        excess = (output / reference if self.exchanged else reference / output) - 1
        logarithms = np.log(numerators / denominators).mean(axis=-1) - math.log(self.scale)
        return np.where(good, np.exp(logarithms - np.maximum(0, excess)), 0.0)

    def expected_values(self, means: Any, covariances: Any) -> Any:
        """Compute the expected values of sums with these means and covariances, which are normally distributed.

        Logarithms of numerators are expanded to the second order.  The brevity penalty is exact, also where output and reference
        have about the same length.  Where a numerator may be near 0, the distribution is replaced by some of its points.
        """
        import numpy as np

        spread = np.sqrt(np.maximum(0, np.diagonal(covariances, axis1=1, axis2=2)))
        possible = (means > 0).all(axis=1)
        good = possible & (means > _LEAST_MEAN * spread).all(axis=1)
        result = np.zeros(len(means))
        if good.any():
            result[good] = self._expand(means[good], covariances[good])
        rest = np.flatnonzero(~good)
        for first in range(0, len(rest), _ROWS_AT_ONCE):
            some = rest[first : first + _ROWS_AT_ONCE]
            result[some] = self._sample(means[some], covariances[some])
        return result

    def _split(self, rows: Any) -> tuple[Any, Any, Any, Any]:
        """Split many rows into lengths of output and reference, numerators and denominators."""
        end = 2 + self.order
        return rows[..., 0], rows[..., 1], rows[..., 2:end], rows[..., end:]

    def _expand(self, means: Any, covariances: Any) -> Any:
        import numpy as np
        from scipy.special import ndtr

        output, reference, numerators, denominators = self._split(means)
        own = slice(2, 2 + self.order)
        weights = 1 / (self.order * numerators)
        variances = np.diagonal(covariances[:, own, own], axis1=1, axis2=2)
        level = (
            np.log(numerators / denominators).mean(axis=1)
            - math.log(self.scale)
            - (variances / numerators**2).sum(axis=1) / (2 * self.order)
        )
        inner = np.einsum("ki,kij,kj->k", weights, covariances[:, own, own], weights)
        # The excess of the longer over the shorter text, as a linear function of the length of the reference.
        if self.exchanged:
            slope = -output / reference**2
            excess = output / reference * (1 + covariances[:, 1, 1] / reference**2) - 1
        else:
            slope, excess = 1 / output, reference / output - 1
        excess = excess + slope * np.einsum("ki,ki->k", covariances[:, 1, own], weights)
        spread = np.abs(slope) * np.sqrt(np.maximum(0, covariances[:, 1, 1]))
        safe = np.where(spread > 0, spread, 1.0)
        penalty = ndtr(-excess / safe) + np.exp(-excess + spread**2 / 2) * ndtr((excess - spread**2) / safe)
        return np.exp(level + inner / 2) * np.where(spread > 0, penalty, np.exp(-np.maximum(0, excess)))

    def _sample(self, means: Any, covariances: Any) -> Any:
        """Take the mean of the values at points of the distributions."""
        import numpy as np

        varying = np.flatnonzero(np.diagonal(covariances, axis1=1, axis2=2).any(axis=0))
        if not len(varying):
            return self.values(means)
        squares, vectors = np.linalg.eigh(covariances[:, varying[:, None], varying])
        roots = vectors * np.sqrt(np.maximum(0, squares))[:, None, :]
        points = np.repeat(means[:, None, :], _POINTS, axis=1)
        points[:, :, varying] += np.einsum("kij,pj->kpi", roots, _list_points(len(varying)))
        return self.values(points).mean(axis=1)


@lru_cache(maxsize=8)
def _list_points(dimensions: int) -> Any:
    """List points that are spread evenly over the standard normal distribution: multiples of powers of a root, modulo 1."""
    import numpy as np
    from scipy.special import ndtri

    root = 2.0
    for _ in range(50):  # of x to the power of the dimensions plus one = x + 1
        root = (1 + root) ** (1 / (dimensions + 1))
    steps = root ** -np.arange(1, dimensions + 1)
    return ndtri((0.5 + np.arange(_POINTS)[:, None] * steps) % 1)
