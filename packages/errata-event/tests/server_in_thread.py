"""A server in a thread of the test, so that the test can stop what the server does at a certain place."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import uvicorn

from errata_event.event import Event
from errata_event.server.app import _make_app
from errata_event.server.connections import make_protocol
from errata_event.server.settings import ServerSettings

from served_event import Client

_HOST = "127.0.0.1"


class ThreadServer:
    """The server, and clients of it."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._clients: list[Client] = []

    def client(self, token: str = "") -> Client:
        """Make a client."""
        client = Client(_HOST, self._port, token)
        self._clients.append(client)
        return client

    def close_clients(self) -> None:
        """Close the connections of all clients."""
        for client in self._clients:
            client.close()


@contextmanager
def serve_in_thread(event: Event, **settings: Any) -> Iterator[ThreadServer]:
    """Serve an event while a test runs."""
    chosen = ServerSettings(**settings)
    config = uvicorn.Config(
        _make_app(event, chosen), http=make_protocol(chosen), ws="none", lifespan="off", log_level="critical", access_log=False
    )
    with socket.socket() as listening:
        listening.bind((_HOST, 0))
        listening.listen()
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
        thread.start()
        while not server.started:
            time.sleep(0.01)
        served = ThreadServer(listening.getsockname()[1])
        try:
            yield served
        finally:
            served.close_clients()
            server.should_exit = True
            thread.join(30)
