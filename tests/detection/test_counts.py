"""Tables of counts, and cases with a column that counts them."""

from __future__ import annotations

import csv
import json
import re
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from errata import Bootstrap, InputError, RequestError
from errata.formats.problems import Problem
from errata.studies.detection import (
    MEASURES,
    compare_detectors,
    compute_measure_intervals,
    evaluate_detection,
    evaluate_types,
    make_curve,
)
from errata.studies.detection.measures import JudgedSystem, judge_systems
from errata.studies.detection.tables import COUNT_NAMES, _CountsLayout, _find_layout, read_cases, read_judged_systems

FIGURES = """\
system,tp,fp,fn,tn
Figure 5,.04,.16,.16,.64
Figure 7,.10,.10,.10,.70
Figure 8,.12,.18,.28,.42
Figure 9,12,18,28,42
Figure 10,12,18,28,142
"""


def table(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def read(path: Path, text: str) -> list[JudgedSystem]:
    return read_judged_systems(table(path, text))


@pytest.mark.parametrize(
    ("figure", "expected"),
    [
        ("Figure 5", {"accuracy": 0.68, "kappa": 0, "precision": 0.2, "recall": 0.2, "f": 0.2, "prevalence": 0.2, "bias": 0.2}),
        ("Figure 7", {"accuracy": 0.8, "expected": 0.68, "kappa": 0.375, "prevalence": 0.2, "bias": 0.2}),
        ("Figure 8", {"accuracy": 0.54, "kappa": 0, "precision": 0.4, "recall": 0.3, "f": 12 / 35, "prevalence": 0.4, "bias": 0.3}),
        ("Figure 9", {"accuracy": 0.54, "kappa": 0, "precision": 0.4, "recall": 0.3, "f": 12 / 35, "prevalence": 0.4, "bias": 0.3}),
        ("Figure 10", {"accuracy": 0.77, "kappa": 6 / 29, "precision": 0.4, "recall": 0.3, "f": 12 / 35, "prevalence": 0.2, "bias": 0.15}),
    ],
)
def test_figures_of_the_paper(tmp_path: Path, figure: str, expected: dict[str, float]) -> None:
    """Each comes out of one row: proportions (Figures 5, 7 and 8) or counts (9 and 10)."""
    judged = {item.answers.name: item for item in read(tmp_path / "x.csv", FIGURES)}[figure]
    values = evaluate_detection(judged).values
    assert {name: values[name] for name in expected} == pytest.approx(expected, abs=1e-12)
    assert judged.cases.total == {"Figure 9": 100, "Figure 10": 200}.get(figure)


@pytest.mark.parametrize("ending", ["csv", "tsv", "jsonl", "parquet"])
def test_formats(tmp_path: Path, ending: str) -> None:
    rows = [{"type": "Prep", "tp": 12, "fp": 18, "fn": 28, "tn": 142}, {"type": "", "tp": 1, "fp": 0, "fn": 2, "tn": 3}]
    path = tmp_path / f"x.{ending}"
    if ending == "jsonl":
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    elif ending == "parquet":
        pa = pytest.importorskip("pyarrow")
        from pyarrow import parquet

        parquet.write_table(pa.Table.from_pylist(rows), path)
    else:
        with path.open("w", newline="") as file:
            writer = csv.DictWriter(file, list(rows[0]), delimiter="\t" if ending == "tsv" else ",")
            writer.writeheader()
            writer.writerows(rows)
    (judged,) = read_judged_systems(path)
    assert evaluate_detection(judged).counts == (13, 18, 30, 145, 0)
    assert {name: item.counts[:4] for name, item in evaluate_types(judged).items()} == {"Prep": (12, 18, 28, 142), "": (1, 0, 2, 3)}


COUNTS = st.integers(0, 12)


@given(COUNTS, COUNTS, COUNTS, COUNTS)
def test_counts_and_cases_have_the_same_values_and_intervals(
    tmp_path_factory: pytest.TempPathFactory, tp: int, fp: int, fn: int, tn: int
) -> None:
    """One row of counts, four rows with a column count, and a row for each case are the same, replicates included."""
    folder = tmp_path_factory.mktemp("counts")
    outcomes = [("1,1", tp), ("0,1", fp), ("1,0", fn), ("0,0", tn)]
    if tp + fp + fn + tn < 2:
        return
    found = [
        read(folder / "a.csv", f"tp,fp,fn,tn\n{tp},{fp},{fn},{tn}\n"),
        read(folder / "b.csv", "error,flagged,count\n" + "".join(f"{row},{count}\n" for row, count in outcomes)),
        read(folder / "c.csv", "error,flagged\n" + "".join(f"{row}\n" * count for row, count in outcomes)),
    ]
    settings = Bootstrap(replicates=100)
    made = [evaluate_detection(judged, bootstrap=settings) for (judged,) in found]
    assert made[0].counts == made[1].counts == made[2].counts == (tp, fp, fn, tn, 0)
    assert made[0].intervals == made[1].intervals == made[2].intervals
    assert {judged.cases.total for (judged,) in found} == {tp + fp + fn + tn}


ROW = st.tuples(st.integers(0, 3), st.integers(0, 1), st.sampled_from(["0.1", "0.5", "0.9"]), st.integers(0, 3), st.sampled_from("ab"))


@given(st.lists(ROW, min_size=1, max_size=12))
def test_a_row_that_counts_k_cases_is_k_rows(tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[int, int, str, int, str]]) -> None:
    """Graded judgments, two systems, confidences, types and sentences too; a row that counts no cases is no row."""
    if sum(row[3] for row in rows) < 2:
        return
    folder = tmp_path_factory.mktemp("counts")
    header = "error,judges,flagged_a,confidence_b,type,unit"
    lines = [(f"{error},3,{flagged},{confidence},{name},{name}", count) for error, flagged, confidence, count, name in rows]
    counted = read_cases(table(folder / "a.csv", f"{header},count\n" + "".join(f"{line},{count}\n" for line, count in lines)))
    listed = read_cases(table(folder / "b.csv", f"{header}\n" + "".join(f"{line}\n" * count for line, count in lines)))
    assert counted.total == listed.total == len(listed)
    assert counted.types is not None
    assert listed.types is not None
    assert counted.types.names == listed.types.names
    settings = Bootstrap(replicates=100)
    for one, other in zip(judge_systems(counted), judge_systems(listed), strict=True):
        assert evaluate_detection(one).counts == pytest.approx(evaluate_detection(other).counts)
        for name, item in evaluate_types(other).items():
            assert evaluate_types(one)[name].counts == pytest.approx(item.counts)
        by_case = [compute_measure_intervals(item, [MEASURES["kappa"]], "detection", 1.0, settings, "case") for item in (one, other)]
        assert by_case[0] == by_case[1]
    curves = [make_curve(cases, cases.systems[1]) for cases in (counted, listed)]
    assert curves[0].counts == pytest.approx(curves[1].counts)
    assert curves[0].cases == curves[1].cases
    accuracy = MEASURES["accuracy"]
    (first,), (second,) = (
        compare_detectors(judge_systems(cases), accuracy, "detection", 1.0, settings, "case") for cases in (counted, listed)
    )
    assert first.p == second.p
    assert (first.low, first.high) == pytest.approx((second.low, second.high))


