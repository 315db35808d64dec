"""What happens to every request before a handler sees it: limits, and refusals of what no handler is to see."""

from __future__ import annotations

import logging
from ipaddress import IPv6Address
from typing import TYPE_CHECKING

from anyio.to_thread import current_default_thread_limiter
from starlette.responses import PlainTextResponse

from errata.server.answers import SentAnswer, secure_headers
from errata.server.bodies import STATE, LimitedBody
from errata.server.failure_logs import describe_failure

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

    from errata.server.attempts import Attempts
    from errata.server.settings import ServerSettings

LOGIN = "/login"
_THREADS = 16
"""Handlers that run at a time: as many as PostgreSQL gives connections; each has memory of its own, also for what SQLite keeps."""
_HOST_BITS = 64
_log = logging.getLogger("uvicorn.error")


class Guard:
    """An ASGI application around another."""

    def __init__(self, app: ASGIApp, settings: ServerSettings, attempts: Attempts) -> None:
        self._app, self._settings, self._attempts = app, settings, attempts
        self._headers = secure_headers(is_https=settings.is_https)
        self._has_threads = False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        if not self._has_threads:  # needs a running event loop
            current_default_thread_limiter().total_tokens = _THREADS
            self._has_threads = True
        body = LimitedBody(receive, _declared(scope), self._settings.header_seconds, self._settings.body_seconds)
        scope[STATE] = body
        answer = SentAnswer(send, self._headers, body if _has_body(scope) else None)
        try:
            if (refused := self._refuse(scope)) is not None:
                await refused(scope, receive, answer.send)
            else:
                await self._app(scope, body, answer.send)
        except Exception as error:  # noqa: BLE001 - a handler of errors has answered and logged it, unless it failed itself
            if not answer.has_begun:
                _log.error("%s failed: %s", scope["method"], describe_failure(error))
                await PlainTextResponse("this is an error of errata or of its database\n", 500)(scope, receive, answer.send)
        await answer.finish()

    def _refuse(self, scope: Scope) -> PlainTextResponse | None:
        """Refuse a request that cannot be meant for this server, or comes too often."""
        host = next((value.decode("latin-1") for name, value in scope["headers"] if name == b"host"), None)
        if host is not None and not self._settings.allows_host(host):
            return PlainTextResponse("this server has another name\n", 421)
        if not scope["path"].isprintable() or b"%00" in scope["query_string"]:
            return PlainTextResponse("the address has characters that no address here has\n", 400)
        if scope["method"] == "POST" and scope["path"] == LOGIN and not self._attempts.take(address_of(scope)):
            return too_many_attempts()
        return None


def too_many_attempts() -> PlainTextResponse:
    """Make the answer to too many attempts to log in."""
    return PlainTextResponse("too many attempts to log in; wait a minute\n", 429, {"Retry-After": "60"})


def address_of(scope: Scope) -> str:
    """The address of a client; of version 6 its network, because everybody has a whole one.

    >>> [address_of({"client": (host, 1)}) for host in ("192.0.2.7", "2001:db8:1:2:3::4", "::ffff:192.0.2.7", "testclient")]
    ['192.0.2.7', '2001:db8:1:2::', '192.0.2.7', 'testclient']
    """
    client = scope.get("client")
    if not client or ":" not in client[0]:
        return client[0] if client else "unknown"
    try:
        found = IPv6Address(client[0])
    except ValueError:
        return str(client[0])
    return str(found.ipv4_mapped or IPv6Address(int(found) >> _HOST_BITS << _HOST_BITS))


def _declared(scope: Scope) -> int | None:
    value = next((value for name, value in scope["headers"] if name == b"content-length"), b"")
    return int(value) if value.isdigit() else None


def _has_body(scope: Scope) -> bool:
    """Whether a request announces a body."""
    return any(name in {b"content-length", b"transfer-encoding"} and value not in {b"", b"0"} for name, value in scope["headers"])
