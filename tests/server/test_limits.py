"""What is too large or too slow is refused in bounded memory, while others are served."""

from __future__ import annotations

import gzip
import select
import socket
import threading
import time
import zlib
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import pytest

from errata.event.event import create_event

from bystanders import watch
from example_events import DEFINITION, GOLD, OUTPUTS, ExampleEvent, SetClock
from served_event import SOAK, ServedEvent, serve_event

pytestmark = pytest.mark.slow
_TIMES = 40
"""So often the example corpus is repeated, to about 1,000 sentences."""
_MEGABYTE = 1 << 20
_HEADER_SECONDS, _BODY_SECONDS, _REQUEST_SECONDS = 2.0, 4.0, 6.0
_CONNECTIONS = 300
_UPLOAD = "/api/phases/dev/submissions"


@dataclass(frozen=True)
class Target:
    """A server, with one who attacks it and another who uses it."""

    server: ServedEvent
    attacker: str
    other: str
    output: bytes

    def head(self, *headers: str, path: str = _UPLOAD) -> bytes:
        """The head of an upload."""
        lines = [f"POST {path} HTTP/1.1", "Host: localhost", f"Authorization: Bearer {self.attacker}", *headers]
        return "".join(f"{line}\r\n" for line in [*lines, ""]).encode()


@pytest.fixture(scope="module")
def target(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Target]:
    folder = tmp_path_factory.mktemp("limits")
    (folder / "gold.m2").write_bytes(GOLD * _TIMES)
    unlimited = DEFINITION.replace("per_day = 10\n", "").replace("per_phase = 5\n", "")
    (folder / "event.toml").write_text(unlimited, "utf-8")
    clock = SetClock()
    made, token = create_event(str(folder / "data"), str(folder / "event.toml"), None, clock)
    example = ExampleEvent(made, clock, folder, None, token)
    attacker, other = (example.add_with_token(name)[1] for name in ("Attacker", "Other"))
    limits = {
        "header_seconds": _HEADER_SECONDS,
        "body_seconds": _BODY_SECONDS,
        "request_seconds": _REQUEST_SECONDS,
        "max_connections": _CONNECTIONS,
    }
    with serve_event(example.data, None, clock.now, **limits) as server:
        yield Target(server, attacker, other, OUTPUTS["eager"] * _TIMES)
        assert server.log == ""
    made.close()