def test_a_trillion_cases(tmp_path: Path) -> None:
    """Counts are weights: nothing is as long as they are large, and small counts beside them are no rounding errors."""
    rows = [(12, 18, 28, 10**12), (10**12, 3, 4, 5)]
    judged = read(tmp_path / "x.csv", "system,tp,fp,fn,tn\n" + "".join(f"{k},{','.join(map(str, row))}\n" for k, row in enumerate(rows)))
    for item, (tp, fp, fn, tn) in zip(judged, rows, strict=True):
        assert len(item.cases) == 4
        assert item.cases.total == tp + fp + fn + tn
        found = evaluate_detection(item, bootstrap=Bootstrap(replicates=200))
        n = tp + fp + fn + tn
        expected = Fraction((tp + fn) * (tp + fp) + (fp + tn) * (fn + tn), n * n)
        assert found.value("kappa") == pytest.approx(float((Fraction(tp + tn, n) - expected) / (1 - expected)), rel=1e-12)
        said = 2 * tp + fp + fn
        chance = Fraction(2 * said * (2 * n - said), 2 * n * (2 * n - 1))
        assert found.value("alpha") == pytest.approx(float(1 - Fraction(fp + fn, n) / chance), rel=1e-12)
        interval = found.intervals["kappa"]
        assert interval is not None
        assert interval.low < found.values["kappa"] < interval.high  # type: ignore[operator]
    cases = read_cases(table(tmp_path / "y.csv", f"error,confidence,count\n1,0.9,{10**12}\n0,0.2,7\n1,0.1,{10**12}\n"))
    assert len(cases) == 3
    assert make_curve(cases, cases.systems[0]).counts[-1].tolist() == [2 * 10**12, 7, 0, 0, 0]


def test_proportions(tmp_path: Path) -> None:
    (judged,) = read(tmp_path / "x.csv", "tp,fp,fn,tn\n.33,.33,.33,0\n")
    assert judged.cases.total is None
    assert judged.cases.notes == ("The proportions sum to 0.99.",)
    found = evaluate_detection(judged)
    assert found.value("precision") == pytest.approx(0.5)
    assert found.value("alpha") is None
    assert found.reasons["alpha"] == "the number of cases is unknown"
    with pytest.raises(RequestError, match="an interval needs the number of cases, but only proportions of system are known; use counts"):
        evaluate_detection(judged, bootstrap=Bootstrap())
    (whole,) = read(tmp_path / "x.csv", "tp,fp,fn,tn\n0,0,0,1\n")
    assert whole.cases.total == 1


