"""The documentation as a site: complete, without broken links, and without anything from a network."""

from __future__ import annotations

import re
import subprocess
import sys
from html import unescape
from pathlib import Path
from urllib.parse import unquote

import pytest

import errata
from errata import _list_names
from errata.cli import _build_parser
from errata.settings import list_settings

from site_contents import list_pages, read_page

pytestmark = pytest.mark.slow
PACKAGES = sorted(".".join(path.relative_to("src").parent.parts) for path in Path("src").rglob("__init__.pyi"))
_ADDRESS_IN_STYLE = re.compile(r"url\(\s*['\"]?([^)'\"]+)|@import\s+['\"]([^'\"]+)")


def find_broken(site: Path) -> list[tuple[str, str]]:
    """List links to pages, files and anchors that do not exist, with their pages."""
    broken = []
    for page in list_pages(site):
        for link in page.links:
            if re.match(r"\w+:", link):
                continue
            address, _, anchor = unquote(link).partition("#")
            target = (page.path.parent / address.partition("?")[0]).resolve() if address else page.path
            target = target / "index.html" if target.is_dir() else target
            if not target.is_file() or (anchor and target.suffix == ".html" and anchor not in read_page(target).anchors):
                broken.append((str(page.path.relative_to(site)), link))
    return broken


def find_loaded(site: Path) -> list[str]:
    """List everything that pages and styles load from elsewhere."""
    pages = [address for page in list_pages(site) for address in page.loaded]
    texts = [path.read_text(encoding="utf-8") for path in site.rglob("*.css")]
    styles = [address for text in texts for match in _ADDRESS_IN_STYLE.findall(text) for address in match]
    return [address for address in [*pages, *styles] if re.match(r"(https?:)?//", address)]


def test_links_and_anchors_lead_somewhere(site: Path) -> None:
    assert len(list_pages(site)) > 90
    assert sum(len(page.links) for page in list_pages(site)) > 10_000
    assert find_broken(site) == []


def test_nothing_is_loaded_from_elsewhere(site: Path) -> None:
    assert sum(len(page.loaded) for page in list_pages(site)) > 400
    assert find_loaded(site) == []


def test_what_is_broken_or_loaded_is_found(tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text(
        '<p id="a"><a href="#a"></a><a href="#b"></a><a href="other.html"></a><a href="https://example.org"></a>'
        '<link rel="stylesheet" href="https://example.org/a.css"><script src="//example.org/a.js"></script><img src="a.png">'
    )
    style = "@import 'http://example.org/b.css'; p { background: url(data:,) } a { cursor: url(//example.org/c) }"
    (tmp_path / "page.css").write_text(style)
    assert find_broken(tmp_path) == [("page.html", "#b"), ("page.html", "other.html")]
    assert find_loaded(tmp_path) == [
        "https://example.org/a.css",
        "//example.org/a.js",
        "http://example.org/b.css",
        "//example.org/c",
    ]


def test_every_page_of_the_documentation_is_in_the_navigation(site: Path) -> None:
    shown = {(site / link).resolve() for link in map(unquote, read_page(site / "index.html").links) if not re.match(r"\w+:|#", link)}
    for path in Path("docs").rglob("*.md"):
        assert (site / path.relative_to("docs").with_suffix(".html")).resolve() in shown, path


def test_a_page_without_an_entry_fails_the_build(site: Path, tmp_path: Path) -> None:
    del site  # MkDocs is installed
    pages = tmp_path / "docs"
    pages.mkdir()
    for name in ("index", "forgotten"):
        (pages / f"{name}.md").write_text(f"# {name}\n")
    configuration = f"INHERIT: {Path('mkdocs.yml').resolve()}\ndocs_dir: docs\nnav: [index.md]\nhooks: []\nplugins: []\n"
    (tmp_path / "mkdocs.yml").write_text(configuration)
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "-f", str(tmp_path / "mkdocs.yml"), "-d", str(tmp_path / "out")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert 'not included in the "nav" configuration:\n  - forgotten.md' in done.stderr


@pytest.mark.parametrize("package", PACKAGES)
def test_every_public_name_has_an_entry(site: Path, package: str) -> None:
    page = read_page(site / "reference" / "python" / f"{package}.html")
    top = _list_names("errata")
    for name, module in _list_names(package).items():
        if package != "errata" and top.get(name) == module:
            assert f"errata.html#errata.{name}" in page.links
        else:
            assert f"{package}.{name}" in page.anchors, name


def test_every_metric_has_an_entry_with_its_settings(site: Path) -> None:
    own = [name for name in errata.METRICS if errata.METRICS.is_own(name)]
    assert len(own) > 7
    for name in own:
        path = site / "reference" / "metrics" / f"{name}.html"
        text = unescape(path.read_text(encoding="utf-8"))
        metric = errata.METRICS[name]
        assert metric.paper in text
        assert metric().signature in text
        for setting, declared in list_settings(metric).items():
            assert setting in read_page(path).anchors, (name, setting)
            for value, meaning in zip(declared.values, declared.meanings, strict=False):
                assert f"<code>{value}</code>" in text
                assert meaning in text


def test_every_command_has_an_entry_with_its_options(site: Path) -> None:
    commands = _build_parser().commands
    assert len(commands) > 20
    for name, parser in commands.items():
        text = (site / "reference" / "commands" / f"{name}.html").read_text(encoding="utf-8")
        for option in parser.options:
            assert re.search(rf"<code>{option}[ <]", text), (name, option)


def test_the_programs_that_fill_the_pages_are_not_among_them(site: Path) -> None:
    programs = {str(path.relative_to(site)) for path in site.rglob("*.py*")}
    assert {Path(name).parts[0] for name in programs} == {"examples"}
    assert not [name for name in programs if "__pycache__" in name]
