"""The version stands everywhere as it is, one command changes it, and what comes with a release is well-formed."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tomllib
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import pytest

from errata import __version__
from errata.metrics import METRICS

yaml = pytest.importorskip("yaml", reason="pyyaml is not installed")
SCRIPT = Path(".ci/set_version.py").resolve()
CITATION = yaml.safe_load(Path("CITATION.cff").read_text(encoding="utf-8"))
HEADINGS: list[tuple[str, str]] = re.findall(r"^## (\S+) \((.*)\)$", Path("CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
FORMS = sorted(Path(".github/ISSUE_TEMPLATE").glob("*.yml"))


def numbers(version: str) -> tuple[int, ...]:
    return tuple(map(int, re.findall(r"\d+", version)))


def agrees(version: str, headings: list[tuple[str, str]]) -> bool:
    """The newest heading is that of the version, or the next one, which is not published yet."""
    (newest, state), *older = headings
    before = [published for published, _ in older[:1]]
    return version == newest or (state == "unreleased" and [version] == before and numbers(newest) > numbers(version))


def test_the_version_stands_in_one_file_and_others_agree() -> None:
    assert "version" in tomllib.loads(Path("pyproject.toml").read_text(encoding="utf-8"))["project"]["dynamic"]
    event = tomllib.loads(Path("packages/errata-event/pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = tomllib.loads(Path("pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    assert event["version"] == __version__
    assert f"errata=={__version__}" in event["dependencies"]
    assert (extras["server"], extras["postgresql"]) == (
        [f"errata-event=={__version__}"],
        [f"errata-event[postgresql]=={__version__}"],
    )
    assert CITATION["version"] == __version__
    assert agrees(__version__, HEADINGS)


@pytest.mark.parametrize(("version", "expected"), [("7.1.0", True), ("7.0.0", True), ("6.9.0", False), ("7.2.0", False)])
def test_which_headings_agree(version: str, expected: object) -> None:
    assert agrees(version, [("7.1.0", "unreleased"), ("7.0.0", "2027-01-31")]) == expected
    assert agrees(version, [("7.1.0", "2027-02-01"), ("7.0.0", "2027-01-31")]) == (version == "7.1.0")


def test_every_output_in_the_documentation_has_this_version() -> None:
    shown = {
        (str(path), version)
        for path in [Path("README.md"), *Path("docs").glob("**/*.md"), *Path("examples").glob("**/*.md")]
        for version in re.findall(r'(?:\| errata |"errata": ")(\d+\.\d+\.\d+\w*)', path.read_text(encoding="utf-8"))
    }
    assert len(shown) > 10
    assert {version for _, version in shown} == {__version__}


def script() -> Any:
    spec = spec_from_file_location("set_version", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def checkout(folder: Path) -> Path:
    (folder / "src" / "errata").mkdir(parents=True)
    (folder / "docs").mkdir()
    (folder / "src" / "errata" / "__init__.py").write_text('"""The version."""\n\n__version__ = "7.0.0"\n')
    (folder / "packages" / "errata-event").mkdir(parents=True)
    (folder / "pyproject.toml").write_text('server = ["errata-event==7.0.0"]\npostgresql = ["errata-event[postgresql]==7.0.0"]\n')
    (folder / "packages" / "errata-event" / "pyproject.toml").write_text(
        'version = "7.0.0"\ndependencies = ["errata==7.0.0", "a>=7.0.0"]\n'
    )
    (folder / "CITATION.cff").write_text("title: errata\nversion: 7.0.0\ndate-released: '2026-01-31'\nlicense: MIT\n")
    (folder / "CHANGELOG.md").write_text("# Changelog\n\nNewest first.\n\n## 7.1.0 (unreleased)\n\n- New.\n\n## 7.0.0 (2026-01-31)\n")
    (folder / "README.md").write_text("m | errata 7.0.0\n\nSince 7.0.0 it works; errata 7.0.01 and errata 17.0.0 are others.\n")
    (folder / "docs" / "a.md").write_text('{\n "errata": "7.0.0",\n "signature": "m \\| errata 7.0.0"\n}\n    rev: v7.0.0\n')
    return folder


def test_one_command_changes_the_version(tmp_path: Path) -> None:
    root = checkout(tmp_path)
    lines = script().set_version(root, "7.1.0")
    assert (root / "src/errata/__init__.py").read_text() == '"""The version."""\n\n__version__ = "7.1.0"\n'
    assert (root / "pyproject.toml").read_text() == 'server = ["errata-event==7.1.0"]\npostgresql = ["errata-event[postgresql]==7.1.0"]\n'
    event = (root / "packages/errata-event/pyproject.toml").read_text()
    assert event == 'version = "7.1.0"\ndependencies = ["errata==7.1.0", "a>=7.0.0"]\n'
    assert (root / "CITATION.cff").read_text() == "title: errata\nversion: 7.1.0\nlicense: MIT\n"
    assert "## 7.1.0 (unreleased)\n\n- New.\n\n## 7.0.0 (2026-01-31)\n" in (root / "CHANGELOG.md").read_text()
    assert (root / "README.md").read_text() == "m | errata 7.1.0\n\nSince 7.0.0 it works; errata 7.0.01 and errata 17.0.0 are others.\n"
    assert (root / "docs/a.md").read_text() == '{\n "errata": "7.1.0",\n "signature": "m \\| errata 7.1.0"\n}\n    rev: v7.1.0\n'
    assert "README.md:3: mentions 7.0.0, left as it is" in lines
    assert "docs/a.md: 7.1.0" in lines


def test_a_date_is_that_of_a_release(tmp_path: Path) -> None:
    root = checkout(tmp_path)
    script().set_version(root, "7.1.0", "2027-02-01")
    assert (root / "CITATION.cff").read_text() == "title: errata\nversion: 7.1.0\ndate-released: '2027-02-01'\nlicense: MIT\n"
    assert "## 7.1.0 (2027-02-01)\n" in (root / "CHANGELOG.md").read_text()


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["7.1"], "a version has the form 1.2.3"),
        (["7.1.0", "1 March"], "a date has the form 2027-01-31, found '1 March'"),
        (["7.2.0"], "CHANGELOG.md: expected one "),
    ],
)
def test_a_version_that_cannot_be_set_changes_nothing(tmp_path: Path, arguments: list[str], reason: str) -> None:
    root = checkout(tmp_path)
    (root / "CHANGELOG.md").write_text("# Changelog\n\n## 7.0.0 (2026-01-31)\n")
    before = {path: path.read_text() for path in root.rglob("*.*") if path.is_file()}
    module = script()
    with pytest.raises(module.VersionError, match=re.escape(reason)):
        module.set_version(root, *arguments)
    assert {path: path.read_text() for path in root.rglob("*.*") if path.is_file()} == before


def test_make_version_runs_it(tmp_path: Path) -> None:
    if shutil.which("make") is None:
        pytest.skip("make is not installed")
    root = checkout(tmp_path)
    (root / ".ci").mkdir()
    shutil.copy(SCRIPT, root / ".ci")
    shutil.copy("Makefile", root)
    command = ["make", "version", f"PYTHON={sys.executable}", "NEW=7.1.0", "DATE=2027-02-01"]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=True)
    assert "src/errata/__init__.py: 7.1.0\n" in done.stdout
    assert "date-released: '2027-02-01'" in (root / "CITATION.cff").read_text()
    refused = subprocess.run(["make", "version", f"PYTHON={sys.executable}"], cwd=root, capture_output=True, text=True, check=False)
    assert (refused.returncode != 0, "a version has the form 1.2.3" in refused.stderr) == (True, True)


def test_the_citation_has_what_its_format_asks_for() -> None:
    assert {"cff-version", "message", "title", "authors"} <= set(CITATION)
    assert (CITATION["cff-version"], CITATION["type"], CITATION["license"]) == ("1.2.0", "software", "MIT")
    for reference in CITATION["references"]:
        assert {"type", "title", "authors"} <= set(reference), reference
        assert isinstance(reference["year"], int)
        assert reference["type"] != "conference-paper" or reference["conference"]["name"]
        assert all(set(author) == {"family-names", "given-names"} for author in reference["authors"])


@pytest.mark.parametrize("name", [name for name in METRICS if METRICS.is_own(name)])
def test_the_papers_of_every_metric_are_cited(name: str) -> None:
    cited = {
        (reference["authors"][0]["family-names"], len(reference["authors"]), reference["year"]) for reference in CITATION["references"]
    }
    papers = METRICS[name].paper.split("; ")
    assert papers != [""], "a metric of errata names its paper, which CITATION.cff cites"
    for paper in papers:
        family, others = re.match(r"(\w+)( et al\.| and \w+)?", paper).groups()  # type: ignore[union-attr]  # every paper has an author
        year = re.search(r"\d{4}", paper)
        fitting = [
            count
            for author, count, when in cited
            if author == family and (year is None or when == int(year[0])) and (count > 2) == (others == " et al.")
        ]
        assert fitting, paper


@pytest.mark.parametrize("path", [path for path in FORMS if path.name != "config.yml"], ids=lambda path: path.name)
def test_forms_are_as_github_reads_them(path: Path) -> None:
    form = yaml.safe_load(path.read_text(encoding="utf-8"))
    assert set(form) == {"name", "description", "labels", "body"}
    assert all(isinstance(form[key], str) and form[key] for key in ("name", "description"))
    ids = [element["id"] for element in form["body"] if element["type"] != "markdown"]
    assert len(ids) == len(set(ids))
    assert ids
    for element in form["body"]:
        assert element["type"] in {"markdown", "input", "textarea", "dropdown", "checkboxes"}
        assert set(element) <= {"type", "id", "attributes", "validations"}
        known = {"value"} if element["type"] == "markdown" else {"label", "description", "placeholder", "value", "render"}
        assert set(element["attributes"]) <= known
        assert all(isinstance(text, str) and text for text in element["attributes"].values())
        if element["type"] == "markdown":
            assert set(element) == {"type", "attributes"}
        else:
            assert re.fullmatch(r"[\w-]+", element["id"])
            assert element["attributes"]["label"]


def test_forms_ask_for_what_a_report_needs() -> None:
    forms = {path.stem: yaml.safe_load(path.read_text(encoding="utf-8")) for path in FORMS}
    assert set(forms) == {"bug", "wrong_number", "feature", "config"}
    required = {
        name: {element["id"] for element in form["body"] if element.get("validations", {}).get("required")}
        for name, form in forms.items()
        if "body" in form
    }
    assert required["bug"] == {"command", "expected", "found", "doctor"}
    assert required["wrong_number"] == {"tool", "data", "expected", "found", "doctor"}
    for name in ("bug", "wrong_number"):
        assert any("errata doctor" in element["attributes"].get("label", "") for element in forms[name]["body"])


def test_no_page_invents_an_address() -> None:
    """There is no address of the project yet, and vulnerabilities are reported in the platform."""
    for path in [Path("SECURITY.md"), Path("CITATION.cff"), Path("pyproject.toml"), *Path(".github").rglob("*.*")]:
        if "workflows" in path.parts or not path.is_file():
            continue
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"[\w.+-]+@[\w-]+\.\w+", text), path
    assert "Report a vulnerability" in Path("SECURITY.md").read_text(encoding="utf-8")
    assert "urls" not in tomllib.loads(Path("pyproject.toml").read_text(encoding="utf-8"))["project"]


def test_classifiers_say_what_the_project_says() -> None:
    project = tomllib.loads(Path("pyproject.toml").read_text(encoding="utf-8"))["project"]
    classifiers = project["classifiers"]
    assert classifiers == sorted(set(classifiers))
    versions = [text.rpartition(" ")[2] for text in classifiers if re.fullmatch(r"Programming Language :: Python :: 3\.\d+", text)]
    assert project["requires-python"] == f">={versions[0]}"
    assert versions == [f"3.{minor}" for minor in range(int(versions[0][2:]), int(versions[-1][2:]) + 1)]
