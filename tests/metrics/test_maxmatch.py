"""Worked examples of the papers, settings, and what the official scorer does in odd cases."""

from __future__ import annotations

import pytest

import errata
from errata import Annotation, Corpus, Edit, MaxMatch, Sentence, UsageError, score


def corpus_of(text: str, *annotators: list[Edit]) -> Corpus:
    return Corpus((Sentence.of(text, *annotators),))


SYSTEM_TEXT = "Our baseline system feeds word into PB-SMT pipeline ."


@pytest.mark.parametrize(
    "hypothesis", ["Our baseline system feeds a word into PB-SMT pipeline .", "Our baseline system feeds words into PB-SMT pipeline ."]
)
def test_the_example_of_dahlmeier_and_ng(hypothesis: str) -> None:
    """Section 1: the gold edit (word → {a word, words}) is found although a diff would say (ε → a)."""
    gold = corpus_of(SYSTEM_TEXT, [Edit(4, 5, ("a word", "words"))])
    assert score(gold, [hypothesis]).counts == (1, 1, 1)


@pytest.mark.parametrize(
    "edits",
    [
        [Edit(3, 5, ("doubt",)), Edit(7, 8, ("systems",)), Edit(8, 9, ("have",))],
        [Edit(3, 4, ("",)), Edit(7, 8, ("systems",)), Edit(8, 9, ("have",))],
    ],
)
def test_the_example_of_the_shared_task(edits: list[Edit]) -> None:
    """Ng et al. 2013, section 4: R = 1/3, P = 1, F1 = 1/2, whichever of the equivalent edits is gold."""
    gold = corpus_of("There is no a doubt , tracking system has brought many benefits in this information age .", edits)
    result = score(gold, ["There is no doubt , tracking system has brought many benefits in this information age ."], "maxmatch(beta=1)")
    assert (result.parts["recall"], result.parts["precision"], result.value) == (1 / 3, 1.0, 0.5)


def test_annotators_are_not_mixed() -> None:
    """Felice and Briscoe 2015, Table 1."""
    gold = corpus_of(
        "This machines is designed for help people .",
        [Edit(0, 1, ("These",)), Edit(2, 3, ("are",)), Edit(5, 6, ("helping",))],
        [Edit(1, 2, ("machine",)), Edit(4, 5, ("to",))],
    )
    assert score(gold, ["These machines are designed to help people ."]).counts == (2, 3, 3)


def test_partial_matches_do_not_count() -> None:
    """Felice and Briscoe 2015, Table 2."""
    gold = corpus_of("Machine is design to help people .", [Edit(0, 1, ("Machines",)), Edit(1, 3, ("are designed",))])
    assert score(gold, ["Machine is designed to help people ."]).counts == (0, 1, 2)


@pytest.mark.parametrize(
    ("hypothesis", "expected"),
    [
        ("The machine is designed for helping people .", (1, 3, 3)),
        ("Machines is a design on the helping of the people .", (1, 2, 3)),
    ],
)
def test_long_edits_count_as_short_ones(hypothesis: str, expected: tuple[int, int, int]) -> None:
    """Felice and Briscoe 2015, Table 3."""
    gold = corpus_of("Machine is design to help people .", [Edit(0, 1, ("Machines",)), Edit(1, 2, ("are",)), Edit(2, 3, ("designed",))])
    assert score(gold, [hypothesis]).counts == expected


def test_unchanged_tokens_in_an_edit_are_limited() -> None:
    gold = corpus_of("a b c d e", [Edit(0, 5, ("x b c d y",))])
    assert score(gold, ["x b c d y"]).counts == (0, 2, 1)
    assert score(gold, ["x b c d y"], "maxmatch(max_unchanged=3)").counts == (1, 1, 1)


def test_fewer_edits_win_among_equals() -> None:
    assert score(corpus_of("a b c", []), ["x b y"]).counts == (0, 1, 0)
    assert score(corpus_of("a b c", []), ["x b y"], "maxmatch(max_unchanged=0)").counts == (0, 2, 0)


def test_a_gold_insertion_is_used_once() -> None:
    gold = corpus_of("a b", [Edit(1, 1, ("x",))])
    assert score(gold, ["a x x b"]).counts[0] == 1


def test_two_insertions_at_one_position_are_both_found() -> None:
    gold = corpus_of("salt will", [Edit(1, 1, (",",)), Edit(1, 1, ("it",))])
    assert score(gold, ["salt , it will"]).counts == (2, 2, 2)


def test_an_empty_hypothesis_deletes_everything() -> None:
    assert score(corpus_of("a b c", [Edit(0, 3, ("",))]), [""]).counts == (1, 1, 1)
    assert score(corpus_of("a b c", [Edit(0, 1, ("",))]), [""]).counts == (1, 2, 1)


def test_an_empty_source() -> None:
    assert score(corpus_of("", [Edit(0, 0, ("a b",))]), ["a b"]).counts == (1, 1, 1)
    assert score(corpus_of("", []), [""]).value == 1.0


def test_repeated_gold_edits_count_twice_in_gold_and_once_in_correct() -> None:
    gold = corpus_of("a b", [Edit(0, 1, ("x",)), Edit(0, 1, ("x",))])
    assert score(gold, ["x b"]).counts == (1, 1, 2)


def test_overlapping_gold_edits_each_can_match() -> None:
    edits = [Edit(0, 2, ("x",)), Edit(1, 3, ("y",))]
    assert score(corpus_of("a b c", edits), ["x c"]).counts == (1, 1, 2)
    assert score(corpus_of("a b c", edits), ["a y"]).counts == (1, 1, 2)


