"""``errata inspect --format html`` opens at the sentences that pass the filters; a long search can be stopped."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from unittest.mock import patch

import pytest
from playwright.sync_api import Browser

from learner_report import GOLD, SYSTEMS, call_errata, list_inspected, write_report
from report_in_browser import ReportInBrowser

SLOW = """
() => {
  const read = Response.prototype.json;
  Response.prototype.json = async function () { await new Promise((resolve) => setTimeout(resolve, 150)); return read.call(this); };
}
"""
"""Blocks take time, as in a page of very many sentences."""


@pytest.fixture(scope="module")
def inspected_page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("inspected") / "wrong.html"
    with patch("errata.report.charts.drawing.DrawingProcess", nullcontext):
        call_errata("inspect", GOLD, SYSTEMS[1], "--outcome", "missed", "--types", "Prep", "-o", path)
    return path


def test_a_page_of_inspect_opens_at_its_sentences(chromium: Browser, inspected_page: Path) -> None:
    report = ReportInBrowser(chromium, inspected_page)
    expected = list_inspected("eager", "--outcome", "missed", "--types", "Prep", "--chosen")
    assert report.all_numbers() == expected
    assert report.page.evaluate("scrollY") > 0
    with report.changing():
        report.page.get_by_role("button", name="Show all sentences").click()
    assert report.status() == "72 of 72 sentences."
    report.check_silence()
    report.close()


def test_an_address_is_stronger_than_the_first_view(chromium: Browser, inspected_page: Path) -> None:
    report = ReportInBrowser(chromium, inspected_page, "#sentences?q=lonely")
    assert report.all_numbers() == list_inspected("eager", "--search", "lonely")
    report.close()


@pytest.fixture(scope="module")
def long_page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A report of 3,000 sentences in twelve blocks."""
    folder = tmp_path_factory.mktemp("long")
    source = [f"sentence {number} has {'many ' * (number % 5)}word" for number in range(3000)]
    (folder / "gold.m2").write_text("".join(f"S {line}\nA 0 1|||T|||Sentence|||REQUIRED|||-NONE-|||0\n\n" for line in source))
    (folder / "one.txt").write_text("".join(f"{line}s\n" for line in source))
    settings = ("--replicates", "100", "--tagger", "none")
    return write_report(folder / "long.html", folder / "gold.m2", folder / "one.txt", *settings)


@pytest.fixture
def long_report(chromium: Browser, long_page: Path) -> Iterator[ReportInBrowser]:
    opened = ReportInBrowser(chromium, long_page)
    yield opened
    opened.check_silence()
    opened.close()


def test_a_page_of_many_blocks(long_report: ReportInBrowser) -> None:
    report = long_report
    assert report.page.locator("article.card").count() == 20
    report.ask("#sentences?q=sentence%202999")
    assert (report.numbers(), report.status()) == ([3000], "1 of 3,000 sentences.")
    report.ask("#sentences?at=2500")
    assert 2500 in report.numbers()
    assert report.page.locator("nav.pager .where").first.inner_text() == "Page 125 of 150"


@pytest.mark.parametrize("stop", ["Escape", "Stop"])
def test_a_search_shows_first_hits_and_can_be_stopped(long_report: ReportInBrowser, stop: str) -> None:
    page = long_report.page
    page.evaluate(SLOW)
    page.get_by_label("Search in source and outputs").fill("many")
    button = page.locator(".status button.stop")
    button.wait_for(state="visible")
    page.locator("article.card").first.wait_for()
    assert "found in the first" in long_report.status()
    if stop == "Escape":
        page.keyboard.press("Escape")
    else:
        button.click()
    button.wait_for(state="hidden")
    assert long_report.status().startswith("Stopped: ")
    assert long_report.status().endswith("of 3,000 sentences.")
    assert 0 < len(long_report.numbers()) <= 20


def test_a_search_that_goes_on_ends_with_all_hits(long_report: ReportInBrowser) -> None:
    long_report.ask("#sentences?q=many%20many&sort=length")
    assert long_report.status() == "1,800 of 3,000 sentences."
