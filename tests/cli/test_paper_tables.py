"""Tables for papers: chosen columns, the best in bold, letters of significance, names of metrics, types as rows and systems as columns."""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Callable
from pathlib import Path

import pytest

from errata import Corpus, System, score
from errata.cli import main
from errata.metrics import registry
from errata.metrics.maxmatch import MaxMatch
from errata.metrics.registry import write_names
from errata.report import Column, Table, render
from errata.report.tables.scores import _leaderboard
from errata.stats.comparison import Letters

GOLD, SYSTEMS = "examples/learner.m2", [f"examples/systems/{name}.txt" for name in ("cautious", "eager", "rewriter")]
ERRANT = ["examples/errant/gold.m2", *(f"examples/errant/{name}.m2" for name in ("cautious", "eager", "rewriter")), "-m", "errant"]
FEW = ["--replicates", "200"]

Run = Callable[..., str]


def body(text: str) -> list[str]:
    """Lines of a tabular, without comments."""
    return [line.strip() for line in text.splitlines() if line.endswith(r"\\")]


def columns(text: str) -> list[str]:
    return text.splitlines()[0].split()


def test_columns_are_chosen_and_ordered(run: Run) -> None:
    wanted = "system,recall,precision,value"
    assert columns(run("score", GOLD, *SYSTEMS, "--columns", wanted)) == ["System", "R", "P", "F0.5"]
    assert run("score", GOLD, *SYSTEMS, "--columns", wanted, "--format", "csv").splitlines()[0] == wanted
    assert "| System | R | P | F0.5 |" in run("score", GOLD, *SYSTEMS, "--columns", wanted, "--format", "markdown")
    assert columns(run("score", GOLD, *SYSTEMS, "--columns", "F0.5,system,P")) == ["F0.5", "System", "P"]  # headings
    text = run("score", GOLD, *SYSTEMS, "-m", "imeasure", "--parts", "correction", "--columns", "system,correction.tp,value")
    assert columns(text) == ["System", "TP", "I"]
    text = run("score", GOLD, SYSTEMS[0], "--per-sentence", "--columns", "sentence,value", "--format", "csv")
    assert text.splitlines()[0] == "sentence,value"
    assert len(text.splitlines()) == 73
    text = run("score", GOLD, SYSTEMS[0], "--by-type", "--tagger", "none", "--columns", "type,recall,gold")
    assert columns(text) == ["Type", "R", "Gold"]


def test_columns_of_several_metrics(run: Run) -> None:
    metrics = ["-m", "maxmatch", "-m", "maxmatch(beta=1,missing=noop)"]
    text = run("score", GOLD, *SYSTEMS, *metrics, "--columns", "maxmatch(beta=1.0,missing=noop),system")
    assert columns(text) == ["maxmatch(beta=1.0,missing=noop)", "System"]
    text = run("score", GOLD, *SYSTEMS, *metrics, "--confidence", *FEW, "--columns", "system,maxmatch.interval,maxmatch")
    assert columns(text) == ["System", "95%", "interval", "maxmatch"]


