"""Counting the sentences of one system, some at a time."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import contextmanager
from itertools import chain
from typing import TYPE_CHECKING

from errata.errors import ErrataError, MismatchError, RequestError, pluralise
from errata.metrics import registry
from errata.metrics.base import TakesEdits
from errata.metrics.evidence import Evidence
from errata.metrics.strategies import SingleRow

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from errata.corpus.corpus import Corpus, System
    from errata.metrics.base import Metric, Output, Scorer
    from errata.metrics.ratios import Row

Progress = Callable[[int], None]
"""Called with the number of sentences that were just done."""
CHUNK = 128
"""Sentences that are counted at a time."""


class SystemCounts:
    """The rows of a system as far as they are counted; those of the first sentences come first."""

    def __init__(self, metric: Metric, corpus: Corpus, system: System, scorer: Scorer) -> None:
        self.metric, self.corpus, self.system = metric, corpus, system
        self._scorer = scorer
        self._rows: list[tuple[Row, ...]] = []
        with self._naming_system():
            self.output: Output = registry.METRICS.run(metric.name, lambda: prepare_output(scorer, system))

    @contextmanager
    def _naming_system(self) -> Iterator[None]:
        try:
            yield
        except MismatchError as error:
            raise MismatchError(f"{self.system.path or self.system.name}: {error}") from None

    @property
    def done(self) -> int:
        """The number of sentences that are counted."""
        return len(self._rows)

    @property
    def left(self) -> int:
        """The number of sentences that are not."""
        return len(self.system) - len(self._rows)

    def count(self) -> None:
        """Count the next sentences, up to a chunk."""
        last = min(self.done + CHUNK, len(self.system))
        with self._naming_system():
            self._rows += count_rows(self.metric, self.corpus, self.output, self.done, last)

    def add(self, rows: Sequence[tuple[Row, ...]]) -> None:
        """Add the rows of the next sentences, counted elsewhere."""
        self._rows += rows

    def count_all(self, progress: Progress | None) -> Evidence:
        """Count all that is left; return the evidence."""
        while self.left:
            before = self.done
            self.count()
            if progress is not None:
                progress(self.done - before)
        return self.make_evidence()

    def make_evidence(self) -> Evidence:
        """Make the evidence of all sentences."""
        rows, scorer = tuple(self._rows), self._scorer

        def label() -> tuple[tuple[str, ...], ...]:
            return tuple(scorer.labels(index, len(sentence)) for index, sentence in enumerate(rows))

        return Evidence(self.metric, self.corpus, self.system.name, rows, registry.METRICS.run(self.metric.name, label))


def prepare_output(scorer: Scorer, system: System) -> Output:
    """Prepare the text of a system, or its own edits if it has some and the metric takes them."""
    if system.edits is not None and isinstance(scorer, TakesEdits):
        return scorer.prepare_edits(system)
    return scorer.prepare(system.sentences)


def count_rows(metric: Metric, corpus: Corpus, output: Output, first: int, last: int) -> list[tuple[Row, ...]]:
    """Count the sentences of an output from an index to before another; raise unless their rows are as a metric must give them."""
    rows: list[tuple[Row, ...]] = registry.METRICS.run(metric.name, lambda: _list_rows(output, corpus, first, last))
    _check_rows(metric, corpus.numbers[first:last], rows)
    return rows


def _list_rows(output: Output, corpus: Corpus, first: int, last: int) -> list[tuple[Row, ...]]:
    """List the rows of sentences; an error names them, if it does not name one."""
    try:
        return list(output.rows(first, last))
    except Exception as error:
        if not isinstance(error, ErrataError) and not hasattr(error, "__notes__"):
            error.add_note(f"in sentences {corpus.numbers[first]:,} to {corpus.numbers[last - 1]:,}")
        raise


def _check_rows(metric: Metric, numbers: Sequence[int], rows: Sequence[Sequence[Row]]) -> None:
    """Raise unless each sentence has rows, exactly one with SingleRow, with one count for each column."""
    width, single = len(metric.columns), isinstance(metric.strategy, SingleRow)
    if len(rows) != len(numbers):
        raise RequestError(f"{metric} must give rows for {pluralise(len(numbers), 'sentence')}, found those of {len(rows):,}")
    # All sentences are checked at once; only if one is wrong, it is looked for.
    if all(rows) and set(map(len, chain.from_iterable(rows))) <= {width} and not (single and max(map(len, rows), default=1) > 1):
        return
    for number, own in zip(numbers, rows, strict=True):
        if not own or (single and len(own) > 1) or any(len(row) != width for row in own):
            wanted = "one row" if single else "one row or more"
            asked = f"{wanted} of {pluralise(width, 'count')} ({', '.join(metric.columns)})"
            found = f"{list(own)!r:.100} for sentence {number:,}"
            raise RequestError(f"{metric} must give each sentence {asked}, found {found}")
