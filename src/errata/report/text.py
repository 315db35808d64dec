"""Untrusted text on a terminal: escaping and width."""

from __future__ import annotations

import unicodedata

from errata.printable import printable as printable  # noqa: PLC0414 - beside what else is about text that is shown
from errata.printable import printable_lines as printable_lines  # noqa: PLC0414


def width(text: str) -> int:
    """Count the columns that a text takes in a terminal.

    >>> width("naïve"), width("誤り")
    (5, 4)
    """
    if text.isascii():
        return len(text)
    wide = sum(unicodedata.east_asian_width(character) in "WF" for character in text)
    return len(text) + wide - sum(unicodedata.category(character) in {"Mn", "Me", "Cf"} for character in text)
