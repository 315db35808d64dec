"""What a metric is.

A metric is a frozen dataclass whose fields are its settings (:mod:`errata.settings`).  It defines three things: the rows of counts
of a sentence, one for each reference (:meth:`Metric.count`, or :meth:`Metric.scorer` if the gold is prepared once), how references
are used (:attr:`Metric.strategy`), and the score of a sum of counts (:meth:`Metric.value`).
Corpus scores, sentence scores, tables and statistics are written once for all metrics.

A metric declares its other abilities itself, so no other package needs to know which metric it has.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import Field, field, fields, replace
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Protocol, Self, runtime_checkable

from errata.corpus.corpus import FIRST_ANNOTATOR
from errata.errors import RequestError, UsageError
from errata.metrics.strategies import SingleRow, Strategy
from errata.settings import check_settings, list_settings, write_value

if TYPE_CHECKING:
    from errata.corpus.corpus import Corpus, Sentence, System
    from errata.corpus.texts import Tokens
    from errata.metrics.ratios import Ratio, Row

NO_REFERENCE = "none"
"""The label of the row of a metric without references."""

RowsOfSentences = Sequence[tuple["Row", ...]]
"""For each sentence, one row for each reference."""


class Scorer(Protocol):
    """A metric prepared for one corpus.  It is immutable, so threads may share it, and it can be pickled."""

    def prepare(self, hypotheses: Sequence[Tokens], first: int = 0) -> Output:
        """Prepare the output of a system: hypotheses of consecutive sentences, from the index ``first``."""

    def labels(self, index: int, rows: int) -> tuple[str, ...]:
        """Name the references behind the rows of the sentence at an index."""


@runtime_checkable
class TakesEdits(Protocol):
    """A scorer that takes a system's own edits, if it has some, instead of its text."""

    def prepare_edits(self, system: System) -> Output:
        """Prepare the edits of a system, one list for each sentence of the corpus."""


class TextScorer(Protocol):
    """A metric prepared for consecutive sentences of a source and its reference texts, without an object for every token."""

    def counts(self, hypotheses: Any) -> Any:
        """Count hypotheses, an Arrow array or a list of texts: an array with a row for each sentence and reference."""

    def content(self, start: int, stop: int) -> bytes:
        """Describe some sentences with their edits, for the fingerprint of the gold."""


class Output(ABC):
    """The output of one system, prepared to be scored.  Sentences are given by their index, from 0."""

    def __init__(self, hypotheses: Sequence[Tokens], first: int = 0) -> None:
        self.hypotheses, self.first = hypotheses, first

    @abstractmethod
    def rows(self, start: int, stop: int) -> RowsOfSentences:
        """Count the sentences from ``start`` to before ``stop``, one row for each reference."""

    def between(self, start: int, stop: int) -> list[Tokens]:
        """Return the hypotheses of these sentences."""
        if not self.first <= start <= stop <= self.first + len(self.hypotheses):
            raise UsageError(f"{self._known()}, found {start:,} to before {stop:,}")
        return list(self.hypotheses[start - self.first : stop - self.first])

    def hypothesis(self, index: int) -> Tokens:
        """Return the hypothesis of the sentence at an index."""
        if not 0 <= index - self.first < len(self.hypotheses):
            raise UsageError(f"{self._known()}, found {index:,}")
        return self.hypotheses[index - self.first]

    def _known(self) -> str:
        return f"the index of a sentence must be from {self.first:,} to {self.first + len(self.hypotheses) - 1:,}"


def refuse(corpus: Corpus, error: OverflowError) -> RequestError:
    """Make the error of a sentence that is too large; the core counts the sentences that it has, the message those of the whole corpus."""
    message = re.sub(r"^sentence (\d+)", lambda found: f"sentence {corpus.numbers[int(found[1]) - 1]}", str(error))
    return RequestError(f"{corpus.path or corpus.name}: {message}")


