"""``errata submit``: what is sent, what is done if an answer is lost, and what is shown."""

from __future__ import annotations

import gzip
import json
import socket
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest

from errata.cli import main
from errata.cli import submit as submit_requests

EAGER = Path("examples/systems/eager.txt")
TOKEN = "errata_" + "x" * 43
SUBMISSION = {
    "id": "abc",
    "number": 3,
    "phase": "dev",
    "received_at": "2026-11-19T04:05:23+00:00",
    "sha256": "d14b2b44f609" * 5,
    "primary": False,
    "withdrawn": False,
    "description": "",
}
QUOTA = {"today": 1, "per_day": 2, "total": 3, "per_phase": 6, "left": 1, "resets_at": "2026-11-20T00:00:00+00:00"}
SCORES = [
    {
        "metric": "maxmatch",
        "label": "F0.5",
        "value": 0.655,
        "parts": {"correct": 95, "precision": 0.6291, "recall": 0.7851},
        "signature": "maxmatch(beta=0.5) | gold gold.m2",
        "problem": "",
    },
    {"metric": "gleu", "label": "GLEU", "value": None, "parts": {}, "signature": "", "problem": "it cannot be scored"},
]
ACCEPTED = {"submission": SUBMISSION, "problems": [], "scores": SCORES, "quota": QUOTA}
WARNING = {"line": 7, "severity": "warning", "message": "an odd line"}
ERRORS = [{"line": 3, "severity": "error", "message": "a tab"}, {"line": None, "severity": "error", "message": "71 sentences"}, WARNING]

Reply = tuple[int, Any] | tuple[int, Any, dict[str, str]] | None
"""A status, a record or bytes, and headers; None closes the connection without an answer."""


class Stub:
    """A server that answers as it is told, and remembers what it was sent."""

    def __init__(self) -> None:
        self.replies: list[Reply] = []
        self.paths: list[str] = []
        self.headers: list[Any] = []
        self.bodies: list[bytes] = []
        self.reads = True
        stub = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                self.do_POST()

            def do_POST(self) -> None:
                stub.paths.append(self.path)
                stub.headers.append(self.headers)
                if stub.reads and self.command == "POST":
                    stub.bodies.append(self.rfile.read(int(self.headers["Content-Length"])))
                reply = stub.replies.pop(0)
                self.close_connection = True
                if reply is None:
                    return
                body = reply[1] if isinstance(reply[1], bytes) else json.dumps(reply[1]).encode()
                self.send_response(reply[0])
                for name, value in (reply[2] if len(reply) > 2 else {}).items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_: object) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}"
        self._thread = threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.01})
        self._thread.start()

    def close(self) -> None:
        self.server.shutdown()
        self.server.server_close()
        self._thread.join()


@pytest.fixture
def stub(monkeypatch: pytest.MonkeyPatch) -> Iterator[Stub]:
    monkeypatch.setenv("ERRATA_TOKEN", TOKEN)
    monkeypatch.setattr(submit_requests, "_PAUSE", 0.01)
    running = Stub()
    yield running
    running.close()


Submit = Callable[..., tuple[str, str]]


@pytest.fixture
def submit(stub: Stub, capsys: pytest.CaptureFixture[str]) -> Submit:
    """Submits to the stub; returns standard output and error."""

    def call(*arguments: str | Path, status: int = 0, file: str | Path = EAGER, server: str = "") -> tuple[str, str]:
        assert main(["submit", str(file), "--server", server or stub.url, "--phase", "dev", *map(str, arguments)]) == status
        captured = capsys.readouterr()
        assert TOKEN not in captured.out + captured.err
        return captured.out, captured.err

    return call


def test_what_is_sent(stub: Stub, submit: Submit, tmp_path: Path) -> None:
    stub.replies = [(201, ACCEPTED), (201, ACCEPTED)]
    submit("--description", "Zoë's, 2nd\ntry")
    assert stub.paths == ["/api/phases/dev/submissions"]
    assert stub.bodies == [EAGER.read_bytes()]
    (sent,) = stub.headers
    assert sent["Authorization"] == f"Bearer {TOKEN}"
    assert sent["Content-Type"].startswith("text/plain")
    assert unquote(sent["Errata-Description"]) == "Zoë's, 2nd\ntry"
    packed = tmp_path / "out.txt.gz"
    packed.write_bytes(gzip.compress(EAGER.read_bytes()))
    submit(file=packed, server=f"{stub.url}/task/")
    assert stub.bodies[1] == EAGER.read_bytes()
    assert stub.paths[1] == "/task/api/phases/dev/submissions"


