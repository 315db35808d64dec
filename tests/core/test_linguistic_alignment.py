"""The alignment of ERRANT: core, twin and the rule read literally."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from errata import _core
from errata.core import python as python_core
from errata.corpus.parses import Parse

from errant_strategies import parsed_pairs
from linguistic_alignment_rule import list_operations, longest_common
from thoroughness import often

CORES = pytest.mark.parametrize("core", [_core, python_core])
Columns = tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]


def columns(*parses: Parse) -> list[Columns]:
    return [(parse.forms, parse.lemmas, parse.pos) for parse in parses]


def of_words(*texts: str) -> list[Columns]:
    """Sentences whose words are their lemmas, all of one part of speech."""
    return [(words, words, ("X",) * len(words)) for words in (tuple(text.split()) for text in texts)]


def align(core: ModuleType, source: str, target: str) -> Any:
    return core.align_parses(of_words(source, target), [(1, 0, 1)], True)[0]


@pytest.mark.slow
@given(parsed_pairs(), st.booleans())
@settings(max_examples=often(300, 100))
def test_the_rule_read_literally(pair: tuple[Parse, Parse], linguistic: bool) -> None:  # noqa: FBT001
    expected = [operation[1:] for operation in list_operations(*pair, linguistic=linguistic) if operation[0] != "M"]
    for core in (_core, python_core):
        assert core.align_parses(columns(*pair), [(1, 0, 1)], linguistic) == [expected]


@pytest.mark.slow
@given(st.lists(parsed_pairs(longest=25), min_size=1, max_size=4), st.booleans())
@settings(max_examples=often(100, 30))
def test_core_and_twin_agree_on_many_pairs(pairs: list[tuple[Parse, Parse]], linguistic: bool) -> None:  # noqa: FBT001
    sentences = columns(*(parse for pair in pairs for parse in pair))
    triples = [(number, one, other) for number, one in enumerate(range(len(sentences))) for other in range(len(sentences))]
    assert _core.align_parses(sentences, triples, linguistic) == python_core.align_parses(sentences, triples, linguistic)


@CORES
@pytest.mark.parametrize(
    ("source", "target", "expected"),
    [
        ("", "", []),
        ("a b", "a b", []),
        ("a a b", "a b", [(0, 1, 0, 0)]),
        ("a b c", "b a c", [(0, 2, 0, 2)]),
        ("a b c", "c a b", [(0, 3, 0, 3)]),
        ("A b c", "b a C", [(0, 2, 0, 2), (2, 3, 2, 3)]),
        ("The cat", "cat", [(0, 1, 0, 0)]),
        ("a b", "", [(0, 1, 0, 0), (1, 2, 0, 0)]),
        ("", "a b", [(0, 0, 0, 1), (0, 0, 1, 2)]),
        ("cat", "cats", [(0, 1, 0, 1)]),
    ],
)
def test_small_cases(core: ModuleType, source: str, target: str, expected: list[tuple[int, ...]]) -> None:
    assert align(core, source, target) == expected


@CORES
def test_lower_case_is_that_of_python(core: ModuleType) -> None:
    """Words that are equal in lower case cost nothing; the alternative is dearer whatever its characters."""
    assert align(core, "Straße x", "STRASSE x") == [(0, 1, 0, 1)]
    assert align(core, "ÉTÉ y", "y été") == [(0, 2, 0, 2)]


@given(st.text("abcA", max_size=7), st.text("abcA", max_size=7))
@settings(max_examples=often(200, 70))
def test_common_characters(one: str, other: str) -> None:
    for core in (_core, python_core):
        assert core.count_common_characters(one, other) == longest_common(one, other)


@given(st.text("abß", max_size=200), st.text("abß", max_size=200))
@settings(max_examples=often(200, 70))
def test_common_characters_of_long_words(one: str, other: str) -> None:
    expected = python_core.count_common_characters(one, other)
    assert _core.count_common_characters(one, other) == expected == _core.count_common_characters(other, one)


def test_a_word_is_prepared_again_after_a_long_one() -> None:
    words = ["ab" * 50, "ba", "ab" * 33, "b" * 64, "a" * 65, "aab"]
    alone: list[Columns] = [((one,), (str(index),), ("X",)) for index, one in enumerate(words)]
    sentences = [*alone, (tuple(words), tuple(words), ("X",) * 6), (tuple(words[::-1]), tuple(words), ("Y",) * 6)]
    triples = [(1, one, other) for one in range(len(sentences)) for other in range(len(sentences))]
    assert _core.align_parses(sentences, triples, True) == python_core.align_parses(sentences, triples, True)


@CORES
def test_what_is_no_sentence_or_pair(core: ModuleType) -> None:
    fine = of_words("a", "b")
    with pytest.raises(ValueError, match="a lemma and a part of speech for each token"):
        core.align_parses([(("a",), (), ("X",))], [], True)
    with pytest.raises(ValueError, match="forms, lemmas and parts of speech"):
        core.align_parses([(("a",), ("a",))], [], False)
    with pytest.raises(TypeError, match="a token must be a str"):
        core.align_parses([((1,), ("a",), ("X",))], [], True)
    with pytest.raises(TypeError, match="a sentence must be a tuple"):
        core.align_parses([(["a"], ("a",), ("X",))], [], True)
    with pytest.raises(IndexError, match="the indices of two sentences"):
        core.align_parses(fine, [(1, 0, 2)], True)
    with pytest.raises(IndexError, match="the indices of two sentences"):
        core.align_parses(fine, [(1, -1, 0)], True)
    with pytest.raises(ValueError, match="a number and the indices"):
        core.align_parses(fine, [(0, 1)], True)
    with pytest.raises(TypeError, match="a number and the indices"):
        core.align_parses(fine, [[1, 0, 1]], True)
    with pytest.raises(TypeError, match="a word must be a str"):
        core.count_common_characters("a", 1)


@CORES
def test_levenshtein_needs_forms_only(core: ModuleType) -> None:
    assert core.align_parses([(("a", "b"), (), ()), (("A", "b"), (), ())], [(1, 0, 1)], False) == [[(0, 1, 0, 1)]]


@CORES
def test_long_sentences_are_refused_with_their_number(core: ModuleType) -> None:
    sentences = of_words("a b c d x", "e f g x", "a", "b")
    pairs = [(3, 2, 3), (17, 0, 1)]
    assert len(core.align_parses(sentences, pairs, True, most_cells=20)[1]) == 4
    with pytest.raises(OverflowError, match=r"^sentence 17 cannot be aligned: .* too long to be aligned in a gigabyte of memory; cut"):
        core.align_parses(sentences, pairs, True, most_cells=19)
    assert len(core.align_parses(sentences, pairs, True, most_steps=12)[1]) == 4
    with pytest.raises(OverflowError, match=r"^sentence 17 cannot be aligned: .* too long to be aligned in seconds; cut the sentence"):
        core.align_parses(sentences, pairs, True, most_steps=11)
    with pytest.raises(OverflowError, match="the words are too long"):
        core.count_common_characters("ab", "cd", most_steps=1)


@CORES
def test_looking_back_for_transpositions_is_counted(core: ModuleType) -> None:
    """Words that occur in both texts, but never together."""
    sentences = of_words("a " * 30 + "b", "b " * 30 + "a")
    characters = 31 * 31
    with pytest.raises(OverflowError, match="in seconds"):
        core.align_parses(sentences, [(1, 0, 1)], True, most_steps=characters + 1000)
    assert core.align_parses(sentences, [(1, 0, 1)], True, most_steps=characters + 40_000)


@CORES
def test_transpositions_that_have_no_number(core: ModuleType) -> None:
    """No limit of cells makes room for more tokens in one operation."""
    words = " ".join(["a"] * 32_768)
    with pytest.raises(OverflowError, match="in a gigabyte"):
        core.align_parses(of_words(words, words + " b"), [(1, 0, 1)], True, most_cells=1 << 62)
