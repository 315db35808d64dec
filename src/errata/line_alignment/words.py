"""Words of lines as numbers, so that a text compares equal whatever its tokenisation, case and quotation marks."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_IDEOGRAPHS = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
"""Characters of scripts that do not separate words: each is a word."""
_WORD = re.compile(rf"[{_IDEOGRAPHS}]|[^\W{_IDEOGRAPHS}]+|`{{3,}}|``|''|\S")
"""A word, the fence of a block of code, the quotation marks of the Treebank, or any other character."""
_QUOTATION_MARKS = {"``": '"', "''": '"', "“": '"', "”": '"', "„": '"', "«": '"', "»": '"', "‘": "'", "’": "'", "`": "'"}

NumberedWords = tuple[int, ...]
"""The words of a line, as numbers."""


class WordNumbers:
    """Numbers for words; equal words have equal numbers."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self.texts: list[str] = []
        """The word of each number, in lower case."""

    def number(self, line: str) -> NumberedWords:
        """Number the words of a line: letters and digits that stand together, and every other character.

        >>> WordNumbers().number("Do n't say ``no''"), WordNumbers().number('do n\u2019t SAY "no"')
        ((0, 1, 2, 3, 4, 5, 6, 5), (0, 1, 2, 3, 4, 5, 6, 5))
        """
        return tuple([self._find(word) for word in _WORD.findall(line)])

    def _find(self, word: str) -> int:
        number = self._numbers.get(word)
        if number is None:
            normal = _QUOTATION_MARKS.get(word, word.casefold())
            number = self._numbers.get(normal)
            if number is None:
                number = self._numbers[normal] = len(self.texts)
                self.texts.append(normal)
            self._numbers[word] = number
        return number

    def number_all(self, lines: Iterable[str]) -> list[NumberedWords]:
        """Number the words of several lines."""
        return [self.number(line) for line in lines]


class WordSpan(NamedTuple):
    """Where a word stands in its line."""

    start: int
    end: int


def find_word_spans(line: str) -> list[WordSpan]:
    """Find where the words of a line stand.

    >>> find_word_spans("Yes, sir")
    [WordSpan(start=0, end=3), WordSpan(start=3, end=4), WordSpan(start=5, end=8)]
    """
    return [WordSpan(*word.span()) for word in _WORD.finditer(line)]


def is_word(text: str) -> bool:
    """Tell whether this is a word, not a punctuation mark."""
    return text[:1].isalnum()


def share_words(one: Sequence[int], other: Sequence[int]) -> float:
    """Compute the share of words of the longer line that occur in the other, in any order."""
    if one == other:
        return 1.0
    from collections import Counter

    return (Counter(one) & Counter(other)).total() / max(len(one), len(other))
