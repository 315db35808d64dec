"""What a metric is.

A metric is a frozen dataclass whose fields are its settings (:mod:`errata.settings`).  It states three things: the rows of counts
of a sentence, one for each reference (:meth:`Metric.count`, or :meth:`Metric.scorer` where more is to be made ready once), how
references are used (:attr:`Metric.strategy`), and what a sum of counts means (:meth:`Metric.value`).
Corpus scores, sentence scores, tables and everything statistical are written once on top of that.

What else a metric can do it says itself, so that no other room has to know which metric it has before it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import Field, field, fields, replace
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Protocol, Self

from errata.corpus import FIRST_ANNOTATOR
from errata.errors import RequestError, UsageError
from errata.metrics.strategy import SingleRow, Strategy, refuse_expectation
from errata.settings import check_settings, list_settings, write_value

if TYPE_CHECKING:
    from errata.corpus import Corpus, Sentence, Tokens
    from errata.ratios import Ratio, Row

NO_REFERENCE = "none"
"""What the single row of a sentence is called where no reference is looked at."""

RowsOfSentences = Sequence[tuple["Row", ...]]
"""For each of some sentences one row for each reference."""


class Scorer(Protocol):
    """A metric made ready for one corpus.  It does not change any more, so that threads may share it, and can be pickled."""

    def prepare(self, hypotheses: Sequence[Tokens], first: int = 0) -> Output:
        """Make the output of a system ready: its hypotheses for consecutive sentences, of which ``first`` is the first, from 0."""

    def labels(self, index: int, rows: int) -> tuple[str, ...]:
        """What the references behind the rows of the sentence at an index are called."""


class Output(ABC):
    """The output of one system, made ready to be scored.  It knows sentences by their index, from 0."""

    def __init__(self, hypotheses: Sequence[Tokens], first: int = 0) -> None:
        self.hypotheses, self.first = hypotheses, first

    @abstractmethod
    def rows(self, start: int, stop: int) -> RowsOfSentences:
        """Counts of the sentences from ``start`` to before ``stop``, one row for each reference."""

    def between(self, start: int, stop: int) -> list[Tokens]:
        """The hypotheses of these sentences."""
        if not self.first <= start <= stop <= self.first + len(self.hypotheses):
            raise UsageError(f"{self._known()}, found {start:,} to before {stop:,}")
        return list(self.hypotheses[start - self.first : stop - self.first])

    def hypothesis(self, index: int) -> Tokens:
        """The hypothesis of the sentence at an index."""
        if not 0 <= index - self.first < len(self.hypotheses):
            raise UsageError(f"{self._known()}, found {index:,}")
        return self.hypotheses[index - self.first]

    def _known(self) -> str:
        return f"an output has sentences by their index from {self.first:,} to {self.first + len(self.hypotheses) - 1:,}"


class Outcomes(NamedTuple):
    """What a system did, whatever a metric counts."""

    true_positives: int
    false_positives: int
    false_negatives: int


class Metric(ABC):
    """The base of all metrics."""

    name: ClassVar[str]
    """As it is written on the command line."""
    title: ClassVar[str] = ""
    """As people write it; its name if it has no other."""
    summary: ClassVar[str]
    """One line for help texts and tables."""
    paper: ClassVar[str] = ""
    """Where it was proposed."""
    columns: ClassVar[tuple[str, ...]]
    """Names of the counts in a row."""
    explanation: ClassVar[str] = ""
    """What readers of a value have to know beside the signature."""
    columns_explained: ClassVar[str] = ""
    """What readers of a table with the parts of a score have to know."""
    referenceless: ClassVar[bool] = False
    """Whether it looks at the source alone, and at no annotator."""
    best: ClassVar[float | None] = 1.0
    """The value of a system that does all as a reference does, or without references leaves all alone; None if it has no such value."""
    spelling_matters: ClassVar[str] = ""
    """Why counts depend on how words are written, and not only on which words are the same; empty if they do not."""
    inspected_with: ClassVar[str] = ""
    """How its sentences are looked at, where ``errata inspect`` cannot show them."""
    types_wrong_edits: ClassVar[bool] = False
    """Whether the edits it shows have a type even where they are wrong."""

    def __init_subclass__(cls, **rest: Any) -> None:
        """Who gives ``value`` another meaning gives it to ``values`` too, unless it has its own; the same for name and title."""
        super().__init_subclass__(**rest)
        if _find_depth(cls, "name") < _find_depth(cls, "title"):
            cls.title = cls.name
        if _find_depth(cls, "value") < _find_depth(cls, "values"):
            cls.values = Metric.values  # type: ignore[method-assign]

    def __post_init__(self) -> None:
        check_settings(self, self.name)
        self.check()

    def check(self) -> None:  # noqa: B027 - few metrics have such settings
        """Raise a ``UsageError`` if settings contradict each other."""

    @property
    def beta(self) -> float | None:
        """The weight of recall against precision in its F, often a setting; None if it has no F."""
        return None

    @property
    @abstractmethod
    def strategy(self) -> Strategy:
        """How references are used; a class may have it as an attribute."""

    def count(self, sentence: Sentence, hypothesis: Tokens) -> Sequence[Row]:
        """The counts of a sentence, one row for each of its annotators; one row in all if it has none, or the strategy is ``SingleRow``."""
        raise NotImplementedError(f"{type(self).__name__} counts a sentence, or has a scorer of its own")

    def scorer(self, corpus: Corpus) -> Scorer:
        """Make the metric ready for a corpus; what depends on the gold alone is done once."""
        return _SentenceScorer(self, corpus)

    @abstractmethod
    def value(self, counts: Row) -> float:
        """The score of a sum of counts."""

    def values(self, counts: Any) -> Any:
        """The scores of many sums of counts, the rows of an array."""
        import numpy as np

        return np.array([self.value(tuple(map(int, row))) for row in counts.tolist()], dtype=np.float64)

    def expected_values(self, means: Any, covariances: Any) -> Any:
        """The expected scores of random sums of counts with these means and covariances, for the strategy ``Expectation``."""
        del means, covariances
        raise refuse_expectation(self)

    def parts(self, counts: Row) -> dict[str, Any]:
        """The counts by name and what else belongs to the score; may be nested."""
        return dict(zip(self.columns, counts, strict=True))

    def shown(self, counts: Row) -> dict[str, float]:
        """What a line of a table has beside the value: counts, and fractions that people read times 100."""
        return self.parts(counts)

    @property
    def label(self) -> str:
        """What a column of values is called, such as ``F0.5``."""
        return self.name

    def in_words(self, counts: Row) -> str:
        """What counts come to, in a few words beside a sentence."""
        return f"{self.label} {100 * self.value(counts):.2f}"

    def outcomes(self, counts: Row) -> Outcomes | None:
        """What counts say of true and false positives and false negatives; None if they do not."""
        del counts
        return None

    def successes(self, counts: Row) -> tuple[int, int] | None:
        """Where every sentence is a success or not, the number of successes and of sentences: there are exact intervals then."""
        del counts
        return None

    def warnings(self, counts: Row) -> list[str]:
        """What users have to be warned of about a score."""
        del counts
        return []

    def data(self, corpus: Corpus) -> str:
        """What else than settings and gold the values rest on, for signatures."""
        del corpus
        return ""

    @property
    def needs(self) -> tuple[str, ...]:
        """The data that it needs beside gold and output, by the names of its fields."""
        return tuple(item.name for item in fields(self) if is_data(item))  # type: ignore[arg-type]  # every metric is a dataclass

    def with_data(self, **data: object) -> Self:
        """The same metric with data that it needs."""
        if unknown := sorted(set(data) - set(self.needs)):
            raise UsageError(f"{self.name} needs no {unknown[0]}")
        return replace(self, **data)  # type: ignore[type-var]

    def __str__(self) -> str:
        """The metric as it is written on the command line, without settings that have their default.

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
    """How far up, in the order of inheritance, a name is defined."""
    return next((index for index, base in enumerate(kind.__mro__) if name in vars(base)), len(kind.__mro__))


