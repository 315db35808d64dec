"""What a metric is.

A metric is a frozen dataclass whose fields are its settings.  It states three things: how to turn sentences and hypotheses
into rows of counts (:meth:`Metric.scorer`), which ratio a choice among references maximises (:meth:`Metric.ratio`), and what a
sum of counts means (:meth:`Metric.value` and :meth:`Metric.parts`).
Corpus scores, sentence scores, tables and everything statistical are written once on top of that.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import Field, dataclass, fields
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Protocol, runtime_checkable

from errata.metrics.choice import f_ratio

if TYPE_CHECKING:
    from collections.abc import Sequence

    from errata.corpus import Corpus, Tokens
    from errata.metrics.choice import Ratio, Row, Rule


class Scorer(Protocol):
    """A metric made ready for one corpus."""

    def labels(self, sentence: int, rows: int) -> tuple[str, ...]:
        """What the references behind the rows of a sentence are called."""

    def rows(self, first: int, hypotheses: list[Tokens]) -> Sequence[tuple[Row, ...]]:
        """Counts of consecutive sentences from ``first`` on, one row for each reference."""


@runtime_checkable
class WholeScorer(Scorer, Protocol):
    """A scorer that looks at a whole output before its sentences."""

    def begin(self, hypotheses: Sequence[Tokens]) -> None:
        """Make ready for an output."""


Outcome = Literal["right", "wrong", "missed"]


@dataclass(frozen=True, slots=True)
class JudgedEdit:
    """An edit of a system that is right or wrong, or a gold edit that it missed."""

    outcome: Outcome
    start: int
    end: int
    original: str
    corrections: tuple[str, ...]
    """The system's text; for a missed edit the gold alternatives."""
    type: str | None
    """The gold type; a wrong edit has none."""
    target_start: int = -1
    """Where the system's text starts in its sentence; -1 for a missed edit."""


@runtime_checkable
class EditScorer(Scorer, Protocol):
    """A scorer that can show the edits behind its counts."""

    def judged_edits(self, sentence: int, hypothesis: Tokens) -> list[list[JudgedEdit]]:
        """For each reference of a sentence: the system's edits, right or wrong, and the gold edits it missed, in order."""


@runtime_checkable
class TypeScorer(Scorer, Protocol):
    """A scorer that knows which gold edits of which type are found."""

    def gold_types(self, sentence: int, hypothesis: Tokens, row: int) -> list[tuple[str, bool]]:
        """The type of every gold edit behind a row of a sentence, and whether the system found it."""


class Metric(ABC):
    """The base of all metrics."""

    name: ClassVar[str]
    summary: ClassVar[str]
    """One line for help texts and tables."""
    columns: ClassVar[tuple[str, ...]]
    """Names of the counts in a row."""
    choice: Rule
    """The rule that picks one row a sentence."""
    referenceless: ClassVar[bool] = False
    """Whether it looks at the source alone, and at no annotator."""
    explanation: ClassVar[str] = ""
    """What readers of a value have to know beside the signature."""
    columns_explained: ClassVar[str] = ""
    """What readers of a table with the parts of a score have to know."""

    @abstractmethod
    def scorer(self, corpus: Corpus) -> Scorer:
        """Make the metric ready for a corpus; what depends on the gold alone is done once."""

    @abstractmethod
    def ratio(self) -> Ratio:
        """What a choice among references maximises."""

    @abstractmethod
    def value(self, counts: Row) -> float:
        """The score of a sum of counts."""

    def values(self, counts: Any) -> Any:
        """The scores of many sums of counts, the rows of an array; a metric whose value is its ratio need not say more."""
        return ratios(self.ratio(), counts)

    @abstractmethod
    def parts(self, counts: Row) -> dict[str, Any]:
        """The counts by name and what else belongs to the score; may be nested."""

    def shown(self, counts: Row) -> dict[str, float]:
        """What a line of a table has beside the value: counts, and fractions that people read times 100."""
        return self.parts(counts)

    @property
    @abstractmethod
    def label(self) -> str:
        """What a column of values is called, such as ``F0.5``."""

    def __str__(self) -> str:
        """The metric as it is written on the command line, without settings that have their default.

        >>> from errata.metrics import MaxMatch
        >>> str(MaxMatch()), str(MaxMatch(beta=1.0))
        ('maxmatch', 'maxmatch(beta=1.0)')
        """
        return _written(self, everything=False)

    def data(self, corpus: Corpus) -> str:
        """What else than settings and gold the values rest on, for signatures."""
        del corpus
        return ""

    @property
    def signature(self) -> str:
        """The metric with all its settings."""
        return _written(self, everything=True)


def is_setting(field: Field[Any]) -> bool:
    """Whether a field of a metric is one of its settings; others hold data, such as graphs."""
    return field.init and "data" not in field.metadata


def _written(metric: Metric, *, everything: bool) -> str:
    settings = [
        f"{field.name}={_setting(getattr(metric, field.name))}"
        for field in fields(metric)  # type: ignore[arg-type]  # every metric is a dataclass
        if is_setting(field) and (everything or getattr(metric, field.name) != field.default)
    ]
    return f"{metric.name}({','.join(settings)})" if settings else metric.name


def _setting(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def ratios(ratio: Ratio, counts: Any) -> Any:
    """A ratio of many rows of counts; 0/0 is 1."""
    import numpy as np

    above, below = counts @ np.array(ratio.numerator, float), counts @ np.array(ratio.denominator, float)
    return np.divide(above, below, out=np.ones_like(above), where=below != 0)


@dataclass(frozen=True, slots=True)
class PrecisionRecall:
    """Precision, recall and F of correct, proposed and gold counts, with the official scorer's conventions.

    Precision is 1 when nothing is proposed, recall is 1 when nothing is gold, F is 0 when both are 0.
    """

    precision: float
    recall: float
    f: float

    @classmethod
    def of(cls, correct: int, proposed: int, gold: int, beta: float) -> PrecisionRecall:
        """From counts.

        >>> PrecisionRecall.of(1, 1, 3, beta=1.0)
        PrecisionRecall(precision=1.0, recall=0.3333333333333333, f=0.5)
        """
        above, below = f_ratio(beta).of((correct, proposed, gold))
        return cls(correct / proposed if proposed else 1.0, correct / gold if gold else 1.0, above / below if below else 1.0)
