"""Which sentences have edits that can be grouped into errors clearly."""

from __future__ import annotations

from pathlib import Path

import pytest

from errata import Edit, Sentence, list_unclear, read
from errata.corpus.alternatives import _BY_DIFFERENT, _SOME_BY_ALL, _find_unclear
from errata.corpus.corpus import ErrorGroup

TEXT = "a b c d e f g h"


def edit(start: int, end: int, *corrections: str) -> Edit:
    return Edit(start, end, corrections or ("x",))


@pytest.mark.parametrize(
    "annotators",
    [
        [],
        [[]],
        [[edit(0, 1), edit(5, 6)]],  # one annotator
        [[edit(0, 1, "x")], [edit(0, 1, "y")]],  # one error
        [[edit(0, 1, "x"), edit(3, 4, "x")], [edit(0, 1, "y"), edit(3, 4, "y")]],  # all annotators correct all
        [[edit(0, 1), edit(3, 4), edit(7, 7)], []],  # one annotator corrects all
        [[edit(0, 1), edit(3, 4)], [edit(0, 1), edit(3, 4)], []],  # two annotators correct all
        [[edit(0, 1), edit(3, 4, "s")], [edit(3, 4, "s"), edit(5, 6)]],  # with a separator between them
        [[edit(3, 5, "s")], [edit(3, 4, "s"), edit(4, 5, ""), edit(6, 7)]],  # the same text by other edits
        [[edit(0, 1), edit(3, 4, "s t")], [edit(3, 4, "s"), edit(4, 4, "t"), edit(5, 6)]],  # errors that touch
        [[edit(2, 3, "s"), edit(3, 4, "t"), edit(4, 4, "u")], [edit(2, 3, "s t"), edit(3, 4, "u"), edit(6, 7)]],  # three that touch
        [[edit(3, 3, "s"), edit(3, 3, "s")], [edit(3, 3, "s s"), edit(6, 7)]],  # in whatever order
    ],
)
def test_clear_sentences(annotators: list[list[Edit]]) -> None:
    assert _find_unclear(Sentence.of(TEXT, *annotators)) is None


@pytest.mark.parametrize(
    ("annotators", "kind", "reason"),
    [
        ([[edit(0, 1)], [edit(3, 4)]], _BY_DIFFERENT, "the edits 0-1 (annotator 0) and 3-4 (annotator 1) may correct one error"),
        (
            [[edit(0, 1, "x"), edit(3, 4)], [edit(0, 1, "y")]],
            _SOME_BY_ALL,
            "the edits 0-1 (all annotators) and 3-4 (annotator 0) may correct one error",
        ),
        (
            [[edit(0, 1), edit(6, 6)], [edit(0, 1)], []],
            _BY_DIFFERENT,
            "the edits 0-1 (annotators 0, 1) and 6-6 (annotator 0) may correct one error",
        ),
        (  # a separator does not separate what is on one side of it
            [[edit(0, 1, "s"), edit(3, 4)], [edit(0, 1, "s"), edit(5, 6)]],
            _BY_DIFFERENT,
            "the edits 3-4 (annotator 0) and 5-6 (annotator 1) may correct one error",
        ),
        (  # a token is between them, so they do not touch
            [[edit(3, 4, "s"), edit(5, 5, "t"), edit(7, 8)], [edit(3, 5, "s d t")]],
            _SOME_BY_ALL,
            "the edits 3-5 (all annotators) and 5-5 (annotator 0) may correct one error",
        ),
        (
            [[edit(3, 3, "s"), edit(3, 3, "t")], [edit(3, 3, "s t"), edit(6, 7)]],
            _SOME_BY_ALL,
            "the edits 3-3 (all annotators) and 6-7 (annotator 1) may correct one error; the order of the edits 3-3 is not known",
        ),
    ],
)
def test_unclear_sentences(annotators: list[list[Edit]], kind: str, reason: str) -> None:
    assert _find_unclear(Sentence.of(TEXT, *annotators)) == (kind, reason)


def test_named_errors_are_clear() -> None:
    """Listing 1 of the paper: the edits of one error, wherever they are."""
    first, second = ErrorGroup("1", required=True), ErrorGroup("2", required=True)
    annotators = [
        [Edit(0, 1, ("These",), error=first), Edit(2, 3, ("are",), error=first), Edit(5, 6, ("helping",), error=second)],
        [Edit(1, 2, ("machine",), error=first), Edit(4, 5, ("to",), error=second)],
    ]
    text = "This machines is designed for help people ."
    assert _find_unclear(Sentence.of(text, *annotators)) is None
    unnamed = [[Edit(item.start, item.end, item.corrections) for item in own] for own in annotators]
    assert _find_unclear(Sentence.of(text, *unnamed)) is not None


def test_many_errors_that_touch_take_little_time() -> None:
    """Every token is corrected by one of two annotators."""
    length = 3000
    own = [[edit(start, start + 1, "") for start in range(first, length, 2)] for first in (0, 1)]
    assert _find_unclear(Sentence.of([str(number) for number in range(length)], *own)) is not None


def test_a_reason_names_few_annotators() -> None:
    crowd = [[edit(0, 1)]] * 50 + [[edit(3, 4)]]
    found = _find_unclear(Sentence.of(TEXT, *crowd))
    assert found is not None
    assert found.reason == "the edits 0-1 (annotators 0, 1, 2, 3, 4, 5, 6, 7, ...) and 3-4 (annotator 50) may correct one error"


@pytest.mark.realdata
def test_all_sentences_of_conll14_agree_with_the_recorded_list(data: Path) -> None:
    gold = read(data / "conll14" / "gold" / "official-2014.combined-withalt.m2")
    lines = (data / "expected" / "imeasure" / "subset-697.tsv").read_text().splitlines()
    names = lines[0].split("\t")
    records = [dict(zip(names, line.split("\t"), strict=True)) for line in lines[1:]]
    recorded = {int(record[names[0]]) + 1 for record in records if record[names[-1]] == "1"}
    unclear = list_unclear(gold)
    assert len(recorded) == 697
    assert [number not in unclear for number in gold.numbers] == [number in recorded for number in gold.numbers]
    assert all(item.reason for item in unclear.values())
