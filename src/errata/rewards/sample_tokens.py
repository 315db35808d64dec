"""How sources, references and outputs become texts whose tokens are separated by white space."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from errata.corpus.corpus import WHITESPACE_TOKENS
from errata.corpus.tokenisation import SOURCE, check_tokeniser, find_tokeniser
from errata.rewards.prepared_gold import PreparedGold

if TYPE_CHECKING:
    from collections.abc import Sequence

    from errata.corpus.tokenisation import Tokeniser
    from errata.rewards.prepared_gold import GoldTexts


class SampleTokens:
    """A tokeniser of samples, by its name.  References and outputs are tokenised with their source.

    ``source`` takes the source as it is, with white space between tokens; other tokenisers tokenise it too.

    >>> gold = SampleTokens("ptb").prepare(("I likes cake.", ("I like cake.",)))
    >>> gold.source, gold.references
    ('I likes cake .', ('I like cake .',))
    """

    def __init__(self, name: str) -> None:
        self.name = check_tokeniser(name)

    @cached_property
    def tokeniser(self) -> Tokeniser:
        """The tokeniser, which is loaded when it is needed."""
        return find_tokeniser(self.name)

    def prepare(self, gold: GoldTexts) -> PreparedGold:
        """Tokenise a source and its references."""
        source, references = gold
        if self.name == WHITESPACE_TOKENS:
            return PreparedGold(source, references)
        if not self.name.startswith(SOURCE):
            source = " ".join(self.tokeniser(source, ()))
        prepared = PreparedGold(source, ())
        return PreparedGold(source, tuple(self.tokenise([prepared] * len(references), references)))

    def tokenise(self, golds: Sequence[PreparedGold], texts: Sequence[str]) -> list[str]:
        """Tokenise outputs, each with its source."""
        if self.name == WHITESPACE_TOKENS:
            return list(texts)
        tokenise = self.tokeniser
        return [" ".join(tokenise(text, gold.tokens)) for gold, text in zip(golds, texts, strict=True)]

    def __reduce__(self) -> tuple[type[SampleTokens], tuple[str]]:
        return type(self), (self.name,)