def test_a_gold_edit_that_changes_nothing_only_counts_as_gold() -> None:
    for edit in (Edit(1, 1, ("",)), Edit(0, 1, ("a",))):
        assert score(corpus_of("a b", [edit]), ["a b"]).counts == (0, 0, 1)
        assert score(corpus_of("a b", [edit]), ["a x"]).counts == (0, 1, 1)


def test_a_correction_with_odd_spacing_matches_nothing() -> None:
    assert score(corpus_of("a b", [Edit(0, 1, ("x  y",))]), ["x y b"]).counts == (0, 1, 1)


def test_case_and_space_can_be_ignored() -> None:
    gold = corpus_of("it is in deed so", [Edit(0, 1, ("It",)), Edit(2, 4, ("indeed",))])
    assert score(gold, ["It is indeed so"]).counts == (2, 2, 2)
    assert score(gold, ["It is indeed so"], "maxmatch(ignore_case_and_space=true)").counts == (0, 0, 2)


def test_a_sentence_without_annotation_has_one_annotator_without_edits() -> None:
    corpus = Corpus((Sentence.of("a b"),))
    result = score(corpus, ["a x"])
    assert result.counts == (0, 1, 0)
    assert result.sentences[0].reference == "0"


def test_a_missing_annotator_is_absent_or_changes_nothing() -> None:
    both = Sentence(("a",), (Annotation("0"), Annotation("1", (Edit(0, 1, ("x",)),))))
    only_first = Sentence(("b",), (Annotation("0", (Edit(0, 1, ("y",)),)),))
    corpus = Corpus((both, only_first))
    assert score(corpus, ["a", "b"]).counts == (0, 0, 1)
    assert score(corpus, ["a", "b"], "maxmatch(missing=noop)").counts == (0, 0, 0)
    assert score(corpus, ["a", "b"], "maxmatch(missing=noop)").sentences[1].reference == "1"


def test_conventions_for_nothing() -> None:
    metric = MaxMatch()
    assert metric.parts((0, 0, 3)) == {"correct": 0, "proposed": 0, "gold": 3, "precision": 1.0, "recall": 0.0}
    assert metric.parts((0, 3, 0))["recall"] == 1.0
    assert metric.value((0, 3, 0)) == 0.0
    assert metric.value((0, 0, 0)) == 1.0


def test_judged_edits_show_what_changed() -> None:
    gold = corpus_of("He go to school every days", [Edit(1, 2, ("goes", "went"), "SVA"), Edit(5, 6, ("day",), "Nn")], [])
    scored = score(gold, ["He went to school every days ."])
    first, second = scored.edits(1), scored.edits(1, annotator="1")
    assert [edit.target_start for edit in first] == [1, None, 6]
    assert [(edit.outcome, edit.original, edit.corrections, edit.type) for edit in first] == [
        ("right", "go", ("went",), "SVA"),
        ("missed", "days", ("day",), "Nn"),
        ("wrong", "", (".",), None),
    ]
    assert [edit.outcome for edit in second] == ["wrong", "wrong"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("maxmatch(beta=-1)", "beta must be a number from 0 to 1000, found -1.0"),
        ("maxmatch(beta=nan)", "beta must be a number from 0 to 1000, found nan"),
        ("maxmatch(beta=x)", "beta must be a number from 0 to 1000, found 'x'"),
        ("maxmatch(max_unchanged=1.5)", "max_unchanged must be a whole number from 0 to 1000, found '1.5'"),
        ("maxmatch(max_unchanged=-1)", "found -1"),
        ("maxmatch(choice=best)", "choice must be one of official, optimal, sentence, found 'best'"),
        ("maxmatch(missing=maybe)", "missing must be one of absent, same, noop, found 'maybe'"),
        ("maxmatch(ignore_case_and_space=1)", "must be true or false, found '1'"),
        ("maxmatch(alpha=1)", "has no setting 'alpha'; choose from beta, max_unchanged, ignore_case_and_space, choice, missing"),
        ("maxmatch(beta=1,beta=2)", "setting 'beta' occurs twice"),
        ("maxmatch(beta)", "a setting must be written name=value, found 'beta'"),
        ("maxmatch(beta=1,)", "a setting must be written name=value, found ''"),
        ("bleu", "unknown metric 'bleu'; choose from accuracy,"),
        ("maxmatch(", "a metric must be written name or name"),
        ("", "a metric must be written name or name"),
        ("m" * 2000, "a metric must be written name or name"),
    ],
)
def test_bad_metrics_are_named(text: str, message: str) -> None:
    with pytest.raises(UsageError) as caught:
        errata.metric(text)
    assert message in str(caught.value)


def test_notation() -> None:
    assert errata.metric(" maxmatch( beta = 1 , choice=optimal ) ") == MaxMatch(beta=1.0, choice="optimal")
    assert errata.metric("maxmatch()") == MaxMatch()
    assert errata.metric(MaxMatch(beta=2.0)) == MaxMatch(beta=2.0)
    assert str(errata.metric("maxmatch(ignore_case_and_space=TRUE)")) == "maxmatch(ignore_case_and_space=true)"
    assert (
        MaxMatch().signature
        == "maxmatch(beta=0.5,max_unchanged=2,ignore_case_and_space=false,choice=official,missing=absent,references=single)"
    )


def test_hypotheses_are_a_list() -> None:
    with pytest.raises(UsageError, match="single string"):
        score(corpus_of("a"), "a")
