"""Clients that are too slow are given up on in bounded memory, while others are served."""

from __future__ import annotations

import select
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from attacking import BODY_SECONDS, CONNECTIONS, HEADER_SECONDS, REQUEST_SECONDS, Target, serve_target
from bystanders import watch
from served_event import SOAK

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def target(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Target]:
    with serve_target(tmp_path_factory.mktemp("limits")) as served:
        yield served


def test_slow_heads_and_bodies(target: Target) -> None:
    count = 250 if SOAK else 100
    path = "/login"
    slow_bodies = f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100000\r\n\r\n".encode()

    def drip(data: Iterator[bytes]) -> float:
        started = time.monotonic()
        with target.server.connect() as connection:
            connection.settimeout(30)
            try:
                for piece in data:
                    connection.sendall(piece)
                    if select.select([connection], [], [], 0.2)[0]:
                        break
                while connection.recv(4096):
                    pass
            except OSError:
                pass
        return time.monotonic() - started

    taken: list[float] = []
    kinds: list[Callable[[], Iterator[bytes]]] = [
        lambda: iter([b"G", b"E", b"T", b" ", b"/", *[b"a"] * 1000]),
        lambda: iter([b"GET / HTTP/1.1\r\nHost: localhost\r\n", *[b"A: b\r\n"] * 1000]),
        lambda: iter([slow_bodies, *[b"a"] * 1000]),
        lambda: iter([target.head("Content-Length: 50000"), bytes(30000), *[b"a"] * 1000]),
        lambda: iter([target.head("Transfer-Encoding: chunked"), *[b"1\r\na\r\n"] * 1000]),
    ]
    with watch(target.server, target.other, "dev", target.output) as watched:
        threads = [
            threading.Thread(target=lambda kind=kind: taken.append(drip(kind()))) for kind in kinds for _ in range(count // len(kinds))
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    print(watched.describe(f"{len(taken)} slow clients"))
    watched.check()
    assert max(taken) < BODY_SECONDS + 10


def test_clients_that_never_read(target: Target) -> None:
    count = 250 if SOAK else 100
    ask = b"GET /phases/dev/gold HTTP/1.1\r\nHost: localhost\r\n\r\n"
    assert len(target.server.client().get("/phases/test/source").body) > 50_000
    assert len(target.server.browser(target.attacker).get("/phases/dev/gold").body) > 100_000
    connections = []
    with watch(target.server, target.other, "dev", target.output) as watched:
        for _ in range(count):
            connection = socket.socket()
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            connection.connect((target.server.host, target.server.port))
            connection.sendall(ask * 3)
            connections.append(connection)
        time.sleep(REQUEST_SECONDS + 1)
    print(watched.describe(f"{count} clients that never read"))
    watched.check()
    for connection in connections:
        connection.settimeout(5)
        with connection, suppress(ConnectionResetError):
            while connection.recv(1 << 20):  # ends with what the kernel had taken, because the server has gone away
                pass


def test_idle_connections_make_room(target: Target) -> None:
    with watch(target.server, target.other, "dev", target.output) as watched:
        idle = [target.server.connect() for _ in range(3 * CONNECTIONS)]
        time.sleep(HEADER_SECONDS)
        for connection in idle:
            connection.close()
    print(watched.describe(f"{3 * CONNECTIONS} idle connections"))
    watched.check()


def test_the_files_of_bodies_are_gone(target: Target) -> None:
    deadline = time.monotonic() + 30
    while list_nameless_files(target.server.process.pid) and time.monotonic() < deadline:
        time.sleep(0.2)  # the last clients may be waited for
    assert list_nameless_files(target.server.process.pid) == []


def list_nameless_files(pid: int) -> list[str]:
    """The open files of a process that have no name, as those of bodies."""
    found = []
    for file in Path(f"/proc/{pid}/fd").iterdir():
        with suppress(FileNotFoundError):  # it was closed meanwhile
            found.append(str(file.readlink()))
    return [name for name in found if name.endswith("(deleted)")]
