"""What happens to every request before a handler sees it, and to every answer before it is sent: limits and security headers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.datastructures import MutableHeaders
from starlette.responses import PlainTextResponse

from errata.server.bodies import STATE, LimitedBody

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from errata.server.attempts import Attempts
    from errata.server.settings import ServerSettings

POLICY = (
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; "
    "form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
)
"""What pages may load: only what the server itself has."""
REPORT_POLICY = "sandbox allow-scripts allow-downloads allow-popups; frame-ancestors 'none'"
"""Report pages have a policy of their own inside; here they lose the origin of the server, so their script cannot act for its reader."""
_HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",  # without a referrer, browsers do not say which site a form comes from
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}
_HTTPS_ONLY = "max-age=31536000"
LOGIN = "/login"


class Guard:
    """An ASGI application around another."""

    def __init__(self, app: ASGIApp, settings: ServerSettings, attempts: Attempts) -> None:
        self._app, self._settings, self._attempts = app, settings, attempts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        has_ended = False

        async def send_with_headers(message: Message) -> None:
            nonlocal has_ended
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in _HEADERS.items():
                    headers.setdefault(name, value)
                headers.setdefault("Content-Security-Policy", POLICY)
                headers.setdefault("Cache-Control", "no-store")
                if self._settings.is_https:
                    headers.setdefault("Strict-Transport-Security", _HTTPS_ONLY)
                if not body.is_complete and _has_body(scope):
                    headers["Connection"] = "close"  # nobody reads the rest of the request
            elif not message.get("more_body", False):
                has_ended = True
            await send(message)

        body = LimitedBody(receive, _declared(scope), self._settings.body_seconds)
        scope[STATE] = body
        if scope["method"] == "POST" and scope["path"] == LOGIN and not self._attempts.take(address_of(scope)):
            await too_many_attempts()(scope, receive, send_with_headers)
        else:
            await self._app(scope, body, send_with_headers)
        if has_ended and not body.is_complete and _has_body(scope):
            await body.drain()


def too_many_attempts() -> PlainTextResponse:
    """Make the answer to too many attempts to log in."""
    return PlainTextResponse("too many attempts to log in; wait a minute\n", 429, {"Retry-After": "60"})


def address_of(scope: Scope) -> str:
    """The address of a client."""
    client = scope.get("client")
    return client[0] if client else "unknown"


def _declared(scope: Scope) -> int | None:
    value = next((value for name, value in scope["headers"] if name == b"content-length"), b"")
    return int(value) if value.isdigit() else None


def _has_body(scope: Scope) -> bool:
    """Whether a request announces a body."""
    return any(name in {b"content-length", b"transfer-encoding"} and value not in {b"", b"0"} for name, value in scope["headers"])
