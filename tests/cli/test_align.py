"""``errata align``: the lines on standard output, what was done on standard error."""

from __future__ import annotations

import gzip
import io
import json
import sys
from pathlib import Path

import pytest

from errata.cli import main

GOLD, CHATTY, EAGER = "examples/learner.m2", "examples/alignment/chatty.txt", "examples/systems/eager.txt"
REPORT = """\
errata: examples/alignment/chatty.txt: 74 lines for 72 of the source: 68 moved, 2 joined, 1 split, 1 missing, 2 added, 1 repeated
errata: added: output line 1 was left out: 'Here is the corrected text:'
errata: added: output line 2 was left out: ''
errata: moved: source lines 1-2 are output lines 3-4
errata: joined: source lines 3-4 are output line 5, which was cut
errata: moved: source lines 5-6 are output lines 6-7
errata: split: source line 7 is output lines 8-9, which were joined
errata: moved: source lines 8-9 are output lines 10-11
errata: missing: source line 10 is not in the output: 'Moving here was the best thing that happened to me so far .'
errata: moved: source lines 11-12 are output lines 12-13
errata: repeated: output line 14 was left out (as output line 13): 'In March , our school organised a science fair for all th...'
errata: moved: source lines 13-72 are output lines 15-74
"""


def test_lines_are_printed_and_what_was_done_is_reported(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["align", GOLD, CHATTY]) == 0
    printed = capsys.readouterr()
    wanted = Path(EAGER).read_text(encoding="utf-8").splitlines()
    wanted[9] = ""
    assert printed.out.splitlines() == wanted
    assert printed.err == REPORT
    assert main(["align", GOLD, CHATTY, "-q"]) == 0
    assert capsys.readouterr().err == ""


def test_the_lines_go_to_a_file_and_into_scores(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["align", GOLD, CHATTY, "--fill", "source", "-o", str(tmp_path / "aligned.hyp.gz")]) == 0
    assert capsys.readouterr().out == ""
    lines = gzip.decompress((tmp_path / "aligned.hyp.gz").read_bytes()).decode().splitlines()
    assert lines[9] == "Moving here was the best thing that happened to me so far ."
    assert main(["score", GOLD, str(tmp_path / "aligned.hyp.gz")]) == 0


def test_json_has_all_operations_and_lines(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["align", GOLD, CHATTY, "--format", "json"]) == 0
    record = json.loads(capsys.readouterr().out)
    assert len(record["lines"]) == 72
    assert record["operations"][3] == {"kind": "joined", "source": [3, 4], "output": [5, 5], "texts": []}
    assert record["operations"][9]["note"] == "as output line 13"
    assert (record["source"], record["output"], record["fill"]) == (GOLD, CHATTY, "empty")


def test_the_source_may_be_a_text_and_one_file_standard_input(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(Path(CHATTY).read_bytes())))
    assert main(["align", EAGER, "-"]) == 0
    assert "errata: standard input: 74 lines for 72 of the source" in capsys.readouterr().err
    assert main(["align", "-", "-"]) == 2
    assert "standard input (-) can be only one of the files" in capsys.readouterr().err


def test_an_output_that_cannot_be_aligned_says_from_where(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = Path(EAGER).read_text(encoding="utf-8").splitlines()[:20]
    other = tmp_path / "other.txt"
    other.write_text("\n".join([*lines, *(f"row {number} value {number * 7}" for number in range(60))]) + "\n", encoding="utf-8")
    assert main(["align", GOLD, str(other)]) == 2
    printed = capsys.readouterr()
    message = f"{other} cannot be aligned from line 21 on: it has too little in common with {GOLD} from line 21 on"
    assert printed.err == f"errata: error: {message}\n"
    assert printed.out == ""
