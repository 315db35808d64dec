"""The reverse proxies of `docs/serving.md` do what the page says: with its text, on the loopback interface, with a certificate made."""

from __future__ import annotations

import gzip
import http.client
import os
import re
import shutil
import signal
import socket
import ssl
import subprocess
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlencode

import pytest

from example_events import OUTPUTS, make_example_event
from served_event import Answer, serve_event

PAGE = Path("docs/serving.md").read_text(encoding="utf-8")
HOST = "task.example.org"
CERTIFICATE, KEY = f"/etc/letsencrypt/live/{HOST}/fullchain.pem", f"/etc/letsencrypt/live/{HOST}/privkey.pem"
PROGRAMS = {"nginx": "nginx", "caddy": "caddyfile"}
"""Programs, and what the page calls the language of their files."""
_ATTEMPTS = 30


@dataclass(frozen=True)
class Proxy:
    """A proxy that runs before a server."""

    name: str
    port: int
    plain_port: int
    certificate: Path
    token: str

    def ask(self, method: str, path: str, body: bytes | None = None, *, host: str = HOST, **headers: str) -> Answer:
        """Send a request over TLS, whose certificate must be right."""
        context = ssl.create_default_context(cafile=str(self.certificate))
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        with socket.create_connection(("127.0.0.1", self.port), 30) as plain, context.wrap_socket(plain, server_hostname=HOST) as secure:
            connection.sock = secure
            sent = {"Host": host, "Connection": "close", **{name.replace("_", "-"): value for name, value in headers.items()}}
            with suppress(ConnectionError, ssl.SSLError):  # a proxy that refuses a body need not read it
                connection.request(method, path, body, sent)
            found = connection.getresponse()
            return Answer(found.status, found.headers, found.read())

    def submit(self, content: bytes, **headers: str) -> Answer:
        """Upload an output."""
        return self.ask("POST", "/api/phases/dev/submissions", content, Authorization=f"Bearer {self.token}", **headers)

    def log_in(self, token: str, **headers: str) -> Answer:
        """Log in as browsers do."""
        form = {"Content_Type": "application/x-www-form-urlencoded", "Origin": f"https://{HOST}"}
        return self.ask("POST", "/login", urlencode({"token": token}).encode(), **form, **headers)


class Ports(NamedTuple):
    """Ports that nobody uses."""

    secure: int
    plain: int

    @classmethod
    def find(cls) -> Ports:
        """Find two."""
        with socket.create_server(("127.0.0.1", 0)) as one, socket.create_server(("127.0.0.1", 0)) as other:
            return cls(one.getsockname()[1], other.getsockname()[1])


