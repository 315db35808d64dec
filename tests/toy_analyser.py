"""An analyser for tests that need no parser: every word is a noun."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest

from errata.corpus.parses import Parse
from errata.corpus.texts import Tokens
from errata.language import errant, types
from errata.language.types import WordList


class ToyAnalyser:
    """Its parses depend on nothing but the words themselves."""

    name = "toy 1.0"

    def analyse(self, sentences: Sequence[Tokens]) -> Iterator[Parse]:
        for tokens in sentences:
            many = len(tokens)
            yield Parse(tokens, tokens, ("NOUN",) * many, ("NN",) * many, (0,) * many, ("dep",) * many)


TOY_WORDS = frozenset({"a", "b", "cat", "sit"})


def use_toy_words(monkeypatch: pytest.MonkeyPatch, words: frozenset[str] = TOY_WORDS) -> None:
    """Take a few words for all that are spelt correctly, instead of the list of the package errant.

    The modules that use the list are imported above: one that is first imported now would keep the few words for other tests.
    """
    toy = WordList(words, "toy")
    for module in (types, errant, errant):
        monkeypatch.setattr(module, "find_word_list", lambda: toy)
