"""Ratios of weighted sums of counts: precision, recall and F of all metrics.

The value of 0/0 differs between official tools, so it is a parameter:

- ``ONE_OF_NOTHING``: 1; without proposed edits, precision is 1 (MaxMatch, I-measure, HOO 2012, DAG F of semantic graphs, UCCASIM);
- ``ZERO_OF_NOTHING``: 0 (HOO 2011);
- ``UNDEFINED``: no value (detection, intervals of error types).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from itertools import repeat
from operator import mul
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

ONE_OF_NOTHING = 1.0
ZERO_OF_NOTHING = 0.0
UNDEFINED = math.nan

_EXACT = 1 << 53
"""Integers up to this value are exact as floating-point numbers."""
Row = tuple[int, ...]
"""Counts of one sentence with one reference, or a sum of such counts."""


def divide(part: int, whole: int, of_nothing: float = ONE_OF_NOTHING) -> float:
    """Divide a part by a whole.

    >>> divide(1, 4), divide(0, 0)
    (0.25, 1.0)
    """
    return part / whole if whole else of_nothing


@dataclass(frozen=True, slots=True)
class Ratio:
    """A ratio of weighted sums of counts, with integer weights; for actual counts neither sum is negative."""

    numerator: tuple[int, ...]
    denominator: tuple[int, ...]

    def of(self, row: Sequence[int]) -> tuple[int, int]:
        """Compute numerator and denominator of one row."""
        return sum(map(mul, self.numerator, row)), sum(map(mul, self.denominator, row))

    def of_all(self, rows: Iterable[Sequence[int]]) -> Iterable[tuple[int, int]]:
        """Compute numerator and denominator of every row.

        >>> list(Ratio((1, 0), (0, 1)).of_all([(1, 4), (2, 3)]))
        [(1, 4), (2, 3)]
        """
        columns = list(zip(*rows, strict=True))
        return zip(_add_weighed(self.numerator, columns), _add_weighed(self.denominator, columns), strict=True)

    def value(self, row: Sequence[int], of_nothing: float = ONE_OF_NOTHING) -> float:
        """Compute the ratio of one row.

        >>> Ratio((1, 0), (0, 1)).value((1, 4)), Ratio((1, 0), (0, 1)).value((0, 0))
        (0.25, 1.0)
        """
        return divide(*self.of(row), of_nothing)

    def exact(self, row: Sequence[int]) -> Fraction:
        """Compute the ratio of one row as a fraction; 0/0 is 1."""
        above, below = self.of(row)
        return Fraction(above, below) if below else Fraction(1)

    def values(self, rows: Any, of_nothing: float = ONE_OF_NOTHING) -> Any:
        """Compute the ratios of many rows, the last axis of an array; counts with weight 0 may be undefined."""
        import numpy as np

        largest = max(map(abs, (*self.numerator, *self.denominator)))
        scale = largest if largest > _EXACT else 1  # only a beta with very many digits has so large weights
        above, below = _weigh(self.numerator, rows, scale), _weigh(self.denominator, rows, scale)
        return np.divide(above, below, out=np.full(above.shape, of_nothing), where=below != 0)


def _add_weighed(weights: Sequence[int], columns: Sequence[Sequence[int]]) -> Iterable[int]:
    """Add columns of counts, each times its weight, a column at a time."""
    if not columns:
        return ()
    weighed = [(weight, column) for weight, column in zip(weights, columns, strict=True) if weight]
    terms = [column if weight == 1 else [weight * count for count in column] for weight, column in weighed]
    return map(sum, zip(*terms, strict=True)) if terms else repeat(0, len(columns[0]))


def _weigh(weights: Sequence[int], rows: Any, scale: int) -> Any:
    """Compute weighted sums of counts; counts with weight 0 are not read."""
    import numpy as np

    terms = [rows[..., index] if weight == scale else weight / scale * rows[..., index] for index, weight in enumerate(weights) if weight]
    return sum(terms[1:], start=terms[0]) if terms else np.zeros(rows.shape[:-1])


@dataclass(frozen=True, slots=True)
class Shares:
    """Precision, recall and F of some counts."""

    precision: float
    recall: float
    f: float


class PrecisionRecallF(NamedTuple):
    """Precision, recall and F as ratios of sums of counts."""

    precision: Ratio
    recall: Ratio
    f: Ratio

    @classmethod
    def over(cls, correct: Sequence[int], proposed: Sequence[int], gold: Sequence[int], beta: float | Fraction = 1) -> PrecisionRecallF:
        """Make ratios from the weights of the counts in correct, proposed and gold.

        P = correct/proposed, R = correct/gold and F = (1+b²) correct / (proposed + b² gold), exact for beta as a decimal number.

        >>> PrecisionRecallF.over((1, 0, 0), (0, 1, 0), (0, 0, 1), beta=0.5).f
        Ratio(numerator=(5, 0, 0), denominator=(0, 4, 1))
        """
        squared = (beta if isinstance(beta, Fraction) else Fraction(repr(float(beta)))) ** 2
        part, whole = squared.numerator, squared.denominator
        above = tuple((part + whole) * weight for weight in correct)
        below = tuple(whole * one + part * other for one, other in zip(proposed, gold, strict=True))
        return cls(Ratio(tuple(correct), tuple(proposed)), Ratio(tuple(correct), tuple(gold)), Ratio(above, below))

    def of(self, row: Sequence[int], of_nothing: float = ONE_OF_NOTHING) -> Shares:
        """Compute the values for one row of counts."""
        return Shares(*(ratio.value(row, of_nothing) for ratio in self))


def make_edit_ratios(beta: float) -> PrecisionRecallF:
    """Make precision, recall and F over the counts (correct, proposed, gold).

    >>> make_edit_ratios(1.0).of((1, 1, 3))
    Shares(precision=1.0, recall=0.3333333333333333, f=0.5)
    """
    return PrecisionRecallF.over((1, 0, 0), (0, 1, 0), (0, 0, 1), beta)


def harmonic_mean(one: tuple[Any, Any], other: tuple[Any, Any]) -> tuple[Any, Any]:
    """Compute the harmonic mean of two ratios; all are pairs of numerator and denominator, numbers or arrays.

    A ratio of 0/0 counts as 1.  The mean of two ratios of 0 is the pair 0/0, to be read as 0.

    >>> harmonic_mean((1, 2), (1, 1))
    (2, 3)
    """
    (part, whole), (other_part, other_whole) = (_of_nothing(*share) for share in (one, other))
    return 2 * part * other_part, part * other_whole + other_part * whole


def _of_nothing(part: Any, whole: Any) -> tuple[Any, Any]:
    nothing = whole == 0
    return part + nothing * (1 - part), whole + nothing
