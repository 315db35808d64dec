"""Connections that give up on clients that are too slow; uvicorn itself waits for the head of a request forever."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from uvicorn.protocols.http.h11_impl import H11Protocol

if TYPE_CHECKING:
    import asyncio

    from errata.server.settings import ServerSettings


def make_protocol(settings: ServerSettings) -> type[asyncio.Protocol]:
    """Make the class of connections with these limits."""

    class PatientProtocol(H11Protocol):
        """A connection that is closed if the head of a request or its answer takes too long."""

        def __init__(self, *given: Any, **named: Any) -> None:
            super().__init__(*given, **named)
            self._head_timer: asyncio.TimerHandle | None = None
            self._request_timer: asyncio.TimerHandle | None = None

        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
            super().connection_made(transport)
            self._head_timer = self.loop.call_later(settings.header_seconds, self.transport.abort)

        def connection_lost(self, exc: Exception | None) -> None:
            super().connection_lost(exc)
            self._stop_timers()

        def handle_events(self) -> None:
            super().handle_events()
            is_answering = self.cycle is not None and not self.cycle.response_complete
            if is_answering and self._request_timer is None:
                self._stop_timers()
                self._request_timer = self.loop.call_later(settings.request_seconds, self.transport.abort)
            elif not is_answering and self._head_timer is None:
                self._stop_timers()
                self._head_timer = self.loop.call_later(settings.header_seconds, self.transport.abort)

        def on_response_complete(self) -> None:
            self._stop_timers()
            super().on_response_complete()

        def _stop_timers(self) -> None:
            for timer in (self._head_timer, self._request_timer):
                if timer is not None:
                    timer.cancel()
            self._head_timer = self._request_timer = None

    return PatientProtocol
