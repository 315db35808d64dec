"""Fixtures of the tests of both distributions, and how Hypothesis is set."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

from errata import Corpus, System, read, read_system
from errata.cli import main

from report_in_browser import find_chromium
from thoroughness import often

if TYPE_CHECKING:
    from playwright.sync_api import Browser

ROOT = Path(__file__).resolve().parent.parent
EXAMPLES = ROOT / "examples"

settings.register_profile("default", deadline=None, max_examples=often(100, 40))
settings.register_profile("quick", deadline=None, max_examples=20)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))


@pytest.fixture(autouse=True)
def _at_the_root(monkeypatch: pytest.MonkeyPatch) -> None:
    """Examples in docstrings and help texts name files from the root of the project, and are as wide as a page."""
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("COLUMNS", "100")


@pytest.fixture(scope="session")
def gold() -> Corpus:
    return read(EXAMPLES / "learner.m2")


@pytest.fixture(scope="session")
def systems() -> dict[str, System]:
    return {path.stem: read_system(path) for path in sorted((EXAMPLES / "systems").glob("*.txt"))}


@pytest.fixture(scope="session")
def data() -> Path:
    """Public data and recorded results of official tools; they are not part of the project."""
    folder = Path(os.environ.get("ERRATA_DATA", ROOT.parent / "shared" / "data"))
    if not folder.is_dir():
        pytest.skip(f"no data at {folder}; set ERRATA_DATA")
    return folder


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """One browser for all tests of a process."""
    program = find_chromium()
    if program is None:
        pytest.skip("no Chromium found; install chromium-headless-shell, or name one in ERRATA_CHROMIUM")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield browser
        browser.close()


Run = Callable[..., str]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    def call(*arguments: str | Path, status: int = 0) -> str:
        assert main([str(argument) for argument in arguments]) == status
        captured = capsys.readouterr()
        return captured.err if status else captured.out

    return call
