"""Rules that tokenise a text without a source, by name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from errata.tokenisation.conll import tokenise_as_conll

if TYPE_CHECKING:
    from collections.abc import Callable

    from errata.corpus import Tokens


def load_rule(name: str) -> tuple[Callable[[str], Tokens], str]:
    """Return a rule and its name in signatures, which has the version of the package that it needs."""
    if name == "conll":
        return tokenise_as_conll, name
    if name == "ptb":
        from errata.tokenisation.treebank import tokenise_as_treebank

        return tokenise_as_treebank, name
    if name == "spacy":
        from errata.tokenisation.spacy_rules import load_spacy_rules

        return load_spacy_rules()
    return lambda text: tuple(text.split()), name
