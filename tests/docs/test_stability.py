"""What docs/stability.md promises, as far as a test can show it."""

from __future__ import annotations

import json
import re
import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

import errata
from errata.cli import _build_parser, main
from errata.cli import parser as renamed
from errata.cli.diagnosis import _load_example, _load_numbers
from errata.formats import FORMATS
from errata.lazy import _list_names, lazy_names
from errata.metrics import METRICS
from released_interface import RECORD, describe_interface

RELEASED = json.loads(RECORD.read_text(encoding="utf-8"))
PAGE = Path("docs/stability.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("package", RELEASED["names"])
def test_published_names_work_or_warn(package: str) -> None:
    module = import_module(package)
    for name in set(RELEASED["names"][package]) - set(_list_names(package)):
        with pytest.warns(DeprecationWarning, match=f"{package}.{name} is called "):
            getattr(module, name)


def test_published_options_work_warn_or_are_answered() -> None:
    parsers = _build_parser().commands
    assert set(RELEASED["options"]) <= set(parsers)
    for command, options in RELEASED["options"].items():
        gone = set(options) - set(parsers[command].options)
        assert gone <= set(renamed._OLD_NAMES.get(command, {})) | set(renamed._RENAMED.get(command, {})), command


def test_published_metrics_and_formats_are_there() -> None:
    assert set(RELEASED["metrics"]) <= set(METRICS)
    assert set(RELEASED["formats"]) <= set(FORMATS)


@pytest.mark.parametrize("name", [name for name in RELEASED["metrics"] if "graphs" not in METRICS[name]().needs])
def test_a_published_signature_gives_the_same_number(name: str) -> None:
    """Also if a default has changed since: a signature names every setting."""
    gold, system = _load_example()
    recorded = _load_numbers()["metrics"][name]
    if recorded["signature"] == RELEASED["metrics"][name]:
        score = errata.score(gold, system, RELEASED["metrics"][name])
        assert score.value == pytest.approx(recorded["value"], rel=1e-11)
    else:
        errata.metric(RELEASED["metrics"][name])


def test_the_record_is_not_older_than_what_it_describes() -> None:
    """A test that compares with nothing would always pass."""
    interface = describe_interface()
    assert set(RELEASED) == set(interface)
    assert len(RELEASED["names"]["errata"]) > 50
    assert {"score", "compare", "meta"} <= set(RELEASED["options"])


def test_an_old_name_in_python_works_with_a_warning(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    folder = tmp_path / "renaming"
    folder.mkdir()
    code = "from errata.lazy import lazy_names\n__getattr__, __dir__, __all__ = lazy_names(__name__, {'marks': 'score'})\n"
    (folder / "__init__.py").write_text(code)
    (folder / "__init__.pyi").write_text("from errata.scoring.evaluator import score as score\n")
    monkeypatch.syspath_prepend(tmp_path)
    module: ModuleType = import_module("renaming")
    with pytest.warns(DeprecationWarning, match=r"^renaming\.marks is called renaming\.score now$"):
        assert module.marks is errata.score
    assert "marks" not in dir(module)
    assert lazy_names("renaming")[2] == ["score"]
    del sys.modules["renaming"]


def test_an_old_option_works_with_a_warning(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setitem(renamed._OLD_NAMES, "score", {"--decimals": "--digits"})
    gold, system = "examples/learner.m2", "examples/systems/eager.txt"
    for words in (["--decimals", "1"], ["--decimals=1"]):
        assert main(["score", gold, system, *words]) == 0
        printed, warned = capsys.readouterr()
        assert "65.5" in printed
        assert "65.52" not in printed
        assert warned == "errata: warning: --decimals is called --digits now; the old name will stop to work\n"


@pytest.mark.parametrize(("command", "option"), [(command, option) for command, own in renamed._RENAMED.items() for option in own])
def test_an_option_of_earlier_versions_is_answered(command: str, option: str, capsys: pytest.CaptureFixture[str]) -> None:
    parser = _build_parser().commands[command]
    if option in parser.options:
        pytest.fail(f"{option} is an option of {command} again, so nobody is told what the old one is called")
    assert main([command, option, "x"]) == 2
    assert f"there is no option {option}; {renamed._RENAMED[command][option]}" in capsys.readouterr().err


def test_the_page_names_the_exit_statuses() -> None:
    said = set(re.findall(r"`(\d+)`", PAGE.partition("exit statuses")[2].partition("\n")[0]))
    assert said == {"0", "1", "2", "3", "70", "130"}
