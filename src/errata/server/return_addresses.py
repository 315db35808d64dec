"""Where a browser goes after the log-in: back to the page that needed it, which is always a page of this server."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import urlencode, urlsplit

from errata.server.guard import LOGIN
from errata.server.rendering import home_of

if TYPE_CHECKING:
    from starlette.requests import Request

    from errata.event.accounts import Account

FIELD = "next"
"""The field of the form, and of the address, that has the page."""
_LOCAL = re.compile(r"/(?:[A-Za-z0-9._~-]+(?:/[A-Za-z0-9._~-]+)*/?)?(?:\?[A-Za-z0-9._~=&-]*)?")
_LONGEST = 500


def log_in_address(request: Request) -> str:
    """The address of the log-in for one who must log in first."""
    back = find_return(_page_of(request))
    return f"{LOGIN}?{urlencode({FIELD: back})}" if back else LOGIN


def find_return(path: str) -> str:
    """Return a path that leads to a page of this server; nothing if it might lead elsewhere.

    >>> find_return("/team/submissions/a-1?page=2"), find_return("//example.org/"), find_return("https://example.org")
    ('/team/submissions/a-1?page=2', '', '')
    """
    return path if len(path) <= _LONGEST and _LOCAL.fullmatch(path) else ""


def find_home(account: Account, back: str) -> str:
    """Where somebody goes after logging in: back to a page of their own, or to the first."""
    home = home_of(account)
    return back if urlsplit(back).path.startswith(f"{home}/") else home


def _page_of(request: Request) -> str:
    """The page that was asked for, or that had the form."""
    if request.method != "POST":
        return f"{request.url.path}?{request.url.query}" if request.url.query else request.url.path
    referrer = urlsplit(request.headers.get("referer", ""))
    return referrer.path if referrer.netloc == request.headers.get("host", "") else ""
