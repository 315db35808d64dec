"""Edits of many pairs of texts."""

from __future__ import annotations

import pickle
from collections.abc import Sequence
from functools import partial

import pytest

from errata import Edit
from errata.core import merge_by_rules
from errata.corpus.texts import Tokens
from errata.errors import RequestError, UsageError
from errata.language import Extractor, Parse, Span
from errata.language import errant as extraction_module
from errata.language import errant as merging_module

NOUNS = {"cat", "cats", "dog"}


class SmallBank:
    """Parses of a few words, and what was asked for."""

    def __init__(self) -> None:
        self.asked: list[Tokens] = []

    def find(self, sentences: Sequence[Tokens]) -> list[Parse]:
        self.asked += sentences
        return [self.parse(tokens) for tokens in sentences]

    @staticmethod
    def parse(tokens: Tokens) -> Parse:
        tags = tuple("NNS" if word == "cats" else "NN" if word in NOUNS else "DT" for word in tokens)
        pos = tuple("NOUN" if word in NOUNS else "DET" for word in tokens)
        return Parse(tokens, tuple(word.removesuffix("s") for word in tokens), pos, tags, (0,) * len(tokens), ("x",) * len(tokens))


def of(source: str, target: str) -> tuple[Tokens, Tokens]:
    return tuple(source.split()), tuple(target.split())


PAIRS = [of("a cat", "a cat"), of("a cat", "the cats"), of("a cat", "cat"), of("a cat", "the cats"), of("", "dog")]


def test_edits_have_types_and_corrections() -> None:
    edits = Extractor(SmallBank(), words=NOUNS | {"a", "the"}).edits(PAIRS)
    replaced = (Edit(0, 1, ("the",), "R:DET"), Edit(1, 2, ("cats",), "R:NOUN:NUM"))
    assert edits == [(), replaced, (Edit(0, 1, ("",), "U:DET"),), replaced, (Edit(0, 0, ("dog",), "M:NOUN"),)]


def test_only_what_differs_is_parsed_and_each_text_once() -> None:
    bank = SmallBank()
    Extractor(bank, words=NOUNS).edits(PAIRS)
    assert bank.asked == [("a", "cat"), ("the", "cats"), ("cat",), (), ("dog",)]
    bank.asked.clear()
    assert Extractor(bank).spans(PAIRS[:1]) == [[]]
    assert Extractor(bank).edits(PAIRS[:1]) == [()]
    assert bank.asked == []


def test_spans_need_no_words_and_types_are_those_of_given_spans() -> None:
    bank = SmallBank()
    spans = Extractor(bank).spans(PAIRS)
    assert spans == [[], [Span(0, 1, 0, 1), Span(1, 2, 1, 2)], [Span(0, 1, 0, 0)], [Span(0, 1, 0, 1), Span(1, 2, 1, 2)], [Span(0, 0, 0, 1)]]
    extractor = Extractor(bank, words=NOUNS | {"a", "the"})
    assert extractor.types(PAIRS, spans) == [(), ("R:DET", "R:NOUN:NUM"), ("U:DET",), ("R:DET", "R:NOUN:NUM"), ("M:NOUN",)]
    assert extractor.types(PAIRS[:2], [[Span(0, 1, 0, 1)], [Span(0, 2, 0, 2)]]) == [("UNK",), ("R:OTHER",)]


def test_levenshtein_without_the_rules_needs_no_parses() -> None:
    extractor = Extractor(None, "lev", "all-merge")
    assert extractor.spans([of("a b c", "x y c")]) == [[Span(0, 2, 0, 2)]]
    with pytest.raises(UsageError, match="types of edits need parses"):
        extractor.edits([of("a", "b")])
    with pytest.raises(UsageError, match="alignment=linguistic and merge=rules need parses"):
        Extractor(None, "lev")
    with pytest.raises(UsageError, match="alignment=linguistic and merge=rules need parses"):
        Extractor(None, "linguistic", "all-split")


def test_a_sentence_that_is_too_long_is_refused_with_its_number(monkeypatch: pytest.MonkeyPatch) -> None:
    long = of("a " * 40, "b " * 40)
    monkeypatch.setattr(merging_module, "merge_by_rules", partial(merge_by_rules, most_operations=30))
    with pytest.raises(RequestError, match=r"^sentence 3 cannot be aligned: 40 operations in a row"):
        Extractor(SmallBank()).spans([*PAIRS[:2], long, long])

    def refuse(*_: object) -> None:
        raise OverflowError("sentence 3 cannot be aligned: it is too long")

    monkeypatch.setattr(extraction_module, "_align_sentences", refuse)
    with pytest.raises(RequestError, match=r"^sentence 3 cannot be aligned: it is too long$"):
        Extractor(SmallBank()).spans([*PAIRS[:2], long])


def test_an_extractor_can_be_pickled() -> None:
    extractor = pickle.loads(pickle.dumps(Extractor(None, "lev", "all-split")))
    assert extractor.spans([of("a b", "b")]) == [[Span(0, 1, 0, 0)]]
