"""Records that the compiled core and its twin both return."""

from __future__ import annotations

from typing import NamedTuple


class MatchedEdit(NamedTuple):
    """An edit of a hypothesis: a source span became a hypothesis span.

    >>> edit = MatchedEdit(start=1, end=2, target_start=1, target_end=3, gold=0)
    >>> edit.gold, edit == (1, 2, 1, 3, 0)
    (0, True)
    """

    start: int
    end: int
    target_start: int
    target_end: int
    gold: int
    """The index of the gold edit that it equals, -1 for none."""
