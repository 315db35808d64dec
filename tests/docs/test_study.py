"""The page about metrics and people says what its numbers say, and its numbers are those that errata computes."""

from __future__ import annotations

from pathlib import Path

import pytest

from study_results import DataSet
from study_texts import (
    Compared,
    conclude,
    correct_rows,
    describe_best,
    describe_needed,
    find_least_p,
    join_names,
    write_comparisons,
    write_interval,
    write_number,
    write_p,
    write_table,
)
from write_study import DATA_SETS, DEFAULTS, METRICS, QUESTIONS, write_row

PAGE = Path("docs/metrics-and-people.md")
Values = tuple[float | None, float | None, float | None]


def compared(
    data: str = "D",
    metric: str = "a",
    other: str = "b",
    correlation: Values = (0.1, -0.1, 0.3),
    accuracy: Values = (0.02, -0.01, 0.05),
    tests: tuple[float | None, float | None, float | None] = (0.5, 0.5, 0.5),
    needed: int | None = 40,
) -> Compared:
    williams, permutation, p = tests
    return Compared(data, metric, other, correlation, williams, permutation, needed, accuracy, p)


def test_numbers_have_no_0_before_the_point() -> None:
    assert [write_number(value) for value in (0.694, -0.694, -0.001, 0.0, 0.999, -1.0, None)] == [
        ".69",
        "−.69",
        ".00",
        ".00",
        "1.00",
        "−1.00",
        "–",
    ]
    assert [write_number(value, 3, signed=True) for value in (0.0123, -0.0123, 0.0004)] == ["+.012", "−.012", ".000"]


def test_intervals() -> None:
    assert write_interval(0.688, 0.568, 0.831) == ".69 [.57, .83]"
    assert write_interval(0.05, -0.012, 0.1, 3, signed=True) == "+.050 [−.012, +.100]"
    assert write_interval(0.688, None, None) == ".69"


def test_p_values() -> None:
    assert [write_p(p) for p in (0.00001, 0.001, 0.0496, 0.99, 1.0, None)] == ["<.001", ".001", ".050", ".990", "1", "–"]


def test_tables() -> None:
    assert write_table(("A", "B"), [("x", "1")], 1) == "| A | B |\n| --- | ---: |\n| x | 1 |"
    assert (
        "| D | `a` | `b` | +.100 [−.100, +.300] | .500 | .500 | 40 | +.020 [−.010, +.050] | .500 |"
        in write_comparisons([compared()]).splitlines()
    )
    assert join_names(["a", "b"]) == "`a` and `b`"


def test_p_values_are_corrected_over_all_comparisons() -> None:
    rows = correct_rows([compared(tests=(0.01, 0.02, None)), compared(tests=(0.04, None, 0.03)), compared(tests=(0.03, 0.5, 0.6))])
    assert [row.williams for row in rows] == pytest.approx([0.03, 0.06, 0.06])
    assert [row.permutation for row in rows] == [0.04, None, 0.5]
    assert [row.p for row in rows] == [None, 0.06, 0.6]


def test_what_is_not_significant_is_not_claimed() -> None:
    assert conclude([compared(), compared("E")]) == [
        "- Correlation, same systems and other sentences: the interval excludes 0 in none of 2 comparisons.",
        "- Correlation, other systems: Williams' test is significant in none of 2 comparisons.",
        "- Correlation, other systems: the permutation test is significant in none of 2 comparisons.",
        "- Single sentences: the difference of accuracies is significant in none of 2 comparisons.",
    ]


def test_what_is_significant_has_a_direction() -> None:
    worse = compared("E", correlation=(-0.2, -0.3, -0.1), accuracy=(-0.04, -0.05, -0.03), tests=(0.04, 0.05, 0.001))
    better = compared("F", correlation=(0.2, 0.1, 0.3), accuracy=(0.03, 0.02, 0.04), tests=(0.2, 0.2, 0.01))
    sentences, williams, permutation, pairs = conclude([compared(), worse, better, better._replace(data="G")])
    assert sentences.endswith(
        "the interval excludes 0 in 3 of 4 comparisons:\n"
        "    - `b` is better than `a`: E +.200\n    - `a` is better than `b`: F +.200, G +.200"
    )
    assert williams.endswith("Williams' test is significant in 1 of 4 comparisons:\n    - `b` is better than `a`: E +.200")
    assert permutation.endswith("in none of 4 comparisons.")
    assert pairs.endswith("in 3 of 4 comparisons:\n    - `b` is better than `a`: E +.040\n    - `a` is better than `b`: F +.030, G +.030")


@pytest.mark.parametrize(
    ("p_values", "expected"),
    [
        ((0.5, 0.5), ", significantly higher than that of no other (T)."),
        ((0.01, 0.5), ", significantly higher than that of `a`, but not of `c` (T)."),
        ((0.01, 0.04), ", significantly higher than that of all others (T)."),
    ],
)
def test_the_best_metric(p_values: tuple[float, float], expected: str) -> None:
    rows = [compared(metric="a", other="b", tests=(p_values[0], 1, 1)), compared(metric="b", other="c", tests=(p_values[1], 1, 1))]
    rows.append(compared(metric="a", other="c", tests=(0, 0, 0)))
    found = describe_best("r", {"a": 0.2, "b": 0.91, "c": 0.7}, rows, lambda row: row.williams, "T")
    assert found == f"`b` has the highest r (.91){expected}"


def test_how_many_systems_are_needed() -> None:
    assert find_least_p(8) == 1 / 128
    rows = [compared(needed=needed) for needed in (10, None, 2000, 300)]
    assert describe_needed("D", 5, rows) == (
        "- D, 5 systems: the smallest p of the permutation test is .0625, so it cannot be significant."
        "\n  Williams' test would need from 10 to 2,000 systems, in half of the comparisons that are not significant 300 or more."
    )
    assert describe_needed("D", 8, []).endswith(".0078, before the correction for several comparisons.")


def test_all_metrics_of_questions_are_in_the_tables() -> None:
    asked = {metric for question in QUESTIONS for pair in question.pairs for metric, _ in pair}
    assert asked <= set(METRICS)
    assert len(set(METRICS)) == len(METRICS)


def test_the_page_has_all_rows() -> None:
    text = PAGE.read_text(encoding="utf-8")
    for metric in METRICS:
        assert text.count(f"\n| `{metric}` |") == len(DATA_SETS) + (metric in DEFAULTS), metric
    for question in QUESTIONS:
        assert f"\n### {question.title}\n" in text


def test_the_choice_of_references_does_not_change_accuracies() -> None:
    """The page says so."""
    (question,) = [question for question in QUESTIONS if "accuracies do not differ" in question.text]
    text = PAGE.read_text(encoding="utf-8").partition(f"### {question.title}\n")[2].partition("\n### ")[0]
    rows = [line for line in text.splitlines() if line.startswith(("| GJG15 |", "| SEEDA"))]
    assert len(rows) == len(question.pairs) * len(DATA_SETS)
    assert all(row.endswith("| .000 [.000, .000] | 1 |") for row in rows)


@pytest.mark.realdata
@pytest.mark.slow
@pytest.mark.parametrize(("name", "metric"), [("GJG15", "maxmatch"), ("SEEDA-E", "maxmatch"), ("SEEDA-S", "accuracy")])
def test_numbers_are_those_computed_now(data: Path, name: str, metric: str) -> None:
    row = " | ".join(write_row(DataSet(name, data).describe(metric)))
    section = PAGE.read_text(encoding="utf-8").partition(f"\n### {name}\n")[2].partition("\n##")[0]
    assert f"| {row} |" in section.splitlines()
