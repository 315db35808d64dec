"""A task from one file to its tables."""

from __future__ import annotations

import base64
import csv
import json
import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from errata import InputError, RequestError, __version__
from errata.cli import main
from errata.scoring import Evaluator
from errata.task import read_task, run_task
from errata.task.definition import parse_toml

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
    pages = {"report.html", "report-alternatives.html"}
    assert names == {f"{table}.{ending}" for table in tables for ending in ("md", "tex", "csv", "json")} | pages
    assert "18 files written" in capsys.readouterr().out
    ranked = json.loads((tmp_path / "results" / "ranking.json").read_text(encoding="utf-8"))
    assert [(row["rank"], row["system"], row["correct"]) for row in ranked["rows"]] == [(1, "bold", 9), (2, "careful", 4)]
    with (tmp_path / "results" / "types-alternatives.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert float(rows[0]["Prep_recall"]) == 0.75
    assert (tmp_path / "results" / "types.tex").read_text(encoding="utf-8").count("\\\\") == 3


def test_the_page_of_each_gold_has_its_own_scores_and_its_signature(tmp_path: Path) -> None:
    assert main(["task", "run", TASK, "-o", str(tmp_path)]) == 0
    for suffix, correct in (("", 9), ("-alternatives", 10)):
        page = (tmp_path / f"report{suffix}.html").read_text(encoding="utf-8")
        encoded = re.search(r'href="data:application/json[^,]*,([^"]+)"', page)
        assert encoded is not None
        record = json.loads(base64.b64decode(encoded[1]))
        ranked = json.loads((tmp_path / f"ranking{suffix}.json").read_text(encoding="utf-8"))
        assert record["scores"][0]["parts"]["correct"] == ranked["rows"][0]["correct"] == correct
        assert record["scores"][0]["signature"] == ranked["notes"][0]
        assert "The example task" in page


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
    assert names == {"ranking-maxmatch.md", "types-maxmatch.md", "ranking-imeasure.md", "ranking-hoo.md", "types-hoo.md", "metrics.md"}


def test_dots_in_strings_are_not_counted() -> None:
    names = [f"s{number}.v1.0.txt" for number in range(999)]
    for quote in "\"'":
        listed = ", ".join(f"{quote}{name}{quote}" for name in names)
        assert parse_toml(f"systems = [{listed}]".encode(), "task.toml") == {"systems": names}


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
        ("title = " + "[" * 5000, "task.toml: not TOML: maximum recursion depth exceeded"),
        ('title = "a.b"\na' + ".a" * 30_000, "task.toml:2: more than 1,000 dots in a line"),
        ("'a'" + ".a" * 30_000, "task.toml:1: more than 1,000 dots in a line"),
        ("a = 1\n[" + "a." * 30_000 + "a]", "task.toml:2: more than 1,000 dots in a line"),
        ('title = "x"\ngold = \n', "task.toml:2: not TOML: Invalid value at column 8"),
        ('title = "x"\ngold = "', "task.toml:2: not TOML: "),
        ('"\\' * 500_000, "task.toml:1: not TOML: "),
        ("#" * (1 << 20) + "#", "task.toml: more than 1,048,576 bytes, expected a small file"),
        ('title = "x"\ntitle = "a\0"', "task.toml:2: a NUL byte at byte 11 of the line"),
        ("a" * 1000 + " = 1", "unknown key '" + "a" * 40 + "'; choose from"),
        ('gold = "essays.sgml"\nsystems = []\n', "systems must be a list of strings, found an empty list"),
        ('gold = "essays.sgml"\nsystems = "essays/*.txt"\ntitle = 1\n', "title must be a string, found a value of type int"),
        ('gold = "essays.sgml"\nsystems = "a\\u0000b"\n', "there is no file"),
        ('gold = "essays.sgml"\nsystems = "essays/*.txt"\nhandles = 1\n', "handles must be a table of teams, found a value of type int"),
        ('gold = "e.sgml"\nsystems = "e"\n[handles]\nbold = 3\n', "handles of 'bold' must be a list of strings, found a value of type int"),
        ('gold = "e.sgml"\nsystems = "e"\n[handles]\nbold = []\n', "handles of 'bold' must be a list of strings, found an empty list"),
        ('gold = "e.sgml"\nsystems = "e"\nreplicates = 1.5\n', "replicates must be a whole number, found a value of type float"),
        ('gold = "e.sgml"\nsystems = "e"\nseed = true\n', "seed must be a whole number, found a value of type bool"),
        ('gold = "e.sgml"\nsystems = "e"\nconfidence = "x"\n', "confidence must be a number between 0 and 1, found a value of type str"),
        ('gold = "e.sgml"\nsystems = "e"\nrechoose = 1\n', "rechoose must be true or false, found a value of type int"),
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
        ('metrics = ["maxmatch", "maxmatch(beta=0.5)"]', "maxmatch is given twice"),
        ("replicates = 500", "replicates needs confidence or test"),
        ("rechoose = true", "rechoose needs confidence or test"),
        ("alpha = 0.1", "alpha needs test"),
        ('correction = "bh"', "correction needs test"),
        ("confidence = 2", "a confidence level must be a number between 0 and 1"),
        ('test = "coin"', "unknown test 'coin'; choose from randomisation"),
        ('handles = {nobody = ["Nn"]}', "there is no system 'nobody'; choose from bold, careful"),
        ('handles = {bold = ["Nm"]}', "bold: unknown type 'Nm'; choose from ArtOrDet"),
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
    assert read_task(str(stranger / "task.toml")).systems[-1] == str(stranger / "~" / "x.txt")  # a folder with that name
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

    monkeypatch.setattr("errata.task.definition.os.scandir", Counted)
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


def read_table(folder: Path, name: str) -> Any:
    return json.loads((folder / f"{name}.json").read_text(encoding="utf-8"))


def write_task(folder: Path, more: str, systems: str = '"essays/*.txt"') -> str:
    text = f'gold = "essays.sgml"\nalternatives = "alternatives.sgml"\nsystems = [{systems}]\ntagger = "none"\n{more}\n'
    (folder / "task.toml").write_text(text, encoding="utf-8")
    return str(folder / "task.toml")


def test_types_that_a_team_does_not_handle(tmp_path: Path) -> None:
    assert main(["task", "run", TASK, "-o", str(tmp_path)]) == 0
    for name in ("types", "types-alternatives"):
        table = read_table(tmp_path, name)
        rows = {row["system"]: row for row in table["rows"]}
        hidden = {key for key, cell in rows["careful"].items() if cell == "(not done)"}
        assert hidden == {f"{type_}_{measure}" for type_ in ("ArtOrDet", "Prep") for measure in ("recall", "precision", "f")}
        assert rows["careful"]["Vform/SVA_recall"] == 0.6  # a team that handles one of the two is scored
        assert "(not done)" not in rows["bold"].values()
        assert "(not done): the team says that its system does not handle this type." in table["notes"]
    assert "| careful | (not done) | (not done) | (not done) | (not done) |" in (tmp_path / "types.md").read_text(encoding="utf-8")


def test_not_done_is_not_guessed_from_output(folder: Path) -> None:
    assert main(["task", "run", write_task(folder, ""), "-o", str(folder / "out")]) == 0
    assert "(not done)" not in (folder / "out" / "types.md").read_text(encoding="utf-8")


def test_titles_and_signatures_name_types_and_files(folder: Path) -> None:
    assert main(["task", "run", write_task(folder, 'title = "T"\ntypes = ["Prep", "Nn"]'), "-o", str(folder / "out")]) == 0
    without, with_ = read_table(folder / "out", "ranking"), read_table(folder / "out", "ranking-alternatives")
    assert without["title"] == "T: scores without alternative answers; only Prep, Nn; gold essays.sgml"
    assert with_["title"] == "T: scores with alternative answers; only Prep, Nn; gold essays.sgml, alternatives.sgml"
    assert str(without["notes"][0]).endswith(f" | errata {__version__} | types Prep,Nn")
    before = str(with_["notes"][0])
    assert re.search(r" \| types Prep,Nn \| files essays\.sgml sha256 [0-9a-f]{12}, alternatives\.sgml sha256 [0-9a-f]{12}$", before)
    text = (folder / "alternatives.sgml").read_text(encoding="utf-8")
    (folder / "alternatives.sgml").write_text(text + "\n", encoding="utf-8")  # the content counts, not only the name
    assert main(["task", "run", str(folder / "task.toml"), "-o", str(folder / "out")]) == 0
    after = str(read_table(folder / "out", "ranking-alternatives")["notes"][0])
    assert after != before
    assert after.partition(" | files ")[0] == before.partition(" | files ")[0]


def test_one_file_with_all_types_has_the_signature_of_score(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["convert", str(folder / "essays.sgml"), "-o", str(folder / "gold.m2")])
    (folder / "task.toml").write_text('gold = "gold.m2"\nsystems = "essays/*.txt"\ntagger = "none"\n', encoding="utf-8")
    assert main(["task", "run", str(folder / "task.toml"), "-o", str(folder / "out")]) == 0
    capsys.readouterr()
    main(["score", str(folder / "gold.m2"), str(folder / "essays" / "bold.txt"), "-m", "maxmatch(beta=1)", "--format", "json"])
    assert read_table(folder / "out", "ranking")["notes"][0] == json.loads(capsys.readouterr().out)["scores"][0]["signature"]


@pytest.fixture
def bad_submissions(folder: Path) -> Path:
    """A task with three good submissions, one of them named like a pattern, and bad ones of every kind."""
    good = (folder / "essays" / "bold.txt").read_bytes()
    lines = good.splitlines(keepends=True)
    for name, content in {
        "short": b"".join(lines[:-1]),
        "long": good + lines[-1] * 2,
        "empty": b"",
        "latin": good.replace(b"a", b"\xe4"),
        "both": b"\xff\n" + b"".join(lines[2:]),
        "edits": good + b"A 0 1|||Nn|||x|||REQUIRED|||-NONE-|||0\n",
        "nul": b"\0" + good,
    }.items():
        (folder / "essays" / f"{name}.txt").write_bytes(content)
    (folder / "essays" / "folder.txt").mkdir()
    write_task(folder, "", '"essays/*.txt", "essays/folder.txt", "nowhere.txt"')
    return folder


def test_bad_submissions_are_set_aside_and_the_others_scored(bad_submissions: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder, out = bad_submissions, bad_submissions / "out"
    assert main(["task", "run", str(folder / "task.toml"), "-o", str(out)]) == 1
    printed = capsys.readouterr()
    rows = read_table(out, "set-aside")["rows"]
    found: dict[str, list[tuple[int | None, str]]] = {}
    for row in rows:
        found.setdefault(row["system"], []).append((row["line"], row["problem"]))
    essays = str(folder / "essays.sgml")
    assert found.pop("latin")[0] == (1, "not UTF-8: byte 0xe4 at byte 5 of the line")
    assert found == {
        "short": [(None, f"11 sentences, but {essays} has 12")],
        "long": [(None, f"more sentences than the 12 of {essays}; the rest is not read")],
        "empty": [(None, "the file is empty")],
        "both": [(1, "not UTF-8: byte 0xff at byte 1 of the line"), (None, f"11 sentences, but {essays} has 12")],
        "edits": [(13, "an edit of M2, but this file is read as text with one sentence per line")],
        "nul": [(1, "a NUL byte at byte 1 of the line; expected text")],
        "folder": [(None, "this is a directory, expected a file")],
        "nowhere": [(None, "there is no such file")],
    }
    for name in ("ranking", "ranking-alternatives", "types", "types-alternatives"):
        table = read_table(out, name)
        assert sorted(row["system"] for row in table["rows"]) == ["bold", "careful"]
        (note,) = (note for note in table["notes"] if note.startswith("Set aside"))
        assert all(f"{team} (" in note for team in (*found, "latin"))
    assert "errata: error: 9 submissions set aside, the others are scored: both, " in printed.err
    assert printed.err.count("errata: error: ") == 1
    first = f"errata: set aside: {folder}/essays/both.txt:1: not UTF-8: byte 0xff at byte 1 of the line"
    assert f"{first} (and 1 more; -v lists them)\n" in printed.err
    assert printed.err.count("essays/both.txt") == 1
    assert main(["task", "run", str(folder / "task.toml"), "-o", str(folder / "verbose"), "-v"]) == 1
    told = capsys.readouterr().err
    assert f"{first}\nerrata: set aside: {folder}/essays/both.txt: 11 sentences, but {essays} has 12\n" in told
    assert "files written" in printed.out
    shutil.rmtree(folder / "essays" / "folder.txt")
    for name in ("short", "long", "empty", "latin", "both", "edits", "nul"):
        (folder / "essays" / f"{name}.txt").unlink()
    write_task(folder, "")
    assert main(["task", "run", str(folder / "task.toml"), "-o", str(folder / "clean")]) == 0
    for name in ("ranking", "types-alternatives"):  # the numbers are those without the bad submissions
        assert (folder / "clean" / f"{name}.csv").read_bytes() == (out / f"{name}.csv").read_bytes()


def test_only_errors_are_reasons_and_warnings_of_all_submissions_are_told(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = (folder / "essays" / "bold.txt").read_bytes().splitlines()
    (folder / "essays" / "bold.txt").write_bytes(b"".join(line + b"\r\n" for line in lines))
    (folder / "essays" / "short.txt").write_bytes(b"".join(line + b"\r\n" for line in lines[:-1]))
    write_task(folder, "")
    assert main(["task", "run", str(folder / "task.toml"), "-o", str(folder / "out")]) == 1
    said = capsys.readouterr().err.splitlines()
    essays = str(folder / "essays.sgml")
    for name in ("bold", "short"):
        assert sum(line.startswith(f"errata: warning: {folder}/essays/{name}.txt: ") and "carriage return" in line for line in said) == 1
    assert [line for line in said if "set aside: " in line] == [
        f"errata: set aside: {folder}/essays/short.txt: 11 sentences, but {essays} has 12"
    ]
    assert "Set aside, because they cannot be scored: short (1 problem)." in read_table(folder / "out", "ranking")["notes"]


def test_f_of_imeasure_has_its_beta_as_in_score(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["convert", str(folder / "essays.sgml"), "-o", str(folder / "gold.m2")])
    text = 'gold = "gold.m2"\nsystems = ["essays/*.txt"]\nmetrics = ["imeasure"]\ntagger = "none"\n'
    (folder / "task.toml").write_text(text, encoding="utf-8")
    assert main(["task", "run", str(folder / "task.toml"), "-o", str(folder / "out")]) == 0
    (heading,) = (line for line in (folder / "out" / "ranking.md").read_text(encoding="utf-8").splitlines() if "System" in line)
    assert "| F0.5 |" in heading
    capsys.readouterr()
    main(["score", str(folder / "gold.m2"), str(folder / "essays" / "bold.txt"), "-m", "imeasure", "--format", "markdown"])
    assert capsys.readouterr().out.splitlines()[0] == heading.removeprefix("| Rank ")


def test_a_submission_that_a_metric_refuses_is_set_aside(folder: Path) -> None:
    """One with alternative answers alone too, and from all tables."""
    task = read_task(write_task(folder, "", '"essays/bold.txt", "essays/careful.txt"'))
    begin = Evaluator.begin

    def refuse(self: Evaluator, hypotheses: object) -> object:
        if getattr(hypotheses, "name", "") == "bold" and len(self.corpus.annotators) > 1:
            message = "sentence 3: it takes too long to be searched"
            raise RequestError(message)
        return begin(self, hypotheses)  # type: ignore[arg-type]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Evaluator, "begin", refuse)
        tables, rejected, *_ = run_task(task, warn=lambda _: None)
    assert [item.team for item in rejected] == ["bold"]
    assert "cannot score it: sentence 3: it takes too long" in rejected[0].problems[0].message
    assert set(tables) == {"ranking", "types", "ranking-alternatives", "types-alternatives", "set-aside"}
    assert [row[1] for row in tables["ranking"].shown.rows] == ["careful"]


def test_a_task_without_a_good_submission_writes_nothing(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["task", "run", write_task(folder, "", '"a.txt", "b.txt"'), "-o", str(folder / "out")]) == 1
    said = capsys.readouterr().err
    assert said.count("there is no such file") == 2
    assert "task.toml: no submission can be scored; nothing was written" in said
    assert not (folder / "out").exists()


def test_gold_files_of_different_length_are_an_error(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["convert", str(folder / "essays.sgml"), "-o", str(folder / "gold.m2")])
    (folder / "task.toml").write_text('gold = "gold.m2"\nalternatives = "a.m2"\nsystems = "essays/*.txt"\n', encoding="utf-8")
    shutil.copy("examples/learner.m2", folder / "a.m2")
    assert main(["task", "run", str(folder / "task.toml"), "-o", str(folder / "out")]) == 2
    assert f"{folder}/a.m2 has 72 sentences, but {folder}/gold.m2 has 12" in capsys.readouterr().err


def test_intervals_and_tests_are_those_of_score_and_compare(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shutil.copytree("examples/systems", folder / "systems")
    shutil.copy("examples/learner.m2", folder)
    settings = 'confidence = 0.9\ninterval = "percentile"\nreplicates = 500\nseed = 7\ntest = "bootstrap"\ncorrection = "bh"\nalpha = 0.1'
    metrics = 'metrics = ["maxmatch", "maxmatch(beta=2)", "imeasure"]'
    (folder / "task.toml").write_text(f'gold = "learner.m2"\nsystems = "systems/*.txt"\n{metrics}\n{settings}\n', encoding="utf-8")
    out = folder / "out"
    assert main(["task", "run", str(folder / "task.toml"), "-o", str(out)]) == 0
    capsys.readouterr()
    kinds = ("ranking", "pairs", "types", "type-intervals")
    expected = {f"{kind}-{end}" for kind in kinds for end in ("maxmatch", "maxmatch-beta-2.0")}
    expected |= {"ranking-imeasure", "pairs-imeasure", "metrics"}
    assert {path.stem if path.suffix == ".md" else "" for path in out.iterdir()} - {""} == expected
    files = [str(path) for path in sorted((folder / "systems").glob("*.txt"))]
    resampling = ["--interval", "percentile", "--replicates", "500", "--seed", "7"]
    for metric, end in (("maxmatch", "maxmatch"), ("maxmatch(beta=2)", "maxmatch-beta-2.0"), ("imeasure", "imeasure")):
        gold = str(folder / "learner.m2")
        main(["score", gold, *files, "-m", metric, "--confidence", "0.9", *resampling, "--format", "json"])
        scores = {entry["system"]: entry for entry in json.loads(capsys.readouterr().out)["scores"]}
        main(
            [
                "compare",
                gold,
                *files,
                "-m",
                metric,
                "--test",
                "bootstrap",
                "--correction",
                "bh",
                "--alpha",
                "0.1",
                *resampling,
                "-o",
                f"{out}/c.json",
            ]
        )
        compared = json.loads((out / "c.json").read_text(encoding="utf-8"))
        ranks = {entry["system"]: entry["rank"] for entry in compared["systems"]}
        p = {frozenset((pair["system"], pair["other"])): pair["corrected_p"] for pair in compared["pairs"]}
        table = read_table(out, f"ranking-{end}")
        rows: list[dict[str, object]] = table["rows"]
        for row, below in zip(rows, [*rows[1:], None], strict=True):
            interval = scores[str(row["system"])]["interval"]
            assert (row["low"], row["high"]) == (interval["low"], interval["high"])
            assert row["rank_by_test"] == ranks[str(row["system"])]
            assert row["p_next"] == (p[frozenset((str(row["system"]), str(below["system"])))] if below is not None else None)
        pairs: list[dict[str, object]] = read_table(out, f"pairs-{end}")["rows"]
        assert {frozenset((str(pair["system"]), str(pair["other"]))): pair["corrected_p"] for pair in pairs} == p
        assert f"scores of {'maxmatch(beta=2.0)' if 'beta' in end else end} without" in str(table["title"]).lower()
    shown = (out / "ranking-maxmatch.md").read_text(encoding="utf-8")
    assert "| 90% interval | p | Rank by test |" in shown
    assert "bootstrap test, bh correction, alpha 0.1; 90% intervals: percentile, 500 replicates of sentences, seed 7" in shown


def test_one_system_has_no_test(folder: Path) -> None:
    out = folder / "out"
    assert main(["task", "run", write_task(folder, 'test = "t"', '"essays/bold.txt"'), "-o", str(out)]) == 0
    assert "No test: it needs two systems, found 1." in read_table(out, "ranking")["notes"]
    assert not (out / "pairs.md").exists()


def test_documents_are_resampled_and_references_rechosen(folder: Path) -> None:
    out = folder / "out"
    more = 'confidence = true\nreplicates = 200\nresample = "document"\nrechoose = true'
    assert main(["task", "run", write_task(folder, more), "-o", str(out)]) == 0
    assert "95% intervals: bca, 200 replicates of documents, seed 0, references rechosen" in read_table(out, "ranking")["notes"]
    assert "No intervals by type: they keep the chosen references, and are resampled." in read_table(out, "types")["notes"]


def test_too_few_replicates_for_the_pairs_of_a_task(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in "abcd":
        shutil.copy(folder / "essays" / "bold.txt", folder / "essays" / f"{name}.txt")
    assert main(["task", "run", write_task(folder, 'replicates = 100\ntest = "bootstrap"'), "-o", str(folder / "out")]) == 1
    assert "task.toml:6: test: with 15 pairs and Holm's correction 100 replicates cannot show p" in capsys.readouterr().err


@pytest.mark.realdata
def test_a_run_of_five_types_is_not_named_like_one_of_all(data: Path, tmp_path: Path) -> None:
    """CoNLL-2014, AMU: 35.01 with all types, 25.51 with five."""
    for path in (data / "conll14" / "gold" / "official-2014.combined.m2", data / "conll14" / "systems" / "AMU.txt"):
        shutil.copy(path, tmp_path)
    common = 'title = "CoNLL-2014"\ngold = "official-2014.combined.m2"\nsystems = "AMU.txt"\nmetrics = "maxmatch"\ntagger = "none"\n'
    found = []
    for name, types in (("all", ""), ("five", 'types = ["ArtOrDet", "Prep", "Nn", "Vform", "SVA"]\n')):
        (tmp_path / "task.toml").write_text(common + types, encoding="utf-8")
        assert main(["task", "run", str(tmp_path / "task.toml"), "-o", str(tmp_path / name)]) == 0
        table = read_table(tmp_path / name, "ranking")
        found.append((round(100 * table["rows"][0]["value"], 2), table["title"], table["notes"][0]))
    (all_value, all_title, all_signature), (five_value, five_title, five_signature) = found
    assert (all_value, five_value) == (35.01, 25.51)
    assert all_title == "CoNLL-2014: scores without alternative answers; gold official-2014.combined.m2"
    assert five_title == all_title.replace("; gold", "; only ArtOrDet, Prep, Nn, Vform, SVA; gold")
    assert five_signature.endswith("| types ArtOrDet,Prep,Nn,Vform,SVA")
    assert "types" not in all_signature
