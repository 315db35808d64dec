"""What no well-behaved client sends is answered with an error in words; the server says nothing of itself, and goes on."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from starlette.types import Message, Receive, Scope, Send

from errata_event.server.requests import Attempts, Guard
from errata_event.server.settings import ServerSettings

from example_events import make_example_event
from own_loop import run_alone
from served_event import Answer, ServedEvent, serve_event

_HOST = b"Host: localhost\r\n"
_HEADERS = ("x-content-type-options", "content-security-policy", "referrer-policy", "cache-control")
_FORM = b"Content-Type: application/x-www-form-urlencoded\r\n"


def statuses(answer: bytes) -> list[int]:
    """The statuses of all answers on a connection."""
    return [int(found) for found in re.findall(rb"HTTP/1\.1 (\d{3}) ", answer)]


def check_words(answer: bytes) -> None:
    """Fail if an answer has anything of the program, or lacks what every answer has."""
    assert b"Traceback" not in answer
    assert b".py" not in answer
    head = answer.split(b"\r\n\r\n", 1)[0].decode("latin-1").lower()
    for name in _HEADERS:
        assert f"\r\n{name}: " in head, name


_REQUESTS: dict[str, tuple[bytes, set[int]]] = {
    "no HTTP": (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" * 10 + b"\r\n\r\n", {400}),
    "no method": (b"/ HTTP/1.1\r\n" + _HOST + b"\r\n", {400}),
    "an unknown method": (b"FROB / HTTP/1.1\r\n" + _HOST + b"\r\n", {405}),
    "TRACE": (b"TRACE / HTTP/1.1\r\n" + _HOST + b"Cookie: errata=secret\r\n\r\n", {405}),
    "OPTIONS": (b"OPTIONS / HTTP/1.1\r\n" + _HOST + b"\r\n", {405}),
    "OPTIONS of all": (b"OPTIONS * HTTP/1.1\r\n" + _HOST + b"\r\n", {404, 405}),
    "CONNECT": (b"CONNECT example.org:443 HTTP/1.1\r\nHost: example.org:443\r\n\r\n", {400, 404, 421}),
    "an absolute address": (b"GET http://example.org/ HTTP/1.1\r\n" + _HOST + b"\r\n", {400, 404}),
    "no host": (b"GET / HTTP/1.1\r\n\r\n", {400}),
    "two hosts": (b"GET / HTTP/1.1\r\nHost: localhost\r\nHost: example.org\r\n\r\n", {400}),
    "another host": (b"GET / HTTP/1.1\r\nHost: example.org\r\n\r\n", {421}),
    "a host that is none": (b"GET / HTTP/1.1\r\nHost: [::1\r\n\r\n", {400, 421}),
    "a host with a path": (b"GET / HTTP/1.1\r\nHost: example.org/localhost\r\n\r\n", {400, 421}),
    "a huge head": (b"GET / HTTP/1.1\r\n" + _HOST + b"A: " + b"a" * 200_000 + b"\r\n\r\n", {400, 431}),
    "many headers": (b"GET / HTTP/1.1\r\n" + _HOST + b"A: b\r\n" * 20_000 + b"\r\n", {400, 431}),
    "a huge address": (b"GET /" + b"a" * 60_000 + b" HTTP/1.1\r\n" + _HOST + b"\r\n", {400}),
    "a huge query": (b"GET /?" + b"a=b&" * 3_000 + b" HTTP/1.1\r\n" + _HOST + b"\r\n", {200}),
    "a header without a name": (b"GET / HTTP/1.1\r\n" + _HOST + b": b\r\n\r\n", {400}),
    "a folded header": (b"GET / HTTP/1.1\r\n" + _HOST + b"A: b\r\n c\r\n\r\n", {200, 400}),
    "NUL in a header": (b"GET / HTTP/1.1\r\n" + _HOST + b"A: b\0c\r\n\r\n", {400}),
    "a line feed in an address": (b"GET /%0d%0aSet-Cookie:%20a=b HTTP/1.1\r\n" + _HOST + b"\r\n", {400}),
    "NUL in an address": (b"GET /phases/%00 HTTP/1.1\r\n" + _HOST + b"\r\n", {400}),
    "NUL in a query": (b"GET /?a=%00 HTTP/1.1\r\n" + _HOST + b"\r\n", {400}),
    "bytes that are no text": (b"GET /phases/%ff%fe%ed%a0%80 HTTP/1.1\r\n" + _HOST + b"\r\n", {404}),
    "half a percent encoding": (b"GET /phases/%zz%4 HTTP/1.1\r\n" + _HOST + b"\r\n", {404}),
    "not ASCII": ("GET /phases/ä HTTP/1.1\r\n".encode() + _HOST + b"\r\n", {400}),
    "a path to a file": (b"GET /../../../../etc/passwd HTTP/1.1\r\n" + _HOST + b"\r\n", {404}),
    "an encoded path to a file": (b"GET /static/%2e%2e%2f%2e%2e/event.sqlite HTTP/1.1\r\n" + _HOST + b"\r\n", {404}),
    "two slashes": (b"GET //example.org/ HTTP/1.1\r\n" + _HOST + b"\r\n", {404}),
    "two lengths": (b"POST /login HTTP/1.1\r\n" + _HOST + b"Content-Length: 3\r\nContent-Length: 4\r\n\r\nabc", {400}),
    "a negative length": (b"POST /login HTTP/1.1\r\n" + _HOST + b"Content-Length: -1\r\n\r\n", {400}),
    "a length that is no number": (b"POST /login HTTP/1.1\r\n" + _HOST + b"Content-Length: 1e9\r\n\r\n", {400}),
    "a length and chunks": (
        b"POST /login HTTP/1.1\r\n" + _HOST + b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET / HTTP/1.1\r\n\r\n",
        {400, 403},
    ),
    "another transfer encoding": (b"POST /login HTTP/1.1\r\n" + _HOST + b"Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n", {400, 501}),
    "a chunk without a size": (b"POST /login HTTP/1.1\r\n" + _HOST + _FORM + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n", {400}),
    "a huge size of a chunk": (
        b"POST /login HTTP/1.1\r\n" + _HOST + _FORM + b"Transfer-Encoding: chunked\r\n\r\n" + b"f" * 15 + b"\r\n" + b"a" * 200_000,
        {400, 413},
    ),
    "a form that is too large": (
        b"POST /login HTTP/1.1\r\n" + _HOST + _FORM + b"Content-Length: 200000\r\n\r\n" + b"a" * 200_000,
        {413},
    ),
    "a form with a huge field": (
        b"POST /login HTTP/1.1\r\n" + _HOST + _FORM + b"Content-Length: 100000\r\n\r\n" + b"a" * 100_000,
        {400},
    ),
    "a form with many fields": (
        b"POST /login HTTP/1.1\r\n" + _HOST + _FORM + b"Content-Length: 40000\r\n\r\n" + b"a=b&" * 10_000,
        {400},
    ),
    "a form with NUL": (b"POST /login HTTP/1.1\r\n" + _HOST + _FORM + b"Content-Length: 9\r\n\r\ntoken=%00", {400}),
    "a form that is no text": (b"POST /login HTTP/1.1\r\n" + _HOST + _FORM + b"Content-Length: 15\r\n\r\ntoken=%ed%a0%80", {403}),
    "a form of another kind": (
        b"POST /login HTTP/1.1\r\n" + _HOST + b"Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}",
        {400, 403, 415},
    ),
    "a body that ends early": (b"POST /login HTTP/1.1\r\n" + _HOST + _FORM + b"Content-Length: 100\r\n\r\ntoken=a", {408}),
    "a body of a page": (b"GET / HTTP/1.1\r\n" + _HOST + b"Content-Length: 5\r\n\r\nabcde", {200}),
    "an upgrade": (
        b"GET / HTTP/1.1\r\n"
        + _HOST
        + b"Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: YQ==\r\nSec-WebSocket-Version: 13\r\n\r\n",
        {200, 400, 426},
    ),
    "another version": (b"GET / HTTP/2.0\r\n" + _HOST + b"\r\n", {200, 400, 505}),
    "a token that is no text": (b"GET /api/phases HTTP/1.1\r\n" + _HOST + b"Authorization: Bearer \xff\xfe\xed\xa0\x80\r\n\r\n", {401}),
    "a cookie that is no text": (b"GET / HTTP/1.1\r\n" + _HOST + b'Cookie: errata="\xff\\777; =;;; errata\r\n\r\n', {200}),
    "many cookies": (b"GET / HTTP/1.1\r\n" + _HOST + b"Cookie: " + b"errata=a; " * 1000 + b"\r\n\r\n", {200}),
    "an origin that is none": (
        b"POST /login HTTP/1.1\r\n" + _HOST + _FORM + b"Origin: http://[\r\nContent-Length: 7\r\n\r\ntoken=a",
        {403},
    ),
    "a tag that is no text": (b"GET / HTTP/1.1\r\n" + _HOST + b'If-None-Match: \xff", "\r\n\r\n', {200}),
}


@pytest.mark.parametrize("name", _REQUESTS)
def test_odd_requests(server: ServedEvent, name: str) -> None:
    sent, expected = _REQUESTS[name]
    answer = server.send(sent)
    found = statuses(answer)
    assert found
    assert found[0] in expected, answer[:300]
    assert 500 not in found
    check_words(answer)


def test_pipelined_requests_are_answered_in_order(server: ServedEvent) -> None:
    ask = b"".join(b"GET /%s HTTP/1.1\r\n%s\r\n" % (path, _HOST) for path in [b"health", b"nothing", b"api/phases"] * 30)
    answer = server.send(ask + b"GET /health HTTP/1.1\r\nConnection: close\r\n" + _HOST + b"\r\n")
    assert statuses(answer) == [200, 404, 401] * 30 + [200]


def test_old_clients(server: ServedEvent) -> None:
    answer = server.send(b"GET / HTTP/1.0\r\n\r\n")
    assert statuses(answer) == [200]
    assert answer.rstrip().endswith(b"</html>")
    check_words(answer)


def test_head_has_the_headers_of_get(server: ServedEvent) -> None:
    client = server.client()
    for path in ("/", "/phases/dev", "/login", "/phases/dev/source", "/nothing"):
        shown, head = client.get(path), client.ask("HEAD", path)
        assert head.status == shown.status, path
        assert head.body == b""
        assert head.headers["Content-Length"] == shown.headers["Content-Length"]


def test_clients_that_go_away(server: ServedEvent, token: str) -> None:
    upload = (
        f"POST /api/phases/dev/submissions HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {token}\r\nContent-Length: 500\r\n\r\nabc"
    )
    form = b"POST /login HTTP/1.1\r\n" + _HOST + _FORM + b"Content-Length: 500\r\n\r\ntoken="
    for sent in (
        upload.encode(),
        form,
        b"GET / HTTP/1.1\r\n" + _HOST + b"\r\n",
        b"GET /phases/dev/source HTTP/1.1\r\n" + _HOST + b"\r\n",
        b"G",
    ):
        for _ in range(5):
            with server.connect() as connection:
                connection.sendall(sent)


def test_a_lost_database_is_told_without_what_was_sent(tmp_path: Path) -> None:
    example = make_example_event(tmp_path)
    token = example.add_with_token("Team")[1]
    with serve_event(example.data, None, example.clock.now) as server:
        client = server.client(token)
        assert client.get("/api/phases").status == 200
        with example.event.database.write() as transaction:
            transaction.run("ALTER TABLE accounts RENAME TO gone")
        answers: list[Answer] = [client.get("/api/phases?secret-query"), client.submit("dev", b"secret text")]
        answers += [server.client().log_in(token), server.client().get("/phases/dev", Cookie="errata=secret-cookie")]
        log = server.log
    example.event.close()
    assert {answer.status for answer in answers} <= {200, 409, 500, 503}
    for answer in answers:
        assert "Traceback" not in answer.text
        assert "SELECT" not in answer.text
    for secret in (token, token[-20:], "secret", "Traceback"):
        assert secret not in log


async def _fail(scope: Scope, receive: Receive, send: Send) -> None:
    del scope, receive, send
    raise ValueError("a secret that was sent")


def test_an_error_that_nobody_handles(caplog: pytest.LogCaptureFixture) -> None:
    sent: list[Message] = []

    async def ask() -> None:
        async def receive() -> Message:
            return {"type": "http.request", "body": b"", "more_body": False}

        async def send(message: Message) -> None:
            sent.append(message)

        scope = {"type": "http", "method": "GET", "path": "/", "query_string": b"", "headers": [(b"cookie", b"secret")]}
        await Guard(_fail, ServerSettings(), Attempts(1))(scope, receive, send)

    run_alone(ask())
    assert sent[0]["status"] == 500
    assert b"secret" not in b"".join(message.get("body", b"") for message in sent)
    assert "ValueError at" in caplog.text
    assert "secret" not in caplog.text
