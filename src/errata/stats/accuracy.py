"""Intervals and tests of an accuracy, without resampling.

Each sentence is matched with its own probability, so the number of matches has a Poisson binomial distribution (Choshen and Abend,
section 3.4).  If the probabilities are unknown, the binomial distribution with their mean has heavier tails (Hoeffding 1956),
so the interval of Clopper and Pearson covers the true mean at least as often as its level says.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, get_args

from errata.errors import InputError, RequestError, UsageError
from errata.stats.bootstrap import check_level

Tail = Literal["two-sided", "less", "greater"]


@dataclass(frozen=True)
class Matches:
    """The distribution of the number of matched sentences, if each is matched with its own probability.

    >>> matches = Matches((0.2, 0.5, 0.9))
    >>> [round(float(probability), 4) for probability in matches.probabilities]
    [0.04, 0.41, 0.46, 0.09]
    """

    chances: tuple[float, ...]

    def __post_init__(self) -> None:
        if not self.chances:
            raise InputError("the number of matches needs the probabilities of one sentence or more, found none")
        for number, chance in enumerate(self.chances, start=1):
            if not (isinstance(chance, int | float) and 0 <= chance <= 1):
                raise InputError(f"a probability must be a number from 0 to 1, found {chance!r} for sentence {number:,}")

    @cached_property
    def probabilities(self) -> Any:
        """The probabilities of 0, 1, 2, ... matches, computed by adding positive numbers only, for accuracy."""
        import numpy as np

        probabilities = np.zeros(len(self.chances) + 1)
        probabilities[0] = 1.0
        for index, chance in enumerate(self.chances, start=1):
            probabilities[1 : index + 1] = probabilities[1 : index + 1] * (1 - chance) + probabilities[:index] * chance
            probabilities[0] *= 1 - chance
        return probabilities

    @property
    def accuracy(self) -> float:
        """The expected share of matches."""
        return math.fsum(self.chances) / len(self.chances)

    @property
    def deviation(self) -> float:
        """The standard deviation of the share of matches."""
        return math.sqrt(math.fsum(chance * (1 - chance) for chance in self.chances)) / len(self.chances)

    def central(self, level: float = 0.95) -> tuple[int, int]:
        """Compute the fewest and the most matches, with at most (1 - level) / 2 of the probability outside on either side."""
        import numpy as np

        check_level(level)
        outside = (1 - level) / 2
        below, above = np.cumsum(self.probabilities), np.cumsum(self.probabilities[::-1])
        return int(np.argmax(below > outside)), len(self.chances) - int(np.argmax(above > outside))

    def p_value(self, matched: int, side: Tail = "two-sided") -> float:
        """Compute the probability of at most (less) or at least (greater) so many matches; two-sided is twice the smaller one."""
        if side not in get_args(Tail):
            raise UsageError(f"unknown side {side!r}; choose from {', '.join(get_args(Tail))}")
        if not 0 <= matched <= len(self.chances):
            raise UsageError(f"the number of matches must be from 0 to {len(self.chances):,}, found {matched:,}")
        less, greater = (math.fsum(part) for part in (self.probabilities[: matched + 1], self.probabilities[matched:]))
        return min(1.0, {"less": less, "greater": greater, "two-sided": 2 * min(less, greater)}[side])


def compute_exact_interval(matched: int, sentences: int, level: float = 0.95) -> tuple[float, float]:
    """Compute the interval of Clopper and Pearson for the mean probability of a match.

    >>> [round(bound, 4) for bound in compute_exact_interval(0, 10)]
    [0.0, 0.3085]
    """
    from scipy.special import betainccinv, betaincinv

    check_level(level)
    if not 0 <= matched <= sentences or sentences < 1:
        raise RequestError(f"an exact interval needs 1 or more sentences and at most as many matches, found {matched:,} of {sentences:,}")
    outside = (1 - level) / 2
    low = float(betaincinv(matched, sentences - matched + 1, outside)) if matched else 0.0
    high = float(betainccinv(matched + 1, sentences - matched, outside)) if matched < sentences else 1.0
    return low, high
