"""What tokenises outputs."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

    from errata.texts import Tokens


class Tokeniser(NamedTuple):
    """Makes tokens of the text of an output and the tokens of its source; called as a function."""

    name: str
    """What a signature says, with all that can change the tokens."""
    tokenise: Callable[[str, Tokens], Tokens]

    def __call__(self, text: str, source: Tokens) -> Tokens:
        """Tokenise the output for a source."""
        return self.tokenise(text, source)
