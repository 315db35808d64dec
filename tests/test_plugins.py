"""Metrics, formats and taggers of other packages: installed, listed, used, and named when they cannot be loaded."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from errata import METRICS, UsageError
from errata.formats import FORMATS
from errata.language.tagging import TAGGERS
from errata.plugins import Plugins

from plugin_packages import offer
from thoroughness import some

pytestmark = pytest.mark.slow
METRIC = """
from dataclasses import dataclass
import errata
from errata.metrics import SingleRow
@dataclass(frozen=True)
class Metric(errata.Metric):
    x: int = 3
    name = 'shaky'
    summary = 'x'
    columns = ('n',)
    strategy = SingleRow()
    def value(self, counts): return 1.0
"""
GOLD, EAGER = "examples/learner.m2", "examples/systems/eager.txt"


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The example of a package with a metric, installed by pip into a folder of its own."""
    folder = tmp_path_factory.mktemp("plugins")
    source = folder / "source"
    source.mkdir()
    for path in Path(__file__).parent.parent.glob("examples/plugin/*.*"):
        (source / path.name).write_text(path.read_text(encoding="utf-8"), encoding="utf-8")
    options = ["--quiet", "--no-deps", "--no-index", "--no-build-isolation", "--disable-pip-version-check"]
    command = [sys.executable, "-m", "pip", "install", *options]
    subprocess.run([*command, "--target", str(folder / "site"), str(source)], check=True, capture_output=True, text=True)
    return folder / "site"


def errata(*arguments: str, at: Path, check: bool = True) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(at)}
    return subprocess.run([sys.executable, "-m", "errata", *arguments], env=environment, capture_output=True, text=True, check=check)


def test_an_installed_metric_is_listed_and_scores(installed: Path) -> None:
    listed = errata("metrics", at=installed)
    assert "wordchoice  words that output and reference share, whatever their order" in listed.stdout
    assert "errata-wordchoice 1.0" in listed.stdout
    assert not listed.stderr
    assert "weight of recall against precision in F" in errata("metrics", "wordchoice", at=installed).stdout
    command = ["score", GOLD, EAGER, "-m", "wordchoice(beta=0.5)", "--format", "json", "--confidence", "--per-sentence"]
    (score,) = json.loads(errata(*command, at=installed).stdout)["scores"]
    assert score["metric"] == "wordchoice(beta=0.5)"
    assert "| errata-wordchoice 1.0 | gold" in score["signature"]
    assert score["interval"]["low"] < score["value"] < score["interval"]["high"]
    assert score["parts"]["output"] == sum(len(line.split()) for line in Path(EAGER).read_text(encoding="utf-8").splitlines())
    assert "wordchoice" in errata("score", "--help", at=installed).stdout
    compared = errata("compare", GOLD, EAGER, "examples/systems/cautious.txt", "-m", "wordchoice", at=installed).stdout
    assert "randomisation test" in compared


def test_an_installed_metric_passes_the_laws(installed: Path) -> None:
    code = "from errata.studies import check_metric\nfor law, reason in check_metric('wordchoice').items(): print(law, '|', reason)"
    environment = {**os.environ, "PYTHONPATH": str(installed)}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert "a perfect system has the best value | \n" in done.stdout
    assert "the source has no false positives | it does not count true and false positives" in done.stdout


def test_a_metric_of_another_package_is_about_twenty_lines() -> None:
    lines = Path("examples/plugin/errata_wordchoice.py").read_text(encoding="utf-8").split("@dataclass")[1].splitlines()
    assert len([line for line in lines if line.strip()]) <= 20


BROKEN = [
    ("import no_such_library", "ModuleNotFoundError: No module named 'no_such_library'"),
    ("raise ValueError('out of order')", "ValueError: out of order"),
    ("", "AttributeError: module 'broken' has no attribute 'Metric'"),
    ("Metric = 3", "it is not a subclass of errata.Metric, but int"),
    ("from errata import MaxMatch\nclass Metric(MaxMatch): pass", "its name is 'maxmatch'"),
    ("import sys; sys.exit(3)", "SystemExit: 3"),
    (METRIC.replace("summary = 'x'", ""), "it has no summary"),
    (METRIC.replace("strategy = SingleRow()", ""), "it does not define strategy"),
    (METRIC.replace("x: int = 3", "x: int"), "its field x has no default"),
    (METRIC, "its field x is not a setting; declare it with number, whole, one_of, flag or text of errata.settings"),
    (METRIC.replace("frozen=True", "").replace("x: int = 3", ""), "it is not a frozen dataclass"),
    (
        METRIC.replace("SingleRow()", "SingleRow").replace("x: int = 3", ""),
        "the metric shaky cannot be used: its strategy must be a Strategy, such as SingleRow() or Choose(...)",
    ),
    (METRIC.replace("def value", "def check(self): raise KeyError(3)\n    def value").replace("x: int = 3", ""), "KeyError: 3"),
    (
        "from errata import Metric",
        "it is not a frozen dataclass; write",
    ),
]


