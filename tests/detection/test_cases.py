"""The scheme of writer, annotator and system, tables of cases, and what is wrong with some."""

from __future__ import annotations

import csv
import gzip
import json
from pathlib import Path

import numpy as np
import pytest

from errata import InputError, UsageError
from errata.studies.detection import Answers, Cases, Labels, count_cases
from errata.studies.detection.tables import _find_layout, _Layout, read_cases


def table(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def counts_of(cases: Cases, aspect: str = "detection", system: int = 0) -> list[float]:
    return [float(number) for number in count_cases(cases, cases.systems[system], aspect)[0]]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("written", "annotated", "system", "detection", "correction"),
    [
        ("X", "X", "X", "tn", "tn"),
        ("X", "X", "Y", "fp", "fp"),
        ("X", "Y", "X", "fn", "fn"),
        ("X", "Y", "Y", "tp", "tp"),
        ("X", "Y", "Z", "tp", "fp and fn"),
    ],
)
def test_figure_4(tmp_path: Path, written: str, annotated: str, system: str, detection: str, correction: str) -> None:
    cases = read_cases(table(tmp_path / "x.csv", f"written,annotated,system\n{written},{annotated},{system}\n"))
    outcomes = {"tp": [1, 0, 0, 0, 0], "fp": [0, 1, 0, 0, 0], "fn": [0, 0, 1, 0, 0], "tn": [0, 0, 0, 1, 0], "fp and fn": [0, 1, 1, 0, 1]}
    assert counts_of(cases) == outcomes[detection]
    assert counts_of(cases, "correction") == outcomes[correction]


def test_figures_1_and_3(tmp_path: Path) -> None:
    """Commas: all eight combinations; an empty cell is no comma."""
    rows = [f"{w},{a},{s}" for w in ('","', "") for a in ('","', "") for s in ('","', "")]
    cases = read_cases(table(tmp_path / "x.csv", "written,annotated,system\n" + "\n".join(rows) + "\n"))
    assert counts_of(cases) == counts_of(cases, "correction") == [2, 2, 2, 2, 0]


def test_graded_judgments(tmp_path: Path) -> None:
    """Section 3.5.2: if 80% of judgments are Error, a system that flags adds .8 to TP and .2 to FP, one that does not to FN and TN."""
    path = table(tmp_path / "x.csv", "error,judges,flagged\n4,5,1\n4,5,0\n")
    cases = read_cases(path)
    assert cases.graded
    assert counts_of(cases) == pytest.approx([0.8, 0.2, 0.8, 0.2, 0])


def test_judges_as_columns(tmp_path: Path) -> None:
    """Two of three want another word, one of them the system's: found to two thirds, corrected to one."""
    cases = read_cases(table(tmp_path / "x.csv", "written,annotated_1,annotated_2,annotated_3,system\nin,on,at,in,on\nin,on,on,on,in\n"))
    assert counts_of(cases) == pytest.approx([2 / 3, 1 / 3, 1, 0, 0])
    assert counts_of(cases, "correction") == pytest.approx([1 / 3, 2 / 3, 1 + 1 / 3, 0, 1 / 3])


@pytest.mark.parametrize("ending", ["csv", "tsv", "jsonl", "parquet", "csv.gz"])
def test_formats(tmp_path: Path, ending: str) -> None:
    rows = [
        {"written": "in", "annotated": "on", "system": "on", "confidence": 0.9, "type": "a", "unit": "1"},
        {"written": "in", "annotated": "in", "system": "", "confidence": 0.25, "type": "b", "unit": "1"},
        {"written": 'of, "all"', "annotated": "of\nnone", "system": 'of, "all"', "confidence": 0.0, "type": "a", "unit": "2"},
    ]
    path = tmp_path / f"x.{ending}"
    if ending == "jsonl":
        path.write_text("\n".join(json.dumps(row) for row in rows) + "\n")
    elif ending == "parquet":
        pa = pytest.importorskip("pyarrow")
        from pyarrow import parquet

        parquet.write_table(pa.Table.from_pylist(rows), path)
    else:
        import csv
        import io

        text = io.StringIO()
        writer = csv.DictWriter(text, list(rows[0]), delimiter="\t" if ending == "tsv" else ",")
        writer.writeheader()
        writer.writerows(rows)
        path.write_bytes(gzip.compress(text.getvalue().encode()) if ending.endswith("gz") else text.getvalue().encode("utf-8-sig"))
    cases = read_cases(path)
    assert cases.error.tolist() == [1, 0, 1]
    (answers,) = cases.systems
    assert answers.flagged.tolist() == [True, True, False]
    assert answers.fixed.tolist() == [1, 0, 0]
    assert answers.confidence.tolist() == [0.9, 0.25, 0.0]
    assert cases.types is not None
    assert cases.types.codes.tolist() == [0, 1, 0]
    assert cases.types.names == ("a", "b")
    assert cases.units is not None
    assert cases.units.codes.tolist() == [0, 0, 1]


