"""Every option has one meaning, every help text can be read, and mistakes are answered with what may have been meant."""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import pytest

from errata.cli import _build_parser, main
from errata.cli.parser import Parser
from errata.cli.vocabulary import _COMBINATIONS, OPTIONS

GOLD, EAGER, CAUTIOUS = "examples/learner.m2", "examples/systems/eager.txt", "examples/systems/cautious.txt"

Run = Callable[..., str]


def commands() -> dict[str, Parser]:
    return _build_parser().commands


def options() -> Iterator[tuple[str, argparse.Action]]:
    for command, parser in commands().items():
        for action in parser.arguments:
            if action.option_strings and action.dest != "help":
                yield command, action


def other_meanings(uses: Iterable[tuple[str, argparse.Action]]) -> list[str]:
    """Options of commands that differ from the vocabulary, or from the same option of another command."""
    first: dict[str, argparse.Action] = {}
    unlike = []
    for command, action in uses:
        name = action.option_strings[-1]
        option = OPTIONS[name]
        same = first.setdefault(name, action)
        values = option.settings.get("choices")
        if not (
            tuple(action.option_strings) == ((option.short, name) if option.short else (name,))
            and (action.help or "").startswith(option.meaning)
            and (action.dest, action.metavar, action.nargs) == (same.dest, same.metavar, same.nargs)
            and (values is None or set(action.choices or ()) <= set(values))
        ):
            unlike.append(f"{command} {name}")
    return unlike


def test_every_option_has_one_meaning() -> None:
    assert {action.option_strings[-1] for _, action in options()} == set(OPTIONS)
    assert other_meanings(options()) == []


@pytest.mark.parametrize(
    "settings",
    [
        {"dest": "other", "help": OPTIONS["--seed"].meaning, "metavar": "N"},
        {"help": "something else", "metavar": "N"},
        {"help": OPTIONS["--seed"].meaning, "metavar": "N", "nargs": "+"},
        {"help": OPTIONS["--seed"].meaning},
    ],
)
def test_another_meaning_is_noticed(settings: dict[str, str]) -> None:
    action = Parser(prog="errata odd").add_argument("--seed", **settings)  # type: ignore[arg-type]
    assert other_meanings([*options(), ("odd", action)]) == ["odd --seed"]


def test_no_two_options_share_a_short_name_or_a_destination() -> None:
    short = [option.short for option in OPTIONS.values() if option.short]
    assert len(short) == len(set(short))
    destinations: dict[str, set[str]] = defaultdict(set)
    for _, action in options():
        destinations[action.dest].add(action.option_strings[-1])
    assert all(len(names) == 1 for names in destinations.values()), destinations


def test_a_meaning_can_be_read_alone() -> None:
    for name, option in OPTIONS.items():
        assert option.meaning[0] not in ".(", name
        assert len(option.meaning.split()) > 2, name


def test_rules_name_options_of_their_command() -> None:
    for command, rules in _COMBINATIONS.items():
        known = commands()[command].options
        for rule in rules:
            named = {*rule.options, *([] if rule.other == "SYSTEM" else [rule.other.split(" ")[0]])}
            assert named <= set(known), (command, named - set(known))


