"""Which forms are taken: those of this site, in UTF-8."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from starlette.exceptions import HTTPException

if TYPE_CHECKING:
    from starlette.requests import Request

    from errata.server.settings import ServerSettings


def require_same_origin(settings: ServerSettings, request: Request) -> None:
    """Refuse forms of other sites, before anything is looked up."""
    origin, fetched = request.headers.get("origin"), request.headers.get("sec-fetch-site", "same-origin")
    own = settings.public_url.rstrip("/") or f"{request.scope['scheme']}://{request.headers.get('host', '')}"
    if (origin is not None and _site_of(origin) != _site_of(own)) or fetched not in {"same-origin", "none"}:
        raise HTTPException(403, "forms of other sites are refused")


def _site_of(url: str) -> tuple[str, str] | None:
    try:
        parts = urlsplit(url)
    except ValueError:
        return None
    return parts.scheme, parts.netloc.lower()


def require_utf8(request: Request) -> None:
    """Refuse a form that says it is not in UTF-8: others could be decoded to what is no text, or take long."""
    kind = request.headers.get("content-type", "").lower()
    if "charset" in kind and (kind.count("charset") > 1 or not re.search(r';\s*charset=("utf-8"|utf-8)\s*(;|$)', kind)):
        raise HTTPException(415, "forms must be in UTF-8")