def test_numbers_in_parquet(tmp_path: Path) -> None:
    pa = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    columns = {"error": [1, 0, 1], "flagged": [True, False, False], "confidence": [0.5, 0.25, None], "unit": [7, 7, 8]}
    parquet.write_table(pa.table({name: column for name, column in columns.items() if name != "confidence"}), tmp_path / "x.parquet")
    cases = read_cases(tmp_path / "x.parquet")
    assert counts_of(cases) == [1, 0, 1, 1, 0]
    assert cases.units is not None
    assert cases.units.names == ("7", "8")
    parquet.write_table(pa.table(columns), tmp_path / "y.parquet")
    with pytest.raises(InputError, match=r"y.parquet:3: confidence: expected a number from 0 to 1, found None"):
        read_cases(tmp_path / "y.parquet")


def test_columns_with_other_names(tmp_path: Path) -> None:
    path = table(tmp_path / "x.csv", "original,gold,mine,yours,p,q\na,b,b,a,0.9,0.1\n")
    columns = {"written": ["original"], "annotated": ["gold"], "system": ["mine", "yours"], "confidence": ["p", "q"]}
    cases = read_cases(path, columns=columns)  # type: ignore[arg-type]
    assert [answers.name for answers in cases.systems] == ["mine", "yours"]
    assert [counts_of(cases, system=index) for index in (0, 1)] == [[1, 0, 0, 0, 0], [0, 0, 1, 0, 0]]
    assert [answers.confidence.tolist() for answers in cases.systems] == [[0.9], [0.1]]


def test_systems_by_their_names() -> None:
    layout = _find_layout(["error", "flagged_a", "confidence_a", "confidence_b"])
    assert isinstance(layout, _Layout)
    assert [(system.name, system.flagged, system.confidence) for system in layout.systems] == [
        ("a", "flagged_a", "confidence_a"),
        ("b", None, "confidence_b"),
    ]


