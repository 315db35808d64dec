"""What is too large is refused in bounded memory, while others are served."""

from __future__ import annotations

import gzip
import time
import zlib
from collections.abc import Iterator

import pytest

from attacking import TIMES, UPLOAD, Target, attack, pour, serve_target, status
from example_events import GOLD
from served_event import SOAK

pytestmark = pytest.mark.slow
_MEGABYTE = 1 << 20


@pytest.fixture(scope="module")
def target(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Target]:
    with serve_target(tmp_path_factory.mktemp("limits")) as served:
        yield served


def make_bomb(size: int) -> bytes:
    """The beginning of a gzip file with so many zeros, made of one block again and again."""
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    start = packer.compress(bytes(_MEGABYTE)) + packer.flush(zlib.Z_FULL_FLUSH)
    block = packer.compress(bytes(_MEGABYTE)) + packer.flush(zlib.Z_FULL_FLUSH)
    return start + block * (size // _MEGABYTE - 1)


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
    assert target.server.client(target.attacker).ask("POST", UPLOAD, target.output, headers).status == 415


def test_damaged_gzip(target: Target) -> None:
    packed = gzip.compress(target.output)
    client = target.server.client(target.attacker)
    for content in (packed[:-9], packed[:20], b"no gzip", packed + b"more", packed + packed, b""):
        answer = client.ask("POST", UPLOAD, content, {"Content-Encoding": "gzip"})
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


@pytest.mark.parametrize("content", [b"\n", b"a", b"a "], ids=["ten million empty lines", "one line", "one line of tokens"])
def test_ten_megabytes(target: Target, content: bytes) -> None:
    whole = (content * 10_000_000)[:10_000_000]
    target.server.client(target.other).submit("dev", target.output)  # what is prepared once is not counted
    before = target.server.reset_peak()
    answers = [target.server.client(target.attacker).submit("dev", whole, compress=compress) for compress in (False, True)]
    assert [answer.status for answer in answers] == [413, 413]
    assert target.server.peak() - before < 32 << 20


def test_strangers_are_refused_before_their_body_is_read(target: Target) -> None:
    head = f"POST {UPLOAD} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100000000\r\n\r\n".encode()
    started = time.monotonic()
    with target.server.connect() as connection:
        connection.sendall(head)
        connection.settimeout(10)
        assert status(connection.recv(4096)) == 401
    assert time.monotonic() - started < 5


def test_many_uploads_of_the_largest_size(target: Target) -> None:
    largest = 16 * sum(len(line) - 1 for line in (GOLD * TIMES).splitlines() if line.startswith(b"S "))
    contents = iter([b"\n" * largest, b"a " * (largest // 2), b"\xff\n" * (largest // 2)] * 4)

    def large_upload() -> int:
        return target.server.client(target.attacker).submit("test", next(contents)).status

    seen, said = attack(target, 12, large_upload)
    print(said)
    assert set(seen) == {422}
