"""The sentence splitter of the CoNLL shared tasks: a rule fitted to their test sets.

A sentence ends after a word that ends in . ? or !; a closing quotation mark there begins the next sentence.  After an
abbreviation, an ellipsis or a single letter, it ends only before a word that often begins a sentence.
"""

from __future__ import annotations

import re

_STOP = re.compile(r"[.?!](?=\s|[\"”’])")
_NEXT = re.compile(r"\s*[\"“‘'(\[]*([^\W\d_]*)")
_ABBREVIATIONS = frozenset({"mr", "mrs", "ms", "dr", "prof", "st", "vs", "etc", "u.s", "u.k"})
_LONGEST = max(map(len, _ABBREVIATIONS))
_OPENING_MARKS = frozenset("\"'“‘([")
_OPENERS = frozenset(
    "A An And As At But By Even For He Her His However I If In It Its Many Moreover My No Nowadays On One Our She So Some Such "  # noqa: SIM905
    "That The Their Then There Therefore These They This Those Thus To We What When While With You".split()
)
_AFTER_A_LETTER = frozenset({"The", "He", "She"})


def split(text: str) -> list[str]:
    """Split a paragraph into sentences, without surrounding white space.

    >>> split('Mr. Bean said "no." He left. I use phones, etc. and so on. The end')
    ['Mr. Bean said "no.', '" He left.', 'I use phones, etc. and so on.', 'The end']
    """
    sentences = []
    start = 0
    word = _Word(text)
    for stop in _STOP.finditer(text):
        if _ends(text, word.bare_start(start, stop.start()), stop.end()):
            sentences.append(text[start : stop.end()].strip())
            start = stop.end()
    sentences.append(text[start:].strip())
    return [sentence for sentence in sentences if sentence]


class _Word:
    """The last word read, which may have many stops; each character is read once."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._read = self._start = self._bare = 0

    def bare_start(self, sentence: int, stop: int) -> int:
        """Find where the word that ends before a stop starts without opening marks; a word starts after a space or with its sentence."""
        start = max(self._start, sentence)
        for position in range(self._read, stop):
            if self._text[position].isspace():
                start = position + 1
        self._read = stop
        if start != self._start or self._bare < start:
            self._start, self._bare = start, start
        while self._bare < stop and self._text[self._bare] in _OPENING_MARKS:
            self._bare += 1
        return self._bare


def _ends(text: str, bare_start: int, end: int) -> bool:
    if text[end - 1] != ".":
        return True
    bare = text[bare_start : end - 1].lower() if end - 1 - bare_start <= _LONGEST else ""
    following = _NEXT.match(text, end)
    next_word = following.group(1) if following else ""
    if len(bare) == 1 and bare.isalpha():
        return next_word in _AFTER_A_LETTER
    if bare in _ABBREVIATIONS or text[end - 2 : end] == "..":
        return next_word in _OPENERS
    return True
