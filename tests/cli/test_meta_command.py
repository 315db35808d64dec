"""``errata meta`` and ``errata correlate --scores`` as commands."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from errata.cli import main

GOLD, SYSTEMS = "examples/learner.m2", [f"examples/systems/{name}.txt" for name in ("cautious", "eager", "rewriter")]
JUDGMENTS = "examples/judgments/rankings.tsv"
PEOPLE, SCORES = "examples/judgments/people.csv", "examples/judgments/scores.csv"
QUICK = ["--replicates", "100"]


@pytest.fixture
def with_input(tmp_path: Path) -> list[str]:
    """Outputs of all four judged systems; the source is one of them."""
    path = tmp_path / "INPUT.txt"
    with open(GOLD, encoding="utf-8") as file:  # noqa: PTH123 - as users name it
        path.write_text("".join(f"{line[2:]}" for line in file if line.startswith("S ")), encoding="utf-8")
    return [*SYSTEMS, str(path)]


def run_json(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    assert main([*arguments, "--format", "json"]) == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def test_tables(capsys: pytest.CaptureFixture[str], with_input: list[str]) -> None:
    options = ["-m", "maxmatch", "-m", "gleu", "--without", "INPUT", "--window", "3", "--by-judge", *QUICK]
    assert main(["meta", GOLD, *with_input, "--judgments", JUDGMENTS, *options]) == 0
    printed = capsys.readouterr()
    assert printed.err == ""
    titles = [
        "Metrics against people: systems",
        "Does one metric correlate better?",
        "Metrics against people: sentences",
        "Does one metric agree more often?",
        "Windows",
        "Metrics against single judges",
    ]
    assert [line for line in printed.out.splitlines() if line in titles] == titles
    assert "People: expected wins of 4 systems by 3 judges on 35 sentences." in printed.out
    assert "3 or 4 systems cannot decide the others" in printed.out
    assert "maxmatch(beta=0.5" in printed.out


def test_json_has_everything(capsys: pytest.CaptureFixture[str], with_input: list[str]) -> None:
    found = run_json(capsys, "meta", GOLD, *with_input, "--judgments", JUDGMENTS, *QUICK)
    assert found["systems"] == ["cautious", "eager", "rewriter", "INPUT"]
    assert found["people"]["scores"]["eager"] == pytest.approx(0.8552, abs=1e-4)
    assert found["people"]["first_sentence"] == 0
    assert [row["coefficient"] for row in found["correlations"]] == ["pearson", "spearman", "kendall"]
    (agreement,) = found["agreements"]
    assert (
        agreement["agree"] + agreement["disagree"] + agreement["first_better"] + agreement["first_worse"] + agreement["human_ties"] == 291
    )
    assert found["metrics"][0]["signature"].startswith("maxmatch(")
    assert found["settings"]["ties"] == "neither"


def test_numbers_do_not_depend_on_other_metrics(capsys: pytest.CaptureFixture[str]) -> None:
    alone, together = (
        run_json(capsys, "meta", GOLD, *SYSTEMS, "--judgments", JUDGMENTS, *QUICK, *more) for more in ([], ["-m", "gleu", "-m", "maxmatch"])
    )
    kept = [row for row in together["correlations"] if row["metric"] == "maxmatch"]
    assert kept == alone["correlations"]
    assert together["agreements"][1] == alone["agreements"][0]


def test_judged_sentences_only(capsys: pytest.CaptureFixture[str]) -> None:
    whole, part = (run_json(capsys, "meta", GOLD, *SYSTEMS, "--judgments", JUDGMENTS, *QUICK, *more) for more in ([], ["--judged-only"]))
    assert "subset" not in whole["metrics"][0]["signature"]
    assert "35 of 72 sentences" in part["metrics"][0]["signature"]
    assert whole["agreements"][0]["agree"] == part["agreements"][0]["agree"]
    assert whole["people"]["scores"] == part["people"]["scores"]
    assert whole["correlations"][0]["value"] != part["correlations"][0]["value"]


def test_missing_intervals_are_explained(capsys: pytest.CaptureFixture[str]) -> None:
    """Tables are the same for all sentences; so is everything without replicates."""
    for arguments in (
        ["--human-scores", PEOPLE, "--scores", SCORES],
        [GOLD, *SYSTEMS, "--judgments", JUDGMENTS, "--replicates", "0"],
    ):
        assert main(["meta", *arguments]) == 0
        assert "Low and High: –, because nothing was resampled; with 'systems'" in capsys.readouterr().out
    assert main(["meta", GOLD, *SYSTEMS, "--judgments", JUDGMENTS, *QUICK]) == 0
    assert "Low and High: what other sentences would give for these systems; with 'systems'" in capsys.readouterr().out


def test_judges_and_systems_are_chosen(capsys: pytest.CaptureFixture[str], with_input: list[str]) -> None:
    """A system that --leave-out names is no opponent, one that --without names still is."""
    whole = run_json(capsys, "meta", GOLD, *with_input, "--judgments", JUDGMENTS, *QUICK, "--without", "INPUT")
    part = run_json(capsys, "meta", GOLD, *with_input, "--judgments", JUDGMENTS, *QUICK, "--leave-out", "INPUT")
    assert whole["people"]["scores"]["eager"] != part["people"]["scores"]["eager"]
    assert part["systems"] == ["cautious", "eager", "rewriter"]
    ranked = run_json(capsys, "judgments", JUDGMENTS, "--leave-out", "INPUT")["ranking"]["systems"]
    assert part["people"]["scores"] == pytest.approx({row["system"]: row["score"] for row in ranked})
    judged = run_json(capsys, "meta", GOLD, *with_input, "--judgments", JUDGMENTS, *QUICK, "--judges", "anna", "--by-judge")
    assert {row["judge"] for row in judged["judges"]} == {"anna"}
    assert judged["people"]["scores"] != whole["people"]["scores"]


@pytest.mark.parametrize("given", [False, True], ids=["without an output", "with an output"])
def test_a_system_that_is_left_out_is_not_missed(capsys: pytest.CaptureFixture[str], with_input: list[str], *, given: bool) -> None:
    systems = with_input if given else SYSTEMS
    assert main(["meta", GOLD, *systems, "--judgments", JUDGMENTS, *QUICK, "--leave-out", "INPUT", "--unmatched", "refuse"]) == 0
    assert capsys.readouterr().err == ""


def test_csv_can_be_read(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["meta", GOLD, *SYSTEMS, "--judgments", JUDGMENTS, *QUICK, "--format", "csv"]) == 0
    rows = list(csv.reader(capsys.readouterr().out.splitlines()))
    assert "coefficient" in rows[0]


def test_rankings_by_trueskill_are_the_same_in_all_replicates(capsys: pytest.CaptureFixture[str]) -> None:
    options = ["--ranking", "trueskill", "--runs", "2", *QUICK]
    assert main(["meta", GOLD, *SYSTEMS, "--judgments", JUDGMENTS, *options]) == 0
    assert "The same in all replicates: scores by people." in capsys.readouterr().out


def write(path: Path, text: str) -> str:
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_other_scores_take_part(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    neural = write(tmp_path / "neural.csv", "system,neural\neager,0.9\ncautious,0.7\nrewriter,0.1\nother,0.2\n")
    found = run_json(capsys, "meta", GOLD, *SYSTEMS, "--judgments", JUDGMENTS, "--scores", neural, *QUICK)
    assert [metric["metric"] for metric in found["metrics"]] == ["maxmatch", "neural"]
    assert [row["metric"] for row in found["agreements"]] == ["maxmatch"]  # neural has no scores of sentences
    human = write(tmp_path / "human.csv", "system,people\neager,3\ncautious,2\nrewriter,1\nother,0\n")
    found = run_json(capsys, "meta", "--human-scores", human, "--scores", neural)
    assert found["systems"] == ["eager", "cautious", "rewriter", "other"]
    assert found["correlations"][1]["value"] == pytest.approx(0.8)
    found = run_json(capsys, "meta", "--judgments", JUDGMENTS, "--scores", neural, *QUICK)
    assert found["correlations"][0]["low"] is not None  # judgments are resampled


def test_sentences_of_other_scores(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """What errata itself says about sentences, read from a table, agrees as often with people."""
    own = run_json(capsys, "meta", GOLD, *SYSTEMS, "--judgments", JUDGMENTS, "-m", "gleu", *QUICK)
    rows = ["system,sentence,gleu"]
    for path in SYSTEMS:
        (score,) = run_json(capsys, "score", GOLD, path, "-m", "gleu", "--per-sentence")["scores"]
        rows += [f"{score['system']},{number},{row['value']!r}" for number, row in enumerate(score["per_sentence"], start=1)]
    table = write(tmp_path / "sentences.csv", "\n".join(rows) + "\n")
    found = run_json(capsys, "meta", "--judgments", JUDGMENTS, "--first-sentence", "0", "--scores", table, *QUICK)
    keys = ("agree", "disagree", "first_better", "first_worse", "accuracy", "tau")
    assert [found["agreements"][0][key] for key in keys] == [own["agreements"][0][key] for key in keys]


def test_correlate_takes_other_scores(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    table = write(tmp_path / "s.csv", "system,one,two\neager,1,3\ncautious,2,2\nrewriter,3,1\n")
    found = run_json(capsys, "correlate", GOLD, *SYSTEMS, "-m", "maxmatch", "--scores", f"{table}:one")
    assert found["correlations"][0]["metrics"] == ["maxmatch", "one"]
    found = run_json(capsys, "correlate", "--scores", table)
    assert found["correlations"][0]["spearman"] == pytest.approx(-1)
    assert main(["correlate", "--scores", table]) == 0
    assert "1.0000" in capsys.readouterr().out  # not times 100, as other scores may have any scale


def test_sweep(capsys: pytest.CaptureFixture[str], tmp_path: Path, with_input: list[str]) -> None:
    human = write(tmp_path / "human.csv", "system,people\neager,3\ncautious,2\nrewriter,1\nINPUT,0\nagain,3.5\n")
    again = [*with_input, write(tmp_path / "again.txt", Path(SYSTEMS[1]).read_text(encoding="utf-8"))]
    found = run_json(capsys, "meta", GOLD, *again, "--human-scores", human, "--sweep", "beta=0.1:2", *QUICK)
    assert [value["value"] for value in found["values"]] == [f"{tenth / 10:g}" for tenth in range(1, 21)]
    assert found["given"] == "maxmatch"
    assert sum(value["chosen"] for value in found["values"]) == found["pairs"] == 10
    assert sum(value["best_in"] for value in found["values"]) == pytest.approx(1)
    assert main(["meta", GOLD, *again, "--human-scores", human, "--sweep", "choice=official,optimal", *QUICK]) == 0
    assert "Values of choice against people" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([GOLD, *SYSTEMS], "give --judgments or --human-scores"),
        (["--judgments", JUDGMENTS], "there is nothing to compare with people"),
        ([GOLD, "--judgments", JUDGMENTS], "the following arguments are required: SYSTEM"),
        ([GOLD, *SYSTEMS, "--judgments", JUDGMENTS, "--unmatched", "refuse"], "1 system with judgments but without an output: INPUT"),
        ([GOLD, *SYSTEMS[:2], "--judgments", JUDGMENTS], "a correlation needs 3 systems or more, found 2"),
        ([GOLD, *SYSTEMS, "--judgments", JUDGMENTS, "--window", "5"], "a window must have from 3 to 3 systems here, found 5"),
        ([GOLD, *SYSTEMS, "--judgments", JUDGMENTS, "--without", "Eager"], "there is no such system"),
        ([GOLD, *SYSTEMS, "--judgments", JUDGMENTS, "--sweep", "beta=0.1:2"], "cross-validation over systems needs 5 systems or more"),
        ([GOLD, *SYSTEMS, "--judgments", JUDGMENTS, "--sweep", "bta=0.1:2"], "maxmatch has no setting 'bta'"),
        ([GOLD, *SYSTEMS, "--judgments", JUDGMENTS, "--ranking", "none"], "expected expected-wins, trueskill, bradley-terry, found 'none'"),
        (["--human-scores", PEOPLE, "--scores", SCORES, "-m", "gleu"], "--metric needs GOLD and SYSTEM..."),
        (["--human-scores", PEOPLE, "--scores", SCORES, "--by-judge"], "--by-judge needs --judgments"),
        (["--human-scores", PEOPLE, "--scores", SCORES, "--judges", "anna"], "--judges needs --judgments"),
        (["--human-scores", PEOPLE, "--scores", SCORES, "--leave-out", "eager"], "--leave-out needs --judgments"),
        (
            [GOLD, *SYSTEMS, "--judgments", JUDGMENTS, "--judges", "bob"],
            "there is no judge 'bob' in the judgments; there are anna, ben, cleo",
        ),
        ([GOLD, *SYSTEMS, "--judgments", JUDGMENTS, "--sweep", "beta=0.1:2", "--window", "3"], "--window cannot be combined with --sweep"),
        ([GOLD, *SYSTEMS, "--human-scores", PEOPLE, "--scores", SCORES, "--scores", SCORES], "two scores are named 'neural'"),
        ([GOLD, *SYSTEMS, "--judgments", JUDGMENTS, "--window-chart", "x.svg"], "--window-chart needs --window"),
        ([GOLD, *SYSTEMS, "--judgments", JUDGMENTS, "--first-sentence", "1"], "there is no sentence 0"),
        ([GOLD, *SYSTEMS, "--judgments", "examples/learner.m2"], "extension"),
    ],
)
def test_bad_arguments(capsys: pytest.CaptureFixture[str], arguments: list[str], message: str) -> None:
    assert main(["meta", *arguments]) in {1, 2}
    assert message in capsys.readouterr().err


def test_names_that_differ_are_suggested(capsys: pytest.CaptureFixture[str]) -> None:
    systems = [SYSTEMS[0], f"Eager.v2={SYSTEMS[1]}", SYSTEMS[2], f"eager={SYSTEMS[1]}"]
    main(["meta", GOLD, *systems[:3], "--judgments", JUDGMENTS, *QUICK])
    assert "eager; did you mean Eager.v2?" in capsys.readouterr().err


@pytest.mark.parametrize("command", [["meta", "--human-scores", PEOPLE, "--scores"], ["correlate", "--scores"]])
@pytest.mark.parametrize("name", ["", ":neural", ":*"])
def test_tables_of_scores_are_not_replaced(capsys: pytest.CaptureFixture[str], tmp_path: Path, command: list[str], name: str) -> None:
    text = Path(SCORES).read_text(encoding="utf-8")
    table = write(tmp_path / "scores.csv", text)
    assert main([*command, f"{table}{name}", "-o", table]) == 2
    assert f"writing {table} would replace the input {table}" in capsys.readouterr().err
    assert Path(table).read_text(encoding="utf-8") == text


def test_pictures_are_drawn_again(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """A picture that is there is replaced: it is no input; two of them cannot have the same name."""
    pytest.importorskip("altair")
    tables = ["meta", "--human-scores", PEOPLE, "--scores", SCORES, "--window", "3"]
    options = ("--chart", "--window-chart", "--heatmap")
    paths = [str(tmp_path / f"{option.strip('-')}.svg") for option in options]
    pictures = [word for pair in zip(options, paths, strict=True) for word in pair]
    for _ in range(2):
        assert main([*tables, *pictures]) == 0
    assert all(Path(path).read_text(encoding="utf-8").startswith("<svg") for path in paths)
    capsys.readouterr()
    assert main([*tables, "--window-chart", paths[0], "--heatmap", paths[0]]) == 2
    assert "two results would be written to" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("systems", "first", "expected"),
    [
        (SYSTEMS, "0", ""),
        (SYSTEMS, "1", "errata: warning: 15 of 15 outputs that judgments join differ, if sentences are counted from 1: "),
        (
            [SYSTEMS[0], f"eager={SYSTEMS[2]}", f"rewriter={SYSTEMS[1]}"],
            "0",
            "outputs that judgments join differ, if sentences are counted from 0: ",
        ),
    ],
)
def test_outputs_that_were_not_judged_are_noticed(
    capsys: pytest.CaptureFixture[str], systems: list[str], first: str, expected: str
) -> None:
    """By another number of the first sentence, or by the names of systems."""
    judgments = ["--judgments", "examples/judgments/rankings.tsv", "--first-sentence", first]
    main(["meta", GOLD, *systems, *judgments, "--replicates", "0", "--sentences", "1-72"])
    assert "that judgments join differ" not in capsys.readouterr().err
    main(["meta", GOLD, *systems, *judgments, "--replicates", "0"])
    found = capsys.readouterr().err
    assert expected in found
    assert bool(expected) == ("that judgments join differ" in found)


def test_judged_sentences_of_a_subset(capsys: pytest.CaptureFixture[str]) -> None:
    options = ["--judgments", JUDGMENTS, *QUICK, "--sentences", "1-40"]
    whole, part = (run_json(capsys, "meta", GOLD, *SYSTEMS, *options, *more) for more in ([], ["--judged-only"]))
    assert whole["people"] == part["people"]
    assert whole["agreements"][0]["agree"] == part["agreements"][0]["agree"]
    assert part["subset"]["sentences"] != whole["subset"]["sentences"]


def test_a_metric_is_not_confused_with_another_of_its_name(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    table = write(tmp_path / "s.csv", "system,maxmatch\neager,1\ncautious,2\nrewriter,3\n")
    assert main(["meta", GOLD, *SYSTEMS, "--judgments", JUDGMENTS, "--scores", table, *QUICK]) == 2
    assert "two metrics are named 'maxmatch'" in capsys.readouterr().err


def test_the_numbering_is_not_guessed_if_it_matters(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    items = ["1\tj\teager=1 cautious=2 rewriter=3", "2\tj\teager=2 cautious=1 rewriter=3"]
    judgments = write(tmp_path / "j.tsv", "\n".join(["sentence\tjudge\tranking", *items]) + "\n")
    rows = [f"{name},{number},0.{number}" for name in ("eager", "cautious", "rewriter") for number in (1, 2, 3)]
    table = write(tmp_path / "s.csv", "\n".join(["system,sentence,neural", *rows]) + "\n")
    assert main(["meta", "--judgments", judgments, "--scores", table, "--replicates", "0"]) == 2
    assert "--first-sentence says it" in capsys.readouterr().err