class SourceMeasure(NamedTuple):
    """A measure of output and source on the same reference, from one row of counts."""

    label: str
    """The heading of a column of values, such as ``WAcc``."""
    ratio: Ratio
    """The measure, over the counts of one of them."""
    output: slice
    """The counts of the output in a row."""
    source: slice
    """The counts of the source in a row."""


class Outcomes(NamedTuple):
    """True positives, false positives and false negatives."""

    true_positives: int
    false_positives: int
    false_negatives: int


_HOLDS_FOR: dict[str, tuple[tuple[str, ...], Callable[[type[Metric]], object]]] = {
    "title": (("name",), lambda kind: kind.name),
    "short_title": (("title",), lambda _: ""),
    "values": (("value",), lambda _: Metric.values),
    "in_parts": (("scorer", "data", "system_data", "gold_warnings"), lambda _: False),  # they may depend on all sentences of a gold
    "counts_texts": (("scorer",), lambda _: Metric.counts_texts),
}
"""What a subclass inherits only while it redefines none of some other attributes, and what it has instead."""


class Metric(ABC):
    """The base of all metrics."""

    name: ClassVar[str]
    """The name on the command line."""
    title: ClassVar[str] = ""
    """The name in texts; the same name by default."""
    short_title: ClassVar[str] = ""
    """The name in tables of papers, if it is not the title."""
    aliases: ClassVar[tuple[str, ...]] = ()
    """Other names that people try, for suggestions."""
    summary: ClassVar[str]
    """One line for help texts and tables."""
    paper: ClassVar[str] = ""
    """The paper that proposed it."""
    columns: ClassVar[tuple[str, ...]]
    """Names of the counts in a row."""
    explanation: ClassVar[str] = ""
    """A note on the value, printed below tables."""
    columns_explained: ClassVar[str] = ""
    """A note on the columns of a table with the parts of a score."""
    referenceless: ClassVar[bool] = False
    """Whether it compares the output with the source only, without references."""
    best: ClassVar[float | None] = 1.0
    """The value of an output that equals a reference, or the source if there are no references; None if not defined."""
    spelling_matters: ClassVar[str] = ""
    """Why counts depend on the spelling of words, and not only on which words are equal; empty if they do not."""
    inspected_with: ClassVar[str] = ""
    """The command that shows its sentences, if ``errata inspect`` cannot."""
    types_wrong_edits: ClassVar[bool] = False
    """Whether its wrong edits have a type too."""
    own_types: ClassVar[frozenset[str]] = frozenset()
    """Types that it may give edits itself, whatever those of gold are."""

    in_parts: ClassVar[bool] = True
    """Whether the sentences of a gold are counted without each other, if each annotator has a text for all of them.

    Such a gold can be read in parts.  A class that redefines how a gold is prepared or described must say it again.
    """

    def __init_subclass__(cls, **rest: Any) -> None:
        """Forget what a class inherits that does not hold for what it redefines (``_HOLDS_FOR``)."""
        super().__init_subclass__(**rest)
        for name, (redefined, otherwise) in _HOLDS_FOR.items():
            if any(_find_depth(cls, other) < _find_depth(cls, name) for other in redefined):
                setattr(cls, name, otherwise(cls))

    def __post_init__(self) -> None:
        check_settings(self, self.name)
        self.check()

    def check(self) -> None:  # noqa: B027 - few metrics have such settings
        """Raise a ``UsageError`` if settings contradict each other."""

    @property
    def mixes_references(self) -> bool:
        """Whether its rows are of mixtures of references, not of single ones."""
        return False

    @property
    def beta(self) -> float | None:
        """The weight of recall against precision in its F, often a setting; None if it has no F."""
        return None

    @property
    @abstractmethod
    def strategy(self) -> Strategy:
        """How references are used; a class may have it as an attribute."""

    def count(self, sentence: Sentence, hypothesis: Tokens) -> Sequence[Row]:
        """Count a sentence: one row for each annotator; only one if it has none, or the strategy is ``SingleRow``."""
        raise NotImplementedError(f"{type(self).__name__} must define count or scorer")

    def scorer(self, corpus: Corpus) -> Scorer:
        """Prepare the metric for a corpus; what depends only on the gold is computed once."""
        return _SentenceScorer(self, corpus)

    def text_scorer(self, source: Any, references: Sequence[Any], first: int, max_tokens: int) -> TextScorer | None:
        """Prepare the metric for texts of source and references, Arrow arrays or lists, from sentence ``first``; None if it cannot."""
        del source, references, first, max_tokens
        return None

    @property
    def counts_texts(self) -> bool:
        """Whether it has a :meth:`text_scorer`."""
        return False

    @abstractmethod
    def value(self, counts: Row) -> float:
        """Compute the score of a sum of counts."""

    def sentence_value(self, counts: Row) -> float:
        """Compute the score of the counts of one sentence; the same as of a sum, unless it is smoothed."""
        return self.value(counts)

    def values(self, counts: Any) -> Any:
        """Compute the scores of many sums of counts, the rows of an array."""
        import numpy as np

        return np.array([self.value(tuple(map(int, row))) for row in counts.tolist()], dtype=np.float64)

    def expected_values(self, means: Any, covariances: Any) -> Any:
        """Compute the expected scores of random sums with these means and covariances, for the strategy ``Expectation``."""
        del means, covariances
        raise RequestError(f"{self} has no expected_values, which Expectation needs; use Draws instead")

    def parts(self, counts: Row) -> dict[str, Any]:
        """Return the counts by name and other parts of the score; may be nested."""
        return dict(zip(self.columns, counts, strict=True))

    def shown(self, counts: Row) -> dict[str, float]:
        """Return the parts that a row of a table shows beside the value: counts, and fractions, which are printed times 100."""
        return self.parts(counts)

    @property
    def label(self) -> str:
        """The heading of a column of values, such as ``F0.5``."""
        return self.name

    @property
    def written_name(self) -> str:
        """The name as papers write it, with that of the value if this says more, such as ``M² F0.5``."""
        name = self.short_title or self.title or self.name
        if self.label.startswith(name):
            return self.label
        return name if name.startswith(self.label) else f"{name} {self.label}"

    def in_words(self, counts: Row) -> str:
        """Describe counts in a few words, beside a sentence."""
        return f"{self.label} {100 * self.value(counts):.2f}"

    def outcomes(self, counts: Row) -> Outcomes | None:
        """Return true positives, false positives and false negatives; None if counts do not have them."""
        del counts
        return None

    @property
    def source_measure(self) -> SourceMeasure | None:
        """How the output is compared with the source on the same references; None if counts do not have the source."""
        return None

    def successes(self, counts: Row) -> tuple[int, int] | None:
        """Return the numbers of successes and of sentences, for exact intervals; None if a sentence is not a success or a failure."""
        del counts
        return None

    def warnings(self, counts: Row) -> list[str]:
        """List the warnings about a score."""
        del counts
        return []

    def gold_warnings(self, corpus: Corpus) -> list[str]:
        """List the warnings about what it does with a gold, whatever is scored."""
        del corpus
        return []

    def data(self, corpus: Corpus) -> str:
        """Describe the other data that values depend on, for signatures."""
        del corpus
        return ""

    def system_data(self, system: System, corpus: Corpus) -> str:
        """Describe what values depend on that differs between systems, for signatures; not their outputs."""
        del system, corpus
        return ""

    def types_data(self, system: System, corpus: Corpus) -> str:
        """Describe what the types of edits depend on, for signatures, if the metric types wrong edits itself."""
        del system, corpus
        return self.name

    @property
    def needs(self) -> tuple[str, ...]:
        """The fields of other data that it needs beside gold and output."""
        return tuple(item.name for item in fields(self) if is_data(item))  # type: ignore[arg-type]  # every metric is a dataclass

    def with_data(self, **data: object) -> Self:
        """Return the metric with data that it needs."""
        if unknown := sorted(set(data) - set(self.needs)):
            raise UsageError(f"{self.name} needs no {unknown[0]}")
        return replace(self, **data)  # type: ignore[type-var]

    def __str__(self) -> str:
        """Write the metric as on the command line, without default settings.

        >>> from errata.metrics.maxmatch import MaxMatch
        >>> str(MaxMatch()), str(MaxMatch(beta=1.0))
        ('maxmatch', 'maxmatch(beta=1.0)')
        """
        return self._written(everything=False)

    @property
    def signature(self) -> str:
        """The metric with all its settings."""
        return self._written(everything=True)

    def _written(self, *, everything: bool) -> str:
        values = {name: getattr(self, name) for name in list_settings(self)}
        defaults = {name: setting.default for name, setting in list_settings(self).items()}
        shown = [f"{name}={write_value(value)}" for name, value in values.items() if everything or value != defaults[name]]
        return f"{self.name}({','.join(shown)})" if shown else self.name


