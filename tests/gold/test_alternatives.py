from __future__ import annotations

from dataclasses import replace
from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from errata import Annotation, Edit, Sentence
from errata.corpus.alternatives import Alternative, apply, find_sites, group_errors
from errata.corpus.corpus import ErrorGroup
from errata.corpus.texts import Tokens
from errata.metrics.imeasure import _list_single_references

from strategies import mixed_references, sentences


def texts(sentence: Sentence) -> list[str]:
    return [" ".join(tokens) for tokens in mixed_references(sentence)]


def test_overlapping_edits_are_one_error() -> None:
    """Felice and Briscoe 2015: overlapping corrections of different annotators exclude each other."""
    sentence = Sentence.of("a b c d", [Edit(0, 2, ("x",)), Edit(3, 4, ("y",))], [Edit(1, 2, ("z",)), Edit(3, 4, ("w",))])
    assert [len(alternatives) for alternatives in group_errors(sentence)] == [2, 2]
    assert texts(sentence) == ["x c y", "x c w", "a z c y", "a z c w"]


def test_an_error_that_not_everybody_corrects_may_be_left_alone() -> None:
    sentence = Sentence.of("a b", [Edit(0, 1, ("x",))], [])
    assert texts(sentence) == ["x b", "a b"]
    assert [" ".join(tokens) for tokens in _list_single_references(sentence)] == ["x b", "a b"]


def test_insertions_overlap_only_at_the_same_place_or_strictly_inside() -> None:
    beside = Sentence.of("a b", [Edit(1, 1, ("x",))], [Edit(1, 2, ("y",))])
    assert len(group_errors(beside)) == 2
    assert len(group_errors(Sentence.of("a b", [Edit(1, 1, ("x",))], [Edit(1, 1, ("y",))]))) == 1
    assert len(group_errors(Sentence.of("a b", [Edit(1, 1, ("x",))], [Edit(0, 2, ("y",))]))) == 1


def test_identical_spans_of_one_annotator_are_joined_in_order() -> None:
    sentence = Sentence.of("a b", [Edit(1, 1, (",",)), Edit(1, 1, ("too",))])
    assert texts(sentence) == ["a , too b"]


def test_a_combination_with_one_span_twice_is_dropped() -> None:
    """Two errors of one annotator pair may hold the same span when clusters chain; such mixtures are no references."""
    choice = [Alternative("0", (Edit(0, 1, (text,)),)) for text in "xy"]
    assert apply(("a",), choice) is None


def test_a_correction_that_would_leave_nothing_is_skipped() -> None:
    sentence = Sentence.of("a", [Edit(0, 1, ("",))])
    assert texts(sentence) == ["a"]
    assert list(_list_single_references(sentence)) == [("a",)]


def test_a_sentence_nobody_annotated_is_its_own_reference() -> None:
    sentence = Sentence(("a", "b"))
    assert list(_list_single_references(sentence)) == [("a", "b")]
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
    found = [{(edit.start, edit.end) for alternative in error for edit in alternative.edits} for error in group_errors(sentence)]
    assert found == expected


@given(sentences())
def test_sites_give_every_mixed_reference(sentence: Sentence) -> None:
    """One text for every site is a mixed reference, and there are no others, whatever edits overlap."""
    check_sites(sentence)


def test_edits_that_overlap_reach_further_to_the_right() -> None:
    """b c is deleted first, so that a b then takes a and what came after c."""
    sentence = Sentence.of("a b c d e f", [Edit(0, 2, ("x",)), Edit(1, 3, ("",))], [Edit(4, 5, ("y",))])
    assert texts(sentence) == ["x y f", "x e f", "a b c d y f", "a b c d e f"]


def test_an_insertion_at_the_end_may_be_swallowed() -> None:
    """b c is deleted first, so that what then replaces b takes the inserted y instead."""
    sentence = Sentence.of("a b c", [Edit(1, 3, ("",)), Edit(1, 2, ("x",)), Edit(3, 3, ("y",))])
    assert texts(sentence) == ["a x"]
    assert [site.variants for site in find_sites(sentence.tokens, group_errors(sentence), 100) or []] == [(("x",),)]


@given(sentences(), st.data())
def test_sites_give_every_mixed_reference_of_named_errors(sentence: Sentence, data: st.DataObject) -> None:
    """Whatever the gold calls one error, also several insertions at one place."""
    names = st.builds(ErrorGroup, st.sampled_from("123"), st.just(data.draw(st.booleans())))
    annotations = tuple(
        replace(annotation, edits=tuple(replace(edit, error=data.draw(names)) for edit in annotation.edits))
        for annotation in sentence.annotations
    )
    named = replace(sentence, annotations=annotations)
    check_sites(named)


def check_sites(sentence: Sentence) -> None:
    sites = find_sites(sentence.tokens, group_errors(sentence), 100_000)
    assert sites is not None
    if not all(site.possible for site in sites):
        return  # there is no mixture without a span twice
    found = set()
    for variants in product(*(site.variants for site in sites)):
        tokens: list[str] = []
        done = 0
        for site, variant in zip(sites, variants, strict=True):
            assert done <= site.start <= site.end
            tokens += (*sentence.tokens[done : site.start], *variant)
            done = site.end
        found.add((*tokens, *sentence.tokens[done:]))
    assert found == set(mixed_references(sentence))


