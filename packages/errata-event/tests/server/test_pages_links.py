"""Every link of every page leads somewhere, for every role."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from urllib.parse import urljoin

import pytest

from errata_event.instants import parse_instant

from pages_event import PagesEvent, make_pages_event
from served_event import ServedEvent, serve_event

HOMES = {"": "/", "Alpha": "/team", "Judge": "/judging", "organiser": "/organiser"}
FOR_OTHERS = {"/team"}
"""Public pages say how to submit to everybody, whoever reads them."""


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> PagesEvent:
    return make_pages_event(tmp_path_factory.mktemp("event"))


@pytest.fixture(scope="module")
def server(pages: PagesEvent) -> Iterator[ServedEvent]:
    with serve_event(pages.made.data, now=parse_instant("2027-03-21 12:00 UTC")) as served:
        yield served


@pytest.mark.parametrize("name", HOMES)
def test_links_lead_to_pages(pages: PagesEvent, server: ServedEvent, name: str) -> None:
    client = server.browser(pages.tokens[name]) if name else server.client()
    seen: set[str] = set()
    waiting = ["/", HOMES[name]]
    broken: dict[str, int] = {}
    while waiting:
        path = waiting.pop()
        if path in seen:
            continue
        seen.add(path)
        answer = client.get(path)
        if answer.status not in {200, 303} and not (answer.status == 403 and path in FOR_OTHERS):
            broken[path] = answer.status
        if answer.headers.get_content_type() != "text/html" or path.endswith("/report"):
            continue
        text = answer.text
        links = [html.unescape(link) for link in re.findall(r'href="([^"]*)"', text)]
        ids = set(re.findall(r'id="([^"]+)"', text))
        assert len(ids) == text.count(' id="'), path  # none twice
        assert not [link for link in links if link.startswith("#") and link[1:] not in ids], path
        waiting += [urljoin(path, link).partition("#")[0] for link in links if not link.startswith(("http", "#"))]
    assert broken == {}
    assert len(seen) > 30 or name == "Judge"
    assert server.log == ""
