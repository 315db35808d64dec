"""Bad input and bad usage: exit status 2, a clear line on standard error, no traceback, nothing on standard output."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from errata.cli import main

GOLD = "examples/learner.m2"
SYSTEM = "examples/systems/eager.txt"


def failing(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> str:
    try:
        status = main([str(argument) for argument in arguments])
    except SystemExit as stopped:  # argparse
        status = int(stopped.code or 0)
    captured = capsys.readouterr()
    assert status == 2
    assert captured.out == ""
    assert "Traceback" not in captured.err
    return captured.err.splitlines()[-1]


@pytest.mark.parametrize(("count", "word", "found"), [(71, "few", "71 for"), (73, "many", "more than")])
def test_a_system_of_another_length(tmp_path: Path, capsys: pytest.CaptureFixture[str], count: int, word: str, found: str) -> None:
    path = tmp_path / "s.txt"
    path.write_text("a\n" * count)
    assert failing(capsys, "score", GOLD, SYSTEM, path) == f"errata: error: {path} has too {word} lines: {found} the 72 sentences of {GOLD}"
    assert failing(capsys, "inspect", GOLD, path).startswith(f"errata: error: {path} has too {word} lines")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"S a\nA 0 1|||X\n", r":2: an A line must have 6 fields"),
        (b"S a\nA x 1|||X|||y|||R|||-|||0\n", r":2: expected two whole numbers as offsets, found 'x 1' \(--lenient skips such edits\)"),
        (b"S a\nA 1 0|||X|||y|||R|||-|||0\n", r":2: offsets 1 0 are reversed"),
        (b"S a\nA 0 2|||X|||y|||R|||-|||0\n", r":2: offsets 0 2 lie outside the sentence of 1 token"),
        (b"S a\n\nS \xff\n", r":3: not UTF-8: byte 0xff at byte 3"),
        (b"S a\0\n", r":1: a NUL byte at byte 4"),
        (b"", r": the file is empty"),
        (b"\n\n", r": no sentences found"),
        (b"S " + b"a " * 1_000_000, r":1: a line of more than 1,048,576 bytes, the limit for 4,000 tokens; raise it with --max-tokens"),
        (b"S " + b"a " * 10_000, r":1: 10,000 tokens in a line, more than the limit of 4,000; raise it with --max-tokens"),
    ],
)
@pytest.mark.parametrize("command", ["score", "inspect", "stats", "convert"])
def test_bad_gold(tmp_path: Path, capsys: pytest.CaptureFixture[str], content: bytes, message: str, command: str) -> None:
    path = tmp_path / "g.m2"
    path.write_bytes(content)
    arguments = {"score": [SYSTEM], "inspect": [SYSTEM], "stats": [], "convert": ["--to", "jsonl"]}[command]
    assert re.match(f"errata: error: {re.escape(str(path))}{message}", failing(capsys, command, path, *arguments))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["score", GOLD, "nowhere.txt"], "nowhere.txt: there is no such file"),
        (["score", "nowhere.m2", SYSTEM], "nowhere.m2: there is no such file"),
        (["score", GOLD, "examples"], "examples: this is a directory, expected a file"),
        (["score", SYSTEM, SYSTEM], f"{SYSTEM}: this is a text by its extension, and a source text needs reference files"),
        (["score", "nowhere", SYSTEM], "nowhere: there is no such file"),
        (["score", "examples", SYSTEM], "examples: this is a directory, expected a file"),
        (["score", GOLD, "-r", SYSTEM, SYSTEM], f"{GOLD} has the extension of m2"),
        (["score", GOLD, SYSTEM, SYSTEM], f"{SYSTEM} is given twice"),
        (["score", GOLD, SYSTEM, "--frobnicate"], "there is no option --frobnicate"),
        (["check", "-", "-"], "standard input (-) can be only one of the files"),
        (["convert", GOLD, "--to", "parallel", "-o", ""], "parallel text needs a prefix"),
        (["stats", "-", "-r", "-"], "standard input (-) can be only one of the files"),
        (
            ["score", GOLD, SYSTEM, "-m", "bleu"],
            "unknown metric 'bleu'; choose from accuracy,",
        ),
        (["score", GOLD, SYSTEM, "-m", "maxmatch(gamma=1)"], "maxmatch has no setting 'gamma'; choose from beta"),
        (["score", GOLD, "-", "-"], "standard input (-) can be only one of the files"),
        (["score", GOLD], "the following arguments are required: SYSTEM"),
        (["score", GOLD, SYSTEM, "--format", "pdf"], "argument --format: expected table, json, csv, markdown, latex, found 'pdf'"),
        (["score", GOLD, SYSTEM, "--max-tokens", "0"], "expected a whole number from 1 to 1,000,000, found '0'"),
        (["score", GOLD, SYSTEM, "--max-tokens", "9" * 30], "expected a whole number from 1 to 1,000,000"),
        (["score", GOLD, SYSTEM, "--max-tokens", "10"], "examples/learner.m2:3: 17 tokens in a line, more than the limit of 10"),
        (["inspect", GOLD, SYSTEM, "--sentences", "73"], "sentences are numbered from 1 to 72, found '73'"),
        (["inspect", GOLD, SYSTEM, "--sentences", "5-3"], "the range '5-3' runs backwards"),
        (["inspect", GOLD, SYSTEM, "--sentences", "x"], "sentences are numbers and ranges such as 3,10-12, found 'x'"),
        (["inspect", GOLD, SYSTEM, "--types", "Nope"], f"no edit of {GOLD} has the type 'Nope'; it has ArtOrDet, Mec"),
        (["inspect", GOLD, SYSTEM, "--types", "SVA,Nope"], f"no edit of {GOLD} has the type 'Nope'"),
        (["inspect", GOLD, SYSTEM, "--types", ""], f"no edit of {GOLD} has the type ''"),
        (["inspect", GOLD, SYSTEM, "--types", "SVA", "--outcome", "wrong"], "a wrong edit has no type"),
        (["inspect", GOLD, SYSTEM, "--sentences", "1" * 5000], "sentences are numbered from 1 to 72"),
        (["inspect", GOLD, SYSTEM, "--sentences", ""], "sentences are numbers and ranges such as 3,10-12, found an empty text"),
        (["convert", GOLD], "which format?"),
        (["convert", GOLD, "-o", "gold.json"], "which format?"),
        (["convert", GOLD, "--to", "parallel"], "parallel text is several files, so it needs -o PREFIX"),
        (["frobnicate"], "there is no command 'frobnicate'"),
        (["--frobnicate"], "there is no option --frobnicate"),
    ],
)
def test_bad_usage(capsys: pytest.CaptureFixture[str], arguments: list[str], message: str) -> None:
    line = failing(capsys, *arguments)
    assert line.startswith("errata: error: ")
    assert message in line


def test_a_file_cannot_steer_the_terminal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "g.m2"
    path.write_text("S a\nA \x1b[2J 1|||X|||y|||R|||-|||0\n")
    assert "\x1b" not in failing(capsys, "score", path, SYSTEM)


def test_bad_output_path(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    line = failing(capsys, "convert", GOLD, "-o", tmp_path / "no" / "x.jsonl")
    assert f"there is no folder {tmp_path / 'no'}" in line


def test_what_a_format_cannot_express_is_a_request_that_cannot_be_met(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "x.jsonl"
    path.write_text('{"text": "a", "annotations": [{"annotator": "0", "edits": [{"start": 0, "end": 1, "corrections": ["x||y"]}]}]}\n')
    assert main(["convert", str(path), "-o", str(tmp_path / "x.m2")]) == 1
    assert "errata: error: M2 cannot express" in capsys.readouterr().err
    assert not (tmp_path / "x.m2").exists()


@pytest.mark.slow
def test_a_full_disk_and_a_closed_input_are_named() -> None:
    full = subprocess.run(
        ["bash", "-c", f"{sys.executable} -m errata stats {GOLD} > /dev/full"], capture_output=True, text=True, check=False
    )
    assert (full.returncode, full.stderr) == (1, "errata: error: cannot write to standard output: No space left on device\n")
    full = subprocess.run(
        ["bash", "-c", f"{sys.executable} -m errata convert {GOLD} --to m2 > /dev/full"], capture_output=True, text=True, check=False
    )
    assert (full.returncode, full.stderr) == (1, "errata: error: cannot write to standard output: No space left on device\n")
    for command in (f"stats {GOLD}", f"convert {GOLD} --to m2"):
        shut = subprocess.run(["bash", "-c", f"{sys.executable} -m errata {command} >&-"], capture_output=True, text=True, check=False)
        assert (shut.returncode, shut.stderr) == (1, "errata: error: standard output is closed\n")
    closed = subprocess.run(["bash", "-c", f"{sys.executable} -m errata stats - <&-"], capture_output=True, text=True, check=False)
    assert (closed.returncode, closed.stderr) == (2, "errata: error: standard input is closed\n")


@pytest.mark.slow
def test_work_and_memory_are_bounded(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Gold that would take hours to match, and a setting that would take many gigabytes, are refused with the sentence."""
    length = 3000
    gold, system = tmp_path / "g.m2", tmp_path / "s.txt"
    gold.write_text(f"S {'b ' * length}\nA 0 {length}|||T|||{' '.join(['a'] * (length // 2))}|||REQUIRED|||-NONE-|||0\n\n")
    system.write_text("a " * length)
    assert main(["score", str(gold), str(system)]) == 1
    assert f"errata: error: {gold}: sentence 1 cannot be scored: its gold edits span too many tokens" in capsys.readouterr().err
    gold.write_text(f"S {'b ' * length}\n\n")
    assert main(["score", str(gold), str(system), "-m", "maxmatch(max_unchanged=1000)"]) == 1
    assert (
        "sentence 1 cannot be scored: it takes too long to be searched, with its length, its annotators and max_unchanged"
        in capsys.readouterr().err
    )


def test_very_many_edits_of_one_place_are_scored(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    gold, system = tmp_path / "g.m2", tmp_path / "s.txt"
    gold.write_text("S b\n" + "A 0 0|||T|||a|||REQUIRED|||-NONE-|||0\n" * 20_000 + "\n")
    system.write_text("a " * 2000 + "b\n")
    assert main(["score", str(gold), str(system), "--format", "json"]) == 0
    parts = json.loads(capsys.readouterr().out)["scores"][0]["parts"]
    assert (parts["correct"], parts["proposed"], parts["gold"]) == (2000, 2000, 20_000)
