"""The form with which an annotator judges."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from errata.errors import RequestError, UsageError
from errata.event.answers.verdicts import ITEM_VERDICTS

if TYPE_CHECKING:
    from collections.abc import Mapping


class SentJudgment(NamedTuple):
    """What was sent."""

    verdict: str
    comment: str
    text: str
    """The sentence in the field of an amendment, which every form has."""
    came_from: str
    """The page to which a change of mind returns; else empty."""

    def check(self, unchanged: str) -> None:
        """Raise if no verdict was chosen, or a sentence was typed that the verdict would lose; ``unchanged`` is what the field had."""
        if self.verdict not in ITEM_VERDICTS:
            raise UsageError("choose what you say of the proposal: accept, reject, amend or skip")
        typed = self.text.split()
        if self.verdict != "amend" and typed and typed != unchanged.split():
            raise RequestError(
                f"you have typed another sentence, and then chosen {self.verdict!r}: send the sentence as an amendment, "
                "or empty its field, and choose again"
            )


def read_judgment(form: Mapping[str, str]) -> SentJudgment:
    """Read the form."""
    return SentJudgment(form.get("verdict", ""), form.get("comment", ""), form.get("text", ""), form.get("from", ""))