@pytest.mark.parametrize("name", ["", *commands()])
def test_help_fits_80_columns(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    parser = commands()[name] if name else _build_parser()
    text = parser.format_help()
    assert [line for line in text.splitlines() if len(line) > 80] == []
    assert not re.search(r"^\s+\.\.\. ", text, re.MULTILINE)


def test_help_of_a_command(run: Run) -> None:
    assert run("help", "score") == commands()["score"].format_help()
    assert "completion" in run("help")
    assert "there is no command 'scor'; did you mean score?" in run("scor", status=2)
    assert "did you mean compare?" in run("help", "compar", status=2)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["score", "--confidnce"], "there is no option --confidnce; did you mean --confidence?"),
        (["score", "--replic", "9"], "there is no option --replic; did you mean --replicates?"),
        (["hoo", "--unicode", "NFC"], "there is no option --unicode (see"),
        (["score", GOLD, EAGER, "-m", "maxmach"], "did you mean maxmatch?"),
        (["score", GOLD, EAGER, "-m", "maxmatch(bta=1)"], "did you mean beta?"),
        (["score", GOLD, "examples/systems/eagr.txt"], "did you mean examples/systems/eager.txt?"),
        (["score", GOLD, EAGER, "--format", "jsn"], "did you mean json?"),
        (["score", GOLD, EAGER, "-m", "maxmatch", "-m", "maxmatch(beta=0.5)"], "-m maxmatch is given twice"),
        (["score", GOLD, EAGER, "--seed", "1"], "--seed needs --confidence, which adds intervals"),
        (["score", GOLD, EAGER, "--beta", "1"], "it is a setting of a metric: -m 'maxmatch(beta=...)'"),
        (["score", GOLD, EAGER, "--missing", "noop", "-m", "gleu"], "it is a setting of a metric: -m 'gleu(missing=...)'"),
        (["score", GOLD, EAGER, "-m", "accuracy", "--metric=errant(gold=raw)", "--beta", "1"], "-m 'errant(beta=...)'"),
        (["score", GOLD, EAGER, "-m", "accuracy", "--beta", "1"], "it is a setting of a metric: -m 'maxmatch(beta=...)'"),
        (["score", GOLD, EAGER, "-m", "m2"], "unknown metric 'm2'; did you mean maxmatch?"),
        (["detect", "examples/prepositions.csv", "--measure", "kapa"], "did you mean kappa?"),
        (["inspect", GOLD, EAGER, "--types", "Prepp"], "did you mean Prep?"),
        (["-q", "score", GOLD, EAGER], "-q belongs behind the command: errata COMMAND -q"),
        (["--format", "json"], "--format belongs behind the command"),
        (["score", GOLD, EAGER, "--format", "json", "--format", "csv"], "--format is given twice"),
        (["inspect", GOLD, EAGER, "--sentences", "3-1"], "the range '3-1' runs backwards"),
        (["coverage", "examples/corrections.tsv", "--lenient"], "--lenient needs a corpus"),
        (["detect", "examples/prepositions.csv", "--max-tokens", "10"], "--max-tokens needs a corpus and systems"),
        (["hoo", "--gold", "examples/hoo/gold", "--system", "examples/hoo/edits", "--offsets", "text"], "--offsets needs --source"),
        (["metrics", "imeasur"], "did you mean imeasure?"),
        (["check", GOLD, "extra", "--format", "xml"], "expected text, json, found 'xml'"),
        (["stats", GOLD, "extra"], "one argument too many: 'extra'"),
        (["score", GOLD, f"a={EAGER}", f"a={CAUTIOUS}"], "two files are named 'a'"),
        (["score", "--graphs", "a.mrp", "b.mrp", GOLD, EAGER, "-m", "uccasim"], "there is no such file"),
        (["score", GOLD, EAGER, "-m", "uccasim", "--graphs", "a.mrp", "b.mrp"], "repeat --graphs for every file"),
    ],
)
def test_mistakes_are_answered(run: Run, arguments: list[str], message: str) -> None:
    error = run(*arguments, status=2)
    assert message in error
    assert error.startswith("errata: error: ")
    assert error.count("\n") == 1


@pytest.mark.parametrize(
    "arguments",
    [
        ["--confidence", GOLD, EAGER],
        ["--confidence", "0.95", GOLD, EAGER],
        ["--confidence=95%", GOLD, EAGER],
        [GOLD, "--confidence", EAGER],
        [GOLD, EAGER, "--confidence"],
    ],
)
def test_an_optional_value_does_not_swallow_files(run: Run, arguments: list[str]) -> None:
    entry = json.loads(run("score", *arguments, "--replicates", "200", "--format", "json"))["scores"][0]
    assert (entry["system"], entry["interval"]["level"]) == ("eager", 0.95)


def test_files_stand_between_options(run: Run) -> None:
    expected = run("score", GOLD, CAUTIOUS, EAGER, "-m", "maxmatch(beta=1)")
    assert run("score", GOLD, CAUTIOUS, "-m", "maxmatch(beta=1)", EAGER) == expected
    assert run("score", "-m", "maxmatch(beta=1)", GOLD, CAUTIOUS, EAGER) == expected


def test_graphs_before_files_do_not_swallow_them(run: Run) -> None:
    folder = "examples/graphs"
    assert "bold" in run("score", "-m", "uccasim", "--graphs", folder, f"{folder}/learner.m2", f"{folder}/bold.txt")


def test_systems_are_named(run: Run, tmp_path: Path) -> None:
    record = json.loads(run("score", GOLD, f"best={EAGER}", CAUTIOUS, "--format", "json"))
    assert [entry["system"] for entry in record["scores"]] == ["best", "cautious"]
    odd = tmp_path / "a=b.txt"
    odd.write_bytes(Path(EAGER).read_bytes())
    assert [entry["system"] for entry in json.loads(run("score", GOLD, odd, "--format", "json"))["scores"]] == ["a=b"]