def test_columns_of_compare(run: Run) -> None:
    text = run("compare", GOLD, *SYSTEMS, *FEW, "--columns", "rank,system,value")
    assert columns(text) == ["Rank", "System", "F0.5"]
    assert "Effect" not in text  # the other tables have no rank
    assert columns(run("compare", GOLD, *SYSTEMS, *FEW, "--columns", "first,second,corrected p"))[:2] == ["First", "Second"]
    found = run("compare", GOLD, *SYSTEMS, *FEW, "--columns", "rank,effect", status=2)
    assert "no table has all of rank, effect; the columns of each are: rank, system, value, interval; " in found


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            ["--columns", "system,precison"],
            "there is no column 'precison'; choose from system, correct, proposed, gold, precision, recall, value; did you mean precision?",
        ),
        (["--columns", "system,,value"], "there is no column ''"),
        (["--columns", "system,system"], "the column 'system' is given twice"),
        (["--columns", "system,System"], "the column 'System' is given twice"),
        (["--columns", "system,certified.x", "-m", "imeasure"], "there is no column 'certified.x'"),
        (["--columns", "correction.tp", "-m", "imeasure"], "there is no column 'correction.tp'"),
        (["--columns", "correction.tp", "-m", "imeasure"], "; --parts correction.tp adds it"),
        (["--columns", "system,precision", "--letters", *FEW], "letters need the column value, which is not among system, precision"),
        (["--columns", "95% interval", "-m", "gleu", "-m", "maxmatch", "--confidence", *FEW], "is the heading of 2 columns; choose from"),
        (["--columns", "system", "--format", "json"], "--columns cannot be combined with --format json: JSON has everything"),
        (["--bold", "always"], "--bold always needs --format latex or markdown, found table"),
        (["--alpha", "0.1"], "--alpha needs --letters, which tests pairs of systems"),
        (["--replicates", "100"], "--replicates needs --confidence or --letters, which resample"),
        (["--letters", "--alpha", "1"], "--alpha must lie between 0 and 1, found 1.0"),
        (["--letters", "--alpha", "0.02", "--replicates", "140"], "take at least 149 replicates"),
        (["--letters", "--by-type"], "--letters cannot be combined with --by-type"),
        (["--pivot"], "--pivot needs --by-type"),
        (
            ["--by-type", "--pivot", "precison"],
            "argument --pivot: expected auto, f, precision, recall, found 'precison'; did you mean precision?",
        ),
        (["--pivot=wacc", "--by-type"], "argument --pivot: expected auto, f, precision, recall, found 'wacc'"),
        (["--pivot", "--by-type", "--confidence"], "--pivot cannot be combined with --confidence: it has one number for each system"),
    ],
)
def test_wrong_options(options: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["score", GOLD, *SYSTEMS, *options]) in {1, 2}
    assert message in capsys.readouterr().err


def test_letters_need_two_systems(run: Run) -> None:
    assert "--letters needs two systems or more, found 1" in run("score", GOLD, SYSTEMS[0], "--letters", status=1)


def test_the_best_is_bold_as_printed() -> None:
    table = Table(
        (Column("System"), Column("n", "count"), Column("F", "percent", is_contest=True)),
        (("a", 3, 0.500049), ("b", 9, 0.5), ("c", 9, 0.49994), ("d", 1, math.nan)),
    )
    assert table.find_best_cells() == {(0, 2), (1, 2)}
    lines = [r"a & 3 & \textbf{50.00} \\", r"b & 9 & \textbf{50.00} \\", r"c & 9 & 49.99 \\", r"d & 1 & -- \\"]
    assert body(render(table, "latex"))[1:] == lines
    assert r"\textbf" not in render(table, "latex", bold=False)
    assert "| a | 3 | **50.00** |" in render(table, "markdown", bold=True)
    assert "**" not in render(table, "markdown")


@pytest.mark.parametrize("values", [(0.5,), (0.5, None), (0.0, 0.0)])
def test_nothing_is_bold_without_a_contest(values: tuple[float | None, ...]) -> None:
    table = Table((Column("F", "percent", is_contest=True),), tuple((value,) for value in values))
    assert table.find_best_cells() == set()


def test_zero_is_the_best_of_negative_values() -> None:
    assert Table((Column("I", "percent", is_contest=True),), ((-0.1,), (0.0,))).find_best_cells() == {(1, 0)}


def test_counts_and_the_source_are_no_contest(run: Run) -> None:
    lines = body(run("score", GOLD, *SYSTEMS, "-m", "imeasure", "--parts", "correction,baseline.correction.wacc", "--format", "latex"))
    numbers = [line.split(" & ") for line in lines[1:]]
    heads = lines[0].removesuffix(r" \\").split(" & ")
    bold = {head for head, *cells in zip(heads, *numbers, strict=True) if any("textbf" in cell for cell in cells)}
    assert bold == {"P", "R", "F$_{0.5}$", "Acc", "Correction WAcc", "I"}


