"""Sentences that are given in Python: what is accepted, and what is said about the rest."""

import math

import numpy as np
import pytest

from errata import Corpus, Sentence, System, UsageError, score
from errata.corpus.texts import check_sentences, same_length
from errata.errors import MismatchError

GOLD = Corpus((Sentence.of("a cat"), Sentence.of("a dog")))


def _columns() -> list[object]:
    pandas, polars, pyarrow = (pytest.importorskip(name) for name in ("pandas", "polars", "pyarrow"))
    strings, tokens = ["a cat", "a dog"], [["a", "cat"], ["a", "dog"]]
    made = (tuple, iter, np.array, pandas.Series, polars.Series, pyarrow.array, lambda values: pyarrow.chunked_array([values]))
    objects = np.empty(2, dtype=object)
    objects[0], objects[1] = (np.array(one) for one in tokens)
    return [*(make(values) for make in made for values in (strings, tokens)), objects, dict(enumerate(strings)).values()]


def test_anything_with_an_order_is_a_list_of_sentences() -> None:
    for column in _columns():
        texts = check_sentences(column, "sources")
        assert texts in (["a cat", "a dog"], [("a", "cat"), ("a", "dog")])
        assert {type(word) for text in texts for word in ([text] if isinstance(text, str) else text)} == {str}
    assert {score(GOLD, column).value for column in _columns()} == {1.0}  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ("a cat", "sources must be a list of sentences, found a single string: 'a cat'"),
        ("a" * 99, f"sources must be a list of sentences, found a single string: '{'a' * 59}…"),
        (b"a cat", "sources must be a list of sentences, found bytes: b'a cat'"),
        (None, "sources must be a list of sentences, found NoneType"),
        (5, "sources must be a list of sentences, found int: 5"),
        ({"a": 1}, "sources must be a list of sentences, found dict"),
        ({"a"}, "sources must be a list of sentences, found set"),
        (np.array("a"), "sources must be a list of sentences, found ndarray"),
        (["a", None], "sources, sentence 2: a sentence must be a string or a sequence of strings, found NoneType"),
        (["a", math.nan], "sources, sentence 2: a sentence must be a string or a sequence of strings, found float: nan"),
        ([b"a"], "sources, sentence 1: a sentence must be a string or a sequence of strings, found bytes: b'a'"),
        ([{"a": 1}], "sources, sentence 1: a sentence must be a string or a sequence of strings, found dict"),
        ([["a", 3]], "sources, sentence 1: a sentence must be a string or a sequence of strings, found an item of type int: 3"),
        ([["a", ["b"]]], "sources, sentence 1: a sentence must be a string or a sequence of strings, found an item of type list"),
        (np.zeros((2, 2)), "sources, sentence 1: .* found an item of type float: 0.0"),
    ],
)
def test_what_is_no_list_of_sentences_is_told(values: object, message: str) -> None:
    with pytest.raises(UsageError, match=f"^{message}$"):
        check_sentences(values, "sources")


def test_a_table_is_no_list_of_sentences() -> None:
    pandas, polars, pyarrow = (pytest.importorskip(name) for name in ("pandas", "polars", "pyarrow"))
    for make in (pandas.DataFrame, polars.DataFrame, pyarrow.table):
        with pytest.raises(UsageError, match=r"hypotheses .* found a table \((DataFrame|Table)\); choose one of its columns"):
            score(GOLD, make({"text": ["a cat", "a dog"]}))


def test_missing_values_of_columns_are_named() -> None:
    pandas, polars, pyarrow = (pytest.importorskip(name) for name in ("pandas", "polars", "pyarrow"))
    for make in (pandas.Series, polars.Series, pyarrow.array):
        with pytest.raises(UsageError, match="hypotheses, sentence 2: a sentence must be a string"):
            score(GOLD, make(["a cat", None]))


def test_a_system_names_its_bad_sentence() -> None:
    with pytest.raises(UsageError, match=r"the sentences of a system, sentence 2: .* found NoneType"):
        System.of("mine", ["a", None])  # type: ignore[list-item]


def test_lengths_are_named() -> None:
    same_length(sources=["a"], predictions=["b"], references=["c"])
    with pytest.raises(MismatchError, match="sources and references must have the same length, found 1 and 2"):
        same_length(sources=["a"], predictions=["b"], references=["c", "d"])
