"""Untrusted text made safe to show: control, direction and invisible characters are escaped."""

from __future__ import annotations

import unicodedata


class _Escapes(dict[int, str]):
    """What is shown for each character; each is decided once."""

    def __init__(self, kept: str) -> None:
        super().__init__({ord(character): character for character in kept})

    def __missing__(self, code: int) -> str:
        character = chr(code)
        self[code] = character if _is_harmless(character) else repr(character)[1:-1]
        return self[code]


_JOINERS = "\u200c\u200d"
"""Invisible, but a part of words in Persian and Indian languages, and of emoji."""
_IN_LINE, _IN_LINES = _Escapes(_JOINERS), _Escapes(f"{_JOINERS}\n\t")


def printable(text: str) -> str:
    r"""Show control, direction and invisible characters as escapes, so that a file cannot control the terminal.

    >>> printable("a\x1b[31mb")
    'a\\x1b[31mb'
    """
    return text if text.isprintable() else text.translate(_IN_LINE)


def printable_lines(text: str) -> str:
    r"""Do the same, but keep line ends and tabs.

    >>> printable_lines("a\tb\r\n")
    'a\tb\\r\n'
    """
    return text if text.replace("\n", "").isprintable() else text.translate(_IN_LINES)


def _is_harmless(character: str) -> bool:
    """Tell whether a character is shown as itself; 66 code points are no characters, and XML does not allow them."""
    code = ord(character)
    is_character = code & 0xFFFE != 0xFFFE and not 0xFDD0 <= code <= 0xFDEF  # noqa: PLR2004 - from the Unicode standard
    return is_character and unicodedata.category(character) not in {"Cc", "Cf", "Cs", "Zl", "Zp"}
