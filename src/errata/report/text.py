"""Untrusted text on a terminal: escaping and width."""

from __future__ import annotations

import unicodedata


def printable(text: str) -> str:
    r"""Show control and direction characters as escapes, so that a file cannot control the terminal.

    >>> printable("a\x1b[31mb")
    'a\\x1b[31mb'
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(character if _harmless(character) else repr(character)[1:-1] for character in text)


def _harmless(character: str) -> bool:
    return unicodedata.category(character) not in {"Cc", "Cf", "Cs", "Zl", "Zp"} or character in "\u200c\u200d"


def width(text: str) -> int:
    """Count the columns that a text takes in a terminal.

    >>> width("naïve"), width("誤り")
    (5, 4)
    """
    if text.isascii():
        return len(text)
    wide = sum(unicodedata.east_asian_width(character) in "WF" for character in text)
    return len(text) + wide - sum(unicodedata.category(character) in {"Mn", "Me", "Cf"} for character in text)
