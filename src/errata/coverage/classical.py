"""Classical estimates from frequency counts, to compare with the linear program."""

from __future__ import annotations

import math
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence


class ClassicalEstimates(NamedTuple):
    """Classical estimates from a sample of answers."""

    seen: int
    """The number of distinct corrections."""
    answers: int
    """The number of answers."""
    good_turing: float
    """The probability that the next answer was seen before: 1 minus the share of corrections seen once (Good 1953)."""
    chao1: float
    """A lower bound of the number of corrections (Chao 1984, bias-corrected)."""
    jackknife: float
    """An estimate of the number of corrections (Burnham and Overton 1978, first order)."""


def count_coverage(counts: Sequence[int], references: int) -> float | None:
    """Compute the probability that an answer is among a number of others, averaged over all combinations of the given answers.

    It has no model and no bias, but needs more answers than references; None otherwise.

    >>> round(count_coverage([2, 1, 1], 1), 4), count_coverage([2, 1, 1], 4)
    (0.1667, None)
    """
    answers = sum(counts)
    if references >= answers:
        return None
    missed = 0.0
    for own, kinds in Counter(counts).items():
        chance = kinds * own / answers  # that it is the answer; below: and not among the references
        for step in range(references):
            chance *= max(0, answers - own - step) / (answers - 1 - step)
        missed += chance
    return 1 - missed


def compute_standard_error(counts: Sequence[int], references: int) -> float | None:
    """Compute the standard error of :func:`count_coverage` by the jackknife; None if there are too few answers."""
    answers = sum(counts)
    if references >= answers - 1:
        return None
    without: list[tuple[int, float]] = []
    for own, kinds in Counter(counts).items():  # corrections of equal frequency give the same value
        rest = list(counts)
        rest.remove(own)
        coverage = count_coverage([*rest, own - 1] if own > 1 else rest, references)
        without.append((own * kinds, coverage if coverage is not None else 0.0))
    mean = sum(own * value for own, value in without) / answers
    return math.sqrt((answers - 1) / answers * sum(own * (value - mean) ** 2 for own, value in without))


def estimate_classically(frequency_counts: Sequence[int]) -> ClassicalEstimates:
    """Estimate how many corrections there are by classical formulas.

    >>> estimate_classically((2, 1))
    ClassicalEstimates(seen=3, answers=4, good_turing=0.5, chao1=3.5, jackknife=4.5)
    """
    once = frequency_counts[0] if frequency_counts else 0
    twice = frequency_counts[1] if len(frequency_counts) > 1 else 0
    seen = sum(frequency_counts)
    answers = sum(times * number for times, number in enumerate(frequency_counts, start=1))
    chao1 = seen + once * (once - 1) / (2 * (twice + 1))
    return ClassicalEstimates(
        seen, answers, 1 - once / answers if answers else 0.0, chao1, seen + once * (answers - 1) / answers if answers else 0.0
    )
