"""Items: which edits can be one, and how a corrected sentence becomes one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from errata import Corpus, Edit, RequestError, Sentence, System
from errata_event.answers.items import ItemEdit, make_edits, read_edits, spans_overlap, write_edits
from errata_event.answers.proposals import (
    _LONGEST_CORRECTION,
    _MOST_EDITS,
    _changes_gold,
    _check_edits,
    _compare_sentence,
    _find_item_edits,
)

from strategies import hypotheses, sentences, tokens

TOKENS = ("She", "like", "the", "cakes", ".")
LONELY = 3
"""``At first I feeled very lonely because I did n't know nobody there .``: one gold changes nobody, the other the end."""


def find(gold: Corpus, number: int, text: str) -> list[tuple[int, int, str]]:
    return [(*edit,) for edit in _find_item_edits(gold[number - 1], tuple(text.split()))]


def test_equal_edits_are_equal_texts_whatever_their_order() -> None:
    one = make_edits([(3, 4, "x y"), (1, 2, "likes"), (1, 2, "likes")])
    assert one == (ItemEdit(1, 2, "likes"), ItemEdit(3, 4, "x y"))
    assert write_edits(one) == write_edits(make_edits([(1, 2, "likes"), (3, 4, "x y")])) == '[[1,2,"likes"],[3,4,"x y"]]'


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9), st.text()), max_size=4))
def test_edits_are_read_as_they_were_written(edits: list[tuple[int, int, str]]) -> None:
    made = make_edits(edits)
    assert read_edits(write_edits(made)) == made


@pytest.mark.parametrize(
    ("edits", "message"),
    [
        ([], "nothing is proposed"),
        ([(4, 6, "x")], "lies outside the sentence, which has 5 tokens"),
        ([(-1, 1, "x")], "lies outside"),
        ([(3, 2, "x")], "lies outside"),
        ([(1, 3, "x"), (2, 4, "y")], "of 1 to 3 and of 2 to 4 overlap"),
        ([(1, 1, "x"), (1, 1, "y")], "of 1 to 1 and of 1 to 1 overlap"),
        ([(1, 2, "a  b")], "single spaces"),
        ([(1, 2, " a")], "single spaces"),
        ([(1, 2, "a\u00a0b")], "single spaces"),
        ([(1, 2, "a\u200bb")], "no control characters"),
        ([(1, 2, "a\x07")], "no control characters"),
        ([(1, 2, "\ud800")], "no control characters"),
        ([(1, 2, "a\0")], "no control characters"),
        ([(1, 2, "a||b")], "cannot contain ||"),
        ([(1, 2, "a|")], "end in |"),
        ([(1, 2, "-NONE-")], "or be -NONE-"),
        ([(1, 2, "x" * (_LONGEST_CORRECTION + 1))], "at most 2,000 characters, found 2,001"),
        ([(0, 0, "x")] * 2 + [(number, number + 1, "x") for number in range(_MOST_EDITS)], "at most 200 edits, found 201"),
    ],
)
def test_what_cannot_be_an_item_is_refused(edits: list[tuple[int, int, str]], message: str) -> None:
    with pytest.raises(RequestError, match=message.replace("|", r"\|")):
        _check_edits(TOKENS, make_edits(edits))


@pytest.mark.parametrize("edits", [[(1, 2, "likes")], [(5, 5, "!")], [(2, 3, "")], [(1, 2, "like")], [(2, 2, "x"), (2, 3, "y")]])
def test_what_can_be_an_item_is_not(edits: list[tuple[int, int, str]]) -> None:
    _check_edits(TOKENS, make_edits(edits))


def test_what_the_source_has_may_be_left_as_it_is_whatever_it_is() -> None:
    _check_edits(("a\u200bb",), make_edits([(0, 1, "a\u200bb")]))


def test_edits_overlap_as_those_of_the_gold_do_and_two_insertions_at_one_place_too() -> None:
    spans = [(start, end) for start in range(4) for end in range(start, 4)]
    for one in spans:
        for other in spans:
            same_place = one == other and one[0] == one[1]
            assert spans_overlap(*one, *other) == (Edit(*one, ("",)).overlaps(Edit(*other, ("",))) or same_place), (one, other)


def test_a_corrected_sentence_is_compared_with_the_nearest_annotation(gold: Corpus) -> None:
    # annotation 1 has "knew nobody" too, so only "lonesome" is proposed
    text = "At first I felt very lonesome because I knew nobody there ."
    assert _compare_sentence(gold[LONELY - 1], tuple(text.split()))[0] == 1
    assert find(gold, LONELY, text) == [(5, 6, "lonesome")]


def test_gold_edits_that_a_sentence_does_not_make_are_left_out(gold: Corpus) -> None:
    assert find(gold, LONELY, "At first I feeled very lonely because I did n't know anyone there .") == [(3, 4, "feeled")]
    # of a gold insertion, nothing is inserted
    text = "Our new flat is in centre of the city , near the university ."
    assert find(gold, 4, text) == [(5, 5, "")]


def test_a_wrong_edit_stands_for_what_it_overlaps(gold: Corpus) -> None:
    text = "At first I was very lonely because I did n't know anybody there ."
    assert find(gold, LONELY, text) == [(3, 4, "was")]


def test_a_sentence_that_the_gold_accepts_is_no_proposal(gold: Corpus) -> None:
    assert find(gold, LONELY, "At first I felt very lonely because I did n't know anyone there .") == []
    assert find(gold, 2, gold[1].text) == []
    # annotation 0 corrects it, annotation 1 finds nothing wrong
    assert find(gold, 8, gold[7].text) == []


def test_a_right_insertion_at_the_same_place_becomes_a_part_of_a_wrong_one() -> None:
    sentence = Sentence.of("in city .", [Edit(1, 1, ("the",))])
    assert _find_item_edits(sentence, ("in", "the", "old", "city", ".")) == (ItemEdit(1, 1, "the old"),)


def test_a_gold_edit_that_changes_nothing_is_nothing_to_leave_out() -> None:
    # the files of 2013 have such edits, which no output can match
    sentence = Sentence.of("in city .", [Edit(1, 1, ("",)), Edit(0, 1, ("In",))])
    assert _find_item_edits(sentence, ("In", "city", ".")) == ()
    assert _find_item_edits(sentence, ("In", "town", ".")) == (ItemEdit(1, 2, "town"),)


@given(sentences(), st.data())
def test_what_a_corrected_sentence_becomes_can_be_judged(sentence: Sentence, data: st.DataObject) -> None:
    corrected = data.draw(hypotheses(sentence.tokens))
    edits = _find_item_edits(sentence, corrected)
    if edits:
        _check_edits(sentence.tokens, edits)


@given(tokens, st.data())
def test_a_sentence_without_gold_becomes_the_edits_that_make_it(source: tuple[str, ...], data: st.DataObject) -> None:
    corrected = data.draw(hypotheses(source))
    sentence = Sentence(source)
    edits = _find_item_edits(sentence, corrected)
    assert bool(edits) == (corrected != source)
    gold = Sentence.of(source, [Edit(edit.start, edit.end, (edit.correction,)) for edit in edits])
    assert gold.corrected(gold.annotations[0]) == corrected
    assert not edits or _changes_gold(sentence, edits)


def test_every_sentence_of_the_example_systems_is_accepted_or_changes_the_gold(gold: Corpus, systems: dict[str, System]) -> None:
    for system in systems.values():
        for sentence, corrected in zip(gold, system.sentences, strict=True):
            edits = _find_item_edits(sentence, corrected)
            assert not edits or _changes_gold(sentence, edits)
