"""errata doctor on a sound installation, and on broken ones, each of which it notices."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import replace
from importlib.metadata import distribution
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from errata import _core, core
from errata.cli import diagnosis, main
from errata.cli.diagnosis import (
    _EXTRAS,
    _check_metrics,
    _check_version,
    _CheckFailedError,
    _list_extras,
    _list_plugins,
    _Observation,
    _Requirement,
    diagnose,
)
from errata.language.tagging import TextBlobTagger
from errata.language.types import find_word_list
from errata.metrics import METRICS

from plugin_packages import offer

NEEDS_SPACY = "spaCy or its model is not installed: pip install 'errata[errant]'"


@pytest.fixture(autouse=True)
def _read_anew() -> Iterator[None]:
    """What is read once is read again, before and after a test that replaces it."""
    cached: tuple[Any, ...] = (diagnosis._load_numbers, diagnosis._load_example, diagnosis._load_graph_example, find_word_list)
    for function in cached:
        function.cache_clear()
    yield
    for function in cached:
        function.cache_clear()


def failures() -> dict[str, str]:
    return {observation.name: observation.found for observation in diagnose().failed}


def run_doctor(*arguments: str, code: str = "from errata.cli import main", **environment: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", f"import sys\n{code}\nsys.exit(main(sys.argv[1:]))", "doctor", *arguments]
    return subprocess.run(command, env={**os.environ, **environment}, capture_output=True, text=True, check=False)


def test_a_sound_installation(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor", "--format", "json"]) == 0
    record = json.loads(capsys.readouterr().out)
    assert (record["sound"], record["failed"]) == (True, [])
    assert list(record["sections"]) == ["versions", "extras", "plugins", "surroundings", "core", "metrics", "models"]
    states = {(key, one["name"]): one["state"] for key, observations in record["sections"].items() for one in observations}
    assert states["core", "both cores"] == states["models", "tags of TextBlob"] == "ok"
    assert set(states.values()) <= {"info", "ok", "missing"}
    tested = {name for key, name in states if key == "metrics"}
    assert tested == {"exact interval", *(name for name in METRICS if METRICS.is_own(name))}


def test_tables_for_people(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor"]) == 0
    printed = capsys.readouterr().out
    assert re.search(r"^maxmatch +ok +0\.669643, as recorded$", printed, re.MULTILINE)
    assert re.search(r"^core +ok +native, compiled by \w+ [\d.]+.*, optimised$", printed, re.MULTILINE)
    assert re.search(r"\n\n\d+ checks pass, none fails\n$", printed)
    assert main(["doctor", "--format", "markdown"]) == 0
    assert "| maxmatch | ok | 0.669643, as recorded |" in capsys.readouterr().out


def count_wrong(judge: Callable[..., Any]) -> type:
    class Wrong:
        def __init__(self, *arguments: Any) -> None:
            self._judge = judge(*arguments)

        def counts(self, first: int, hypotheses: Any) -> Any:
            return [tuple((correct + 1, *rest) for correct, *rest in rows) for rows in self._judge.counts(first, hypotheses)]

        def edits(self, sentence: int, hypothesis: Any) -> Any:
            return self._judge.edits(sentence, hypothesis)

    return Wrong


def test_a_core_that_counts_wrongly(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    wrong = count_wrong(_core.MaxMatchJudge)
    monkeypatch.setattr(_core, "MaxMatchJudge", wrong)
    monkeypatch.setattr(core, "MaxMatchJudge", wrong)
    found = failures()
    assert set(found) == {"both cores", "maxmatch"}
    assert found["both cores"] == "maxmatch, counts of the native core: expected [15, 22, 24], found [27, 22, 24]"
    assert found["maxmatch"] == "counts: expected [15, 22, 24], found [27, 22, 24]"
    assert main(["doctor"]) == 1
    assert re.search(r"checks pass, 2 checks fail: both cores, maxmatch\n$", capsys.readouterr().out)


@pytest.mark.slow
def test_a_core_that_cannot_be_loaded() -> None:
    code = """
class Finder:
    def find_spec(self, name, path=None, target=None):
        if name == "errata._core":
            raise ImportError("/home/jane doe/venv/errata/_core.so: undefined symbol")
