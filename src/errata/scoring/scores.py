"""Scores: values with their parts, the evidence behind them, and a signature; lists of scores, of documents and of shards."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from numbers import Real
from typing import TYPE_CHECKING, Any

from errata import __version__
from errata.corpus.corpus import WHITESPACE_TOKENS
from errata.corpus.texts import list_items
from errata.corpus.unicode import AS_GIVEN
from errata.display import HasRows, Listing, TableRow, make_html_table
from errata.errors import UsageError
from errata.metrics.registry import METRICS
from errata.metrics.views import ShowsAlignment, ShowsEdits, ShowsLattice
from errata.scoring.edits import SentenceEdits
from errata.stats.resampling import group_documents

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from errata.corpus.corpus import Corpus, System
    from errata.metrics.base import Metric, Output
    from errata.metrics.evidence import Evidence
    from errata.metrics.maxmatch import EditLattice
    from errata.metrics.ratios import Row
    from errata.metrics.views import Alignment
    from errata.stats.bootstrap import Bootstrap
    from errata.stats.intervals import Interval


_MOST_NAMED = 8
"""The most annotators that a signature names."""


@dataclass(frozen=True)
class Result:
    """A value with its parts, from a sum of counts."""

    metric: Metric
    system_name: str
    counts: Row
    value: float
    """The score itself."""

    @property
    def parts(self) -> dict[str, Any]:
        """Counts by name, and other parts of the score."""
        return self.metric.parts(self.counts)

    @property
    def shown(self) -> dict[str, float]:
        """The parts that a row of a table shows."""
        return self.metric.shown(self.counts)

    def to_dict(self, prefix: str = "") -> dict[str, float]:
        """Return the value and all parts as a flat dictionary of floats, for loggers of experiments.

        Keys begin with the metric, and nested parts are joined by slashes, as in ``imeasure/correction/wacc``.
        Settings that are not the default belong to the key: ``maxmatch-beta-1.0/value``.
        ``prefix`` comes before all, as in ``dev/maxmatch/value``.
        What is undefined is not a number (NaN), and parts that are no numbers are left out.

        >>> import errata
        >>> gold = errata.Corpus.from_texts(["I likes cake ."], ["I like cake ."])
        >>> errata.score(gold, ["I like cake ."], "accuracy").to_dict("dev")
        {'dev/accuracy/value': 1.0, 'dev/accuracy/matched': 1.0, 'dev/accuracy/sentences': 1.0}
        """
        if not isinstance(prefix, str):
            raise UsageError(f"a prefix of keys must be a string, found {type(prefix).__name__}")
        start = f"{prefix}/{_make_key(self.metric)}" if prefix else _make_key(self.metric)
        return {f"{start}/value": float(self.value), **dict(_flatten(self.parts, start))}

    def __str__(self) -> str:
        parts = ", ".join(f"{name} {part:.4f}" if isinstance(part, float) else f"{name} {part}" for name, part in self.shown.items())
        return f"{self.metric} of {self._subject}: {self.value:.4f} ({parts})"

    @property
    def _subject(self) -> str:
        return self.system_name


def _make_key(metric: Metric) -> str:
    """Write a metric with letters, digits, dots, underscores and hyphens only, as all loggers of experiments take them.

    >>> import errata
    >>> _make_key(errata.metric("maxmatch")), _make_key(errata.metric("maxmatch(beta=1,choice=optimal)"))
    ('maxmatch', 'maxmatch-beta-1.0-choice-optimal')
    """
    return re.sub(r"[^A-Za-z0-9._-]+", "-", str(metric)).strip("-")


def _flatten(parts: Mapping[str, Any], start: str) -> Iterator[tuple[str, float]]:
    """Yield the numbers of nested parts, with the names of those around them."""
    for name, part in parts.items():
        if isinstance(part, Mapping):
            yield from _flatten(part, f"{start}/{name}")
        elif isinstance(part, Real):
            yield f"{start}/{name}", float(part)


@dataclass(frozen=True)
class Score(Result, HasRows):
    """The score of a system on a corpus, with the evidence behind it.

    >>> import errata
    >>> gold = errata.read("examples/learner.m2")
    >>> score = errata.score(gold, errata.read_system("examples/systems/cautious.txt"))
    >>> print(score)
    maxmatch of cautious: 0.5500 (correct 22, proposed 23, gold 108, precision 0.9565, recall 0.2037)
    """

    evidence: Evidence = field(repr=False)
    system: System = field(repr=False, compare=False)
    """The scored system."""
    output: Output = field(repr=False, compare=False)
    """The output of the system, prepared by the metric."""

    @classmethod
    def of(cls, evidence: Evidence, system: System, output: Output) -> Score:
        """Make the score of evidence."""
        return cls(evidence.metric, evidence.system_name, evidence.counts, evidence.value, evidence, system, output)

    @property
    def parts(self) -> dict[str, Any]:
        """Counts by name, other parts of the score, and how much it depends on random references."""
        return {**super().parts, **self.evidence.spread}

    @property
    def signature(self) -> str:
        """Everything that can change the number."""
        return make_signature(self.metric, self.evidence.corpus, self.system)

    def interval(self, bootstrap: Bootstrap | None = None) -> Interval:
        """Compute a confidence interval of the value, by default of 95%."""
        from errata.stats.intervals import compute_intervals

        return compute_intervals([self.evidence], bootstrap)[0]

    @property
    def sentences(self) -> list[SentenceScore]:
        """The score of each single sentence, against the reference chosen for it."""
        return [self.sentence(number) for number in self.evidence.corpus.numbers]

    def sentence(self, number: int) -> SentenceScore:
        """Return the score of one sentence, counted from 1.

        >>> import errata
        >>> gold = errata.Corpus((errata.Sentence.of("I likes cake .", [errata.Edit(1, 2, ("like",))]),))
        >>> print(errata.score(gold, ["I like cake ."]).sentence(1))
        maxmatch of system, sentence 1: 1.0000 (correct 1, proposed 1, gold 1, precision 1.0000, recall 1.0000)
        """
        counts, reference, value = self.evidence.sentence(number)
        return SentenceScore(self.metric, self.system_name, counts, value, number, reference)

    def rows(self) -> list[TableRow]:
        """List all sentences: number, source, output, the annotator whose reference was chosen, value, and the parts that tables show."""
        corpus = self.evidence.corpus
        return [
            {
                "system": self.system_name,
                "metric": str(self.metric),
                "sentence": one.sentence,
                "source": sentence.text,
                "output": " ".join(tokens),
                "annotator": one.reference,
                "value": float(one.value),
                **one.shown,
            }
            for one, sentence, tokens in zip(self.sentences, corpus, self.system.sentences, strict=True)
        ]

    def _repr_html_(self) -> str:
        row = {"system": self.system_name, "metric": str(self.metric), "value": float(self.value), **self.shown}
        return make_html_table([row], notes=[self.signature])

    def edits(self, sentence: int, annotator: str | None = None) -> SentenceEdits:
        """List the right, wrong and missed edits of a sentence, counted from 1, against the chosen reference or an annotator's."""
        if not isinstance(self.output, ShowsEdits):
            raise UsageError(f"{self.metric.name} does not show edits; use maxmatch")
        row = self._find_row(sentence, annotator)
        index = self.evidence.index(sentence)
        title = f"{self.system_name}, sentence {sentence:,}, annotator {self.evidence.labels[index][row]}"
        return SentenceEdits(self.output.edits(index)[row], sentence, self.evidence.corpus[index].tokens, title)

    def lattice(self, sentence: int, annotator: str | None = None) -> EditLattice:
        """Make the edit lattice of a sentence, counted from 1, with the best path for the chosen reference or an annotator's."""
        if not isinstance(self.output, ShowsLattice):
            raise UsageError(f"{self.metric.name} has no lattice; use maxmatch")
        row = self._find_row(sentence, annotator)
        return self.output.lattice(self.evidence.index(sentence))[row]

    def _find_row(self, sentence: int, annotator: str | None) -> int:
        """Find the row of the chosen reference, or of an annotator."""
        index, chosen = self.evidence.index(sentence), self.evidence.chosen
        labels = self.evidence.labels[index]
        if annotator is None and chosen is None:
            raise UsageError(f"{self.metric.name} does not choose a reference; choose an annotator from {', '.join(labels)}")
        if annotator is not None and (not isinstance(annotator, str) or annotator not in labels):
            raise UsageError(f"sentence {sentence:,} has no annotator {annotator!r:.60}; choose from {', '.join(labels)}")
        if chosen is not None and (annotator is None or self.metric.mixes_references):  # the rows of mixtures have the same label
            return chosen[index]
        return labels.index(str(annotator))

    def alignment(self, sentence: int) -> Alignment:
        """Show the alignment of a sentence, counted from 1, with its hypothesis and its reference."""
        if not isinstance(self.output, ShowsAlignment):
            raise UsageError(f"{self.metric.name} does not show alignments; use imeasure")
        index, chosen = self.evidence.index(sentence), self.evidence.chosen
        return self.output.alignment(index, None if chosen is None else chosen[index])