def test_graded_counts_need_their_number(tmp_path: Path) -> None:
    """The counts of graded judgments (section 3.5.2) are not whole, but each case still adds 1 to their sum."""
    (judged,) = read(tmp_path / "x.csv", "tp,fp,fn,tn,n\n24.33,12.67,12.33,110.67,160\n")
    assert judged.cases.graded
    assert judged.cases.total == 160
    assert evaluate_detection(judged).value("kappa") == pytest.approx(0.5591, abs=1e-4)
    with pytest.raises(RequestError, match="an interval needs whole counts, but those of system are graded; use a table of cases"):
        evaluate_detection(judged, bootstrap=Bootstrap())


def test_systems_of_counts_cannot_be_tested(tmp_path: Path) -> None:
    judged = read(tmp_path / "x.csv", "system,tp,fp,fn,tn\na,1,2,3,4\nb,1,2,3,4\n")
    with pytest.raises(RequestError, match="systems cannot be tested in pairs: a test needs what each says about every case"):
        compare_detectors(judged, MEASURES["kappa"], "detection", 1.0, Bootstrap(), "case")


def test_names_in_any_case_and_given_ones() -> None:
    assert _find_layout(["System", " TP", "FP", "FN ", "TN", "N", "note"]) == _CountsLayout(" TP", "FP", "FN ", "TN", "N", "System")
    given = {"tp": ["hits"], "n": ["cases"]}
    assert _find_layout(["hits", "cases", "fp", "fn", "tn"], given) == _CountsLayout("hits", "fp", "fn", "tn", "cases")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("tp,fp,fn\n1,2,3\n", "x.csv:1: counts need the columns tp, fp, fn and tn; there is no tn, found tp, fp, fn"),
        ("tp\n1\n", "there is no fp and no fn and no tn, found tp"),
        (
            "tp,fp,fn,tn,error,flagged\n1,2,3,4,1,1\n",
            "x.csv:1: counts (tp, fp, fn, tn) cannot be combined with cases (error, flagged) in one table",
        ),
        ("tp,fp,fn,tn,unit\n1,2,3,4,1\n", "counts (tp, fp, fn, tn) cannot be combined with cases (unit)"),
        ("tp,TP,fp,fn,tn\n1,2,3,4,1\n", "two columns are named 'tp': tp, TP"),
        ("tp,fp,fn,tn,count\n1,2,3,4,10\n", "the column 'count' is not read; if it is the number of cases, the sum of tp, fp, fn and tn"),
        ("tp,fp,fn,tn\n", "x.csv: the table has no cases"),
        (
            "tp,fp,fn,tn\n1,2,3,4\n1,2,3,4\n",
            "x.csv:3: expected one row, or a column system or type that names them, found another in line 2",
        ),
        ("system,tp,fp,fn,tn\na,1,2,3,4\nb,1,2,3,4\na,1,2,3,5\n", "x.csv:4: expected one row for the system 'a', found another in line 2"),
        (
            "system,type,tp,fp,fn,tn\na,x,1,2,3,4\na,x,1,2,3,4\n",
            "x.csv:3: expected one row for the system 'a' and the type 'x', found another in line 2",
        ),
        ("system,tp,fp,fn,tn\n,1,2,3,4\n", "x.csv:2: system: expected the name of a system, found ''"),
        ("tp,fp,fn,tn\n1,2,3,-4\n", "x.csv:2: tn: expected a number from 0, found '-4'"),
        ("tp,fp,fn,tn\n1,2,3,\n", "x.csv:2: tn: expected a number from 0, found ''"),
        ("tp,fp,fn,tn\n1,2,3,nan\n", "x.csv:2: tn: expected a number from 0, found 'nan'"),
        ("tp,fp,fn,tn\n1,2,3,inf\n", "x.csv:2: tn: expected a number below 9,007,199,254,740,992, found 'inf'"),
        ("tp,fp,fn,tn\n5e15,5e15,3,4\n", "x.csv: system has more cases than can be counted, 9,007,199,254,740,992"),
        (
            "tp,fp,fn,tn\n1,2,3,4.5\n",
            "x.csv:2: tp, fp, fn, tn: expected whole numbers, or proportions that sum to 1 (graded counts need a column n), found 1, 2",
        ),
        ("tp,fp,fn,tn\n.1,.2,.3,.5\n", "found 0.1, 0.2, 0.3, 0.5, which sum to 1.1"),
        ("tp,fp,fn,tn\n.1,.2,.3,-.4\n", "x.csv:2: tn: expected a number from 0, found '-.4'"),
        ("tp,fp,fn,tn,n\n1,2,3,4,11\n", "x.csv:2: tp, fp, fn, tn: expected numbers that sum to n (11), found 1, 2, 3, 4, which sum to 10"),
        ("type,tp,fp,fn,tn\na,.1,.2,.3,.4\nb,.1,.2,.3,.4\n", "x.csv:3: proportions need one row for each system, found 2 of 'system'"),
        ("type,tp,fp,fn,tn\na,.1,.2,.3,.4\nb,1,2,3,4\n", "x.csv:3: proportions need one row for each system, found 2 of 'system'"),
        ("system,tp,fp,fn,tn\n" + "".join(f"s{k},1,2,3,4\n" for k in range(1001)), "x.csv:1002: more than 1,000 systems"),
        ("error,flagged,count\n1,1,1.5\n", "x.csv:2: count: expected a whole number from 0, found '1.5'"),
        ("error,flagged,count\n1,1,4\n1,1,-1\n", "x.csv:3: count: expected a whole number from 0, found '-1'"),
        ("error,flagged,count\n1,1,many\n", "x.csv:2: count: expected a whole number from 0, found 'many'"),
        ("error,flagged,count\n1,1,0\n", "x.csv: the table has no cases: all counts are 0"),
        ("tp,fp,fn,tn\n0,0,0,0\n", "x.csv: the table has no cases: all counts are 0"),
        ("system,tp,fp,fn,tn\na,0,0,0,0\nb,0,0,0,0\n", "x.csv: the table has no cases: all counts are 0"),
        ("error,flagged,count\n1,7,0\n", "x.csv:2: flagged: expected 1 or 0"),
        ("error,flagged,count\n1,1,9e15\n0,0,9e15\n", "x.csv: more cases than can be counted, 9,007,199,254,740,992"),
    ],
)
def test_bad_tables_are_named(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        read(tmp_path / "x.csv", text)
    assert message in str(caught.value)


@pytest.mark.parametrize("name", [*sorted(COUNT_NAMES - {"count"}), "Count", "FREQ"])
def test_a_column_of_counts_is_never_skipped(tmp_path: Path, name: str) -> None:
    path = table(tmp_path / "x.csv", f"error,flagged,{name}\n1,1,12\n0,1,18\n1,0,28\n0,0,142\n")
    with pytest.raises(InputError) as caught:
        read_judged_systems(path)
    assert f"the column {name!r} is not read; if it is how many cases each row stands for, use --column count={name}" in str(caught.value)
    (judged,) = read_judged_systems(path, columns={"count": [name]})
    assert evaluate_detection(judged).counts[:4] == (12, 18, 28, 142)


def test_the_documentation_lists_these_names() -> None:
    text = Path("docs/detection.md").read_text(encoding="utf-8")
    (line,) = (line for line in text.splitlines() if line.startswith("These names are, in upper or lower case:"))
    assert re.findall("`(.*?)`", line) == sorted(COUNT_NAMES)


def test_a_given_count_makes_others_harmless(tmp_path: Path) -> None:
    path = table(tmp_path / "x.csv", "error,flagged,freq,n\n1,1,12,1\n")
    assert read_cases(path, columns={"count": ["freq"]}).total == 12


def test_a_row_that_is_a_total_is_reported(tmp_path: Path) -> None:
    path = table(tmp_path / "x.csv", "type,tp,fp,fn,tn\na,1,2,3,4\nb,1,2,3,4\nall,2,4,6,8\n")
    problems: list[Problem] = []
    read_judged_systems(path, warn=problems.append)
    assert [(problem.line, problem.severity) for problem in problems] == [(4, "warning")]
    assert "the row 'all' is the sum of the other rows of its system, and is counted too" in problems[0].message
    problems.clear()
    read_judged_systems(table(tmp_path / "y.csv", "type,tp,fp,fn,tn\na,1,2,3,4\nb,1,2,3,4\n"), warn=problems.append)
    assert not problems


def test_counts_are_not_cases(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is a table of counts, expected cases; read it with read_judged_systems"):
        read_cases(table(tmp_path / "x.csv", "tp,fp,fn,tn\n1,2,3,4\n"))


def test_weights_of_rows_that_are_equal() -> None:
    """Groups of equal rows add their weights."""
    from errata.studies.detection import Answers, Cases
    from errata.studies.detection.measures import _group_counts

    cases = Cases(np.array([1.0, 1, 0]), (Answers("x", np.array([True, True, False])),), weights=np.array([2.0, 3, 4]))
    groups = _group_counts([JudgedSystem(cases, cases.systems[0])], "detection", "case")
    assert (groups.times.tolist(), groups.units) == ([4, 5], 9)
