"""The tokeniser of spaCy for English, which needs no model."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from errata.errors import RequestError

if TYPE_CHECKING:
    from collections.abc import Callable

    from errata.corpus import Tokens


@cache
def load_spacy_rules() -> tuple[Callable[[str], Tokens], str]:
    """Load the tokeniser; return it with the version of spaCy."""
    try:
        import spacy
    except ImportError:
        raise RequestError("the tokeniser spacy needs spaCy: pip install 'errata[spacy]'") from None
    split = spacy.blank("en").tokenizer

    def tokenise(text: str) -> Tokens:
        return tuple(word for token in split(" ".join(text.split())) for word in token.text.split())

    return tokenise, f"spacy {spacy.__version__}"
