"""A task from one file to its tables."""

from __future__ import annotations

import csv
import json
import os
import re
import shutil
from collections.abc import Iterator
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
        ('metrics = ["uccasim"]', "uccasim needs semantic graphs"),
        ('metrics = ["maxmatch(beta=x)"]', "beta"),
    ],
)
def test_bad_settings_of_a_task_write_nothing(folder: Path, text: str, message: str, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "task.toml").write_text(f'gold = "essays.sgml"\nsystems = "essays/*.txt"\n{text}\n', encoding="utf-8")
    assert main(["task", "run", str(folder / "task.toml"), "-o", str(folder / "out")]) == 2
    said = capsys.readouterr().err
    assert f"{folder}/task.toml:3: {text.split(maxsplit=1)[0]}: " in said
    assert message in said
    assert not (folder / "out").exists()


@pytest.fixture
def stranger(folder: Path) -> Path:
    """A task in a folder, beside files that it must not read."""
    inside = folder / "task"
    inside.mkdir()
    for name in ("task.toml", "essays.sgml", "alternatives.sgml", "essays"):
        (folder / name).rename(inside / name)
    shutil.copytree(inside / "essays", folder / "private")
    shutil.copy(inside / "essays.sgml", folder / "private.sgml")
    (inside / "link.sgml").symlink_to(folder / "private.sgml")
    (inside / "again.sgml").symlink_to(inside / "link.sgml")
    (inside / "linked").symlink_to(folder / "private")
    (inside / "up").symlink_to("..")
    (inside / "mixed").mkdir()
    shutil.copy(inside / "essays" / "bold.txt", inside / "mixed")
    (inside / "mixed" / "x.txt").symlink_to(folder / "private" / "bold.txt")
    return inside


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("gold", "../private.sgml"),
        ("gold", "/FOLDER/private.sgml"),
        ("gold", "link.sgml"),
        ("gold", "again.sgml"),
        ("gold", "up/private.sgml"),
        ("gold", "essays/../../private.sgml"),
        ("alternatives", "../private.sgml"),
        ("tokens", "../private/bold.txt"),
        ("systems", "../private/bold.txt"),
        ("systems", "../private/*.txt"),
        ("systems", "essays/../../private/*.txt"),
        ("systems", "linked/*.txt"),
        ("systems", "linked/bold.txt"),
        ("systems", "l*/bold.txt"),
        ("systems", "up/private/*.txt"),
        ("systems", "mixed/*.txt"),
        ("systems", "**/x.txt"),
    ],
)
def test_a_task_reads_only_files_of_its_folder(stranger: Path, key: str, value: str, capsys: pytest.CaptureFixture[str]) -> None:
    path = stranger / "task.toml"
    record = {"gold": "essays.sgml", "systems": "essays/*.txt", key: value.replace("/FOLDER", str(stranger.parent))}
    path.write_text("".join(f'{name} = "{text}"\n' for name, text in record.items()), encoding="utf-8")
    with pytest.raises(InputError, match=r"(private|bold).* is outside the folder of the task; --allow-outside"):
        read_task(str(path))
    assert main(["task", "run", str(path), "-o", str(stranger / "out")]) == 2
    message = capsys.readouterr().err
    assert record[key].rpartition("/")[2].replace("*.txt", "bold.txt").replace("again", "private") in message
    assert not (stranger / "out").exists()
    assert getattr(read_task(str(path), allow_outside=True), key)


def test_a_task_reads_outside_its_folder_if_that_is_allowed(stranger: Path) -> None:
    path = stranger / "task.toml"
    path.write_text('gold = "link.sgml"\nsystems = ["../private/*.txt"]\ntagger = "none"\n', encoding="utf-8")
    assert main(["task", "run", str(path), "-o", str(stranger / "out")]) == 2
    assert main(["task", "run", str(path), "-o", str(stranger / "out"), "--allow-outside"]) == 0


