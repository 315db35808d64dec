"""What went wrong, in words, for people and for programs."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.responses import JSONResponse, PlainTextResponse

from errata.errors import ErrataError, RequestError, UsageError
from errata.event.board_making import InMakingError
from errata.event.submissions import LimitError
from errata.event.unavailability import DatabaseUnavailableError
from errata.event.uploading import ClosedError
from errata.server.failure_logs import describe_failure
from errata.server.rendering import render_text

if TYPE_CHECKING:
    from collections.abc import Callable

    from starlette.requests import Request
    from starlette.responses import Response

    from errata.server.visits import EventSite

_TITLES = {
    400: "This request cannot be understood",
    401: "Log in first",
    403: "This is not for you",
    404: "There is no such page",
    405: "This address takes another kind of request",
    408: "The request took too long",
    409: "This is not possible now",
    413: "This is too large",
    415: "This cannot be read",
    422: "This was refused",
    429: "Not now",
    500: "Something went wrong",
    503: "Not now",
}
_RETRY_SECONDS: dict[type[ErrataError], int] = {InMakingError: 5, DatabaseUnavailableError: 30}
"""After how many seconds somebody should try again."""
_log = logging.getLogger("uvicorn.error")


class NotFoundError(RequestError):
    """There is no such thing, or the viewer may not know of it: both are told alike."""


def status_of(error: ErrataError) -> int:
    """The status of an answer that tells of an error; the log says why the database cannot be used, and nobody else learns it."""
    if isinstance(error, DatabaseUnavailableError):
        _log.error("%s", error.detail)
    kinds: tuple[tuple[type[ErrataError], int], ...] = (
        (NotFoundError, 404),
        (InMakingError, 503),
        (DatabaseUnavailableError, 503),
        (LimitError, 429),
        (ClosedError, 409),
        (RequestError, 409),
        (UsageError, 400),
    )
    return next((status for kind, status in kinds if isinstance(error, kind)), 422)


def make_handlers(site: EventSite) -> dict[int | type[Exception], Callable[[Request, Exception], Response]]:
    """Make what answers exceptions."""

    def refuse(request: Request, error: Exception) -> Response:
        if isinstance(error, HTTPException):
            return _answer(site, request, error.status_code, error.detail, dict(error.headers or {}))
        seconds = next((seconds for kind, seconds in _RETRY_SECONDS.items() if isinstance(error, kind)), None)
        headers = {"Retry-After": str(seconds)} if seconds is not None else {}
        return _answer(site, request, status_of(error) if isinstance(error, ErrataError) else 500, str(error), headers)

    def fail(request: Request, error: Exception) -> Response:
        # The log has what was asked for and where it failed, and nothing that was sent.
        _log.error("%s %.200s failed: %s", request.method, ascii(request.scope["path"]), describe_failure(error))
        return _answer(site, request, 500, "this is an error of errata or of its database; the organisers' log says more", {})

    def forget(_: Request, __: Exception) -> Response:
        return PlainTextResponse("the request did not arrive completely\n", 400)  # nobody reads it

    return {HTTPException: refuse, ErrataError: refuse, ClientDisconnect: forget, Exception: fail}


def _answer(site: EventSite, request: Request, status: int, message: str, headers: dict[str, str]) -> Response:
    if request.scope["path"].startswith("/api/"):
        return JSONResponse({"error": message}, status, headers)
    try:
        definition = site.event.moment().definition
    except ErrataError:  # the database is away
        return PlainTextResponse(f"{message}\n", status, headers)
    from starlette.responses import HTMLResponse

    title = _TITLES.get(status, "This is not possible")
    return HTMLResponse(render_text("problem.html", definition, title=title, message=message, status=status), status, headers)
