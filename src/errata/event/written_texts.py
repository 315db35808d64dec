"""Texts that participants write: descriptions and comments.  They come from outside, and end in databases, pages and files."""

from __future__ import annotations

import unicodedata

from errata.errors import RequestError

_LINE_ENDS = ("\r\n", "\r")
_ALLOWED = "\n\t"
_REFUSED = {"Cc", "Cs"}
"""Control characters, of which PostgreSQL stores no NUL, and halves of characters, which no encoding has."""
_DIRECTIONS = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""With them a text changes the order of what a page shows after it."""


def check_text(text: str, what: str, longest: int) -> str:
    r"""Return a text without white space around it, with line feeds alone; raise if it is too long or has what nobody can see.

    >>> check_text(" First try,\r\nwith a new model. ", "a description", 100)
    'First try,\nwith a new model.'
    """
    for end in _LINE_ENDS:
        text = text.replace(end, "\n")
    stripped = text.strip()
    if len(stripped) > longest:
        raise RequestError(f"{what} has at most {longest:,} characters, found {len(stripped):,}")
    for position, character in enumerate(stripped, start=1):
        if character not in _ALLOWED and (unicodedata.category(character) in _REFUSED or character in _DIRECTIONS):
            raise RequestError(f"{what} has no control characters, found U+{ord(character):04X} at character {position:,}")
    return stripped
