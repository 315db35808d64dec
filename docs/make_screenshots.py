"""Take the pictures of the report page and of served events that the documentation shows, in light and dark colours: ``make screenshots``.

Needs Playwright and a Chromium; ``ERRATA_CHROMIUM`` names its program.
"""

from __future__ import annotations

import base64
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple

from event_pictures import open_pages
from playwright.sync_api import sync_playwright

if TYPE_CHECKING:
    from playwright.sync_api import Page, ViewportSize

IMAGES = Path(__file__).parent / "images"
ROOT = Path(__file__).parent.parent
PROGRAMS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
GOLD, SYSTEMS = "examples/learner.m2", [f"examples/systems/{name}.txt" for name in ("cautious", "eager", "rewriter")]


class View(NamedTuple):
    """What a picture shows: an element of a report with these metrics, on a page of this width."""

    selector: str
    width: int
    metrics: tuple[str, ...]


VIEWS = {
    "report-scores": View("#leaderboard", 1280, ("maxmatch", "imeasure", "gleu")),
    "report-sentence": View("article.card[data-number='3']", 760, ("maxmatch",)),
}
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
HEIGHT, MARGIN, QUALITY = 650, 8, 75
MOST_BYTES = 350_000
"""All pictures together, so that a clone stays small."""


def main() -> None:
    """Write a report, open it, and take all pictures."""
    program = os.environ.get("ERRATA_CHROMIUM") or next(filter(None, map(shutil.which, PROGRAMS)), None)
    if program is None:
        sys.exit(f"no Chromium found: one of {', '.join(PROGRAMS)}, or ERRATA_CHROMIUM")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program)
        for name, view in VIEWS.items():
            report = Path(folder, f"{name}.html")
            metrics = [word for metric in view.metrics for word in ("-m", metric)]
            command = [sys.executable, "-m", "errata", "report", GOLD, *SYSTEMS, *metrics, "-o", str(report)]
            subprocess.run(command, cwd=ROOT, check=True)  # noqa: S603 - our own
            for scheme in SCHEMES:
                size: ViewportSize = {"width": view.width, "height": HEIGHT}
                page = browser.new_page(viewport=size, color_scheme=scheme)
                page.goto(report.as_uri())
                page.wait_for_selector(".cards:not([aria-busy]) article.card")
                _take(page, view.selector, IMAGES / f"{name}-{scheme}.webp")
        for scheme in SCHEMES:
            for name, selector, page in open_pages(browser, Path(folder, scheme), scheme):
                _take(page, selector, IMAGES / f"{name}-{scheme}.webp")
    total = sum(path.stat().st_size for path in IMAGES.glob("*.webp"))
    if total > MOST_BYTES:
        sys.exit(f"the pictures have {total:,} bytes, more than {MOST_BYTES:,}")


def _take(page: Page, selector: str, path: Path) -> None:
    """Take a picture of an element as WebP, which Playwright has no option for; a long element is cut off."""
    box = page.locator(selector).bounding_box()
    if box is None:
        sys.exit(f"the page shows no {selector}")
    clip = {
        "x": box["x"] - MARGIN,
        "y": box["y"] - MARGIN,
        "width": box["width"] + 2 * MARGIN,
        "height": min(box["height"] + 2 * MARGIN, HEIGHT),
        "scale": 1,
    }
    settings = {"format": "webp", "quality": QUALITY, "clip": clip, "captureBeyondViewport": True}
    shot = page.context.new_cdp_session(page).send("Page.captureScreenshot", settings)
    path.write_bytes(base64.b64decode(shot["data"]))
    print(f"{path.name}: {clip['width']:.0f} x {clip['height']:.0f}, {path.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
