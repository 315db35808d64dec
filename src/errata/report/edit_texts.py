"""How edits are written for people."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

MARKS = {"right": "+", "wrong": "x", "missed": "-"}
"""The sign of each outcome."""
EMPTY_SIGN = "∅"
"""What stands for no tokens."""


def write_change(original: str, corrections: Sequence[str]) -> str:
    """Write what an edit changes.

    >>> write_change("informations", ("information",)), write_change("", ("a", "the")), write_change("the", ("",))
    ('informations → information', '∅ → a | the', 'the → ∅')
    """
    return f"{original or EMPTY_SIGN} → {' | '.join(text or EMPTY_SIGN for text in corrections)}"