def test_one_command_makes_the_table_of_a_paper(run: Run) -> None:
    text = run("score", GOLD, *SYSTEMS, "--letters", *FEW, "--columns", "system,precision,recall,value", "--format", "latex")
    assert body(text) == [
        r"System & P & R & F$_{0.5}$ \\",
        r"eager & 62.91 & \textbf{78.51} & \textbf{65.52}$^{a}$ \\",
        r"cautious & \textbf{95.65} & 20.37 & 55.00$^{a}$ \\",
        r"rewriter & 31.61 & 49.59 & 34.08$^{b}$ \\",
    ]
    how = "randomisation test, holm correction, alpha 0.05; 200 replicates of sentences, seed 0"
    assert f"% Letters: systems that share one are not significantly different ({how}).\n" in text
    assert "% needs \\usepackage{booktabs}\n\\begin{tabular}{lrrr}\n" in text


def test_letters_are_a_column_elsewhere(run: Run) -> None:
    options = ["score", GOLD, *SYSTEMS, "--letters", "--test", "t"]
    rows = list(csv.DictReader(io.StringIO(run(*options, "--format", "csv"))))
    given = [row["letters"] for row in rows]  # in the given order
    assert sorted(set("".join(given))) == ["a", "b"]
    assert rows[0]["letters_by"] == "t test, holm correction, alpha 0.05; by sentence"
    assert columns(run(*options))[-2:] == ["F0.5", "Letters"]
    entries = json.loads(run(*options, "--format", "json"))["scores"]
    assert [entry["letters"] for entry in entries] == given
    text = run(*options, "--columns", "system,letters,value", "--format", "latex")  # apart from their value, they are a column of their own
    assert body(text)[:2] == [r"System & Letters & F$_{0.5}$ \\", r"eager & a & \textbf{65.52} \\"]


def test_letters_agree_with_compare(run: Run) -> None:
    pairs = json.loads(run("compare", GOLD, *SYSTEMS, "-m", "gleu", *FEW, "--format", "json"))["pairs"]
    entries = json.loads(run("score", GOLD, *SYSTEMS, "-m", "gleu", "--letters", *FEW, "--format", "json"))["scores"]
    letters = {entry["system"]: set(entry["letters"]) for entry in entries}
    for pair in pairs:
        assert bool(letters[pair["system"]] & letters[pair["other"]]) == (pair["corrected_p"] > 0.05)


def test_superscripts_line_up(gold: Corpus, systems: dict[str, System]) -> None:
    table = _leaderboard([score(gold, system) for system in systems.values()], letters=Letters(["b", "ab", "a"], "a test"))
    lines = body(render(table, "latex"))
    assert lines[1].endswith(r"\textbf{65.52}$^{ab}$ \\")
    assert lines[2].endswith(r"55.00$^{b}$\phantom{$^{b}$} \\")


def test_too_many_groups_are_named(gold: Corpus, systems: dict[str, System]) -> None:
    table = _leaderboard([score(gold, system) for system in systems.values()], letters=Letters(["", "", ""], "a test"))
    assert "Too many groups of systems are not significantly different, so they have no letters (a test)." in table.notes


def test_metrics_are_named_as_papers_do(run: Run) -> None:
    options = ["score", GOLD, *SYSTEMS, "-m", "maxmatch", "-m", "maxmatch(beta=1)", "-m", "gleu", "-m", "gleu(variant=expectation)"]
    assert body(run(*options, "--format", "latex"))[0] == (
        r"System & M$^2$ F$_{0.5}$ & M$^2$ F$_{1}$ & GLEU & GLEU (variant expectation) \\"
    )
    assert "| System | maxmatch | maxmatch(beta=1.0) | gleu |" in run(*options, "--format", "markdown")


@pytest.mark.parametrize(
    ("metrics", "names"),
    [
        (
            ["imeasure", "errant", "hoo", "accuracy", "indexmatch"],
            ["I-measure", "ERRANT F0.5", "HOO Correction F1", "Accuracy", "Index match"],
        ),
        (["uccasim", "distsim", "uccasim(direction=source)"], ["UCCASIM", "DISTSIM A+D", "UCCASIM (source)"]),
        (["maxmatch(ignore_case_and_space=true)", "maxmatch"], ["M² F0.5 (ignore case and space)", "M² F0.5"]),
        (["maxmatch(missing=noop)"], ["M² F0.5"]),
    ],
)
def test_names(metrics: list[str], names: list[str]) -> None:
    assert write_names([registry.metric(text) for text in metrics]) == names


