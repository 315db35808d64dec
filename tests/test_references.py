from __future__ import annotations

from hypothesis import given

from errata import Annotation, Edit, Sentence
from errata.references import apply, combinations, errors_of, mixed_references, single_references

from strategies import sentences


def texts(sentence: Sentence) -> list[str]:
    return [" ".join(tokens) for tokens in mixed_references(sentence.tokens, errors_of(sentence))]


def test_overlapping_edits_are_one_error() -> None:
    """Felice and Briscoe 2015: overlapping corrections of different annotators exclude each other."""
    sentence = Sentence.of("a b c d", [Edit(0, 2, ("x",)), Edit(3, 4, ("y",))], [Edit(1, 2, ("z",)), Edit(3, 4, ("w",))])
    assert [len(alternatives) for alternatives in errors_of(sentence)] == [2, 2]
    assert texts(sentence) == ["x c y", "x c w", "a z c y", "a z c w"]


def test_an_error_that_not_everybody_corrects_may_be_left_alone() -> None:
    sentence = Sentence.of("a b", [Edit(0, 1, ("x",))], [])
    assert texts(sentence) == ["x b", "a b"]
    assert [" ".join(tokens) for tokens in single_references(sentence)] == ["x b", "a b"]


def test_insertions_overlap_only_at_the_same_place_or_strictly_inside() -> None:
    beside = Sentence.of("a b", [Edit(1, 1, ("x",))], [Edit(1, 2, ("y",))])
    assert len(errors_of(beside)) == 2
    assert len(errors_of(Sentence.of("a b", [Edit(1, 1, ("x",))], [Edit(1, 1, ("y",))]))) == 1
    assert len(errors_of(Sentence.of("a b", [Edit(1, 1, ("x",))], [Edit(0, 2, ("y",))]))) == 1


def test_identical_spans_of_one_annotator_are_joined_in_order() -> None:
    sentence = Sentence.of("a b", [Edit(1, 1, (",",)), Edit(1, 1, ("too",))])
    assert texts(sentence) == ["a , too b"]


def test_a_combination_with_one_span_twice_is_dropped() -> None:
    """Two errors of one annotator pair may hold the same span when clusters chain; such mixtures are no references."""
    assert apply(("a",), [((0, 1, ("x",)),), ((0, 1, ("y",)),)]) is None


def test_a_correction_that_would_leave_nothing_is_skipped() -> None:
    sentence = Sentence.of("a", [Edit(0, 1, ("",))])
    assert texts(sentence) == ["a"]
    assert single_references(sentence) == [("a",)]


def test_a_sentence_nobody_annotated_is_its_own_reference() -> None:
    sentence = Sentence(("a", "b"))
    assert single_references(sentence) == [("a", "b")]
    assert texts(sentence) == ["a b"]


def test_only_the_first_of_several_corrections_is_used() -> None:
    assert texts(Sentence.of("a", [Edit(0, 1, ("x", "y"))])) == ["x"]


def overlap(one: Edit, other: Edit) -> bool:
    if one.start == one.end and other.start == other.end:
        return one.start == other.start
    if one.start == one.end:
        return other.start < one.start < other.end
    if other.start == other.end:
        return one.start < other.start < one.end
    return one.start < other.end and other.start < one.end


@given(sentences())
def test_grouping_is_the_rule_word_for_word(sentence: Sentence) -> None:
    """Longest span first, an edit joins the first error that has an edit it overlaps."""
    everything = [edit for annotation in sentence.annotations for edit in annotation.edits]
    groups: list[list[Edit]] = []
    for edit in sorted(everything, key=lambda edit: edit.start - edit.end):
        for group in groups:
            if any(overlap(edit, other) for other in group):
                group.append(edit)
                break
        else:
            groups.append([edit])
    expected = [{(edit.start, edit.end) for edit in group} for group in groups]
    assert [{(start, end) for alternative in error for start, end, _ in alternative} for error in errors_of(sentence)] == expected


@given(sentences())
def test_mixed_references_are_at_most_all_combinations(sentence: Sentence) -> None:
    errors = errors_of(sentence)
    found = list(mixed_references(sentence.tokens, errors))
    assert len(found) == len(set(found)) <= combinations(errors)


@given(sentences())
def test_every_edit_is_in_one_error(sentence: Sentence) -> None:
    spans = {(edit.start, edit.end) for annotation in sentence.annotations for edit in annotation.edits}
    assert {(start, end) for error in errors_of(sentence) for alternative in error for start, end, _ in alternative} == spans
    assert errors_of(Sentence(sentence.tokens, tuple(Annotation(item.annotator) for item in sentence.annotations))) == []
