"""Printed lines and exit statuses of every command."""

from __future__ import annotations

import csv
import io
import json
import os
import platform
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from errata import Evaluator, System, __version__
from errata.cli import _build_parser, main
from errata.corpus.corpus import Corpus
from errata.metrics import ShowsEdits

GOLD = "examples/learner.m2"
SYSTEMS = ["examples/systems/cautious.txt", "examples/systems/eager.txt", "examples/systems/rewriter.txt"]

Run = Callable[..., str]


def test_leaderboard(run: Run) -> None:
    lines = run("score", GOLD, *SYSTEMS).splitlines()
    assert lines[0].split() == ["System", "Correct", "Proposed", "Gold", "P", "R", "F0.5"]
    assert [line.split()[0] for line in lines[2:5]] == ["eager", "cautious", "rewriter"]
    assert lines[3].split() == ["cautious", "22", "23", "108", "95.65", "20.37", "55.00"]
    assert lines[6].startswith(
        "maxmatch(beta=0.5,max_unchanged=2,ignore_case_and_space=false,choice=official,missing=absent,references=single) "
        "| gold learner.m2, 72 sentences"
    )
    assert lines[6].endswith(f"| errata {__version__}")


def test_json_as_promised(run: Run) -> None:
    record = json.loads(run("score", GOLD, *SYSTEMS, "--format", "json"))
    assert (record["errata"], record["gold"], record["sentences"]) == (__version__, "learner.m2", 72)
    assert [entry["system"] for entry in record["scores"]] == ["cautious", "eager", "rewriter"]
    assert record["scores"][0] == {
        "system": "cautious",
        "metric": "maxmatch",
        "value": 0.55,
        "parts": {"correct": 22, "proposed": 23, "gold": 108, "precision": 22 / 23, "recall": 22 / 108},
        "signature": record["scores"][0]["signature"],
    }


def test_several_metrics(run: Run) -> None:
    record = json.loads(run("score", GOLD, SYSTEMS[0], "-m", "maxmatch(beta=1)", "-m", "maxmatch(choice=optimal)", "--format", "json"))
    assert [entry["metric"] for entry in record["scores"]] == ["maxmatch(beta=1.0)", "maxmatch(choice=optimal)"]
    lines = run("score", GOLD, *SYSTEMS, "-m", "maxmatch(beta=1)", "-m", "maxmatch(beta=2)", "--digits", "1").splitlines()
    assert lines[0].split() == ["System", "maxmatch(beta=1.0)", "maxmatch(beta=2.0)"]
    assert lines[2].split() == ["eager", "70.1", "75.9"]
    assert lines[6].startswith("F1: maxmatch(beta=1.0,")
    rows = list(csv.DictReader(io.StringIO(run("score", GOLD, *SYSTEMS, "-m", "maxmatch", "-m", "maxmatch(beta=1)", "--format", "csv"))))
    assert [(row["system"], row["metric"]) for row in rows[2:4]] == [("rewriter", "maxmatch"), ("cautious", "maxmatch(beta=1.0)")]
    assert all("sha256" in row["signature"] for row in rows)


def test_what_i_means_is_said_wherever_it_stands(run: Run) -> None:
    alone = run("score", GOLD, SYSTEMS[2], "-m", "imeasure(references=single)")
    beside = run("score", GOLD, SYSTEMS[2], "-m", "maxmatch", "-m", "imeasure(references=single)")
    assert "I above 0: the output is better than the source; below 0: worse." in alone
    assert "I above 0: the output is better than the source; below 0: worse." in beside


def test_csv_has_full_precision_and_the_given_order(run: Run) -> None:
    rows = list(csv.DictReader(io.StringIO(run("score", GOLD, *SYSTEMS, "--format", "csv"))))
    assert [row["system"] for row in rows] == ["cautious", "eager", "rewriter"]
    assert float(rows[0]["precision"]) == 22 / 23
    assert int(rows[0]["gold"]) == 108