def test_a_plug_in_has_its_own_name() -> None:
    class Other(MaxMatch):
        name = "other"

    assert Other().written_name == "other F0.5"


def test_names_of_systems_stay_as_they_are(run: Run) -> None:
    """A system that is named like a measure is not written like one."""
    systems = [f"{name}={path}" for name, path in zip(("F1", "a_b", "R"), SYSTEMS, strict=True)]
    lines = body(run("score", GOLD, *systems, "--by-type", "--pivot", "--tagger", "none", "--format", "latex"))
    assert lines[0] == r"Type & a\_b & F1 & R \\"


def test_types_are_rows_and_systems_columns(run: Run) -> None:
    text = run("score", *ERRANT, "--by-type", "--pivot")
    assert text.startswith("F0.5 by error type\n")
    lines = text.splitlines()
    assert lines[2].split() == ["Type", "eager", "cautious", "rewriter"]  # the best first
    assert next(line for line in lines if line.startswith("R:PREP ")).split() == ["R:PREP", "60.34", "53.57", "29.41"]
    assert next(line for line in lines if line.startswith("all ")).split() == ["all", "63.60", "52.88", "11.69"]
    assert "Without a value, so left out: M:VERB, R:ADJ, R:ADV, U:NOUN:POSS, U:PUNCT, U:VERB." in lines
    latex = body(run("score", *ERRANT, "--by-type", "--pivot", "--format", "latex"))
    assert r"M:PRON & 55.56 & \textbf{100.00} & 0.00 \\" in latex  # the best of each row


@pytest.mark.parametrize("measure", ["f", "precision", "recall"])
def test_a_pivot_has_the_numbers_of_the_long_table(run: Run, measure: str) -> None:
    """Every number of one table is in the other; systems are as given."""
    pivot = list(csv.DictReader(io.StringIO(run("score", *ERRANT, "--by-type", "--pivot", measure, "--format", "csv"))))
    assert list(pivot[0]) == ["type", "cautious", "eager", "rewriter"]
    found = {(row["type"], system): row[system] for row in pivot for system in list(pivot[0])[1:] if row[system]}
    long = list(csv.DictReader(io.StringIO(run("score", *ERRANT, "--by-type", "--format", "csv"))))
    assert found == {(row["type"], row["system"]): row[measure] for row in long if row[measure]}


def test_recall_where_some_types_have_no_f(run: Run) -> None:
    text = run("score", GOLD, *SYSTEMS, "--by-type", "--pivot")
    assert "Recall of each type, times 100 (not every type has F, because some wrong edits have no type)." in text
    text = run("score", GOLD, *SYSTEMS, "--by-type", "--pivot", "f", "-m", "maxmatch", "-m", "maxmatch(beta=1)")
    assert "F0.5 by error type, maxmatch\n" in text
    assert "F1 by error type, maxmatch(beta=1.0)\n" in text


def test_long_tables_can_break() -> None:
    table = Table((Column("a"),), tuple((str(number),) for number in range(51)))
    text = render(table, "latex")
    assert "% needs \\usepackage{booktabs,longtable}\n\\begin{longtable}{l}\n" in text
    assert "  \\midrule\n  \\endhead\n" in text
    assert text.endswith("\\end{longtable}\n")
    assert "longtable" not in render(Table(table.columns, table.rows[:50]), "latex")


@pytest.mark.realdata
def test_the_ranking_of_conll_2014(data: Path, run: Run) -> None:
    """F0.5 of the official table of results, from the outputs of the teams."""
    folder = data / "conll14"
    systems = [folder / "systems" / f"{name}.txt" for name in ("AMU", "CUUI", "IPN", "UFC")]
    options = ["--letters", "--test", "t", "--columns", "system,value", "--format", "latex", "-q"]
    lines = body(run("score", folder / "gold" / "official-2014.combined.m2", *systems, *options))
    assert [line.split("$")[0] for line in lines[1:]] == [r"CUUI & \textbf{36.79}", "AMU & 35.01", "UFC & 7.84", "IPN & 7.09"]
    assert all("$^{" in line for line in lines[1:])
