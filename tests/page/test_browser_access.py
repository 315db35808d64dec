"""Everybody can use the page: no violation found by axe, keyboard alone, narrow screens and paper."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser

from learner_report import GOLD, STATISTICS, SYSTEMS, write_report
from report_in_browser import ReportInBrowser

Scheme = Literal["light", "dark"]
REPEATED = (
    "article.card:nth-child(n + 3), #edits tr:nth-child(n + 3), #edits details:nth-of-type(n + 2), "
    "#types details:nth-of-type(n + 2) tr:nth-child(n + 3), form.controls option:nth-child(n + 5)"
)
"""What is there again and again, and would only cost time."""
FIND_CLIPPED = """
[...document.querySelectorAll("table, svg.chart, p, article")].filter((one) => one.getBoundingClientRect().right > innerWidth + 1)
  .map((one) => one.outerHTML.slice(0, 200))
"""
OPEN_ALL = "(all) => all.forEach((one) => { one.open = true; })"


def open_sized(chromium: Browser, path: Path, width: int, scheme: Scheme, **settings: Any) -> ReportInBrowser:
    return ReportInBrowser(chromium, path, "#sentences?", viewport={"width": width, "height": 900}, color_scheme=scheme, **settings)


@pytest.fixture(scope="module")
def small_page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A report of few sentences, which has everything that a large one has; axe takes long for large ones."""
    subset = ("-m", "maxmatch", "-m", "imeasure", *STATISTICS, "--sentences", "1-21", "--as-subset")
    return write_report(tmp_path_factory.mktemp("small") / "small.html", GOLD, *SYSTEMS, *subset, charts=True)


OUTSIDE = """
() => [...document.querySelectorAll("body *")].filter((one) => {
  const box = one.getBoundingClientRect();
  return box.width > 0 && box.right > innerWidth + 1 && !one.closest(".scroll, .chart, .skip, .spoken");
}).map((one) => `${one.localName}.${one.className}`)
"""
"""Elements that are wider than the screen, and have no bar of their own to scroll."""


def find_violations(report: ReportInBrowser, place: str | None = None) -> dict[str, str]:
    found = Axe().run(report.page, place, options={"resultTypes": ["violations"]}).response["violations"]
    return {item["id"]: f"{item['help']}: {json.dumps([node['target'] for node in item['nodes'][:3]])}" for item in found}


@pytest.mark.parametrize(("width", "scheme"), [(320, "light"), (1280, "dark")])
def test_axe_finds_no_violation_and_only_tables_scroll_sideways(chromium: Browser, small_page: Path, width: int, scheme: Scheme) -> None:
    report = open_sized(chromium, small_page, width, scheme, bypass_csp=True)  # axe is a script of its own
    report.ask("#sentences?baseline=eager&at=2")
    report.page.locator(REPEATED).evaluate_all("(all) => all.forEach((one) => one.remove())")
    report.page.locator("details").evaluate_all(OPEN_ALL)
    assert report.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert report.page.evaluate(OUTSIDE) == []
    colours = report.page.evaluate("[getComputedStyle(document.body).backgroundColor, getComputedStyle(document.body).color]")
    background, text = (sum(int(part) for part in colour[4:-1].split(",")) for colour in colours)
    assert (background > text) == (scheme == "light")
    assert find_violations(report) == {}
    report.close()


@pytest.mark.parametrize(("width", "scheme"), [(320, "dark"), (1280, "light")])
def test_axe_finds_no_violation_in_filtered_sentences(chromium: Browser, small_page: Path, width: int, scheme: Scheme) -> None:
    report = open_sized(chromium, small_page, width, scheme, bypass_csp=True)
    report.ask("#sentences?system=rewriter&outcome=wrong,missed&type=ArtOrDet&q=the&from=&at=4&sort=score&metric=imeasure")
    report.page.locator(REPEATED).evaluate_all("(all) => all.forEach((one) => one.remove())")
    assert find_violations(report, "#sentences") == {}
    report.close()


FOCUS = """
() => {
  const one = document.activeElement;
  const style = getComputedStyle(one);
  const box = one.getBoundingClientRect();
  const section = one.closest("section, header, form")?.id ?? "";
  return {
    body: one === document.body, visible: style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2,
    inside: box.bottom > 0 && box.top < innerHeight, what: `${one.localName} ${one.className} ${one.textContent.slice(0, 30)}`, section,
  };
}
"""
RECORD_FOCUS = """
() => {
  window.reached = new Set([document.activeElement]);
  document.addEventListener("focusin", (event) => reached.add(event.target));
}
"""
VISIBLE = "{ contentVisibilityAuto: true, visibilityProperty: true }"
CONTROLS = "a[href], button:not([disabled]), input, select, summary, [tabindex='0']"