def test_confidences_alone_flag_from_one_half(tmp_path: Path) -> None:
    cases = read_cases(table(tmp_path / "x.csv", "error,confidence\n1,0.5\n1,0.49\nno,1\n"))
    assert counts_of(cases) == [1, 1, 1, 0, 0]
    lower = cases.systems[0].at(0.4)
    assert lower.flagged.tolist() == [True, True, True]
    with pytest.raises(UsageError, match="correction needs the corrections of system and of annotators"):
        counts_of(cases, "correction")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "x.csv: the table is empty"),
        ("written,annotated,system\n", "x.csv: the table has no cases"),
        (
            "written,system\na,b\n",
            "x.csv:1: no column marks errors: expected the columns written and annotated, or error, found written, system",
        ),
        ("annotated,system\na,b\n", "the column annotated needs a column written, found annotated, system"),
        (
            "written,annotated\na,b\n",
            "x.csv:1: the system has no column: expected a column system, flagged or confidence, found written",
        ),
        ("error,system\n1,b\n", "the column system needs a column written"),
        ("error,annotated,written,system\n1,b,c,d\n", "annotated and error both mark errors; use only one of them"),
        ("written,annotated,judges,system\na,b,2,d\n", "the column judges needs exactly one column error"),
        ("error,flagged,flagged\n1,1,1\n", "two columns are named 'flagged'"),
        ("error,flagged\n1,1\n1\n", "x.csv:3: expected 2 columns, found 1"),
        ("error,flagged\n1,1\n1,maybe\n", "x.csv:3: flagged: expected 1 or 0, true or false, yes or no, found 'maybe'"),
        ("error,flagged\n1,1\n1,\n", "x.csv:3: flagged: expected 1 or 0"),
        ("error,confidence\n1,0.5\n1,1.01\n", "x.csv:3: confidence: expected a number from 0 to 1, found '1.01'"),
        ("error,confidence\n1,-0.5\n", "expected a number from 0 to 1, found '-0.5'"),
        ("error,confidence\n1,high\n", "x.csv:2: confidence: expected a number from 0 to 1, found 'high'"),
        ("error,confidence\n1,nan\n", "expected a number from 0 to 1, found 'nan'"),
        ("error,confidence\n1,\n", "expected a number from 0 to 1, found ''"),
        (
            "error,flagged\nperhaps,1\n",
            "x.csv:2: error: expected a number from 0 to 1 (or a whole number, with a column judges), found 'perhaps'",
        ),
        ("error,judges,flagged\n3,2,1\n", "x.csv:2: error: expected at most the number of judges, found '3'"),
        ("error,judges,flagged\n0,0,1\n", "x.csv:2: judges: expected a whole number from 1, found '0'"),
        ("error,judges,flagged\n0.5,2,1\n", "x.csv:2: error: expected a whole number from 0, found '0.5'"),
        ("error,judges,flagged\n-1,2,1\n", "x.csv:2: error: expected a whole number from 0, found '-1'"),
        ('error,flagged,note\n1,1,"two\nlines"\n1,1,"a\nb\nc"\n1,2,x\n', "x.csv:7: flagged"),
        ('error,flagged\n1,"1\n', "x.csv:2: a quoted field does not end before the end of the file"),
        ("error,flagged\n1,1\0\n", "x.csv:2: "),
    ],
)
def test_bad_tables_are_named(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        read_cases(table(tmp_path / "x.csv", text))
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (["[1]"], "x.jsonl:1: a row must be an object, found list"),
        (['{"error": 1, "flagged": 1}', "", '{"error": 1}'], "x.jsonl:3: expected the key 'flagged', found error"),
        (['{"error": 1, "flagged": 1}', "", '{"error": 1, "flagged": "x"}'], "x.jsonl:3: flagged: expected 1 or 0"),
        (
            ['{"error": 1, "confidence": 1}', '{"error": 1, "confidence": true}'],
            "x.jsonl:2: confidence: expected a number from 0 to 1, found True",
        ),
        (
            ['{"written": "a", "annotated": "b", "system": "c"}', '{"written": "a", "annotated": 3, "system": "c"}'],
            "x.jsonl:2: annotated: expected a text, found 3",
        ),
        (["{"], "x.jsonl:1: not JSON"),
        ([""], "x.jsonl: the table is empty"),
    ],
)
def test_bad_json_lines_are_named(tmp_path: Path, lines: list[str], message: str) -> None:
    with pytest.raises(InputError) as caught:
        read_cases(table(tmp_path / "x.jsonl", "\n".join(lines) + "\n"))
    assert message in str(caught.value)


def test_bad_requests(tmp_path: Path) -> None:
    path = table(tmp_path / "x.csv", "error,flagged,confidence_a,confidence_b\n1,1,0,1\n")
    with pytest.raises(InputError, match=r"there is no column 'wrong'; the columns are error, flagged, confidence_a, confidence_b"):
        read_cases(path, columns={"error": ["wrong"]})
    with pytest.raises(UsageError, match="unknown role 'gold' of a column; choose from written, annotated"):
        read_cases(path, columns={"gold": ["error"]})  # type: ignore[dict-item]
    with pytest.raises(UsageError, match="1 column for flagged, but 2 for confidence; each system needs one of each"):
        read_cases(path, columns={"flagged": ["flagged"], "confidence": ["confidence_a", "confidence_b"]})
    with pytest.raises(UsageError, match="only one column can be type, found error, flagged"):
        read_cases(path, columns={"type": ["error", "flagged"]})
    with pytest.raises(UsageError, match=r"a table must have the extension .csv, .tsv, .jsonl or .parquet, found 'x.txt'"):
        read_cases("x.txt")
    with pytest.raises(InputError, match="there is no such file"):
        read_cases(tmp_path / "none.csv")
    with pytest.raises(UsageError, match="a threshold needs confidences, but x has none"):
        Answers("x", np.array([True])).at(0.5)


def test_groups() -> None:
    labels = Labels(np.array([0, 1, 1, 0]), ("a", "b"))
    cases = Cases(np.array([1.0, 0, 1, 0]), (Answers("x", np.array([True, True, False, False])),), types=labels)
    assert count_cases(cases, cases.systems[0], "detection", labels).tolist() == [[1, 0, 0, 1, 0], [0, 1, 1, 0, 0]]