def best_first(score: Result) -> tuple[bool, float, str]:
    """Return the key that sorts scores: the best first, undefined ones last, equal ones by name."""
    undefined = math.isnan(score.value)
    return undefined, 0.0 if undefined else -score.value, score.system_name


@dataclass(frozen=True)
class SentenceScore(Result):
    """The score of one sentence."""

    sentence: int
    """Its number, from 1."""
    reference: str
    """The reference that it was scored against."""

    @property
    def _subject(self) -> str:
        return f"{self.system_name}, sentence {self.sentence}"


def make_signature(metric: Metric, corpus: Corpus, system: System | None = None) -> str:
    """Name everything that can change a number: the metric with all settings and its package, the gold with its hash, the version.

    With ``system``, also what the metric uses of it beside its output.
    """
    own = f" | {described}" if system is not None and (described := describe_system(metric, corpus, system)) else ""
    return f"{describe_metric(metric, corpus)}{own} | {describe_gold(corpus)} | errata {__version__}"


def describe_system(metric: Metric, corpus: Corpus, system: System) -> str:
    """Name what a metric uses of a system beside its output, and what tokenised it if not white space, for a signature."""
    tokenised = "" if system.tokenisation == WHITESPACE_TOKENS else f"tokenised by {system.tokenisation}"
    return " | ".join(filter(None, (metric.system_data(system, corpus), tokenised)))


