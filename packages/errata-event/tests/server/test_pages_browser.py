"""Every page of an event in a real browser, for every role: no violation found by axe, narrow screens, no script, no complaint."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, ConsoleMessage

from errata_event.instants import parse_instant

from example_events import OUTPUTS
from pages_event import LONG, NOW, RIGHT_TO_LEFT, PagesEvent, make_pages_event
from pages_in_browser import find_faults, opened
from served_event import ServedEvent, serve_event

Scheme = Literal["light", "dark"]
PUBLIC = (
    "/",
    "/login",
    "/nothing",
    "/phases/dev",
    "/phases/test",
    "/phases/answers",
    "/phases/blind",
    "/phases/later",
    "/phases/dev/tables/gold-1",
    "/phases/dev/tables/gold-2/types-maxmatch",
    "/phases/dev/tables/gold-2/metrics",
)
TEAM = (
    "/team",
    "/team/phases/dev",
    "/team/phases/test",
    "/team/phases/later",
    "/team/submissions/{own}",
    "/team/submissions/{hidden}",
    "/organiser",
)
ORGANISER = (
    "/organiser",
    "/organiser/people",
    "/organiser/people/2/renew",
    "/organiser/people/2/remove",
    "/organiser/log",
    "/organiser/phases/test",
    "/organiser/phases/answers",
    "/organiser/phases/test/close",
    "/organiser/phases/blind/publish",
    "/organiser/phases/dev/tables/gold-1",
    "/organiser/phases/dev/tables/gold-2/types-maxmatch",
    "/organiser/phases/dev/teams/2",
    "/organiser/submissions/{hidden}",
)
ROLES = {
    "": PUBLIC,
    "Alpha": TEAM,
    "organiser": ORGANISER,
    "Judge": ("/", "/team"),
    LONG: ("/team",),
    RIGHT_TO_LEFT: ("/team", "/team/phases/dev"),
}


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> PagesEvent:
    return make_pages_event(tmp_path_factory.mktemp("event"))


@pytest.fixture(scope="module")
def server(pages: PagesEvent) -> Iterator[ServedEvent]:
    with serve_event(pages.made.data, now=parse_instant(NOW)) as served:
        yield served


@pytest.mark.parametrize("name", ROLES)
@pytest.mark.parametrize(("width", "scheme"), [(320, "light"), (1280, "dark")])
def test_axe_finds_no_violation_and_only_tables_scroll_sideways(
    chromium: Browser, server: ServedEvent, pages: PagesEvent, name: str, width: int, scheme: Scheme
) -> None:
    wrong: dict[str, object] = {}
    with opened(
        chromium,
        server,
        pages.tokens.get(name, ""),
        viewport={"width": width, "height": 900},
        color_scheme=scheme,
        bypass_csp=True,  # axe is a script of its own
    ) as context:
        page = context.new_page()
        for path in ROLES[name]:
            page.goto(path.format(own=pages.own, hidden=pages.hidden))
            if faults := find_faults(page):
                wrong[path] = faults
    assert wrong == {}


@pytest.mark.parametrize("name", ROLES)
def test_pages_need_no_script_and_break_no_policy(chromium: Browser, server: ServedEvent, pages: PagesEvent, name: str) -> None:
    said: list[str] = []
    asked: set[str] = set()

    def note(message: ConsoleMessage) -> None:
        if "Failed to load resource" not in message.text:  # pages that are refused
            said.append(message.text)

    with opened(chromium, server, pages.tokens.get(name, "")) as context:
        page = context.new_page()
        page.on("console", note)
        page.on("request", lambda request: asked.add(urlsplit(request.url).netloc))
        for path in ROLES[name]:
            page.goto(path.format(own=pages.own, hidden=pages.hidden))
            assert page.locator("script:not([src])").count() == 0
            assert page.locator("[style], [onclick], [onload], style").count() == 0
    assert said == []
    assert asked == {f"{server.host}:{server.port}"}


def test_a_team_submits_without_javascript(chromium: Browser, server: ServedEvent, pages: PagesEvent) -> None:
    with opened(chromium, server, java_script_enabled=False) as context:
        page = context.new_page()
        page.goto("/team/phases/dev")
        page.get_by_label("Token").fill(pages.tokens["Delta"])
        page.get_by_role("button", name="Log in").click()
        assert urlsplit(page.url).path == "/team/phases/dev"
        page.get_by_label("Output for Development").set_input_files({"name": "x.txt", "mimeType": "text/plain", "buffer": b"one\n"})
        page.get_by_role("button", name="Submit").click()
        assert "The upload was refused" in page.get_by_role("alert").inner_text()
        page.get_by_label("Output for Development").set_input_files(
            {"name": "../<x>.txt", "mimeType": "text/plain", "buffer": OUTPUTS["rewriter"]}
        )
        page.get_by_label("Description").fill("From the browser")
        page.get_by_role("button", name="Submit").click()
        assert "Accepted as submission" in page.get_by_role("status").inner_text()
        page.get_by_role("button", name="Mark as primary").click()
        assert "because it is marked as primary" in page.get_by_role("main").inner_text()
        page.get_by_role("button", name="Log out").click()
        assert urlsplit(page.url).path == "/"


def test_paper_has_tables_and_no_controls(chromium: Browser, server: ServedEvent, pages: PagesEvent) -> None:
    with opened(chromium, server, pages.tokens["Alpha"], viewport={"width": 720, "height": 1000}) as context:
        page = context.new_page()
        page.emulate_media(media="print")
        for path in ("/phases/dev", "/phases/dev/tables/gold-2/types-maxmatch", "/team"):
            page.goto(path)
            assert page.locator("table").first.is_visible()
            assert page.locator("nav, form, .button").locator("visible=true").count() == 0
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_the_report_works_within_its_sandbox(chromium: Browser, server: ServedEvent, pages: PagesEvent) -> None:
    said: list[str] = []
    with opened(chromium, server, pages.tokens["Alpha"], accept_downloads=True) as context:
        page = context.new_page()
        page.on("console", lambda message: said.append(message.text))
        page.goto(f"/team/submissions/{pages.own}/report")
        page.locator("body[data-ready] .cards:not([aria-busy])").wait_for(state="attached")
        assert page.evaluate("self.origin") == "null"
        assert page.locator("article.card").count() > 0
        before = page.locator(".status [role=status]").inner_text()
        page.get_by_label("Search").first.fill("the")
        page.wait_for_function("(before) => document.querySelector('.status [role=status]').innerText !== before", arg=before)
        page.wait_for_function("() => location.hash.includes('the')")  # the address follows what is shown
        shared = page.url
        page.goto("about:blank")
        page.goto(shared)
        page.locator("body[data-ready] .cards:not([aria-busy])").wait_for(state="attached")
        assert page.get_by_label("Search").first.input_value() == "the"
        page.get_by_role("navigation", name="Sections").get_by_text("How this was made").click()
        with page.expect_download() as download:
            page.get_by_text("JSON", exact=False).locator("visible=true").first.click()
        assert download.value.path().stat().st_size > 100
        page.go_back()
        answer = page.evaluate("fetch('/team', {credentials: 'include'}).then((one) => one.status, (error) => `refused: ${error.name}`)")
        assert answer == "refused: TypeError"
    assert [text for text in said if "fetch" not in text and "/team" not in text] == []
