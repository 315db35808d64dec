"""What metrics can show of a sentence: judged edits, gold edits by type, or three texts aligned word by word.

These are capabilities of an :class:`~errata.metrics.base.Output`; who wants to show something asks for them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple, Protocol, runtime_checkable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from errata.corpus import Tokens

EditOutcome = Literal["right", "wrong", "missed"]

Aspect = Literal["detection", "correction"]
"""What counts: that an error was noticed, or that it was corrected."""


@dataclass(frozen=True, slots=True)
class JudgedEdit:
    """An edit of a system that is right or wrong, or a gold edit that it missed."""

    outcome: EditOutcome
    start: int
    end: int
    original: str
    corrections: tuple[str, ...]
    """The system's text; for a missed edit the gold alternatives."""
    type: str | None
    """The gold type; a wrong edit has one only if the metric types wrong edits itself."""
    target_start: int | None = None
    """Where the system's text starts in its sentence; None for a missed edit."""


@runtime_checkable
class ShowsEdits(Protocol):
    """Can show the edits behind its counts."""

    def edits(self, index: int) -> list[list[JudgedEdit]]:
        """For each reference of the sentence at an index: the system's edits, right or wrong, and the gold edits it missed, in order."""


@runtime_checkable
class FindsTypes(Protocol):
    """Knows which gold edits of which type are found, without showing edits."""

    def gold_types(self, index: int, row: int) -> list[tuple[str, bool]]:
        """The type of every gold edit behind a row of the sentence at an index, and whether the system found it."""


Class = Literal["TP", "TN", "FP", "FN", "FPN"]
"""FPN is false positive and false negative at once: something was changed, but to the wrong text."""


class AlignmentColumn(NamedTuple):
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

    columns: list[AlignmentColumn]
    corrections: list[MixedCorrection]
    left_alone: int
    """Errors that the reference leaves uncorrected, as it may where not every annotator corrects them or the gold says so."""
    certified: bool
    """Whether no other reference is better."""


@runtime_checkable
class ShowsAlignment(Protocol):
    """Can show the alignment behind its counts."""

    def alignment(self, index: int, row: int | None = None) -> Alignment:
        """The alignment behind a row of the sentence at an index; where it has only one row there is no need to say which."""

    def align(self, source: Tokens, hypothesis: Tokens, reference: Tokens) -> Sequence[AlignmentColumn]:
        """Any three texts, such as the characters of sentences, aligned in the same way."""
