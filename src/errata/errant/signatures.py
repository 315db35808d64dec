"""How signatures name what edits and types were made with, and how to install it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from errata.errant.word_list import WordList

INSTALL_ERRANT = "pip install 'errata[errant]'"
_DIGITS = 8


def shorten_hash(digest: str) -> str:
    """Cut a hash to the digits that are shown."""
    return digest[:_DIGITS]


def describe_analysis(analyser: str, words: WordList | None = None) -> str:
    """Name the analyser, and the word list if types depend on it."""
    return analyser if words is None else f"{analyser}, word list {words.fingerprint}"
