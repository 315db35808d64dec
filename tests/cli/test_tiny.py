"""Every command, in every format, on inputs that say little: it prints something valid or gives a reason."""

from __future__ import annotations

import json
import re
from itertools import product
from pathlib import Path

import pytest

from errata.cli import main
from errata.settings import CORRECTIONS, TESTS
from errata.studies.detection import MEASURES
from errata.studies.detection.cases import _GRANULARITIES

from thoroughness import mixed

FORMATS = ("table", "json", "csv", "markdown", "latex")
CHARTS = ("improvement", "wacc", "intervals", "precision-recall", "length", "metrics")
EDIT = "A 0 1|||X|||c|||REQUIRED|||-NONE-|||0\n"
CORPORA = {  # gold and three systems
    "one sentence": (f"S a b\n{EDIT}\n", "c b\n", "a b\n", "\n"),
    "no annotation": ("S a b\n\nS c d\n\n", "a b\nc d\n", "a b\nc\n", "\n\n"),
    "nothing changes": (f"S a b\n{EDIT}\nS a b\n{EDIT}\n", "a b\na b\n", "a b\na b\n", "a b\na b\n"),
    "all right": (f"S a b\n{EDIT}\nS a b\n{EDIT}\n", "c b\nc b\n", "c b\nc b\n", "a b\nc b\n"),
    "empty sentences": ("S \n\nS \n\n", "\n\n", "\nx\n", "x\nx\n"),
    "one of each": (f"S a b\n{EDIT}\nS \n\nS c\n\n", "c b\n\nc\n", "a b\n\nc\n", "\n\n\n"),
}
TABLES = {
    "two right": "error,flagged\n1,1\n0,0\n",
    "one case": "error,flagged\n1,0\n",
    "only errors": "error,flagged_a,flagged_b\n1,1,0\n1,0,0\n",
    "no errors": "error,flagged_a,flagged_b\n0,0,0\n0,0,0\n",
    "equal confidences": "error,confidence,unit,document,type\n1,0.5,1,d,X\n0,0.5,1,d,\n0,0.5,2,d,\n",
    "three annotators": "error_1,error_2,error_3,flagged,confidence\n1,0,0,1,1\n1,1,1,1,0\n",
    "only zeros": "error,confidence_a,confidence_b\n0,0,0\n0,0,0\n",
}
ANSWERS = {
    "all equal": "sentence\tsource\tcorrection\tcount\n1\ta b\ta b\t3\n",
    "all different": "sentence\tsource\tcorrection\n1\ta b\ta\n1\ta b\tb\n",
    "one answer": "sentence\tsource\tcorrection\n1\ta b\ta\n",
    "two sentences": "sentence\tsource\tcorrection\tcount\n1\ta b\ta\t2\n1\ta b\tb\t1\n2\tc\t\t40\n",
}


def check(capsys: pytest.CaptureFixture[str], format_: str, arguments: list[str]) -> None:
    status = main([*arguments, "--format", format_, "-q"])
    captured = capsys.readouterr()
    assert status in {0, 1, 2}, (arguments, captured.err)
    assert (status == 0) == (captured.err == ""), (arguments, captured.err)
    assert captured.err.count("\n") <= 1
    if status == 0 and format_ == "json":
        json.loads(captured.out, parse_constant=pytest.fail)
    elif status == 0:
        assert not re.search(r"\b(nan|inf)\b", captured.out, re.IGNORECASE), captured.out


@pytest.fixture
def files(tmp_path: Path, request: pytest.FixtureRequest) -> list[str]:
    gold, *systems = CORPORA[request.param]
    (tmp_path / "g.m2").write_text(gold)
    (tmp_path / "documents").write_text("d\n" * gold.count("S "))
    for number, text in enumerate(systems):
        (tmp_path / f"s{number}.txt").write_text(text)
    return [str(tmp_path / "g.m2"), *(str(tmp_path / f"s{number}.txt") for number in range(3))]


