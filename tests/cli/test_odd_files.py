"""Files that are no files, in every place of every command: status 2, one line that names the file and does not speak of writing."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from errata.cli import main

GOLD, SYSTEM, TABLE, CORRECTIONS = (
    "examples/learner.m2",
    "examples/systems/eager.txt",
    "examples/prepositions.csv",
    "examples/corrections.tsv",
)
GRAPHS, OTHER_GRAPHS = "examples/graphs/source.mrp", "examples/graphs/bold.mrp"
HOO = "examples/hoo"
PLACES: dict[str, list[str]] = {
    "score gold": ["score", "@.m2", SYSTEM],
    "score system": ["score", GOLD, "@"],
    "score reference": ["score", SYSTEM, SYSTEM, "-r", "@"],
    "score documents": ["score", GOLD, SYSTEM, "--confidence", "--documents", "@"],
    "score graphs": ["score", GOLD, SYSTEM, "-m", "uccasim", "--graphs", "@.mrp"],
    "score tags": ["score", GOLD, SYSTEM, "--by-type", "--pos-tags", "@"],
    "compare": ["compare", GOLD, SYSTEM, "@"],
    "gate": ["gate", GOLD, "@", SYSTEM],
    "inspect": ["inspect", GOLD, "@"],
    "correlate": ["correlate", "@.m2", SYSTEM, SYSTEM, SYSTEM, "-m", "maxmatch", "-m", "imeasure"],
    "chart": ["chart", "intervals", "@.m2", SYSTEM, "-o", "x.svg"],
    "detect table": ["detect", "@.csv"],
    "detect parquet": ["detect", "@.parquet"],
    "detect corpus": ["detect", "@.m2", SYSTEM],
    "coverage table": ["coverage", "@.tsv"],
    "coverage corpus": ["coverage", "@.m2"],
    "rerank list": ["rerank", "@", "--source", SYSTEM],
    "rerank objects": ["rerank", "@.jsonl"],
    "rerank texts": ["rerank", SYSTEM, "@", "--source", SYSTEM],
    "rerank source": ["rerank", SYSTEM, SYSTEM, "--source", "@"],
    "rerank gold": ["rerank", SYSTEM, SYSTEM, "--oracle", "@.m2"],
    "judgments table": ["judgments", "@.tsv"],
    "judgments xml": ["judgments", "@.xml"],
    "judgments outputs": ["judgments", "examples/judgments/rankings.tsv", "--outputs", "@"],
    "conservatism": ["conservatism", GOLD, "@"],
    "faithfulness source": ["faithfulness", "@.mrp", OTHER_GRAPHS],
    "faithfulness correction": ["faithfulness", GRAPHS, "@.mrp"],
    "graphs": ["graphs", "@.mrp"],
    "graphs text": ["graphs", GRAPHS, "--text", "@"],
    "hoo gold": ["hoo", "--gold", "@", "--system", f"{HOO}/edits"],
    "hoo system": ["hoo", "--gold", f"{HOO}/gold", "--system", "@"],
    "hoo source": ["hoo", "--gold", f"{HOO}/gold", "--system", f"{HOO}/texts", "--source", "@"],
    "hoo corpus": ["stats", "@", "--source", f"{HOO}/source"],
    "hoo corpus source": ["stats", f"{HOO}/gold", "--source", "@"],
    "hoo corpus system": ["score", f"{HOO}/gold", "@", "--source", f"{HOO}/source"],
    "task": ["task", "run", "@.toml", "-o", "results"],
    "stats": ["stats", "@.m2"],
    "check": ["check", "@.m2"],
    "check against": ["check", SYSTEM, "--against", "@.m2"],
    "convert": ["convert", "@.m2", "--to", "jsonl"],
    "convert essays": ["convert", "@.sgml", "--to", "m2"],
    "convert tokens": ["convert", "examples/essays.sgml", "--to", "m2", "--tokens", "@"],
    "convert alternatives": ["convert", "examples/essays.sgml", "--to", "m2", "--alternatives", "@"],
    "convert types": ["convert", "examples/essays.sgml", "--to", "m2", "--map-types", "@"],
    "align source": ["align", "@.m2", SYSTEM],
    "align output": ["align", GOLD, "@"],
    "metrics": ["metrics", "maxmatch"],
}


def _missing(folder: Path) -> str:
    return str(folder / "missing")


def _too_long(folder: Path) -> str:
    return str(folder / ("x" * 5000))


def _below_a_file(folder: Path) -> str:
    (folder / "file").write_text("a\n")
    return str(folder / "file" / "x")


def _folder(folder: Path) -> str:
    (folder / "empty").mkdir()
    return str(folder / "empty")


def _loop(folder: Path) -> str:
    for ending in ("", ".m2", ".mrp", ".csv", ".tsv", ".parquet", ".toml", ".sgml"):
        (folder / f"loop{ending}").symlink_to(f"loop{ending}")
    return str(folder / "loop")


def _bytes(folder: Path) -> str:
    return os.fsdecode(os.fsencode(str(folder)) + b"/caf\xe9")


def _lines(folder: Path) -> str:
    return str(folder / "two\nlines\x1b[31m")


KINDS = (_missing, _too_long, _below_a_file, _folder, _loop, _bytes, _lines)


@pytest.mark.parametrize("make", KINDS)
@pytest.mark.parametrize("place", [name for name, arguments in PLACES.items() if any("@" in word for word in arguments)])
def test_what_cannot_be_read_is_named(place: str, make: Callable[[Path], str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = make(tmp_path)
    keeps_name = make is _folder
    arguments = [re.sub(r"^@(\.\w+)?$", lambda match: path + ("" if keeps_name else match[1] or ""), word) for word in PLACES[place]]
    assert main(arguments) == 2
    captured = capsys.readouterr()
    said = captured.err or captured.out  # errata check lists what it finds
    shown = "caf\\udce9" if make is _bytes else "two\\nlines\\x1b[31m" if make is _lines else path[:1000]
    assert shown in said
    assert not re.search(r"cannot (be written|write)", said)
    assert said.count("errata: error: ") == 1 or captured.err == ""


@pytest.mark.parametrize("place", [name for name, arguments in PLACES.items() if any("@" in word for word in arguments)])
def test_no_name_at_all(place: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    root = Path.cwd()
    monkeypatch.chdir(tmp_path)
    (tmp_path / "examples").symlink_to(root / "examples")
    assert main(["" if word.startswith("@") else word for word in PLACES[place]]) == 2
    captured = capsys.readouterr()
    assert "''" in captured.err + captured.out


@pytest.mark.parametrize("place", ["hoo gold", "hoo system", "hoo source", "graphs", "faithfulness source", "score graphs", "check"])
def test_a_folder_that_cannot_be_listed(
    place: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    scan = os.scandir

    def refuse(path: str = ".") -> object:
        if str(path) == str(tmp_path):
            raise PermissionError(13, "Permission denied", path)
        return scan(path)

    monkeypatch.setattr(os, "scandir", refuse)
    assert main([str(tmp_path) if word.startswith("@") else word for word in PLACES[place]]) == 2
    captured = capsys.readouterr()
    assert re.search(rf"{re.escape(str(tmp_path))}: (cannot be read: Permission denied|this is a directory)", captured.err + captured.out)


def test_a_pipe_is_not_read_twice(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    os.mkfifo(tmp_path / "1GE.xml")
    assert main(["hoo", "--gold", str(tmp_path / "1GE.xml"), "--system", f"{HOO}/edits"]) == 2
    assert "found a pipe or a device, which cannot be read twice" in capsys.readouterr().err


@pytest.mark.parametrize("place", [name for name, arguments in PLACES.items() if any("@" in word for word in arguments)])
def test_an_empty_device(place: str, capsys: pytest.CaptureFixture[str]) -> None:
    status = main([os.devnull if word.startswith("@") else word for word in PLACES[place]])
    assert status == 2, capsys.readouterr()
