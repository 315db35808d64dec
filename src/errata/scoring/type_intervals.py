"""Intervals of the scores of error types."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from errata.errors import RequestError, UsageError
from errata.metrics.ratios import UNDEFINED, make_edit_ratios
from errata.stats.bootstrap import Bootstrap
from errata.stats.intervals import Interval, make_interval
from errata.stats.resampling import resample_sums, sum_by_unit

if TYPE_CHECKING:
    from collections.abc import Sequence

    from errata.corpus.corpus import Corpus
    from errata.metrics.ratios import Ratio
    from errata.scoring.by_type import TypeCounts
    from errata.stats.bootstrap import Progress


_MOST_SUMS = 16_000_000
"""Sums of counts that are in memory together; 128 MB."""


class TypeIntervals(NamedTuple):
    """Intervals of precision, recall and F.

    None if the value is defined for fewer than two sentences, or documents, or is the same in all of them.
    """

    precision: Interval | None
    recall: Interval | None
    f: Interval | None


def compute_type_intervals(
    counts: Sequence[TypeCounts], corpus: Corpus, beta: float, bootstrap: Bootstrap | None = None, progress: Progress | None = None
) -> list[TypeIntervals]:
    """Compute the intervals of all types of one system.

    A replicate without an edit of a type is left out for that type.
    ``progress`` is called with the number of replicates that were just done.
    """
    import numpy as np

    settings = bootstrap or Bootstrap()
    if settings.choice == "again" or settings.method == "exact":
        raise UsageError("intervals by type must be bca or percentile, and cannot be combined with --rechoose")
    matrices = []
    for item in counts:
        matrix = np.zeros((len(corpus), 3))
        for number, *row in item.sentences:
            matrix[number] = row
        matrices.append(sum_by_unit(matrix, corpus, settings.by))
    if matrices and len(matrices[0]) < 2:  # noqa: PLR2004 - one has no variance
        raise RequestError(f"an interval needs two {settings.by}s or more, found {len(matrices[0])}")
    intervals: list[TypeIntervals] = []
    most = max(1, _MOST_SUMS // (3 * settings.replicates))
    for first in range(0, len(counts), most):  # the sums of all types may not fit into memory; each group has the same replicates
        group = slice(first, first + most)
        resampled = resample_sums(matrices[group], settings, progress if first == 0 else None)
        for item, matrix, sums in zip(counts[group], matrices[group], resampled, strict=True):
            known = item.proposed is not None
            precision, recall, f = (_compute_interval(measure, matrix, sums, settings) for measure in make_edit_ratios(beta))
            intervals.append(TypeIntervals(precision if known else None, recall, f if known and item.gold else None))
    return intervals


def _compute_interval(ratio: Ratio, matrix: Any, sums: Any, settings: Bootstrap) -> Interval | None:
    import numpy as np

    of_units = ratio.values(matrix, UNDEFINED)
    known = of_units[~np.isnan(of_units)]
    if len(known) < 2 or np.ptp(known) == 0:  # noqa: PLR2004 - one has no variance
        return None
    return make_interval(lambda counts: ratio.values(counts, UNDEFINED), matrix, ratio.values(sums, UNDEFINED), settings)
