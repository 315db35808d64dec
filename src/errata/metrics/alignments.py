"""What a metric of tokens shows of a sentence: three rows under each other, and the class of every column."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple, Protocol, runtime_checkable

from errata.metrics.base import Scorer

if TYPE_CHECKING:
    from collections.abc import Sequence

Class = Literal["TP", "TN", "FP", "FN", "FPN"]
"""FPN is false positive and false negative at once: something was changed, but to the wrong text."""


class Column(NamedTuple):
    """Tokens that are aligned; None where a sentence has nothing."""

    source: str | None
    hypothesis: str | None
    reference: str | None

    @property
    def correction(self) -> Class:
        """Its class when corrections count (Table 6 of Felice and Briscoe 2015)."""
        if self.source == self.hypothesis:
            return "TN" if self.source == self.reference else "FN"
        if self.source == self.reference:
            return "FP"
        return "TP" if self.hypothesis == self.reference else "FPN"

    @property
    def detection(self) -> Class:
        """Its class when it counts only that something was changed."""
        return "TP" if self.correction == "FPN" else self.correction


class MixedCorrection(NamedTuple):
    """A correction in a reference, and who offers it."""

    annotators: tuple[str, ...]
    start: int
    end: int
    text: str


class Alignment(NamedTuple):
    """A sentence, what a system made of it, and the reference it is scored against."""

    columns: list[Column]
    corrections: list[MixedCorrection]
    left_alone: int
    """Errors that the reference leaves uncorrected, as it may where not every annotator corrects them or the gold says so."""
    certified: bool
    """Whether no other reference is better."""


@runtime_checkable
class AlignmentScorer(Scorer, Protocol):
    """A scorer that can show the alignment behind its counts."""

    def alignment(self, sentence: int, hypothesis: str | Sequence[str], row: int | None = None) -> Alignment:
        """The alignment behind a row of a sentence, which is counted from 0; where it has only one row there is no need to say which."""
