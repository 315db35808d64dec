from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from errata import Annotation, Corpus, Edit, InputError, MaxMatch, MismatchError, Sentence, System, UsageError, score
from errata.corpus.corpus import to_tokens
from errata.formats import extract_edits

from strategies import sentences
from thoroughness import often


def test_edits_are_checked() -> None:
    with pytest.raises(InputError, match="found 3 to 2"):
        Edit(3, 2, ("a",))
    with pytest.raises(InputError, match="found -1 to 2"):
        Edit(-1, 2, ("a",))
    with pytest.raises(InputError, match="at least one correction"):
        Edit(0, 1, ())
    with pytest.raises(InputError, match="outside a sentence of 2 tokens"):
        Sentence.of("a b", [Edit(1, 3, ("x",))])


def test_overlap() -> None:
    insertion, span, later = Edit(2, 2, ("x",)), Edit(1, 3, ("x",)), Edit(3, 4, ("x",))
    assert span.overlaps(insertion)
    assert insertion.overlaps(span)
    assert not span.overlaps(later)
    assert not Edit(1, 1, ("x",)).overlaps(span)
    assert not Edit(3, 3, ("x",)).overlaps(span)
    assert not insertion.overlaps(insertion)


def test_insertions_at_one_place_keep_their_order() -> None:
    sentence = Sentence.of("a b", [Edit(1, 2, ("B",)), Edit(1, 1, (",",)), Edit(1, 1, ("too",))])
    assert sentence.corrected(sentence.annotations[0]) == ("a", ",", "too", "B")


def test_overlapping_edits_are_applied_once_and_told() -> None:
    sentence = Sentence.of("a b c", [Edit(0, 2, ("x",)), Edit(1, 3, ("y",))])
    assert sentence.corrected(sentence.annotations[0]) == ("x", "c")
    assert sentence.unapplied(sentence.annotations[0]) == [Edit(1, 3, ("y",))]


@given(sentences())
def test_applied_and_unapplied_edits_are_all_edits(sentence: Sentence) -> None:
    for annotation in sentence.annotations:
        lost = len(sentence.unapplied(annotation))
        assert 0 <= lost < max(1, len(annotation.edits))


def test_annotators_come_in_order_of_their_first_line() -> None:
    corpus = Corpus((Sentence(("a",), (Annotation("1"),)), Sentence(("a",), (Annotation("0"), Annotation("1")))))
    assert corpus.annotators == ("1", "0")
    assert Corpus((Sentence(("a",)),)).annotators == ("0",)


def test_strings_and_tokens_are_accepted_and_nothing_else() -> None:
    assert to_tokens("a \u00a0 b") == ("a", "b")
    assert to_tokens(["a", "b"]) == ("a", "b")
    with pytest.raises(UsageError, match="an item of type int: 1"):
        to_tokens(["a", 1])
    with pytest.raises(UsageError, match="found None"):
        System.of("mine", [None])  # type: ignore[list-item]


def test_lists_become_tuples_and_strings_are_no_lists() -> None:
    assert Sentence(["a", "b"]).tokens == ("a", "b")  # type: ignore[arg-type]
    assert System("x", (["a"],)).sentences == (("a",),)  # type: ignore[arg-type]
    assert Edit(0, 1, ["x"]).corrections == ("x",)  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="corrections must be a tuple of strings, found 'xyz'"):
        Edit(0, 1, "xyz")  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="offsets must be whole numbers"):
        Edit("1", 2, ("a",))  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="max_unchanged must be a whole number"):
        MaxMatch(max_unchanged=1.5)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="two annotations of the same sentence"):
        Sentence(("a",), (Annotation("0"), Annotation("0")))
    with pytest.raises(UsageError, match="the gold must be a Corpus"):
        score("gold.m2", ["a"])  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: System("x", ((1,),)),  # type: ignore[arg-type]
        lambda: System("x", "abc"),  # type: ignore[arg-type]
        lambda: System("x", 5),  # type: ignore[arg-type]
        lambda: System.of("x", None),  # type: ignore[arg-type]
        lambda: System.of("x", [b"a b"]),  # type: ignore[list-item]
        lambda: System.of("x", [{"a", "b"}]),  # type: ignore[list-item]
        lambda: Sentence((1, 2)),  # type: ignore[arg-type]
        lambda: Sentence(("a",), (5,)),  # type: ignore[arg-type]
        lambda: Sentence.of("a b", Edit(0, 1, ("x",))),  # type: ignore[arg-type]
        lambda: Sentence.of("a b", [(0, 1, "x")]),  # type: ignore[list-item]
        lambda: Annotation("0", (5,)),  # type: ignore[arg-type]
        lambda: Edit(0, 1, None),  # type: ignore[arg-type]
        lambda: Edit(0, 1, (1,)),  # type: ignore[arg-type]
        lambda: Corpus(None),  # type: ignore[arg-type]
        lambda: Corpus(("a b",)),  # type: ignore[arg-type]
        lambda: extract_edits(None, "a"),  # type: ignore[arg-type]
        lambda: extract_edits("a", [1]),  # type: ignore[list-item]
        lambda: score(Corpus((Sentence.of("a"),)), [3]),  # type: ignore[list-item]
        lambda: score(Corpus((Sentence.of("a"),)), [[None]]),  # type: ignore[list-item]
        lambda: score(Corpus((Sentence.of("a"),)), {"a": 1}),
    ],
)
def test_wrong_types_are_told(wrong: Callable[[], object]) -> None:
    with pytest.raises(UsageError, match="found"):
        wrong()


