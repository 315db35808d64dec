"""Whether judges rank systems alike: correlations of expected wins by single judges, with each other and with those of all others.

Grundkiewicz et al. (2015), Table 6.
"""

from __future__ import annotations

import math
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

from errata.judgments.pairs import count_judged_pairs
from errata.judgments.wins import Opponents, compute_expected_wins, count_wins
from errata.stats.correlation import FEWEST, compute_coefficients

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from errata.judgments.items import HumanJudgments, RankingItem

OTHERS = "others"
"""Stands for all other judges together."""


class JudgeCorrelation(NamedTuple):
    """The correlation of the scores of systems by a judge with those by another, or by all others; None if it is undefined."""

    judge: str
    other: str
    systems: int
    """Systems with a score by both."""
    spearman: float | None
    pearson: float | None
    pairs: int
    """Expanded pairs of the judge, or of both: the weight in a mean."""


def score_by_one_judge(items: Sequence[RankingItem], opponents: Opponents = "decided") -> dict[str, float]:
    """Compute expected wins by some items; systems whose pairs are all ties have none."""
    import numpy as np

    systems = sorted({name for item in items for output in item.outputs for name in output.systems})
    if not systems:
        return {}
    scores = compute_expected_wins(np.array(count_wins(items, systems).wins, dtype=np.float64), opponents)
    return {name: score for name, score in zip(systems, scores.tolist(), strict=True) if not math.isnan(score)}


def correlate_judges(judgments: HumanJudgments, opponents: Opponents = "decided") -> list[JudgeCorrelation]:
    """Correlate the scores of each judge with those of all others together, and of each pair of judges."""
    by_judge = {judge: [item for item in judgments.items if item.judge == judge] for judge in judgments.judges}
    pairs = {judge: count_judged_pairs(own, "expanded").pairs for judge, own in by_judge.items()}
    scores = {judge: score_by_one_judge(own, opponents) for judge, own in by_judge.items()}
    found = []
    for judge in by_judge if len(by_judge) > 1 else ():
        others = score_by_one_judge([item for item in judgments.items if item.judge != judge], opponents)
        found.append(_correlate(judge, OTHERS, scores[judge], others, pairs[judge]))
    for one, other in combinations(by_judge, 2):
        found.append(_correlate(one, other, scores[one], scores[other], pairs[one] + pairs[other]))
    return found


def average_correlations(correlations: Sequence[JudgeCorrelation]) -> tuple[float | None, float | None]:
    """Compute the means of Spearman's rho and Pearson's r of judges with all others, weighted by pairs."""

    def mean(values: Sequence[tuple[float | None, int]]) -> float | None:
        known = [(value, weight) for value, weight in values if value is not None]
        return sum(value * weight for value, weight in known) / sum(weight for _, weight in known) if known else None

    with_others = [row for row in correlations if row.other == OTHERS]
    return mean([(row.spearman, row.pairs) for row in with_others]), mean([(row.pearson, row.pairs) for row in with_others])


def _correlate(judge: str, other: str, own: Mapping[str, float], others: Mapping[str, float], pairs: int) -> JudgeCorrelation:
    known = [name for name in own if name in others]
    found = compute_coefficients([own[name] for name in known], [others[name] for name in known]) if len(known) >= FEWEST else None
    spearman, pearson = found or (None, None)
    return JudgeCorrelation(judge, other, len(known), spearman, pearson, pairs)
