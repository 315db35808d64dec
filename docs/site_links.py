"""Links of pages to files of the project: on the site they lead to a copy or a page of the site.

A file of ``docs/`` has the same address on the site without ``docs/``, every other file its own, and the README is the start page.
"""

from __future__ import annotations

import posixpath
import re
from pathlib import Path

ROOT = Path(__file__).parent.parent
_LINK = re.compile(r"(?<=\]\()([^)\s:#]+)(?=[)#])")


def find_linked(pages: dict[str, str]) -> set[str]:
    """Find the files outside docs that pages link to, directly or through one another; pages are given with their texts."""
    found: set[str] = set()
    left = dict(pages)
    while left:
        page, text = left.popitem()
        for link in _LINK.findall(text):
            target = _resolve(page, link)
            if target in found or target.startswith("docs/") or target == "README.md" or not (ROOT / target).is_file():
                continue
            found.add(target)
            if target.endswith(".md"):
                left[target] = (ROOT / target).read_text(encoding="utf-8")
    return found


def rewrite_links(page: str, text: str) -> str:
    """Rewrite the links of a page of the project for the site; both are named from the root of the project."""

    def write(match: re.Match[str]) -> str:
        target = _resolve(page, match[1])
        if not (ROOT / target).is_file():
            return match[1]  # the build says that it leads nowhere
        return posixpath.relpath(site_address(target), posixpath.dirname(site_address(page)) or ".")

    return _LINK.sub(write, text)


def site_address(path: str) -> str:
    """The address of a file of the project on the site.

    >>> site_address("docs/maxmatch.md"), site_address("examples/README.md"), site_address("README.md")
    ('maxmatch.md', 'examples/README.md', 'index.md')
    """
    return "index.md" if path == "README.md" else path.removeprefix("docs/")


def _resolve(page: str, link: str) -> str:
    return posixpath.normpath(posixpath.join(posixpath.dirname(page), link))