def make_bomb(size: int) -> bytes:
    """The beginning of a gzip file with so many zeros, made of one block again and again."""
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    start = packer.compress(bytes(_MEGABYTE)) + packer.flush(zlib.Z_FULL_FLUSH)
    block = packer.compress(bytes(_MEGABYTE)) + packer.flush(zlib.Z_FULL_FLUSH)
    return start + block * (size // _MEGABYTE - 1)


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


def test_decompression_bombs(target: Target) -> None:
    size = (10 << 30) if SOAK else (1 << 30)
    bomb = make_bomb(size)
    assert len(bomb) < size / 900

    def bomb_of_zeros() -> int:
        head = target.head("Content-Encoding: gzip", f"Content-Length: {len(bomb)}")
        with target.server.connect() as connection:
            return status(pour(connection, iter([head, *(bomb[start : start + 65536] for start in range(0, len(bomb), 65536))])))

    seen, said = attack(target, 8, bomb_of_zeros)
    print(said)
    assert seen == [413] * 8


def test_compressed_within_compressed(target: Target) -> None:
    client = target.server.client(target.attacker)
    twice = client.submit("dev", gzip.compress(target.output), compress=True)
    as_file = client.submit("dev", gzip.compress(target.output))
    inner_bomb = client.submit("dev", make_bomb(1 << 28))
    assert [answer.status for answer in (twice, as_file, inner_bomb)] == [422, 422, 422]
    assert "compressed" in as_file.text
    assert client.submit("dev", target.output, compress=True).status in {200, 201}


@pytest.mark.parametrize("encoding", ["br", "gzip, gzip", "deflate", "x" * 1000])
def test_other_encodings(target: Target, encoding: str) -> None:
    headers = {"Content-Encoding": encoding}
    assert target.server.client(target.attacker).ask("POST", _UPLOAD, target.output, headers).status == 415


def test_damaged_gzip(target: Target) -> None:
    packed = gzip.compress(target.output)
    client = target.server.client(target.attacker)
    for content in (packed[:-9], packed[:20], b"no gzip", packed + b"more", packed + packed, b""):
        answer = client.ask("POST", _UPLOAD, content, {"Content-Encoding": "gzip"})
        assert answer.status == 400, content[:10]


def test_endless_bodies(target: Target) -> None:
    chunk = b"10000\r\n" + b"a b c d\n" * 8192 + b"\r\n"

    def endless_body() -> int:
        with target.server.connect() as connection:
            pieces = (chunk if index else target.head("Transfer-Encoding: chunked") for index in range(10_000))
            return status(pour(connection, pieces))

    seen, said = attack(target, 40 if SOAK else 10, endless_body)
    print(said)
    assert 413 in seen
    assert set(seen) <= {0, 413}  # who goes on sending after it was refused may miss the answer


def test_tiny_chunks(target: Target) -> None:
    tiny = b"1\r\na\r\n" * 2000
    upload, login = target.head("Transfer-Encoding: chunked"), target.head("Transfer-Encoding: chunked", path="/login")
    stranger = upload.replace(target.attacker.encode(), b"nobody")
    heads = iter([upload, login, stranger] * (20 if SOAK else 4))

    def tiny_chunks() -> int:
        head = next(heads)
        with target.server.connect() as connection:
            return status(pour(connection, (tiny if index else head for index in range(300)), 20))

    seen, said = attack(target, 60 if SOAK else 12, tiny_chunks)
    print(said)
    assert set(seen) <= {0, 400, 401, 429}
    by_line = b"".join(b"%x\r\n%s\n\r\n" % (len(line) + 1, line) for line in target.output.splitlines()) + b"0\r\n\r\n"
    answer = target.server.send(target.head("Transfer-Encoding: chunked", "Connection: close") + by_line)
    assert status(answer) in {200, 201}  # one chunk for each line is no attack


def test_a_declared_terabyte(target: Target) -> None:
    def terabyte() -> int:
        with target.server.connect() as connection:
            pieces = (bytes(65536) if index else target.head(f"Content-Length: {10**12}") for index in range(10_000))
            return status(pour(connection, pieces))

    seen, said = attack(target, 40 if SOAK else 10, terabyte)
    print(said)
    assert 413 in seen
    assert set(seen) <= {0, 413}


def test_strangers_are_refused_before_their_body_is_read(target: Target) -> None:
    head = f"POST {_UPLOAD} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100000000\r\n\r\n".encode()
    started = time.monotonic()
    with target.server.connect() as connection:
        connection.sendall(head)
        connection.settimeout(10)
        assert status(connection.recv(4096)) == 401
    assert time.monotonic() - started < 5


def test_many_uploads_of_the_largest_size(target: Target) -> None:
    largest = 16 * sum(len(line) - 1 for line in (GOLD * _TIMES).splitlines() if line.startswith(b"S "))
    contents = iter([b"\n" * largest, b"a " * (largest // 2), b"\xff\n" * (largest // 2)] * 4)

    def large_upload() -> int:
        return target.server.client(target.attacker).submit("test", next(contents)).status

    seen, said = attack(target, 12, large_upload)
    print(said)
    assert set(seen) == {422}


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
    assert max(taken) < _BODY_SECONDS + 10


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
        time.sleep(_REQUEST_SECONDS + 1)
    print(watched.describe(f"{count} clients that never read"))
    watched.check()
    for connection in connections:
        connection.settimeout(5)
        with connection, suppress(ConnectionResetError):
            while connection.recv(1 << 20):  # ends with what the kernel had taken, because the server has gone away
                pass


def test_idle_connections_make_room(target: Target) -> None:
    with watch(target.server, target.other, "dev", target.output) as watched:
        idle = [target.server.connect() for _ in range(3 * _CONNECTIONS)]
        time.sleep(_HEADER_SECONDS)
        for connection in idle:
            connection.close()
    print(watched.describe(f"{3 * _CONNECTIONS} idle connections"))
    watched.check()


def test_the_files_of_bodies_are_gone(target: Target) -> None:
    open_files = list(Path(f"/proc/{target.server.process.pid}/fd").iterdir())
    assert len(open_files) < 100
