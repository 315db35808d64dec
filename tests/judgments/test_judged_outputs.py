"""Judgments and outputs: numbers of sentences, and identical outputs."""

from __future__ import annotations

import pytest

from errata import MismatchError, UsageError
from errata.studies.judgments import HumanJudgments, RankedOutput, RankingItem, join_identical, number_sentences
from errata.studies.judgments.items import _find_numbering

OUTPUTS = {"A": ["a", "b", "c"], "B": ["a", "x", "c"], "C": ["y", "x", "z"]}


def make(*items: tuple[int, tuple[tuple[str, ...], int], tuple[tuple[str, ...], int]]) -> HumanJudgments:
    return HumanJudgments(
        tuple(
            RankingItem(sentence, "anna", tuple(RankedOutput(*output) for output in outputs), None, "j.tsv", 9)
            for sentence, *outputs in items
        )
    )


def test_the_first_number_is_that_at_which_joined_outputs_are_equal() -> None:
    zero = make((0, (("A", "B"), 1), (("C",), 2)), (1, (("B", "C"), 1), (("A",), 2)))
    one = make((1, (("A", "B"), 1), (("C",), 2)), (2, (("B", "C"), 1), (("A",), 2)))
    assert _find_numbering(zero, OUTPUTS) == (0, 2, (2, 0))
    assert _find_numbering(one, OUTPUTS) == (1, 2, (0, 2))
    assert _find_numbering(zero, {"A": OUTPUTS["A"]}) == (None, 0, (0, 0))


def test_identical_outputs_with_the_same_rank_are_joined() -> None:
    judgments = make((0, (("A",), 1), (("B",), 1)), (2, (("A",), 1), (("B",), 2)), (1, (("A", "B"), 1), (("D",), 2)))
    fitted = join_identical(judgments, OUTPUTS, 0)
    first, second, third = fitted.judgments.items
    assert first.outputs == (RankedOutput(("A", "B"), 1),)
    assert second.outputs == judgments.items[1].outputs
    assert third.outputs == judgments.items[2].outputs
    assert (fitted.joined, fitted.contradicting, fitted.different, fitted.judgments.single) == (1, 1, 1, 1)


def test_an_unknown_sentence_is_named() -> None:
    with pytest.raises(
        MismatchError, match=r"j.tsv:9: there is no sentence 3: sentences are counted from 0, and the outputs have 3 sentences"
    ):
        join_identical(make((3, (("A",), 1), (("B",), 2))), OUTPUTS, 0)
    with pytest.raises(MismatchError, match="there is no sentence 0"):
        join_identical(make((0, (("A",), 1), (("B",), 2))), OUTPUTS, 1)


def test_systems_without_a_counterpart_are_listed() -> None:
    judgments = make((0, (("AMU",), 1), (("POST",), 2)))
    outputs = {"amu.txt": ["a"], "POST": ["b"]}
    told: list[str] = []
    assert number_sentences(judgments, outputs, first=0, warn=told.append).first == 0
    assert told == [
        "1 system with judgments but without an output: AMU; did you mean amu.txt?",
        "1 output without judgments: amu.txt",
    ]
    with pytest.raises(MismatchError, match="1 output without judgments"):
        number_sentences(judgments, outputs, first=0, refuse_unmatched=True)
    with pytest.raises(UsageError, match="outputs do not show how sentences are numbered: of 0 joined outputs"):
        number_sentences(judgments, outputs, warn=told.append)
