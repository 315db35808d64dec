"""``errata judgments``: tables, JSON, outputs, and what is refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from errata.cli import main
from errata.studies.judgments import measure_human_agreement, rank_by_judgments, read_judgments

Run = Callable[..., str]
TABLE, XML = (f"examples/judgments/rankings.{ending}" for ending in ("tsv", "xml"))
SYSTEMS = [f"examples/systems/{name}.txt" for name in ("cautious", "eager", "rewriter")]


def test_json_has_what_python_has(run: Run) -> None:
    record = json.loads(run("judgments", TABLE, "--format", "json", "--replicates", "200", "--seed", "7"))
    judgments = read_judgments(TABLE)
    agreement = measure_human_agreement(judgments.items)
    assert (record["items"], record["skipped"], record["single"], record["sentences"]) == (84, 1, 1, 35)
    assert record["collapsed"] == {"pairs": 291, "ties": 35}
    assert record["expanded"] == {"pairs": 504, "ties": 140}
    assert record["agreement"]["between"] == agreement.between
    assert [judge["kappa"] for judge in record["judges"]] == [agreement.with_others(judge) for judge in judgments.judges]
    assert [row["system"] for row in record["ranking"]["systems"]] == [row.system for row in rank_by_judgments(judgments)]
    assert record["numbering"] is record["identical"] is None
    assert json.loads(run("judgments", TABLE, "--format", "json", "--ranking", "none"))["ranking"] is None


def test_outputs_show_how_sentences_are_numbered(run: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for path, first in ((TABLE, 0), (XML, 1)):
        record = json.loads(run("judgments", path, "--outputs", *SYSTEMS, "--format", "json"))
        assert record["numbering"]["first"] == first
        assert record["numbering"]["equal"][first] == record["numbering"]["compared"] == 15
    other = tmp_path / "other.txt"
    other.write_text("A line .\n" * 72)
    assert main(["judgments", TABLE, "--outputs", *SYSTEMS, str(other)]) == 0
    err = capsys.readouterr().err
    assert "warning: 1 system with judgments but without an output: INPUT" in err
    assert "warning: 1 output without judgments: other" in err


def test_outputs_that_say_nothing_need_the_first_number(run: Run) -> None:
    message = run("judgments", TABLE, "--outputs", SYSTEMS[0], status=2)
    assert "of 0 joined outputs, 0 are equal if sentences are counted from 0, 0 from 1; --first-sentence says it" in message
    assert (
        json.loads(run("judgments", TABLE, "--outputs", SYSTEMS[0], "--first-sentence", "0", "--format", "json"))["numbering"]["first"] == 0
    )


def test_outputs_must_be_about_these_judgments(run: Run, tmp_path: Path) -> None:
    short = tmp_path / "eager.txt"
    short.write_text("A line .\n")
    assert "found 72 sentences of cautious, 1 sentence of eager" in run("judgments", TABLE, "--outputs", SYSTEMS[0], str(short), status=2)
    assert "there is no sentence 1: " in run("judgments", TABLE, "--outputs", str(short), "--first-sentence", "0", status=2)
    message = run("judgments", TABLE, "--outputs", f"Eeger={SYSTEMS[1]}", status=2)
    assert "no system has an output and judgments; judged: INPUT, cautious, eager; did you mean Eeger?, rewriter; outputs: Eeger" in message


def test_tables_of_pairs_and_of_judges(run: Run) -> None:
    printed = run("judgments", TABLE, "--head-to-head", "--by-judge-pair", "--format", "csv", "--replicates", "200")
    assert "judge,other,comparisons,agreeing,kappa" in printed
    assert "system,eager,cautious,INPUT,rewriter" in printed
    assert "rank,system,score,low,high,best_rank,worst_rank,cluster" in printed


@pytest.mark.parametrize("ranking", ["trueskill", "bradley-terry"])
def test_other_rankings(run: Run, ranking: str) -> None:
    quick = ("--runs", "5") if ranking == "trueskill" else ("--replicates", "100", "--resample", "judge")
    record = json.loads(run("judgments", TABLE, "--ranking", ranking, *quick, "--format", "json"))
    assert record["ranking"]["method"] == ranking
    assert [row["system"] for row in record["ranking"]["systems"]] == ["eager", "cautious", "INPUT", "rewriter"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--runs", "5"), "--runs needs --ranking trueskill"),
        (("--ranking", "trueskill", "--resample", "judge"), "--resample"),
        (("--first-sentence", "1"), "--first-sentence needs --outputs"),
        (("--ranking", "none", "--seed", "1"), "--seed"),
    ],
)
def test_options_that_would_be_ignored_are_refused(run: Run, arguments: tuple[str, ...], message: str) -> None:
    assert message in run("judgments", TABLE, *arguments, status=2)


def test_judges_and_systems_are_chosen(run: Run, tmp_path: Path) -> None:
    """By name, with the same numbers as if the others were not in the file."""
    record = json.loads(run("judgments", TABLE, "--judges", "anna, ben", "--leave-out", "INPUT", "--leave-out", "ben", "--format", "json"))
    assert [judge["judge"] for judge in record["judges"]] == ["anna"]
    assert record["systems"] == ["cautious", "eager", "rewriter"]
    lines = Path(TABLE).read_text(encoding="utf-8").splitlines()
    column = lines[0].split("\t").index("ranking")
    kept = [lines[0]]
    for line in lines[1:]:
        cells = line.split("\t")
        outputs = [output.rpartition("=") for output in cells[column].split()]
        names = [(",".join(name for name in systems.split(",") if name != "INPUT"), rank) for systems, _, rank in outputs]
        cells[column] = " ".join(f"{systems}={rank}" for systems, rank in names if systems)
        if "anna" in cells:
            kept.append("\t".join(cells))
    path = tmp_path / "anna.tsv"
    path.write_text("\n".join(kept) + "\n", encoding="utf-8")
    own = json.loads(run("judgments", str(path), "--format", "json"))
    assert own["ranking"] == record["ranking"]
    assert own["collapsed"] == record["collapsed"]
    message = run("judgments", TABLE, "--leave-out", "cleoo", status=2)
    assert "there is no system or judge 'cleoo' in the judgments" in message
    assert message.rstrip().endswith("did you mean cleo?")


def test_numbering_is_found_from_all_judgments(run: Run) -> None:
    """A system that is left out still shows how sentences are numbered."""
    record = json.loads(run("judgments", XML, "--outputs", *SYSTEMS, "--leave-out", "cautious", "--format", "json"))
    assert record["numbering"]["compared"] == 15


def test_time_is_given_in_full_and_as_a_median(run: Run) -> None:
    record = json.loads(run("judgments", XML, "--ranking", "none", "--format", "json"))
    seconds = sorted(item.seconds or 0.0 for item in read_judgments(XML).items)
    assert record["seconds"] == pytest.approx(sum(seconds))
    assert record["median_seconds"] == pytest.approx((seconds[41] + seconds[42]) / 2)
    printed = run("judgments", XML, "--ranking", "none", "--format", "csv").splitlines()
    assert printed[0].endswith("minutes,median_seconds")
    assert printed[-1].endswith(f",{round(sum(seconds) / 60)},{round(record['median_seconds'])}")
    assert "Minutes: the time of all items, with breaks" in run("judgments", XML, "--ranking", "none")
    assert "Minutes: " not in run("judgments", TABLE, "--ranking", "none")


def test_a_judge_who_disagrees_with_everybody_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = ["sentence\tjudge\tranking"]
    for number in range(60):
        better, worse = ("A", "B") if number % 2 else ("B", "A")
        rows += [f"{number}\t{judge}\t{better}=1 {worse}=2" for judge in ("anna", "ben")] + [f"{number}\tcleo\t{worse}=1 {better}=2"]
    path = tmp_path / "a.tsv"
    path.write_text("\n".join(rows) + "\n")
    assert main(["judgments", str(path)]) == 0
    assert "warning: cleo agrees with no other judge better than chance" in capsys.readouterr().err
