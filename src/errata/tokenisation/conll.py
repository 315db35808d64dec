"""The tokeniser of the CoNLL shared tasks: an old Treebank tokeniser.

Words consist of ASCII letters, digits and underscores; quotation marks are unchanged, and a full stop or a comma inside a text stays
with its word.
"""

from __future__ import annotations

import re

_CLITIC = re.compile(r"([^' ])('ll|'re|'ve|n't|'s|'m|'d)\b", re.IGNORECASE | re.ASCII)
_TOGETHER = ("can|not", "D|'ye", "Gim|me", "Gon|na", "Got|ta", "Lem|me", "Mor|'n", "T|is", "T|was", "Wan|na", "Whad|dd|ya", "Wha|t|cha")
"""Contracted words, with their parts."""
_WORDS = [(re.compile(rf"\b{''.join(f'({part})' for part in word.split('|'))}\b", re.IGNORECASE | re.ASCII), word) for word in _TOGETHER]
_CONTRACTIONS = [(_CLITIC, r"\1 \2")] + [
    (pattern, " ".join(rf"\{number}" for number in range(1, word.count("|") + 2))) for pattern, word in _WORDS
]
_SEPARATE = re.compile(r"([^\w.'\-/,&\s])", re.ASCII)
_COMMA = re.compile(r"(,\s)")
_APOSTROPHE = re.compile(r"('\s)")
_FINAL_STOP = re.compile(r"\.\s*$")


def tokenise_as_conll(text: str) -> tuple[str, ...]:
    r"""Split a sentence into tokens.

    >>> tokenise_as_conll('He can\'t say "no," and goes.')
    ('He', 'ca', "n't", 'say', '"', 'no', ',', '"', 'and', 'goes', '.')
    """
    for pattern, replacement in _CONTRACTIONS:
        text = pattern.sub(replacement, text)
    text = _SEPARATE.sub(r" \1 ", text)
    text = _COMMA.sub(r" \1", text)
    text = _APOSTROPHE.sub(r" \1", text)
    text = _FINAL_STOP.sub(" .", text)
    return tuple(text.split())
