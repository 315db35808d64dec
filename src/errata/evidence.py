"""Evidence: the counts of a system on a corpus, and all that follows from them alone.

Everything before it is computed where the texts are; scores, intervals and tests need no more than this.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from errata.errors import RequestError, UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from errata.corpus import Corpus
    from errata.metrics.base import Metric
    from errata.metrics.strategy import Strategy
    from errata.ratios import Row


def evidence_in(items: Iterable[object]) -> list[Evidence]:
    """Evidence, given as such or as scores that have it."""
    if isinstance(items, Evidence) or hasattr(items, "evidence"):
        raise UsageError("several scores, or their evidence, are given in a list, found one")
    found = []
    for item in items:
        own = getattr(item, "evidence", item)
        if not isinstance(own, Evidence):
            raise UsageError(f"statistics are over scores, or their evidence, found {type(item).__name__}")
        found.append(own)
    return found


MEAN = "mean"
"""What the references of a sentence are called where all of them take part."""


class HasEvidence(Protocol):
    """Something with evidence behind it, such as a score."""

    @property
    def evidence(self) -> Evidence:
        """What it was made of."""


class SentenceEvidence(NamedTuple):
    """What a sentence comes to on its own."""

    counts: Row
    reference: str
    value: float


@dataclass(frozen=True)
class Evidence:
    """The counts of a system on a corpus: for each sentence one row for each reference it could be scored against."""

    metric: Metric
    corpus: Corpus = field(repr=False)
    system: str
    rows: tuple[tuple[Row, ...], ...] = field(repr=False)
    labels: tuple[tuple[str, ...], ...] = field(repr=False)
    """The reference behind each row."""

    @cached_property
    def strategy(self) -> Strategy:
        """How the metric uses references."""
        return self.metric.strategy

    @cached_property
    def chosen(self) -> tuple[int, ...] | None:
        """The row that is chosen for each sentence; None where all references take part."""
        return self.strategy.choose(self.rows)

    @cached_property
    def counts(self) -> Row:
        """The sum of the chosen rows, or of the mean rows, rounded, where none is chosen."""
        return self.strategy.counts(self.rows, self.chosen) if self.rows else (0,) * len(self.metric.columns)

    @cached_property
    def value(self) -> float:
        """The score."""
        value = self.strategy.value(self.metric, self.rows, self.chosen) if self.rows else self.metric.value(self.counts)
        if not isinstance(value, (int, float)):
            raise RequestError(f"the value of {self.metric} is a number, found {value!r:.60}")
        return value

    @cached_property
    def matrix(self) -> Any:
        """A line of numbers for each sentence that can be added up."""
        return self.strategy.matrix(self.rows, self.chosen)

    def values(self, sums: Any) -> Any:
        """The scores of many sums of such lines."""
        return self.strategy.values(self.metric, sums)

    def sentence(self, number: int) -> SentenceEvidence:
        """A sentence on its own, from 0: against the reference chosen for it, or the mean over its references."""
        rows, labels = self.rows[number], self.labels[number]
        if self.chosen is not None:
            place = self.chosen[number]
            return SentenceEvidence(rows[place], labels[place], self.metric.value(rows[place]))
        counts = self.strategy.counts([rows], None)
        return SentenceEvidence(counts, labels[0] if len(rows) == 1 else MEAN, self.strategy.sentence_value(self.metric, rows))
