"""The sentence splitter of the CoNLL shared tasks: a rule fitted to their test sets.

A sentence ends after a word that ends in . ? or !; a closing quotation mark there begins the next sentence.  After an
abbreviation, an ellipsis or a single letter, it ends only before a word that often begins a sentence.
"""

from __future__ import annotations

import re

_STOP = re.compile(r"[.?!](?=\s|[\"”’])")
_NEXT = re.compile(r"\s*[\"“‘'(\[]*([^\W\d_]*)")
_ABBREVIATIONS = frozenset({"mr", "mrs", "ms", "dr", "prof", "st", "vs", "etc", "u.s", "u.k"})
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
    for stop in _STOP.finditer(text):
        if _ends(text, start, stop.end()):
            sentences.append(text[start : stop.end()].strip())
            start = stop.end()
    sentences.append(text[start:].strip())
    return [sentence for sentence in sentences if sentence]


def _ends(text: str, start: int, end: int) -> bool:
    first = end
    while first > start and not text[first - 1].isspace():
        first -= 1
    word = text[first:end]
    if word[-1:] != ".":
        return True
    bare = word[:-1].lstrip("\"'“‘([").lower()
    following = _NEXT.match(text, end)
    next_word = following.group(1) if following else ""
    if len(bare) == 1 and bare.isalpha():
        return next_word in _AFTER_A_LETTER
    if bare in _ABBREVIATIONS or word.endswith(".."):
        return next_word in _OPENERS
    return True