def test_the_keyboard_reaches_every_control(chromium: Browser, small_page: Path) -> None:
    report = ReportInBrowser(chromium, small_page, "#sentences?q=lonely")
    controls = report.page.locator(CONTROLS)
    expected = controls.evaluate_all(f"(all) => all.filter((one) => one.checkVisibility({VISIBLE})).length")
    assert expected > 100
    report.page.evaluate("document.activeElement?.blur(); getSelection().removeAllRanges(); scrollTo(0, 0)")
    report.page.locator("a.skip").focus()
    report.page.evaluate(RECORD_FOCUS)
    for count in range(expected + 20):
        report.page.keyboard.press("Tab")
        if count % 10 == 0:
            state = report.page.evaluate(FOCUS)
            if state["body"]:
                break
            assert state["visible"], state
            assert state["inside"], state
    missed = controls.evaluate_all(
        f"(all) => all.filter((one) => one.checkVisibility({VISIBLE}) && !reached.has(one)).map((one) => one.outerHTML.slice(0, 200))"
    )
    assert missed == []
    report.check_silence()
    report.close()


def test_the_keyboard_alone_works_the_page(chromium: Browser, small_page: Path) -> None:
    report = ReportInBrowser(chromium, small_page)
    report.page.keyboard.press("Tab")
    skip = report.page.locator("a.skip")
    assert skip.evaluate("(link) => link === document.activeElement && link.getBoundingClientRect().left >= 0")
    report.page.keyboard.press("Enter")
    assert report.fragment() == "leaderboard"
    sort = report.page.locator("#leaderboard thead button").nth(1)
    sort.focus()
    report.page.keyboard.press("Enter")
    assert report.page.locator("#leaderboard [aria-sort]").count() == 1
    name = report.page.locator("#leaderboard tbody button").first
    name.focus()
    with report.changing():
        report.page.keyboard.press("Space")
    assert name.get_attribute("aria-pressed") == "true"
    assert name.evaluate("(button) => button === document.activeElement")
    link = report.page.locator("#differences .matrix a").first
    link.focus()
    with report.changing():
        report.page.keyboard.press("Enter")
    assert "better=" in report.fragment()
    report.check_silence()
    report.close()


def test_names_of_controls(chromium: Browser, small_page: Path) -> None:
    report = ReportInBrowser(chromium, small_page)
    form = report.page.get_by_role("search")
    for name in ("System", "and not by", "Type of an edit", "better system", "is better than", "Score by", "Sort by", "Order"):
        assert form.get_by_role("combobox", name=name, exact=True).count() == 1, name
    assert form.get_by_role("group", name="Outcome of an edit").get_by_role("checkbox").count() == 3
    for section in ("Scores", "Differences", "Error types", "Edits, counted", "Sentences", "Charts", "How this was made"):
        assert report.page.get_by_role("heading", level=2, name=section, exact=True).count() == 1
    report.close()


def test_paper_has_everything_but_controls(chromium: Browser, small_page: Path) -> None:
    report = ReportInBrowser(chromium, small_page, "#sentences?system=eager")
    report.page.emulate_media(media="print")
    for hidden in ("nav[aria-label=Sections]", "nav.pager", "form.controls", ".keys", "a.skip"):
        assert report.page.locator(hidden).first.is_hidden(), hidden
    for shown in ("#leaderboard table", "#differences table", "#types table", "#edits table", "article.card"):
        assert report.page.locator(shown).first.is_visible(), shown
    details = report.page.locator("#types details table")
    assert [details.nth(place).is_visible() for place in range(details.count())] == [True] * 3
    assert report.page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert report.page.pdf().startswith(b"%PDF")
    report.check_silence()
    report.close()


def test_aligned_columns_on_paper_are_those_that_were_open_in_several_lines(chromium: Browser, learner_page: Path) -> None:
    report = ReportInBrowser(chromium, learner_page, "#sentences?sort=length", viewport={"width": 718, "height": 1000})
    columns = report.page.locator("article.card details", has=report.page.locator("table.columns"))
    columns.first.evaluate("(details) => { details.open = true; }")
    whole = report.cards()[0]["systems"][0]["columns"]
    report.page.emulate_media(media="print")
    report.page.evaluate("() => { dispatchEvent(new Event('beforeprint')); }")
    assert columns.nth(1).is_hidden()
    pieces = report.cards()[0]["systems"][0]["columns"]
    assert len(pieces) > len(whole) == 4
    assert [[cell for line in pieces[row::4] for cell in line] for row in range(4)] == whole
    assert report.page.evaluate(FIND_CLIPPED) == []
    report.page.evaluate("() => { dispatchEvent(new Event('afterprint')); }")
    assert report.cards()[0]["systems"][0]["columns"] == whole
    report.close()
