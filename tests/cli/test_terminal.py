"""What a terminal of 80 columns shows: every table of every command fits, and all colours can be turned off."""

from __future__ import annotations

import ast
import os
import pty
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Self

import pytest

from errata.cli import main
from errata.cli.submit import _Answer
from errata.report import Table
from errata.report.writers import print_table, width

GOLD = "examples/learner.m2"
SOURCE, CAREFUL, BOLD = (f"examples/graphs/{name}.mrp" for name in ("source", "careful", "bold"))
JUDGED = "examples/systems/eager.txt examples/systems/cautious.txt examples/systems/rewriter.txt examples/judgments/INPUT.txt"
JUDGED += " --judgments examples/judgments/rankings.tsv"
NAMES = [
    "AMU",
    "CAMB",
    "CUUI",
    "GECToR-BERT",
    "IITB",
    "INPUT",
    "IPN",
    "NTHU",
    "PKU",
    "POST",
    "Riken-Tohoku",
    "a-name-that-a-stranger-chose-and-that-is-very-long",
]
_ESCAPE = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")

COMMANDS = [
    "score GOLD SYSTEMS --confidence --replicates 200",
    "score GOLD SYSTEMS -m imeasure",
    "score GOLD SYSTEMS -m maxmatch -m maxmatch(beta=1.0,choice=optimal) -m accuracy --confidence --replicates 200",
    "score GOLD SYSTEM --per-sentence",
    "score GOLD SYSTEM SYSTEM2 --by-type --confidence --replicates 200",
    "score GOLD SYSTEMS --by-type --pivot --tagger none",
    "score examples/multigec/source.md -r examples/multigec/reference1.md examples/multigec/free.md --per-document",
    "compare GOLD SYSTEMS --replicates 2000",
    "gate GOLD SYSTEM SYSTEM2 --format table --replicates 200",
    "correlate GOLD SYSTEMS -m maxmatch -m maxmatch:recall -m accuracy",
    "compare GOLD SYSTEMS -m imeasure --against-source --replicates 1000",
    "data list",
    "conservatism GOLD SYSTEMS --histogram --sentence-ends .?!;",
    "inspect GOLD SYSTEM --sentences 1-20",
    "inspect GOLD SYSTEM --sentences 1-20 -m imeasure --outcome wrong",
    "inspect GOLD SYSTEM --sentences 1-3 --lattice",
    "inspect GOLD SYSTEM SYSTEM2 --digest",
    "stats GOLD",
    "stats GOLD --clusters",
    "stats examples/essays.sgml --types Prep,Nn",
    "check GOLD SYSTEMS",
    "metrics",
    "metrics imeasure",
    "doctor",
    "judgments examples/judgments/rankings.xml --head-to-head --by-judge-pair --replicates 200",
    f"meta GOLD {JUDGED} --without INPUT -m maxmatch -m gleu --by-judge --window 3 --replicates 100",
    "meta GOLD SYSTEMS --human-scores PEOPLE --sweep beta=0.5:1:0.5 --replicates 100",
    "chance",
    "coverage examples/corrections.tsv --confidence --replicates 20 --matched-sentences 3",
    "coverage examples/corrections.tsv --per-sentence",
    "coverage examples/corrections.tsv -m maxmatch --simulations 10",
    "detect examples/prepositions.csv --confidence --replicates 200",
    "detect GOLD SYSTEM SYSTEM2 --confidence --replicates 200",
    "detect GOLD SYSTEM --case edit",
    "detect GOLD SYSTEM SYSTEM2 --judged-by vote --by-type",
    f"faithfulness {SOURCE} {CAREFUL} {BOLD} --confidence --replicates 200 --by-category -m uccasim -m distsim",
    f"faithfulness {SOURCE} {BOLD} --per-pair",
    f"faithfulness {SOURCE} {BOLD} --inspect",
    f"faithfulness {SOURCE} {SOURCE} --agreement weak --by-category",
    f"graphs {SOURCE} {CAREFUL} {BOLD}",
    "hoo --gold examples/hoo/gold --system examples/hoo/edits --by-type",
    "task run examples/task.toml -o RESULTS",
]
NOT_FOR_PEOPLE = {
    "make_table",  # of errata submit: below
    "flat_scores_table",
    "flat_coverage_table",
    "_flat_detection_table",
    "_add_annotators",
    "flat_table",
    "_flat_table",
    "flat_pairs_table",
    "_make_rejected_table",
    "_mark_not_done",
    "_extend_signatures",
    "settings_table",
    "tables",
}
"""CSV and other files, or what is printed in another way on a terminal."""


