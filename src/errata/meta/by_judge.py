"""Metrics against single judges: correlations with the scores of systems by each judge alone, and agreement on its sentences."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from errata.judgments.judge_correlations import score_by_one_judge
from errata.meta.coefficients import compute_many, none_if_undefined
from errata.meta.sentence_level import compute_agreement, count_by_sentence, list_decided_pairs

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from errata.judgments.items import RankingItem
    from errata.judgments.pairs import PairKind
    from errata.judgments.wins import Opponents
    from errata.meta.metric_scores import MetricScores
    from errata.meta.tie_rules import TieRule


class JudgeResult(NamedTuple):
    """How far a metric agrees with one judge; None if the judge says nothing about it."""

    metric: str
    judge: str
    items: int
    systems: int
    """Systems with a score by this judge."""
    pearson: float | None
    spearman: float | None
    pairs: int
    """Pairs of the sentence level that the judge did not tie."""
    accuracy: float | None
    tau: float | None


def compare_with_judges(  # noqa: PLR0913 - what is compared, and the rules of pairs
    items: Sequence[RankingItem],
    places: Mapping[int, int],
    metrics: Sequence[MetricScores],
    ranks: Sequence[NDArray[np.int64] | None],
    systems: Sequence[str],
    *,
    kind: PairKind,
    rule: TieRule,
    opponents: Opponents = "decided",
) -> list[JudgeResult]:
    """Compare every metric with every judge; ``ranks`` are those of systems on sentences by each metric, if it has any."""
    found = []
    for judge in sorted({item.judge for item in items}):
        own = [item for item in items if item.judge == judge]
        scores = score_by_one_judge(own, opponents)
        known = [name for name in systems if name in scores]
        pairs = list_decided_pairs(own, places, systems, kind, rule)
        for metric, ranked in zip(metrics, ranks, strict=True):
            r, rho = math.nan, math.nan
            if len(known) > 2:  # noqa: PLR2004 - two points always lie on a line
                lists = metric.list_values(known), _to_array([scores[name] for name in known])
                r, rho = (float(compute_many(kind_, *lists)) for kind_ in ("pearson", "spearman"))
            accuracy, tau, count = math.nan, math.nan, len(pairs.outcome)
            if ranked is not None:
                total = count_by_sentence(pairs, ranked, len(places)).sum(axis=0)[None, :]
                accuracy, tau = (float(values[0]) for values in compute_agreement(total, rule))
            result = JudgeResult(
                metric.name,
                judge,
                len(own),
                len(known),
                none_if_undefined(r),
                none_if_undefined(rho),
                count,
                none_if_undefined(accuracy),
                none_if_undefined(tau),
            )
            found.append(result)
    return found


def _to_array(values: object) -> NDArray[np.float64]:
    import numpy as np

    return np.array(values, dtype=np.float64)