def test_output_goes_to_a_file_whole_or_not_at_all(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "scores.json"
    assert run("score", GOLD, EAGER, "-o", path) == ""
    assert json.loads(path.read_text())["scores"][0]["system"] == "eager"
    assert run("score", GOLD, EAGER, "--format", "markdown", "-o", path) == ""
    assert path.read_text().startswith("| System |")
    before = path.read_text()
    run("score", GOLD, "nowhere.txt", "-o", path, status=2)
    assert path.read_text() == before
    assert [item.name for item in tmp_path.iterdir()] == ["scores.json"]
    for ending, beginning in (("csv", "system,"), ("tex", "%"), ("txt", "System")):
        run("score", GOLD, EAGER, "-o", tmp_path / f"x.{ending}")
        assert (tmp_path / f"x.{ending}").read_text().startswith(beginning)
    assert run("score", GOLD, EAGER, "-o", "-") == run("score", GOLD, EAGER)


def test_an_input_is_never_replaced(run: Run, tmp_path: Path) -> None:
    gold, system, link = tmp_path / "gold.m2", tmp_path / "system.txt", tmp_path / "link.txt"
    gold.write_bytes(Path(GOLD).read_bytes())
    system.write_bytes(Path(EAGER).read_bytes())
    link.symlink_to(system)
    for text in ("p.src", "p.ref0", "p.ref1"):
        (tmp_path / text).write_text("a\n")
    for arguments in (
        ["stats", gold, "-o", gold],
        ["convert", gold, "--to", "jsonl", "-o", gold],
        ["score", gold, f"name={system}", "-o", system],
        ["score", gold, system, "-o", link],
        ["inspect", gold, system, "-o", tmp_path / ".." / tmp_path.name / "system.txt"],
        ["conservatism", gold, system, "--chart", system],
        ["align", gold, system, "-o", system],
        ["gate", gold, f"old={CAUTIOUS}", system, "-o", system],
        ["convert", tmp_path / "p.src", "-r", tmp_path / "p.ref1", "-r", tmp_path / "p.ref0", "--to", "parallel", "-o", tmp_path / "p"],
        ["hoo", "--gold", "examples/hoo/gold", "--system", tmp_path, "--write-edits", tmp_path],
        ["faithfulness", tmp_path, "examples/graphs/bold.mrp", "--format", "json", "-o", gold],
    ):
        assert "would replace the input" in run(*arguments, status=2)
    assert gold.read_bytes() == Path(GOLD).read_bytes()
    assert system.read_bytes() == Path(EAGER).read_bytes()


def test_an_output_named_like_the_beginning_of_an_input_is_no_prefix(run: Run, tmp_path: Path) -> None:
    run("convert", GOLD, "--to", "parallel", "-o", tmp_path / "dev")
    run("score", tmp_path / "dev.src", "-r", tmp_path / "dev.ref0", EAGER, "-o", tmp_path / "dev")
    assert (tmp_path / "dev").read_text().startswith("System")


def test_outputs_are_checked_before_any_work(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "two results would be written to" in run(
        "detect", "examples/prepositions.csv", "--curves", tmp_path / "d.csv", "-o", tmp_path / "d.csv", status=2
    )
    assert "there is no folder" in run("score", GOLD, EAGER, "-o", tmp_path / "nowhere" / "x.csv", status=2)
    (tmp_path / "examples").symlink_to(Path("examples").resolve())
    monkeypatch.chdir(tmp_path)
    for _ in range(2):
        run("score", GOLD, EAGER, "-o", "score")  # a file named like the command is no input
    record = run("score", GOLD, EAGER, "--per-sentence", "--confidence", "--replicates", "200", "-o", "both.json")
    assert record == ""
    assert "per_sentence" in Path("both.json").read_text()
    Path("-g.m2").write_bytes(Path(GOLD).read_bytes())
    assert "72" in run("stats", "--", "-g.m2")
    assert "File name too long" in run("stats", "x" * 300, status=2)


def test_an_extension_that_names_no_format_is_refused(run: Run, tmp_path: Path) -> None:
    assert "say --format text, json" in run("check", GOLD, "-o", tmp_path / "x.csv", status=2)
    assert "the extension .xlsx names no format" in run("score", GOLD, EAGER, "-o", tmp_path / "x.xlsx", status=2)
    assert list(tmp_path.iterdir()) == []
    run("score", GOLD, EAGER, "-o", tmp_path / "x.xlsx", "--format", "csv")
    run("score", GOLD, EAGER, "-o", tmp_path / "scores")
    assert (tmp_path / "scores").read_text().startswith("System")


@pytest.mark.parametrize(
    "arguments",
    [
        ["compare", GOLD, EAGER, CAUTIOUS, "--replicates", "500"],
        ["gate", GOLD, EAGER, CAUTIOUS, "--replicates", "500"],
        ["inspect", GOLD, EAGER, "--sentences", "1"],
        ["stats", GOLD],
        ["check", GOLD],
        ["metrics"],
        ["chance"],
        ["conservatism", GOLD, EAGER],
        ["detect", "examples/prepositions.csv"],
        ["graphs", "examples/graphs/source.mrp"],
        ["help", "score"],
        ["correlate", GOLD, EAGER, CAUTIOUS, "examples/systems/rewriter.txt", "-m", "maxmatch", "-m", "accuracy"],
        ["coverage", "examples/corrections.tsv"],
        ["faithfulness", "examples/graphs/source.mrp", "named=examples/graphs/bold.mrp"],
        ["hoo", "--gold", "examples/hoo/gold", "--system", "examples/hoo/edits"],
    ],
)
def test_a_command_writes_to_a_file_what_it_prints(arguments: list[str], run: Run, tmp_path: Path) -> None:
    printed = run(*arguments)
    assert run(*arguments, "-o", tmp_path / "printed.txt") == ""
    assert (tmp_path / "printed.txt").read_text() == printed


def test_quiet_prints_errors_only(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    gold = tmp_path / "g.m2"
    gold.write_text("S a b\nA 1 3|||X|||y|||REQUIRED|||-NONE-|||0\n\n")
    (tmp_path / "s.txt").write_text("y b\n")
    assert main(["score", str(gold), str(tmp_path / "s.txt"), "--lenient"]) == 0
    assert "errata: warning: " in capsys.readouterr().err
    assert main(["score", str(gold), str(tmp_path / "s.txt"), "--lenient", "-q"]) == 0
    assert capsys.readouterr().err == ""
    assert main(["score", str(gold), str(tmp_path / "s.txt"), "-q"]) == 2
    assert capsys.readouterr().err.startswith("errata: error: ")


def test_warnings_of_one_kind_are_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    gold = tmp_path / "g.m2"
    gold.write_text("".join(f"S a b\nA 1 {end}|||X|||y|||REQUIRED|||-NONE-|||0\n\n" for end in range(3, 23)))
    arguments = ["stats", str(gold), "--lenient"]
    assert main(arguments) == 0
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(f"errata: warning: {gold}:2: ")
    assert line.endswith("(and 19 more like this; -v lists them)")
    assert main([*arguments, "--verbose"]) == 0
    assert len(capsys.readouterr().err.splitlines()) == 20


def test_m2_is_read_whatever_its_name(run: Run, tmp_path: Path) -> None:
    expected = json.loads(run("score", GOLD, EAGER, "--format", "json"))["scores"][0]["parts"]
    for name in ("gold", "gold.txt", "gold.xml", "gold.src"):
        path = tmp_path / name
        path.write_bytes(Path(GOLD).read_bytes())
        assert json.loads(run("score", path, EAGER, "--format", "json"))["scores"][0]["parts"] == expected
    text = tmp_path / "S.txt"
    text.write_text("S a sentence that begins with S\nA 0 1\n")
    assert "a source text needs reference files" in run("score", text, text, status=2) or "looks like M2" in run(
        "score", text, text, status=2
    )


@pytest.mark.slow
@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_scripts_load(shell: str, tmp_path: Path) -> None:
    from shutil import which

    if which(shell) is None:
        pytest.skip(f"{shell} is not installed")
    script = tmp_path / "_errata"
    assert main(["completion", shell, "-o", str(script)]) == 0
    check = {
        "bash": f"source {script}; complete -p errata; COMP_WORDS=(errata sco); COMP_CWORD=1; _shtab_errata; echo ${{COMPREPLY[@]}}",
        "zsh": f"fpath+={tmp_path}; autoload -Uz compinit; compinit -u -d {tmp_path}/dump; autoload +X $_comps[errata]; whence -w _errata",
        "fish": f"source {script}; complete -C 'errata sco'",
    }[shell]
    options = {"bash": ["--norc"], "zsh": ["-f"], "fish": ["--no-config"]}[shell]
    result = subprocess.run([shell, *options, "-c", check], capture_output=True, text=True, check=False, timeout=60)
    assert result.returncode == 0, result.stderr
    assert result.stderr == ""
    assert {"bash": "score", "zsh": "_errata: function", "fish": "score\t"}[shell] in result.stdout
    text = script.read_text()
    assert "--confidence" in text
    assert "maxmatch" in text


def test_help_starts_without_what_it_does_not_need() -> None:
    heavy = "{'numpy', 'scipy', 'rich', 'shtab', 'altair'}"
    code = f"import sys; from errata.cli import main; main([]); print(sorted({heavy} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.endswith("[]\n")
