"""Text of strangers reaches no terminal raw: names of files and systems, tokens, types, ids, titles and values of options."""

from __future__ import annotations

import json
import os
import pty
import re
import shutil
import subprocess
import sys
import threading
import tty
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from errata.cli import _build_parser
from errata.cli.inputs import _printing_safely
from errata.report.progress import ProgressBar

from thoroughness import some

NASTY = "\x1b[31m\x1b]0;t\x07\x9b2J\x08\u202e\u2066\u200b\ufeff\x7f[red]<script>&"
"""Escape sequences in 7 and 8 bits, bell, backspace, directions, invisible characters, and the markup of rich."""
WORD = NASTY.replace(" ", "")
BAD = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]")
"""Everything but line ends and tabs, that a terminal would obey or hide."""
_PRINT_DATA = {"align", "convert", "graphs", "rerank"}

_RUN = """
import json, sys
from errata.cli import main
for arguments in json.loads(sys.stdin.read()):
    print(f"<<< {json.dumps(arguments)}", flush=True)
    try:
        status = main(arguments)
    except SystemExit as end:
        status = end.code
    print(f">>> {status}", flush=True)
    print("", end="", file=sys.stderr, flush=True)
"""


@pytest.fixture(scope="module")
def commands(tmp_path_factory: pytest.TempPathFactory) -> list[list[str]]:
    """Commands on data in which every text is nasty."""
    folder = tmp_path_factory.mktemp("strangers") / f"d{WORD}"
    folder.mkdir()
    here = str(folder)
    gold = str(folder / f"g{WORD}.m2")
    lines = []
    for word in ("a", "b", "c"):
        lines += [
            f"S {word} {WORD} {word}",
            f"A 1 2|||T{WORD}|||x{WORD}|||REQUIRED|||-NONE-|||0",
            f"A 0 1|||T{WORD}|||y|||R|||-|||n{WORD}",
            "",
        ]
    Path(gold).write_text("\n".join(lines) + "\n", encoding="utf-8")
    systems = [str(folder / f"{name}{WORD}.txt") for name in "st"]
    for number, path in enumerate(systems):
        Path(path).write_text("".join(f"{word} x{WORD} {word if number else WORD}\n" for word in "abc"), encoding="utf-8")
    raw = os.fsdecode(os.fsencode(here) + b"/r\x9b\xff.txt")
    shutil.copy(systems[0], raw)
    cases = str(folder / f"c{WORD}.csv")
    Path(cases).write_text(f"error,confidence_{WORD},type\n1,0.9,{WORD}\n0,0.2,{WORD}\n1,0.1,=x\n", encoding="utf-8")
    corrections = str(folder / f"k{WORD}.tsv")
    Path(corrections).write_text(
        "sentence\tcorrection\n" + "".join(f"{WORD}{n % 3}\t{WORD} {n % 2}\n" for n in range(12)), encoding="utf-8"
    )
    rankings = str(folder / f"j{WORD}.tsv")
    pairs = "".join(f"{n}\tanna{WORD}\tA{WORD}\tB{WORD}\t{1 + n % 2}\t{2 - n % 2}\n" for n in range(60))
    Path(rankings).write_text(f"sentence\tjudge\tsystem1\tsystem2\trank1\trank2\n{pairs}", encoding="utf-8")
    graphs = []
    for name in ("source", "bold"):
        graphs.append(str(folder / f"{name}{WORD}.mrp"))
        text = Path(f"examples/graphs/{name}.mrp").read_text(encoding="utf-8").splitlines()
        records = [json.loads(line) for line in text]
        for record in records:
            record["id"] += WORD
            for edge in record.get("edges", []):
                edge["label"] = f"{edge.get('label', '')}{WORD}"
        Path(graphs[-1]).write_text("".join(f"{json.dumps(record)}\n" for record in records), encoding="utf-8")
    hoo = folder / f"h{WORD}"
    shutil.copytree("examples/hoo", hoo)
    for file in hoo.rglob("*.xml"):
        file.write_text(file.read_text(encoding="utf-8").replace('type="', 'type="\u202e\u200b\x7f'), encoding="utf-8")
    task = folder / f"t{WORD}.toml"
    title = json.dumps(NASTY)
    task.write_text(
        f'title = {title}\ngold = {json.dumps(Path(gold).name)}\nsystems = [{json.dumps(Path(systems[0]).name)}]\ntagger = "none"\n',
        encoding="utf-8",
    )
    bad_task = folder / f"u{WORD}.toml"
    bad_task.write_text(f"{title} = 1\n", encoding="utf-8")
    essays = str(folder / f"e{WORD}.sgml")
    Path(essays).write_text(
        Path("examples/essays.sgml").read_text(encoding="utf-8").replace("<TYPE>", "<TYPE>\u202e\u200b\x9b"), encoding="utf-8"
    )
    essays_md, bad_essays_md = (str(folder / f"{name}{WORD}.md") for name in ("m", "n"))
    Path(essays_md).write_text(f"### essay_id = 1{WORD}\nA {WORD} b.\n", encoding="utf-8")
    Path(bad_essays_md).write_text(f"### essay_id = 2{WORD}\nA {WORD} b.\n", encoding="utf-8")
    scores = str(folder / f"s{WORD}.csv")
    Path(scores).write_text("".join(f"{line}\n" for line in (f"system,{WORD}", f"a{WORD},1", f"b{WORD},2", "c,3")), encoding="utf-8")
    broken = str(folder / f"b{WORD}.m2")
    Path(broken).write_text(f"S a\nA 0 {WORD}|||T|||y|||R|||-|||0\nQ {WORD}\n", encoding="utf-8")
    long_line = str(folder / f"l{WORD}.txt")
    Path(long_line).write_text(f"a {WORD}\r\n\n{WORD}", encoding="utf-8")
    shutil.copy(systems[0], folder / "other.txt")
    named = f"n{WORD}={folder}/other.txt"
    score = ["score", gold, *systems, named, raw]
    return [
        [*score],
        [*score, "--format", "markdown"],
        [*score, "--tokenise", "source"],
        ["score", gold, systems[0], "--tokenise", WORD],
        ["score", gold, long_line, "--strict"],
        [*score, "--format", "latex"],
        [*score, "--format", "csv"],
        [*score, "--columns", f"system,{WORD}"],
        [*score, "--by-type", "--pivot", "--tagger", "none", "--format", "latex"],
        [*score, "--format", "json"],
        [*score, "--per-sentence", "-m", "maxmatch", "-m", "accuracy"],
        ["score", gold, systems[0], "--by-type", "--tagger", "none", "-v"],
        [*score, "-m", "imeasure", "--confidence", "--replicates", "100"],
        ["compare", gold, *systems, "--replicates", "100"],
        ["gate", gold, *systems, "--replicates", "100", "--drop", "90"],
        ["gate", gold, *systems, "--replicates", "100", "--format", "table"],
        ["gate", gold, *systems, "--replicates", "100", "--format", "json"],
        ["inspect", gold, systems[0]],
        ["inspect", gold, systems[0], "-m", "imeasure"],
        ["inspect", gold, *systems, "--digest"],
        ["inspect", gold, *systems, "--digest", "--format", "markdown"],
        ["inspect", gold, *systems, "--digest", "--format", "csv"],
        ["inspect", gold, *systems, "--format", "csv"],
        ["inspect", gold, systems[0], "--types", f"T{WORD}", "--search", WORD],
        ["correlate", gold, *systems, named, "-m", "maxmatch", "-m", "accuracy"],
        ["evidence", gold, *systems, named, raw, "-o", f"{here}/{WORD}-counts"],
        ["score", f"{here}/{WORD}-counts"],
        ["score", f"{here}/{WORD}-counts", WORD],
        ["evidence", "merge", f"{here}/{WORD}-counts", f"{here}/{WORD}", "-o", f"{here}/{WORD}-merged"],
        ["evidence", f"{here}/{WORD}.parquet:{WORD}", "-r", systems[0], systems[1], "-o", f"{here}/{WORD}-counts"],
        ["chart", "improvement", gold, *systems, "-o", f"{here}/{WORD}.svg"],
        ["chart", "wacc", gold, *systems, "-o", f"{here}/{WORD}-wacc.svg"],
        ["chart", "intervals", gold, *systems, "-o", f"{here}/{WORD}-intervals.svg"],
        ["chart", "precision-recall", gold, *systems, named, "-o", f"{here}/{WORD}-precision.svg"],
        ["chart", "length", gold, *systems, named, "-o", f"{here}/{WORD}-length.svg"],
        ["chart", "metrics", gold, *systems, named, "-m", "maxmatch", "-m", "accuracy", "--confidence", "-o", f"{here}/{WORD}-metrics.svg"],
        ["chart", "improvement", gold, *systems, "-o", f"{here}/{WORD}.bad"],
        ["detect", cases],
        ["detect", cases, "--format", "csv", "--curves", f"{here}/{WORD}.csv", "--chart", f"{here}/{WORD}-curves.svg"],
        ["detect", gold, *systems, "--types", f"T{WORD}"],
        ["detect", cases, "--column", f"written={WORD}"],
        ["chance", "--prevalence", WORD],
        ["coverage", corrections],
        ["coverage", corrections, "--per-sentence"],
        ["coverage", corrections, "--target-accuracy", WORD],
        ["rerank", *systems, raw, "--oracle", gold],
        ["rerank", *systems, raw, "--source", systems[0], "--format", "json"],
        ["rerank", systems[0], "--source", systems[0]],
        ["judgments", rankings, "--head-to-head", "--by-judge-pair", "--replicates", "100"],
        ["judgments", rankings, "--format", "json", "--replicates", "100"],
        ["judgments", rankings, "--outputs", systems[0]],
        ["meta", gold, *systems, "--judgments", rankings],
        ["meta", gold, *systems, "--human-scores", scores, "--replicates", "100"],
        ["meta", "--human-scores", f"{scores}:{WORD}", "--scores", scores],
        ["meta", "--human-scores", scores, "--scores", scores, "--without", WORD],
        ["correlate", "--scores", scores],
        ["conservatism", gold, *systems, "--histogram", "--chart", f"{here}/{WORD}-changes.svg"],
        ["faithfulness", *graphs],
        ["faithfulness", *graphs, "--per-pair"],
        ["faithfulness", *graphs, "--by-category"],
        ["faithfulness", *graphs, "--inspect"],
        ["faithfulness", *graphs, "--pairs", WORD],
        ["faithfulness", *graphs, "--pairs", f"1{WORD}", "--picture", f"{here}/{WORD}-picture.svg"],
        ["graphs", *graphs],
        ["graphs", graphs[0], "--to", "ucca"],
        ["graphs", graphs[0], "--to", "ucca", "-o", f"{here}/"],
        ["graphs", graphs[0], "--to", "mrp"],
        ["graphs", systems[0], "--parser", f"command:{WORD}"],
        ["hoo", "--gold", f"{hoo}/gold", "--system", f"{hoo}/edits", "--by-type"],
        ["hoo", "--gold", f"{hoo}/gold", "--system", f"{hoo}/edits", "--write-edits", f"{here}/edits{WORD}"],
        ["hoo", "--gold", WORD, "--system", WORD],
        ["task", "run", str(task), "-o", f"{here}/out{WORD}"],
        ["task", "run", str(bad_task), "-o", f"{here}/out{WORD}"],
        ["task", WORD, str(task), "-o", f"{here}/out{WORD}"],
        ["serve", WORD, "--data", f"{here}/event{WORD}"],
        ["serve", "init", str(bad_task), "--data", f"{here}/event{WORD}"],
        ["serve", "init", "examples/event.toml", "--data", f"{here}/event{WORD}"],
        ["serve", "team", "add", WORD, "--data", f"{here}/event{WORD}"],
        ["serve", "team", "list", WORD, "--data", f"{here}/event{WORD}"],
        ["serve", "close", WORD, "--data", f"{here}/event{WORD}"],
        ["serve", "status", "--database", WORD],
        ["serve", "export", "--data", f"{here}/event{WORD}", "-o", f"{here}/exported{WORD}"],
        ["submit", systems[0], "--server", f"https://{WORD}", "--phase", WORD],
        ["submit", f"{here}/missing{WORD}", "--server", "https://localhost:1", "--phase", WORD, "--token-file", systems[0]],
        ["stats", gold],
        ["stats", essays],
        ["check", gold, *systems, raw, broken, long_line],
        ["check", systems[0], "--against", gold],
        ["check", graphs[0], essays],
        ["convert", gold, "--to", "m2"],
        ["convert", gold, "--to", "m2", "-o", "/dev/stdout"],
        ["convert", gold, "--to", "jsonl"],
        ["convert", gold, "--to", "xml"],
        ["convert", essays, "--to", "m2"],
        ["convert", essays, "--to", "sgml"],
        ["convert", essays, "--to", "m2", "--tokeniser", f"{WORD}:f"],
        ["convert", gold, "--to", WORD],
        ["convert", gold, "-o", f"{here}/no{WORD}/x.m2"],
        ["convert", gold, "--to", "parallel", "-o", f"{here}/p{WORD}"],
        ["report", gold, *systems, "-o", f"{here}/r{WORD}.html"],
        ["report", gold, systems[0], "-o", "-"],
        ["data", WORD],
        ["data", "show", WORD],
        ["data", "add", "nucle-train", gold, "--data-folder", f"{here}/sets{WORD}"],
        ["data", "add", "nucle-train", gold, "--data-folder", f"{here}/sets{WORD}", "--unverified"],
        ["data", "path", "nucle-train", "--data-folder", f"{here}/sets{WORD}"],
        ["data", "show", "nucle-train", "--data-folder", f"{here}/sets{WORD}"],
        ["stats", "nucle-train", "--data-folder", f"{here}/sets{WORD}"],
        ["data", "add", "nucle-train", f"{here}/missing{WORD}"],
        ["metrics", WORD],
        ["doctor"],
        ["completion", WORD],
        ["help", WORD],
        ["help", "score"],
        ["score", "--help"],
        [WORD],
        [f"--{WORD}"],
        ["score", f"--{WORD}", gold],
        ["score", gold, systems[0], f"--format={WORD}"],
        ["score", gold, systems[0], "--max-tokens", WORD],
        ["score", gold, systems[0], "-m", f"maxmatch({WORD}=1)"],
        ["score", gold, systems[0], "-m", WORD],
        ["score", f"{here}/missing{WORD}", systems[0]],
        ["annotate", f"{here}/missing{WORD}", systems[0]],
        ["score", essays_md, "-r", essays_md, f"x{WORD}={essays_md}", "--per-document"],
        ["score", essays_md, "-r", essays_md, bad_essays_md],
        ["align", gold, systems[0]],
        ["align", systems[0], raw, "--format", "json"],
        ["align", gold, systems[0], "--fill", WORD],
        ["score", f"{here}/g{WORD}.m3", systems[0]],
        ["score", broken, systems[0]],
        ["score", gold, systems[0], "--from", WORD],
        ["score", gold, systems[0], "--graphs", graphs[0], "-m", "uccasim"],
        ["stats", gold, WORD],
        [*score, "-o", f"{here}/{WORD}"],
        [*score, "-o", f"{here}/{WORD}.{WORD}"],
        [*score, named],
    ]