def test_any_sequence_will_do() -> None:
    words = np.array(["a", "b"])
    corpus = Corpus([Sentence(words, [Annotation("0", [Edit(0, 1, ["x"])])])])  # type: ignore[arg-type]
    assert score(corpus, [words]).parts["proposed"] == 0  # type: ignore[list-item]
    assert score(corpus, System("mine", ["x b"])).value == 1.0  # type: ignore[arg-type]
    assert extract_edits(words, ["x", "b"])[0].corrections == ("x",)  # type: ignore[arg-type]


def alignments(source: tuple[str, ...], target: tuple[str, ...]) -> Iterator[list[str]]:
    """Every alignment: a list of kept (=), substituted, deleted and inserted tokens."""
    if not source and not target:
        yield []
    if source and target:
        kind = "=" if source[0] == target[0] else "s"
        yield from ([kind, *rest] for rest in alignments(source[1:], target[1:]))
    if source:
        yield from (["d", *rest] for rest in alignments(source[1:], target))
    if target:
        yield from (["i", *rest] for rest in alignments(source, target[1:]))


@given(st.lists(st.sampled_from("abc"), max_size=4).map(tuple), st.lists(st.sampled_from("abc"), max_size=4).map(tuple))
@settings(max_examples=often(300, 100))
def test_extraction_is_the_best_of_all_alignments(source: tuple[str, ...], target: tuple[str, ...]) -> None:
    costs = []
    for steps in alignments(source, target):
        changed = ["=", *("x" if step != "=" else "=" for step in steps)]
        stretches = sum(one == "=" and other == "x" for one, other in pairwise(changed))
        costs.append((sum(step != "=" for step in steps), stretches))
    edits = extract_edits(source, target)
    changes = sum(max(edit.end - edit.start, len(edit.corrections[0].split())) for edit in edits)
    assert (changes, len(edits)) == min(costs)


@pytest.mark.parametrize(("count", "word"), [(1, "few"), (3, "many")])
def test_lengths_must_fit(count: int, word: str) -> None:
    corpus = Corpus((Sentence.of("a"), Sentence.of("b")), "gold.m2", "data/gold.m2")
    with pytest.raises(MismatchError, match=f"mine has too {word} sentences: {count} for the 2 sentences of data/gold.m2"):
        score(corpus, System.of("mine", ["x"] * count))


@given(sentences(), sentences())
def test_extracted_edits_turn_one_sentence_into_the_other(one: Sentence, other: Sentence) -> None:
    edits = extract_edits(one.tokens, other.tokens)
    made = Sentence(one.tokens, (Annotation("0", edits),))
    assert made.corrected(made.annotations[0]) == other.tokens
    assert bool(edits) == (one.tokens != other.tokens)


@pytest.mark.parametrize(
    ("source", "target", "expected"),
    [
        ("a b c", "a b c", []),
        ("a b c", "a x y c", [(1, 2, "x y")]),
        ("a b c", "a c", [(1, 2, "")]),
        ("", "a b", [(0, 0, "a b")]),
        ("a b", "", [(0, 2, "")]),
        ("the the cat", "the cat", [(0, 1, "")]),
        # Two edits of one word each would change as few words; one edit of two words is one edit.
        ("a b a", "a x a a", [(1, 2, "x a")]),
    ],
)
def test_extraction_prefers_few_changes_then_few_edits(source: str, target: str, expected: list[tuple[int, int, str]]) -> None:
    found = [(edit.start, edit.end, edit.corrections[0]) for edit in extract_edits(tuple(source.split()), tuple(target.split()))]
    assert found == expected
