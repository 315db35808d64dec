"""From a corpus, a system and a metric to evidence, and from evidence to scores."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from errata.corpus import Corpus, System, check_same_length
from errata.errors import MismatchError, UsageError
from errata.gold.fingerprint import fingerprint
from errata.metrics import Metric, Scorer, parse
from errata.metrics.base import WholeScorer
from errata.metrics.choice import Row, choose
from errata.version import __version__

if TYPE_CHECKING:
    from errata.stats import Bootstrap, Interval

Hypotheses = System | Sequence[str] | Sequence[Sequence[str]]
"""A system, or its sentences as strings or token lists."""

Progress = Callable[[int], None]
"""Told how many more sentences are done."""

_CHUNK = 128
_MOST_NAMED = 8
"""Annotators that a signature names."""


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
    def chosen(self) -> tuple[int, ...]:
        """The row that the metric's rule chooses for each sentence."""
        return tuple(choose(self.rows, self.metric.ratio(), self.metric.choice))

    def score(self) -> Score:
        """The score of the sum of the chosen rows."""
        picked = [rows[place] for rows, place in zip(self.rows, self.chosen, strict=True)]
        counts = tuple(sum(column) for column in zip(*picked, strict=True)) if picked else (0,) * len(self.metric.columns)
        return Score(self.metric, self.system, counts, self)


@dataclass(frozen=True)
class Result:
    """A value with its parts, made from a sum of counts."""

    metric: Metric
    system: str
    counts: Row

    @property
    def value(self) -> float:
        """The score itself."""
        return self.metric.value(self.counts)

    @property
    def parts(self) -> dict[str, Any]:
        """Counts by name, and what else belongs to the score."""
        return self.metric.parts(self.counts)

    @property
    def shown(self) -> dict[str, float]:
        """The parts that a line of a table has."""
        return self.metric.shown(self.counts)

    def __str__(self) -> str:
        parts = ", ".join(f"{name} {part:.4f}" if isinstance(part, float) else f"{name} {part}" for name, part in self.shown.items())
        return f"{self.metric} of {self.system}: {self.value:.4f} ({parts})"


@dataclass(frozen=True)
class Score(Result):
    """The score of a system on a corpus, with the evidence behind it.

    >>> import errata
    >>> gold = errata.read("examples/learner.m2")
    >>> score = errata.score(gold, errata.read_system("examples/systems/cautious.txt"))
    >>> print(score)
    maxmatch of cautious: 0.5500 (correct 22, proposed 23, gold 108, precision 0.9565, recall 0.2037)
    """

    evidence: Evidence = field(repr=False)
    scorer: Scorer | None = field(default=None, repr=False, compare=False)
    """What made the evidence, to look at sentences again."""
    output: System | None = field(default=None, repr=False, compare=False)
    """What was scored."""

    @property
    def signature(self) -> str:
        """Everything that can change the number."""
        return signature(self.metric, self.evidence.corpus)

    def interval(self, bootstrap: Bootstrap | None = None) -> Interval:
        """A confidence interval of the value, of 95% with default settings."""
        from errata.stats.intervals import intervals

        return intervals([self.evidence], bootstrap)[0]

    def sentences(self) -> list[SentenceScore]:
        """The score of each sentence alone, against the reference chosen for it."""
        evidence = self.evidence
        return [
            SentenceScore(self.metric, self.system, evidence.rows[number][place], number + 1, evidence.labels[number][place])
            for number, place in enumerate(evidence.chosen)
        ]


@dataclass(frozen=True)
class SentenceScore(Result):
    """The score of one sentence."""

    sentence: int
    """Its number, from 1."""
    reference: str
    """The reference it was scored against."""


def signature(metric: Metric, corpus: Corpus) -> str:
    """Everything that can change a number: the metric with all settings, the gold and its content, and our version."""
    annotators = ",".join(corpus.annotators[:_MOST_NAMED]) + (",..." if len(corpus.annotators) > _MOST_NAMED else "")
    data = f" | {found}" if (found := metric.data(corpus)) else ""
    return (
        f"{metric.signature}{data} | gold {corpus.name}, {len(corpus):,} sentences, annotators {annotators}, "
        f"sha256 {fingerprint(corpus)} | errata {__version__}"
    )


def gather(metric: Metric, corpus: Corpus, system: System, scorer: Scorer | None = None, progress: Progress | None = None) -> Evidence:
    """The evidence of a system; a scorer made before saves reading the gold again."""
    check_same_length(corpus, system)
    scorer = scorer or metric.scorer(corpus)
    rows: list[tuple[Row, ...]] = []
    try:
        if isinstance(scorer, WholeScorer):
            scorer.begin(system.sentences)
        for first in range(0, len(system), _CHUNK):
            chunk = list(system.sentences[first : first + _CHUNK])
            rows += scorer.rows(first, chunk)
            if progress is not None:
                progress(len(chunk))
    except MismatchError as error:
        raise MismatchError(f"{system.path or system.name}: {error}") from None
    labels = tuple(scorer.labels(number, len(sentence)) for number, sentence in enumerate(rows))
    return Evidence(metric, corpus, system.name, tuple(rows), labels)


def score(corpus: Corpus, hypotheses: Hypotheses, metric: str | Metric = "maxmatch") -> Score:
    """Score a system, given as such or as its sentences (strings or token lists).

    >>> import errata
    >>> gold = errata.Corpus((errata.Sentence.of("I likes cake .", [errata.Edit(1, 2, ("like",))]),))
    >>> errata.score(gold, ["I like cake ."]).value
    1.0
    """
    return Evaluator(corpus, metric)(hypotheses)


def as_system(hypotheses: Hypotheses) -> System:
    """A system from whatever holds its sentences."""
    if isinstance(hypotheses, System):
        return hypotheses
    if isinstance(hypotheses, str):
        raise UsageError("hypotheses are a list of sentences, found a single string")
    return System.of("system", hypotheses)


class Evaluator:
    """A metric and a corpus made ready once, for a training loop.

    >>> import errata
    >>> gold = errata.read("examples/learner.m2")
    >>> evaluate = errata.Evaluator(gold)
    >>> evaluate([sentence.text for sentence in gold]).parts["proposed"]
    0
    """

    def __init__(self, corpus: Corpus, metric: str | Metric = "maxmatch") -> None:
        if not isinstance(corpus, Corpus):
            raise UsageError(f"the gold is a Corpus, as errata.read gives it, found {corpus!r:.60}")
        self.corpus = corpus
        self.metric = parse(metric)
        self.scorer = self.metric.scorer(corpus)

    def __call__(self, hypotheses: Hypotheses, progress: Progress | None = None) -> Score:
        """Score one set of hypotheses."""
        system = as_system(hypotheses)
        return replace(gather(self.metric, self.corpus, system, self.scorer, progress).score(), scorer=self.scorer, output=system)
