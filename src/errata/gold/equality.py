"""When two corrections of a sentence are the same: texts are compared after a normalisation that has a name."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Callable

Normalisation = Literal["tokens", "case", "words", "words2016"]
NORMALISATIONS: dict[Normalisation, str] = {
    "tokens": "token by token",
    "case": "without regard to case and white space",
    "words": "without punctuation and case; two single letters that follow each other are joined, so that U . S . is us",
    "words2016": "without punctuation, a single letter joined to the word before it, as Choshen and Abend 2018 counted corrections",
}
"""All by name, with what each does."""

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
    """What makes equal texts equal.

    >>> make_normaliser("words")("The U . S . plan , OK !")
    'the us plan ok'
    """
    return _FUNCTIONS[name]