def test_what_was_accepted_is_shown_with_its_scores(stub: Stub, submit: Submit) -> None:
    stub.replies = [(201, {**ACCEPTED, "problems": [WARNING]}), (200, ACCEPTED), (201, {**ACCEPTED, "scores": None}), (201, ACCEPTED)]
    out, err = submit()
    assert out.startswith("accepted: submission 3 of the phase dev, received 2026-11-19T04:05:23+00:00, sha256 d14b2b44f609\n")
    assert "1 submission left: 1 of 2 today and 3 of 6 in the phase used" in out
    assert [line.split() for line in out.splitlines() if line.startswith(("Metric", "maxmatch ", "gleu"))] == [
        ["Metric", "Score", "P", "R", "Value"],
        ["maxmatch", "F0.5", "62.91", "78.51", "65.50"],
        ["gleu", "GLEU", "–", "–", "–"],
    ]
    assert "maxmatch(beta=0.5) | gold gold.m2" in out
    assert "it cannot be scored" in out
    assert f"warning: {EAGER}:7: an odd line" in err
    assert submit()[0].startswith("accepted already, the same file: submission 3")
    out, _ = submit()
    assert "the phase does not show scores now" in out
    assert "Metric" not in out
    stub.replies = [(200, {**ACCEPTED, "submission": {**SUBMISSION, "counts": False}, "entry": 5}), (201, ACCEPTED)]
    assert "but submission 5 counts; mark submission 3 as primary on its page if it is to count\n" in submit()[0]
    assert submit("--format", "csv")[0].startswith("metric,label,precision,recall,value\nmaxmatch,F0.5,0.6291,0.7851,0.655\n")


def test_alternative_answers_are_proposed(stub: Stub, submit: Submit) -> None:
    proposals = [{"id": "2-0123456789abcdef", "sentence": 2, "edits": [[0, 0, "Indeed"]], "new": new} for new in (True, False)]
    record = {"proposals": proposals, "problems": [WARNING], "quota": {"total": 2, "per_phase": 3, "left": 1}}
    stub.replies = [(201, record), (201, record), (422, {"error": "the proposals were refused", "proposals": [], "problems": ERRORS})]
    out, err = submit("--proposals")
    assert stub.paths == ["/api/phases/dev/proposals"]
    assert out == "accepted: 2 proposals, 1 of them new\n1 proposal left: 2 of 3 in the phase used\n"
    assert f"warning: {EAGER}:7: an odd line" in err
    assert json.loads(submit("--proposals", "--format", "json")[0])["proposals"] == proposals
    assert f"error: {EAGER}:3: a tab" in submit("--proposals", status=1)[0]
    stub.replies = [(404, {"error": "there is no such phase"}), (200, {"phases": [{"name": "more", "kind": "alternatives"}]})]
    assert "there is no phase 'dev' that takes proposals; choose from more" in submit("--proposals", status=1)[1]
    stub.replies = [(201, {"proposals": 3})]
    assert "the answer is not that of an event" in submit("--proposals", status=1)[1]


def test_json_has_all_that_the_server_said(stub: Stub, submit: Submit) -> None:
    stub.replies = [(201, ACCEPTED), (200, ACCEPTED), (422, {"error": "the upload was refused", "problems": ERRORS})]
    record = json.loads(submit("--format", "json")[0])
    assert {key: record[key] for key in ACCEPTED} == ACCEPTED
    assert (record["accepted"], record["is_new"]) == (True, True)
    assert json.loads(submit("--format", "json")[0])["is_new"] is False
    refused = json.loads(submit("--format", "json", status=1)[0])
    assert (refused["accepted"], refused["problems"]) == (False, ERRORS)


def test_all_problems_of_what_is_refused_are_shown(stub: Stub, submit: Submit) -> None:
    stub.replies = [
        (422, {"error": "the upload was refused", "problems": ERRORS}),
        (422, {"error": "gleu cannot score it", "problems": []}),
    ]
    out, err = submit(status=1)
    assert out.splitlines() == [f"error: {EAGER}:3: a tab", f"error: {EAGER}: 71 sentences", f"warning: {EAGER}:7: an odd line"]
    assert err == "errata: error: not accepted, 2 errors; it counts for no limit\n"
    assert submit(status=1)[1] == "errata: error: gleu cannot score it\n"


