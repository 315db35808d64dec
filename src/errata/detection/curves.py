"""Curves: the counts and measures of a system with confidences at every threshold."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from errata.detection.measures import find_measure, find_rounding
from errata.errors import RequestError, UsageError

if TYPE_CHECKING:
    from errata.detection.cases import Answers, Cases


@dataclass(frozen=True)
class Areas:
    """Areas under curves; None if all cases are of one class."""

    auc: float | None
    """The area under true-positive rate against false-positive rate (ROC)."""
    average_precision: float | None
    """The mean precision, weighted by the recall that each threshold adds."""
    auk: float | None
    """The area under kappa against false-positive rate (Kaymak et al. 2010)."""
    reason: str = ""
    """Why they are undefined."""


@dataclass(frozen=True)
class Curve:
    """Counts for every distinct threshold, from the highest to the lowest."""

    system_name: str
    thresholds: Any
    """Cases with at least this confidence are flagged; the first threshold is infinite and flags nothing."""
    tp: Any
    flagged: Any
    errors: float
    cases: int

    @cached_property
    def counts(self) -> Any:
        """Rows of five counts."""
        import numpy as np

        # Each column is contiguous in memory, because measures work on columns.
        counts = np.zeros((5, len(self.tp))).T
        counts[:, 0] = self.tp
        np.subtract(self.flagged, self.tp, out=counts[:, 1])
        np.subtract(self.errors, self.tp, out=counts[:, 2])
        np.subtract(self.cases - self.errors, counts[:, 1], out=counts[:, 3])
        for index in range(4):
            counts[np.abs(counts[:, index]) <= find_rounding(self.cases), index] = 0.0
        return counts

    def values(self, measure: str, beta: float = 1.0) -> Any:
        """Compute a measure at every threshold; not a number if it is undefined."""
        return find_measure(measure).values(self.counts, beta, rounded=False)

    @property
    def false_positive_rate(self) -> Any:
        """The share of cases without an error that are flagged."""
        import numpy as np

        with np.errstate(all="ignore"):  # undefined if every case is an error
            return (self.flagged - self.tp) / (self.cases - self.errors)

    @cached_property
    def areas(self) -> Areas:
        """The areas under the curves."""
        import numpy as np

        if self.errors in {0, self.cases}:
            only = "errors" if self.errors else "cases without an error"
            return Areas(None, None, None, f"areas are undefined: there are only {only}")
        recall, rate = self.tp / self.errors, self.false_positive_rate
        precision = self.tp[1:] / self.flagged[1:]
        kappa = self.values("kappa")
        return Areas(float(np.trapezoid(recall, rate)), float(np.sum(np.diff(recall) * precision)), float(np.trapezoid(kappa, rate)))

    def best(self, measure: str, beta: float = 1.0) -> tuple[float, float] | None:
        """Find the highest threshold at which a measure is largest, and its value there; None if it is always undefined."""
        import numpy as np

        values = self.values(measure, beta)[1:]
        if np.isnan(values).all():
            return None
        index = int(np.nanargmax(values))
        return float(self.thresholds[1:][index]), float(values[index])

    def thinned(self, points: int) -> Curve:
        """Keep about so many points, evenly spaced by the number of flagged cases, with both ends."""
        import numpy as np

        if points < 2:  # noqa: PLR2004 - its ends
            raise UsageError(f"a curve needs two points or more, found {points}")
        if len(self.thresholds) <= points:
            return self
        wanted = np.linspace(0, self.flagged[-1], points)
        indices = np.unique(np.searchsorted(self.flagged, wanted))
        return Curve(self.system_name, self.thresholds[indices], self.tp[indices], self.flagged[indices], self.errors, self.cases)


def make_curve(cases: Cases, answers: Answers) -> Curve:
    """Compute the curve of a system over all thresholds."""
    import numpy as np

    if answers.confidence is None:
        raise UsageError(f"curves need confidences, but {answers.name} has none")
    if not len(cases):
        raise RequestError("a curve needs cases, found none")
    order = np.argsort(answers.confidence)[::-1]
    confidence = answers.confidence[order]
    ends = np.flatnonzero(np.append(confidence[1:] != confidence[:-1], True))
    error = cases.error if cases.weights is None else cases.error * cases.weights
    true_positives = np.cumsum(error[order])[ends]
    thresholds = np.concatenate([[np.inf], confidence[ends]])
    flagged = np.concatenate([[0.0], ends + 1.0 if cases.weights is None else np.cumsum(cases.weights[order])[ends]])
    errors = float(true_positives[-1])
    return Curve(answers.name, thresholds, np.concatenate([[0.0], true_positives]), flagged, errors, int(flagged[-1]))
