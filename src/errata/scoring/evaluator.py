"""From a corpus, a system and a metric to evidence and a score."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from errata.corpus import WHITESPACE_TOKENS, Corpus, System, fit_system
from errata.errors import UsageError
from errata.metrics import registry
from errata.metrics.contract import check_contract
from errata.scoring.counting import SystemCounts, count_rows, prepare_output
from errata.scoring.scores import Score
from errata.texts import check_sentences
from errata.tokenisation.choosing import find_tokeniser
from errata.tokenisation.systems import tokenise_system

if TYPE_CHECKING:
    from errata.corpus import Tokens
    from errata.evidence import Evidence
    from errata.metrics.base import Metric, Output, Scorer
    from errata.ratios import Row
    from errata.scoring.counting import Progress

Hypotheses = System | Iterable[str] | Iterable[Sequence[str]]
"""A system, or its sentences as strings or token lists, in anything that has an order."""


def gather(metric: Metric, corpus: Corpus, system: System, scorer: Scorer | None = None, progress: Progress | None = None) -> Evidence:
    """Gather the evidence of a system; ``scorer`` avoids preparing the gold again."""
    return SystemCounts(metric, corpus, fit_system(corpus, system), scorer or _make_scorer(metric, corpus)).count_all(progress)


def _make_scorer(metric: Metric, corpus: Corpus) -> Scorer:
    scorer: Scorer = registry.METRICS.run(metric.name, lambda: metric.scorer(corpus))
    return scorer


def score(
    corpus: Corpus, hypotheses: Hypotheses, metric: str | Metric = "maxmatch", *, tokenise: str = WHITESPACE_TOKENS, strict: bool = False
) -> Score:
    """Score a system, given as a System or as a list of sentences (strings or token lists).

    ``tokenise`` and ``strict`` are those of :class:`Evaluator`.

    >>> import errata
    >>> gold = errata.Corpus((errata.Sentence.of("I likes cake .", [errata.Edit(1, 2, ("like",))]),))
    >>> errata.score(gold, ["I like cake ."]).value
    1.0
    """
    return Evaluator(corpus, metric, tokenise=tokenise, strict=strict)(hypotheses)


def as_system(hypotheses: Hypotheses) -> System:
    """Make a System from sentences."""
    if isinstance(hypotheses, System):
        return hypotheses
    return System.of("system", check_sentences(hypotheses, "hypotheses"))


class Evaluator:
    """A metric prepared once for a corpus, for training loops.  Threads may share it.

    ``tokenise`` says how texts are tokenised (:data:`errata.tokenisation.TOKENISERS`).
    With ``strict``, hypotheses that do not look like corrections of their source in its tokens are an error, not a warning.

    >>> import errata
    >>> gold = errata.read("examples/learner.m2")
    >>> evaluate = errata.Evaluator(gold)
    >>> evaluate([sentence.text for sentence in gold]).parts["proposed"]
    0
    """

    def __init__(
        self, corpus: Corpus, metric: str | Metric = "maxmatch", *, tokenise: str = WHITESPACE_TOKENS, strict: bool = False
    ) -> None:
        if not isinstance(corpus, Corpus):
            raise UsageError(f"the gold must be a Corpus, as returned by errata.read, found {corpus!r:.60}")
        self.corpus = corpus
        self.metric = registry.metric(metric)
        check_contract(self.metric)
        self._tokeniser = find_tokeniser(tokenise, corpus)
        self._strict = strict
        self._scorer = _make_scorer(self.metric, corpus)

    def __call__(self, hypotheses: Hypotheses, progress: Progress | None = None) -> Score:
        """Score the hypotheses of one system."""
        counts = self.begin(hypotheses)
        return Score.of(counts.count_all(progress), counts.system, counts.output)

    def begin(self, hypotheses: Hypotheses) -> SystemCounts:
        """Prepare the hypotheses of one system to be counted in steps."""
        return SystemCounts(self.metric, self.corpus, self.fit(hypotheses), self._scorer)

    def fit(self, hypotheses: Hypotheses) -> System:
        """Make a system of hypotheses, with a sentence for every sentence of the gold, and tokenise it."""
        return tokenise_system(fit_system(self.corpus, as_system(hypotheses)), self.corpus, self._tokeniser)

    def prepare(self, hypotheses: Hypotheses) -> Output:
        """Prepare hypotheses without scoring them."""
        return prepare_output(self._scorer, as_system(hypotheses))

    def count(self, output: Output, start: int, stop: int) -> tuple[list[tuple[Row, ...]], list[tuple[str, ...]]]:
        """Count consecutive sentences, given by indices from 0, of a prepared output: their rows and the references behind them."""
        rows = count_rows(self.metric, self.corpus, output, start, stop)

        def label() -> list[tuple[str, ...]]:
            return [tuple(self._scorer.labels(index, len(own))) for index, own in enumerate(rows, start)]

        return rows, registry.METRICS.run(self.metric.name, label)

    def prepare_from(self, hypotheses: Sequence[Tokens], first: int) -> Output:
        """Prepare the hypotheses of consecutive sentences, from an index."""
        return self._scorer.prepare(hypotheses, first)
