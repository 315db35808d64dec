"""Untrusted text on a terminal: escaping and width."""

from __future__ import annotations

import unicodedata
from functools import cache

from errata.html import printable as printable  # noqa: PLC0414 - beside what else is about text that is shown
from errata.html import printable_lines as printable_lines  # noqa: PLC0414

_JOINER, _EMOJI = "\u200d", "\ufe0f"


def width(text: str) -> int:
    r"""Count the columns that a text takes in a terminal.

    A mark takes no column, nor what a joiner adds to an emoji; a variation selector makes an emoji of two columns.

    >>> width("naïve"), width("誤り"), width("か\u3099")
    (5, 4, 2)
    """
    if text.isascii():
        return len(text)
    columns = 0
    previous = ""
    for character in text:
        own = 0 if previous == _JOINER else _count_columns(character)
        columns += 1 if character == _EMOJI and previous and _count_columns(previous) == 1 else own
        previous = character
    return columns


@cache
def _count_columns(character: str) -> int:
    if unicodedata.category(character) in {"Mn", "Me", "Cf"} or "\u1160" <= character <= "\u11ff":  # the latter are parts of syllables
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1
