"""A report in a real browser: what it shows, and everything that should not happen there."""

from __future__ import annotations

import os
import shutil
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Browser, ConsoleMessage, Locator, Page, Request

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
"""Programs that are tried if ``ERRATA_CHROMIUM`` names none."""
_REPORT_VIOLATIONS = """
document.addEventListener("securitypolicyviolation", (event) => {
  console.error(`policy: ${event.violatedDirective} ${event.blockedURI} ${event.sample}`);
});
"""
_READ_ROWS = """
(table) => [...table.rows].map((row) => [...row.cells].map((cell) => ({
  text: cell.innerText.trim(), value: cell.dataset.value ?? null,
})))
"""
_READ_CARDS = """
(cards) => cards.map((card) => ({
  number: Number(card.dataset.number), source: card.querySelector(".source .text").textContent,
  facts: card.querySelector(".facts").textContent, document: card.querySelector(".document")?.textContent ?? null,
  systems: [...card.querySelectorAll(".row.system")].map((row) => ({
    systems: row.dataset.systems.split(" ").map(Number),
    edits: [...row.querySelectorAll(".text .edit")].map((edit) => ({
      outcome: ["right", "wrong", "missed"].find((outcome) => edit.classList.contains(outcome)),
      sign: edit.querySelector(".sign").textContent,
      spoken: edit.querySelector(".spoken").textContent,
      original: edit.querySelector(".before")?.textContent ?? "",
      corrections: [...edit.querySelectorAll("ins, em")].map((made) => made.localName === "ins" ? made.textContent : ""),
      type: edit.querySelector(".type")?.textContent ?? null,
      asked: edit.classList.contains("asked"),
    })),
    figures: Object.fromEntries([...row.querySelectorAll("[data-metric]")].map((figure) =>
      [figure.dataset.metric, { value: Number(figure.dataset.value), text: figure.textContent }])),
    counts: row.querySelector(".counts")?.textContent ?? null,
    chosen: [...row.querySelectorAll(".figure")].map((figure) => figure.textContent).find((text) => text.startsWith("against")),
    columns: [...row.querySelectorAll("table.columns tr")].map((line) => [...line.querySelectorAll("td")].map((cell) =>
      cell.querySelector(".gap") ? null : cell.textContent)),
  })),
  annotators: [...card.querySelectorAll(".row.annotator")].map((row) => ({
    labels: [...row.querySelectorAll(".who bdi")].map((label) => label.textContent), chosen: row.classList.contains("chosen"),
    edits: [...row.querySelectorAll(".edit")].map((edit) => edit.textContent),
  })),
}))
"""

_GO = "(fragment) => { history.pushState(null, '', fragment); dispatchEvent(new PopStateEvent('popstate')); }"
_READ_NUMBERS = "(cards) => cards.map((card) => Number(card.dataset.number))"
_TURN_PAGES = """
async () => {
  const list = document.querySelector(".cards");
  const following = [...document.querySelectorAll("nav.pager button")].find((button) => button.textContent === "Next");
  const found = [];
  list.hidden = true;  // nothing is laid out and painted meanwhile
  for (;;) {
    while (list.hasAttribute("aria-busy")) await new Promise(requestAnimationFrame);
    found.push(...(READ)([...list.querySelectorAll("article.card")]));
    if (following.disabled) break;
    await new Promise((resolve) => {
      new MutationObserver((_, observer) => resolve(observer.disconnect())).observe(list, { childList: true });
      following.click();
    });
  }
  list.hidden = false;
  return found;
}
"""
_MARK = """
() => {
  for (const mark of document.querySelectorAll("i.old")) mark.remove();
  for (const place of document.querySelectorAll(".cards, .status [role=status]")) {
    place.append(Object.assign(document.createElement("i"), { className: "old" }));
  }
}
"""
_IS_DONE = """
() => document.querySelectorAll("i.old").length < 2 && document.querySelector(".status .stop").hidden
  && !document.querySelector(".cards[aria-busy]")
"""


def find_chromium() -> str | None:
    """Find a Chromium; without one, tests in a browser are skipped."""
    given = os.environ.get("ERRATA_CHROMIUM")
    return shutil.which(given) if given else next(filter(None, map(shutil.which, NAMES)), None)


