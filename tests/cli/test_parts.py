"""``errata score --parts``: any part of a score in tables and CSV."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from errata.cli import main
from errata.metrics.ratios import PrecisionRecallF
from errata.report.tables.scores import _flatten_parts

GOLD, SYSTEMS = "examples/learner.m2", [f"examples/systems/{name}.txt" for name in ("cautious", "eager", "rewriter")]
TABLE_11 = "correction,baseline.correction.wacc"

Run = Callable[..., str]


def headings(text: str) -> list[str]:
    return text.splitlines()[0].split("  ")


def test_the_columns_of_table_11(run: Run) -> None:
    lines = run("score", GOLD, *SYSTEMS, "-m", "imeasure", "--parts", TABLE_11, "--format", "markdown").splitlines()
    assert lines[0] == ("| System | TP | TN | FP | FN | FPN | P | R | F0.5 | Acc | Correction WAcc | Baseline correction WAcc | I |")
    assert lines[2] == "| cautious | 22 | 957 | 1 | 107 | 1 | 95.65 | 17.05 | 49.77 | 90.15 | 90.30 | 88.12 | 18.36 |"
    latex = run("score", GOLD, *SYSTEMS, "-m", "imeasure", "--parts", TABLE_11, "--format", "latex")
    assert "System & TP & TN & FP & FN & FPN & P & R & F$_{0.5}$ & Acc & Correction WAcc & Baseline correction WAcc & I" in latex


@pytest.mark.parametrize("metric", ["imeasure", "maxmatch", "accuracy", "hoo", "imeasure(per=corpus)"])
def test_csv_has_every_part_of_json(run: Run, metric: str) -> None:
    entries = json.loads(run("score", GOLD, *SYSTEMS, "-m", metric, "--format", "json"))["scores"]
    rows = list(csv.DictReader(run("score", GOLD, *SYSTEMS, "-m", metric, "--parts", "all", "--format", "csv").splitlines()))
    for entry, row in zip(entries, rows, strict=True):
        parts = dict(_flatten_parts(entry["parts"]))
        names = [f"parts.{name}" if name == "system" else name for name in parts]
        assert list(row)[2 : 2 + len(parts)] == names
        assert [row[name] for name in names] == ["" if part is None else str(part) for part in parts.values()]


def test_detection_is_a_group(run: Run) -> None:
    text = run("score", GOLD, *SYSTEMS, "-m", "imeasure", "--parts", "detection")
    assert "Parts: detection.\n" in text
    assert "Certified:" not in text
    assert text.splitlines()[2].split()[:5] == ["cautious", "23", "957", "0", "106"]
    assert "Certified:" in run("score", GOLD, *SYSTEMS, "-m", "imeasure", "--parts", "detection,certified")
    assert "Certified:" in run("score", GOLD, *SYSTEMS, "-m", "imeasure")


def test_parts_of_sentences(run: Run) -> None:
    entry = json.loads(run("score", GOLD, SYSTEMS[1], "-m", "imeasure", "--per-sentence", "--format", "json"))["scores"][0]
    text = run("score", GOLD, SYSTEMS[1], "-m", "imeasure", "--per-sentence", "--parts", "detection.tn,correction.fpn", "--format", "csv")
    for item, row in zip(entry["per_sentence"], csv.DictReader(text.splitlines()), strict=True):
        assert int(row["detection.tn"]) == item["parts"]["detection"]["tn"]
        assert int(row["correction.fpn"]) == item["parts"]["correction"]["fpn"]


def test_several_metrics_get_a_table_each(run: Run) -> None:
    text = run("score", GOLD, *SYSTEMS, "-m", "imeasure", "-m", "maxmatch", "--parts", "correction.tp,correct")
    first, second = (block.splitlines()[0].split() for block in text.split("\n\n") if block.startswith("System"))
    assert (first, second) == (["System", "TP", "I"], ["System", "Correct", "F0.5"])
    text = run("score", GOLD, *SYSTEMS, "-m", "imeasure", "-m", "maxmatch", "--parts", "correction.tp,correct", "--format", "csv")
    assert [(row["correction.tp"] == "", row["correct"] == "") for row in csv.DictReader(text.splitlines())] == (
        [(False, True)] * 3 + [(True, False)] * 3
    )


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            ["--parts", "detecton"],
            "imeasure has no part 'detecton'; choose from detection, correction, baseline, certified, sentences or all",
        ),
        (["--parts", "correction.tpp"], "did you mean correction.tp?"),
        (["--parts", ""], "imeasure has no part ''"),
        (["--parts", "all", "--format", "json"], "--parts cannot be combined with --format json: JSON has all parts"),
        (["--parts", "all", "-o", "x.json"], "--parts cannot be combined with --format json"),
        (["--parts", "all", "--by-type"], "--parts cannot be combined with --by-type"),
    ],
)
def test_bad_parts(run: Run, options: list[str], message: str) -> None:
    assert message in run("score", GOLD, *SYSTEMS, "-m", "imeasure", *options, status=2)
    assert not Path("x.json").exists()


REFERENCES = [f"examples/references/{name}.txt" for name in ("source", "first", "second", "chosen", "other", "s1", "s2")]


def test_the_example_of_table_7(run: Run) -> None:
    """Both systems are best against 1.2, 2.1 and 3.1, where S1 is better; against 1.1, 2.1 and 3.2 S2 is better."""
    source, first, second, chosen, other, *systems = REFERENCES

    def f(*references: str, metric: str = "imeasure") -> dict[str, float]:
        options = [text for path in references for text in ("-r", path)]
        record = json.loads(run("score", source, *options, *systems, "-m", metric, "--format", "json"))
        return {entry["system"]: entry["parts"]["correction"]["f"] for entry in record["scores"]}

    best = f(first, second, metric="imeasure(references=single)")
    assert best == f(chosen)
    assert best["s1"] > best["s2"]
    assert f(other)["s2"] > f(other)["s1"]
    for system in systems:
        shown = json.loads(
            run("inspect", source, "-r", first, "-r", second, system, "-m", "imeasure(references=single)", "--format", "json")
        )
        assert [item["reference"] for item in shown["sentences"]] == Path(chosen).read_text().splitlines()
    texts = [Path(path).read_text().splitlines() for path in (first, second)]
    assert Path(other).read_text().splitlines() == [texts[0][0], texts[0][1], texts[1][2]]
    assert Path(chosen).read_text().splitlines() == [texts[1][0], texts[0][1], texts[0][2]]


@pytest.mark.parametrize(("p", "r", "f"), [(0.60, 0.20, 0.43), (0.80, 0.05, 0.20), (0.30, 0.30, 0.30), (0.30, 0.40, 0.32)])
def test_f_of_table_7_follows_from_p_and_r(p: float, r: float, f: float) -> None:
    ratios = PrecisionRecallF.over((1, 0, 0), (0, 1, 0), (0, 0, 1), beta=0.5)
    assert round(ratios.of((round(1e6), round(1e6 / p), round(1e6 / r))).f, 2) == f


def test_a_metric_without_the_parts_shows_its_value_only(capsys: pytest.CaptureFixture[str]) -> None:
    command = ["score", "examples/learner.m2", "examples/systems/eager.txt", "-m", "imeasure", "-m", "maxmatch"]
    assert main([*command, "--parts", "precision"]) == 0
    printed = capsys.readouterr().out
    assert [line.split() for line in printed.splitlines() if line.startswith("System")] == [["System", "I"], ["System", "P", "F0.5"]]
    assert "The metric has none of the parts." in printed
