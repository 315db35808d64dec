"""The script of the report page is committed as it is built from `browser/`."""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import subprocess
from importlib import resources
from pathlib import Path

import pytest

BROWSER = Path(__file__).resolve().parent.parent.parent / "browser"
ASSETS = resources.files("errata.report.page") / "assets"


def hash_sources() -> str:
    digest = hashlib.sha256()
    for path in [*sorted((BROWSER / "src").glob("*.ts")), BROWSER / "build.mjs", BROWSER / "package-lock.json"]:
        digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()


@pytest.fixture(scope="module")
def bundle() -> str:
    return (ASSETS / "page.js").read_text("ascii")


@pytest.fixture(scope="module")
def _tools() -> None:
    """Esbuild and TypeScript in the versions of the lock file."""
    npm = shutil.which("npm")
    if npm is None or shutil.which("node") is None:
        pytest.skip("Node.js and npm build the script, and are not installed")
    if not (BROWSER / "node_modules").is_dir():
        installed = subprocess.run([npm, "ci"], cwd=BROWSER, capture_output=True, text=True, check=False, timeout=300)
        if installed.returncode != 0:
            pytest.skip(f"npm ci failed: {installed.stderr.strip().splitlines()[-1:]}")


def test_it_was_built_from_these_sources(bundle: str) -> None:
    assert bundle.splitlines()[0] == f"/* sources: sha256 {hash_sources()} */", "run make page"


def test_it_can_stand_in_a_page_and_has_no_way_to_run_data(bundle: str) -> None:
    found = re.findall(
        r"</script|<!--|(?:inner|outer|insertAdjacent)HTML|document\.write|\beval\b|new Function|srcdoc", bundle, re.IGNORECASE
    )
    assert found == []


def test_it_asks_for_nothing_and_keeps_nothing(bundle: str) -> None:
    found = re.findall(r"\bfetch\b|XMLHttpRequest|WebSocket|sendBeacon|https?:|(?:local|session)Storage|indexedDB|cookie", bundle)
    assert found == []


def test_its_style_asks_for_nothing() -> None:
    style = (ASSETS / "page.css").read_text("utf-8")
    for forbidden in ("url(", "@import", "</style", "http"):
        assert forbidden not in style, forbidden


def test_tools_are_pinned_without_a_registry() -> None:
    versions = json.loads((BROWSER / "package.json").read_text("utf-8"))["devDependencies"].values()
    assert all(re.fullmatch(r"\d+\.\d+\.\d+", version) for version in versions)
    assert "http" not in (BROWSER / "package-lock.json").read_text("utf-8")


@pytest.mark.slow
@pytest.mark.usefixtures("_tools")
def test_it_is_built_again_byte_for_byte(tmp_path: Path) -> None:
    subprocess.run(["node", "build.mjs", "src", tmp_path / "page.js"], cwd=BROWSER, check=True, timeout=120)
    assert (tmp_path / "page.js").read_bytes() == (ASSETS / "page.js").read_bytes()


@pytest.mark.slow
@pytest.mark.usefixtures("_tools")
def test_its_types_are_correct() -> None:
    command = ["node", "node_modules/typescript/bin/tsc", "--noEmit"]
    checked = subprocess.run(command, cwd=BROWSER, capture_output=True, text=True, check=False, timeout=120)
    assert checked.returncode == 0, checked.stdout