def test_names_that_only_look_like_roles(tmp_path: Path) -> None:
    """Where a column has the very name of a role, others that begin with it have none."""
    path = table(tmp_path / "x.csv", "written,annotated,annotated_at,system,system_version,error_type\na,b,2026,b,3,Prep\n")
    cases = read_cases(path)
    assert counts_of(cases) == [1, 0, 0, 0, 0]
    assert not cases.graded
    assert len(cases.systems) == 1
    assert cases.types is None
    assert read_cases(path, columns={"type": ["error_type"]}).types is not None
    dated = table(tmp_path / "y.csv", "written,annotated_1,annotated_2,annotated_at,system\na,b,a,2026,b\n")
    assert read_cases(dated).error.tolist() == [0.5]


def test_judgments_as_columns(tmp_path: Path) -> None:
    cases = read_cases(table(tmp_path / "x.csv", "error_1,error_2,flagged\n1,0,1\n1,1,0\n"))
    assert cases.graded
    assert counts_of(cases) == [0.5, 0.5, 1, 0, 0]


def test_a_confidence_without_an_owner_is_nobodys(tmp_path: Path) -> None:
    """Of several systems that are named by hand, only confidences that are named too belong to them."""
    path = table(tmp_path / "x.csv", "error,out_a,out_b,confidence_b,confidence_a\n1,1,0,0.1,0.9\n")
    cases = read_cases(path, columns={"flagged": ["out_a", "out_b"]})
    assert [answers.confidence for answers in cases.systems] == [None, None]
    single = table(tmp_path / "y.csv", "error,out,confidence\n1,1,0.9\n")
    assert read_cases(single, columns={"flagged": ["out"]}).systems[0].confidence.tolist() == [0.9]


def test_two_systems_of_one_name(tmp_path: Path) -> None:
    path = table(tmp_path / "x.csv", "error,a,b\n1,1,1\n")
    with pytest.raises(InputError, match="two systems are named 'a'"):
        read_cases(path, columns={"flagged": ["a", "a"]})


def test_what_pandas_writes(tmp_path: Path) -> None:
    assert counts_of(read_cases(table(tmp_path / "x.csv", "error,flagged\n1.0,1.0\n0.0,True\n\n1.0,0.0\n\n"))) == [1, 1, 1, 0, 0]
    with pytest.raises(InputError, match=r"x.csv:5: flagged"):
        read_cases(table(tmp_path / "x.csv", "error,flagged\n1,1\n\n\n1,x\n"))


def test_new_keys_are_not_dropped(tmp_path: Path) -> None:
    path = table(tmp_path / "x.jsonl", '{"error": 1, "flagged": 1}\n{"error": 0, "flagged": 0, "confidence": 0.2}\n')
    with pytest.raises(
        InputError, match=r"x.jsonl:2: unknown key 'confidence'; all objects must have the keys of the first: error, flagged"
    ):
        read_cases(path)


def test_arrays_of_whole_numbers() -> None:
    cases = Cases(np.array([1, 0, 0]), (Answers("x", np.array([1, 0, 1])),))
    assert counts_of(cases) == [1, 1, 0, 1, 0]


def test_broken_parquet(tmp_path: Path) -> None:
    pa = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    (tmp_path / "x.parquet").write_bytes(b"PAR1 nonsense PAR1")
    with pytest.raises(InputError, match=r"x.parquet: cannot be read as Parquet"):
        read_cases(tmp_path / "x.parquet")
    bad = pa.array([b"\xff\xfe"]).cast(pa.binary()).view(pa.string())
    parquet.write_table(pa.table({"written": bad, "annotated": ["a"], "system": ["a"]}), tmp_path / "y.parquet")
    with pytest.raises(InputError, match=r"y.parquet: cannot be read as Parquet"):
        read_cases(tmp_path / "y.parquet")
    decimals = pa.array([1.5, 0.5]).cast(pa.decimal128(3, 2))
    parquet.write_table(pa.table({"error": [1, 0], "confidence": decimals}), tmp_path / "z.parquet")
    with pytest.raises(InputError, match=r"z.parquet:1: confidence: expected a number from 0 to 1, found 1.5"):
        read_cases(tmp_path / "z.parquet")


def test_a_limit_of_the_whole_process_is_left_as_it_was(tmp_path: Path) -> None:
    before = csv.field_size_limit(1000)
    try:
        cases = read_cases(table(tmp_path / "x.csv", f"written,annotated,system\n{'X' * 5000},Y,Y\n"))
        assert counts_of(cases) == [1, 0, 0, 0, 0]
        assert csv.field_size_limit() == 1000
    finally:
        csv.field_size_limit(before)