def outputs(commands: list[list[str]], *, terminal: bool) -> dict[str, tuple[int, str]]:
    """What each command writes to standard output and standard error together, and its status."""
    leader, follower = pty.openpty()
    tty.setraw(follower)  # what the program writes, byte by byte
    reader, writer = os.pipe()
    target = follower if terminal else writer
    environment = {**os.environ, "NO_COLOR": "1", "TERM": "dumb", "COLUMNS": "100", "PYTHONIOENCODING": "utf-8", "LC_ALL": "C.UTF-8"}
    process = subprocess.Popen([sys.executable, "-c", _RUN], stdin=subprocess.PIPE, stdout=target, stderr=target, env=environment)
    os.close(follower)
    os.close(writer)
    assert process.stdin is not None
    parts: list[bytes] = []

    def read() -> None:
        while True:
            try:
                part = os.read(leader if terminal else reader, 1 << 16)
            except OSError:  # the other end of a terminal is closed
                return
            if not part:
                return
            parts.append(part)

    thread = threading.Thread(target=read)
    thread.start()
    process.stdin.write(json.dumps(commands).encode())
    process.stdin.close()
    assert process.wait(300) == 0
    thread.join()
    os.close(leader)
    os.close(reader)
    text = b"".join(parts).decode("utf-8", "surrogateescape")
    found = re.findall(r"<<< (.*?)\n(.*?)>>> (\S+)\n", text, re.DOTALL)
    assert len(found) == len(commands), text[-3000:]
    return {name: (int(status), output) for name, output, status in found}


