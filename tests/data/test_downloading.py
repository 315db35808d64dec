"""Downloads over HTTP: verified, continued, bounded."""

from __future__ import annotations

import errno
import hashlib
import os
import re
import socket
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from errata import RequestError, limit_input
from errata.formats import installing as downloading
from errata.formats.installing import _download

from served_files import Served, Server, serving

CONTENT = bytes(range(256)) * 2000


@pytest.fixture
def server() -> Iterator[Server]:
    with serving() as running:
        running.files["/file"] = Served(CONTENT)
        yield running


def checksum(content: bytes = CONTENT) -> str:
    return hashlib.sha256(content).hexdigest()


def fetch(server: Server, folder: Path, path: str = "/file", sha256: str | None = None) -> bytes:
    target = folder / "target"
    _download(server.address + path, target, checksum() if sha256 is None else sha256, lambda _: None)
    assert sorted(os.listdir(folder)) == ["target"]  # noqa: PTH208
    return target.read_bytes()


def interrupted_after(size: int) -> Callable[[int], None]:
    """Ctrl-C when so many bytes have arrived."""
    arrived = 0

    def advance(count: int) -> None:
        nonlocal arrived
        arrived += count
        if arrived >= size:
            raise KeyboardInterrupt

    return advance


def interrupt(server: Server, folder: Path, size: int = 100_000) -> int:
    """Interrupt a download; return how many bytes are kept."""
    with pytest.raises(KeyboardInterrupt):
        _download(f"{server.address}/file", folder / "target", checksum(), interrupted_after(size))
    assert not (folder / "target").exists()
    return (folder / "target.part").stat().st_size


def test_a_file_is_downloaded(server: Server, tmp_path: Path) -> None:
    arrived: list[int] = []
    _download(f"{server.address}/file", tmp_path / "target", checksum(), arrived.append)
    assert (tmp_path / "target").read_bytes() == CONTENT
    assert sum(arrived) == len(CONTENT)
    assert server.requests == [("/file", "", "")]


@pytest.mark.parametrize("cuts", [[100_000], [0, 300_000], [100_000, 1]])
def test_a_connection_that_is_cut_is_continued(server: Server, tmp_path: Path, cuts: list[int]) -> None:
    server.files["/file"].cuts = list(cuts)
    arrived: list[int] = []
    _download(f"{server.address}/file", tmp_path / "target", checksum(), arrived.append)
    assert (tmp_path / "target").read_bytes() == CONTENT
    assert sum(arrived) == len(CONTENT)
    assert len(server.requests) == len(cuts) + 1
    if cuts[0]:
        assert server.requests[1] == ("/file", "bytes=100000-", '"1"')


def test_a_connection_that_is_always_cut_is_given_up_and_continued_later(server: Server, tmp_path: Path) -> None:
    server.files["/file"].cuts = [1000, 1000, 1000]
    with pytest.raises(RequestError, match=r"the connection was cut after 3,000 of 512,000 bytes, 3 times; what has arrived is kept"):
        fetch(server, tmp_path)
    assert fetch(server, tmp_path) == CONTENT
    assert server.requests[-1] == ("/file", "bytes=3000-", '"1"')


def test_an_interrupted_download_is_continued(server: Server, tmp_path: Path) -> None:
    kept = interrupt(server, tmp_path)
    assert 0 < kept < len(CONTENT)
    assert fetch(server, tmp_path) == CONTENT
    assert server.requests[-1] == ("/file", f"bytes={kept}-", '"1"')


@pytest.mark.parametrize("change", [{"has_ranges": False}, {"tag": ""}, {"tag": 'W/"1"'}])
def test_without_ranges_or_a_way_to_compare_it_begins_anew(server: Server, tmp_path: Path, change: dict[str, Any]) -> None:
    server.files["/file"] = Served(CONTENT, **change)
    interrupt(server, tmp_path)
    assert fetch(server, tmp_path) == CONTENT


@pytest.mark.parametrize("ignores", [False, True])
def test_a_file_that_has_changed_begins_anew(server: Server, tmp_path: Path, ignores: bool) -> None:  # noqa: FBT001
    server.files["/file"] = Served(CONTENT[::-1], tag='"old"')
    interrupt(server, tmp_path)
    server.files["/file"] = Served(CONTENT, tag='"new"', ignores_if_range=ignores)
    assert fetch(server, tmp_path) == CONTENT
    assert server.requests[1][2] == '"old"'


def test_a_part_that_is_longer_than_the_file_begins_anew(server: Server, tmp_path: Path) -> None:
    interrupt(server, tmp_path)
    (tmp_path / "target.part").write_bytes(b"x" * (len(CONTENT) + 1))
    assert fetch(server, tmp_path) == CONTENT


def test_another_part_than_the_missing_one_begins_anew(server: Server, tmp_path: Path) -> None:
    interrupt(server, tmp_path)
    server.files["/file"] = Served(CONTENT, shift=7)
    assert fetch(server, tmp_path) == CONTENT


@pytest.mark.parametrize("facts", ["", "{", "[]", '{"validator": 3}', '{"validator": "a\\nb"}', "\xff"])
def test_damaged_facts_of_a_part_are_no_reason_to_fail(server: Server, tmp_path: Path, facts: str) -> None:
    (tmp_path / "target.part").write_bytes(b"something")
    (tmp_path / "target.part.json").write_text(facts, encoding="latin-1")
    assert fetch(server, tmp_path) == CONTENT


