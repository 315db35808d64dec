"""A server that tests attack, what attackers do, and what others get meanwhile."""

from __future__ import annotations

import select
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from errata_event.event import create_event

from bystanders import watch
from example_events import DEFINITION, GOLD, OUTPUTS, ExampleEvent, SetClock
from served_event import ServedEvent, serve_event

TIMES = 40
"""So often the example corpus is repeated, to about 1,000 sentences."""
HEADER_SECONDS, BODY_SECONDS, REQUEST_SECONDS = 2.0, 4.0, 6.0
CONNECTIONS = 300
UPLOAD = "/api/phases/dev/submissions"


@dataclass(frozen=True)
class Target:
    """A server, with one who attacks it and another who uses it."""

    server: ServedEvent
    attacker: str
    other: str
    output: bytes

    def head(self, *headers: str, path: str = UPLOAD) -> bytes:
        """The head of an upload."""
        lines = [f"POST {path} HTTP/1.1", "Host: localhost", f"Authorization: Bearer {self.attacker}", *headers]
        return "".join(f"{line}\r\n" for line in [*lines, ""]).encode()


@contextmanager
def serve_target(folder: Path) -> Iterator[Target]:
    """Serve an event of a thousand sentences without limits of uploads, by a server of little patience."""
    (folder / "gold.m2").write_bytes(GOLD * TIMES)
    unlimited = DEFINITION.replace("per_day = 10\n", "").replace("per_phase = 5\n", "")
    (folder / "event.toml").write_text(unlimited, "utf-8")
    clock = SetClock()
    made, token = create_event(str(folder / "data"), str(folder / "event.toml"), None, clock)
    example = ExampleEvent(made, clock, folder, None, token)
    attacker, other = (example.add_with_token(name)[1] for name in ("Attacker", "Other"))
    limits = {
        "header_seconds": HEADER_SECONDS,
        "body_seconds": BODY_SECONDS,
        "request_seconds": REQUEST_SECONDS,
        "max_connections": CONNECTIONS,
    }
    with serve_event(example.data, None, clock.now, **limits) as server:
        yield Target(server, attacker, other, OUTPUTS["eager"] * TIMES)
        assert server.log == ""
    made.close()


def pour(connection: socket.socket, pieces: Iterator[bytes], most: float = 60.0) -> bytes:
    """Send until the server answers or has closed; return what it answered."""
    until = time.monotonic() + most
    connection.settimeout(5)
    received = b""
    try:
        for piece in pieces:
            if time.monotonic() > until or select.select([connection], [], [], 0)[0]:
                break
            connection.sendall(piece)
        connection.settimeout(max(0.1, until - time.monotonic()))
        while piece := connection.recv(1 << 16):
            received += piece
    except OSError:
        pass
    return received


def status(answer: bytes) -> int:
    """The status of an answer; 0 if there is none."""
    return int(answer.split(b" ", 2)[1]) if answer.startswith(b"HTTP/1.1 ") else 0


def attack(target: Target, count: int, once: Callable[[], int]) -> tuple[list[int], str]:
    """Do something many times in parallel while others are served; return the answers, and a description of what was seen."""
    seen: list[int] = []
    with watch(target.server, target.other, "dev", target.output) as watched:
        threads = [threading.Thread(target=lambda: seen.append(once())) for _ in range(count)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    watched.check()
    return seen, watched.describe(once.__name__)