@pytest.mark.parametrize(("code", "reason"), BROKEN)
def test_a_plugin_that_cannot_be_loaded_is_named(tmp_path: Path, code: str, reason: str) -> None:
    offer(tmp_path, "broken", {"metrics": {"shaky": "broken:Metric"}}, code)
    listed = errata("metrics", at=tmp_path)
    assert f"errata: warning: the metric 'shaky' of broken 2.0 cannot be loaded: {reason}" in listed.stderr
    assert "maxmatch" in listed.stdout
    asked = errata("score", GOLD, EAGER, "-m", "shaky", at=tmp_path, check=False)
    assert asked.returncode == 1
    assert f"errata: error: the metric 'shaky' of broken 2.0 cannot be loaded: {reason}" in asked.stderr


@pytest.mark.parametrize(("code", "reason"), some(BROKEN, 4))
def test_a_plugin_that_cannot_be_loaded_costs_nobody_else_anything(tmp_path: Path, code: str, reason: str) -> None:
    offer(tmp_path, "broken", {"metrics": {"shaky": "broken:Metric"}}, code)
    scored = errata("score", GOLD, EAGER, at=tmp_path)
    assert "eager" in scored.stdout
    assert reason not in scored.stderr
    unknown = errata("score", GOLD, EAGER, "-m", "shake", at=tmp_path, check=False)
    assert "unknown metric 'shake'; choose from accuracy," in unknown.stderr


@pytest.mark.parametrize(
    ("points", "told"),
    [
        ("[errata.metrics]\nshaky = no colon or dots", "an entry point must have the form module:name, found 'no colon or dots'"),
        ("[errata.metrics]\nshaky\n", "the metrics of odd cannot be found: its entry points cannot be read"),
        ("[errata.metrics]\nMyMetric = odd:Metric", "the name of a metric must consist of small letters, digits, hyphens and underscores"),
    ],
)
def test_entry_points_that_are_none(tmp_path: Path, points: str, told: str) -> None:
    offer(tmp_path, "odd", {}, METRIC.replace("x: int = 3", ""))
    (tmp_path / "odd-2.0.dist-info" / "entry_points.txt").write_text(points, encoding="utf-8")
    listed = errata("metrics", at=tmp_path)
    assert told in listed.stderr
    assert "maxmatch" in listed.stdout
    assert errata("check", EAGER, at=tmp_path).stdout.startswith(f"{EAGER}: 72 sentences")


def test_a_package_without_a_name(tmp_path: Path) -> None:
    offer(tmp_path, "odd", {"metrics": {"shaky": "odd:Metric"}}, METRIC.replace("x: int = 3", ""))
    (tmp_path / "odd-2.0.dist-info" / "METADATA").write_text("", encoding="utf-8")
    offer(tmp_path, "other", {"metrics": {"shaky": "other:Metric"}}, METRIC.replace("x: int = 3", ""))
    listed = errata("metrics", at=tmp_path)
    assert "shaky       x" in listed.stdout
    assert "is not used, because the name is taken" in listed.stderr


def test_the_names_of_errata_cannot_be_taken(tmp_path: Path) -> None:
    offer(tmp_path, "thief", {"metrics": {"maxmatch": "thief:Metric"}}, "raise SystemExit('ran')")
    listed = errata("metrics", at=tmp_path)
    assert "errata: warning: the metric 'maxmatch' of thief 2.0 is not used, because the name is taken" in listed.stderr
    assert "65.52" in errata("score", GOLD, EAGER, at=tmp_path).stdout


