"""Connections that give up on clients that are too slow, and free theirs for others.

uvicorn itself waits for the head of a request forever.
"""

from __future__ import annotations

import socket
from typing import TYPE_CHECKING, Any

import h11
from starlette.responses import PlainTextResponse
from uvicorn.protocols.http.h11_impl import H11Protocol

from errata_event.server.requests import PIECE, secure_headers

if TYPE_CHECKING:
    import asyncio

    from starlette.types import Receive, Scope, Send

    from errata_event.server.settings import ServerSettings

_SPARE = 50
"""So many connections before the limit, those that wait for their client are closed, the longest waiting first."""


_FREE_PIECES, _PIECE_BYTES = 200, 64
"""A body may have so many pieces of any size, and one more for so many bytes."""


class _Connections:
    """What all connections of a server share."""

    def __init__(self, settings: ServerSettings) -> None:
        self.settings = settings
        self.headers = secure_headers(is_https=settings.is_https)
        self._open: set[_TimedProtocol] = set()
        self._waiting: dict[_TimedProtocol, None] = {}

    @property
    def is_full(self) -> bool:
        return len(self._open) > self.settings.max_connections

    def add(self, connection: _TimedProtocol) -> None:
        """Add a connection; close the one that has waited longest for its client, if there are nearly too many."""
        if len(self._open) >= self.settings.max_connections - _SPARE and self._waiting:
            longest = next(iter(self._waiting))
            self.remove(longest)
            longest.transport.abort()
        self._open.add(connection)
        self.wait(connection)

    def remove(self, connection: _TimedProtocol) -> None:
        self._open.discard(connection)
        self._waiting.pop(connection, None)

    def wait(self, connection: _TimedProtocol) -> None:
        """Note that a connection waits for its client."""
        if connection in self._open:
            self._waiting[connection] = None

    def work(self, connection: _TimedProtocol) -> None:
        """Note that it does not."""
        self._waiting.pop(connection, None)

    async def tell_busy(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request that is one too many."""
        added = {**self.headers, "Retry-After": "5", "Connection": "close"}
        await PlainTextResponse("the server is busy; try again soon\n", 503, added)(scope, receive, send)


class _BoundedPieces(h11.Connection):
    """Parses HTTP, and refuses a body in tiny pieces: each takes as long as a large one, so few clients could keep the server busy."""

    def __init__(self, role: type[h11.SERVER]) -> None:
        super().__init__(role)
        self._pieces = self._bytes = 0

    def next_event(self) -> Any:
        event = super().next_event()
        if isinstance(event, h11.Data):
            self._pieces += 1
            self._bytes += len(event.data)
            if self._pieces > _FREE_PIECES + self._bytes // _PIECE_BYTES:
                raise h11.RemoteProtocolError("the body comes in pieces that are too small")
        elif isinstance(event, h11.Request):
            self._pieces = self._bytes = 0
        return event


class _TimedProtocol(H11Protocol):
    """A connection that is closed if the head of a request or its answer takes too long."""

    def __init__(self, shared: _Connections, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self._shared = shared
        self._head_timer: asyncio.TimerHandle | None = None
        self._request_timer: asyncio.TimerHandle | None = None
        self._own_app = self.app
        self.conn = _BoundedPieces(h11.SERVER)

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        transport.set_write_buffer_limits(high=PIECE)
        transport.max_size = PIECE  # type: ignore[attr-defined]  # what is read at once
        # asyncio does this only for sockets that say their protocol, which those of socket.create_server do not.
        transport.get_extra_info("socket").setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._shared.add(self)
        self._wait_for_head()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._stop_timers()
        self._shared.remove(self)

    def data_received(self, data: bytes) -> None:
        """Take what has arrived; answer that there are too many if there are."""
        self.app = self._shared.tell_busy if self._shared.is_full else self._own_app
        super().data_received(data)

    def handle_events(self) -> None:
        super().handle_events()
        is_answering = self.cycle is not None and not self.cycle.response_complete
        if is_answering and self._request_timer is None:
            self._stop_timers()
            self._shared.work(self)
            self._request_timer = self.loop.call_later(self._shared.settings.request_seconds, self.transport.abort)
        elif not is_answering and self._head_timer is None:
            self._stop_timers()
            self._wait_for_head()

    def on_response_complete(self) -> None:
        self._stop_timers()
        self._shared.wait(self)
        super().on_response_complete()

    def pause_writing(self) -> None:
        self._shared.wait(self)
        super().pause_writing()

    def resume_writing(self) -> None:
        if self._request_timer is not None:
            self._shared.work(self)
        super().resume_writing()

    def send_400_response(self, msg: str) -> None:
        """Answer what is no HTTP."""
        if self.cycle is not None and self.cycle.response_started and not self.cycle.response_complete:
            self.transport.abort()  # the answer to what came before is on its way
            return
        text = msg.encode("ascii")
        lines = [f"{name}: {value}".encode() for name, value in self._shared.headers.items()]
        kind = b"Content-Type: text/plain; charset=utf-8"
        head = [b"HTTP/1.1 400 Bad Request", kind, b"Content-Length: %d" % len(text), b"Connection: close", *lines]
        self.transport.write(b"\r\n".join([*head, b"", text]))
        self.transport.close()

    def _wait_for_head(self) -> None:
        self._shared.wait(self)
        self._head_timer = self.loop.call_later(self._shared.settings.header_seconds, self.transport.abort)

    def _stop_timers(self) -> None:
        for timer in (self._head_timer, self._request_timer):
            if timer is not None:
                timer.cancel()
        self._head_timer = self._request_timer = None


def make_protocol(settings: ServerSettings) -> type[asyncio.Protocol]:
    """Make the class of connections with these limits."""
    shared = _Connections(settings)

    class Connection(_TimedProtocol):
        """A connection of this server."""

        def __init__(self, *given: Any, **named: Any) -> None:
            super().__init__(shared, *given, **named)

    return Connection