def test_an_unknown_phase_is_answered_with_those_that_there_are(stub: Stub, submit: Submit) -> None:
    phases = [{"name": name, "kind": kind} for name, kind in (("devel", "submissions"), ("test", "submissions"), ("more", "alternatives"))]
    unknown: Reply = (404, {"error": "there is no such phase"})
    stub.replies = [unknown, (200, {"phases": phases})]
    assert "there is no phase 'dev' that takes outputs; choose from devel, test; did you mean devel?" in submit(status=1)[1]
    assert stub.paths == ["/api/phases/dev/submissions", "/api/phases"]
    useless: list[Reply] = [None, (200, {"phases": [1]}), (200, b"x"), (200, {"phases": []}), (500, {"error": "x"})]
    for reply in useless:
        stub.replies = [unknown, reply]
        assert submit(status=1)[1] == "errata: error: there is no such phase\n"


@pytest.mark.parametrize("status", [401, 403, 409, 413, 429])
def test_other_refusals_are_errors(stub: Stub, submit: Submit, status: int) -> None:
    stub.replies = [(status, {"error": "because of this"})]
    assert submit(status=1) == ("", "errata: error: because of this\n")
    assert len(stub.paths) == 1


def test_it_says_when_to_try_again_if_that_is_soon(stub: Stub, submit: Submit) -> None:
    stub.replies = [(429, {"error": "too many requests"}, {"Retry-After": "12"}), (429, {"error": "tomorrow"}, {"Retry-After": "43200"})]
    assert "too many requests; try again in 12 seconds" in submit(status=1)[1]
    assert submit(status=1)[1] == "errata: error: tomorrow\n"


@pytest.mark.parametrize("lost", [None, (502, b"<html>Bad gateway"), (503, {"error": "busy"}), (504, b"")])
def test_an_upload_is_sent_again_once_if_its_answer_was_lost(stub: Stub, submit: Submit, lost: Reply) -> None:
    stub.replies = [lost, (200, ACCEPTED)]
    assert "submission 3" in submit()[0]
    assert stub.bodies == [EAGER.read_bytes()] * 2


def test_it_is_not_sent_a_third_time(stub: Stub, submit: Submit) -> None:
    stub.replies = [None, None, (503, {"error": "busy"}), (503, {"error": "busy"}, {"Retry-After": "1"})]
    assert "the answer was lost, twice" in submit(status=1)[1]
    assert "busy; try again in 1 seconds" in submit(status=1)[1]
    assert len(stub.paths) == 4


def test_an_answer_before_the_whole_body_was_read_is_shown(stub: Stub, submit: Submit, tmp_path: Path) -> None:
    large = tmp_path / "large.txt"
    large.write_bytes(b"a word\n" * 3_000_000)
    stub.reads = False
    stub.replies = [(413, {"error": "an upload has at most 10 bytes"})] * 2
    _, err = submit(file=large, status=1)
    assert "an upload has at most 10 bytes" in err or "the answer was lost" in err  # what the system keeps of a closed connection


@pytest.mark.parametrize(
    ("reply", "message"),
    [
        (
            (301, b"", {"Location": "https://elsewhere.example.org/"}),
            "redirects to https://elsewhere.example.org/, and the token is sent to no",
        ),
        ((307, b""), "the server redirects, and the token is sent to no other address"),
        ((405, b"<html>"), "the server answered 405 Method Not Allowed, and is perhaps no event"),
        ((200, b"<html>hello"), "the answer is not that of an event"),
        ((200, {"hello": 1}), "the answer is not that of an event"),
        ((201, {**ACCEPTED, "problems": [1]}), "the answer is not that of an event"),
        ((201, {**ACCEPTED, "scores": "many"}), "the answer is not that of an event"),
        ((599, b"[" * 100_000), "the server answered 599"),
    ],
)
def test_what_is_no_event_is_told(stub: Stub, submit: Submit, reply: Reply, message: str) -> None:
    stub.replies = [reply]
    assert message in submit(status=1)[1]
    assert len(stub.paths) == 1


