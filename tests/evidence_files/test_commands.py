"""What the command says, and what it reads: options that would be ignored are refused, and a pipe is read from its beginning."""

import os
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from errata.cli import main

Run = Callable[..., str]


@pytest.fixture
def given(tmp_path: Path) -> list[str]:
    for name, content in (("src", "a b\nc d\n"), ("ref", "a c\nc d\n"), ("out", "a c\nc e\n")):
        (tmp_path / f"{name}.txt").write_text(content, encoding="utf-8")
    return [str(tmp_path / "src.txt"), "-r", str(tmp_path / "ref.txt"), str(tmp_path / "out.txt")]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    def run(*arguments: str, status: int = 0) -> str:
        found = main(list(arguments))
        printed = capsys.readouterr()
        assert found == status, printed.err
        return printed.out + printed.err

    return run


@pytest.mark.parametrize(
    "options",
    [
        ["--unit", "sentence"],
        ["--source", "x"],
        ["--graphs", "x"],
        ["--parser", "spacy"],
        ["--analyser", "spacy"],
        ["--parses", "x"],
    ],
)
def test_options_that_would_be_ignored_are_refused(options: list[str], given: list[str], run: Run, tmp_path: Path) -> None:
    expected = run("score", *given, *options, status=2)
    assert run("evidence", *given, *options, "-o", str(tmp_path / "counts"), status=2) == expected
    assert not (tmp_path / "counts").exists()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names")
def test_a_pipe_is_read_from_its_beginning(given: list[str], run: Run, tmp_path: Path) -> None:
    pipe, content = tmp_path / "pipe", Path(given[0]).read_bytes()
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_bytes, args=(content,), daemon=True)
    writer.start()
    assert "2 sentences" in run("evidence", str(pipe), *given[1:], "-o", str(tmp_path / "counts"))
    writer.join(10)


def test_an_interrupt_before_anything_was_written(given: list[str], run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("errata.cli.score._make_from_columns", stop)
    assert "is kept" not in run("evidence", *given, "-o", str(tmp_path / "counts"), status=130)
    (tmp_path / "counts").mkdir()
    assert "is kept" in run("evidence", *given, "-o", str(tmp_path / "counts"), status=130)


@pytest.mark.parametrize("command", ["score", "compare"])
def test_a_folder_without_a_manifest_is_named(command: str, run: Run, tmp_path: Path) -> None:
    message = run(command, str(tmp_path), status=1)
    assert f"{tmp_path}: there is no manifest.json, so this is no evidence; errata evidence makes it" in message
