"""The tokens of the CoNLL shared tasks: those of an old Treebank tokeniser.

Words are made of ASCII letters, digits and underscores here; quotation marks stay what they are, and a full stop or a comma in the
middle of a text stays with its word.
"""

from __future__ import annotations

import re

_CONTRACTIONS = (
    (re.compile(r"([^' ])('ll|'re|'ve|n't|'s|'m|'d)\b", re.IGNORECASE | re.ASCII), r"\1 \2"),
    (re.compile(r"\b(can)(not)\b", re.IGNORECASE | re.ASCII), r"\1 \2"),
    (re.compile(r"\b(D)('ye)\b", re.IGNORECASE | re.ASCII), r"\1 \2"),
    (re.compile(r"\b(Gim)(me)\b", re.IGNORECASE | re.ASCII), r"\1 \2"),
    (re.compile(r"\b(Gon)(na)\b", re.IGNORECASE | re.ASCII), r"\1 \2"),
    (re.compile(r"\b(Got)(ta)\b", re.IGNORECASE | re.ASCII), r"\1 \2"),
    (re.compile(r"\b(Lem)(me)\b", re.IGNORECASE | re.ASCII), r"\1 \2"),
    (re.compile(r"\b(Mor)('n)\b", re.IGNORECASE | re.ASCII), r"\1 \2"),
    (re.compile(r"\b(T)(is)\b", re.IGNORECASE | re.ASCII), r"\1 \2"),
    (re.compile(r"\b(T)(was)\b", re.IGNORECASE | re.ASCII), r"\1 \2"),
    (re.compile(r"\b(Wan)(na)\b", re.IGNORECASE | re.ASCII), r"\1 \2"),
    (re.compile(r"\b(Whad)(dd)(ya)\b", re.IGNORECASE | re.ASCII), r"\1 \2 \3"),
    (re.compile(r"\b(Wha)(t)(cha)\b", re.IGNORECASE | re.ASCII), r"\1 \2 \3"),
)
_SEPARATE = re.compile(r"([^\w.'\-/,&\s])", re.ASCII)
_COMMA = re.compile(r"(,\s)")
_APOSTROPHE = re.compile(r"('\s)")
_FINAL_STOP = re.compile(r"\.\s*$")


def tokenise(text: str) -> tuple[str, ...]:
    r"""The tokens of a sentence.

    >>> tokenise('He can\'t say "no," and goes.')
    ('He', 'ca', "n't", 'say', '"', 'no,', '"', 'and', 'goes', '.')
    """
    for pattern, replacement in _CONTRACTIONS:
        text = pattern.sub(replacement, text)
    text = _SEPARATE.sub(r" \1 ", text)
    text = _COMMA.sub(r" \1", text)
    text = _APOSTROPHE.sub(r" \1", text)
    text = _FINAL_STOP.sub(" .", text)
    return tuple(text.split())
