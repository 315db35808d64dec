"""Edits, counted: which are the same, in which order they are listed, and that they add up to the counts of scores."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from errata import Annotation, Corpus, Edit, Evaluator, RequestError, Sentence, System, read, read_system, score
from errata.language.tagging import find_tagger
from errata.metrics import JudgedEdit, ShowsChosenEdits, ShowsEdits
from errata.scoring import CountedEdit, Score, digest_edits, list_chosen_edits
from errata.scoring.by_type import count_types
from errata.scoring.edits import KnownEdits


def edit(outcome: str, original: str, *corrections: str, kind: str | None = None) -> JudgedEdit:
    return JudgedEdit(outcome, 0, 1, original, corrections, kind)  # type: ignore[arg-type]


def sum_outcomes(counted: list[CountedEdit]) -> Counter[str]:
    totals = Counter[str]()
    for item in counted:
        totals[item.outcome] += item.count
    return totals


def texts(found: CountedEdit) -> tuple[object, ...]:
    return found.outcome, found.original, found.corrections


def check_sums(scores: list[Score]) -> None:
    """The counts of edits add up to those of scores, for each system and for all."""
    numbers = scores[0].evidence.corpus.numbers
    edits = [list_chosen_edits(item) for item in scores]
    together = digest_edits(edits, numbers).edits
    for place, (item, own) in enumerate(zip(scores, edits, strict=True)):
        correct, proposed, gold = item.counts[:3]
        alone = digest_edits([own], numbers).edits
        assert sum_outcomes(alone) == Counter(right=correct, wrong=proposed - correct, missed=gold - correct)
        assert {texts(found): found.systems[place] for found in together if found.systems[place]} == {
            texts(found): found.count for found in alone
        }
    assert all(found.count == sum(found.systems) for found in together)


def test_equal_texts_are_one_edit_and_its_types_are_listed() -> None:
    one = [[edit("right", "informations", "information", kind="Nn")], [edit("right", "informations", "information", kind="Wci")]]
    other = [[edit("right", "informations", "information", kind="Nn")], [edit("missed", "informations", "information", kind="Nn")]]
    assert digest_edits([one, other], [4, 9]).edits == [
        CountedEdit("right", "informations", ("information",), (("Nn", 2), ("Wci", 1)), 3, (4, 9), (2, 1)),
        CountedEdit("missed", "informations", ("information",), (("Nn", 1),), 1, (9,), (0, 1)),
    ]


def test_case_and_alternatives_matter() -> None:
    edits = [edit("missed", "the", "The"), edit("missed", "The", "the"), edit("missed", "the", "The", "A"), edit("missed", "the", "the")]
    assert [(found.original, found.corrections) for found in digest_edits([[edits]], [1]).edits] == [
        ("The", ("the",)),
        ("the", ("The",)),
        ("the", ("The", "A")),
        ("the", ("the",)),
    ]


def test_the_most_frequent_come_first_and_ties_are_alphabetical() -> None:
    edits = [edit("wrong", word, "x") for word in ("b", "", "B", "a", "c", "c")] + [edit("right", "a", "x"), edit("missed", "a", "x")]
    found = digest_edits([[edits]], [1]).edits
    assert [(one.count, one.original, one.outcome) for one in found] == [
        (2, "c", "wrong"),
        (1, "", "wrong"),
        (1, "a", "missed"),
        (1, "a", "right"),
        (1, "a", "wrong"),
        (1, "B", "wrong"),
        (1, "b", "wrong"),
    ]
    assert found == digest_edits([[edits[::-1]]], [1]).edits


def test_an_edit_twice_in_a_sentence_counts_twice_but_names_the_sentence_once() -> None:
    (found,) = digest_edits([[[], [edit("wrong", "", "the"), edit("wrong", "", "the")]]], [3, 7]).edits
    assert (found.count, found.sentences, found.types) == (2, (7,), ())


def test_what_is_left_out_is_counted_by_outcome() -> None:
    edits = [edit("wrong", word, "x") for word in "aabbcd"] + [edit("right", "a", "x"), edit("missed", "a", "x"), edit("missed", "b", "x")]
    found = digest_edits([[edits]], [1], most=1)
    assert [(one.count, one.original, one.outcome) for one in found.edits] == [(2, "a", "wrong"), (1, "a", "missed"), (1, "a", "right")]
    assert found.left_out == {"right": 0, "wrong": 3, "missed": 1}
    everything = digest_edits([[edits]], [1])
    assert sum(everything.left_out.values()) == 0
    assert len(everything.edits) == len(found.edits) + sum(found.left_out.values())


def test_nothing_is_counted_without_edits_or_systems() -> None:
    assert digest_edits([], [1, 2]) == digest_edits([[[], []]], [1, 2], most=3) == ([], {"right": 0, "wrong": 0, "missed": 0})


def test_each_sentence_needs_its_number() -> None:
    with pytest.raises(ValueError, match=r"^zip\(\)"):
        digest_edits([[[], []]], [1])


@pytest.mark.parametrize("metric", ["maxmatch", "maxmatch(references=mix)", "maxmatch(ignore_case_and_space=true)"])
def test_counts_add_up(gold: Corpus, systems: dict[str, System], metric: str) -> None:
    evaluate = Evaluator(gold, metric)
    check_sums([evaluate(system) for system in systems.values()])


def test_sentences_of_a_subset_keep_their_numbers(gold: Corpus, systems: dict[str, System]) -> None:
    part = gold.subset([3, 5, 9])
    own = Evaluator(part)(systems["eager"])
    assert {number for found in digest_edits([list_chosen_edits(own)], part.numbers).edits for number in found.sentences} <= {3, 5, 9}


def test_the_chosen_reference_is_used() -> None:
    annotations = (Annotation("0", (Edit(0, 1, ("A",), "T"),)), Annotation("1", (Edit(0, 1, ("B",), "U"),)))
    corpus = Corpus((Sentence(("a", "b"), annotations),))
    assert [(found[0].outcome, found[0].type) for found in list_chosen_edits(score(corpus, ["B b"]))] == [("right", "U")]


def test_types_from_edits_that_are_known_are_the_same(gold: Corpus, systems: dict[str, System]) -> None:
    tagger = find_tagger("textblob")
    found = Evaluator(gold)(systems["eager"])
    assert count_types(found, tagger, edits=list_chosen_edits(found)) == count_types(found, tagger)
    with pytest.raises(ValueError, match=r"^zip\(\)"):
        count_types(found, tagger, edits=list_chosen_edits(found)[:-1])


@pytest.mark.parametrize("metric", ["gleu", "imeasure", "accuracy", "hoo"])
def test_metrics_without_edits_are_refused(gold: Corpus, systems: dict[str, System], metric: str) -> None:
    with pytest.raises(RequestError, match=f"^{metric} does not show edits; use maxmatch$"):
        list_chosen_edits(Evaluator(gold.subset([1, 2]), metric)(systems["eager"]))


@pytest.mark.realdata
def test_counts_add_up_on_a_test_set(data: Path) -> None:
    gold = read(data / "conll14" / "gold" / "official-2014.combined.m2")
    evaluate = Evaluator(gold)
    check_sums([evaluate(read_system(data / "conll14" / "systems" / f"{name}.txt")) for name in ("AMU", "CUUI", "IITB")])


def test_some_sentences_may_be_asked_for(gold: Corpus, systems: dict[str, System]) -> None:
    found = Evaluator(gold)(systems["eager"])
    everything = list_chosen_edits(found)
    assert list_chosen_edits(found, [9, 3]) == [everything[8], everything[2]] == [found.edits(9), found.edits(3)]


@pytest.mark.parametrize("metric", ["maxmatch", "maxmatch(ignore_case_and_space=true)"])
def test_the_edits_behind_one_row_are_those_of_all_rows(gold: Corpus, systems: dict[str, System], metric: str) -> None:
    for system in systems.values():
        output = score(gold, system, metric).output
        assert isinstance(output, ShowsEdits)
        assert isinstance(output, ShowsChosenEdits)
        for index in range(len(gold)):
            own = output.edits(index)
            assert [output.edits_against(index, row) for row in range(len(own))] == own


def test_systems_share_the_edits_of_equal_outputs(gold: Corpus, systems: dict[str, System]) -> None:
    evaluate = Evaluator(gold)
    known: KnownEdits = {}
    for system in [*systems.values(), *systems.values()]:
        own = evaluate(system)
        assert list_chosen_edits(own, known=known) == list_chosen_edits(own)
    assert len(known) < len(systems) * len(gold)  # some are equal
