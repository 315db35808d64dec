"""Pages of an event in a real browser, logged in, and what must hold for every page."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, BrowserContext, Page

from served_event import ServedEvent

OUTSIDE = """
() => [...document.querySelectorAll("body *")].filter((one) => {
  const box = one.getBoundingClientRect();
  return box.width > 0 && box.right > innerWidth + 1 && !one.closest(".wide, .skip");
}).map((one) => `${one.localName}.${one.className}`)
"""
"""Elements that are wider than the screen, and have no bar of their own to scroll."""
HEADINGS = "() => [...document.querySelectorAll('h1, h2, h3, h4')].map((one) => Number(one.localName[1]))"


@contextmanager
def opened(chromium: Browser, server: ServedEvent, token: str = "", **settings: Any) -> Iterator[BrowserContext]:
    """A browser window, logged in with a token if there is one."""
    context = chromium.new_context(base_url=f"http://{server.host}:{server.port}", **settings)
    context.set_default_timeout(10_000)
    if token:
        context.add_cookies(
            [
                {"name": name, "value": value, "url": f"http://{server.host}:{server.port}/"}
                for name, value in server.browser(token).cookies.items()
            ]
        )
    yield context
    context.close()


def find_violations(page: Page) -> dict[str, str]:
    """What axe finds."""
    found = Axe().run(page, options={"resultTypes": ["violations"]}).response["violations"]
    return {item["id"]: f"{item['help']}: {json.dumps([node['target'] for node in item['nodes'][:3]])}" for item in found}


def find_faults(page: Page) -> list[object]:
    """What is wrong with a page that is open: violations, what is wider than the screen, headings without order."""
    page.locator("details").evaluate_all("(all) => all.forEach((one) => { one.open = true; })")
    levels = page.evaluate(HEADINGS)
    jumps = [after for before, after in zip([0, *levels], levels, strict=False) if after > before + 1]
    return [fault for fault in (find_violations(page), page.evaluate(OUTSIDE), levels.count(1) - 1, jumps) if fault]
