"""Intervals of correlations over sentences: what other sentences, with their judgments, would give for the same systems."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, get_args

from errata.errors import UsageError
from errata.meta.coefficients import Coefficient, compute_many
from errata.meta.hierarchical import DRAWS, draw_true_scores
from errata.stats.bootstrap import Bootstrap
from errata.stats.intervals import compute_ends

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from errata.meta.replicates import Replicates

    _Array = NDArray[np.float64]

IntervalMethod = Literal["hierarchical", "bca", "percentile"]
"""How intervals of correlations are computed."""
INTERVAL_METHODS: tuple[IntervalMethod, ...] = get_args(IntervalMethod)
"""All values of :data:`IntervalMethod`."""
IntervalEnds = tuple[float | None, float | None]
"""The ends of an interval; None if they are unknown."""
_ROUNDING = 1e-12
_UNKNOWN: IntervalEnds = (None, None)


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


class SetIntervals:
    """Makes the intervals of correlations on a set of systems, from replicates of these and perhaps others."""

    def __init__(self, replicates: Replicates, kept: Sequence[int], settings: MetaIntervals) -> None:
        self._replicates, self._kept, self._settings, self._bootstrap = replicates, list(kept), settings, settings.bootstrap
        self._true_scores: dict[tuple[int, ...], Any] = {}

    def find_ends(self, coefficient: Coefficient, metrics: Sequence[int], observed: Sequence[_Array]) -> IntervalEnds:
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
    ) -> IntervalEnds:
        import numpy as np

        if key not in self._true_scores:
            draws = max(DRAWS, self._settings.replicates)
            lists = [self._replicates.human, *(self._replicates.metrics[index] for index in key)]
            sentences = count_varying_sentences(observed, [own.without_one[:, self._kept] for own in lists])
            self._true_scores[key] = draw_true_scores(observed, drawn, sentences, self._settings.seed, draws)
        true = self._true_scores[key]
        if true is None:
            return _UNKNOWN
        outside = (1 - self._settings.level) / 2
        # Of n draws, a further one is between the k-th smallest and the k-th largest with a chance of 1 - 2k/(n + 1): Weibull's quantiles.
        measured = _measure(coefficient, list(np.swapaxes(true, 0, 1)))
        low, high = np.quantile(measured, [outside, 1 - outside], method="weibull").tolist()
        return low, high


def count_varying_sentences(observed: Sequence[_Array], without_one: Sequence[_Array]) -> int:
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
