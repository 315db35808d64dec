"""A server of files on the loopback interface that misbehaves as it is told to."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


@dataclass
class Served:
    """A file, and how it is served."""

    content: bytes = b""
    tag: str = '"1"'
    has_ranges: bool = True
    cuts: list[int] = field(default_factory=list)
    """After so many bytes the connection is cut, one number for each request; then no more."""
    status: int = 200
    location: str = ""
    silent: bool = False
    """Whether nothing is sent after the headers until the server ends."""
    byte_by_byte: bool = False
    ignores_if_range: bool = False
    without_length: bool = False
    shift: int = 0
    """How far the part that is sent is from the one that was asked for."""

    def find_first(self, asked: str, condition: str) -> int | None:
        """The first byte of the part that is sent; None if all is."""
        match = re.fullmatch(r"bytes=(\d+)-", asked)
        is_same = self.ignores_if_range or condition == self.tag
        return int(match[1]) + self.shift if match is not None and self.status == 200 and self.has_ranges and is_same else None


@dataclass
class Server:
    """Files by path, and what was asked for."""

    address: str
    files: dict[str, Served] = field(default_factory=dict)
    requests: list[tuple[str, str, str]] = field(default_factory=list)
    """The path, Range and If-Range of each request."""
    ended: threading.Event = field(default_factory=threading.Event)


@contextmanager
def serving() -> Iterator[Server]:
    """Serve files until the end of the block."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            asked, condition = self.headers.get("Range", ""), self.headers.get("If-Range", "")
            server.requests.append((self.path, asked, condition))
            served = server.files.get(self.path, Served(status=404))
            self.close_connection = True
            first = served.find_first(asked, condition)
            status = served.status if first is None else 206 if first < len(served.content) else 416
            content = served.content[first or 0 :]
            facts = {"ETag": served.tag, "Location": served.location}
            facts["Content-Length"] = "" if served.without_length else str(len(content))
            facts["Content-Range"] = f"bytes {first}-{len(served.content) - 1}/{len(served.content)}" if status == 206 else ""
            self.send_response(status)
            for name, value in facts.items():
                if value:
                    self.send_header(name, value)
            self.end_headers()
            if served.silent:
                server.ended.wait(20)
            elif served.byte_by_byte:
                for byte in content:
                    if server.ended.wait(0.02):
                        return
                    self.wfile.write(bytes([byte]))
                    self.wfile.flush()
            else:
                self.wfile.write(content[: served.cuts.pop(0)] if served.cuts else content)

        def log_message(self, *_: object) -> None:
            pass

    class Quiet(ThreadingHTTPServer):
        def handle_error(self, *_: object) -> None:
            """A client that goes away is what some tests want."""

    with Quiet(("127.0.0.1", 0), Handler) as http:
        server = Server(f"http://127.0.0.1:{http.server_address[1]}")
        thread = threading.Thread(target=http.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        thread.start()
        try:
            yield server
        finally:
            server.ended.set()
            http.shutdown()
            thread.join()