def test_markdown_and_latex(run: Run) -> None:
    assert "| eager | 95 | 151 | 121 | 62.91 | 78.51 | 65.52 |" in run("score", GOLD, *SYSTEMS, "--format", "markdown")
    latex = run("score", GOLD, *SYSTEMS, "--format", "latex")
    assert r"  eager & 95 & 151 & 121 & 62.91 & \textbf{78.51} & \textbf{65.52} \\" in latex
    assert latex.count(r"\begin{tabular}{lrrrrrr}") == 1


def test_per_sentence(run: Run, gold: Corpus) -> None:
    rows = list(csv.DictReader(io.StringIO(run("score", GOLD, *SYSTEMS[:2], "--per-sentence", "--format", "csv"))))
    assert len(rows) == 2 * len(gold)
    assert sum(int(row["correct"]) for row in rows if row["system"] == "cautious") == 22
    record = json.loads(run("score", GOLD, SYSTEMS[1], "--per-sentence", "--format", "json"))
    sentence = record["scores"][0]["per_sentence"][2]
    assert (sentence["sentence"], sentence["annotator"], sentence["parts"]["correct"]) == (3, "0", 2)


def test_gold_from_parallel_text_and_standard_input(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert main(["convert", GOLD, "--to", "parallel", "-o", str(tmp_path / "p")]) == 0
    out = run("score", tmp_path / "p.src", "-r", tmp_path / "p.ref0", "-r", tmp_path / "p.ref1", tmp_path / "p.ref0")
    assert out.splitlines()[2].split()[-1] == "100.00"
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(Path(GOLD).read_bytes())))
    assert "cautious" in run("score", "-", SYSTEMS[0])


def test_inspect(run: Run) -> None:
    out = run("inspect", GOLD, SYSTEMS[1], "--sentences", "3")
    assert "  annotator 0 (chosen): 2 right, 1 wrong, 0 missed" in out
    assert "    At first [x →,] I [+ feeled→felt] very lonely because I did n't know [+ nobody→anybody] there ." in out
    assert "    +   3-4   Vform     feeled → felt" in out
    assert out.endswith("1 of 72 sentences shown; against the chosen references + 2 right, x 1 wrong, - 0 missed\n")
    assert "\x1b" not in out


def test_inspect_in_colour(run: Run) -> None:
    assert "\x1b[32m" in run("inspect", GOLD, SYSTEMS[1], "--sentences", "3", "--color", "always")


def test_inspect_filters(run: Run, gold: Corpus, systems: dict[str, System]) -> None:
    output = Evaluator(gold)(systems["cautious"]).output
    assert isinstance(output, ShowsEdits)
    judged = [output.edits(index) for index in range(len(gold))]

    def shown(*filters: str) -> list[int]:
        record = json.loads(run("inspect", GOLD, SYSTEMS[0], "--format", "json", *filters))
        return [sentence["sentence"] for sentence in record["sentences"]]

    def expected(outcomes: set[str], types: set[str]) -> list[int]:
        return [
            number
            for number, annotators in enumerate(judged, start=1)
            if any(edit.outcome in outcomes and (not types or edit.type in types) for edits in annotators for edit in edits)
        ]

    everything = {"right", "wrong", "missed"}
    assert shown() == list(range(1, 73))
    assert shown("--sentences", "12,1-3,2") == [12, 1, 2, 3]
    assert shown("--search", "LIBRARY") == [number for number, sentence in enumerate(gold, start=1) if "library" in sentence.text.lower()]
    assert shown("--outcome", "wrong") == expected({"wrong"}, set()) != []
    assert shown("--outcome", "wrong", "--outcome", "missed") == expected({"wrong", "missed"}, set())
    assert shown("--types", "ArtOrDet") == expected(everything, {"ArtOrDet"}) != []
    assert shown("--types", "ArtOrDet,Prep") == expected(everything, {"ArtOrDet", "Prep"})
    assert shown("--outcome", "right", "--types", "SVA") == expected({"right"}, {"SVA"}) != shown("--outcome", "right")
    chosen = json.loads(run("inspect", GOLD, SYSTEMS[0], "--format", "json", "--chosen"))["sentences"]
    assert all(len(sentence["annotators"]) == 1 and sentence["annotators"][0]["chosen"] for sentence in chosen)


