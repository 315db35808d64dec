"""What is scored of an essay: its sentences, its paragraphs, or the whole."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from errata.corpus.tokenisation import load_rule
from errata.corpus.unicode import SENTENCE_MARKS, separate_characters
from errata.nucle.splitter import split

if TYPE_CHECKING:
    from collections.abc import Sequence

    from errata.corpus.texts import Tokens
    from errata.corpus.tokenisation import TokenRule
    from errata.formats.registry import EssayUnit

_END = re.compile(rf"(?<=[{SENTENCE_MARKS}])(?=[^{SENTENCE_MARKS}\"”’»」』）)》])|(?<=[{SENTENCE_MARKS}][\"”’»」』）)》])(?=[^\s])")
"""Where a sentence ends after a mark of another script, and perhaps a closing quotation mark or bracket."""
_GREEK_END = re.compile(r"(?<=[;\u037e])\s+")
_GREEK = re.compile(r"[\u0370-\u03ff\u1f00-\u1fff]")


@cache
def _find_rule() -> TokenRule:
    return load_rule("ptb")


def split_sentences(text: str) -> list[str]:
    """Split a text into sentences: as in the CoNLL shared tasks, and at the marks of other scripts.

    >>> split_sentences("我喜欢吃苹果。你呢？"), split_sentences("Πού είναι; Δεν ξέρω.")
    (['我喜欢吃苹果。', '你呢？'], ['Πού είναι;', 'Δεν ξέρω.'])
    """
    pieces = [text] if text.isascii() else _END.split(text)
    if 2 * len(_GREEK.findall(text)) > sum(map(str.isalpha, text)):
        pieces = [part for piece in pieces for part in _GREEK_END.split(piece)]
    return [sentence for piece in pieces for sentence in split(piece)]


def tokenise_sentences(text: str) -> Tokens:
    """Tokenise a text sentence by sentence: by the rule of the Penn Treebank, and characters of scripts without spaces one by one.

    >>> tokenise_sentences("He isn't here. Where is he?")
    ('He', 'is', "n't", 'here', '.', 'Where', 'is', 'he', '?')
    """
    return tuple(token for sentence in split_sentences(text) for token in _find_rule()(separate_characters(sentence)))


def split_units(lines: Sequence[str], unit: EssayUnit) -> list[str]:
    """Split the lines of an essay into units; a line is a paragraph.  An essay without text is one empty unit.

    >>> split_units(["I came. I saw.", "I left."], "sentence"), split_units(["I came. I saw.", "I left."], "document")
    (['I came.', 'I saw.', 'I left.'], ['I came. I saw. I left.'])
    """
    if unit == "document":
        return [" ".join(line.strip() for line in lines)]
    if unit == "paragraph":
        return [line.strip() for line in lines] or [""]
    return [sentence for line in lines for sentence in split_sentences(line)] or [""]
