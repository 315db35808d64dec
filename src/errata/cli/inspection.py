"""Parts shared by the views of ``errata inspect``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

    from errata.corpus.corpus import Sentence
    from errata.corpus.texts import Tokens
    from errata.metrics import JudgedEdit
    from errata.report.writers import Marked

STYLES = {"right": "green", "wrong": "red", "missed": "yellow"}


class Filters(NamedTuple):
    """The filters that select sentences."""

    outcomes: set[str]
    types: set[str]
    search: str

    @property
    def of_edits(self) -> bool:
        """Whether they select edits or tokens, not only sentences."""
        return bool(self.outcomes or self.types)

    def pass_text(self, sentence: Sentence, hypothesis: Tokens) -> bool:
        """Whether source or hypothesis contains the searched text."""
        return any(self.search in text.lower() for text in (sentence.text, " ".join(hypothesis)))

    def pass_edit(self, edit: JudgedEdit) -> bool:
        """Whether an edit has one of the outcomes and one of the types."""
        return (not self.outcomes or edit.outcome in self.outcomes) and (not self.types or edit.type in self.types)


class Inspected(NamedTuple):
    """A sentence as a record for programs and as lines for people."""

    record: dict[str, Any]
    lines: list[Marked]
    outcomes: Mapping[str, int]
    """The number of edits or tokens with each outcome, for the chosen reference."""
    matching: Mapping[str, int]
    """The same for edits or tokens that pass the filters."""
    elsewhere: int = 0
    """The number of edits that pass the filters for other shown references."""
