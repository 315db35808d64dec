"""What the ways of looking at a sentence share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

    from errata.corpus import Sentence, Tokens
    from errata.report.markup import Marked

MARKS = {"right": "+", "wrong": "x", "missed": "-"}
STYLES = {"right": "green", "wrong": "red", "missed": "yellow"}


class Filters(NamedTuple):
    """Which sentences are shown."""

    outcomes: set[str]
    types: set[str]
    search: str

    @property
    def of_edits(self) -> bool:
        """Whether they ask for edits or words, not for sentences alone."""
        return bool(self.outcomes or self.types)

    def pass_text(self, sentence: Sentence, hypothesis: Tokens) -> bool:
        """Whether the text that is looked for occurs in one of them."""
        return any(self.search in text.lower() for text in (sentence.text, " ".join(hypothesis)))


class Inspected(NamedTuple):
    """A sentence as it is shown: to programs, and to people."""

    record: dict[str, Any]
    lines: list[Marked]
    outcomes: Mapping[str, int]
    """How often each outcome occurs against the reference that was chosen."""
    matching: Mapping[str, int]
    """The same for edits or words that pass the filters."""
    elsewhere: int = 0
    """How many edits pass the filters against other references that are shown."""