def builders() -> set[tuple[str, str]]:
    """The file and the name of every function that gives a table, or several."""
    found = set()
    for folder in ("report/tables", "cli", "task"):
        for path in Path("src/errata", folder).glob("*.py"):
            for node in ast.walk(ast.parse(path.read_text())):
                if isinstance(node, ast.FunctionDef) and node.returns is not None and ast.unparse(node.returns) == "Table":
                    found.add((str(path.resolve()), node.name))
    return {item for item in found if item[1] not in NOT_FOR_PEOPLE}


def make_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)


@pytest.fixture
def arguments(tmp_path: Path) -> Callable[[str], list[str]]:
    paths = [tmp_path / f"{name}.txt" for name in NAMES]
    for number, path in enumerate(paths):
        shutil.copy(sorted(Path("examples/systems").glob("*.txt"))[number % 3], path)
    people = tmp_path / "people.csv"
    people.write_text("".join(["system,people\n", *(f"{path.stem},{number}\n" for number, path in enumerate(paths))]), encoding="utf-8")
    words = {
        "GOLD": [GOLD],
        "PEOPLE": [str(people)],
        "SYSTEMS": [str(path) for path in paths],
        "SYSTEM": [str(paths[-1])],
        "SYSTEM2": [str(paths[-2])],
        "RESULTS": [str(tmp_path / "results")],
    }
    return lambda command: [part for word in command.split() for part in words.get(word, [word])]


