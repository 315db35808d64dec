"""Equality of two corrections: texts are compared after a normalisation."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Callable

Normalisation = Literal["tokens", "case", "words", "words2016"]
NORMALISATIONS: dict[Normalisation, str] = {
    "tokens": "token by token",
    "case": "case and white space do not count",
    "words": "punctuation and case do not count; adjacent single letters are joined: U . S . is us",
    "words2016": "punctuation does not count; a single letter is joined to the word before it, as in Choshen and Abend",
}
"""All normalisations, with their descriptions."""

_NO_WORD = re.compile(r"\W+")
_LETTER_BEHIND = re.compile(r"\s([a-zA-Z]\s)")
_TWO_LETTERS = re.compile(r"(\s[a-zA-Z])\s([a-zA-Z]\s)")


def _case(text: str) -> str:
    return "".join(text.lower().split())


def _words(text: str) -> str:
    return _TWO_LETTERS.sub(r"\1\2", _NO_WORD.sub(" ", text)).lower().strip()


def _words2016(text: str) -> str:
    return _LETTER_BEHIND.sub(r"\1", _NO_WORD.sub(" ", text))


_FUNCTIONS: dict[Normalisation, Callable[[str], str]] = {
    "tokens": lambda text: " ".join(text.split()),
    "case": _case,
    "words": _words,
    "words2016": _words2016,
}


def make_normaliser(name: Normalisation) -> Callable[[str], str]:
    """Get the function that normalises texts.

    >>> make_normaliser("words")("The U . S . plan , OK !")
    'the us plan ok'
    """
    return _FUNCTIONS[name]