@pytest.fixture(scope="module")
def shown(commands: list[list[str]]) -> dict[str, tuple[int, str]]:
    return outputs(commands, terminal=True)


@pytest.fixture(scope="module")
def piped(commands: list[list[str]]) -> dict[str, tuple[int, str]]:
    """Commands that print data, and some of the others."""
    others = [command for command in commands if command[0] not in _PRINT_DATA]
    return outputs([command for command in commands if command[0] in _PRINT_DATA] + some(others, 20), terminal=False)


@pytest.mark.slow
def test_no_control_character_reaches_a_terminal(commands: list[list[str]], shown: dict[str, tuple[int, str]]) -> None:
    assert {command[0] for command in commands} >= set(_build_parser().commands)
    assert {name: ascii(output) for name, (_, output) in shown.items() if BAD.search(output)} == {}
    assert sum(status == 0 for status, _ in shown.values()) > 40
    warned = [json.loads(name) for name, (_, output) in shown.items() if "control characters are shown as escapes, because" in output]
    assert {command[0] for command in warned} == _PRINT_DATA
    assert all("--to" in command or command[0] in {"align", "rerank"} for command in warned)
    assert sum("--to" in command for command in warned) == 6


@pytest.mark.slow
def test_a_pipe_gets_data_as_it_is_and_no_other_control_characters(piped: dict[str, tuple[int, str]]) -> None:
    raw = [json.loads(name) for name, (_, output) in piped.items() if BAD.search(output)]
    assert {command[0] for command in raw} == _PRINT_DATA
    assert all("--to" in command or command[0] in {"align", "rerank"} for command in raw)
    (gold,) = {command[1] for command in raw if command[0] == "convert" and command[1].endswith(".m2")}
    for more in ([], ["-o", "/dev/stdout"]):
        status, output = piped[json.dumps(["convert", gold, "--to", "m2", *more])]
        assert (status, output) == (0, Path(gold).read_text(encoding="utf-8"))


