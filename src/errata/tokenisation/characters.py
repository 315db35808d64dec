"""Texts cut into characters, as gold whose tokens are characters: Chinese and Japanese in most corpora.

A character is a code point, as in the tools that write such gold; a combining mark is a token of its own, unless texts are normalised
(NFC).  What the gold keeps whole stays whole: tokens of the source with several characters where the output has them, and words and
numbers of ASCII if the gold has them as tokens more often than as single letters.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from errata.tokenisation.tokeniser import Tokeniser

if TYPE_CHECKING:
    from collections.abc import Sequence

    from errata.texts import Tokens

CHARACTERS = "characters"
"""The name of the tokeniser."""
_WORD, _NUMBER = re.compile("[A-Za-z]+"), re.compile("[0-9]+")
_MOST_KEPT = 1 << 14
"""Sources whose longer tokens are remembered."""


def make_characters(sources: Sequence[Tokens]) -> Tokeniser:
    """Make the tokeniser of a gold with these sources.

    >>> tokenise = make_characters([("我", "有", "GPS", "2", "0", "个", "。")])
    >>> tokenise.name, tokenise("我有3个GPS。他有[UNK]。", ("他", "有", "[UNK]", "。"))
    ('characters+words', ('我', '有', '3', '个', 'GPS', '。', '他', '有', '[UNK]', '。'))
    """
    words, numbers = (_keeps_whole(sources, run) for run in (_WORD, _NUMBER))
    wholes = [run.pattern for run, whole in ((_WORD, words), (_NUMBER, numbers)) if whole]
    name = "+".join([CHARACTERS, *(["words"] if words else []), *(["numbers"] if numbers else [])])
    known: dict[Tokens, re.Pattern[str]] = {}

    def tokenise(text: str, source: Tokens) -> Tokens:
        longer = tuple(sorted({token for token in source if len(token) > 1}, key=lambda token: (-len(token), token)))
        pattern = known.get(longer)
        if pattern is None:
            if len(known) >= _MOST_KEPT:
                known.clear()
            pattern = known[longer] = re.compile("|".join([*map(_whole, longer), *wholes, r"\S"]))
        return tuple(pattern.findall(text))

    return Tokeniser(name, tokenise)


def _whole(token: str) -> str:
    """Write a pattern of a token that is not a part of a longer word or number."""
    before = r"(?<![A-Za-z0-9])" if token[0].isascii() and token[0].isalnum() else ""
    after = r"(?![A-Za-z0-9])" if token[-1].isascii() and token[-1].isalnum() else ""
    return f"{before}{re.escape(token)}{after}"


def _keeps_whole(sources: Sequence[Tokens], run: re.Pattern[str]) -> bool:
    """Whether runs of letters or digits are tokens more often than they are cut."""
    whole = cut = 0
    for tokens in sources:
        previous = False
        for token in tokens:
            own = run.fullmatch(token) is not None
            whole += own and len(token) > 1
            cut += own and previous and len(token) == 1
            previous = own and len(token) == 1
    return whole > cut
