"""The site in a real browser, opened from disk: search, keyboard, accessibility, and no request that leaves the disk."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.slow


@pytest.fixture
def page(chromium: Browser, site: Path) -> Iterator[Page]:
    """The start page; an error of a script, or a request that leaves the disk, fails the test."""
    context = chromium.new_context(viewport={"width": 1280, "height": 900})
    problems: list[str] = []
    requested: list[str] = []
    context.on("request", lambda request: requested.append(request.url))
    context.on("weberror", lambda error: problems.append(str(error.error)))
    opened = context.new_page()
    opened.goto((site / "index.html").as_uri())
    yield opened
    context.close()
    assert problems == []
    assert [address for address in requested if not address.startswith(("file:", "data:", "about:"))] == []


def test_search_finds_pages_and_names(page: Page) -> None:
    page.locator(".md-search__input").click()
    for query, address in (("missing annotators", "concepts.html"), ("compute_intervals", "reference/python/errata.html")):
        page.locator(".md-search__input").fill("")
        page.keyboard.type(query)
        page.wait_for_selector(f".md-search-result__link[href*='{address}']", state="attached")
    page.keyboard.press("Enter")
    page.wait_for_url("**/reference/python/errata.html*")


def test_the_keyboard_reaches_search_and_pages(page: Page) -> None:
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent.trim()") == "Skip to content"
    page.keyboard.press("f")
    assert page.evaluate("document.activeElement.classList[0]") == "md-search__input"
    page.keyboard.press("Escape")
    door = page.get_by_role("link", name="I have a paper to finish").last
    door.focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**/tasks/finish-a-paper.html")


def test_a_copied_command_has_no_prompt_and_no_output(page: Page) -> None:
    block = page.locator("pre code").first
    assert "maxmatch(" in block.inner_text()
    block.evaluate("(code) => code.setAttribute('data-md-copying', '')")  # as the button does
    assert block.inner_text().strip() == "errata score examples/learner.m2 examples/systems/*.txt"
    assert page.locator("button[title='Copy to clipboard']").count() == page.locator("pre code").count() > 1


def find_violations(page: Page) -> list[tuple[str, str]]:
    """List what axe finds, with the elements."""
    from axe_playwright_python.sync_playwright import Axe

    found = Axe().run(page, options={"preload": False}).response["violations"]
    return [(violation["id"], node["html"]) for violation in found for node in violation["nodes"]]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1280])
def test_axe_finds_no_violation_on_the_start_page(page: Page, width: int, scheme: Literal["light", "dark"]) -> None:
    page.set_viewport_size({"width": width, "height": 900})
    page.emulate_media(color_scheme=scheme)
    page.wait_for_function(f"document.body.dataset.mdColorScheme === '{'default' if scheme == 'light' else 'slate'}'")
    shown = page.locator(".md-typeset img:visible")
    assert shown.count() == 1
    assert f"-{scheme}.webp" in str(shown.get_attribute("src"))
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert find_violations(page) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("address", ["tasks/finish-a-paper", "concepts", "reference/metrics/maxmatch", "reference/python/errata.formats"])
def test_axe_finds_no_violation_on_other_pages(page: Page, site: Path, address: str, scheme: Literal["light", "dark"]) -> None:
    page.emulate_media(color_scheme=scheme)
    page.goto((site / f"{address}.html").as_uri())
    assert find_violations(page) == []
