"""Tokens as in the Penn Treebank, for texts of one sentence or more; quotation marks stay as they are written.

Nothing is dropped or replaced: a token is a part of the text.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from errata.tokenisation.stops import is_abbreviation, split_stops

if TYPE_CHECKING:
    from collections.abc import Callable

_SEPARATE = [
    re.compile(pattern)
    for pattern in (
        r"(?<!\.)(\.{3,})",  # an ellipsis
        r"([,:])(?![0-9])|(?<![0-9])([,:])",  # but not those of 1,000 and 10:30
        r"([;@#$%&?!()\[\]{}<>\"“”„«»…])",
        r"(``|''|--+|[–—]+)",
        r"(?<![^\s(\[{<\"“«—])(['‘’`])(?=\w)(?!(?i:s|m|d|ll|re|ve|t|tis|twas|em|cause)\b)",  # an opening quotation mark
        r"(?<=[\w.!?,])(['’])(?!\w)",  # a closing one, or the end of a genitive
    )
]
_CLITIC = re.compile(r"(?<=\w)(?=(?:['’](?:s|m|d|ll|re|ve)|n['’]t)\b)", re.IGNORECASE)
_TOGETHER = ("can|not", "d|'ye", "gim|me", "gon|na", "got|ta", "lem|me", "more|'n", "wan|na", "'t|is", "'t|was")
"""Words that are written together, with their parts."""
WORDS_TOGETHER = {word.replace("|", ""): word.index("|") for word in _TOGETHER}
"""Where they are split."""
_WORDS = re.compile(rf"(?<![\w'’])(?:{'|'.join(map(re.escape, WORDS_TOGETHER))})(?!\w)", re.IGNORECASE)


def split_as_treebank(word: str, *, ends: bool, is_kept: Callable[[str], bool] = is_abbreviation) -> tuple[str, ...]:
    """Split what stands between white space; ``ends`` says that a text ends here.

    >>> split_as_treebank("(didn't),", ends=False), split_as_treebank("etc.", ends=True)
    (('(', 'did', "n't", ')', ','), ('etc', '.'))
    """
    for pattern in _SEPARATE:
        word = pattern.sub(r" \g<0> ", word)
    word = _CLITIC.sub(" ", word)
    return split_stops(_WORDS.sub(_part, word).split(), ends=ends, is_kept=is_kept)


def _part(match: re.Match[str]) -> str:
    word = match[0]
    border = WORDS_TOGETHER[word.lower()]
    return f"{word[:border]} {word[border:]}"