sys.meta_path.insert(0, Finder())
from errata.cli import main
"""
    done = run_doctor("--format", "json", code=code)
    record = json.loads(done.stdout)
    assert (done.returncode, done.stderr, record["sound"]) == (1, "", False)
    assert {"core", "native core", "maxmatch"} <= set(record["failed"])
    (native,) = [one for one in record["sections"]["core"] if one["name"] == "native core"]
    assert native["found"].startswith("cannot be loaded: ")


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="signals are those of POSIX")
def test_a_core_that_ends_python(tmp_path: Path) -> None:
    """As a library that was cut off does, when it is mapped into memory."""
    (tmp_path / "sitecustomize.py").write_text(
        "import os, signal, sys\n"
        "class Finder:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name == 'errata._core':\n"
        "            os.kill(os.getpid(), signal.SIGKILL)\n"
        "sys.meta_path.insert(0, Finder())\n"
    )
    done = run_doctor("--format", "json", PYTHONPATH=str(tmp_path))
    record = json.loads(done.stdout)
    assert (done.returncode, record["failed"]) == (1, ["native core"])
    assert record["sections"]["core"][0]["found"] == "loading it ends Python with status -9: install errata again"


@pytest.mark.slow
def test_plain_python_is_no_failure() -> None:
    done = run_doctor("--format", "json", code="sys.modules['errata._core'] = None\nfrom errata.cli import main")
    record = json.loads(done.stdout)
    assert (done.returncode, record["sound"]) == (0, True)
    assert record["sections"]["core"][0]["state"] == "missing"
    assert [one["found"] for one in record["sections"]["versions"] if one["name"] == "core"] == ["python: slower, with the same numbers"]


def test_tags_of_another_lexicon(monkeypatch: pytest.MonkeyPatch) -> None:
    own = TextBlobTagger._tags
    monkeypatch.setattr(TextBlobTagger, "_tags", lambda self, tokens: tuple("NN" if tag == "NNS" else tag for tag in own(self, tokens)))
    found = failures()
    assert set(found) == {"tags of TextBlob"}
    assert re.fullmatch(r"sentence 1, 'years': expected NNS, found NN \(textblob [\d.]+\)", found["tags of TextBlob"])


class OtherModel:
    """Takes every adjective for a noun."""

    def __init__(self, analyser: Any) -> None:
        self._analyser, self.name = analyser, analyser.name

    def analyse(self, sentences: Any) -> Any:
        for parse in self._analyser.analyse(sentences):
            yield replace(parse, tags=tuple("NN" if tag == "VBN" else tag for tag in parse.tags))


def test_a_model_with_other_tags(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("spacy", reason=NEEDS_SPACY)
    from errata.corpus import parses

    find = parses.find_analyser
    monkeypatch.setattr(parses, "find_analyser", lambda: OtherModel(find()))
    (observation,) = [observation for observation in diagnosis._check_models().observations if observation.state == "failed"]
    assert observation.name == "parses of spaCy"
    assert re.fullmatch(r"sentence 1, tags, 'lived': expected VBN, found NN \(spacy [\d.]+ en_core_web_sm [\d.]+\)", observation.found)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda path: path.unlink(), "but there is no …/en_GB-large.txt"),
        (lambda path: path.write_text("one word\n"), "expected 75e18510, found "),
    ],
)
def test_a_word_list_that_is_missing_or_another(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, change: Callable[[Path], None], reason: str
) -> None:
    pytest.importorskip("errant", reason="the package errant is not installed: pip install 'errata[errant]'")
    package = Path(str(distribution("errant").locate_file("errant")))
    shutil.copytree(package, tmp_path / "errant", ignore=shutil.ignore_patterns("*.pyc"))
    change(tmp_path / "errant" / "en" / "resources" / "en_GB-large.txt")
    for name in [name for name in sys.modules if name.partition(".")[0] == "errant"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.syspath_prepend(tmp_path)
    found = failures()
    assert set(found) == {"word list of ERRANT"}
    assert reason in found["word list of ERRANT"]


def test_every_kind_of_plugin_is_listed() -> None:
    kinds = {point.group.removeprefix("errata.") for point in distribution("errata").entry_points if point.group.startswith("errata.")}
    listed = {one.name.removesuffix(" of errata") for one in _list_plugins().observations if one.name.endswith(" of errata")}
    assert listed == kinds


@pytest.mark.slow
def test_a_plugin_that_fails_when_it_is_imported(tmp_path: Path) -> None:
    code = "print('hello')\nraise ValueError('no /srv/team/data/lexicon.txt with the key', __import__('os').environ['PLUGIN_TOKEN'])"
    offer(tmp_path, "broken", {"metrics": {"shaky": "broken:Metric"}}, code)
    offer(tmp_path, "working", {"taggers": {"nouns": "working:make"}}, "def make(what): ...")
    done = run_doctor("--format", "json", PYTHONPATH=str(tmp_path), PLUGIN_TOKEN="s3cr3t-t0ken")
    record = json.loads(done.stdout)
    assert (done.returncode, record["failed"]) == (1, ["metric shaky"])
    plugins = {one["name"]: (one["state"], one["found"]) for one in record["sections"]["plugins"]}
    assert plugins["tagger nouns"] == ("ok", "working 2.0")
    assert "of broken 2.0 cannot be loaded: ValueError: ('no …/lexicon.txt with the key', '$PLUGIN_TOKEN')" in plugins["metric shaky"][1]
    shown = run_doctor("--paths", "--format", "json", PYTHONPATH=str(tmp_path), PLUGIN_TOKEN="s3cr3t-t0ken").stdout
    assert "/srv/team/data/lexicon.txt" in shown
    assert "s3cr3t-t0ken" in shown


def test_statistics_that_are_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    import scipy.special

    monkeypatch.setattr(scipy.special, "betainccinv", lambda *_: 0.5)
    assert failures() == {"exact interval": "upper bound: expected 0.264648469, found 0.500000000"}


@pytest.mark.parametrize("name", ["numbers.json", "gold.m2", "system.m2", "source.mrp", "output.mrp"])
def test_a_data_file_that_was_cut_off(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str) -> None:
    shutil.copytree(diagnosis._DATA, tmp_path / "data")
    path = tmp_path / "data" / name
    content = path.read_bytes()
    path.write_bytes(content[: len(content) // 2])
    monkeypatch.setattr(diagnosis, "_DATA", tmp_path / "data")
    assert [observation.name for observation in _check_metrics().observations if observation.state == "failed"]


def test_installed_files_are_compared_with_their_hashes(tmp_path: Path) -> None:
    class Installed:
        def __init__(self, *names: str) -> None:
            from importlib.metadata import FileHash, PackagePath

            self.files = []
            for name in names:
                path = PackagePath(name)
                path.hash, path.size = FileHash("sha256=ypeBEsobvcr6wjGzmiPcTaeG7_gUfE5yuYB3ha_uSLs"), None  # of the letter a
                path.dist = self  # type: ignore[assignment]
                self.files.append(path)

        def locate_file(self, path: Any) -> Path:
            return tmp_path / str(path)

    (tmp_path / "a.py").write_text("a")
    (tmp_path / "b.py").write_text("")
    assert diagnosis._compare_files(Installed("a.py")) == "1 file as packed"  # type: ignore[arg-type]
    with pytest.raises(_CheckFailedError, match=r"^2 files missing or changed since installation \(b\.py, c\.py\)"):
        diagnosis._compare_files(Installed("a.py", "b.py", "c.py"))  # type: ignore[arg-type]
    with pytest.raises(_CheckFailedError, match="lists no files"):
        diagnosis._compare_files(Installed())  # type: ignore[arg-type]


def test_a_package_of_another_version_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(diagnosis, "version", lambda _: "1.9.5")
    with pytest.raises(_CheckFailedError, match=r"^1\.9\.5, but errata needs >=2\.0$"):
        _check_version(_Requirement("numpy", ">=2.0", ""))
    assert set(failures()) >= {"errata", "numpy", "scipy", "charts"}


def test_every_extra_says_what_it_gives() -> None:
    """All but that of developers."""
    project = tomllib.loads(Path("pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert set(_EXTRAS) == set(project["optional-dependencies"]) - {"dev", "docs", "release"}


def test_an_extra_that_is_not_installed_is_no_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    from errata.cli import diagnosis

    monkeypatch.setattr(diagnosis, "_is_installed", lambda package: package != "pyarrow")
    parquet = next(observation for observation in _list_extras().observations if observation.name == "parquet")
    assert parquet == _Observation(
        "parquet",
        "without pyarrow; pip install 'errata[parquet]' gives Parquet, files compressed with zstd, evidence as files",
        "missing",
    )


DECLARED = {
    "errata": ("scipy>=1.10", 'errata-event==0.2.0; extra == "server"', 'errata-event[postgresql]==0.2.0; extra == "postgresql"'),
    "errata-event": (
        "errata==0.2.0",
        "starlette<2,>=1.0",
        'tzdata>=2025.2; sys_platform == "win32"',
        'psycopg[binary]>=3.2; extra == "postgresql"',
    ),
}


def test_packages_are_those_of_this_platform_and_of_packages_that_need_errata(monkeypatch: pytest.MonkeyPatch) -> None:
    def read(package: str) -> Any:
        return SimpleNamespace(requires=DECLARED.get(package))

    monkeypatch.setattr(diagnosis, "distribution", read)
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(diagnosis, "_is_installed", lambda _: True)
    assert [(one.package, one.extra) for one in diagnosis._list_requirements()] == [
        ("scipy", ""),
        ("errata-event", "server"),
        ("starlette", "server"),
        ("errata-event", "postgresql"),
        ("psycopg", "postgresql"),
    ]
    monkeypatch.setattr(diagnosis, "_is_installed", lambda package: package != "psycopg")
    said = {observation.name: observation.found for observation in _list_extras().observations}
    assert said["postgresql"] == "without psycopg; pip install 'errata[postgresql]' gives events in PostgreSQL, for several processes"
    monkeypatch.setattr(sys, "platform", "win32")
    assert "tzdata" in [one.package for one in diagnosis._list_requirements()]
    monkeypatch.setattr(diagnosis, "_is_installed", lambda package: package != "errata-event")
    said = {observation.name: observation.found for observation in _list_extras().observations}
    assert said["server"] == "without errata-event; pip install 'errata[server]' gives shared tasks that run themselves (errata serve)"


def test_folders_and_names_are_left_out_unless_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    home = str(Path.home())
    assert main(["doctor", "--format", "json"]) == 0
    public = capsys.readouterr().out
    assert not [folder for folder in (str(Path.cwd()), sys.prefix, f"{home}/") if folder in public]
    assert main(["doctor", "--format", "json", "--paths"]) == 0
    assert sys.executable in capsys.readouterr().out
