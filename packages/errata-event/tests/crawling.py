"""Asks a server for everything that it might have: all links from where somebody starts, and all addresses with all names that exist."""

from __future__ import annotations

import html
import itertools
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from urllib.parse import quote, urljoin, urlsplit

from served_event import Answer, Client

_LINK = re.compile(r'\b(?:href|src|action|formaction)="([^"]*)"')
_PARAMETER = re.compile(r"{(\w+)}")
_MOST_PAGES = 3000


def fill_addresses(patterns: Iterable[str], known: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """Fill the parameters of addresses with every known value; one of a name that is not known with all values of all names."""
    everything = sorted({value for values in known.values() for value in values})
    for pattern in patterns:
        names = _PARAMETER.findall(pattern)
        for values in itertools.product(*(known.get(name, everything) for name in names)):
            filled = dict(zip(names, values, strict=True))
            yield _PARAMETER.sub(lambda match, filled=filled: quote(filled[match[1]], safe=""), pattern)  # type: ignore[misc]


def find_links(page: str, answer: Answer) -> set[str]:
    """Find all addresses of this server in a page and its headers."""
    found = [answer.headers["Location"]] if "Location" in answer.headers else []
    if answer.headers.get("Content-Type", "").startswith("text/html"):
        found += [html.unescape(link) for link in _LINK.findall(answer.body.decode("utf-8", "replace"))]
    parts = [urlsplit(urljoin(f"http://server{page}", link)) for link in found]
    return {f"{part.path}?{part.query}" if part.query else part.path for part in parts if part.scheme == "http" and part.netloc == "server"}


def crawl(client: Client, starts: Iterable[str]) -> dict[str, Answer]:
    """Ask for all addresses, and for all that they link to; return all answers by address."""
    waiting = list(dict.fromkeys(starts))
    answers: dict[str, Answer] = {}
    while waiting:
        address = waiting.pop()
        if address in answers:
            continue
        answers[address] = client.get(address)
        waiting += sorted(find_links(address.partition("?")[0], answers[address]) - answers.keys())
        if len(answers) > _MOST_PAGES:
            raise AssertionError(f"more than {_MOST_PAGES:,} addresses, the last is {address}")
    return answers