@pytest.mark.slow
@pytest.mark.usefixtures("shown")
def test_pictures_and_tables_have_no_markup_of_strangers(commands: list[list[str]]) -> None:
    """After all commands have run: every file that is made for people."""
    folder = Path(commands[0][1]).parent
    pictures = list(folder.glob("*.svg"))
    assert len(pictures) == 9
    for path in pictures:
        text = path.read_text(encoding="utf-8")
        assert not BAD.search(text)
        names = {element.tag.rpartition("}")[2] for element in ET.fromstring(text).iter()}
        assert "script" not in names
        assert "\\u202e" in text or "…" in text  # long names are shortened
    tables = [path for path in folder.rglob("*") if path.parent.name.startswith("out") or path.name == f"{WORD}.csv"]
    assert {path.suffix for path in tables} == {".md", ".tex", ".csv", ".json", ".html"}
    for path in tables:
        text = path.read_text(encoding="utf-8")
        assert not BAD.search(text), path
        assert path.suffix != ".md" or "<script" not in text.replace("\\<", "")
    for page in (path for path in folder.rglob("*.html")):
        text = page.read_text(encoding="utf-8")
        assert not BAD.search(text), page
        own = set(re.findall(r"<script[^>]*>", text))
        assert own <= {"<script>", *(tag for tag in own if re.fullmatch(r'<script type="(text/plain|application/json)"[^>]*>', tag))}
        assert text.count("<script>") == 1


def test_a_progress_bar_shows_markup_as_text(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("errata.report.progress._PATIENCE", -1.0)
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setenv("NO_COLOR", "1")
    with _printing_safely(), ProgressBar("x[red]\x1b]0;t\x07[link=u]", 2) as bar:
        bar.advance(1)
    shown = capsys.readouterr().err
    assert "x[red]\\x1b]0;t\\x07[link=u]" in shown
    assert "\x1b]" not in shown
