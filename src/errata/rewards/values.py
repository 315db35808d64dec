"""The value of one sentence for learning: F with smoothing, or the metric's own value of a sentence.

With c correct, p proposed and g gold edits, smoothing k adds k edits that are proposed, in gold and correct:

    F = (1+b²)(c+k) / ((p+k) + b²(g+k))

It is above 0 if k is, at most 1, and 1 exactly if all proposed and no other edits are correct.  More correct edits never lower it, and
each wrong edit and each missed one does.  Without smoothing, an output with only wrong edits is worth as little as one without edits;
with it, more wrong edits are worse.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from errata.errors import UsageError
from errata.metrics.base import Metric, RatioMetric

if TYPE_CHECKING:
    from errata.metrics.evidence import RowArrays

DEFAULT_SMOOTHING = 0.5
"""An edit is worth its risk, with beta 0.5 and one error, if it is right with 57% or more, as for a corpus with F0.5 of 0.71."""


@dataclass(frozen=True)
class SentenceValue:
    """How rows of single sentences are valued."""

    metric: Metric
    smoothing: float | None
    """Edits that are added to F; None if the metric has no F."""

    @classmethod
    def of(cls, metric: Metric, smoothing: float | None) -> SentenceValue:
        """Check the smoothing; None is the default of the metric."""
        if not isinstance(metric, RatioMetric) or metric.beta is None:
            if smoothing is not None:
                raise UsageError(f"smoothing needs a metric whose value is F, such as maxmatch; found {metric}, whose own value is used")
            return cls(metric, None)
        if smoothing is None:
            return cls(metric, DEFAULT_SMOOTHING)
        if isinstance(smoothing, bool) or not isinstance(smoothing, (int, float)) or not 0 <= smoothing < math.inf:
            raise UsageError(f"smoothing must be a number from 0, found {smoothing!r:.60}")
        return cls(metric, float(smoothing))

    def compute(self, counts: Any) -> Any:
        """Compute the value of each row of an array.

        >>> import numpy as np
        >>> from errata import MaxMatch
        >>> rows = np.array([(0, 0, 0), (0, 0, 1), (0, 1, 1), (1, 1, 1)])
        >>> SentenceValue(MaxMatch(), 1.0).compute(rows).round(3).tolist()
        [1.0, 0.833, 0.5, 1.0]
        """
        import numpy as np

        metric = self.metric
        if self.smoothing is not None and isinstance(metric, RatioMetric):
            numerator, denominator = np.array(metric.ratio.numerator, np.float64), np.array(metric.ratio.denominator, np.float64)
            added = self.smoothing * float(numerator.max())  # what a correct edit adds to both
            above, below = counts @ numerator + added, counts @ denominator + added
            return np.divide(above, below, out=np.ones(len(counts)), where=below != 0)
        if type(metric).sentence_value is Metric.sentence_value:
            return metric.values(counts)
        return np.array([metric.sentence_value(tuple(row)) for row in counts.tolist()], dtype=np.float64)


def find_best_rows(rows: RowArrays, values: Any) -> Any:
    """Find the row with the highest value of each sample, the first of several.

    >>> import numpy as np
    >>> from errata.metrics.evidence import RowArrays
    >>> find_best_rows(RowArrays(None, np.array([0, 2, 3])), np.array([0.5, 0.5, 1.0])).tolist()
    [0, 2]
    """
    import numpy as np

    starts, sizes = rows.starts[:-1], np.diff(rows.starts)
    if len(values) == len(starts):
        return starts
    values = np.where(np.isnan(values), -np.inf, values)  # a value that is not defined is the last to be chosen
    best = np.flatnonzero(values == np.repeat(np.maximum.reduceat(values, starts), sizes))
    owners = np.searchsorted(rows.starts, best, side="right") - 1
    return best[np.unique(owners, return_index=True)[1]]