def test_stats(run: Run) -> None:
    lines = run("stats", GOLD).splitlines()
    assert lines[2].split() == ["sentences", "72"]
    assert lines[3].split() == ["tokens", "1,047"]
    record = json.loads(run("stats", GOLD, "--format", "json"))
    assert record["types"]["0"]["ArtOrDet"] == 17
    assert record["annotators"][1]["missing"] == 7
    for name in ("markdown", "latex"):
        assert "ArtOrDet" in run("stats", GOLD, "--format", name)
    rows = list(csv.DictReader(io.StringIO(run("stats", GOLD, "--format", "csv"))))
    assert sum(int(row["edits"]) for row in rows) == 237  # no row of totals that could be taken for a type


def test_convert_round_trip(run: Run, tmp_path: Path) -> None:
    run("convert", GOLD, "-o", tmp_path / "x.jsonl.gz")
    assert run("convert", tmp_path / "x.jsonl.gz", "--to", "m2") == Path(GOLD).read_text()


def test_convert_tells_what_is_lost(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["convert", GOLD, "--to", "parallel", "-o", str(tmp_path / "p")]) == 0
    assert "errata: warning: examples/learner.m2: edits lose their type: 237" in capsys.readouterr().err


def test_check_lists_everything(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "x.m2"
    path.write_bytes(
        b"S a  b c\r\nA 0 1|||X|||y\nA 0 9|||X|||y|||REQUIRED|||-NONE-|||0\nA 0 2|||X|||y|||MAYBE|||-NONE-|||0\n"
        b"A 1 3|||X|||z|||REQUIRED|||-NONE-|||1\nA 1 3|||X|||z  w|||REQUIRED|||-NONE-|||0\nA 0 2|||X|||y|||REQUIRED|||-NONE-|||0\n"
        b"A 2 3|||X|||c|||REQUIRED|||-NONE-|||0\nA -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0\nS x \xc2\x85 y\nbad\nS \xff\nS z\0"
    )
    assert main(["check", str(path)]) == 2
    out = capsys.readouterr().out
    for expected in (
        "error: {}:2: an A line must have 6 fields separated by |||, found 3",
        "error: {}:3: offsets 0 9 lie outside the sentence of 3 tokens",
        "error: {}:11: expected a line that starts with 'S ' or 'A ', found 'bad'",
        "error: {}:12: not UTF-8: byte 0xff at byte 3 of the line",
        "error: {}:13: a NUL byte at byte 4 of the line; expected text",
        "warning: {}:1: tokens are not separated by single spaces in 2 lines, of which this is the first (accepted)",
        "warning: {}:4: unusual status 'MAYBE', expected REQUIRED or OPTIONAL",
        "warning: {}:6: a correction whose tokens are not separated by single spaces, so no output can match it",
        "warning: {}:6: overlaps the edit of line 4",
        "warning: {}:7: repeats the edit of line 4",
        "warning: {}:8: an edit that changes nothing",
        "warning: {}:1: the lines of its annotators are interleaved (they are grouped when written)",
        "warning: {}:1: annotator 0 has both noop and edits (noop has no effect)",
        "warning: {}:10: contains U+0085, which some tools take for a line end (errata does not)",
        "warning: {}:10: no empty line before this S line",
        "warning: {}:13: no line end at the end of the file (accepted)",
        "warning: {}: 1 of 13 lines end in carriage return and line feed (accepted)",
    ):
        assert expected.format(path) in out.splitlines(), expected
    assert out.splitlines()[-1] == "5 errors, 15 warnings"


def test_check_counts_against_gold(run: Run, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert run("check", GOLD, *SYSTEMS, "--against", GOLD, "--errors-only").splitlines()[-1] == "0 errors, 2 warnings not shown"
    (tmp_path / "short.txt").write_text("a\n")
    assert main(["check", str(tmp_path / "short.txt"), "--against", GOLD, "--format", "json"]) == 2
    record = json.loads(capsys.readouterr().out)
    assert record["problems"][0]["message"] == "1 sentence, but examples/learner.m2 has 72"


def test_check_and_score_refuse_gold_as_the_output_of_a_system(run: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("system.m2", "system.txt"):
        path = tmp_path / name
        path.write_text(Path(GOLD).read_text())
        message = f"{path}:3: a system must have one annotator, found 2; the best of several edits would be an oracle, not a system"
        for options in ([], ["--from", "m2"]):
            assert main(["check", str(path), "--against", GOLD, *options]) == 2
            assert f"error: {message}" in capsys.readouterr().out
        assert f"error: {message}" in run("score", GOLD, path, status=2)


def test_check_notices_shifted_and_untokenised_output(run: Run, tmp_path: Path) -> None:
    lines = Path(SYSTEMS[0]).read_text().splitlines()
    (tmp_path / "shifted.txt").write_text("\n".join([*lines[:4], *lines[5:], "an extra line"]) + "\n")
    (tmp_path / "raw.txt").write_text("\n".join(line.replace(" .", ".").replace(" ,", ",") for line in lines) + "\n")
    assert "shifted.txt:5: " in run("check", tmp_path / "shifted.txt", "--against", GOLD)
    assert "tokens; is it tokenised like examples/learner.m2?" in run("check", tmp_path / "raw.txt", "--against", GOLD)
    assert run("check", SYSTEMS[0], "--against", GOLD).endswith("0 errors, 0 warnings\n")


def test_check_lists_a_thousand_of_a_kind(run: Run, tmp_path: Path) -> None:
    (tmp_path / "empty.txt").write_text("\n" * 5000)
    lines = run("check", tmp_path / "empty.txt").splitlines()
    assert len(lines) == 1003
    assert lines[1000] == f"warning: {tmp_path}/empty.txt: 4,000 more like this: an empty line (a sentence without tokens)"


def test_check_goes_on_after_a_line_it_cannot_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One bad line is one error: what belongs to it is not judged, and later lines keep their places."""
    edit = b"A 0 1|||X|||y|||REQUIRED|||-NONE-|||0\n"
    (tmp_path / "x.m2").write_bytes(b"S " + b"a " * 5000 + b"\n" + edit + b"\nS b\n" + edit + b"\n")
    assert main(["check", str(tmp_path / "x.m2")]) == 2
    assert capsys.readouterr().out.endswith("x.m2: 2 sentences\n1 error, 0 warnings\n")
    (tmp_path / "s.txt").write_bytes(b"a\n\xff\nc\n")
    assert main(["check", str(tmp_path / "s.txt")]) == 2
    assert "s.txt: 3 sentences\n" in capsys.readouterr().out


def test_a_reference_given_as_a_system_is_noticed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("dev.src", "dev.ref0", "dev.ref1"):
        (tmp_path / name).write_text("a\n")
    assert main(["score", *(str(tmp_path / name) for name in ("dev.src", "dev.ref1")), "-r", str(tmp_path / "dev.ref0")]) == 0
    assert "dev.ref1 is scored as a system, although it is named like a reference" in capsys.readouterr().err
    (tmp_path / "dev.hyp").write_text("a\n")
    assert main(["score", str(tmp_path / "dev.src"), str(tmp_path / "dev.hyp"), "-r", str(tmp_path / "dev.ref0")]) == 0
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("name", ["there is none.m2", "examples", "empty.m2"])
def test_check_reports_files_that_cannot_be_read(tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str) -> None:
    path = tmp_path / name if name == "empty.m2" else Path(name)
    if name == "empty.m2":
        path.touch()
    assert main(["check", str(path)]) == 2
    assert f"error: {path}: " in capsys.readouterr().out


def test_version_names_the_core(run: Run) -> None:
    first, second = run("--version").splitlines()
    assert first == f"errata {__version__} (native core)"
    assert second == f"{platform.python_implementation()} {platform.python_version()}, {platform.system()} {platform.machine()}"


def test_no_command_prints_help(run: Run) -> None:
    start = run()
    assert len(start.splitlines()) < 20
    assert "errata help lists all commands" in start


def test_lenient_warns_and_scores(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "g.m2").write_text("S a b\nA 1 3|||X|||y|||REQUIRED|||-NONE-|||0\nA 0 1|||X|||y|||REQUIRED|||-NONE-|||0\n\n")
    (tmp_path / "s.txt").write_text("y b\n")
    assert main(["score", str(tmp_path / "g.m2"), str(tmp_path / "s.txt"), "--lenient", "--format", "json"]) == 0
    captured = capsys.readouterr()
    assert "g.m2:2: skipped: offsets 1 3 lie outside the sentence of 2 tokens" in captured.err
    assert json.loads(captured.out)["scores"][0]["value"] == 1.0


def test_a_closed_pipe_is_no_error() -> None:
    command = f"{sys.executable} -m errata inspect {GOLD} {SYSTEMS[1]} | head -n 1"
    done = subprocess.run(["bash", "-o", "pipefail", "-c", command], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.slow
def test_output_to_pipes_of_any_kind(tmp_path: Path) -> None:
    (tmp_path / "big.m2").write_bytes(Path(GOLD).read_bytes() * 100)
    errata = f"{sys.executable} -m errata"
    for command, expected in (
        (f"{errata} convert {tmp_path}/big.m2 --to jsonl | head -n 1 | wc -l", "1"),
        (f"{errata} convert {GOLD} --to m2 -o /dev/stdout | cmp - {GOLD} && echo same", "same"),
        (f"{errata} convert {GOLD} --to m2 -o >(cat > {tmp_path}/copy.m2); sleep 0.3; cmp {tmp_path}/copy.m2 {GOLD} && echo same", "same"),
    ):
        done = subprocess.run(["bash", "-o", "pipefail", "-c", command], capture_output=True, text=True, check=False)
        assert (done.returncode, done.stdout.strip(), done.stderr) == (0, expected, ""), command


def test_output_is_utf8_whatever_the_locale(tmp_path: Path) -> None:
    """A name that is not text, a locale that cannot show the table's lines, and learners' words outside ASCII."""
    name = os.fsencode(tmp_path) + b"/caf\xe9.txt"
    shutil.copy(os.fsencode(SYSTEMS[0]), name)
    environment = {**os.environ, "PYTHONUTF8": "0", "PYTHONIOENCODING": "ascii"}
    for arguments in (["score", GOLD, name], ["score", GOLD, name, "--format", "json"], ["convert", GOLD, "--to", "m2"]):
        done = subprocess.run([sys.executable, "-m", "errata", *arguments], capture_output=True, env=environment, check=True)
        text = done.stdout.decode("utf-8")
        assert r"caf\udce9" in text or r"caf\\udce9" in text or text == Path(GOLD).read_text(encoding="utf-8")


def test_help_starts_without_heavy_imports() -> None:
    heavy = ("rich", "numpy", "scipy", "gzip")
    code = f"import sys; from errata.cli import _build_parser; _build_parser(); print([m for m in {heavy} if m in sys.modules])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"


def test_every_command_has_help_with_examples() -> None:
    commands = _build_parser().commands
    for name in set(commands) - {"help"}:
        assert "examples:\n  errata " in commands[name].format_help()


@pytest.mark.parametrize("command", ["score", "compare"])
def test_many_empty_sentences_are_told(tmp_path: Path, capsys: pytest.CaptureFixture[str], command: str) -> None:
    (tmp_path / "gold.m2").write_text("S a b\n\n" * 50 + "S \n\n" * 50)
    for name, empty in (("few.txt", 2), ("many.txt", 3), ("more.txt", 50)):
        (tmp_path / name).write_text("\n" * empty + "a b\n" * (50 - empty) + "\n" * 50)
    systems = [str(tmp_path / name) for name in ("few.txt", "many.txt", "more.txt")]
    assert main([command, str(tmp_path / "gold.m2"), *systems]) == 0
    assert [line.rpartition("/")[2] for line in capsys.readouterr().err.splitlines()] == [
        "many.txt: 3 of 100 sentences are empty, although their sources are not",
        "more.txt: 50 of 100 sentences are empty, although their sources are not",
    ]
    assert main(["score", str(tmp_path / "gold.m2"), systems[1], "--sentences", "1,4"]) == 0
    assert "many.txt: 1 of 2 sentences is empty, although its source is not" in capsys.readouterr().err