def _find_depth(kind: type, name: str) -> int:
    """Find the index of the class, in the order of inheritance, that defines a name."""
    return next((index for index, base in enumerate(kind.__mro__) if name in vars(base)), len(kind.__mro__))


class RatioMetric(Metric):
    """A metric whose value is a ratio of sums of counts, which is fast for many sums."""

    @property
    @abstractmethod
    def ratio(self) -> Ratio:
        """The value; 0/0 is 1."""

    def value(self, counts: Row) -> float:
        return self.ratio.value(counts)

    def values(self, counts: Any) -> Any:
        return self.ratio.values(counts)


_DATA = "data"


def data_field() -> Any:
    """Declare a field for data, such as graphs, which is not a setting; metrics with different data are not equal."""
    return field(default=None, repr=False, metadata={_DATA: True})


def is_data(item: Field[Any]) -> bool:
    """Whether a field of a metric holds data."""
    return _DATA in item.metadata


class _SentenceScorer:
    """A scorer that counts each sentence with ``Metric.count``."""

    def __init__(self, metric: Metric, corpus: Corpus) -> None:
        self.metric, self.corpus = metric, corpus

    def prepare(self, hypotheses: Sequence[Tokens], first: int = 0) -> Output:
        return _SentenceOutput(self, hypotheses, first)

    def labels(self, index: int, rows: int) -> tuple[str, ...]:
        names = tuple(annotation.annotator for annotation in self.corpus[index].annotations) or (FIRST_ANNOTATOR,)
        looked_at = not self.metric.referenceless and not isinstance(self.metric.strategy, SingleRow)
        return names if len(names) == rows and looked_at else (NO_REFERENCE,) * rows


class _SentenceOutput(Output):
    def __init__(self, scorer: _SentenceScorer, hypotheses: Sequence[Tokens], first: int) -> None:
        super().__init__(hypotheses, first)
        self._scorer = scorer

    def rows(self, start: int, stop: int) -> RowsOfSentences:
        return [self._count(index, tokens) for index, tokens in enumerate(self.between(start, stop), start)]

    def _count(self, index: int, hypothesis: Tokens) -> tuple[Row, ...]:
        """Count a sentence in whole numbers; an error names the sentence."""
        metric = self._scorer.metric
        try:
            rows = tuple(tuple(row) for row in metric.count(self._scorer.corpus[index], hypothesis))
        except Exception as error:
            error.add_note(f"while {metric} counted sentence {self._scorer.corpus.numbers[index]:,}")
            raise
        for row in rows:
            if any(not isinstance(count, int) for count in row):
                number = self._scorer.corpus.numbers[index]
                raise RequestError(f"the counts of {metric} must be whole numbers, found {row!r:.100} for sentence {number:,}")
        return rows