def find_block(language: str) -> str:
    """The example of the page."""
    (block,) = re.findall(rf"^```{language}\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    return str(block)


def replace_once(text: str, changes: Mapping[str, str]) -> str:
    """Replace what a test must have in another way, each of which the example has."""
    for before, after in changes.items():
        assert before in text, before
        text = text.replace(before, after)
    return text


def write_nginx(folder: Path, ports: Ports, server: int) -> list[str]:
    """Write the files of nginx; return its command."""
    changes = {
        "listen 80;": f"listen 127.0.0.1:{ports.plain};",
        "listen 443 ssl;": f"listen 127.0.0.1:{ports.secure} ssl;",
        "127.0.0.1:8000": f"127.0.0.1:{server}",
        CERTIFICATE: str(folder / "cert.pem"),
        KEY: str(folder / "key.pem"),
    }
    site = replace_once(find_block("nginx"), changes)
    folders = " ".join(f"{name}_temp_path {folder}/{name};" for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
    user = "user root; " if os.geteuid() == 0 else ""  # others could not read the folder of a test
    main = f"{user}pid {folder}/pid; error_log {folder}/error.log; daemon off; events {{}} http {{ access_log off; {folders}\n{site} }}"
    (folder / "nginx.conf").write_text(main)
    return ["-e", str(folder / "error.log"), "-c", str(folder / "nginx.conf")]


def write_caddy(folder: Path, ports: Ports, server: int) -> list[str]:
    """Write the file of Caddy; return its command."""
    own = f"tls {folder}/cert.pem {folder}/key.pem\n bind 127.0.0.1\n"
    site = replace_once(
        find_block("caddyfile"), {f"{HOST} {{\n": f"https://{HOST}:{ports.secure} {{\n{own}", "127.0.0.1:8000": f"127.0.0.1:{server}"}
    )
    (folder / "Caddyfile").write_text(f"{{\n admin off\n http_port {ports.plain}\n storage file_system {folder}/storage\n}}\n{site}")
    return ["run", "--adapter", "caddyfile", "--config", str(folder / "Caddyfile")]


def wait_for(port: int, process: subprocess.Popen[bytes], log: Path) -> None:
    """Wait until a program listens."""
    until = time.monotonic() + 30
    while time.monotonic() < until and process.poll() is None:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
        except OSError:
            time.sleep(0.05)
        else:
            return
    raise AssertionError(log.read_text())


@pytest.fixture(scope="module", params=PROGRAMS)
def proxy(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Proxy]:
    """A proxy before a server."""
    program, openssl = shutil.which(request.param, path=f"{os.environ['PATH']}:/usr/sbin"), shutil.which("openssl")
    if program is None or openssl is None:
        pytest.skip(f"{request.param if program is None else 'openssl'} is not installed")
    folder = tmp_path_factory.mktemp(request.param)
    made = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", f"/CN={HOST}", "-addext", f"subjectAltName=DNS:{HOST}"]
    subprocess.run([openssl, *made, "-keyout", folder / "key.pem", "-out", folder / "cert.pem"], check=True, capture_output=True)
    example = make_example_event(tmp_path_factory.mktemp("event"))
    token = example.add_with_token("Team")[1]
    ports, log = Ports.find(), folder / "output.txt"
    write = {"nginx": write_nginx, "caddy": write_caddy}[request.param]
    with serve_event(example.data, None, example.clock.now, public_url=f"https://{HOST}") as server, log.open("wb") as output:
        command = [program, *write(folder, ports, server.port)]
        process = subprocess.Popen(command, stdout=output, stderr=output, env={**os.environ, "HOME": str(folder)})
        try:
            wait_for(ports.secure, process, log)
            yield Proxy(request.param, ports.secure, ports.plain, folder / "cert.pem", token)
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(30)
    example.event.close()


def test_pages_and_uploads_go_through(proxy: Proxy) -> None:
    page = proxy.ask("GET", "/phases/dev")
    assert page.status == 200
    assert page.headers["Strict-Transport-Security"].startswith("max-age=")
    assert page.headers["Content-Encoding"] is None
    assert "/login" in page.text
    assert proxy.submit(OUTPUTS["eager"]).status == 201
    assert proxy.submit(gzip.compress(OUTPUTS["cautious"]), Content_Encoding="gzip").status == 201
    assert proxy.submit(OUTPUTS["eager"], Content_Length=str(len(OUTPUTS["eager"]))).status == 200


def test_what_is_too_large_is_refused(proxy: Proxy) -> None:
    assert proxy.submit(b"a" * 12_000_000).status == 413


def test_a_session_is_for_tls_only(proxy: Proxy) -> None:
    answer = proxy.log_in(proxy.token)
    assert answer.status == 303
    cookie = answer.headers["Set-Cookie"]
    assert cookie.startswith("__Host-errata=")
    assert "Secure" in cookie
    assert proxy.ask("GET", "/team", Cookie=cookie.partition(";")[0]).status == 200


def test_plain_http_leads_to_tls(proxy: Proxy) -> None:
    if proxy.name == "caddy":
        pytest.skip("Caddy leads to the port of its own certificates, which a test does not have")
    connection = http.client.HTTPConnection("127.0.0.1", proxy.plain_port, timeout=30)
    connection.request("GET", "/phases/dev", headers={"Host": HOST})
    answer = connection.getresponse()
    connection.close()
    assert (answer.status, answer.headers["Location"]) == (301, f"https://{HOST}/phases/dev")


def test_another_name_is_refused(proxy: Proxy) -> None:
    answer = proxy.ask("GET", "/phases/dev", host="elsewhere.example.org")
    assert answer.status == 421 if proxy.name == "nginx" else answer.text == ""  # Caddy has no site of this name


def test_clients_cannot_choose_the_address_that_counts(proxy: Proxy) -> None:
    answers = [proxy.log_in("x", X_Forwarded_For=f"192.0.2.{number}").status for number in range(_ATTEMPTS + 5)]
    assert set(answers[:5]) == {403}
    assert answers[-1] == 429
