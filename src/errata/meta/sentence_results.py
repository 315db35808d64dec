"""Agreement of metrics with people on sentences: values with intervals, and whether one metric agrees more often than another.

Intervals are by bootstrap over sentences.  The test swaps the outcomes of two metrics on whole sentences at random.
"""

from __future__ import annotations

import math
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

from errata.meta.coefficients import none_if_undefined
from errata.meta.replicates import draw_weights
from errata.meta.sentence_level import compute_agreement
from errata.meta.tie_rules import PairAgreement
from errata.stats.comparison import correct_p
from errata.stats.intervals import compute_ends

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from errata.meta.tie_rules import TieRule
    from errata.names import Correction
    from errata.stats.bootstrap import Bootstrap

    _Array = NDArray[np.float64]

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
    resampled = None if bootstrap is None else resample_counts(counts, bootstrap)
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
    resampled = None if bootstrap is None else resample_counts(counts, bootstrap)
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


def resample_counts(counts: Sequence[_Array], bootstrap: Bootstrap) -> list[_Array]:
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
