"""Evidence of a long corpus, read part by part: only the distinct rows and how often each occurs are kept in memory."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from errata.distinct_rows import find_distinct
from errata.errors import UsageError
from errata.evidence import Evidence, Kinds
from errata.metrics.base import Metric
from errata.metrics.strategy import Chosen

if TYPE_CHECKING:
    from errata.ratios import Row


class RowArrays(NamedTuple):
    """The rows of consecutive sentences: sentence s has those from ``starts[s]`` to before ``starts[s + 1]``."""

    counts: Any
    starts: Any


Parts = Callable[[], Iterator[RowArrays]]
"""Yields the rows of all sentences, part by part, whenever it is called."""


class _Pass(NamedTuple):
    """What one pass over all parts finds."""

    matrix: Any
    times: Any
    total: Row


_MOST_KEPT = 1 << 25
"""Bytes of the kinds of all sentences of a system that are kept."""


def _refuse_sentences() -> UsageError:
    return UsageError("single sentences of long evidence are not kept; its Parquet files have them")


@dataclass(frozen=True)
class LargeEvidence(Evidence):
    """Evidence whose rows are read when they are needed; its metric chooses references sentence by sentence."""

    parts: Parts = field(kw_only=True, repr=False, compare=False)
    sentences: int = field(kw_only=True)

    @property
    def size(self) -> int:
        """The number of sentences."""
        return self.sentences

    @cached_property
    def counts(self) -> Row:
        """The sum of the chosen rows."""
        return self._pass.total

    @cached_property
    def value(self) -> float:
        """The score."""
        return self.metric.value(self.counts)

    @cached_property
    def spread(self) -> dict[str, float]:
        """Nothing: no reference is random."""
        return {}

    @property
    def chosen(self) -> tuple[int, ...] | None:
        """Not available: it would have a number for every sentence."""
        raise _refuse_sentences()

    def index(self, sentence: int) -> int:
        """Refuse: single sentences are in the files."""
        del sentence
        raise _refuse_sentences()

    @property
    def matrix(self) -> Any:
        """Not available: it would have a row for every sentence."""
        raise UsageError("the matrix of a long corpus is not kept; use kinds")

    @property
    def is_wide(self) -> bool:
        """Whether its rows have very many columns: they have not."""
        return False

    @cached_property
    def kinds(self) -> Kinds:
        """The distinct chosen rows."""
        import numpy as np

        matrix = self._pass.matrix.astype(np.float64)
        if type(self.metric).sentence_value is Metric.sentence_value:
            return Kinds(matrix, self.values(matrix))
        rows = self._pass.matrix.tolist()
        return Kinds(matrix, np.array([self.metric.sentence_value(tuple(row)) for row in rows], dtype=np.float64))

    @property
    def times(self) -> Any:
        """How many sentences are of each kind."""
        return self._pass.times

    def iterate_kinds(self) -> Iterator[Any]:
        """Yield the kinds of consecutive sentences; they are kept if they take little memory, because every pair of systems needs them."""
        import numpy as np

        if self._kept_kinds:
            yield from self._kept_kinds
            return
        kind = np.min_scalar_type(len(self._pass.times))
        kept: list[Any] | None = [] if self.size * kind.itemsize <= _MOST_KEPT else None
        for kinds in self._find_kinds():
            if kept is not None:
                kept.append(kinds.astype(kind))
            yield kinds
        self._kept_kinds.extend(kept or ())

    @cached_property
    def _kept_kinds(self) -> list[Any]:
        return []

    def _find_kinds(self) -> Iterator[Any]:
        import numpy as np

        known = {tuple(row): number for number, row in enumerate(self._pass.matrix.tolist())}
        for rows in self._iterate_chosen():
            distinct, places = find_distinct(rows)
            yield np.array([known[tuple(row)] for row in distinct.tolist()], dtype=np.int64)[places]

    @cached_property
    def _pass(self) -> _Pass:
        import numpy as np

        times: dict[Row, int] = {}
        for rows in self._iterate_chosen():
            distinct, places = find_distinct(rows)
            for row, count in zip(map(tuple, distinct.tolist()), np.bincount(places).tolist(), strict=True):
                times[row] = times.get(row, 0) + count
        matrix = np.array(list(times), dtype=np.int64).reshape(len(times), len(self.metric.columns))
        counts = np.array(list(times.values()), dtype=np.int64)
        # In whole numbers of any size.
        total = tuple(sum(count * row[column] for row, count in times.items()) for column in range(len(self.metric.columns)))
        return _Pass(matrix, counts, total)

    def _iterate_chosen(self) -> Iterator[Any]:
        """Yield the chosen rows of consecutive sentences."""
        strategy = self.strategy
        if not isinstance(strategy, Chosen):
            raise TypeError(f"{strategy} does not choose a reference sentence by sentence")
        before: Row = (0,) * len(self.metric.columns)
        for counts, starts in self.parts():
            rows = counts[strategy.pick(counts, starts, before)]
            before = tuple(sum(pair) for pair in zip(before, rows.sum(axis=0).tolist(), strict=True))
            yield rows
