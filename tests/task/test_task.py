"""A task from one file to its tables."""

from __future__ import annotations

import csv
import json
import shutil
from pathlib import Path

import pytest

from errata import InputError
from errata.cli import main
from errata.task import read_task

TASK = "examples/task.toml"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A copy of the example task."""
    for name in ("task.toml", "essays.sgml", "alternatives.sgml"):
        shutil.copy(Path("examples") / name, tmp_path)
    shutil.copytree("examples/essays", tmp_path / "essays")
    return tmp_path


def test_every_table_in_every_format(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["task", "run", TASK, "-o", str(tmp_path / "results")]) == 0
    names = {path.name for path in (tmp_path / "results").iterdir()}
    tables = ("ranking", "ranking-alternatives", "types", "types-alternatives")
    assert names == {f"{table}.{ending}" for table in tables for ending in ("md", "tex", "csv", "json")}
    assert "16 files written" in capsys.readouterr().out
    ranked = json.loads((tmp_path / "results" / "ranking.json").read_text(encoding="utf-8"))
    assert [(row["rank"], row["system"], row["correct"]) for row in ranked["rows"]] == [(1, "bold", 9), (2, "careful", 4)]
    with (tmp_path / "results" / "types-alternatives.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert float(rows[0]["Prep_recall"]) == 0.75
    assert (tmp_path / "results" / "types.tex").read_text(encoding="utf-8").count("\\\\") == 3


def test_the_ranking_is_that_of_the_converted_gold(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    types = "ArtOrDet,Prep,Nn,Vform,SVA"
    main(["task", "run", TASK, "-o", str(tmp_path)])
    main(
        [
            "convert",
            "examples/essays.sgml",
            "--alternatives",
            "examples/alternatives.sgml",
            "--types",
            types,
            "-o",
            str(tmp_path / "gold.m2"),
        ]
    )
    capsys.readouterr()
    systems = ["examples/essays/bold.txt", "examples/essays/careful.txt"]
    main(["score", str(tmp_path / "gold.m2"), *systems, "-m", "maxmatch(beta=1)", "--format", "json"])
    scores = {entry["system"]: entry["value"] for entry in json.loads(capsys.readouterr().out)["scores"]}
    ranked = json.loads((tmp_path / "ranking-alternatives.json").read_text(encoding="utf-8"))
    assert {row["system"]: row["value"] for row in ranked["rows"]} == scores


def test_gold_may_be_m2_and_metrics_several(folder: Path) -> None:
    main(["convert", str(folder / "essays.sgml"), "-o", str(folder / "gold.m2")])
    (folder / "task.toml").write_text(
        'gold = "gold.m2"\nsystems = ["essays/bold.txt"]\nmetrics = ["maxmatch", "imeasure", "hoo"]\ntagger = "none"\n', encoding="utf-8"
    )
    assert main(["task", "run", str(folder / "task.toml"), "-o", str(folder / "out")]) == 0
    names = {path.name for path in (folder / "out").iterdir() if path.suffix == ".md"}
    assert names == {"ranking-1.md", "types-1.md", "ranking-2.md", "ranking-3.md", "types-3.md"}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("gold = [", "not TOML"),
        ('gold = "essays.sgml"\n', "the key 'systems' is missing"),
        ('gold = "essays.sgml"\nsystems = "essays/*.txt"\nteams = 3\n', "unknown key 'teams'; choose from gold, systems, title"),
        ('gold = "nowhere.sgml"\nsystems = "essays/*.txt"\n', "there is no file"),
        ('gold = "essays.sgml"\nsystems = "nowhere/*.txt"\n', "no file matches 'nowhere/*.txt'"),
        ('gold = "essays.sgml"\nsystems = "/tmp/*.txt"\n', "relative to the folder of the task file"),
        ('gold = 3\nsystems = "essays/*.txt"\n', "gold must be a list of strings, found a value of type int"),
        ('gold = "essays.sgml"\nsystems = ["a**b.txt"]\n', "the pattern 'a**b.txt' cannot be used"),
        ("title = " + "1" * 5000, "task.toml: not TOML"),
        ("title = " + "[" * 5000, "task.toml:1: more than 8 brackets inside each other"),
        ('title = "a.b"\na' + ".a" * 30_000, "task.toml:2: a key of more than 8 parts"),
        ("a = 1\n[" + "a." * 30_000 + "a]", "task.toml:2: a key of more than 8 parts"),
        ('a = """\n\n"""\nb = [{c = [' + "{d = [" * 9, "task.toml:4: more than 8 brackets inside each other"),
        ('title = "x"\ngold = \n', "task.toml:2: not TOML: Invalid value at column 8"),
        ('title = "x"\ngold = "', "task.toml:2: not TOML: "),
        ('"\\' * 500_000, "task.toml:1: not TOML: "),
        ("#" * (1 << 20) + "#", "task.toml: more than 1,048,576 bytes, expected a small file"),
        ('title = "x"\ntitle = "a\0"', "task.toml:2: a NUL byte at byte 11 of the line"),
        ("a" * 1000 + " = 1", "unknown key '" + "a" * 40 + "'; choose from"),
        ('gold = "essays.sgml"\nsystems = []\n', "systems must be a list of strings, found an empty list"),
        ('gold = "essays.sgml"\nsystems = "essays/*.txt"\ntitle = 1\n', "title must be a string, found a value of type int"),
    ],
)
def test_bad_task_files_are_explained(folder: Path, text: str, message: str) -> None:
    (folder / "task.toml").write_text(text, encoding="utf-8")
    with pytest.raises(InputError) as caught:
        read_task(str(folder / "task.toml"))
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('profile = "conll99"', "unknown profile 'conll99'"),
        ('tagger = "magic"', "unknown tagger 'magic'"),
        ('metrics = ["bleu"]', "unknown metric 'bleu'"),
        ('types = ["Nope"]', "no mistake has the type 'Nope'"),
    ],
)
def test_bad_settings_of_a_task_write_nothing(folder: Path, text: str, message: str, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "task.toml").write_text(f'gold = "essays.sgml"\nsystems = "essays/*.txt"\n{text}\n', encoding="utf-8")
    assert main(["task", "run", str(folder / "task.toml"), "-o", str(folder / "out")]) == 2
    assert message in capsys.readouterr().err
    assert not (folder / "out").exists()
