"""How answers leave: with security headers, and large ones from disk, so that a client that does not read costs little memory."""

from __future__ import annotations

import asyncio
from tempfile import TemporaryFile
from typing import IO, TYPE_CHECKING

from starlette.datastructures import MutableHeaders

if TYPE_CHECKING:
    from starlette.types import Message, Send

    from errata.server.bodies import LimitedBody

POLICY = (
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; "
    "form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
)
"""What pages may load: only what the server itself has."""
REPORT_POLICY = "sandbox allow-scripts allow-downloads; frame-ancestors 'none'"
"""Report pages have a policy of their own inside; here they lose the origin of the server, so their script cannot act for its reader."""
_HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",  # without a referrer, browsers do not say which site a form comes from
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Content-Security-Policy": POLICY,
    "Cache-Control": "no-store",
}
_HTTPS_ONLY = "max-age=31536000"
_READ_SECONDS = 0.01
PIECE = 1 << 14
"""Bytes that are sent at once; what is larger waits on disk."""


def secure_headers(*, is_https: bool) -> dict[str, str]:
    """Make the headers of every answer that does not set them itself."""
    return {**_HEADERS, "Strict-Transport-Security": _HTTPS_ONLY} if is_https else _HEADERS


class SentAnswer:
    """Sends one answer.  ``body`` is that of the request, if it has one: the rest is read before the answer ends."""

    def __init__(self, send: Send, headers: dict[str, str], body: LimitedBody | None) -> None:
        self._send, self._headers, self._body = send, headers, body
        self._waiting: IO[bytes] | None = None
        self._left = 0
        self.has_begun = False

    async def send(self, message: Message) -> None:
        """Send a message; the one with a large body is kept until :meth:`finish`, when whoever made it has let go of it."""
        if message["type"] == "http.response.start":
            self.has_begun = True
            headers = MutableHeaders(scope=message)
            for name, value in self._headers.items():
                headers.setdefault(name, value)
            if self._is_unread() and self._body is not None:
                await self._body.drain(_READ_SECONDS)  # what is here already
            if self._is_unread():
                headers["Connection"] = "close"  # nobody reads the rest of the request
            await self._send(message)
        elif message.get("more_body", False):  # it comes in pieces already
            await self._send(message)
        elif len(message.get("body", b"")) <= PIECE:
            await self._send_last(message.get("body", b""))
        else:
            self._waiting = TemporaryFile()  # noqa: SIM115 - closed by finish
            self._left = self._waiting.write(message["body"])
            self._waiting.seek(0)

    async def finish(self) -> None:
        """Send what waits on disk."""
        if self._waiting is None:
            return
        with self._waiting as file:
            while self._left > PIECE:
                self._left -= PIECE
                await self._send({"type": "http.response.body", "body": file.read(PIECE), "more_body": True})
                await asyncio.sleep(0)  # so that a connection that was lost is known to be
            await self._send_last(file.read(PIECE))

    async def _send_last(self, piece: bytes) -> None:
        if self._is_unread() and self._body is not None:
            # A connection that is closed before all has arrived is reset, and the client may never see the answer.
            await self._send({"type": "http.response.body", "body": piece, "more_body": True})
            await self._body.drain()
            piece = b""
        await self._send({"type": "http.response.body", "body": piece, "more_body": False})

    def _is_unread(self) -> bool:
        return self._body is not None and not self._body.is_complete
