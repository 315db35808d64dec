"""What somebody may have meant: known words that are close to an unknown one."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

_CLOSE = 0.6
"""Similarity from which a word is suggested; 1 is equality."""
_LONGEST = 100
"""Characters of a word that is compared, so that nobody waits for the comparison of a very long one."""


def suggest(word: str, known: Iterable[str]) -> str:
    """A question to end a message with, or nothing if no known word is close.

    >>> suggest("maxmach", ["imeasure", "maxmatch"])
    '; did you mean maxmatch?'
    >>> suggest("gleu", ["imeasure", "maxmatch"])
    ''
    """
    from difflib import get_close_matches

    names = {name.lower(): name for name in known}
    close = get_close_matches(word[:_LONGEST].lower(), names, n=1, cutoff=_CLOSE)
    return f"; did you mean {names[close[0]]}?" if close else ""
