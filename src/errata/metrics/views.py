"""What metrics can show of a sentence: judged edits, gold edits by type, three texts aligned word by word, or n-grams.

These are protocols that an :class:`~errata.metrics.base.Output` may implement; callers check with ``isinstance``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple, Protocol, get_args, runtime_checkable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from errata.corpus.texts import Tokens
    from errata.metrics.maxmatch import EditLattice
    from errata.metrics.meaning import AlignedGraphs


References = Literal["mix", "single"]
REFERENCES: dict[References, str] = {
    "mix": "all mixtures of the annotators' corrections",
    "single": "the corrections of each annotator",
}
"""All choices, with their descriptions."""
MIXED: References = "mix"
"""The label of the rows of mixtures."""
CERTIFIED_EXPLAINED = "Certified: sentences whose reference is proved to be the best."
"""A note on the column that counts them."""


EditOutcome = Literal["right", "wrong", "missed"]
EDIT_OUTCOMES: tuple[EditOutcome, ...] = get_args(EditOutcome)
"""The outcomes, in the order in which they are shown."""

Aspect = Literal["detection", "correction"]
"""What counts: that an error is detected, or that it is corrected."""


@dataclass(frozen=True, slots=True)
class JudgedEdit:
    """A right or wrong edit of a system, or a missed gold edit."""

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
    """An output that shows the edits behind its counts."""

    def edits(self, index: int) -> list[list[JudgedEdit]]:
        """List right, wrong and missed edits of the sentence at an index, in order, for each reference."""


@runtime_checkable
class ShowsChosenEdits(Protocol):
    """An output that shows the edits behind one of its rows in less time than those behind all."""

    def edits_against(self, index: int, row: int) -> list[JudgedEdit]:
        """List right, wrong and missed edits of the sentence at an index, in order, for the reference of a row."""


@runtime_checkable
class ShowsLattice(Protocol):
    """An output that shows the lattice in which it found its edits."""

    def lattice(self, index: int) -> list[EditLattice]:
        """Make the lattice of the sentence at an index, for each reference."""


@runtime_checkable
class FindsTypes(Protocol):
    """An output that knows the types of the gold edits found, but shows no edits."""

    def gold_types(self, index: int, row: int) -> list[tuple[str, bool]]:
        """List the types of the gold edits behind a row of the sentence at an index, and whether each was found."""


Class = Literal["TP", "TN", "FP", "FN", "FPN"]
"""FPN is both a false positive and a false negative: an error was changed to the wrong text."""


class AlignmentColumn(NamedTuple):
    """Aligned tokens of three sentences; None for a gap."""

    source: str | None
    hypothesis: str | None
    reference: str | None

    @property
    def correction(self) -> Class:
        """Its class for correction (Table 6 of Felice and Briscoe 2015)."""
        if self.source == self.hypothesis:
            return "TN" if self.source == self.reference else "FN"
        if self.source == self.reference:
            return "FP"
        return "TP" if self.hypothesis == self.reference else "FPN"

    @property
    def detection(self) -> Class:
        """Its class for detection."""
        return "TP" if self.correction == "FPN" else self.correction


class MixedCorrection(NamedTuple):
    """A correction in a reference, and the annotators who made it."""

    annotators: tuple[str, ...]
    start: int
    end: int
    text: str


class Alignment(NamedTuple):
    """The alignment of a source sentence, its hypothesis and its reference."""

    columns: list[AlignmentColumn]
    corrections: list[MixedCorrection]
    left_alone: int
    """Errors that the reference leaves uncorrected, because not every annotator corrects them or gold allows it."""
    certified: bool
    """Whether the reference is proved to be the best."""


@runtime_checkable
class ShowsAlignment(Protocol):
    """An output that shows the alignment behind its counts."""

    def alignment(self, index: int, row: int | None = None) -> Alignment:
        """Show the alignment behind a row of the sentence at an index; ``row`` is needed only if there are several."""

    def align(self, source: Tokens, hypothesis: Tokens, reference: Tokens) -> Sequence[AlignmentColumn]:
        """Align any three texts, such as the characters of sentences, in the same way."""


@runtime_checkable
class ShowsGraphs(Protocol):
    """An output that shows the semantic graphs behind its counts."""

    def aligned_graphs(self, index: int) -> AlignedGraphs:
        """Align the graph of the output of the sentence at an index with that of its source."""


class JudgedNgrams(NamedTuple):
    """N-grams of one order, each as often as it counts."""

    right: tuple[Tokens, ...]
    """Those that output and reference have, and the source has not."""
    punished: tuple[Tokens, ...]
    """Those that the output has from the source, and the reference has not."""
    wrong: tuple[Tokens, ...]
    """Other n-grams of the output that the reference has not."""
    missed: tuple[Tokens, ...]
    """Those that the reference has, and neither source nor output."""


class NgramView(NamedTuple):
    """The n-grams behind a row."""

    reference: Tokens | None
    """The text of the reference; None if there are several."""
    orders: list[JudgedNgrams]


@runtime_checkable
class ShowsNgrams(Protocol):
    """An output that shows the n-grams behind its counts."""

    def ngrams(self, index: int) -> list[NgramView]:
        """Show the n-grams of the sentence at an index, for each reference."""