FORMAT = """
from errata import Sentence
from errata.formats import CorpusFormat

def read(path, problems, max_tokens):
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, start=1):
            if line.startswith("?"):
                problems.error(number, "a line begins with a question mark")
            yield Sentence(tuple(line.split()))

def lines(corpus):
    return (sentence.text for sentence in corpus)

class Tagger:
    name = "all nouns 1"

    def tag(self, sentences):
        return [("NN",) * len(tokens) for tokens in sentences]

def make(what):
    return Tagger()

PLAIN = CorpusFormat("plain", read, lines)
"""


def test_a_format_and_a_tagger_of_another_package(tmp_path: Path) -> None:
    offer(tmp_path, "more", {"formats": {"plain": "more:PLAIN"}, "taggers": {"nouns": "more:make"}}, FORMAT)
    text = tmp_path / "a.plain"
    text.write_text("One line .\nAnother line .\n", encoding="utf-8")
    converted = errata("convert", str(text), "--to", "m2", at=tmp_path).stdout
    assert converted == "S One line .\n\nS Another line .\n\n"
    assert errata("convert", GOLD, "--to", "plain", at=tmp_path).stdout.startswith("My First Year")
    assert "2 sentences\n0 errors" in errata("check", str(text), at=tmp_path).stdout
    text.write_text("? what\n", encoding="utf-8")
    checked = errata("check", str(text), at=tmp_path, check=False)
    assert (checked.returncode, "a.plain:1: a line begins with a question mark" in checked.stdout) == (2, True)
    typed = errata("score", GOLD, EAGER, "--by-type", "--tagger", "nouns", at=tmp_path).stdout
    assert "| tagger all nouns 1" in typed


def test_what_fails_in_somebody_elses_code_is_told_as_such(tmp_path: Path) -> None:
    code = """
from errata.formats import CorpusFormat
def read(path, problems, max_tokens):
    yield open(path, encoding="ascii").read().no_such_method()
def fail(what):
    raise ImportError("no model")
WRONG, OTHER, TEXT = CorpusFormat("wrong", read), CorpusFormat("another", read), CorpusFormat("txt", read)
"""
    formats = {"wrong": "bad:WRONG", "other": "bad:OTHER", "txt": "bad:TEXT"}
    offer(tmp_path, "bad", {"formats": formats, "taggers": {"sick": "bad:fail", "odd": "bad:len"}, "parsers": {"sick": "bad:fail"}}, code)
    text = tmp_path / "a.wrong"
    text.write_text("x", encoding="utf-8")
    for arguments, told in (
        (["stats", str(text)], "the format 'wrong' of bad 2.0 failed: AttributeError: 'str' object has no attribute 'no_such_method'"),
        (["stats", str(tmp_path / "a.other")], "its name is 'another', but no entry point has that name"),
        (["score", GOLD, EAGER, "--by-type", "--tagger", "sick"], "the tagger 'sick' of bad 2.0 failed: ImportError: no model"),
        (["score", GOLD, EAGER, "-m", "uccasim", "--parser", "sick"], "the parser 'sick' of bad 2.0 failed: ImportError: no model"),
    ):
        done = errata(*arguments, at=tmp_path, check=False)
        assert (done.returncode, "Traceback" in done.stderr) == (1, False), done.stderr
        assert told in done.stderr
    assert "72 sentences" in errata("check", EAGER, at=tmp_path).stdout  # .txt stays text


def test_own_parts_are_known() -> None:
    assert {"maxmatch", "imeasure", "hoo", "accuracy", "indexmatch", "uccasim", "distsim"} <= set(METRICS)
    assert {"m2", "jsonl", "ndjson", "xml", "sgml", "sgm"} <= set(FORMATS)
    assert {"textblob", "spacy"} <= set(TAGGERS)
    assert len(METRICS) == len(list(METRICS))
    assert METRICS.is_own("maxmatch")
    assert METRICS["maxmatch"] is METRICS["maxmatch"]
    with pytest.raises(KeyError):
        METRICS["nothing"]


def test_a_new_metric_touches_two_files() -> None:
    """Its own, and pyproject.toml: no list of metrics is kept in the code, and every test of all metrics asks the registry."""
    listing = [path for path in Path("src/errata").rglob("*.py*") if path.suffix in {".py", ".pyi"} and _names_all(path.read_text("utf-8"))]
    assert [str(path) for path in listing] == ["src/errata/__init__.pyi"]  # names for Python users, which none has to have


def _names_all(text: str) -> bool:
    return all(name in text for name in ("MaxMatch", "IMeasure", "UccaSim", "DistSim"))