def join_signatures(scores: Sequence[Score]) -> str:
    """Name everything that can change the numbers of several systems; they differ if some have their own edits."""
    return "; ".join(dict.fromkeys(score.signature for score in scores))


def describe_metric(metric: Metric, corpus: Corpus) -> str:
    """Name a metric with all settings, its other data and its package, for a signature."""
    data = f" | {described}" if (described := metric.data(corpus)) else ""
    return f"{metric.signature}{data}{name_package(metric)}"


def describe_gold(corpus: Corpus) -> str:
    """Name a gold with its sentences, annotators and hash, for a signature."""
    unicode = "" if corpus.unicode == AS_GIVEN else f", unicode {corpus.unicode}"
    return write_gold_signature(corpus.name, corpus.extent, corpus.annotators, corpus.fingerprint) + unicode


def write_gold_signature(name: str, extent: str, annotators: Sequence[str], fingerprint: str) -> str:
    """Write the part of a signature that names a gold; without a fingerprint if its texts are not known."""
    named = ",".join(annotators[:_MOST_NAMED]) + (",..." if len(annotators) > _MOST_NAMED else "")
    return f"gold {name}, {extent}, annotators {named}" + (f", sha256 {fingerprint}" if fingerprint else "")


def name_package(metric: Metric) -> str:
    """Name the package of a metric, for a signature; empty if it is errata."""
    return f" | {METRICS.package(metric.name)}" if metric.name in METRICS and not METRICS.is_own(metric.name) else ""


_RULE = "scores must be a list of scores"


class Scores(Listing[Score]):
    """The scores of several systems, with one or more metrics.

    >>> import errata
    >>> evaluate = errata.Evaluator(errata.read("examples/learner.m2"), "accuracy")
    >>> outputs = [errata.read_system(f"examples/systems/{name}.txt") for name in ("cautious", "eager")]
    >>> [(row["system"], round(row["value"], 4)) for row in Scores(map(evaluate, outputs)).rows()]
    [('cautious', 0.3611), ('eager', 0.2639)]
    """

    def __init__(self, scores: Iterable[Score]) -> None:
        super().__init__(check_scores(scores))

    def rows(self) -> list[TableRow]:
        """List system, metric, value, the parts that tables show, and signature; what a metric does not have is None."""
        names = dict.fromkeys(name for score in self for name in score.shown)
        return [
            {
                "system": score.system_name,
                "metric": str(score.metric),
                "value": float(score.value),
                **{name: score.shown.get(name) for name in names},
                "signature": score.signature,
            }
            for score in self
        ]

    def _repr_html_(self) -> str:
        """Show a leaderboard, the best first; metrics are in the order in which they were given."""
        order = {str(score.metric): number for number, score in reversed(list(enumerate(self)))}
        ranked = Scores(sorted(self, key=lambda score: (order[str(score.metric)], best_first(score))))
        rows = ranked.rows()
        signatures = list(dict.fromkeys(row.pop("signature") for row in rows))
        return make_html_table(rows, notes=signatures)


def check_scores(scores: object) -> Sequence[Score]:
    """List scores; raise if they are something else."""
    if isinstance(scores, Score):
        raise UsageError(f"{_RULE}, found one score")
    found = list_items(scores, _RULE)
    for number, score in enumerate(found, start=1):
        if not isinstance(score, Score):
            raise UsageError(f"{_RULE}, found item {number:,} of type {type(score).__name__}")
    return found


@dataclass(frozen=True)
class DocumentScore(Result):
    """The score of one document, against the references that were chosen for its sentences in the whole corpus."""

    document: str
    sentences: int
    """How many sentences it has."""


def score_documents(score: Score) -> list[DocumentScore]:
    """Compute the score of each document, in the order of the corpus; their counts add up to those of the corpus.

    >>> import errata
    >>> files = [f"examples/multigec/{name}.md" for name in ("source", "reference1", "careful")]
    >>> gold = errata.read(files[0], references=[files[1]])
    >>> score = errata.score(gold, errata.read_system(files[2], gold=gold), "maxmatch")
    >>> [(item.document, round(item.value, 3)) for item in score_documents(score)]
    [('1', 0.833), ('2', 0.714), ('3', 0.833)]
    """
    evidence = score.evidence
    strategy, result = evidence.strategy, []
    for numbers in group_documents(evidence.corpus):
        rows = tuple(evidence.rows[number] for number in numbers)
        chosen = None if evidence.chosen is None else tuple(evidence.chosen[number] for number in numbers)
        counts, value = strategy.counts(rows, chosen), strategy.value(score.metric, rows, chosen)
        document = evidence.corpus[numbers[0]].document
        result.append(DocumentScore(score.metric, score.system_name, counts, value, document, len(numbers)))
    return result
