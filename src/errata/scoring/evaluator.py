"""From a corpus, a system and a metric to evidence and a score."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from errata.corpus.checks import OutputChecks
from errata.corpus.corpus import WHITESPACE_TOKENS, Corpus, System, fit_system
from errata.corpus.texts import check_sentences
from errata.corpus.tokenisation import find_tokeniser, tokenise_system
from errata.corpus.unicode import AS_GIVEN
from errata.errors import UsageError
from errata.formats.problems import ignore_problem, warn_in_python
from errata.formats.reading import list_output_problems, report_output_problems
from errata.metrics import registry
from errata.metrics.registry import check_contract
from errata.scoring.counting import SystemCounts, count_rows, prepare_output
from errata.scoring.scores import Score

if TYPE_CHECKING:
    from collections.abc import Callable

    from errata.corpus.texts import Tokens
    from errata.corpus.tokenisation import Tokeniser
    from errata.formats.problems import Problem
    from errata.metrics.base import Metric, Output, Scorer
    from errata.metrics.evidence import Evidence
    from errata.metrics.ratios import Row
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


def as_system(hypotheses: Hypotheses, what: str = "hypotheses") -> System:
    """Make a System from sentences; ``what`` names them in errors."""
    if isinstance(hypotheses, System):
        return hypotheses
    return System.of("system", check_sentences(hypotheses, what))


class Evaluator:
    """A metric prepared once for a corpus, for training loops.  Threads may share it.

    ``tokenise`` says how texts are tokenised (:data:`errata.corpus.TOKENISERS`).
    Hypotheses that do not look like corrections of their source, in its lines and tokens, are warned of, once for each name of a system;
    with ``strict`` they are an error.  ``warn`` takes the warnings; None checks nothing.

    >>> import errata
    >>> gold = errata.read("examples/learner.m2")
    >>> evaluate = errata.Evaluator(gold)
    >>> evaluate([sentence.text for sentence in gold]).parts["proposed"]
    0
    """

    def __init__(
        self,
        corpus: Corpus,
        metric: str | Metric = "maxmatch",
        *,
        tokenise: str = WHITESPACE_TOKENS,
        strict: bool = False,
        warn: Callable[[Problem], None] | None = warn_in_python,
    ) -> None:
        if not isinstance(corpus, Corpus):
            raise UsageError(f"the gold must be a Corpus, as returned by errata.read, found {corpus!r:.60}")
        self.corpus = corpus
        self.metric = registry.metric(metric)
        check_contract(self.metric)
        self._tokenise, self._strict, self._warn = tokenise, strict, warn
        self._tokeniser: Tokeniser | None = find_tokeniser(tokenise, corpus)
        self._checks: OutputChecks | None = None
        self._warned: set[str] = set()
        self._scorer = _make_scorer(self.metric, corpus)

    def __call__(self, hypotheses: Hypotheses, progress: Progress | None = None) -> Score:
        """Score the hypotheses of one system."""
        counts = self.begin(hypotheses)
        return Score.of(counts.count_all(progress), counts.system, counts.output)

    def __getstate__(self) -> dict[str, object]:
        """Pickle without what every process prepares."""
        return {**vars(self), "_tokeniser": None, "_checks": None}

    def begin(self, hypotheses: Hypotheses) -> SystemCounts:
        """Prepare the hypotheses of one system to be counted in steps."""
        system = self.fit(hypotheses)
        self._check(system)
        return SystemCounts(self.metric, self.corpus, system, self._scorer)

    def fit(self, hypotheses: Hypotheses) -> System:
        """Make a system of hypotheses, with a sentence for every sentence of the gold, and tokenise it."""
        if self._tokeniser is None:
            self._tokeniser = find_tokeniser(self._tokenise, self.corpus)
        return tokenise_system(fit_system(self.corpus, as_system(hypotheses)), self.corpus, self._tokeniser)

    def _check(self, system: System) -> None:
        """Warn of a system that does not look like corrections, or raise."""
        if (self._warn is None or system.name in self._warned) and not self._strict:
            return
        if self._checks is None:
            self._checks = OutputChecks(self.corpus)
        if problems := list_output_problems(self._checks, system):
            self._warned.add(system.name)
            report_output_problems(problems, self._warn or ignore_problem, strict=self._strict)

    def prepare(self, hypotheses: Hypotheses) -> Output:
        """Prepare hypotheses without scoring them."""
        return prepare_output(self._scorer, as_system(hypotheses) if self._takes_as_given else self.fit(hypotheses))

    @property
    def _takes_as_given(self) -> bool:
        return self._tokenise == WHITESPACE_TOKENS and self.corpus.unicode == AS_GIVEN

    def count(self, output: Output, start: int, stop: int) -> tuple[list[tuple[Row, ...]], list[tuple[str, ...]]]:
        """Count consecutive sentences, given by indices from 0, of a prepared output: their rows and the references behind them."""
        rows = count_rows(self.metric, self.corpus, output, start, stop)

        def label() -> list[tuple[str, ...]]:
            return [tuple(self._scorer.labels(index, len(own))) for index, own in enumerate(rows, start)]

        return rows, registry.METRICS.run(self.metric.name, label)

    def prepare_from(self, hypotheses: Sequence[Tokens], first: int) -> Output:
        """Prepare the hypotheses of consecutive sentences, from an index."""
        return self._scorer.prepare(hypotheses, first)
