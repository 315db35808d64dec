"""Scores: values with their parts, the evidence behind them, and a signature."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from errata.gold.fingerprint import fingerprint
from errata.metrics.registry import METRICS
from errata.version import __version__
from errata.words import pluralise

if TYPE_CHECKING:
    from errata.corpus import Corpus, System
    from errata.evidence import Evidence
    from errata.metrics.base import Metric, Output
    from errata.ratios import Row
    from errata.stats.bootstrap import Bootstrap
    from errata.stats.intervals import Interval

_MOST_NAMED = 8
"""Annotators that a signature names."""


@dataclass(frozen=True)
class Result:
    """A value with its parts, made from a sum of counts."""

    metric: Metric
    system: str
    counts: Row
    value: float
    """The score itself."""

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
    prepared: Output | None = field(default=None, repr=False, compare=False)
    """The output as the metric sees it, to look at sentences again."""
    output: System | None = field(default=None, repr=False, compare=False)
    """What was scored."""

    @classmethod
    def of(cls, evidence: Evidence, prepared: Output | None = None, output: System | None = None) -> Score:
        """What evidence comes to."""
        return cls(evidence.metric, evidence.system, evidence.counts, evidence.value, evidence, prepared, output)

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
        result = []
        for number in range(len(self.evidence.rows)):
            counts, reference, value = self.evidence.sentence(number)
            result.append(SentenceScore(self.metric, self.system, counts, value, number + 1, reference))
        return result


@dataclass(frozen=True)
class SentenceScore(Result):
    """The score of one sentence."""

    sentence: int
    """Its number, from 1."""
    reference: str
    """The reference it was scored against."""


def signature(metric: Metric, corpus: Corpus) -> str:
    """Everything that can change a number: the metric with all settings and its package, the gold and its content, our version."""
    annotators = ",".join(corpus.annotators[:_MOST_NAMED]) + (",..." if len(corpus.annotators) > _MOST_NAMED else "")
    data = f" | {found}" if (found := metric.data(corpus)) else ""
    data += f" | {METRICS.package(metric.name)}" if metric.name in METRICS and not METRICS.is_own(metric.name) else ""
    return (
        f"{metric.signature}{data} | gold {corpus.name}, {pluralise(len(corpus), 'sentence')}, annotators {annotators}, "
        f"sha256 {fingerprint(corpus)} | errata {__version__}"
    )
