"""A server of an event in a process of its own, as `errata serve` runs it, and a small client for it.

The test makes the event and opens it too; both see the same database.
A clock that the test sets is a file that the server reads whenever it looks at the clock.
"""

from __future__ import annotations

import gzip
import http.client
import json
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

SOAK = os.environ.get("ERRATA_SOAK") == "1"
"""Whether tests have their full counts."""
_SECONDS = 60.0
_CSRF = re.compile(r'name="csrf" value="([0-9a-f]{64})"')


@dataclass(frozen=True)
class Answer:
    """What a server answered."""

    status: int
    headers: http.client.HTTPMessage
    body: bytes
    seconds: float = 0.0

    @property
    def text(self) -> str:
        """The body as text."""
        return self.body.decode()

    @property
    def record(self) -> Any:
        """The body as JSON."""
        return json.loads(self.body)

    @property
    def csrf(self) -> str:
        """What the forms of a page send back; empty if it has none."""
        found = _CSRF.search(self.text)
        return found[1] if found else ""

    @property
    def whole(self) -> bytes:
        """All that a client sees: the status, the headers but the date, and the body."""
        lines = [f"{name}: {value}" for name, value in self.headers.items() if name.lower() != "date"]
        return "\n".join([str(self.status), *lines, ""]).encode() + self.body


@dataclass
class Client:
    """A browser or a program: it keeps cookies, and follows no redirects."""

    host: str
    port: int
    token: str = ""
    """Sent with every request if there is one, as programs do."""
    timeout: float = 30.0
    cookies: dict[str, str] = field(default_factory=dict)
    _connection: http.client.HTTPConnection | None = None

    def ask(self, method: str, path: str, body: bytes | Iterator[bytes] | None = None, headers: Mapping[str, str] | None = None) -> Answer:
        """Send a request; read its answer."""
        sent = dict(headers or {})
        if self.token:
            sent.setdefault("Authorization", f"Bearer {self.token}")
        if self.cookies:
            sent.setdefault("Cookie", "; ".join(f"{name}={value}" for name, value in self.cookies.items()))
        was_open = self._connection is not None
        try:
            found, answer = self._ask_once(method, path, body, sent)
        except (ConnectionError, http.client.BadStatusLine):  # as every client does with a connection that was closed since it was used
            if not was_open or not isinstance(body, (bytes, type(None))):
                raise
            found, answer = self._ask_once(method, path, body, sent)
        if found.will_close:
            self.close()
        for text in found.headers.get_all("Set-Cookie", []):
            name, _, value = text.partition(";")[0].partition("=")
            self.cookies[name] = value.strip('"')
            if not self.cookies[name]:
                del self.cookies[name]
        return answer

    def _ask_once(
        self, method: str, path: str, body: bytes | Iterator[bytes] | None, headers: Mapping[str, str]
    ) -> tuple[http.client.HTTPResponse, Answer]:
        if self._connection is None:
            self._connection = http.client.HTTPConnection(self.host, self.port, timeout=self.timeout)
        started = time.perf_counter()
        try:
            self._connection.request(method, path, body, dict(headers))
            found = self._connection.getresponse()
            return found, Answer(found.status, found.headers, found.read(), time.perf_counter() - started)
        except BaseException:
            self.close()
            raise

    def get(self, path: str, **headers: str) -> Answer:
        """Ask for a page."""
        return self.ask("GET", path, headers=headers)

    def post(self, path: str, fields: Mapping[str, str], **headers: str) -> Answer:
        """Send a form as it is."""
        kind = {"Content-Type": "application/x-www-form-urlencoded"}
        return self.ask("POST", path, urlencode(fields).encode(), {**kind, **headers})

    def post_file(self, path: str, fields: Mapping[str, str], content: bytes, file_name: str = "output.txt") -> Answer:
        """Send a form with a file."""
        edge = "a-boundary-that-is-in-no-test-file"
        parts = [f'--{edge}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'.encode() for name, value in fields.items()]
        named = f'Content-Disposition: form-data; name="file"; filename="{file_name}"'
        parts.append(f"--{edge}\r\n{named}\r\nContent-Type: text/plain\r\n\r\n".encode() + content + b"\r\n")
        body = b"".join(parts) + f"--{edge}--\r\n".encode()
        return self.ask("POST", path, body, {"Content-Type": f"multipart/form-data; boundary={edge}"})

    def log_in(self, token: str) -> Answer:
        """Log in as browsers do."""
        return self.post("/login", {"token": token})

    def submit(self, phase: str, content: bytes, description: str = "", *, compress: bool = False) -> Answer:
        """Upload an output as programs do."""
        headers = {"Content-Type": "text/plain"}
        if description:
            headers["Errata-Description"] = quote(description)
        if compress:
            headers["Content-Encoding"] = "gzip"
            content = gzip.compress(content)
        return self.ask("POST", f"/api/phases/{phase}/submissions", content, headers)

    def close(self) -> None:
        """Close the connection."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None


@dataclass
class ServedEvent:
    """A server that runs."""

    process: subprocess.Popen[str]
    host: str
    port: int
    clock_file: Path | None
    error_file: Path
    clients: list[Client] = field(default_factory=list)
    """Closed by :meth:`close_clients`, when no thread uses them."""

    def client(self, token: str = "", **named: Any) -> Client:
        """A new client."""
        self.clients.append(Client(self.host, self.port, token, **named))
        return self.clients[-1]

    def browser(self, token: str) -> Client:
        """A new client that is logged in."""
        client = self.client()
        answer = client.log_in(token)
        if answer.status != 303:
            raise AssertionError(f"the log-in was answered {answer.status}")
        return client

    def connect(self, source: str = "127.0.0.1") -> socket.socket:
        """A connection, for what no well-behaved client sends; every address 127.0.0.x is this machine."""
        return socket.create_connection((self.host, self.port), 30.0, (source, 0))

    def send(self, data: bytes, source: str = "127.0.0.1") -> bytes:
        """Send bytes on a new connection; return all that comes back until the server closes it or is silent for long."""
        with self.connect(source) as connection:
            connection.settimeout(10)
            received = b""
            try:
                connection.sendall(data)
                while piece := connection.recv(1 << 16):
                    received += piece
            except OSError:
                pass
            return received

    def set_clock(self, now: datetime) -> None:
        """Set the clock of the server."""
        if self.clock_file is None:
            raise AssertionError("this server has the clock of the system")
        write_clock(self.clock_file, now)

    def resident(self) -> int:
        """The bytes of memory that the server has now."""
        return self._read_status("VmRSS")

    def peak(self) -> int:
        """The most bytes of memory that it had since :meth:`reset_peak`."""
        return self._read_status("VmHWM")

    def reset_peak(self) -> int:
        """Forget the peak; return the memory now."""
        Path(f"/proc/{self.process.pid}/clear_refs").write_text("5")
        return self.resident()

    def _read_status(self, name: str) -> int:
        text = Path(f"/proc/{self.process.pid}/status").read_text()
        found = re.search(rf"{name}:\s+(\d+) kB", text)
        if found is None:
            raise AssertionError(f"no {name} in /proc")
        return int(found[1]) * 1024

    @property
    def log(self) -> str:
        """What the server has written to its standard error."""
        return self.error_file.read_text("utf-8", "replace")

    def kill(self) -> None:
        """End it at once, wherever it is."""
        self.process.send_signal(signal.SIGKILL)
        self._end()

    def stop(self) -> None:
        """End it as an interrupt does."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
        try:
            self._end()
        except subprocess.TimeoutExpired:
            self.kill()
            raise

    def close_clients(self) -> None:
        """Close the connections of all clients."""
        for client in self.clients:
            client.close()

    def _end(self) -> None:
        self.process.wait(_SECONDS)
        if self.process.stdout is not None:
            self.process.stdout.close()


