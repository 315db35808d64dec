"""Equal texts of a file are stored once, so that memory grows with what a file says, not with how often it repeats it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

MOST_SHARED = 1_000_000
"""Different texts that are remembered; a text with more of them has few that repeat."""


class SharedTexts:
    """The texts of a file that is being read.

    >>> share = SharedTexts()
    >>> one, other = share("a b".split()), share("b c".split())
    >>> one[1] is other[0]
    True
    """

    def __init__(self) -> None:
        self._known: dict[str, str] = {}

    def __call__(self, texts: Sequence[str]) -> tuple[str, ...]:
        """Replace texts that are known by the same text in memory."""
        known = self._known
        return tuple(map(known.setdefault if len(known) < MOST_SHARED else known.get, texts, texts))
