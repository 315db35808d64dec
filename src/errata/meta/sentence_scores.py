"""The score of each output of a sentence by a metric, for comparing outputs of the same sentence.

A ratio, such as F, is that of the best reference of the sentence, whatever reference the corpus score chose, and it is compared as a
fraction.  Other values are compared as numbers, and those that differ by rounding errors are equal.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from errata.metrics.base import RatioMetric
from errata.metrics.strategies import Chosen

if TYPE_CHECKING:
    from collections.abc import Sequence
    from fractions import Fraction

    import numpy as np
    from numpy.typing import NDArray

    from errata.metrics.evidence import Evidence
    from errata.metrics.ratios import Row

_ROUNDING = 1e-12


def list_sentence_scores(evidence: Evidence) -> list[Fraction | float]:
    """List the score of every sentence of a system."""
    metric, strategy = evidence.metric, evidence.strategy
    if not evidence.rows and evidence.size:
        return [float(value) for value in evidence.sentence_values]
    if isinstance(metric, RatioMetric) and isinstance(strategy, Chosen):
        known: dict[tuple[Row, ...], Fraction | float] = {}
        for rows in evidence.rows:
            if rows not in known:
                known[rows] = max(metric.ratio.exact(row) for row in rows)
        return [known[rows] for rows in evidence.rows]
    if isinstance(strategy, Chosen):
        picked = [(rows, (strategy.choose([rows]) or (0,))[0]) for rows in evidence.rows]
        return [metric.sentence_value(rows[index]) for rows, index in picked]
    return [strategy.sentence_value(metric, rows) for rows in evidence.rows]


def rank_sentence_scores(systems: Sequence[Sequence[Fraction | float]]) -> NDArray[np.int64]:
    """Rank the scores of systems (rows) on each sentence (column) alone: a larger number is better, equal ones are ties.

    >>> rank_sentence_scores([[0.5, 0.1], [0.25, 0.1 + 1e-17], [0.5, 0.0]]).tolist()
    [[1, 1], [0, 1], [1, 0]]
    """
    import numpy as np

    ranks = np.zeros((len(systems), len(systems[0])), dtype=np.int64)
    for index, scores in enumerate(zip(*systems, strict=True)):
        order = sorted(range(len(scores)), key=scores.__getitem__)
        rank = 0
        for before, after in pairwise(order):
            rank += _differ(scores[before], scores[after])
            ranks[after, index] = rank
    return ranks


def _differ(one: Fraction | float, other: Fraction | float) -> bool:
    if isinstance(one, float) or isinstance(other, float):
        return not abs(float(one) - float(other)) <= _ROUNDING
    return one != other