class RatioMetric(Metric):
    """A metric whose value is a ratio of sums of counts, which is fast for many sums at once."""

    @property
    @abstractmethod
    def ratio(self) -> Ratio:
        """The value; 0/0 is 1."""

    def value(self, counts: Row) -> float:
        """The ratio."""
        return self.ratio.value(counts)

    def values(self, counts: Any) -> Any:
        """The ratios of many sums."""
        return self.ratio.values(counts)


_DATA = "data"


def data_field() -> Any:
    """A field of a metric that holds data, such as graphs, and is no setting; it takes part in equality."""
    return field(default=None, repr=False, metadata={_DATA: True})


def is_data(item: Field[Any]) -> bool:
    """Whether a field of a metric holds data."""
    return _DATA in item.metadata


class _SentenceScorer:
    """Counts sentence by sentence."""

    def __init__(self, metric: Metric, corpus: Corpus) -> None:
        self.metric, self.corpus = metric, corpus

    def prepare(self, hypotheses: Sequence[Tokens], first: int = 0) -> Output:
        """There is nothing to make ready."""
        return _SentenceOutput(self, hypotheses, first)

    def labels(self, index: int, rows: int) -> tuple[str, ...]:
        """The annotators, if each has a row."""
        names = tuple(annotation.annotator for annotation in self.corpus[index].annotations) or (FIRST_ANNOTATOR,)
        looked_at = not self.metric.referenceless and not isinstance(self.metric.strategy, SingleRow)
        return names if len(names) == rows and looked_at else (NO_REFERENCE,) * rows


class _SentenceOutput(Output):
    def __init__(self, scorer: _SentenceScorer, hypotheses: Sequence[Tokens], first: int) -> None:
        super().__init__(hypotheses, first)
        self._scorer = scorer

    def rows(self, start: int, stop: int) -> RowsOfSentences:
        """The counts of these sentences."""
        return [self._count(index, tokens) for index, tokens in enumerate(self.between(start, stop), start)]

    def _count(self, index: int, hypothesis: Tokens) -> tuple[Row, ...]:
        """The counts of a sentence, which are whole numbers; an error says in which sentence it happened."""
        metric = self._scorer.metric
        try:
            rows = tuple(tuple(row) for row in metric.count(self._scorer.corpus[index], hypothesis))
        except Exception as error:
            error.add_note(f"while {metric} counted sentence {index + 1:,}")
            raise
        for row in rows:
            if any(not isinstance(count, int) for count in row):
                raise RequestError(f"{metric} counts in whole numbers, found {row!r:.100} for sentence {index + 1:,}")
        return rows
