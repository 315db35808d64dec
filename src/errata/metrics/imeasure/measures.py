"""The measures of I-measure, from true and false positives and negatives (Felice and Briscoe 2015, section 2.3).

WAcc = (w·TP + TN) / (w·(TP+FP) + TN + FN - (w+1)·FPN/2), and I compares it with the WAcc of the source.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING, Literal

from errata.ratios import PrecisionRecallF, Ratio

if TYPE_CHECKING:
    from collections.abc import Sequence

    from errata.metrics.views import Aspect

_CLASSES = ("tp", "tn", "fp", "fn", "fpn")
ASPECT_CLASSES: dict[Aspect, tuple[str, ...]] = {"detection": _CLASSES[:4], "correction": _CLASSES}
SYSTEM = tuple(f"{aspect}_{name}" for aspect, names in ASPECT_CLASSES.items() for name in names)
PER_SYSTEM = len(SYSTEM)
"""The number of counts of a system, which come before those of the baseline."""
DETECTION = 4
"""The number of counts of detection, which come before those of correction."""

MeasureName = Literal["precision", "recall", "f", "accuracy", "wacc"]


@cache
def make_ratio(measure: MeasureName, w: Fraction, beta: Fraction) -> Ratio:
    """Make the ratio of a measure over tp, tn, fp, fn and fpn.

    >>> make_ratio("wacc", Fraction(2), Fraction(1, 2))
    Ratio(numerator=(4, 2, 0, 0, 0), denominator=(4, 2, 4, 2, -3))
    """
    part, whole = w.numerator, w.denominator
    shares = PrecisionRecallF.over((1, 0, 0, 0, 0), (1, 0, 1, 0, 0), (1, 0, 0, 1, 0), beta)
    known: dict[str, Ratio] = {
        **shares._asdict(),
        "accuracy": Ratio((1, 1, 0, 0, 0), (1, 1, 1, 1, -1)),
        "wacc": Ratio((2 * part, 2 * whole, 0, 0, 0), (2 * part, 2 * whole, 2 * part, 2 * whole, -(part + whole))),
    }
    return known[measure]


@dataclass(frozen=True)
class Measures:
    """The measures of counts; 0/0 is 1."""

    precision: Fraction
    recall: Fraction
    f: Fraction
    accuracy: Fraction
    wacc: Fraction

    @classmethod
    def of(cls, counts: Sequence[int], w: Fraction, beta: Fraction) -> Measures:
        """Compute the measures of tp, tn, fp, fn and fpn (default 0).

        >>> Measures.of((1, 6, 0, 3), Fraction(2), Fraction("0.5")).wacc
        Fraction(8, 11)
        """
        five = (*counts, 0)[:5]
        names: tuple[MeasureName, ...] = ("precision", "recall", "f", "accuracy", "wacc")
        return cls(*(make_ratio(name, w, beta).exact(five) for name in names))


def compute_improvement(system: Fraction, baseline: Fraction) -> Fraction:
    """Compute I from two weighted accuracies.

    >>> compute_improvement(Fraction(3, 4), Fraction(1, 2)), compute_improvement(Fraction(1, 4), Fraction(1, 2))
    (Fraction(1, 2), Fraction(-1, 2))
    """
    if system == baseline:
        return Fraction(math.floor(system))
    return (system - baseline) / (1 - baseline) if system > baseline else system / baseline - 1
