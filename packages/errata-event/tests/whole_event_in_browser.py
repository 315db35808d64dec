"""What teams and annotators do in a browser during an event."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from playwright.sync_api import Browser, Page, expect

from pages_in_browser import opened
from served_event import ServedEvent

_READY = "html[data-keys=ready]"
_KEYS = {"accept": "a", "reject": "r"}
_FORM = "main form[action*='/items/']"


def upload_in_browser(chromium: Browser, server: ServedEvent, token: str, phase: str, content: bytes) -> str:
    """Upload a file with the form of a phase; return what the page of the submission says."""
    with opened(chromium, server, token) as context:
        page = context.new_page()
        return _upload(page, phase, content)


def upload_and_mark(chromium: Browser, server: ServedEvent, token: str, phase: str, contents: Sequence[bytes]) -> str:
    """Upload several files, and mark the first as primary; return what the pages say."""
    with opened(chromium, server, token) as context:
        page = context.new_page()
        said = [_upload(page, phase, content) for content in contents]
        page.goto("/team")
        page.get_by_role("region", name=f"Submissions to {phase}").get_by_role("link", name="1", exact=True).click()
        page.get_by_role("button", name="Mark as primary").click()
        expect(page.get_by_role("main")).to_contain_text("because it is marked as primary")
        return "\n".join([*said, page.get_by_role("main").inner_text()])


def _upload(page: Page, phase: str, content: bytes) -> str:
    page.goto("/team")
    page.get_by_label(f"Output for {phase}").set_input_files({"name": "my output.txt", "mimeType": "text/plain", "buffer": content})
    page.get_by_label("Description").fill("From a browser")
    page.get_by_role("button", name="Submit").click()
    expect(page.get_by_role("status")).to_contain_text("Accepted as submission")
    return page.get_by_role("main").inner_text()


def propose_with_one_click(chromium: Browser, server: ServedEvent, token: str, number: int, edit: str) -> None:
    """Propose an edit of a sentence, from the page of the team."""
    with opened(chromium, server, token) as context:
        page = context.new_page()
        page.goto("/team")
        page.get_by_role("link", name="Propose answers").click()
        sentence = page.get_by_role("region", name=f"Sentence {number}", exact=True)
        sentence.get_by_role("button", name=f"Propose to {edit}").click()
        expect(sentence.get_by_text("Proposed", exact=True)).to_be_visible()


def judge_by_keyboard(chromium: Browser, server: ServedEvent, token: str, most: int, say: Callable[[str], str]) -> dict[str, str]:
    """Judge some items with a key for each; return what was said of which."""
    said: dict[str, str] = {}
    with opened(chromium, server, token) as context:
        page = context.new_page()
        page.goto("/judging/answers")
        while len(said) < most:
            action = page.locator(_FORM).get_attribute("action") or ""
            item = action.rpartition("/")[2]
            said[item] = say(item)
            page.locator(_READY).wait_for(state="attached")
            page.keyboard.press(_KEYS[said[item]])
            expect(page.locator(f"main form[action='{action}']")).to_have_count(0)
    return said
