"""Options set the limits on input files, and what is scored against gold is read no further than the gold."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from errata.cli import main
from errata.cli.vocabulary import _size

GOLD, EAGER = "examples/learner.m2", "examples/systems/eager.txt"

Run = Callable[..., str]


def test_options_set_the_limits(run: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "more than 1,000 bytes; raise it with --max-bytes" in run("score", GOLD, EAGER, "--max-bytes", "1000", status=2)
    assert "learner.m2:11: more than 10 lines; raise it with --max-lines" in run("stats", GOLD, "--max-lines", "10", status=2)
    assert run("score", GOLD, EAGER, "--max-bytes", "1M", "--max-lines", "10_000") == run("score", GOLD, EAGER)
    assert "expected a number of bytes such as 1000000, 500M or 2G, found '0'" in run("stats", GOLD, "--max-bytes", "0", status=2)
    assert [_size(text) for text in ("10", "1,000", "2k", "500M", "2G", "1GB")] == [10, 1000, 2 << 10, 500 << 20, 2 << 30, 1 << 30]
    path = tmp_path / "x.txt"
    path.write_text("a\n" * 20)
    assert main(["check", str(path), "--max-lines", "10"]) == 2
    assert f"error: {path}:11: more than 10 lines; raise it with --max-lines" in capsys.readouterr().out


@pytest.mark.parametrize(
    "arguments",
    [
        ["score", GOLD, "{}"],
        ["score", GOLD, EAGER, "{}"],
        ["score", GOLD, "{}", "--by-type", "--tagger", "none"],
        ["compare", GOLD, EAGER, "{}"],
        ["gate", GOLD, EAGER, "{}"],
        ["inspect", GOLD, "{}"],
        ["correlate", GOLD, EAGER, "{}", "-m", "maxmatch", "-m", "accuracy"],
        ["chart", "improvement", GOLD, "{}", "-o", "x.svg"],
        ["detect", GOLD, "{}"],
        ["rerank", EAGER, "{}", "--source", EAGER],
        ["rerank", EAGER, EAGER, "--source", "{}"],
        ["conservatism", GOLD, "{}"],
        ["score", GOLD, EAGER, "--confidence", "--documents", "{}"],
        ["stats", EAGER, "-r", "{}"],
        ["coverage", EAGER, "-r", "{}"],
        ["convert", EAGER, "-r", EAGER, "-r", "{}", "--to", "m2"],
        ["check", "--against", GOLD, "{}"],
        ["task", "run", "{toml}", "--allow-outside", "-o", "results"],
        ["faithfulness", EAGER, "{}", "--parser", "command:cat"],
    ],
)
def test_a_text_is_read_no_further_than_the_gold(
    arguments: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The 74th line is not UTF-8; whoever reads it says so."""
    (tmp_path / "examples").symlink_to(Path("examples").resolve())
    monkeypatch.chdir(tmp_path)
    Path("long.txt").write_bytes(b"a\n" * 73 + b"\xff\n" * 100_000)
    Path("x.toml").write_text(f'gold = "{GOLD}"\nsystems = "long.txt"\n')
    given = [argument.format("long.txt", toml="x.toml") if "{" in argument else argument for argument in arguments]
    assert main(given) == (1 if given[0] == "task" else 2)  # a task sets a bad submission aside
    printed = capsys.readouterr()
    assert "long.txt" in printed.out + printed.err
    assert any(words in printed.out + printed.err for words in ("more than the 72", "more sentences than the 72 of"))
    assert "UTF-8" not in printed.out + printed.err