def test_an_endless_answer_is_not_read(stub: Stub, submit: Submit, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(submit_requests, "_MOST", 1_000)
    stub.replies = [(200, b" " * 1_001)]
    assert "an answer of more than 1,000 bytes" in submit(status=1)[1]


def test_control_characters_of_a_server_are_escaped(stub: Stub, submit: Submit) -> None:
    stub.replies = [
        (422, {"error": "x", "problems": [{"line": 1, "severity": "error", "message": "\x1b[31mred"}]}),
        (409, {"error": "\x1b[2J"}),
    ]
    assert "\x1b" not in submit(status=1)[0]
    assert "\x1b" not in submit(status=1)[1]


def test_the_token_may_be_in_a_file(stub: Stub, submit: Submit, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    token = tmp_path / "token.txt"
    token.write_text("errata_of_the_file\n")
    stub.replies = [(201, ACCEPTED)]
    submit("--token-file", token)
    assert stub.headers[0]["Authorization"] == "Bearer errata_of_the_file"
    token.write_text("two words")
    _, err = submit("--token-file", token, status=2)
    assert "token.txt: expected nothing but a token" in err
    assert "two words" not in err
    monkeypatch.delenv("ERRATA_TOKEN")
    assert "set the environment variable ERRATA_TOKEN, or name a file with --token-file" in submit(status=2)[1]
    monkeypatch.setenv("ERRATA_TOKEN", "a\nb")
    assert "ERRATA_TOKEN: expected nothing but a token" in submit(status=2)[1]
    assert len(stub.paths) == 1


@pytest.mark.parametrize(
    ("address", "message"),
    [
        ("http://task.example.org", "over plain HTTP everybody on the way to task.example.org can read the token; expected https://"),
        ("ftp://task.example.org", "expected an address such as https://task.example.org"),
        ("task.example.org", "expected an address such as https://task.example.org"),
        ("https://", "expected an address such as"),
        ("https://x:99999/", "expected an address such as"),
        ("https://x/?a=b", "expected an address such as"),
        ("https://me:hunter2@x/", "an address with a user or a password is not used"),
    ],
)
def test_addresses_are_checked_before_anything_is_sent(submit: Submit, address: str, message: str) -> None:
    _, err = submit(server=address, status=2)
    assert message in err
    assert "hunter2" not in err


def test_plain_http_can_be_asked_for() -> None:
    assert submit_requests._check_server("http://task.example.org/", plain_http=True) == "http://task.example.org"
    assert submit_requests._check_server("http://localhost:8000", plain_http=False) == "http://localhost:8000"
    assert submit_requests._check_server("http://[::1]:8000/", plain_http=False) == "http://[::1]:8000"


def test_a_proxy_is_asked_for_a_tunnel_and_sees_no_token(submit: Submit, monkeypatch: pytest.MonkeyPatch) -> None:
    received: list[bytes] = []
    with socket.create_server(("127.0.0.1", 0)) as proxy:

        def answer() -> None:
            connection, _ = proxy.accept()
            with connection:
                received.append(connection.recv(10_000))
                connection.sendall(b"HTTP/1.0 403 Forbidden\r\n\r\n")

        thread = threading.Thread(target=answer)
        thread.start()
        for name in ("no_proxy", "NO_PROXY"):
            monkeypatch.delenv(name, raising=False)
        monkeypatch.setenv("https_proxy", f"http://me:pass%20word@127.0.0.1:{proxy.getsockname()[1]}")
        _, err = submit(server="https://task.example.org", status=1)
        thread.join()
    assert received[0].startswith(b"CONNECT task.example.org:443 HTTP/1.")
    assert b"Proxy-Authorization: Basic bWU6cGFzcyB3b3Jk\r\n" in received[0]
    assert TOKEN.encode() not in received[0]
    assert "https://task.example.org: cannot be reached: Tunnel connection failed: 403 Forbidden" in err
    assert "pass" not in err


def test_files_are_checked_before_anything_is_sent(stub: Stub, submit: Submit, tmp_path: Path) -> None:
    empty = tmp_path / "empty.txt"
    empty.write_bytes(b"\n \n")
    assert "empty.txt: this file is empty, expected one sentence in each line" in submit(file=empty, status=2)[1]
    assert "this is a directory, expected a file" in submit(file=tmp_path, status=2)[1]
    assert "there is no such file" in submit(file=tmp_path / "none.txt", status=2)[1]
    assert "more than 10 bytes" in submit("--max-bytes", "10", status=2)[1]
    assert stub.paths == []


def test_a_server_that_is_not_there_is_told(submit: Submit) -> None:
    with socket.socket() as held:  # nobody listens, and nobody else gets the port
        held.bind(("127.0.0.1", 0))
        assert "cannot be reached: Connection refused" in submit(server=f"http://127.0.0.1:{held.getsockname()[1]}", status=1)[1]
