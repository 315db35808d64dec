"""Without JavaScript, everything but the sentences can be read."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from learner_report import METRICS, NAMES, Numbers
from report_in_browser import ReportInBrowser, shown_percent


@pytest.fixture(scope="module")
def plain_report(chromium: Browser, learner_page: Path) -> Iterator[ReportInBrowser]:
    opened = ReportInBrowser(chromium, learner_page, java_script_enabled=False)
    yield opened
    opened.check_silence()
    opened.close()


def test_it_says_what_needs_a_script(plain_report: ReportInBrowser) -> None:
    note = plain_report.page.locator("#sentences .needs-script")
    assert note.is_visible()
    assert "need JavaScript" in note.inner_text()
    assert plain_report.page.locator("button").count() == 0


def test_scores_can_be_read(plain_report: ReportInBrowser, numbers: Numbers) -> None:
    page = plain_report.page
    table = page.locator("#leaderboard table").first
    assert table.locator("tbody th").all_inner_texts() == numbers.order("maxmatch")
    for place, metric in enumerate(METRICS):
        values = table.locator(f"td:nth-child({place + 2}) span").all_inner_texts()
        assert values == [shown_percent(numbers.score[metric, name]["value"]) for name in numbers.order("maxmatch")]
    assert page.locator("#leaderboard svg.bar").count() == len(METRICS) * len(NAMES)
    assert page.locator("#differences table.matrix").first.is_visible()


def test_types_and_edits_can_be_read(plain_report: ReportInBrowser) -> None:
    page = plain_report.page
    assert [page.locator("#types table").nth(place).is_visible() for place in range(3)] == [True] * 3
    assert page.locator("#edits .digest").first.locator("table").first.is_visible()
    page.locator("#edits summary").first.click()
    assert page.locator("#edits details .digest table").first.is_visible()


def test_charts_can_be_seen(plain_report: ReportInBrowser) -> None:
    charts = plain_report.page.locator("#charts svg")
    assert charts.count() >= 4
    for place in range(charts.count()):
        box = charts.nth(place).bounding_box()
        assert box is not None
        assert box["width"] > 100
        assert box["height"] > 50


def test_downloads_are_there(plain_report: ReportInBrowser) -> None:
    links = plain_report.page.locator("#making a[download]")
    assert links.evaluate_all("(all) => all.map((one) => one.download)") == ["report.json", "scores.csv"]
