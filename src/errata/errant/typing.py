"""The types of ERRANT as a type system."""

from __future__ import annotations

from typing import TYPE_CHECKING

from errata.corpus.parses import describe_analysis
from errata.errant.bank import ParseBank, default_bank
from errata.errant.extraction import Extractor
from errata.errant.word_list import find_word_list
from errata.names import explain_errant_type, list_types

if TYPE_CHECKING:
    from collections.abc import Sequence

    from errata.corpus.parses import Span
    from errata.corpus.texts import Tokens


class ErrantTypes:
    """Gives edits types by the rules of ERRANT, which are about English."""

    language = "en"

    def __init__(self, bank: ParseBank) -> None:
        words = find_word_list()
        self._extractor = Extractor(bank, words=words)
        self.name = f"errant by {describe_analysis(bank.name, words)}"

    @property
    def meanings(self) -> dict[str, str]:
        """All types of ERRANT."""
        return {name: explain_errant_type(name) for name in list_types()}

    def types(self, pairs: Sequence[tuple[Tokens, Tokens]], spans: Sequence[Sequence[Span]]) -> list[tuple[str, ...]]:
        """Give edits their types; only pairs with edits are parsed."""
        return self._extractor.types(pairs, spans)


def make_errant(what: str) -> ErrantTypes:
    """Make the types with an analyser, by default spaCy."""
    return ErrantTypes(ParseBank(what) if what else default_bank())
