"""Evidence: the counts of a system on a corpus, in memory or read part by part.

Scores, intervals and tests need only the evidence, not the texts.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from errata.corpus.corpus import Corpus, to_tuple
from errata.errors import RequestError, UsageError
from errata.metrics.base import Metric
from errata.metrics.strategies import Choose, Chosen, Rechooses

if TYPE_CHECKING:
    from errata.metrics.ratios import Row
    from errata.metrics.strategies import Strategy


_MOST_KEPT_VALUES = 4_000_000
"""Numbers of a matrix that is kept; 32 MB."""
WIDE = 1_000
"""Columns of a matrix above which sentences are hardly ever identical."""
_MEAN = "mean"
"""The label of the references of a sentence if all of them take part."""


class HasEvidence(Protocol):
    """An object with evidence, such as a score."""

    @property
    def evidence(self) -> Evidence:
        """The evidence."""


def collect_evidence(items: object) -> list[Evidence]:
    """Make a list of evidence from a list of evidence or scores."""
    if isinstance(items, Evidence) or hasattr(items, "evidence"):
        raise UsageError("scores, or their evidence, must be in a list, found one")
    rule = "statistics need a list of scores, or of their evidence"
    return list(to_tuple(Evidence, [getattr(item, "evidence", item) for item in to_tuple(object, items, rule)], rule))


class _SentenceEvidence(NamedTuple):
    """The counts, reference and value of a single sentence."""

    counts: Row
    reference: str
    value: float


class _Kinds(NamedTuple):
    """The distinct sentences of a system: those with the same counts and the same value are of one kind."""

    matrix: Any
    """Their counts, one row for each kind, whose rows can be summed."""
    values: Any
    """Their values as single sentences."""


class _KeptIfSmall(cached_property):  # type: ignore[type-arg]
    """A cached property whose value, an array, is kept only if it takes little memory."""

    def __get__(self, instance: Any, owner: type | None = None) -> Any:
        if instance is None:
            return self
        array = self.func(instance)
        if array.size <= _MOST_KEPT_VALUES:
            vars(instance)[self.attrname] = array
        return array


@dataclass(frozen=True)
class Evidence:
    """The counts of a system on a corpus: for each sentence one row for each reference."""

    metric: Metric
    corpus: Corpus = field(repr=False)
    system_name: str
    rows: tuple[tuple[Row, ...], ...] = field(repr=False)
    labels: tuple[tuple[str, ...], ...] = field(repr=False)
    """The reference behind each row."""

    @cached_property
    def strategy(self) -> Strategy:
        """How the metric uses references."""
        return self.metric.strategy

    @property
    def size(self) -> int:
        """The number of sentences."""
        return len(self.rows)

    @property
    def chooses(self) -> bool:
        """Whether one reference is chosen for each sentence; else all of them take part."""
        return isinstance(self.strategy, Chosen)

    @property
    def can_rechoose(self) -> bool:
        """Whether the choice among references depends on the other sentences; else it is the same in every replicate."""
        strategy = self.strategy
        return isinstance(strategy, Rechooses) or (isinstance(strategy, Choose) and strategy.rule != "sentence")

    def has_same_gold(self, other: Evidence) -> bool:
        """Whether two systems were scored on the same sentences; a gold whose sentences are not there is known by its fingerprint."""
        golds = (self.corpus, other.corpus)
        if golds[0] is golds[1]:
            return True
        if all(isinstance(gold, Corpus) for gold in golds):
            return golds[0].sentences == golds[1].sentences
        return golds[0].fingerprint == golds[1].fingerprint and self.size == other.size

    @cached_property
    def chosen(self) -> tuple[int, ...] | None:
        """The row that is chosen for each sentence; None if all references take part."""
        return self.strategy.choose(self.rows)

    @cached_property
    def counts(self) -> Row:
        """The sum of the chosen rows; if none is chosen, of the mean rows, rounded."""
        return self.strategy.counts(self.rows, self.chosen) if self.rows else (0,) * len(self.metric.columns)

    @cached_property
    def value(self) -> float:
        """The score."""
        value = self.strategy.value(self.metric, self.rows, self.chosen) if self.rows else self.metric.value(self.counts)
        if not isinstance(value, (int, float)):
            raise RequestError(f"the value of {self.metric} must be a number, found {value!r:.60}")
        return value

    @cached_property
    def spread(self) -> dict[str, float]:
        """How much the score depends on random references, by name; empty if it does not."""
        return self.strategy.spread(self.metric, self.rows) if self.rows else {}

    @cached_property
    def sentence_values(self) -> Any:
        """The score of every sentence alone."""
        import numpy as np

        if self.chosen is not None and type(self.metric).sentence_value is Metric.sentence_value:
            return self.values(self.matrix)
        if self.chosen is not None:
            chosen = zip(self.rows, self.chosen, strict=True)
            return np.array([self.metric.sentence_value(rows[row]) for rows, row in chosen], dtype=np.float64)
        return np.array([self.strategy.sentence_value(self.metric, rows) for rows in self.rows], dtype=np.float64)

    @_KeptIfSmall
    def matrix(self) -> Any:
        """A matrix with one row per sentence, whose rows can be summed; a large one is not kept, but computed at every use."""
        return self.strategy.matrix(self.rows, self.chosen)

    @property
    def is_wide(self) -> bool:
        """Whether the matrix has so many columns that sentences are hardly ever identical."""
        return bool(self.matrix.shape[1] > WIDE)

    @property
    def kinds(self) -> _Kinds:
        """The distinct sentences; long corpora have few."""
        return self._by_kind[0]

    def iterate_kinds(self) -> Iterator[Any]:
        """Yield the kinds of consecutive sentences, as indices, many at a time."""
        yield self._by_kind[1]

    @cached_property
    def _by_kind(self) -> tuple[_Kinds, Any]:
        """Find the distinct sentences, and for each sentence which one it is."""
        import numpy as np

        distinct, places = find_distinct(np.column_stack([self.matrix, self.sentence_values]))
        return _Kinds(distinct[:, :-1], distinct[:, -1]), places

    def values(self, sums: Any) -> Any:
        """Compute the scores of many sums of rows of the matrix."""
        return self.strategy.values(self.metric, sums)

    def index(self, sentence: int) -> int:
        """Return the index of a sentence that is counted from 1; in a subset, of its number in the whole corpus."""
        part = self.corpus.part
        last = len(self.rows) if part is None else part.whole
        if not isinstance(sentence, int) or not 1 <= sentence <= last:
            raise UsageError(f"sentences are counted from 1 to {last:,}, found {sentence!r:.60}")
        if part is None:
            return sentence - 1
        index = bisect_left(part.numbers, sentence)
        if part.numbers[index : index + 1] != (sentence,):
            raise UsageError(f"sentence {sentence:,} is not in the subset: {self.corpus.extent}")
        return index

    def sentence(self, number: int) -> _SentenceEvidence:
        """Score a single sentence, counted from 1, against its chosen reference, or as the mean over its references."""
        index = self.index(number)
        rows, labels = self.rows[index], self.labels[index]
        if self.chosen is not None:
            row = self.chosen[index]
            return _SentenceEvidence(rows[row], labels[row], self.metric.sentence_value(rows[row]))
        counts = self.strategy.counts([rows], None)
        return _SentenceEvidence(counts, labels[0] if len(rows) == 1 else _MEAN, self.strategy.sentence_value(self.metric, rows))


class RowArrays(NamedTuple):
    """The rows of consecutive sentences: sentence s has those from ``starts[s]`` to before ``starts[s + 1]``."""

    counts: Any
    starts: Any


_Parts = Callable[[], Iterator[RowArrays]]
"""Yields the rows of all sentences, part by part, whenever it is called."""


class _Pass(NamedTuple):
    """What one pass over all parts finds."""

    matrix: Any
    times: Any
    total: Row


_MOST_KEPT_BYTES = 1 << 25
"""Bytes of the kinds of all sentences of a system that are kept."""


def _refuse_sentences() -> UsageError:
    return UsageError("single sentences of long evidence are not kept; its Parquet files have them")


@dataclass(frozen=True)
class LargeEvidence(Evidence):
    """Evidence of a long corpus, whose rows are read part by part when they are needed; its metric chooses references sentence by sentence.

    Only the distinct rows and how often each occurs are kept in memory.
    """

    parts: _Parts = field(kw_only=True, repr=False, compare=False)
    sentences: int = field(kw_only=True)

    @property
    def size(self) -> int:
        return self.sentences

    @cached_property
    def counts(self) -> Row:
        return self._pass.total

    @cached_property
    def value(self) -> float:
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
        return False

    @cached_property
    def kinds(self) -> _Kinds:
        import numpy as np

        matrix = self._pass.matrix.astype(np.float64)
        if type(self.metric).sentence_value is Metric.sentence_value:
            return _Kinds(matrix, self.values(matrix))
        rows = self._pass.matrix.tolist()
        return _Kinds(matrix, np.array([self.metric.sentence_value(tuple(row)) for row in rows], dtype=np.float64))

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
        kept: list[Any] | None = [] if self.size * kind.itemsize <= _MOST_KEPT_BYTES else None
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


# --- Distinct rows of whole or other numbers, and how often each occurs: long corpora have few of them.

_MOST_KEYS = 1 << 62


def find_distinct(rows: Any) -> tuple[Any, Any]:
    """Find the distinct rows of a matrix, in ascending order, and for each row the index of its equal.

    Numbers that are not a number are equal, and larger than all others.

    >>> import numpy as np
    >>> distinct, places = find_distinct(np.array([[2, 1], [0, 5], [2, 1]]))
    >>> distinct.tolist(), places.tolist()
    ([[0, 5], [2, 1]], [1, 0, 1])
    """
    import numpy as np

    keys = _make_keys(rows)
    if keys is not None:
        _, first, places = np.unique(keys, return_index=True, return_inverse=True)
        return rows[first], places
    order = np.lexsort(rows.T[::-1])
    ordered = rows[order]
    equal = (ordered[1:] == ordered[:-1]) | (np.isnan(ordered[1:]) & np.isnan(ordered[:-1]))
    begins = np.concatenate([np.ones(min(1, len(rows)), dtype=bool), ~equal.all(axis=1)])
    places = np.empty(len(rows), dtype=np.int64)
    places[order] = np.cumsum(begins) - 1
    return ordered[begins], places


def sum_times(rows: Any, times: Any) -> tuple[Any, Any]:
    """Find the distinct rows of a matrix, in ascending order, and the sum of the times of equal ones.

    >>> import numpy as np
    >>> distinct, times = sum_times(np.array([[2, 1], [0, 5], [2, 1]]), np.array([1, 1, 3]))
    >>> distinct.tolist(), times.tolist()
    ([[0, 5], [2, 1]], [1, 4])
    """
    import numpy as np

    distinct, places = find_distinct(rows)
    total = np.zeros(len(distinct), dtype=np.int64)
    np.add.at(total, places, times)
    return distinct, total


def _make_keys(rows: Any) -> Any:
    """Make one number of each row, in the same order; None if rows are no small whole numbers.  One number is faster to sort."""
    import numpy as np

    if not len(rows) or not np.issubdtype(rows.dtype, np.integer) or rows.min(initial=0) < 0:
        return None
    keys = np.zeros(len(rows), dtype=np.int64)
    size = 1
    for column in rows.T[::-1]:
        most = int(column.max()) + 1
        if size * most > _MOST_KEYS:
            return None
        keys += column.astype(np.int64) * size
        size *= most
    return keys
