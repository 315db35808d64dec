"""The script with which annotators judge is committed as it is built from `packages/errata-event/browser/`."""

from __future__ import annotations

import hashlib
import re
import shutil
import subprocess
from importlib import resources
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[4]
BROWSER, SOURCES = ROOT / "browser", ROOT / "packages/errata-event/browser"
BUNDLE = resources.files("errata_event.server") / "static" / "judging.js"


def hash_sources() -> str:
    digest = hashlib.sha256()
    for path in [*sorted(SOURCES.glob("*.ts")), BROWSER / "build.mjs", BROWSER / "package-lock.json"]:
        digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()


@pytest.fixture(scope="module")
def bundle() -> str:
    return BUNDLE.read_text("ascii")


def test_it_was_built_from_these_sources(bundle: str) -> None:
    assert bundle.splitlines()[0] == f"/* sources: sha256 {hash_sources()} */", "run make page"


def test_it_asks_for_nothing_and_has_no_way_to_run_data(bundle: str) -> None:
    found = re.findall(
        r"(?:inner|outer|insertAdjacent)HTML|document\.write|\beval\b|new Function|\bfetch\b|XMLHttpRequest|WebSocket|https?:|cookie",
        bundle,
        re.IGNORECASE,
    )
    assert found == []


@pytest.mark.slow
def test_it_is_built_again_byte_for_byte(tmp_path: Path) -> None:
    if shutil.which("node") is None or not (BROWSER / "node_modules").is_dir():
        pytest.skip("Node.js and the packages of browser/ build the script, and are not installed; make page installs them")
    subprocess.run(["node", "build.mjs", SOURCES, tmp_path / "judging.js"], cwd=BROWSER, check=True, timeout=120)
    assert (tmp_path / "judging.js").read_bytes() == BUNDLE.read_bytes()
