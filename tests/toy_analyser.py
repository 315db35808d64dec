"""An analyser for tests that need no parser: every word is a noun."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest

from errata.corpus import Tokens
from errata.errant.records import Parse
from errata.errant.word_list import WordList


class ToyAnalyser:
    """Its parses depend on nothing but the words themselves."""

    name = "toy 1.0"

    def analyse(self, sentences: Sequence[Tokens]) -> Iterator[Parse]:
        for tokens in sentences:
            many = len(tokens)
            yield Parse(tokens, tokens, ("NOUN",) * many, ("NN",) * many, (0,) * many, ("dep",) * many)


def use_toy_words(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take a few words for all that are spelt correctly, instead of the list of the package errant."""
    words = WordList(frozenset({"a", "b", "cat", "sit"}), "toy")
    for module in ("word_list", "extraction"):
        monkeypatch.setattr(f"errata.errant.{module}.find_word_list", lambda: words)
