"""Cases from labelled tokens of gold and systems."""

from __future__ import annotations

from pathlib import Path

import pytest

from errata import Bootstrap, InputError, UsageError
from errata.formats.problems import Problem
from errata.studies.detection import evaluate_detection, judge_systems, make_curve, read_labelled_cases

GOLD = "I\tc\nsaws\ti\nit\tc\n\nNo\tc\n.\ti\n"


def write(path: Path, text: str) -> str:
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_counts_and_sentences(tmp_path: Path) -> None:
    """One true positive, one false positive, one false negative, two true negatives; by hand."""
    gold, system = write(tmp_path / "gold.tsv", GOLD), write(tmp_path / "system.txt", "I i\nsaws i\nit c\n\n\nNo c\n. c\n")
    cases = read_labelled_cases(gold, {"mine": system})
    (judged,) = judge_systems(cases)
    assert judged.answers.name == "mine"
    assert evaluate_detection(judged).counts == (1, 1, 1, 2, 0)
    assert cases.units is not None
    assert cases.units.names == ("1", "2")
    assert cases.units.codes.tolist() == [0, 0, 0, 1, 1]
    assert judged.answers.confidence is None
    assert evaluate_detection(judged, bootstrap=Bootstrap(replicates=100), by="sentence").intervals["accuracy"] is not None


def test_probabilities(tmp_path: Path) -> None:
    gold = write(tmp_path / "gold.tsv", GOLD)
    labels = write(tmp_path / "a.tsv", "I\tc\t0.6\nsaws\ti\t0.9\nit\tc\t0.1\n\nNo\tc\t0.2\n.\ti\t0.4\n")
    both = write(tmp_path / "b.tsv", "I\tc:0.4\ti:0.6\nsaws\tc:0\ti:1\nit\tc:1\ti:0\n\nNo\tc:.5\ti:.5\n.\tc:.9\ti:.1\n")
    one, other = judge_systems(read_labelled_cases(gold, {"a": labels, "b": both}))
    assert evaluate_detection(one).counts == (2, 0, 0, 3, 0)
    assert one.answers.rule == ""
    assert make_curve(one.cases, one.answers).areas.auc == pytest.approx(5 / 6)
    assert other.answers.flagged.tolist() == [True, True, False, True, False]
    assert "at least 0.5" in other.answers.rule


def test_probabilities_of_labels_are_reported(tmp_path: Path) -> None:
    gold = write(tmp_path / "gold.tsv", "I\tc\nsaws\ti\n")
    system = write(tmp_path / "a.tsv", "I\tc\t0.98\nsaws\ti\t0.7\n")
    problems: list[Problem] = []
    read_labelled_cases(gold, {"a": system}, warn=problems.append)
    assert "every token labelled c has a probability of 0.5 or more; expected the probability that it is incorrect" in problems[0].message


@pytest.mark.parametrize(
    ("system", "message"),
    [
        ("I\tc\nsaw\ti\nit\tc\n\nNo\tc\n.\ti\n", "s.tsv:2: expected the token 'saws' ({gold}:2), found the token 'saw'"),
        ("I\tc\nsaws\ti\n\nit\tc\n\nNo\tc\n.\ti\n", "s.tsv:3: expected the token 'it' ({gold}:3), found the end of the sentence"),
        ("I\tc\nsaws\ti\nit\tc\nNo\tc\n.\ti\n", "s.tsv:4: expected the end of the sentence ({gold}:4), found the token 'No'"),
        ("\nI\tc\nsaws\ti\nit\tc\n\n\nNo\tc\n,\ti\n", "s.tsv:8: expected the token '.' ({gold}:6), found the token ','"),
        ("I\tc\nsaws\ti\nit\tc\n", "s.tsv has 1 sentence, expected the 2 of {gold}"),
        (GOLD + "\nYes\tc\n", "s.tsv:8: expected the 2 sentences of {gold}, found the token 'Yes' in another sentence"),
        ("I\tc\nsaws\tx\n", "s.tsv:2: expected the label c or i, found 'x'"),
        ("", "s.tsv: the file is empty"),
        ("\n\n", "s.tsv has 0 sentences, expected the 2 of {gold}"),
    ],
)
def test_other_tokens_are_refused(tmp_path: Path, system: str, message: str) -> None:
    gold = write(tmp_path / "gold.tsv", GOLD)
    with pytest.raises(InputError) as caught:
        read_labelled_cases(gold, {"s": write(tmp_path / "s.tsv", system)})
    assert message.format(gold=gold) in str(caught.value)


def test_bad_gold(tmp_path: Path) -> None:
    system = write(tmp_path / "s.tsv", GOLD)
    with pytest.raises(InputError, match=r"gold.tsv:1: gold must have the label c or i in its last column, found a probability"):
        read_labelled_cases(write(tmp_path / "gold.tsv", "I\tc\t0.3\n"), {"s": system})
    with pytest.raises(InputError, match=r"gold.tsv: no sentences found"):
        read_labelled_cases(write(tmp_path / "gold.tsv", "\n\n"), {"s": system})
    with pytest.raises(UsageError, match="labelled tokens need a system, found none"):
        read_labelled_cases(system, {})
