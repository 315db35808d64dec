"""What the build of the site does with links, docstrings and help texts."""

from __future__ import annotations

import re

import pytest

pytest.importorskip("griffe", reason="griffe is not installed: pip install 'errata[docs]'")
pytest.importorskip("mkdocs", reason="mkdocs is not installed: pip install 'errata[docs]'")

from site_hook import complete_navigation, on_page_markdown

from errata import _list_names
from errata.cli import _build_parser
from errata.metrics import METRICS
from errata.settings import Setting

from fill_tables import PAGES, filled
from griffe_docstrings import as_markdown
from site_links import find_linked, rewrite_links
from site_pages import entry_of, escape, list_packages, make_pages, write_command, write_setting


def test_links_to_files_of_the_project_lead_to_their_copies() -> None:
    text = "[a](../../examples/README.md#files) [b](../python.md) [c](../../README.md) [d](https://example.org/x)"
    assert rewrite_links("docs/tasks/teach.md", text) == (
        "[a](../examples/README.md#files) [b](../python.md) [c](../index.md) [d](https://example.org/x)"
    )
    assert rewrite_links("docs/python.md", "[a](#here) [b](nowhere.md)") == "[a](#here) [b](nowhere.md)"
    assert rewrite_links("CONTRIBUTING.md", "[a](docs/architecture.md)") == "[a](architecture.md)"
    assert rewrite_links("examples/README.md", "[a](../docs/report.md)") == "[a](../report.md)"


def test_files_are_found_through_one_another() -> None:
    assert find_linked({"docs/a.md": "[a](../README.md) [b](b.md) [c](../examples/learner.m2) [d](../none.md)"}) == {"examples/learner.m2"}
    assert find_linked({"docs/a.md": "[a](../CONTRIBUTING.md)"}) >= {"CONTRIBUTING.md", "CHANGELOG.md"}


def test_the_navigation_gets_generated_pages() -> None:
    nav = [{"A": "a.md"}, {"B": [{"C": "c.md"}, "reference/x/*"]}, "d.md"]
    generated = {"reference/x/index.md": "", "reference/x/one.md": "", "reference/y/two.md": ""}
    assert complete_navigation(nav, generated) == [
        {"A": "a.md"},
        {"B": [{"C": "c.md"}, "reference/x/index.md", {"one": "reference/x/one.md"}]},
        "d.md",
    ]


def test_docstrings_become_markdown() -> None:
    text = "See :func:`~errata.score`.\n\n>>> 1 + 1\n2\n\nMore.\n>>> 3\n3"
    assert as_markdown(text) == "See `errata.score`.\n\n```pycon\n>>> 1 + 1\n2\n```\n\nMore.\n```pycon\n>>> 3\n3\n```\n"


def test_help_texts_are_no_markup() -> None:
    assert escape("max_unchanged, a|b, <x>") == r"max\_unchanged, a\|b, \<x\>"
    page = write_command("chance", _build_parser("chance").commands["chance"])
    assert page.startswith(
        "# errata chance\n\nShow how systems that flag cases at random score on every measure.\n\n```text\nerrata chance [-h]"
    )
    assert "| `--bias SHARES`" in page
    assert "## Examples\n\n```sh\nerrata chance\nerrata chance --prevalence 0.2,0.4 --bias 0.2,0.3\n" in page
    assert page.endswith("(../../detection.md).")


def test_rows_of_tables_are_one_line() -> None:
    pages = make_pages()
    for address, text in pages.items():
        for table in re.findall(r"^\|.*\n\| ---.*\n(?:.+\n?)*", text, re.MULTILINE):
            columns = {len(re.findall(r"(?<!\\)\|", row)) for row in table.splitlines()}
            assert len(columns) == 1, (address, table)
    assert pages["reference/commands/index.md"].count("\n| [`errata ") == len(_build_parser().commands)
    assert pages["reference/metrics/index.md"].count("\n| [") == len([name for name in METRICS if METRICS.is_own(name)])


def test_settings_have_default_and_values() -> None:
    assert write_setting("beta", Setting("weight of it", "number", 0.5, least=0, most=9)) == (
        "### `beta`\n\nWeight of it.\n\nDefault: `0.5`, a number from 0 to 9."
    )
    choice = Setting("which one", "choice", "a", values=("a", "b"), meanings=("the first", "the second"))
    assert write_setting("which", choice).endswith("| Value | Meaning |\n| --- | --- |\n| `a` | the first |\n| `b` | the second |")


def test_names_that_two_packages_offer_have_one_entry() -> None:
    assert entry_of("errata.stats", "Bootstrap") == "errata.Bootstrap"
    assert entry_of("errata.stats", "resample") == "errata.stats.resample"
    pages = make_pages()
    for package in list_packages():
        text = pages[f"reference/python/{package}.md"]
        for name in _list_names(package):
            assert (f"::: {package}.{name}\n" in f"{text}\n") == (entry_of(package, name) == f"{package}.{name}"), (package, name)


def test_tables_of_names_become_links() -> None:
    from types import SimpleNamespace

    from site_links import ROOT

    file = SimpleNamespace(src_uri="reference.md", abs_src_path=str(ROOT / "docs" / "reference.md"))
    text = (
        "<!-- names of errata.stats -->\n\n| Name | What it is |\n| --- | --- |\n| `resample` | It resamples `x` |\n\n<!-- end of names -->"
    )
    for found in (text, text.replace(" -->", ": resampling gating -->", 1)):
        written = on_page_markdown(found, page=SimpleNamespace(file=file))
        assert "\n| [`resample`][errata.stats.resample] | It resamples `x` |\n" in written


def test_tables_of_names_are_of_files() -> None:
    end = "\n<!-- end of names -->\n"
    page = filled(f"<!-- names of errata.task -->{end}<!-- names of errata.task: definition -->{end}")
    rest, own = page.split("<!-- end of names -->")[:2]
    assert "| `read_task` |" in own
    assert "| `read_task` |" not in rest
    assert "| `run_task` |" in rest
    assert filled(page) == page
    with pytest.raises(LookupError, match=r"errata\.task has no names of these files: nothing"):
        filled(f"<!-- names of errata.task: nothing -->{end}")


def test_the_reference_has_every_name_once() -> None:
    page = (PAGES / "reference.md").read_text(encoding="utf-8")
    names = re.findall(r"<!-- names of ([\w.]+)(?:: [\w ]+)? -->(.*?)<!-- end of names -->", page, re.DOTALL)
    listed = [f"{package}.{name}" for package, table in names for name in re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE)]
    assert sorted(listed) == sorted(f"{package}.{name}" for package in list_packages()[1:] for name in _list_names(package))
