"""Two systems on the same units: their difference, its interval, and its p-value."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from errata.errors import RequestError
from errata.stats.intervals import make_interval

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from errata.names import Test
    from errata.stats.bootstrap import Bootstrap
    from errata.stats.intervals import Interval

POWER = 0.8
"""The power for which the number of units is estimated."""


FEWEST_NEEDED = 50
"""Below so many units the estimate does not hold."""
_NOTHING = 1e-12
"""Smaller differences of scores are rounding errors."""


class Pair:
    """Two systems with the counts of their units (sentences, documents or cases).

    ``times`` says how many units have each row of counts.  ``replicates`` are the scores of both in all replicates.  ``swapped``
    yields differences after the outputs of units were swapped at random, in parts.  ``one_by_one`` says whether single units have
    a score; ``by_unit`` are the differences of these scores, if they are not those of counts.
    """

    def __init__(  # noqa: PLR0913 - the last two are given by name
        self,
        values: Callable[[Any], Any],
        counts: tuple[Any, Any],
        times: Any,
        replicates: tuple[Any, Any],
        swapped: Callable[[], Iterable[Any]],
        settings: Bootstrap,
        *,
        one_by_one: bool = True,
        by_unit: Any = None,
    ) -> None:
        import numpy as np

        self._values, self._rows, self._all_times = values, np.hstack(counts), times
        self._swapped, self._settings, self._units = swapped, settings, int(times.sum())
        self.difference = float(self._differences((times @ self._rows)[None, :])[0])
        apart = replicates[0] - replicates[1]
        self._replicates = apart[~np.isnan(apart)]
        by_unit = self._differences(self._rows) if by_unit is None else by_unit.copy()
        known = ~np.isnan(by_unit) & one_by_one
        self._by_unit, self._times = by_unit[known], times[known]
        self._by_unit[np.abs(self._by_unit) < _NOTHING] = 0.0

    def _differences(self, counts: Any) -> Any:
        half = counts.shape[1] // 2
        return self._values(counts[:, :half]) - self._values(counts[:, half:])

    def compute_interval(self) -> Interval:
        """Compute the interval of the difference; bca instead of exact, which differences do not have."""
        settings = replace(self._settings, method="bca") if self._settings.method == "exact" else self._settings
        return make_interval(self._differences, self._rows, self._replicates, settings, self._all_times)

    def compute_effect(self) -> float | None:
        """Compute Cohen's d: the mean difference of the scores of units, in standard deviations.

        None if units have no score, or all differences are equal.
        """
        if self._times.sum() < 2:  # noqa: PLR2004 - one has no variance
            return None
        mean, spread = self._moments()
        return mean / spread if spread else 0.0 if mean == 0 else None

    def compute_standard_error(self) -> float | None:
        """Compute the standard deviation of the difference in the replicates; None if it is undefined in all of them."""
        import numpy as np

        return float(np.std(self._replicates)) if len(self._replicates) else None

    def test(self, test: Test) -> tuple[float, float]:
        """Compute the two-sided p, and what was tested: a difference of scores, or for sign wins minus losses."""
        import numpy as np

        if test == "randomisation":
            # A difference that is undefined after swapping counts as one that is as far from 0.
            as_far = sum(int(np.sum(~(np.abs(differences) < abs(self.difference) * (1 - 1e-9)))) for differences in self._swapped())
            return (as_far + 1) / (self._settings.replicates + 1), self.difference
        if test == "bootstrap":
            lower, upper = float(np.sum(self._replicates <= 0)), float(np.sum(self._replicates >= 0))
            return min(1.0, 2 * (min(lower, upper) + 1) / (len(self._replicates) + 1)), self.difference
        return self._t() if test == "t" else self._sign()

    def least_p(self, test: Test) -> float:
        """Compute the smallest p that a test can have with so many replicates; 0 for a test without replicates."""
        if test == "randomisation":
            return 1 / (self._settings.replicates + 1)
        return 2 / (len(self._replicates) + 1) if test == "bootstrap" else 0.0

    def needed(self, test: Test) -> int | None:
        """Estimate how many units give a significant difference with 80% power; None if the test found no difference."""
        from scipy.special import ndtri

        significance, power = float(ndtri(1 - (1 - self._settings.level) / 2)), float(ndtri(POWER))
        if test == "sign":
            wins, losses = self._wins_and_losses()
            if wins == losses:
                return None
            share = wins / (wins + losses)
            decided = ((significance / 2 + power * math.sqrt(share * (1 - share))) / (share - 0.5)) ** 2
            return max(FEWEST_NEEDED, math.ceil(self._units * decided / (wins + losses)))
        mean, spread, size = self.difference, self.compute_standard_error(), float(self._units)
        if test == "t":  # the deviation of a mean shrinks with the root of the size
            mean, spread, size = *self._moments(), 1.0
        if abs(mean) < _NOTHING or spread is None:
            return None
        return max(FEWEST_NEEDED, math.ceil(size * ((significance + power) * spread / mean) ** 2))

    def _t(self) -> tuple[float, float]:
        from scipy.special import stdtr

        mean, spread = self._moments()
        count = int(self._times.sum())
        if spread == 0:  # without a variance it is a sign test
            return (1.0 if mean == 0 else 2.0 ** (1 - count)), mean
        return float(2 * stdtr(count - 1, -abs(mean) / (spread / math.sqrt(count)))), mean

    def _sign(self) -> tuple[float, float]:
        from scipy import stats

        wins, losses = self._wins_and_losses()
        return (float(stats.binomtest(wins, wins + losses).pvalue) if wins + losses else 1.0), float(wins - losses)

    def _wins_and_losses(self) -> tuple[int, int]:
        self._moments()
        return int(self._times[self._by_unit > 0].sum()), int(self._times[self._by_unit < 0].sum())

    def _moments(self) -> tuple[float, float]:
        """Compute the mean and standard deviation of the differences of units."""
        import numpy as np

        count = float(self._times.sum())
        if count < 2:  # noqa: PLR2004 - one has no variance
            raise RequestError("this score is undefined for single sentences or cases; resample documents or use another test")
        mean = float(np.average(self._by_unit, weights=self._times))
        if np.ptp(self._by_unit) < _NOTHING:
            return mean, 0.0
        return mean, math.sqrt(float(self._times @ (self._by_unit - mean) ** 2) / (count - 1))
