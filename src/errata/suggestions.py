"""Suggestions for misspelt words."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

_CLOSE = 0.6
"""Minimum similarity of a suggestion; 1 is equality."""
_LONGEST = 100
"""Characters of words that are compared, because long comparisons are slow."""
_MOST = 1_000
"""Known words that are compared."""


def suggest(word: str, known: Iterable[str], least: float = _CLOSE) -> str:
    """Make a question for the end of a message; empty if no known word has at least this similarity.

    >>> suggest("maxmach", ["imeasure", "maxmatch"])
    '; did you mean maxmatch?'
    >>> suggest("gleu", ["imeasure", "maxmatch"])
    ''
    """
    from difflib import get_close_matches

    names = {name.lower(): name for name in islice(known, _MOST) if len(name) <= _LONGEST}
    close = get_close_matches(word[:_LONGEST].lower(), names, n=1, cutoff=least)
    return f"; did you mean {names[close[0]]}?" if close else ""