EVERY_FORMAT = pytest.mark.parametrize("format_", FORMATS)
QUICK = ["--replicates", "100"]


@pytest.mark.parametrize(("files", "format_"), mixed(3, CORPORA, FORMATS), indirect=["files"])
def test_scores(files: list[str], format_: str, capsys: pytest.CaptureFixture[str]) -> None:
    gold, *systems = files
    documents = ["--documents", str(Path(gold).parent / "documents")]
    for metric in ("maxmatch", "imeasure", "hoo", "accuracy", "indexmatch"):
        for more in ([], ["--interval", "percentile"], ["--resample", "document", *documents], ["--rechoose"]):
            check(capsys, format_, ["score", gold, *systems, "-m", metric, "--confidence", *QUICK, *more])
        check(capsys, format_, ["score", gold, *systems, "-m", metric, "--by-type", "--confidence", *QUICK])
        check(capsys, format_, ["score", gold, *systems, "-m", metric, "--per-sentence"])
    check(capsys, format_, ["score", gold, *systems, "-m", "accuracy", "--confidence", "--interval", "exact"])
    check(capsys, format_, ["score", gold, *systems, "-m", "accuracy", "-m", "imeasure", "--confidence", *QUICK])
    check(capsys, format_, ["correlate", gold, *systems, "-m", "maxmatch", "-m", "imeasure", "-m", "accuracy"])
    if format_ == "json":
        check(capsys, format_, ["rerank", *systems, "--oracle", gold])
        check(capsys, format_, ["rerank", *systems, "--source", systems[0], "-m", "gleu"])
    check(capsys, format_, ["conservatism", gold, *systems])
    check(capsys, format_, ["stats", gold])
    check(capsys, format_, ["coverage", gold, "--confidence", "--replicates", "20"])


@pytest.mark.parametrize(("files", "format_", "test"), mixed(4, CORPORA, FORMATS, TESTS), indirect=["files"])
def test_comparisons(files: list[str], format_: str, test: str, capsys: pytest.CaptureFixture[str]) -> None:
    gold, *systems = files
    documents = ["--documents", str(Path(gold).parent / "documents")]
    for metric, correction in product(("maxmatch", "imeasure", "accuracy"), CORRECTIONS):
        check(capsys, format_, ["compare", gold, *systems, "-m", metric, "--test", test, "--correction", correction, *QUICK])
    for more in (["--rechoose"], ["--resample", "document", *documents]):
        check(capsys, format_, ["compare", gold, *systems, "--test", test, *QUICK, *more])


@pytest.mark.parametrize(("files", "format_", "case"), mixed(5, CORPORA, FORMATS, _GRANULARITIES), indirect=["files"])
def test_detection_in_corpora(files: list[str], format_: str, case: str, capsys: pytest.CaptureFixture[str]) -> None:
    gold, *systems = files
    for test in TESTS:
        check(capsys, format_, ["detect", gold, *systems, "--case", case, "--confidence", *QUICK, "--test", test])
    for by in ("sentence", "document", "case"):
        check(capsys, format_, ["detect", gold, *systems, "--case", case, "--confidence", *QUICK, "--resample", by])
    for judge in ("vote", "graded"):
        check(capsys, format_, ["detect", gold, *systems, "--case", case, "--judged-by", judge, "--confidence", *QUICK])


@pytest.mark.parametrize(("name", "format_"), mixed(3, TABLES, FORMATS))
def test_detection_in_tables(name: str, format_: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "t.csv").write_text(TABLES[name])
    table = str(tmp_path / "t.csv")
    for test in TESTS:
        check(capsys, format_, ["detect", table, "--confidence", *QUICK, "--test", test])
    for measure in MEASURES:
        check(capsys, format_, ["detect", table, "--confidence", *QUICK, "--measure", measure])
    for by in ("sentence", "document", "case"):
        check(capsys, format_, ["detect", table, "--confidence", *QUICK, "--resample", by])
    for threshold in ("0", "1"):
        check(capsys, format_, ["detect", table, "--threshold", threshold])
    for ending in ("csv", "json"):
        check(capsys, format_, ["detect", table, "--curves", str(tmp_path / f"c.{ending}"), "--points", "2"])
    if (tmp_path / "c.json").exists():
        json.loads((tmp_path / "c.json").read_text(), parse_constant=pytest.fail)


