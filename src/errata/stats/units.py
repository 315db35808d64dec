"""What is resampled or swapped: sentences or documents, with their counts for several systems.

Identical units of a long corpus are grouped: how often a row of counts occurs takes its place.  This has the same distribution, takes
less time, and needs no row for every sentence.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from errata.errors import RequestError, pluralise
from errata.metrics.evidence import WIDE, find_distinct, sum_times

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from errata.corpus.corpus import Corpus
    from errata.metrics.evidence import Evidence
    from errata.stats.bootstrap import ResampleBy

MANY = 20_000
"""With more units than this, identical ones are grouped."""
_MOST_KINDS = 1 << 26
"""Kinds of sentences, times systems, that are kept; half a GB."""
_WAITING = 1 << 20
"""Rows that are kept before equal ones are added up."""


class Units(NamedTuple):
    """The counts of units: a matrix for each system, with the same units in the same rows."""

    matrices: list[Any]
    times: Any
    """How many units have each row."""
    values: list[Any] | None
    """The values of each row as a single sentence, for each system; None for documents, and if they were not asked for."""
    grouped: bool
    """Whether a row stands for all units with these counts."""


def collect_units(evidence: Sequence[Evidence], by: ResampleBy, *, with_values: bool = False) -> Units:
    """Collect the units of systems that were scored on one corpus; groups of sentences always have values."""
    import numpy as np

    if by == "document":
        matrices = [sum_by_unit(item.matrix, item.corpus, by) for item in evidence]
        once = np.ones(len(matrices[0]))
        if len(once) <= MANY or any(matrix.shape[1] > WIDE for matrix in matrices):
            return Units(matrices, once, None, grouped=False)
        return _group(matrices, once, None)
    if evidence[0].size <= MANY or any(item.is_wide for item in evidence):
        values = [item.sentence_values for item in evidence] if with_values else None
        return Units([item.matrix for item in evidence], np.ones(evidence[0].size), values, grouped=False)
    kinds = [item.kinds for item in evidence]
    joined, times = _join_kinds(evidence)
    own = list(zip(kinds, joined.T, strict=True))
    return _group([kind.matrix[column] for kind, column in own], times, [kind.values[column] for kind, column in own])


def _group(matrices: list[Any], times: Any, values: list[Any] | None) -> Units:
    """Group equal rows, in an order that depends on nothing else."""
    import numpy as np

    rows, places = find_distinct(np.column_stack([*matrices, *(values or ())]))
    total = np.bincount(places, weights=times, minlength=len(rows))
    ends = np.cumsum([matrix.shape[1] for matrix in matrices])
    columns = np.split(rows, ends, axis=1)
    return Units(columns[:-1], total, None if values is None else list(columns[-1].T), grouped=True)


def _join_kinds(evidence: Sequence[Evidence]) -> tuple[Any, Any]:
    """Find which kinds the same sentences have in all systems, and how often."""
    import numpy as np

    rows: list[Any] = []
    times: list[Any] = []
    for together in _in_step([item.iterate_kinds() for item in evidence]):
        rows.append(together)
        times.append(np.ones(len(together), dtype=np.int64))
        if sum(map(len, rows)) > 2 * len(rows[0]) + _WAITING:
            rows, times = _add_up(rows, times)
    rows, times = _add_up(rows, times)
    return rows[0], times[0]


def _add_up(rows: list[Any], times: list[Any]) -> tuple[list[Any], list[Any]]:
    import numpy as np

    distinct, total = sum_times(np.concatenate(rows), np.concatenate(times))
    if distinct.size > _MOST_KINDS:
        raise RequestError(
            f"{pluralise(distinct.shape[1], 'system')} differ in too many sentences to be tested together; take fewer systems"
        )
    return [distinct], [total]


def _in_step(columns: Sequence[Iterator[Any]]) -> Iterator[Any]:
    """Yield rows of the same sentences from columns that come in pieces of different lengths."""
    import numpy as np

    waiting = [np.zeros(0, dtype=np.int64) for _ in columns]
    while True:
        waiting = [own if len(own) else next(column, own) for own, column in zip(waiting, columns, strict=True)]
        size = min(map(len, waiting))
        if size == 0:
            return
        yield np.column_stack([own[:size] for own in waiting])
        waiting = [own[size:] for own in waiting]


def group_documents(corpus: Corpus) -> list[list[int]]:
    """List the indices of the sentences of each document, in the order in which documents begin."""
    missing = [number for number, sentence in zip(corpus.numbers, corpus, strict=True) if not sentence.document]
    if missing:
        raise RequestError(
            f"{len(missing):,} of {pluralise(len(corpus), 'sentence')} {'has' if len(missing) == 1 else 'have'} no document "
            f"(the first is sentence {missing[0]:,}); use --documents FILE"
        )
    groups: dict[str, list[int]] = {}
    for number, sentence in enumerate(corpus):
        groups.setdefault(sentence.document, []).append(number)
    return list(groups.values())


def sum_by_unit(matrix: Any, corpus: Corpus, by: ResampleBy) -> Any:
    """Return the counts of sentences, or their sums in each document."""
    import numpy as np

    return matrix if by == "sentence" else np.array([matrix[numbers].sum(axis=0) for numbers in group_documents(corpus)])