@pytest.mark.slow
def test_everything_fits_80_columns(
    arguments: Callable[[str], list[str]], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """Every table that people see, whole: no line is wider, and no function that makes one is left out here."""
    make_a_terminal(monkeypatch)
    made: set[tuple[str, str]] = set()
    check = Table.__post_init__

    def record(table: Table) -> None:
        frame = sys._getframe(2)
        made.add((str(Path(frame.f_code.co_filename).resolve()), frame.f_code.co_name))
        while (frame := frame.f_back) is not None:  # type: ignore[assignment]
            made.add((str(Path(frame.f_code.co_filename).resolve()), frame.f_code.co_name))
        check(table)

    monkeypatch.setattr(Table, "__post_init__", record)
    for command in COMMANDS:
        assert main(arguments(command)) == 0, command
        lines = _ESCAPE.sub("", capsys.readouterr().out).replace(str(tmp_path), "").splitlines()
        assert [line for line in lines if width(line) > 80] == [], command
    assert builders() - made == set()


def test_the_answer_of_a_server_fits_80_columns(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    make_a_terminal(monkeypatch)
    score = {
        "metric": "gleu(variant=official_py2,order=4)",
        "label": "GLEU",
        "value": 0.5,
        "parts": {"precision": 0.1, "recall": 0.2},
        "signature": "gleu(variant=official_py2) | " * 9,
    }
    print_table(_Answer(is_accepted=True, record={"scores": [score]}).make_table())
    assert [line for line in _ESCAPE.sub("", capsys.readouterr().out).splitlines() if width(line) > 80] == []


def test_a_footer_counts_what_the_filters_match(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    make_a_terminal(monkeypatch)
    start = ["inspect", GOLD, "examples/systems/eager.txt", "--sentences", "1-8", "--color", "never"]

    def footer(*filters: str) -> str:
        assert main([*start, *filters]) == 0
        return " ".join(capsys.readouterr().out.rpartition("\n\n")[2].split())

    everything = "8 of 72 sentences shown; against the chosen references + 11 right, x 7 wrong, - 2 missed"
    assert footer() == everything
    assert footer("--outcome", "wrong", "--chosen") == (
        "5 of 72 sentences shown; the filters match x 7 wrong (of 16) against the chosen references"
    )
    assert footer("--outcome", "missed", "--types", "Vform") == (
        "1 of 72 sentences shown; the filters match - 0 missed (of 3) against the chosen references, and 1 against other annotators"
    )
    assert footer("--outcome", "missed", "-m", "imeasure") == (
        "2 of 72 sentences shown; the filters match - 2 missed (of 9) against the chosen references"
    )


def in_a_terminal(command: list[str], environment: dict[str, str], interrupt_at: str = "") -> tuple[int, str]:
    """Run a command in a terminal of its own; interrupt it when a text appears."""
    leader, follower = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "errata", *command],
        stdin=follower,
        stdout=follower,
        stderr=follower,
        env={**os.environ, "COLUMNS": "80", "TERM": "xterm", **environment},
        start_new_session=True,
    )
    os.close(follower)
    output = b""
    end = time.monotonic() + 60
    while time.monotonic() < end:
        try:
            part = os.read(leader, 65536)
        except OSError:  # the other end is closed
            break
        output += part
        if not part:
            break
        if interrupt_at and interrupt_at.encode() in output:
            process.send_signal(signal.SIGINT)
            interrupt_at = ""
    os.close(leader)
    return process.wait(10), output.decode()


@pytest.mark.slow
def test_an_interrupt_leaves_no_bar(arguments: Callable[[str], list[str]]) -> None:
    status, output = in_a_terminal(arguments("compare GOLD SYSTEMS --rechoose --replicates 100000"), {"NO_COLOR": ""}, "resampling")
    assert status == 130
    erased = output.rpartition("\x1b[2K")[2]
    assert _ESCAPE.sub("", erased).split() == ["errata:", "interrupted"]
    assert "\x1b[?25h" in output  # the cursor is back


@pytest.mark.slow
@pytest.mark.parametrize("environment", [{"NO_COLOR": "1"}, {"TERM": "dumb", "NO_COLOR": ""}])
def test_a_terminal_without_colours(environment: dict[str, str]) -> None:
    for command in (
        ["compare", GOLD, *map(str, sorted(Path("examples/systems").glob("*.txt")))],
        ["inspect", GOLD, "examples/systems/eager.txt"],
    ):
        status, output = in_a_terminal(command, environment)
        assert status == 0
        assert not re.search(r"\x1b\[[0-9;]*m", output)
        assert environment.get("TERM") != "dumb" or "\x1b" not in output
    _, output = in_a_terminal(["inspect", GOLD, "examples/systems/eager.txt", "--color", "always"], environment)
    assert "\x1b[31m" in output


def test_long_work_has_a_bar_that_comes_to_its_end(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Whatever resamples counts its replicates, all of them."""
    bars: dict[str, list[int]] = {}

    class Recorder:
        def __init__(self, what: str, total: int | None, **_: object) -> None:
            self._steps = bars.setdefault(what, [total or 0, 0])

        def __enter__(self) -> Self:
            return self

        def __exit__(self, *_: object) -> None:
            pass

        def advance(self, steps: int) -> None:
            self._steps[1] += steps

    monkeypatch.setattr("errata.report.progress.ProgressBar", Recorder)
    systems = [f"examples/systems/{name}.txt" for name in ("cautious", "eager", "rewriter")]
    assert main(["compare", GOLD, *systems, "--rechoose", "--replicates", "600"]) == 0
    assert bars == {"scoring": [216, 216], "resampling": [1800, 1800], "testing pairs": [1800, 1800]}
    bars.clear()
    assert main(["score", GOLD, *systems, "--confidence", "--replicates", "600"]) == 0
    assert bars == {"scoring": [216, 216], "resampling": [1800, 1800]}
    capsys.readouterr()
