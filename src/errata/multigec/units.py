"""What is scored of an essay: its sentences, its paragraphs, or the whole."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from errata.nucle.splitter import split
from errata.tokenisation.choosing import find_tokeniser

if TYPE_CHECKING:
    from collections.abc import Sequence

    from errata.corpus import Tokens
    from errata.formats.registry import EssayUnit
    from errata.tokenisation.tokeniser import Tokeniser


@cache
def _find_rule() -> Tokeniser:
    return find_tokeniser("ptb")


def tokenise_sentences(text: str) -> Tokens:
    """Tokenise a text sentence by sentence, by the rule of the Penn Treebank.

    >>> tokenise_sentences("He isn't here. Where is he?")
    ('He', 'is', "n't", 'here', '.', 'Where', 'is', 'he', '?')
    """
    return tuple(token for sentence in split(text) for token in _find_rule()(sentence, ()))


def split_units(lines: Sequence[str], unit: EssayUnit) -> list[str]:
    """Split the lines of an essay into units; a line is a paragraph.  An essay without text is one empty unit.

    >>> split_units(["I came. I saw.", "I left."], "sentence"), split_units(["I came. I saw.", "I left."], "document")
    (['I came.', 'I saw.', 'I left.'], ['I came. I saw. I left.'])
    """
    if unit == "document":
        return [" ".join(line.strip() for line in lines)]
    if unit == "paragraph":
        return [line.strip() for line in lines] or [""]
    return [sentence for line in lines for sentence in split(line)] or [""]
