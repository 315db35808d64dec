"""Whether a metric prefers the same of two outputs of a sentence as people do.

Pairs that the judge tied are not counted.  Accuracy is the share of pairs that agree, and Kendall's tau the share that agrees less the
share that disagrees; what a tie of the metric is, a rule says (:mod:`errata.meta.tie_rules`).
"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, Any, NamedTuple

from errata.meta.tie_rules import PairAgreement, TieRule, weigh_outcomes

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from errata.judgments.items import RankedOutput, RankingItem
    from errata.judgments.pairs import PairKind

    _Array = NDArray[np.float64]

COUNTS = len(PairAgreement._fields)


class DecidedPairs(NamedTuple):
    """Pairs that people did not tie: arrays with a value for each pair."""

    sentence: NDArray[np.int64]
    """The place of the sentence in replicates."""
    judge: NDArray[np.int64]
    first: NDArray[np.int64]
    """Systems by their index; the first is the one that a rule for ties calls first."""
    second: NDArray[np.int64]
    outcome: NDArray[np.int64]
    """1 if the first is better, -1 if the second is."""
    tied: int
    """Pairs that people tied, which are not among these."""


def list_decided_pairs(
    items: Sequence[RankingItem], places: Mapping[int, int], systems: Sequence[str], kind: PairKind, rule: TieRule
) -> DecidedPairs:
    """List the pairs of some systems; an output of several of them stands for the first.

    The first is that of the alphabet, or with the rule ``loss-given`` that of ``systems``.
    """
    import numpy as np

    numbers = {name: number for number, name in enumerate(systems)}
    order = list(range(len(systems))) if rule == "loss-given" else np.argsort(np.argsort(np.array(systems, dtype=object))).tolist()
    judges: dict[str, int] = {}
    found: list[tuple[int, int, int, int, int]] = []
    tied = 0
    for item in items:
        judge = judges.setdefault(item.judge, len(judges))
        for (one, rank), (other, other_rank) in combinations(_list_entries(item.outputs, numbers, order, kind), 2):
            if rank == other_rank:
                tied += 1
                continue
            outcome = 1 if rank < other_rank else -1
            pair = (one, other, outcome) if order[one] < order[other] else (other, one, -outcome)
            found.append((places[item.sentence], judge, *pair))
    columns = np.array(found, dtype=np.int64).reshape(-1, 5).T
    sentence, judge_index, first, second, outcomes = columns
    return DecidedPairs(sentence, judge_index, first, second, outcomes, tied)


def _list_entries(
    outputs: Sequence[RankedOutput], numbers: Mapping[str, int], order: Sequence[int], kind: PairKind
) -> list[tuple[int, int]]:
    """List systems with their ranks: all of them, or one for each output."""
    entries = []
    for output in outputs:
        known = [numbers[name] for name in output.systems if name in numbers]
        if kind == "collapsed" and known:
            known = [min(known, key=order.__getitem__)]
        entries += [(system, output.rank) for system in known]
    return entries


def count_by_sentence(pairs: DecidedPairs, ranks: NDArray[np.int64], sentences: int) -> _Array:
    """Count, for each sentence (row), the four outcomes of :class:`PairAgreement`; ``ranks`` are those of systems by a metric."""
    import numpy as np

    preferred = np.sign(ranks[pairs.first, pairs.sentence] - ranks[pairs.second, pairs.sentence])
    kinds = np.where(preferred == 0, np.where(pairs.outcome > 0, 2, 3), np.where(preferred == pairs.outcome, 0, 1))
    counts = np.bincount(pairs.sentence * COUNTS + kinds, minlength=sentences * COUNTS)
    return counts.reshape(sentences, COUNTS).astype(np.float64)


def compute_agreement(counts: _Array, rule: TieRule) -> tuple[_Array, _Array]:
    """Compute accuracy and Kendall's tau of many sums of counts (rows); not a number if there are no pairs.

    >>> import numpy as np
    >>> [value.tolist() for value in compute_agreement(np.array([[6.0, 2.0, 1.0, 1.0]]), "neither")]
    [[0.6], [0.4]]
    """
    import numpy as np

    agree, disagree, pairs = (counts @ np.array(weights, dtype=np.float64) for weights in weigh_outcomes(rule))

    def divide(above: Any) -> Any:
        return np.divide(above, pairs, out=np.full(pairs.shape, np.nan), where=pairs > 0)

    return divide(agree), divide(agree - disagree)
