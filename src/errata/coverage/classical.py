"""Classical estimates from a fingerprint, to set the linear program beside."""

from __future__ import annotations

import math
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence


class ClassicalEstimates(NamedTuple):
    """What simple formulas say of a sample."""

    seen: int
    """Different corrections that were given."""
    answers: int
    """All that were given."""
    good_turing: float
    """How probable it is that the next correction was seen before: one less the share of those seen once (Good 1953)."""
    chao1: float
    """At least so many corrections there are (Chao 1984, in its form without bias)."""
    jackknife: float
    """About so many (Burnham and Overton 1978, first order)."""


def count_coverage(counts: Sequence[int], references: int) -> float | None:
    """How probable it is that one answer is among so many others, counted over all ways to take them from those that were given.

    Without a model and without bias, but only for fewer references than answers; None for more.

    >>> round(count_coverage([2, 1, 1], 1), 4), count_coverage([2, 1, 1], 4)
    (0.1667, None)
    """
    answers = sum(counts)
    if references >= answers:
        return None
    missed = 0.0
    for own, kinds in Counter(counts).items():
        chance = kinds * own / answers  # that it is the one, times that none of the others is taken
        for step in range(references):
            chance *= max(0, answers - own - step) / (answers - 1 - step)
        missed += chance
    return 1 - missed


def compute_standard_error(counts: Sequence[int], references: int) -> float | None:
    """The standard error of that, from leaving out one answer after the other (jackknife); None where there are too few."""
    answers = sum(counts)
    if references >= answers - 1:
        return None
    without: list[tuple[int, float]] = []
    for own, kinds in Counter(counts).items():  # kinds that were given equally often are left out alike
        rest = list(counts)
        rest.remove(own)
        coverage = count_coverage([*rest, own - 1] if own > 1 else rest, references)
        without.append((own * kinds, coverage if coverage is not None else 0.0))
    mean = sum(own * value for own, value in without) / answers
    return math.sqrt((answers - 1) / answers * sum(own * (value - mean) ** 2 for own, value in without))


def estimate_classically(fingerprint: Sequence[int]) -> ClassicalEstimates:
    """Estimate by simple formulas how many corrections there are.

    >>> estimate_classically((2, 1))
    ClassicalEstimates(seen=3, answers=4, good_turing=0.5, chao1=3.5, jackknife=4.5)
    """
    once = fingerprint[0] if fingerprint else 0
    twice = fingerprint[1] if len(fingerprint) > 1 else 0
    seen = sum(fingerprint)
    answers = sum(times * number for times, number in enumerate(fingerprint, start=1))
    chao1 = seen + once * (once - 1) / (2 * (twice + 1))
    return ClassicalEstimates(
        seen, answers, 1 - once / answers if answers else 0.0, chao1, seen + once * (answers - 1) / answers if answers else 0.0
    )
