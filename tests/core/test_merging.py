"""The rules of ERRANT for edits: core and twin."""

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
from thoroughness import often

CORES = pytest.mark.parametrize("core", [_core, python_core])
Columns = tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]


def columns(parse: Parse) -> Columns:
    return parse.forms, parse.pos, parse.tags


def merge(core: ModuleType, operations: list[tuple[int, int, int, int]], pair: tuple[Parse, Parse], most: int = 2_000) -> Any:
    try:
        return core.merge_by_rules(operations, *map(columns, pair), most_operations=most)
    except OverflowError as error:
        return str(error)


@given(parsed_pairs(longest=14), st.booleans(), st.integers(1, 12))
@settings(max_examples=often(300, 100))
def test_core_and_twin_agree(pair: tuple[Parse, Parse], linguistic: bool, most: int) -> None:  # noqa: FBT001
    sentences = [(parse.forms, parse.lemmas, parse.pos) for parse in pair]
    (operations,) = _core.align_parses(sentences, [(1, 0, 1)], linguistic)
    assert merge(_core, operations, pair) == merge(python_core, operations, pair)
    assert merge(_core, operations, pair, most) == merge(python_core, operations, pair, most)


@CORES
def test_letters_are_those_of_python(core: ModuleType) -> None:
    """Lower case, capitals, apostrophes and punctuation, in any script."""
    added = [(0, 0, 0, 1), (0, 1, 1, 2)]
    for source, target, together in (
        ("Été", "En été", True),
        ("été", "en Été", False),
        ("İç", "X i̇ç", True),
        ("Straße’s", "’Stra ße", False),
        ("l’a-b", "l’ ab", True),
    ):
        sides = [
            (words, tuple(map(str, range(len(words)))), ("X",) * len(words)) for words in (tuple(source.split()), tuple(target.split()))
        ]
        assert core.merge_by_rules(added, *sides) == ([(0, 1, 0, 2)] if together else added)


@CORES
def test_what_is_no_operation_or_sentence(core: ModuleType) -> None:
    fine: Columns = (("a", "b"), ("X", "X"), ("X", "X"))
    assert core.merge_by_rules([(0, 1, 0, 1), (2, 2, 1, 2)], fine, fine) == [(0, 1, 0, 1), (2, 2, 1, 2)]
    for wrong in ((1, 0, 0, 0), (0, 3, 0, 0), (0, 0, 0, 3), (0, 1, 2, 1)):
        with pytest.raises(ValueError, match="in order and inside of the sentences"):
            core.merge_by_rules([wrong], fine, fine)
    with pytest.raises(ValueError, match="in order and inside of the sentences"):
        core.merge_by_rules([(1, 2, 1, 2), (0, 1, 0, 1)], fine, fine)
    with pytest.raises(ValueError, match="the start and the end of both sides"):
        core.merge_by_rules([(0, 1, 0)], fine, fine)
    with pytest.raises(TypeError, match="the start and the end of both sides"):
        core.merge_by_rules([[0, 1, 0, 1]], fine, fine)
    with pytest.raises(ValueError, match="forms, parts of speech and tags"):
        core.merge_by_rules([], fine[:2], fine)
    with pytest.raises(TypeError, match="forms, parts of speech and tags"):
        core.merge_by_rules([], fine, list(fine))
    with pytest.raises(ValueError, match="a part of speech and a tag for each token"):
        core.merge_by_rules([], (("a",), (), ("X",)), fine)
    with pytest.raises(TypeError, match="a token must be a str"):
        core.merge_by_rules([(0, 1, 0, 1), (1, 2, 1, 2)], ((1, "b"), ("X", "X"), ("X", "X")), fine)