def test_links_inside_the_folder_are_fine(stranger: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (stranger / "same").symlink_to("essays")
    (stranger / "task.toml").write_text('gold = "essays.sgml"\nsystems = ["same/*.txt", "~/x.txt"]\n', encoding="utf-8")
    monkeypatch.setenv("HOME", str(stranger.parent / "private"))
    with pytest.raises(InputError, match=r"there is no file .*~/x\.txt"):  # a folder with that name
        read_task(str(stranger / "task.toml"))
    (stranger / "task.toml").write_text('gold = "essays.sgml"\nsystems = ["same/*.txt", "mixed/b*.txt"]\n', encoding="utf-8")
    outer = stranger.parent.parent / f"{stranger.parent.name}-link"
    outer.symlink_to(stranger)  # the folder itself may be reached through a link
    monkeypatch.chdir(stranger)
    for path in ("task.toml", str(outer / "task.toml")):
        assert [Path(system).name for system in read_task(path).systems] == ["bold.txt", "careful.txt", "bold.txt"]
    outer.unlink()


@pytest.mark.parametrize(
    "pattern", ["essays/*.txt", "*/*.txt", "**/*.txt", "**/**/b*.txt", "e*/[bc]*.txt", "essays/**/*.txt", "**/essays/?old.txt"]
)
def test_patterns_match_as_in_the_standard_library(folder: Path, pattern: str) -> None:
    (folder / "essays" / "deep" / "deeper").mkdir(parents=True)
    shutil.copy(folder / "essays" / "bold.txt", folder / "essays" / "deep" / "deeper" / "brave.txt")
    (folder / "essays" / "loop.txt").symlink_to("loop.txt")
    (folder / "task.toml").write_text(f'gold = "essays.sgml"\nsystems = ["{pattern}"]\n', encoding="utf-8")
    assert read_task(str(folder / "task.toml")).systems == sorted({str(file) for file in folder.glob(pattern) if file.is_file()})


def test_a_pattern_is_not_compared_with_endless_folders(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = folder / "task.toml"
    for number in range(30):
        (folder / "many" / str(number)).mkdir(parents=True)
    seen = 0
    scandir = os.scandir

    class Counted:
        def __init__(self, path: str) -> None:
            self._entries = scandir(path)

        def __enter__(self) -> Iterator[os.DirEntry[str]]:
            return self._count()

        def __exit__(self, *_: object) -> None:
            self._entries.close()

        def _count(self) -> Iterator[os.DirEntry[str]]:
            nonlocal seen
            for entry in self._entries:
                seen += 1
                yield entry

    monkeypatch.setattr("errata.task.files.os.scandir", Counted)
    for pattern in ("**/nowhere.txt", "**/*/**/*/**/nowhere.txt", "many/*/../*/../*/nowhere.txt"):
        path.write_text(f'gold = "essays.sgml"\nsystems = ["{pattern}"]\n', encoding="utf-8")
        seen = 0
        with pytest.raises(
            InputError, match=rf"more than 200 files and folders to compare with '{re.escape(pattern)}'.*raise the limit|no file"
        ):
            read_task(str(path), max_files=2)
        assert seen <= 201
    path.write_text('gold = "essays.sgml"\nsystems = ["**/nowhere.txt"]\n', encoding="utf-8")
    with pytest.raises(InputError, match="no file matches"):
        read_task(str(path))


def test_a_task_names_no_more_files_than_allowed(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = folder / "task.toml"
    for systems in ('"essays/*.txt"', '"essays/bold.txt", "essays/careful.txt"'):
        path.write_text(f'gold = "essays.sgml"\nsystems = [{systems}]\ntagger = "none"\n', encoding="utf-8")
        assert main(["task", "run", str(path), "--max-files", "2", "-o", str(folder / "out")]) == 2
        assert "task.toml: expected at most 2 files in a task, found more; raise the limit with --max-files" in capsys.readouterr().err
        assert len(read_task(str(path), max_files=3).systems) == 2
    path.write_text(f'gold = "essays.sgml"\nsystems = ["{"*a" * 3000}"]\n', encoding="utf-8")
    with pytest.raises(InputError, match="more than 4,096 characters"):
        read_task(str(path))


def test_tables_never_replace_what_the_task_reads(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = folder / "out"
    out.mkdir()
    shutil.copy(folder / "essays" / "bold.txt", out / "ranking.md")
    (folder / "task.toml").write_text('gold = "essays.sgml"\nsystems = ["out/ranking.md"]\ntagger = "none"\n', encoding="utf-8")
    before = (out / "ranking.md").read_bytes()
    assert main(["task", "run", str(folder / "task.toml"), "-o", str(out)]) == 2
    assert "would replace the input" in capsys.readouterr().err
    assert [path.name for path in out.iterdir()] == ["ranking.md"]
    assert (out / "ranking.md").read_bytes() == before


def test_an_empty_name_is_the_current_folder(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    assert main(["task", "run", "task.toml", "-o", ""]) == 0
    assert (folder / "ranking.md").is_file()
