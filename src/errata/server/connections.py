"""Connections that give up on clients that are too slow, and make room for others; uvicorn itself waits for the head of a request forever."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from starlette.responses import PlainTextResponse
from uvicorn.protocols.http.h11_impl import H11Protocol

from errata.server.answers import PIECE, secure_headers

if TYPE_CHECKING:
    import asyncio

    from starlette.types import Receive, Scope, Send

    from errata.server.settings import ServerSettings

_SPARE = 50
"""So many connections before the limit, those that wait for their client are closed, the longest waiting first."""


def make_protocol(settings: ServerSettings) -> type[asyncio.Protocol]:
    """Make the class of connections with these limits."""
    headers = secure_headers(is_https=settings.is_https)
    waiting: dict[PatientProtocol, None] = {}

    async def tell_busy(scope: Scope, receive: Receive, send: Send) -> None:
        answer = PlainTextResponse("the server is busy; try again soon\n", 503, {**headers, "Retry-After": "5", "Connection": "close"})
        await answer(scope, receive, send)

    class PatientProtocol(H11Protocol):
        """A connection that is closed if the head of a request or its answer takes too long."""

        def __init__(self, *given: Any, **named: Any) -> None:
            super().__init__(*given, **named)
            self._head_timer: asyncio.TimerHandle | None = None
            self._request_timer: asyncio.TimerHandle | None = None
            self._own_app = self.app

        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
            super().connection_made(transport)
            transport.set_write_buffer_limits(high=PIECE)
            transport.max_size = PIECE  # type: ignore[attr-defined]  # what is read at once
            self._wait_for_client()
            self._head_timer = self.loop.call_later(settings.header_seconds, self.transport.abort)
            if len(self.connections) > settings.max_connections - _SPARE:
                longest = next(iter(waiting))
                longest._stop_waiting()
                longest.transport.abort()

        def connection_lost(self, exc: Exception | None) -> None:
            super().connection_lost(exc)
            self._stop_timers()
            self._stop_waiting()

        def data_received(self, data: bytes) -> None:
            self.app = tell_busy if len(self.connections) >= settings.max_connections else self._own_app
            super().data_received(data)

        def handle_events(self) -> None:
            super().handle_events()
            is_answering = self.cycle is not None and not self.cycle.response_complete
            if is_answering and self._request_timer is None:
                self._stop_timers()
                self._stop_waiting()
                self._request_timer = self.loop.call_later(settings.request_seconds, self.transport.abort)
            elif not is_answering and self._head_timer is None:
                self._stop_timers()
                self._wait_for_client()
                self._head_timer = self.loop.call_later(settings.header_seconds, self.transport.abort)

        def on_response_complete(self) -> None:
            self._stop_timers()
            self._wait_for_client()
            super().on_response_complete()

        def pause_writing(self) -> None:
            self._wait_for_client()
            super().pause_writing()

        def resume_writing(self) -> None:
            if self._request_timer is not None:
                self._stop_waiting()
            super().resume_writing()

        def send_400_response(self, msg: str) -> None:
            text = msg.encode("ascii")
            lines = [f"{name}: {value}".encode() for name, value in headers.items()]
            kind = b"Content-Type: text/plain; charset=utf-8"
            head = [b"HTTP/1.1 400 Bad Request", kind, b"Content-Length: %d" % len(text), b"Connection: close", *lines]
            self.transport.write(b"\r\n".join([*head, b"", text]))
            self.transport.close()

        def _wait_for_client(self) -> None:
            waiting[self] = None

        def _stop_waiting(self) -> None:
            waiting.pop(self, None)

        def _stop_timers(self) -> None:
            for timer in (self._head_timer, self._request_timer):
                if timer is not None:
                    timer.cancel()
            self._head_timer = self._request_timer = None

    return PatientProtocol
