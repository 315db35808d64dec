"""The pages of an event of which ``make_screenshots.py`` takes pictures: the example corpus, three teams, and an annotator who judges."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, Page

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "packages/errata-event/tests"))
from answers_event import make_answers_event
from served_event import serve_event

WIDE, NARROW, HEIGHT = 1240, 900, 1100


def open_pages(browser: Browser, folder: Path, scheme: Literal["light", "dark"]) -> Iterator[tuple[str, str, Page]]:
    """Yield pages of an event that is served, each with the name of its picture and what the picture shows."""
    folder.mkdir()
    event = make_answers_event(folder)
    made = event.made
    file = folder / "event.toml"
    file.write_text(file.read_text("utf-8").replace("confidence = false", 'test = "randomisation"'), "utf-8")
    made.event.update(str(file))
    made.upload(event.accounts["Alpha"], "dev", "eager")
    made.upload(event.accounts["Beta"], "dev", "cautious")
    made.upload(event.accounts["Gamma"], "dev", "rewriter")
    with serve_event(made.data, None, made.clock.now) as server:
        address = f"http://{server.host}:{server.port}"
        context = browser.new_context(base_url=address, viewport={"width": WIDE, "height": HEIGHT}, color_scheme=scheme)
        page = context.new_page()
        page.goto("/phases/dev")
        yield "serve-board", "section[aria-labelledby=leaderboard]", page
        context.add_cookies(
            [{"name": name, "value": value, "url": address} for name, value in server.browser(event.tokens["Ann"]).cookies.items()]
        )
        page.set_viewport_size({"width": NARROW, "height": HEIGHT})
        page.goto("/judging/answers")
        page.wait_for_selector("html[data-keys=ready]")
        yield "serve-judging", "main", page
        context.close()
    made.event.close()
