"""Tokens as in the Penn Treebank, with quotation marks as they are written."""

from __future__ import annotations

from errata.tokenisation.conll import tokenise_as_conll


def tokenise_as_treebank(text: str) -> tuple[str, ...]:
    """Split a sentence into tokens."""
    return tokenise_as_conll(text)
