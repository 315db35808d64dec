"""Whatever fails, the user reads one line, and the exit status says what kind of failure it was."""

from __future__ import annotations

import errno
import io
import json
import os
import subprocess
import sys
from contextlib import redirect_stdout
from pathlib import Path

import pytest

import errata.cli.score
from errata.cli import main
from errata.cli.process import report_failure

ERRATA = [str(Path(sys.executable).parent / "errata")]
GOLD, SYSTEM = "examples/learner.m2", "examples/systems/eager.txt"


def shell(line: str, **variables: str) -> tuple[int, str]:
    """The exit status and standard error of a command for bash, where errata is the command."""
    line = line.replace("errata ", f"{ERRATA[0]} ", 1)
    done = subprocess.run(["bash", "-c", line], capture_output=True, text=True, check=False, env={**os.environ, **variables}, timeout=120)
    return done.returncode, done.stderr


class TestMain:
    """``main`` as a function: it returns the status, and writes to whatever standard output is."""

    @pytest.mark.parametrize("arguments", [["score", "--help"], ["--help"], ["help", "score"], ["--version"], []])
    def test_help_returns(self, arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
        assert main(arguments) == 0
        assert "errata" in capsys.readouterr().out

    @pytest.mark.parametrize("format_", ["m2", "jsonl", "xml", "sgml"])
    def test_standard_output_without_bytes(self, format_: str) -> None:
        with redirect_stdout(io.StringIO()) as out:
            assert main(["convert", GOLD, "--to", format_, "-q"]) == 0
        assert len(out.getvalue().splitlines()) > 70

    def test_errors_return(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert main(["score"]) == 2
        assert main(["score", "nowhere.m2", SYSTEM]) == 2
        assert "Traceback" not in capsys.readouterr().err


class TestBugs:
    @pytest.fixture
    def bug(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def fail(*_: object) -> None:
            error = ZeroDivisionError("division\nby zero")
            error.add_note("while x counted sentence 3")
            raise error

        monkeypatch.setattr(errata.cli.score, "score_systems", fail)

    def test_a_bug_has_its_own_status(self, bug: None, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        del bug
        monkeypatch.delenv("ERRATA_TRACEBACK", raising=False)
        assert main(["score", GOLD, SYSTEM]) == 70
        assert capsys.readouterr().err == (
            "errata: error: ZeroDivisionError: division\\nby zero (while x counted sentence 3); "
            "this is a bug in errata, and ERRATA_TRACEBACK=1 shows where\n"
        )

    @pytest.mark.parametrize("error", [ModuleNotFoundError("No module named 'scipy'"), ImportError("_core.so: file too short")], ids=str)
    def test_a_damaged_installation(self, error: Exception, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        monkeypatch.delenv("ERRATA_TRACEBACK", raising=False)
        assert report_failure(error) == 70
        message = f"{type(error).__name__}: {error}; part of the installation is missing or damaged: errata doctor says which"
        assert capsys.readouterr().err == f"errata: error: {message}\n"

    def test_a_traceback_on_request(self, bug: None, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        del bug
        monkeypatch.setenv("ERRATA_TRACEBACK", "1")
        assert main(["score", GOLD, SYSTEM]) == 70
        said = capsys.readouterr().err
        assert "Traceback" in said
        assert "in fail" in said

    def test_a_plug_in_that_exits(self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        def leave(*_: object) -> None:
            sys.exit(0)

        monkeypatch.setattr(errata.cli.score, "score_systems", leave)
        assert main(["score", GOLD, SYSTEM]) == 70
        assert "SystemExit: 0" in capsys.readouterr().err


class TestMemory:
    @pytest.mark.parametrize(
        "error",
        [
            MemoryError(),
            OSError(errno.ENOMEM, "Cannot allocate memory"),
            ImportError("libblas.so: failed to map segment from shared object"),
            RuntimeError("can't start new thread"),
        ],
        ids=repr,
    )
    def test_signs_of_too_little_memory(self, error: Exception, capsys: pytest.CaptureFixture[str]) -> None:
        assert report_failure(error) == 1
        outer = ImportError("numpy cannot be imported\n\nfor many reasons")
        outer.__cause__ = error
        assert report_failure(outer) == 1
        lines = capsys.readouterr().err.splitlines()
        assert len(lines) == 2
        assert all(line.startswith("errata: error: not enough memory") for line in lines)

    @pytest.mark.slow
    def test_a_file_that_is_too_large(self) -> None:
        status, said = shell(f"ulimit -v 100000; errata score <(yes 'S a b' | head -n 900000) {SYSTEM} --from m2")
        assert (status, said) == (1, "errata: error: not enough memory; a smaller --max-tokens refuses the lines that need most\n")


class TestStreams:
    """One rule: what cannot be written is status 1; standard error never changes the status."""

    @pytest.mark.parametrize("arguments", [f"score {GOLD} {SYSTEM}", "score --help", f"convert {GOLD} --to jsonl", "help", "metrics"])
    def test_standard_output_is_full(self, arguments: str) -> None:
        assert shell(f"errata {arguments} > /dev/full") == (1, "errata: error: cannot write to standard output: No space left on device\n")

    @pytest.mark.parametrize("arguments", [f"score {GOLD} {SYSTEM}", f"convert {GOLD} --to jsonl"])
    def test_a_full_device(self, arguments: str) -> None:
        assert shell(f"errata {arguments} --format csv -o /dev/full".replace("--format csv", "" if "convert" in arguments else "-q")) == (
            1,
            "errata: error: /dev/full: cannot be written: No space left on device\n",
        )

    @pytest.mark.parametrize(("arguments", "status"), [("score nowhere.m2 x", 2), (f"score {GOLD} {SYSTEM}", 0), ("score", 2)])
    @pytest.mark.parametrize("end", ["2> /dev/full", "2>&-"])
    def test_standard_error_is_full_or_closed(self, arguments: str, status: int, end: str) -> None:
        assert shell(f"errata {arguments} > /dev/null {end}") == (status, "")

    def test_a_reader_that_has_seen_enough(self) -> None:
        assert shell(f"set -o pipefail; errata convert {GOLD} --to jsonl -q | head -n 1 > /dev/null") == (0, "")


class TestUserFunctions:
    CODE = """
import itertools
def fails(text): raise ValueError("no")
def leaves(text): raise SystemExit(3)
def nothing(text): return None
def text(text): return text
def numbers(text): return [1]
def endless(text): return itertools.repeat("a")
def later(text):
    yield text
    raise KeyError("x")
def words(text): return (word for word in text.split())
value = 3
"""

    @pytest.fixture
    def modules(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        (tmp_path / "own_functions.py").write_text(self.CODE)
        (tmp_path / "own_exit.py").write_text("raise SystemExit(5)")
        (tmp_path / "own_error.py").write_text("1 / 0")
        (tmp_path / "own_syntax.py").write_text("def (")
        monkeypatch.syspath_prepend(str(tmp_path))

    @pytest.mark.parametrize("option", ["--sentence-splitter", "--tokeniser"])
    @pytest.mark.parametrize(
        ("name", "status", "message"),
        [
            ("os:getcwd", 1, "os:getcwd failed: TypeError"),
            ("own_functions:fails", 1, "own_functions:fails failed: ValueError: no"),
            ("own_functions:leaves", 1, "own_functions:leaves failed: SystemExit: 3"),
            ("own_functions:later", 1, "own_functions:later failed: KeyError"),
            ("own_functions:nothing", 1, "own_functions:nothing must return a list of strings, found NoneType"),
            ("own_functions:text", 1, "own_functions:text must return a list of strings, found str"),
            ("own_functions:numbers", 1, "own_functions:numbers must return a list of strings, found int in it"),
            ("own_functions:endless", 1, "own_functions:endless must return parts of the text, found more than"),
            ("own_functions:value", 2, "own_functions:value is not a function"),
            ("own_functions:missing", 2, "own_functions:missing cannot be loaded: AttributeError"),
            ("own_exit:x", 2, "own_exit:x cannot be loaded: SystemExit: 5"),
            ("own_error:x", 2, "own_error:x cannot be loaded: ZeroDivisionError: division by zero"),
            ("own_syntax:x", 2, "own_syntax:x cannot be loaded: SyntaxError"),
            ("nowhere_at_all:x", 2, "nowhere_at_all:x cannot be loaded: ModuleNotFoundError"),
            (".:x", 2, ".:x cannot be loaded: TypeError"),
            ("own_functions", 2, "is written MODULE:FUNCTION, found 'own_functions'"),
        ],
    )
    def test_what_fails_is_named(
        self, modules: None, option: str, name: str, status: int, message: str, capsys: pytest.CaptureFixture[str]
    ) -> None:
        del modules
        assert main(["convert", "examples/essays.sgml", "--to", "m2", option, name]) == status
        assert f"errata: error: {option} {message}" in capsys.readouterr().err

    def test_an_iterator_is_a_list_too(self, modules: None, capsys: pytest.CaptureFixture[str]) -> None:
        del modules
        assert main(["convert", "examples/essays.sgml", "--to", "jsonl", "--tokeniser", "own_functions:words"]) == 0
        assert json.loads(capsys.readouterr().out.splitlines()[0])