@pytest.mark.parametrize("name", ANSWERS)
@EVERY_FORMAT
def test_coverage(name: str, format_: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "t.tsv").write_text(ANSWERS[name])
    table = str(tmp_path / "t.tsv")
    for more in ([], ["--match", "index"], ["--per-sentence"], ["--matched-sentences", "0"], ["--reference-counts", "1,999999"]):
        check(capsys, format_, ["coverage", table, *more])
    check(capsys, format_, ["coverage", table, "--confidence", "--replicates", "20"])
    for more in (["--exclude-self"], ["--test-size", "1", "--error-free", "0"], ["--test-size", "2", "--error-free", "1"]):
        check(capsys, format_, ["coverage", table, "-m", "maxmatch", "--simulations", "1", "--reference-counts", "1,2", *more])


@EVERY_FORMAT
def test_chance(format_: str, capsys: pytest.CaptureFixture[str]) -> None:
    for prevalence, bias in product(("0", "0.5", "1", "1e-300"), repeat=2):
        check(capsys, format_, ["chance", "--prevalence", prevalence, "--bias", bias])


@pytest.mark.parametrize(("files", "kind"), mixed(2, CORPORA, CHARTS), indirect=["files"])
def test_charts(files: list[str], kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("vl_convert")
    gold, *systems = files
    metrics = ["-m", "maxmatch", "-m", "imeasure"] if kind == "metrics" else []
    status = main(["chart", kind, gold, *systems, *metrics, "-o", str(tmp_path / "c.svg"), "-q"])
    said = capsys.readouterr().err
    assert (status, said) == (0, "") or (status == 1 and re.search("needs (two sentences|one sentence) or more", said)), said
    assert status or "NaN" not in (tmp_path / "c.svg").read_text()


def test_charts_of_little_evidence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("vl_convert")
    chart = tmp_path / "c.svg"
    for name, text in (TABLES | ANSWERS).items():
        path = tmp_path / ("t.csv" if name in TABLES else "t.tsv")
        path.write_text(text)
        command = "detect" if name in TABLES else "coverage"
        chart.unlink(missing_ok=True)
        status = main([command, str(path), "--chart", str(chart), "-q"])
        assert status in {0, 1}, capsys.readouterr().err
        assert not chart.exists() or "NaN" not in chart.read_text()


@pytest.mark.parametrize("number", ["nan", "inf", "-1", "1e400", "", "x"])
def test_numbers_that_are_none(number: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table, answers = "examples/prepositions.csv", "examples/corrections.tsv"
    for arguments in (
        ["detect", table, f"--beta={number}"],
        ["detect", table, f"--threshold={number}"],
        ["detect", table, f"--confidence={number}"],
        ["detect", table, f"--points={number}", "--curves", f"{tmp_path}/x.csv"],
        ["chance", f"--prevalence={number}"],
        ["chance", f"--bias={number}"],
        ["coverage", answers, f"--target-accuracy={number}"],
        ["coverage", answers, "--worth-chart", f"{tmp_path}/x.svg", f"--reward={number}"],
        ["coverage", answers, "--worth-chart", f"{tmp_path}/x.svg", f"--penalty={number}"],
        ["score", "examples/learner.m2", "examples/systems/eager.txt", "-m", f"maxmatch(beta={number})"],
        ["score", "examples/learner.m2", "examples/systems/eager.txt", f"--digits={number}"],
    ):
        status = main(arguments)
        said = capsys.readouterr().err
        assert (status == 2 and said.startswith("errata: error: ")) or (number == "-1" and "--worth-chart" in arguments), (
            arguments,
            status,
        )
