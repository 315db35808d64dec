"""Whether a metric prefers the same of two outputs of a sentence as people do."""

from __future__ import annotations

import math
from itertools import combinations
from typing import TYPE_CHECKING, Any, NamedTuple

from errata.stats.comparison import correct_p
from errata.stats.intervals import compute_ends
from errata.studies.meta.methods import PairAgreement, none_if_undefined, weigh_outcomes
from errata.studies.meta.scores import draw_weights

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from errata.settings import Correction, PairKind, TieRule
    from errata.stats.bootstrap import Bootstrap
    from errata.studies.judgments.items import RankedOutput, RankingItem


# --- Whether a metric prefers the same of two outputs of a sentence as people do.
#
# Pairs that the judge tied are not counted.  Accuracy is the share of pairs that agree, and Kendall's tau the share that agrees less the
# share that disagrees; what a tie of the metric is, a rule says (:mod:`errata.studies.meta.methods`).

if TYPE_CHECKING:
    _Array = NDArray[np.float64]

_COUNTS = len(PairAgreement._fields)


class _DecidedPairs(NamedTuple):
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
) -> _DecidedPairs:
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
    return _DecidedPairs(sentence, judge_index, first, second, outcomes, tied)


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


def count_by_sentence(pairs: _DecidedPairs, ranks: NDArray[np.int64], sentences: int) -> _Array:
    """Count, for each sentence (row), the four outcomes of :class:`PairAgreement`; ``ranks`` are those of systems by a metric."""
    import numpy as np

    preferred = np.sign(ranks[pairs.first, pairs.sentence] - ranks[pairs.second, pairs.sentence])
    kinds = np.where(preferred == 0, np.where(pairs.outcome > 0, 2, 3), np.where(preferred == pairs.outcome, 0, 1))
    counts = np.bincount(pairs.sentence * _COUNTS + kinds, minlength=sentences * _COUNTS)
    return counts.reshape(sentences, _COUNTS).astype(np.float64)


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


# --- Agreement of metrics with people on sentences: values with intervals, and whether one metric agrees more often than another.
#
# Intervals are by bootstrap over sentences.  The test swaps the outcomes of two metrics on whole sentences at random.

_SWAPS = 10_000
_AT_ONCE = 500
_AS_FAR = 1e-9


class SentenceAgreement(NamedTuple):
    """How far a metric agrees with people on the sentences of a set of systems; ends and values are None if they are unknown."""

    metric: str
    systems: str
    """The name of the set."""
    agree: int
    disagree: int
    first_better: int
    """Ties of the metric in which people prefer the system that is called first."""
    first_worse: int
    human_ties: int
    """Pairs that people tied, which are not counted."""
    accuracy: float | None
    accuracy_low: float | None
    accuracy_high: float | None
    tau: float | None
    tau_low: float | None
    tau_high: float | None


class AgreementComparison(NamedTuple):
    """The difference of the accuracies of two metrics on sentences; p is corrected."""

    metric: str
    other: str
    systems: str
    difference: float | None
    low: float | None
    high: float | None
    p: float | None


def describe_agreement(
    names: Sequence[str], counts: Sequence[_Array], set_name: str, human_ties: int, rule: TieRule, bootstrap: Bootstrap | None
) -> list[SentenceAgreement]:
    """Make the results of all metrics from their counts, with a row for each sentence."""
    found = []
    resampled = None if bootstrap is None else _resample_counts(counts, bootstrap)
    for index, (name, own) in enumerate(zip(names, counts, strict=True)):
        total = own.sum(axis=0)
        results: list[tuple[float | None, float | None, float | None]] = []
        for which in (0, 1):  # accuracy, tau
            value = float(compute_agreement(total[None, :], rule)[which][0])
            ends = (math.nan, math.nan)
            if bootstrap is not None and resampled is not None and not math.isnan(value):
                drawn, without = (compute_agreement(sums, rule)[which] for sums in (resampled[index], total - own))
                interval = compute_ends(drawn, bootstrap, value, without)
                ends = (interval.low, interval.high)
            results.append((none_if_undefined(value), none_if_undefined(ends[0]), none_if_undefined(ends[1])))
        outcomes = PairAgreement(*(int(number) for number in total))
        found.append(SentenceAgreement(name, set_name, *outcomes, human_ties, *results[0], *results[1]))
    return found


def compare_agreement(
    names: Sequence[str],
    counts: Sequence[_Array],
    set_name: str,
    rule: TieRule,
    *,
    bootstrap: Bootstrap | None = None,
    correction: Correction = "holm",
    seed: int = 0,
) -> list[AgreementComparison]:
    """Compare the accuracies of all pairs of metrics."""
    resampled = None if bootstrap is None else _resample_counts(counts, bootstrap)
    found: list[AgreementComparison] = []
    for one, other in combinations(range(len(names)), 2):

        def measure(sums: Sequence[_Array], pair: tuple[int, int] = (one, other)) -> _Array:
            return compute_agreement(sums[pair[0]], rule)[0] - compute_agreement(sums[pair[1]], rule)[0]

        totals = [own.sum(axis=0) for own in counts]
        value = float(measure([total[None, :] for total in totals])[0])
        ends = (math.nan, math.nan)
        if bootstrap is not None and resampled is not None and not math.isnan(value):
            without = measure([total - own for total, own in zip(totals, counts, strict=True)])
            interval = compute_ends(measure(resampled), bootstrap, value, without)
            ends = (interval.low, interval.high)
        p = None if math.isnan(value) else _test_by_swapping(counts[one], counts[other], rule, seed)
        found.append(
            AgreementComparison(
                names[one], names[other], set_name, none_if_undefined(value), none_if_undefined(ends[0]), none_if_undefined(ends[1]), p
            )
        )
    known = iter(correct_p([row.p for row in found if row.p is not None], correction))
    return [row if row.p is None else row._replace(p=next(known)) for row in found]


def _resample_counts(counts: Sequence[_Array], bootstrap: Bootstrap) -> list[_Array]:
    """Sum the counts of each metric in every replicate (rows)."""
    import numpy as np

    sentences, width = counts[0].shape
    together = np.hstack(counts)
    sums = np.concatenate([weights @ together for weights in draw_weights(sentences, bootstrap)])
    return [sums[:, first : first + width] for first in range(0, sums.shape[1], width)]


def _test_by_swapping(one: _Array, other: _Array, rule: TieRule, seed: int) -> float:
    import numpy as np

    def subtract(first: _Array, second: _Array) -> _Array:
        return compute_agreement(first, rule)[0] - compute_agreement(second, rule)[0]

    half = (one.sum(axis=0) + other.sum(axis=0)) / 2
    apart = (one - other) / 2
    apart = apart[apart.any(axis=1)]
    if not len(apart):
        return 1.0
    observed = abs(float(subtract(one.sum(axis=0)[None, :], other.sum(axis=0)[None, :])[0]))
    as_far = 0
    for signs in _draw_signs(len(apart), seed):
        moved = signs @ apart
        differences = np.abs(subtract(half + moved, half - moved))
        as_far += int(np.sum(~(differences < observed * (1 - _AS_FAR))))
    return (as_far + 1) / (_SWAPS + 1)


def _draw_signs(size: int, seed: int) -> Iterator[_Array]:
    import numpy as np

    random = np.random.default_rng(seed)
    for _ in range(0, _SWAPS, _AT_ONCE):
        yield np.where(random.integers(0, 2, (_AT_ONCE, size)) == 1, 1.0, -1.0)
