"""How sure the scores of error types are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from errata.errors import RequestError, UsageError
from errata.stats.bootstrap import Bootstrap
from errata.stats.intervals import Interval, interval_of
from errata.stats.resampling import resampled_sums, unit_counts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from errata.corpus import Corpus
    from errata.scoring.by_type import TypeCounts


class TypeIntervals(NamedTuple):
    """Of precision, recall and F.

    None where fewer than two sentences, or documents, say something about the type, or all of them say the same.
    """

    precision: Interval | None
    recall: Interval | None
    f: Interval | None


def type_intervals(counts: Sequence[TypeCounts], corpus: Corpus, beta: float, bootstrap: Bootstrap | None = None) -> list[TypeIntervals]:
    """The intervals of all types of one system.

    A replicate that has no edit of a type says nothing about it, and is left out for that type.
    """
    import numpy as np

    settings = bootstrap or Bootstrap()
    if settings.choice == "again" or settings.method == "exact":
        raise UsageError("intervals by type keep the choice among references, and are bca or percentile")
    matrices = []
    for item in counts:
        matrix = np.zeros((len(corpus), 3))
        for number, *row in item.sentences:
            matrix[number] = row
        matrices.append(unit_counts(matrix, corpus, settings.by))
    if matrices and len(matrices[0]) < 2:  # noqa: PLR2004 - one has no variance
        raise RequestError(f"an interval needs two {settings.by}s or more, found {len(matrices[0])}")
    found = []
    for item, matrix, sums in zip(counts, matrices, resampled_sums(matrices, settings), strict=True):
        known = item.proposed is not None
        precision, recall, f = (_interval(measure, matrix, sums, settings) for measure in _measures(beta))
        found.append(TypeIntervals(precision if known else None, recall, f if known and item.gold else None))
    return found


_Measure = tuple[tuple[float, float, float], tuple[float, float, float]]


def _measures(beta: float) -> tuple[_Measure, _Measure, _Measure]:
    """Numerators and denominators of precision, recall and F, over matched, proposed and gold."""
    return ((1, 0, 0), (0, 1, 0)), ((1, 0, 0), (0, 0, 1)), ((1 + beta**2, 0, 0), (0, 1, beta**2))


def _interval(weights: _Measure, matrix: Any, sums: Any, settings: Bootstrap) -> Interval | None:
    import numpy as np

    above, below = (np.array(side, dtype=float) for side in weights)
    says = matrix[matrix @ below > 0]
    if len(says) < 2 or np.ptp((says @ above) / (says @ below)) == 0:  # noqa: PLR2004 - one has no variance
        return None

    def measure(counts: Any) -> Any:
        weight = counts @ below
        return np.divide(counts @ above, weight, out=np.full(len(counts), np.nan), where=weight != 0)

    return interval_of(measure, matrix, sums, settings)
