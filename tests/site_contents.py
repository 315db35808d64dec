"""A page of the built site: the names that links can lead to, its links, and what it loads."""

from __future__ import annotations

from functools import cache
from html.parser import HTMLParser
from pathlib import Path

LOADING = {
    "link": "href",
    "script": "src",
    "img": "src",
    "iframe": "src",
    "source": "src",
    "video": "src",
    "audio": "src",
    "object": "data",
}
"""Elements that load something, with the attribute that says what."""


class Contents(HTMLParser):
    """What a page has."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.path, self.anchors, self.links, self.loaded = path, set[str](), list[str](), list[str]()
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note an element."""
        attributes = dict(attrs)
        if name := attributes.get("id"):
            self.anchors.add(name)
        if tag == "a" and (link := attributes.get("href")) is not None:
            self.links.append(link)
        address = attributes.get(LOADING.get(tag, ""))
        if address and attributes.get("rel") != "canonical":
            self.loaded.append(address)


@cache
def read_page(path: Path) -> Contents:
    """Read a page once."""
    return Contents(path)


def list_pages(site: Path) -> list[Contents]:
    """Read all pages of a site, but the one for wrong addresses, which servers show and whose links begin at the root of a server."""
    return [read_page(path) for path in sorted(site.rglob("*.html")) if path != site / "404.html"]
