"""Systems whose texts are tokenised as their gold."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from errata.corpus import WHITESPACE_TOKENS
from errata.errors import FormatError, InputError, UsageError

if TYPE_CHECKING:
    from errata.corpus import Corpus, System
    from errata.tokenisation.tokeniser import Tokeniser


def tokenise_system(system: System, gold: Corpus, tokenise: Tokeniser, max_tokens: int | None = None) -> System:
    """Tokenise the texts of a system that fits its gold; one with edits of its own has the tokens of the gold already.

    >>> from errata.corpus import Corpus, Sentence, System
    >>> from errata.tokenisation import find_tokeniser
    >>> gold = Corpus((Sentence.of("I does n't know ."),))
    >>> tokenise_system(System.of("mine", ["I don't know."]), gold, find_tokeniser("source:conll")).sentences[0]
    ('I', 'do', "n't", 'know', '.')
    """
    if system.edits is not None or tokenise.name in {WHITESPACE_TOKENS, system.tokenisation}:
        return system
    if system.tokenisation != WHITESPACE_TOKENS:
        raise UsageError(f"{system.path or system.name} is tokenised by {system.tokenisation} already, so not by {tokenise.name}")
    made = []
    for number, tokens, sentence in zip(gold.numbers, system.sentences, gold, strict=True):
        new = tokenise(" ".join(tokens), sentence.tokens)
        if max_tokens is not None and len(new) > max_tokens:
            found = f"{len(new):,} tokens in a line by {tokenise.name}, more than the limit of {max_tokens:,}"
            if system.path:
                raise FormatError(system.path, number, found)
            raise InputError(f"{system.name}: sentence {number:,}: {found}")
        made.append(new)
    return replace(system, sentences=tuple(made), tokenisation=tokenise.name)