def test_a_wrong_checksum_is_refused_with_both(server: Server, tmp_path: Path) -> None:
    with pytest.raises(RequestError, match=f"expected a file with the SHA-256 {'0' * 64}, found {checksum()}; it was not kept"):
        fetch(server, tmp_path, sha256="0" * 64)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("status", "said"), [(404, "404 Not Found"), (500, "500 Internal Server Error"), (304, "304"), (204, "204")])
def test_other_answers_are_refused(server: Server, tmp_path: Path, status: int, said: str) -> None:
    server.files["/file"].status = status
    with pytest.raises(RequestError, match=f"/file: the server answered {said}"):
        fetch(server, tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_redirections_are_followed(server: Server, tmp_path: Path) -> None:
    server.files |= {"/one": Served(status=302, location="/two"), "/two": Served(status=307, location=f"{server.address}/file")}
    assert fetch(server, tmp_path, "/one") == CONTENT


def test_a_loop_of_redirections_ends(server: Server, tmp_path: Path) -> None:
    server.files |= {"/one": Served(status=302, location="/two"), "/two": Served(status=302, location="/one")}
    with pytest.raises(RequestError, match=r"more than 5 redirections"):
        fetch(server, tmp_path, "/one")
    assert len(server.requests) == 6


@pytest.mark.parametrize("location", ["file:///etc/passwd", "ftp://127.0.0.1/x", "http://192.0.2.1/x", "data:,x", "https://", "/a b"])
def test_redirections_to_elsewhere_are_not_followed(server: Server, tmp_path: Path, location: str) -> None:
    server.files["/one"] = Served(status=302, location=location)
    with pytest.raises(
        RequestError, match=r"the server redirects to an address that is not opened: .*expected an address that begins with"
    ):
        fetch(server, tmp_path, "/one")


def test_a_redirection_to_no_address(server: Server, tmp_path: Path) -> None:
    server.files["/one"] = Served(status=302, location="http://[")
    with pytest.raises(RequestError, match=r"redirects to an address that is not opened: Invalid IPv6 URL"):
        fetch(server, tmp_path, "/one")


def test_a_redirection_without_an_address(server: Server, tmp_path: Path) -> None:
    server.files["/one"] = Served(status=302)
    with pytest.raises(RequestError, match=r"does not say where to"):
        fetch(server, tmp_path, "/one")


@pytest.mark.parametrize(
    "address", ["file:///etc/passwd", "http://example.org/x", "ftp://example.org/", "https://", "nothing", "https://a:b/"]
)
def test_only_https_is_opened(tmp_path: Path, address: str) -> None:
    with pytest.raises(RequestError, match=re.escape(f"{address}: expected an address that begins with https://")):
        _download(address, tmp_path / "target", "", lambda _: None)


def test_a_silent_server_is_given_up(server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(downloading, "_TIMEOUT", 0.2)
    server.files["/file"].silent = True
    with pytest.raises(RequestError, match=r"/file: no answer for 0 seconds"):
        fetch(server, tmp_path)


def test_a_server_that_sends_byte_by_byte_is_given_up(server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(downloading, "_MINUTE", 0.3)
    server.files["/file"].byte_by_byte = True
    with pytest.raises(RequestError, match=r"bytes arrived in a minute; what has arrived is kept"):
        fetch(server, tmp_path)
    assert (tmp_path / "target.part").stat().st_size > 0


@pytest.mark.parametrize("without_length", [False, True])
def test_a_file_that_is_too_large_is_refused(server: Server, tmp_path: Path, without_length: bool) -> None:  # noqa: FBT001
    server.files["/file"].without_length = without_length
    with limit_input(max_bytes=100_000), pytest.raises(RequestError, match=r"more than 100,000 bytes; raise it with --max-bytes"):
        fetch(server, tmp_path)
    assert sum(path.stat().st_size for path in tmp_path.iterdir()) < 200_000


def test_without_a_network_the_user_learns_of_add(tmp_path: Path) -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        port = unused.getsockname()[1]
    with pytest.raises(RequestError, match=r"cannot be reached: Connection refused; without a network, errata data add takes a copy"):
        _download(f"http://127.0.0.1:{port}/file", tmp_path / "target", "", lambda _: None)


def test_what_is_no_http_is_refused(tmp_path: Path) -> None:
    import threading

    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen()

        def answer() -> None:
            connection, _ = listening.accept()
            with connection:
                connection.recv(1000)
                connection.sendall(b"\x00\x01\x02 what?\r\n\r\n")

        thread = threading.Thread(target=answer)
        thread.start()
        with pytest.raises(RequestError, match=r"the answer is not HTTP"):
            _download(f"http://127.0.0.1:{listening.getsockname()[1]}/file", tmp_path / "target", "", lambda _: None)
        thread.join()


def test_a_full_disk_is_told_and_what_arrived_is_continued(server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = downloading._write_all

    def fill(file: Any, block: bytes) -> None:
        if file.tell() > 100_000:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        real(file, block)

    monkeypatch.setattr(downloading, "_write_all", fill)
    with pytest.raises(RequestError, match=r"target.part: cannot be written: No space left on device"):
        fetch(server, tmp_path)
    monkeypatch.setattr(downloading, "_write_all", real)
    assert fetch(server, tmp_path) == CONTENT
    assert server.requests[-1][1].startswith("bytes=1")
