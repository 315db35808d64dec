"""Evidence: the counts of a system on a corpus.

Scores, intervals and tests need only the evidence, not the texts.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from errata.corpus.corpus import Corpus, to_tuple
from errata.corpus.references import compute_fingerprint
from errata.distinct_rows import find_distinct
from errata.errors import RequestError, UsageError
from errata.metrics.base import Metric
from errata.metrics.strategy import Chosen

if TYPE_CHECKING:
    from collections.abc import Iterator

    from errata.metrics.strategy import Strategy
    from errata.ratios import Row


def have_same_gold(one: Evidence, other: Evidence) -> bool:
    """Whether two systems were scored on the same sentences; a gold whose sentences are not there is known by its fingerprint."""
    golds = (one.corpus, other.corpus)
    if golds[0] is golds[1]:
        return True
    if all(isinstance(gold, Corpus) for gold in golds):
        return golds[0].sentences == golds[1].sentences
    fingerprints = [compute_fingerprint(gold) if isinstance(gold, Corpus) else gold.fingerprint for gold in golds]
    return fingerprints[0] == fingerprints[1] and one.size == other.size


def collect_evidence(items: object) -> list[Evidence]:
    """Make a list of evidence from a list of evidence or scores."""
    if isinstance(items, Evidence) or hasattr(items, "evidence"):
        raise UsageError("scores, or their evidence, must be in a list, found one")
    rule = "statistics need a list of scores, or of their evidence"
    return list(to_tuple(Evidence, [getattr(item, "evidence", item) for item in to_tuple(object, items, rule)], rule))


_KEPT = "kept_matrix"
_MOST_KEPT = 4_000_000
"""Numbers of a matrix that is kept; 32 MB."""
WIDE = 1_000
"""Columns of a matrix above which sentences are hardly ever identical."""
MEAN = "mean"
"""The label of the references of a sentence if all of them take part."""


class HasEvidence(Protocol):
    """An object with evidence, such as a score."""

    @property
    def evidence(self) -> Evidence:
        """The evidence."""


class SentenceEvidence(NamedTuple):
    """The counts, reference and value of a single sentence."""

    counts: Row
    reference: str
    value: float


class Kinds(NamedTuple):
    """The distinct sentences of a system: those with the same counts and the same value are of one kind."""

    matrix: Any
    """Their counts, one row for each kind, whose rows can be summed."""
    values: Any
    """Their values as single sentences."""


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

    @property
    def matrix(self) -> Any:
        """A matrix with one row per sentence, whose rows can be summed; a large one is not kept, but computed at every use."""
        kept = vars(self).get(_KEPT)
        if kept is None:
            kept = self.strategy.matrix(self.rows, self.chosen)
            if kept.size <= _MOST_KEPT:
                vars(self)[_KEPT] = kept
        return kept

    @property
    def is_wide(self) -> bool:
        """Whether the matrix has so many columns that sentences are hardly ever identical."""
        return bool(self.matrix.shape[1] > WIDE)

    @property
    def kinds(self) -> Kinds:
        """The distinct sentences; long corpora have few."""
        return self._by_kind[0]

    def iterate_kinds(self) -> Iterator[Any]:
        """Yield the kinds of consecutive sentences, as indices, many at a time."""
        yield self._by_kind[1]

    @cached_property
    def _by_kind(self) -> tuple[Kinds, Any]:
        """Find the distinct sentences, and for each sentence which one it is."""
        import numpy as np

        distinct, places = find_distinct(np.column_stack([self.matrix, self.sentence_values]))
        return Kinds(distinct[:, :-1], distinct[:, -1]), places

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

    def sentence(self, number: int) -> SentenceEvidence:
        """Score a single sentence, counted from 1, against its chosen reference, or as the mean over its references."""
        index = self.index(number)
        rows, labels = self.rows[index], self.labels[index]
        if self.chosen is not None:
            row = self.chosen[index]
            return SentenceEvidence(rows[row], labels[row], self.metric.sentence_value(rows[row]))
        counts = self.strategy.counts([rows], None)
        return SentenceEvidence(counts, labels[0] if len(rows) == 1 else MEAN, self.strategy.sentence_value(self.metric, rows))
