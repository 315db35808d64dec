"""From a corpus, a system and a metric to evidence and a score."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from errata.corpus import Corpus, System, fit_system
from errata.errors import ErrataError, MismatchError, RequestError, UsageError
from errata.evidence import Evidence
from errata.metrics import registry
from errata.metrics.base import TakesEdits
from errata.metrics.contract import check_contract
from errata.metrics.strategy import SingleRow
from errata.scoring.scores import Score
from errata.words import pluralise

if TYPE_CHECKING:
    from errata.corpus import Tokens
    from errata.metrics.base import Metric, Output, Scorer
    from errata.ratios import Row

Hypotheses = System | Sequence[str] | Sequence[Sequence[str]]
"""A system, or its sentences as strings or token lists."""

Progress = Callable[[int], None]
"""Called with the number of sentences that were just done."""

_CHUNK = 128


def gather(metric: Metric, corpus: Corpus, system: System, scorer: Scorer | None = None, progress: Progress | None = None) -> Evidence:
    """Gather the evidence of a system; ``scorer`` avoids preparing the gold again."""
    return _gather(metric, corpus, fit_system(corpus, system), scorer or _make_scorer(metric, corpus), progress)[0]


def _make_scorer(metric: Metric, corpus: Corpus) -> Scorer:
    scorer: Scorer = registry.METRICS.run(metric.name, lambda: metric.scorer(corpus))
    return scorer


def _gather(metric: Metric, corpus: Corpus, system: System, scorer: Scorer, progress: Progress | None) -> tuple[Evidence, Output]:
    rows: list[tuple[Row, ...]] = []

    def run(action: Callable[[], Any]) -> Any:
        return registry.METRICS.run(metric.name, action)

    try:
        output = run(lambda: _prepare(scorer, system))
        for first in range(0, len(system), _CHUNK):
            last = min(first + _CHUNK, len(system))
            rows += run(lambda: _list_rows(output, corpus, first, last))  # noqa: B023 - it runs now
            _check_rows(metric, corpus.numbers[first:last], rows[first:])
            if progress is not None:
                progress(last - first)
    except MismatchError as error:
        raise MismatchError(f"{system.path or system.name}: {error}") from None
    labels = run(lambda: tuple(scorer.labels(index, len(sentence)) for index, sentence in enumerate(rows)))
    return Evidence(metric, corpus, system.name, tuple(rows), labels), output


def _prepare(scorer: Scorer, system: System) -> Output:
    """Prepare the text of a system, or its own edits if it has some and the metric takes them."""
    if system.edits is not None and isinstance(scorer, TakesEdits):
        return scorer.prepare_edits(system)
    return scorer.prepare(system.sentences)


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
    for number, own in zip(numbers, rows, strict=True):
        if not own or (single and len(own) > 1) or any(len(row) != width for row in own):
            wanted = "one row" if single else "one row or more"
            asked = f"{wanted} of {pluralise(width, 'count')} ({', '.join(metric.columns)})"
            found = f"{list(own)!r:.100} for sentence {number:,}"
            raise RequestError(f"{metric} must give each sentence {asked}, found {found}")


def score(corpus: Corpus, hypotheses: Hypotheses, metric: str | Metric = "maxmatch") -> Score:
    """Score a system, given as a System or as a list of sentences (strings or token lists).

    >>> import errata
    >>> gold = errata.Corpus((errata.Sentence.of("I likes cake .", [errata.Edit(1, 2, ("like",))]),))
    >>> errata.score(gold, ["I like cake ."]).value
    1.0
    """
    return Evaluator(corpus, metric)(hypotheses)


def as_system(hypotheses: Hypotheses) -> System:
    """Make a System from sentences."""
    if isinstance(hypotheses, System):
        return hypotheses
    if isinstance(hypotheses, str):
        raise UsageError("hypotheses must be a list of sentences, found a single string")
    if not isinstance(hypotheses, Sequence):
        raise UsageError(f"hypotheses must be a System or a list of sentences, found {type(hypotheses).__name__}")
    return System.of("system", hypotheses)


class Evaluator:
    """A metric prepared once for a corpus, for training loops.  Threads may share it.

    >>> import errata
    >>> gold = errata.read("examples/learner.m2")
    >>> evaluate = errata.Evaluator(gold)
    >>> evaluate([sentence.text for sentence in gold]).parts["proposed"]
    0
    """

    def __init__(self, corpus: Corpus, metric: str | Metric = "maxmatch") -> None:
        if not isinstance(corpus, Corpus):
            raise UsageError(f"the gold must be a Corpus, as returned by errata.read, found {corpus!r:.60}")
        self.corpus = corpus
        self.metric = registry.metric(metric)
        check_contract(self.metric)
        self._scorer = _make_scorer(self.metric, corpus)

    def __call__(self, hypotheses: Hypotheses, progress: Progress | None = None) -> Score:
        """Score the hypotheses of one system."""
        system = fit_system(self.corpus, as_system(hypotheses))
        evidence, output = _gather(self.metric, self.corpus, system, self._scorer, progress)
        return Score.of(evidence, system, output)

    def prepare(self, hypotheses: Hypotheses) -> Output:
        """Prepare hypotheses without scoring them."""
        return _prepare(self._scorer, as_system(hypotheses))

    def count(self, output: Output, start: int, stop: int) -> tuple[list[tuple[Row, ...]], list[tuple[str, ...]]]:
        """Count consecutive sentences, given by indices from 0, of a prepared output: their rows and the references behind them."""

        def count() -> tuple[list[tuple[Row, ...]], list[tuple[str, ...]]]:
            rows = _list_rows(output, self.corpus, start, stop)
            _check_rows(self.metric, self.corpus.numbers[start:stop], rows)
            return rows, [tuple(self._scorer.labels(index, len(own))) for index, own in enumerate(rows, start)]

        counted: tuple[list[tuple[Row, ...]], list[tuple[str, ...]]] = registry.METRICS.run(self.metric.name, count)
        return counted

    def prepare_from(self, hypotheses: Sequence[Tokens], first: int) -> Output:
        """Prepare the hypotheses of consecutive sentences, from an index."""
        return self._scorer.prepare(hypotheses, first)