def test_what_is_no_plugin_is_refused() -> None:
    plugins = Plugins("thing", lambda name, offered: (name, offered))
    assert plugins.group == "errata.things"
    with pytest.raises(UsageError, match="unknown thing 'x'; choose from"):
        plugins.find("x")


WORKING = """
from dataclasses import dataclass
import errata
from errata.metrics import SingleRow
@dataclass(frozen=True)
class Metric(errata.Metric):
    name = 'shaky'
    summary = 'x'
    columns = ('n',)
    strategy = SingleRow()
    def count(self, sentence, hypothesis): return [(1,)]
    def value(self, counts): return 1.0
"""
FAILURES = {
    "count": ("def count(self, sentence, hypothesis): return [(1 // (len(hypothesis) - 6),)]", "ZeroDivisionError: integer division"),
    "count of nothing": ("def count(self, sentence, hypothesis): return None", "TypeError: 'NoneType' object is not iterable"),
    "scorer": ("def scorer(self, corpus): open('/no/such/file')", "FileNotFoundError: [Errno 2]"),
    "value": ("def value(self, counts): raise KeyError('weight')", "KeyError: 'weight'"),
    "parts": ("def parts(self, counts): return {'n': None.n}", "AttributeError: 'NoneType'"),
    "outcomes": ("def shown(self, counts): import sys; sys.exit(4)", "SystemExit: 4"),
    "strategy": ("@property\n    def label(self): return 1 + self.name", "TypeError: unsupported operand"),
}


@pytest.mark.parametrize("where", FAILURES)
def test_a_metric_that_fails_is_named(tmp_path: Path, where: str) -> None:
    code, reason = FAILURES[where]
    offer(tmp_path, "broken", {"metrics": {"shaky": "broken:Metric"}}, f"{WORKING}    {code}\n")
    done = errata("score", GOLD, EAGER, "-m", "shaky", at=tmp_path, check=False)
    assert done.returncode == 1
    (line,) = done.stderr.splitlines()
    assert line.startswith(f"errata: error: the metric 'shaky' of broken 2.0 failed: {reason}")
    assert ("while shaky counted sentence " in line) == where.startswith("count")


OTHER = """
class Other:
    name = 'shaky'
    def tag(self, sentences): return [1 // 0 for _ in sentences]
    __call__ = tag
def make(what): return Other()
"""


@pytest.mark.parametrize(
    ("kind", "command"),
    [
        ("tagger", ["score", GOLD, EAGER, "--by-type", "--tagger", "shaky"]),
        ("parser", ["faithfulness", GOLD, EAGER, "--parser", "shaky"]),
    ],
)
def test_a_tagger_or_parser_that_fails_is_named(tmp_path: Path, kind: str, command: list[str]) -> None:
    offer(tmp_path, "broken", {f"{kind}s": {"shaky": "broken:make"}}, OTHER)
    done = errata(*command, at=tmp_path, check=False)
    assert done.returncode == 1
    (line,) = done.stderr.splitlines()
    assert line.startswith(f"errata: error: the {kind} ")
    assert "failed: ZeroDivisionError: " in line


def test_a_command_that_cannot_be_loaded_is_reported_and_the_others_work(tmp_path: Path) -> None:
    code = """
import sys

def add(commands):
    commands.add_parser("hello", help="greet").set_defaults(run=lambda _: print("hello"), prints=lambda _: True)

def stop(commands):
    commands.add_parser("stopping", help="never seen")
    sys.exit(3)
"""
    broken = {"nowhere": "no_such_module:add", "absent": "greeting:missing", "stopping": "greeting:stop", "number": "greeting:sys"}
    offer(tmp_path, "greeting", {"commands": {"hello": "greeting:add [extra]", "help": "greeting:add", **broken}}, code)

    def errata(*words: str) -> tuple[int, str, str]:
        done = subprocess.run(
            [sys.executable, "-m", "errata", *words],
            capture_output=True,
            text=True,
            check=False,
            env={**os.environ, "PYTHONPATH": str(tmp_path)},
        )
        return done.returncode, done.stdout, done.stderr

    status, out, err = errata("--help")
    assert status == 0
    assert "  hello" in out
    assert "never seen" not in out
    assert [line.split("'")[1] for line in err.splitlines()] == ["absent", "nowhere", "number", "stopping"]
    assert errata("hello")[:2] == (0, "hello\n")
    assert errata("metrics")[0::2] == (0, "")
    assert errata("nowhere")[0] != 0