def test_a_site_with_too_many_choices_is_none() -> None:
    sentence = Sentence.of("a b", [Edit(0, 1, ("x",))], [Edit(0, 1, ("y",))], [])
    assert find_sites(sentence.tokens, group_errors(sentence), 2) is None


def test_a_site_without_any_mixture_keeps_its_text() -> None:
    """One annotator marks d e twice, and the two join different errors: every mixture has the span twice."""
    edits = [Edit(0, 3, ("x",)), Edit(3, 5, ("y",)), Edit(2, 4, ("z",)), Edit(3, 5, ("w",))]
    sentence = Sentence.of("a b c d e f", edits)
    assert len(group_errors(sentence)) == 2
    assert texts(sentence) == ["a b c d e f"]


def test_errors_that_the_gold_names_are_not_found_by_overlap() -> None:
    """Listing 1: two errors, though no spans overlap; and one that need not be corrected."""
    agreement, form, optional = ErrorGroup("1", True), ErrorGroup("2", True), ErrorGroup("3", False)
    sentence = Sentence.of(
        "This machines is designed for help people .",
        [Edit(0, 1, ("These",), error=agreement), Edit(2, 3, ("are",), error=agreement), Edit(5, 6, ("helping",), error=form)],
        [Edit(1, 2, ("machine",), error=agreement), Edit(4, 5, ("to",), error=form)],
    )
    assert texts(sentence) == [
        "These machines are designed for helping people .",
        "These machines are designed to help people .",
        "This machine is designed for helping people .",
        "This machine is designed to help people .",
    ]
    assert texts(Sentence.of("a b", [Edit(0, 1, ("x",), error=optional)])) == ["x b", "a b"]


@given(sentences())
def test_every_edit_is_in_one_error(sentence: Sentence) -> None:
    spans = [(edit.start, edit.end) for annotation in sentence.annotations for edit in annotation.edits]
    found = [(edit.start, edit.end) for error in group_errors(sentence) for alternative in error for edit in alternative.edits]
    assert sorted(found) == sorted(spans)
    assert group_errors(Sentence(sentence.tokens, tuple(Annotation(item.annotator) for item in sentence.annotations))) == []


def apply_directly(tokens: Tokens, replacements: list[tuple[int, int, Tokens]], *, keep: bool) -> Tokens:
    """Apply replacements one after the other, each to the whole text."""
    for start, end, new in sorted(replacements, reverse=True):
        changed = (*tokens[:start], *new, *tokens[end:])
        tokens = changed if changed or not keep else tokens
    return tokens


@given(sentence=sentences(), keep=st.booleans())
def test_replacements_are_applied_like_one_after_the_other(sentence: Sentence, *, keep: bool) -> None:
    for annotation in sentence.annotations:
        own = Alternative(annotation.annotator, annotation.edits)
        assert apply(sentence.tokens, [own], keep=keep) == apply_directly(sentence.tokens, list(own.replacements), keep=keep)


def test_long_edits_are_grouped_without_visiting_all_their_tokens() -> None:
    """They have sixteen million tokens."""
    lists = [[Edit(number % 500, 4_000 - number % 300, (str(number),))] for number in range(4_000)]
    assert [len(error) for error in group_errors(Sentence.of("a " * 4_000, *lists))] == [4_000]


def test_many_edits_are_applied_in_one_pass() -> None:
    """Copying the text for each of them would copy two billion words."""
    many = Alternative("0", tuple(Edit(number, number, ("b",)) for number in range(60_000)))
    assert apply(("a",) * 60_000, [many]) == ("b", "a") * 60_000
    at_once = Alternative("0", tuple(Edit(0, 0, ("b",)) for _ in range(60_000)))
    assert apply(("a",), [at_once]) == ("b",) * 60_000 + ("a",)


def test_sites_that_grow_are_joined_in_one_pass() -> None:
    """Each error is joined only after the one before it; joining two at a time would take a pass for each."""
    count = 3_000
    lists = [[Edit(2 * number, 2 * number + 3, ("x",), error=ErrorGroup(str(number), required=False))] for number in range(count)]
    sentence = Sentence.of("a " * (2 * count + 2), *lists)
    assert find_sites(sentence.tokens, group_errors(sentence), 1_000) is None
    apart = [[Edit(2 * number, 2 * number + 1, ("x",), error=ErrorGroup(str(number), required=False))] for number in range(count)]
    sentence = Sentence.of("a " * (2 * count + 2), *apart)
    found = find_sites(sentence.tokens, group_errors(sentence), 1_000)
    assert found is not None
    assert len(found) == count


def test_a_group_that_grows_is_joined_with_the_one_before_it() -> None:
    """Only the third error inserts where the first does, and it is joined with the second by its span."""
    errors = [
        [Edit(1, 1, ("x",))],
        [Edit(1, 2, ("y",)), Edit(3, 3, ("z",))],
        [Edit(1, 1, ("x",)), Edit(2, 2, ("v",)), Edit(2, 3, ("w",))],
    ]
    lists = [[replace(edit, error=ErrorGroup(str(number), required=False)) for edit in own] for number, own in enumerate(errors)]
    sentence = Sentence.of("a b c d e f g h", *lists)
    found = find_sites(sentence.tokens, group_errors(sentence), 100)
    assert found is not None
    assert [site.start for site in found] == [1]
