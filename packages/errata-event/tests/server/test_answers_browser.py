"""Alternative answers in a real browser: judged by keyboard alone, proposed with one click, and all of it without JavaScript."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, expect

from errata_event.answers.judging import Queue, judge_item
from errata_event.answers.outcomes import TeamAnswers
from errata_event.answers.proposals import propose_edits, propose_sentence
from errata_event.instants import parse_instant

from answers_event import AnswersEvent, make_answers_event
from example_events import DURING_ANSWERS, WHEN_PUBLISHED, strip_gold
from pages_in_browser import find_faults, opened
from served_event import SOAK, ServedEvent, serve_event

pytestmark = pytest.mark.slow
Scheme = Literal["light", "dark"]
SOURCES = [line.removeprefix(b"S ").decode() for line in strip_gold()]
PAGES = {
    "": ("/phases/answers", "/phases/test"),
    "Alpha": (
        "/team",
        "/team/answers/answers",
        "/team/answers/answers/proposals",
        "/team/answers/answers/file",
        "/team/answers/answers/sentence?number=7",
    ),
    "Ann": ("/judging", "/judging/answers", "/judging/answers/done", "{item}"),
    "organiser": (
        "/organiser",
        "/organiser/phases/answers",
        "/organiser/answers/answers",
        "/organiser/answers/answers/items",
        "/organiser/answers/answers/tables",
    ),
}
READY = "html[data-keys=ready]"
FOCUS = "() => document.activeElement.id || document.activeElement.innerText.trim() || document.activeElement.localName"


def make_proposals(answers: AnswersEvent, numbers: tuple[int, ...]) -> None:
    for number in numbers:
        propose_sentence(answers.made.event, answers.accounts["Beta"], "answers", number, f"Indeed {SOURCES[number - 1]}")


@pytest.fixture(scope="module")
def event(tmp_path_factory: pytest.TempPathFactory) -> Iterator[AnswersEvent]:
    """Proposals of two teams, and judgments with long comments."""
    answers = make_answers_event(tmp_path_factory.mktemp("event"), "judges = 2", "per_phase = 50")
    made, alpha = answers.made.event, answers.accounts["Alpha"]
    for sentence in TeamAnswers.of(made, alpha, "answers").sentences[:4]:
        propose_edits(made, alpha, "answers", sentence.sentence.number, [sentence.offered[0].unmatched.key])
    make_proposals(answers, (1, 2, 7))
    for name in ("Ann", "Ben"):
        for verdict in ("accept", "amend", "reject", "accept"):
            with made.database.read() as transaction:
                item = Queue.find(transaction, answers.made.phase("answers"), answers.accounts[name]).next
            assert item is not None
            text = f"Well {SOURCES[item.sentence - 1]}" if verdict == "amend" else ""
            judge_item(made, answers.accounts[name], "answers", item.id, verdict, "A long comment. " * 20 + "x" * 100, text)
    yield answers
    made.close()


@pytest.fixture(scope="module", params=[DURING_ANSWERS, WHEN_PUBLISHED], ids=["open", "published"])
def server(request: pytest.FixtureRequest, event: AnswersEvent) -> Iterator[ServedEvent]:
    event.made.clock.set(request.param)
    with serve_event(event.made.data, now=event.made.clock.now) as served:
        yield served


@pytest.fixture
def fresh(tmp_path: Path) -> Iterator[tuple[AnswersEvent, ServedEvent]]:
    """Three proposals, and nothing pooled."""
    answers = make_answers_event(tmp_path, "pool = false")
    make_proposals(answers, (1, 2, 7))
    with serve_event(answers.made.data, now=answers.made.clock.now) as served:
        yield answers, served
    answers.made.event.close()


@pytest.mark.parametrize("name", PAGES)
@pytest.mark.parametrize(("width", "scheme"), [(320, "light"), (1280, "dark"), *([(320, "dark"), (1280, "light")] if SOAK else [])])
def test_no_page_has_a_fault(chromium: Browser, server: ServedEvent, event: AnswersEvent, name: str, width: int, scheme: Scheme) -> None:
    faults: dict[str, object] = {}
    sized = {"viewport": {"width": width, "height": 900}, "color_scheme": scheme, "bypass_csp": True}  # axe is a script of its own
    with opened(chromium, server, event.tokens.get(name, ""), **sized) as context:
        page = context.new_page()
        paths = PAGES[name]
        if name == "Ann":
            page.goto("/judging/answers/done")
            links = [link.get_attribute("href") or "" for link in page.get_by_role("link", name="Change").all()]
            paths = tuple(path.format(item=links[0] if links else "/judging/answers/items/1-0000000000000000") for path in paths)
        for path in paths:
            page.goto(path)
            page.wait_for_timeout(50)
            if found := find_faults(page):
                faults[path] = found
    assert faults == {}


@pytest.mark.parametrize("name", PAGES)
def test_pages_break_no_policy(chromium: Browser, server: ServedEvent, event: AnswersEvent, name: str) -> None:
    said: list[str] = []
    with opened(chromium, server, event.tokens.get(name, "")) as context:
        page = context.new_page()
        page.on("console", lambda message: said.append(message.text))
        page.on("pageerror", lambda error: said.append(str(error)))
        for path in PAGES[name]:
            if "{" not in path:
                page.goto(path)
                assert page.locator("script:not([src]), [style], [onclick], style").count() == 0
    assert said == []


def press(page: Page, key: str) -> None:
    """Press a key when the page takes keys."""
    page.locator(READY).wait_for(state="attached")
    page.keyboard.press(key)


def heading(page: Page) -> str:
    return page.get_by_role("heading", level=1).inner_text()


def test_all_is_judged_by_keyboard_from_the_log_in_to_the_last_item(chromium: Browser, fresh: tuple[AnswersEvent, ServedEvent]) -> None:
    answers, server = fresh
    with opened(chromium, server) as context:
        page = context.new_page()
        page.goto("/judging/answers")
        page.get_by_label("Token").focus()
        page.keyboard.type(answers.tokens["Ann"])
        page.keyboard.press("Enter")
        expect(page).to_have_url(re.compile("/judging/answers$"))
        assert heading(page) == "Sentence 1"
        page.locator(READY).wait_for(state="attached")
        assert page.evaluate(FOCUS) == "item"  # where screen readers read on
        press(page, "a")
        expect(page.get_by_role("heading", level=1)).to_have_text("Sentence 2")
        press(page, "m")
        assert page.evaluate(FOCUS) == "text"
        page.keyboard.press("Home")
        page.keyboard.type("Are aware ")  # a, r, e: none of them judges
        page.keyboard.press("Escape")
        assert page.evaluate(FOCUS) == "item"
        assert heading(page) == "Sentence 2"
        press(page, "m")
        assert page.get_by_label("The sentence as it is right").input_value().startswith("Are aware Indeed")
        page.keyboard.press("Enter")
        expect(page.get_by_role("heading", level=1)).to_have_text("Sentence 7")
        press(page, "s")
        expect(page.get_by_text("2 judged, 1 left, 1 of them skipped")).to_be_visible()
        press(page, "u")
        expect(page.get_by_text("You have amended this proposal")).to_be_visible()
        press(page, "u")
        expect(page.get_by_text("You have accepted this proposal")).to_be_visible()
        press(page, "r")
        expect(page.get_by_text("You have skipped this proposal")).to_be_visible()
        press(page, "r")
        expect(page.get_by_role("heading", level=1)).to_have_text("Nothing left to judge")
        page.goto("/judging/answers/done")
        verdicts = [row.locator("td").nth(2).inner_text().split()[0] for row in page.locator("tbody tr").all()]
        assert verdicts == ["rejected", "rejected", "amended"]


def test_keys_do_nothing_that_is_not_meant(chromium: Browser, fresh: tuple[AnswersEvent, ServedEvent]) -> None:
    answers, server = fresh
    with opened(chromium, server, answers.tokens["Ann"]) as context:
        page = context.new_page()
        page.goto("/judging/answers")
        page.keyboard.press("a")  # at once: nobody can have seen the item
        press(page, "Control+a")
        page.keyboard.press("Alt+r")
        page.keyboard.press("x")
        page.get_by_label("Comment").focus()
        page.keyboard.type("rasm?u")
        page.keyboard.press("Enter")
        page.keyboard.press("Escape")
        assert page.evaluate(FOCUS) == "item"
        page.keyboard.press("?")
        dialog = page.get_by_role("dialog", name="Keys")
        expect(dialog).to_be_visible()
        page.keyboard.press("a")  # the item is behind the dialog
        page.get_by_label("Use these keys").uncheck()
        page.keyboard.press("Escape")
        expect(dialog).to_be_hidden()
        page.keyboard.press("r")
        page.reload()
        press(page, "r")
        assert not page.locator("main button kbd").first.is_visible()
        assert page.get_by_text("0 judged, 3 left").is_visible()
        page.get_by_role("button", name="Keys").click()
        page.get_by_label("Use these keys").check()
        page.get_by_role("button", name="Close").click()
        page.evaluate("document.dispatchEvent(new KeyboardEvent('keydown', {key: 'a', repeat: true, bubbles: true}))")
        assert page.get_by_text("0 judged, 3 left").is_visible()
        page.evaluate("document.dispatchEvent(new KeyboardEvent('keydown', {key: 'ф', code: 'KeyA', bubbles: true}))")
        expect(page.get_by_text("1 judged, 2 left")).to_be_visible()


def test_the_order_of_the_focus_and_what_screen_readers_hear(chromium: Browser, fresh: tuple[AnswersEvent, ServedEvent]) -> None:
    answers, server = fresh
    with opened(chromium, server, answers.tokens["Ann"]) as context:
        page = context.new_page()
        page.goto("/judging/answers")
        page.locator(READY).wait_for(state="attached")
        assert page.title().startswith("Sentence 1, 3 proposals left")
        order = []
        for _ in range(6):
            page.keyboard.press("Tab")
            order.append(
                page.evaluate("() => document.activeElement.id || document.activeElement.value || document.activeElement.localName")
            )
        assert order == ["accept", "reject", "skip", "summary", "comment", "show-keys"]
        expect(page.get_by_role("group", name="Verdict about the proposal").get_by_role("button")).to_have_count(3)
        for name in ("Accept", "Reject", "Skip"):
            expect(page.get_by_role("button", name=name, exact=True)).to_have_attribute("aria-keyshortcuts", name[0].lower())
        proposal = page.locator("dd.proposed")
        assert "(inserted: Indeed)" in " ".join(proposal.text_content().split())  # type: ignore[union-attr]
        assert page.get_by_role("progressbar", name="Judged by you").count() == 1


def test_judging_without_javascript(chromium: Browser, fresh: tuple[AnswersEvent, ServedEvent]) -> None:
    answers, server = fresh
    with opened(chromium, server, answers.tokens["Ann"], java_script_enabled=False) as context:
        page = context.new_page()
        page.goto("/judging/answers")
        assert page.locator("main button kbd").first.is_hidden()
        assert page.get_by_role("button", name="Keys").count() == 0
        page.get_by_role("button", name="Accept").click()
        page.locator("summary").click()
        page.get_by_label("The sentence as it is right").fill(f"Indeed , {SOURCES[1]}")
        page.get_by_label("Comment").fill("A comma")
        page.get_by_role("button", name="Send the amended sentence").click()
        assert heading(page) == "Sentence 7"
        page.get_by_role("button", name="Skip").click()
        page.get_by_role("link", name="Your judgments").click()
        assert "A comma" in page.get_by_role("main").inner_text()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_refusals_and_the_list_of_keys_have_no_fault(chromium: Browser, fresh: tuple[AnswersEvent, ServedEvent], scheme: Scheme) -> None:
    answers, server = fresh
    with opened(chromium, server, answers.tokens["Ann"], color_scheme=scheme, bypass_csp=True) as context:
        page = context.new_page()
        page.goto("/judging/answers")
        press(page, "?")
        assert find_faults(page) == []
        page.keyboard.press("Escape")
        page.keyboard.press("m")
        page.get_by_label("The sentence as it is right").fill(SOURCES[0])
        page.keyboard.press("Enter")
        expect(page.get_by_role("alert")).to_have_text(
            "Not stored: the gold accepts this already; reject the proposal if nothing else is right."
        )
        assert page.evaluate(FOCUS) == "text"
        assert find_faults(page) == []
        server.set_clock(parse_instant(WHEN_PUBLISHED, UTC))
        page.keyboard.press("Enter")
        expect(page.get_by_role("heading", level=1)).to_have_text("Your judgment was not stored")
        assert page.get_by_label("Sentence").input_value() == SOURCES[0]
        assert find_faults(page) == []
    server.set_clock(parse_instant(DURING_ANSWERS, UTC))
    with opened(chromium, server, answers.tokens["Alpha"], color_scheme=scheme, bypass_csp=True) as context:
        page = context.new_page()
        page.goto("/team/answers/answers/file")
        page.get_by_label("File with the proposals").set_input_files({"name": "x.txt", "mimeType": "text/plain", "buffer": b"one\ttwo\n"})
        page.get_by_role("button", name="Propose").click()
        expect(page.get_by_role("alert")).to_contain_text("The file was refused")
        assert find_faults(page) == []


@pytest.mark.parametrize("script", [True, False])
def test_an_edit_is_proposed_with_one_click(chromium: Browser, fresh: tuple[AnswersEvent, ServedEvent], *, script: bool) -> None:
    answers, server = fresh
    with opened(chromium, server, answers.tokens["Alpha"], java_script_enabled=script) as context:
        page = context.new_page()
        page.goto("/team")
        page.get_by_role("link", name="Propose answers").click()
        sentence = page.get_by_role("region", name="Sentence 7", exact=True)
        sentence.get_by_role("button", name="Propose to replace “Zoë” by “Zoe”").click()
        assert urlsplit(page.url).fragment == "sentence-7"
        expect(sentence.get_by_text("Proposed", exact=True)).to_be_visible()
        sentence.get_by_label("insert “,”").check()
        sentence.get_by_label("leave “of” as it is").check()
        sentence.get_by_role("button", name="Propose those ticked together in sentence 7").click()
        expect(sentence.get_by_role("button", name="Withdraw")).to_have_count(2)
        sentence.get_by_role("button", name="Withdraw the proposal to replace “Zoë” by “Zoe”").click()
        expect(sentence.get_by_role("button", name="Withdraw")).to_have_count(1)
        sentence.get_by_label("replace “café” by “cafe”").press("Enter")  # no button was meant: nothing is proposed alone
        expect(page.get_by_role("alert")).to_contain_text("Nothing is ticked")
        page.get_by_role("link", name="Write another correction of sentence 7").click()
        page.get_by_label("The sentence, corrected").fill(f"Well {SOURCES[6]}")
        page.get_by_role("button", name="Propose this sentence").click()
        expect(page.get_by_role("status")).to_have_text("Proposed.")
