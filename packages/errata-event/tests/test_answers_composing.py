"""Accepted items become annotations."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from errata import Annotation, Corpus, Edit, Sentence, System, score
from errata.language.tagging import find_tagger
from errata.scoring import Evaluator
from errata.scoring.edits import list_chosen_edits
from errata_event.answers.golds import _MOST_CHOICES, _AnswerTypes, _compose, _list_choices, _PlacedEdit
from errata_event.answers.items import ItemEdit, ItemEdits, apply_item, list_annotations, make_edits, spans_overlap
from errata_event.answers.proposals import EntrySentence, _changes_gold, _find_item_edits

from strategies import hypotheses, words


def edits(*given_edits: tuple[int, int, str]) -> ItemEdits:
    return make_edits(given_edits)


def compose_one(sentence: Sentence, *items: ItemEdits) -> Sentence:
    gold = Corpus((sentence,))
    return _compose(gold, {1: items}, _AnswerTypes(gold, None)).corpus[0]


def texts(sentence: Sentence) -> list[str]:
    return [" ".join(sentence.corrected(annotation)) for annotation in sentence.annotations]


SENTENCE = Sentence.of("a b c d", [Edit(0, 1, ("A",), "Prep"), Edit(2, 3, ("C", "K"), "Nn")])


def test_an_item_replaces_what_it_overlaps_and_leaves_the_rest() -> None:
    made = compose_one(SENTENCE, edits((1, 3, "x")))
    assert made.annotations[0] == SENTENCE.annotations[0]
    assert texts(made) == ["A b C d", "A x d"]
    assert made.annotations[1].edits[1].type == "Nn"


def test_leaving_as_it_is_only_removes() -> None:
    made = compose_one(SENTENCE, edits((0, 1, "a")))
    assert texts(made) == ["A b C d", "a b C d"]
    assert made.annotations[1].edits == SENTENCE.annotations[0].edits[1:]


def test_all_left_as_it_is_means_that_nothing_is_wrong() -> None:
    made = compose_one(SENTENCE, edits((0, 1, "a"), (2, 3, "c")))
    assert made.annotations[1] == Annotation("1", ())


def test_every_choice_of_items_that_fit_together_is_an_annotation_the_smallest_first() -> None:
    made = compose_one(SENTENCE, edits((1, 2, "x")), edits((3, 4, "y")), edits((3, 4, "z")))
    assert texts(made) == ["A b C d", "A x C d", "A b C y", "A b C z", "A x C y", "A x C z"]
    assert [annotation.annotator for annotation in made.annotations] == list("012345")


def test_items_that_share_an_edit_fit_together() -> None:
    made = compose_one(Sentence.of("a b c", []), edits((0, 1, "x"), (1, 2, "y")), edits((0, 1, "x"), (2, 3, "z")))
    assert "x y z" in texts(made)


def test_every_annotation_gets_alternatives_and_equal_ones_are_left_out() -> None:
    sentence = Sentence.of("a b", [Edit(0, 1, ("A",))], [Edit(0, 1, ("A",)), Edit(1, 2, ("B",))])
    made = compose_one(sentence, edits((1, 2, "B")), edits((1, 2, "b")))
    assert texts(made) == ["A b", "A B"]  # with B the first becomes the second; without it the second becomes the first


def test_a_gold_edit_that_has_the_correction_keeps_its_others() -> None:
    made = compose_one(SENTENCE, edits((2, 3, "K"), (3, 4, "y")))
    assert made.annotations[1].edits[1].corrections == ("C", "K")
    assert not _changes_gold(SENTENCE, edits((2, 3, "K")))


def test_a_sentence_without_annotation_is_still_right_as_it_is() -> None:
    gold = Corpus((Sentence.of("a b"), SENTENCE))
    made = _compose(gold, {1: [edits((0, 1, "x"))]}, _AnswerTypes(gold, None)).corpus
    assert made[0].annotations[0] == Annotation("0", ())
    assert texts(made[0]) == ["a b", "x b"]
    assert score(made, System.of("unchanged", ["a b", "a b c d"])).parts["proposed"] == 0
    assert made[1] == SENTENCE


def test_new_annotators_have_numbers_that_no_gold_annotator_has() -> None:
    gold = Corpus((Sentence.of("a", [Edit(0, 1, ("b",))]), Sentence.of("a", [], [Edit(0, 1, ("b",))], [])))
    made = _compose(gold, {1: [edits((0, 1, "c"))]}, _AnswerTypes(gold, None)).corpus
    assert [annotation.annotator for annotation in made[0].annotations] == ["0", "3"]  # 1 and 2 have not annotated it


def test_too_many_choices_are_reported_and_single_ones_and_all_together_taken() -> None:
    count = 9
    source = Sentence.of(" ".join("abcdefghi"), [])
    items = [edits((place, place + 1, "x")) for place in range(count)]
    rival = edits((0, 1, "z"))
    gold = Corpus((source, source))
    made = _compose(gold, {2: [*items, rival]}, _AnswerTypes(gold, None))
    assert made.limited == (2,)
    assert "1 sentence can be combined in more than 256 ways: 2" in made.note
    assert len(made.corpus[1].annotations) == 1 + count + 1 + 1
    assert " ".join("x" * count) in texts(made.corpus[1])
    assert _compose(gold, {2: items[:8]}, _AnswerTypes(gold, None)).note == ""
    assert 2**8 - 1 <= _MOST_CHOICES < 2**9 - 1


def test_many_items_that_exclude_each_other_take_no_time() -> None:
    items = [edits((0, 1, f"x{number}")) for number in range(2_000)]
    choices, is_all = _list_choices(items, _MOST_CHOICES)
    assert (len(choices), is_all) == (2_000, False)


def test_types_come_from_the_gold_then_from_rules_then_are_others() -> None:
    gold = Corpus((Sentence.of("He go at home today .", [Edit(1, 2, ("goes",), "SVA")]),))
    types = _AnswerTypes(gold, find_tagger("textblob"))
    known = {(1, 2, "went"): "SVA", (2, 3, "to"): "Prep", (0, 0, "The"): "ArtOrDet", (3, 3, "is"): "Vform", (5, 6, "!"): "Others"}
    types.prepare(_PlacedEdit(0, ItemEdit(*edit)) for edit in known)
    assert {edit: types.find(0, ItemEdit(*edit), gold[0].annotations[0].edits) for edit in known} == known


@pytest.mark.parametrize(
    ("known", "kept", "expected"),
    [
        ("R:VERB", (), ["M:OTHER", "R:OTHER", "U:OTHER"]),
        ("Replacement", (), ["Missing", "Replacement", "Unnecessary"]),
        ("", (), ["", "", ""]),
        ("Nn", ("Nn", "Prep"), ["Nn", "Nn", "Nn"]),
        ("Nn", ("Nn", "Others"), ["Others", "Others", "Others"]),
    ],
)
def test_types_are_of_the_kind_that_the_gold_has(known: str, kept: tuple[str, ...], expected: list[str]) -> None:
    gold = Corpus((Sentence.of("a b c", [Edit(0, 1, ("A",), known)]),))
    types = _AnswerTypes(gold, None, kept)
    own = [ItemEdit(2, 2, "x"), ItemEdit(2, 3, "y"), ItemEdit(2, 3, "")]
    types.prepare(_PlacedEdit(0, edit) for edit in own)
    assert [types.find(0, edit, []) for edit in own] == expected


@st.composite
def golds(draw: st.DrawFn) -> Sentence:
    """A sentence with one or two annotations, each of edits that do not overlap."""
    source = tuple(draw(st.lists(words, min_size=1, max_size=7)))
    return Sentence.of(source, *(find_gold(source, draw(hypotheses(source))) for _ in range(draw(st.integers(1, 2)))))


def find_gold(source: tuple[str, ...], corrected: tuple[str, ...]) -> list[Edit]:
    return [Edit(edit.start, edit.end, (edit.correction,), "Nn") for edit in _find_item_edits(Sentence(source), corrected)]


def measure(sentence: Sentence, corrected: tuple[str, ...]) -> float:
    value = score(Corpus((sentence,)), System.of("s", [corrected]), "maxmatch").value
    assert value is not None
    return value


@given(golds(), st.data())
def test_the_gold_accepts_every_sentence_whose_item_is_accepted(sentence: Sentence, data: st.DataObject) -> None:
    corrected = data.draw(hypotheses(sentence.tokens))
    own = _find_item_edits(sentence, corrected)
    assume(own)
    made = compose_one(sentence, own)
    assert corrected in [made.corrected(annotation) for annotation in made.annotations]
    assert measure(made, corrected) >= measure(sentence, corrected)


def test_maxmatch_finds_every_edit_of_the_example_systems_right_once_they_are_accepted(gold: Corpus, systems: dict[str, System]) -> None:
    for system in systems.values():
        items = {
            number: [own]
            for number, (sentence, corrected) in enumerate(zip(gold, system.sentences, strict=True), start=1)
            if (own := _find_item_edits(sentence, corrected))
        }
        made = _compose(gold, items, _AnswerTypes(gold, None)).corpus
        parts = score(made, system, "maxmatch").parts
        assert score(gold, system, "maxmatch").parts["correct"] < parts["correct"] == parts["proposed"]


@given(golds(), st.lists(st.data(), min_size=1, max_size=3))
def test_accepted_items_never_change_the_annotations_that_there_are(sentence: Sentence, data: list[st.DataObject]) -> None:
    items = [own for one in data if (own := _find_item_edits(sentence, one.draw(hypotheses(sentence.tokens))))]
    made = compose_one(sentence, *items)
    assert made.annotations[: len(sentence.annotations)] == sentence.annotations
    keys = [frozenset((edit.start, edit.end, edit.corrections) for edit in annotation.edits) for annotation in made.annotations]
    added = keys[len(sentence.annotations) :]
    assert len(set(added)) == len(added)
    assert not set(added) & set(keys[: len(sentence.annotations)])


@given(golds(), st.lists(st.data(), min_size=1, max_size=3))
def test_items_that_fit_are_accepted_together_in_every_annotation(sentence: Sentence, data: list[st.DataObject]) -> None:
    items = list(dict.fromkeys(own for one in data if (own := _find_item_edits(sentence, one.draw(hypotheses(sentence.tokens))))))
    made = compose_one(sentence, *items)
    known = {tuple(sorted((edit.start, edit.end, edit.corrections) for edit in annotation.edits)) for annotation in made.annotations}
    for size in range(1, len(items) + 1):
        for chosen in combinations(items, size):
            together = make_edits(edit for item in chosen for edit in item)
            if any(spans_overlap(*one[:2], *other[:2]) for one, other in combinations(together, 2)):
                continue
            for annotation in list_annotations(sentence):
                made_edits = apply_item(sentence, annotation, together, lambda *_: "")
                assert tuple(sorted((edit.start, edit.end, edit.corrections) for edit in made_edits)) in known


def test_a_wrong_edit_that_is_accepted_is_right_for_the_output_that_makes_it(gold: Corpus, systems: dict[str, System]) -> None:
    for system in systems.values():
        whole = Evaluator(gold, "maxmatch", warn=None)(system)
        for index, judged in enumerate(list_chosen_edits(whole)):
            own = EntrySentence(index + 1, gold[index].tokens, system.sentences[index], judged)
            before = measure(gold[index], own.output)
            for unmatched in own.unmatched:
                after = measure(compose_one(gold[index], unmatched.item), own.output)
                assert after > before if unmatched.edit.outcome == "wrong" else after >= before, (own, unmatched)