def write_clock(path: Path, now: datetime) -> None:
    """Write the file that a server takes for its clock; who reads it sees the old or the new instant."""
    with tempfile.NamedTemporaryFile("w", dir=path.parent, delete=False) as file:
        file.write(now.isoformat())
    Path(file.name).replace(path)


def start_server(data: Path, url: str | None = None, now: datetime | None = None, **settings: Any) -> ServedEvent:
    """Start a server of a data folder; with ``now``, its clock stands still there until it is set."""
    folder = Path(tempfile.mkdtemp(dir=data.parent))
    clock_file = None
    if now is not None:
        clock_file = folder / "clock"
        write_clock(clock_file, now)
    given = json.dumps({"data": str(data), "url": url, "clock": str(clock_file or ""), "settings": {"port": 0, **settings}})
    errors = folder / "errors"
    with errors.open("w") as error_file:
        process = subprocess.Popen(
            [sys.executable, __file__, given],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=error_file,
            text=True,
            start_new_session=True,
            env={**os.environ, "PYTHONWARNINGS": "error"},
        )
    line = process.stdout.readline() if process.stdout is not None else ""
    found = re.fullmatch(r"http://([0-9.]+):(\d+)/\n", line)
    if found is None:
        process.kill()
        process.wait()
        raise AssertionError(f"the server did not start: {line}{errors.read_text()[-2000:]}")
    return ServedEvent(process, found[1], int(found[2]), clock_file, errors)


@contextmanager
def serve_event(data: Path, url: str | None = None, now: datetime | None = None, **settings: Any) -> Iterator[ServedEvent]:
    """Serve an event while a test runs."""
    server = start_server(data, url, now, **settings)
    try:
        yield server
    finally:
        server.stop()
        server.close_clients()


def main() -> None:
    """Serve what the argument says; the first line printed is the address."""
    from errata_event.event import Event
    from errata_event.instants import system_clock
    from errata_event.server.app import run_server
    from errata_event.server.settings import ServerSettings

    given = json.loads(sys.argv[1])
    path = Path(given["clock"])
    clock = (lambda: datetime.fromisoformat(path.read_text()).astimezone(UTC)) if given["clock"] else system_clock
    event = Event.open(given["data"], given["url"], clock)
    try:
        run_server(event, ServerSettings(**given["settings"]), lambda address: print(address, flush=True))
    finally:
        event.close()


if __name__ == "__main__":
    main()
