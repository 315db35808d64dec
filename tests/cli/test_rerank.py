"""``errata rerank``: picks from lists, what is reported about them, and clear errors."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import errata
from errata.cli import main

Run = Callable[..., str]
GOLD, SYSTEMS = "examples/learner.m2", [f"examples/systems/{name}.txt" for name in ("cautious", "eager", "rewriter")]
NBEST = """\
0 ||| He go . ||| -1
0 ||| He goes . ||| -2
0 ||| He goes . ||| -9
0 ||| He went . ||| -9
1 ||| A cat . ||| -1
1 ||| The cat . ||| -1
1 ||| A cat . ||| -1
1 ||| A cat . ||| -1
"""


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "source.txt"
    path.write_text("".join(f"{sentence.text}\n" for sentence in errata.read(GOLD)))
    return path


@pytest.fixture
def nbest(tmp_path: Path) -> list[Any]:
    (tmp_path / "list.nbest").write_text(NBEST)
    (tmp_path / "two.src").write_text("He go .\nA cat .\n")
    return [tmp_path / "list.nbest", "--source", tmp_path / "two.src"]


def test_systems_are_candidates(run: Run, source: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rerank", *SYSTEMS, "--source", str(source), "-o", str(tmp_path / "picks.txt")]) == 0
    printed = capsys.readouterr()
    assert (printed.out, printed.err) == ("", "72 sentences: 39 picks differ from the first candidate; expected F0.5 55.30\n")
    lists = list(zip(*(Path(path).read_text().splitlines() for path in SYSTEMS), strict=True))
    picked = (tmp_path / "picks.txt").read_text().splitlines()
    assert all(text in own for text, own in zip(picked, lists, strict=True))
    assert run("rerank", *SYSTEMS, "--source", source).splitlines() == picked
    record = json.loads(run("rerank", *SYSTEMS, "--source", source, "--format", "json", "--jobs", "1"))
    assert [entry["text"] for entry in record["picks"]] == picked
    assert (record["per"], record["sentences"], record["differ_from_first"]) == ("corpus", 72, 39)
    for entry, own in zip(record["picks"], lists, strict=True):
        assert entry["candidates"] == list(own)
        assert len(entry["values"]) == 3
        assert own[entry["candidate"] - 1] == entry["text"]
    run("rerank", *SYSTEMS, "--source", source, "-o", tmp_path / "picks.json")
    assert json.loads((tmp_path / "picks.json").read_text()) == record


def test_the_best_for_a_gold(run: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Without a better choice: as many picks are tried as differ in one sentence."""
    assert main(["rerank", *SYSTEMS, "--oracle", GOLD, "-o", str(tmp_path / "best.txt")]) == 0
    assert "F0.5 84.31, of the first candidates 55.00; at most 84.31 with any choice" in capsys.readouterr().err
    record = json.loads(run("rerank", *SYSTEMS, "--oracle", GOLD, "--format", "json"))
    gold, best = errata.read(GOLD), (tmp_path / "best.txt").read_text().splitlines()
    assert errata.score(gold, best).value == record["score_of_picks"] <= record["value"]
    for number, entry in enumerate(record["picks"]):
        for text in entry["candidates"]:
            other = [*best[:number], text, *best[number + 1 :]]
            assert errata.score(gold, other, "maxmatch(choice=optimal)").value <= record["value"] + 1e-12
            if number % 9:
                break
    alone = json.loads(run("rerank", *SYSTEMS, "--oracle", GOLD, "--per", "sentence", "-m", "gleu", "--format", "json"))
    assert alone["per"] == "sentence"


def test_n_best_lists(run: Run, nbest: list[Any]) -> None:
    assert run("rerank", *nbest) == "He goes .\nA cat .\n"
    assert run("rerank", *nbest, "--temperature", "1", "--per", "sentence") == "He go .\nA cat .\n"
    assert run("rerank", *nbest, "--temperature", "100", "--per", "sentence", "--smoothing", "0") == "He goes .\nA cat .\n"
    assert run("rerank", *nbest, "--tokenise", "source") == "He goes .\nA cat .\n"
    assert run("rerank", *nbest, "-m", "gleu") == "He goes .\nA cat .\n"


def test_json_lines_have_their_sources(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "list.jsonl"
    rows = [{"source": "He go .", "candidates": ["He go .", "He goes .", "He goes ."], "scores": [3, 0, 0]}]
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    assert run("rerank", path) == "He goes .\n"
    assert run("rerank", path, "--temperature", "1", "--per", "sentence") == "He go .\n"
    other = tmp_path / "other.src"
    other.write_text("She go .\n")
    message = "list.jsonl:1: expected the source of sentence 1 of"
    assert message in run("rerank", path, "--source", other, status=2)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([*SYSTEMS], "cautious.txt: candidates need their source: --source FILE, or the key source of JSON Lines; found none"),
        ([SYSTEMS[0], "--source", "S"], "cautious.txt:1: expected a line of an n-best list, ID ||| TEXT ||| SCORES, found"),
        ([*SYSTEMS, "--source", "S", "--temperature", "1"], "cautious.txt:1: --temperature needs a score for each candidate, found none"),
        ([*SYSTEMS, "--source", "S", "--temperature", "0"], "--temperature must be above 0, found 0"),
        ([*SYSTEMS, "--source", "S", "--smoothing", "1"], "smoothing is that of single sentences"),
        ([*SYSTEMS, "--source", "S", "-m", "gleu", "--per", "corpus"], "per corpus needs a metric that is a ratio of sums"),
        ([*SYSTEMS, "--source", "S", "--oracle", GOLD], "--source cannot be combined with --oracle"),
        ([*SYSTEMS, "--oracle", GOLD, "--temperature", "1"], "--temperature cannot be combined with --oracle"),
        ([*SYSTEMS, "--gold", GOLD], "there is no option --gold"),
        (["-", "-", "--source", "S"], "standard input (-) can be only one of the files"),
        ([*SYSTEMS, "--source", "examples/references/none"], "there is no such file"),
        (["L", "--oracle", GOLD], "must have the same number of sentences, found 2 and 72"),
        (["L", "--source", "S"], "has too many lines: more than the 2 of"),
    ],
)
def test_bad_requests_are_explained(run: Run, source: Path, nbest: list[Any], arguments: list[str], message: str) -> None:
    given = [str({"S": source, "L": nbest[0]}.get(word, word)) for word in arguments]
    assert message in run("rerank", *given, status=2)
