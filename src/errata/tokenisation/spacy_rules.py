"""The tokeniser of spaCy for English, which needs no model."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from errata.errors import RequestError

if TYPE_CHECKING:
    from collections.abc import Callable

    from errata.texts import Tokens


@cache
def load_spacy_rules() -> tuple[Callable[[str], Tokens], str]:
    """Load the tokeniser; return it with the version of spaCy."""
    try:
        import spacy
    except ImportError:
        raise RequestError("the tokeniser spacy needs spaCy: pip install 'errata[spacy]'") from None
    split = spacy.blank("en").tokenizer
    return lambda word: tuple(token.text for token in split(word)), spacy.__version__