class ReportInBrowser:
    """A report, opened in a context of its own; whatever it says or asks for is recorded."""

    def __init__(self, browser: Browser, path: Path, fragment: str = "", **settings: Any) -> None:
        self.path = path
        self.context = browser.new_context(**{"viewport": {"width": 1280, "height": 900}, **settings})
        self.context.set_default_timeout(10_000)
        self.context.add_init_script(_REPORT_VIOLATIONS)
        self.problems: list[str] = []
        self.requests: list[str] = []
        self.context.on("console", self._note_message)
        self.context.on("weberror", lambda error: self.problems.append(f"error: {error.error}"))
        self.context.on("request", self._note_request)
        self.page = self.context.new_page()
        self.has_script = settings.get("java_script_enabled", True)
        self.open(fragment)

    def _note_message(self, message: ConsoleMessage) -> None:
        self.problems.append(f"{message.type}: {message.text}")

    def _note_request(self, request: Request) -> None:
        self.requests.append(request.url.partition("#")[0])

    def open(self, fragment: str = "", page: Page | None = None) -> None:
        """Open the file anew."""
        page = page or self.page
        page.goto("about:blank")
        page.goto(f"{self.path.as_uri()}{fragment}")
        if self.has_script:
            page.locator("body[data-ready] .cards:not([aria-busy])").wait_for(state="attached")

    def open_another(self, fragment: str) -> Page:
        """Open the file in another page of the same browser."""
        page = self.context.new_page()
        self.open(fragment, page)
        return page

    def check_silence(self) -> None:
        """The console is empty, the policy was kept, and only the file itself was asked for."""
        assert self.problems == []
        assert set(self.requests) == {self.path.as_uri()}

    def close(self) -> None:
        self.context.close()

    @contextmanager
    def changing(self) -> Iterator[None]:
        """Wait until what is done inside has put new sentences into the document, and nothing is searched any more."""
        self.page.evaluate(_MARK)
        yield
        self.page.wait_for_function(_IS_DONE)

    def ask(self, fragment: str) -> None:
        """Change the fragment of the address, as somebody who edits it, and wait for its sentences."""
        with self.changing():
            self.page.evaluate(
                "(fragment) => history.pushState(null, '', fragment) ?? dispatchEvent(new PopStateEvent('popstate'))", fragment
            )

    def rows(self, table: Locator | str) -> list[list[dict[str, Any]]]:
        """Read the cells of a table."""
        found = self.page.locator(table) if isinstance(table, str) else table
        rows: list[list[dict[str, Any]]] = found.evaluate(_READ_ROWS)
        return rows

    def texts(self, table: Locator | str) -> list[list[str]]:
        """Read the texts of the cells of a table."""
        return [[cell["text"] for cell in row] for row in self.rows(table)]

    def cards(self, page: Page | None = None) -> list[dict[str, Any]]:
        """Read the sentences that are in the document."""
        cards: list[dict[str, Any]] = (page or self.page).locator("article.card").evaluate_all(_READ_CARDS)
        return cards

    def numbers(self, page: Page | None = None) -> list[int]:
        """The numbers of the sentences in the document."""
        numbers: list[int] = (page or self.page).locator("article.card").evaluate_all(_READ_NUMBERS)
        return numbers

    def all_cards(self) -> list[dict[str, Any]]:
        """Read all sentences of the view, page by page."""
        cards: list[dict[str, Any]] = self.page.evaluate(_TURN_PAGES.replace("READ", _READ_CARDS))
        return cards

    def all_numbers(self) -> list[int]:
        """The numbers of all sentences of the view, page by page."""
        numbers: list[int] = self.page.evaluate(_TURN_PAGES.replace("READ", _READ_NUMBERS))
        return numbers

    def find(self, fragment: str) -> list[int]:
        """The numbers of all sentences of a view; they have only one system and are not laid out meanwhile, which is much faster."""
        self.page.evaluate("document.querySelector('.cards').hidden = true")
        self.ask(f"{fragment}&shown=cautious")
        return self.all_numbers()

    def status(self) -> str:
        """The line that says how many sentences there are."""
        return self.page.locator(".status [role=status]").inner_text()

    def fragment(self) -> str:
        return self.page.url.partition("#")[2]


def shown_percent(value: float | None, digits: int = 2) -> str:
    """A fraction in percent, as the page shows it."""
    if value is None:
        return "–"
    text = f"{100 * value:.{digits}f}"
    return text.removeprefix("-") if not text.strip("-0.") else text


def shown_difference(value: float, digits: int = 2) -> str:
    """A difference of fractions in percent, with a sign unless it is shown as zero."""
    text = f"{abs(100 * value):.{digits}f}"
    return text if not text.strip("0.") else f"{'−' if value < 0 else '+'}{text}"
