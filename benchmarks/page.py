"""Measures the page of errata report: how long it takes to write, its size, and in a browser how soon it shows sentences and filters them.

The browser is Chromium, driven by Playwright; without them only writing is measured.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from measuring import Row, show

_ERRATA = str(Path(sys.executable).parent / "errata")
_CHROMIUM = next(
    (
        found
        for name in (os.environ.get("ERRATA_CHROMIUM", ""), "chromium-headless-shell", "chromium")
        if name and (found := shutil.which(name))
    ),
    None,
)
_SENTENCES = 100_000
_ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
"""Modules are compiled once, as where they are installed."""
_FIRST_ROWS = """
() => new Promise(done => {
  const look = () => document.querySelector("#explorer article") ? done(performance.now()) : requestAnimationFrame(look);
  look();
})
"""
"""Milliseconds after the page was opened until the first sentence is in the document."""
_VIEW = """
(fragment) => new Promise(done => {
  const list = document.querySelector("#explorer .cards");
  const started = performance.now();
  new MutationObserver((_, observer) => {
    if (list.querySelector("article") === null) return;
    observer.disconnect();
    done(performance.now() - started);
  }).observe(list, { childList: true });
  location.hash = fragment;
})
"""
"""Milliseconds until the first sentences of another view are in the document."""


def main(paths: list[str], system: str, frequent: str) -> None:
    """Measure the test set, and the same repeated to 100,000 sentences; ``frequent`` is a text to search for."""
    with tempfile.TemporaryDirectory(prefix="errata-") as name:
        folder = Path(name)
        larger = repeat(paths, folder)
        rows = [measure("test set", paths, folder / "page.html", system, frequent)]
        rows.append(measure(f"{_SENTENCES:,} sentences", larger, folder / "larger.html", system, frequent))
    targets: Row = ("target", "3 s; –", "3 MB; 50 MB", "0.5 s; 3 s", "50 ms; –", "–; 0.5 s", "–; 400 MB")
    headings = ["Page", "written in", "size", "first sentences", "filter", "first hits of a search", "heap"]
    show(f"errata report of {len(paths) - 1} systems", headings, [*rows, targets])


def repeat(paths: list[str], folder: Path) -> list[str]:
    """Write gold and systems, repeated to 100,000 sentences."""
    made = []
    gold, *systems = paths
    blocks = [block for block in Path(gold).read_text(encoding="utf-8").split("\n\n") if block.strip()]
    times = _SENTENCES // len(blocks) + 1
    made.append(str(folder / Path(gold).name))
    Path(made[0]).write_text("\n\n".join((blocks * times)[:_SENTENCES]) + "\n\n", encoding="utf-8")
    for path in systems:
        lines = Path(path).read_text(encoding="utf-8").removesuffix("\n").split("\n")
        made.append(str(folder / Path(path).name))
        Path(made[-1]).write_text("\n".join((lines * times)[:_SENTENCES]) + "\n", encoding="utf-8")
    return made


def measure(name: str, paths: list[str], page: Path, system: str, frequent: str) -> Row:
    started = time.perf_counter()
    subprocess.run([_ERRATA, "report", *paths, "-o", str(page)], check=True, capture_output=True, env=_ENVIRONMENT)
    written = time.perf_counter() - started
    size = page.stat().st_size
    return (name, f"{written:.1f} s", f"{size / 1e6:.1f} MB", *look(page, system, frequent))


def look(page: Path, system: str, frequent: str) -> tuple[str, ...]:
    """Open a page in a browser: time to the first sentences, of a filter, of the first hits of a search, and the heap after all this."""
    if _CHROMIUM is None or find_spec("playwright") is None:
        return ("no browser",) * 4
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=_CHROMIUM, args=["--no-sandbox", "--enable-precise-memory-info"])
        tab = browser.new_page()
        tab.goto(page.as_uri())
        first = tab.evaluate(_FIRST_ROWS)
        tab.wait_for_timeout(1000)
        filtered = [
            tab.evaluate(_VIEW, [f"#sentences?system={system}&outcome={outcome}", False]) for outcome in ("wrong", "right", "missed")
        ]
        searched = tab.evaluate(_VIEW, f"#sentences?q={frequent}")
        tab.evaluate(_VIEW, "#sentences?outcome=wrong")
        tab.wait_for_timeout(2000)
        heap: Any = tab.evaluate("() => performance.memory.usedJSHeapSize")
        browser.close()
    return f"{first / 1e3:.2f} s", f"{max(filtered):.0f} ms", f"{searched / 1e3:.2f} s", f"{heap / 1e6:.0f} MB"
