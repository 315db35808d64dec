"""Logging in: who may, how often, what a session is worth, and what other sites can do with it, which is nothing."""

from __future__ import annotations

import re
import secrets
import socket
import threading
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from errata_event import accounts

from bystanders import watch
from example_events import OUTPUTS, ExampleEvent, make_example_event
from served_event import SOAK, Answer, Client, ServedEvent, serve_event

_SECONDS = 30.0 if SOAK else 3.0
_A_SECOND = 1000
_SENDERS = 4


class Played:
    """A server with a team, and what tests do with both."""

    def __init__(self, example: ExampleEvent, server: ServedEvent) -> None:
        self.example, self.server = example, server
        self.team, self.token = example.add_with_token(f"System {secrets.token_hex(4)}")

    def log_in(self) -> Client:
        """A browser that is logged in."""
        return self.server.browser(self.token)

    def is_logged_in(self, client: Client) -> bool:
        """Whether the server knows who a browser is."""
        return client.get("/login").status == 303


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[ExampleEvent, ServedEvent]]:
    example = make_example_event(tmp_path_factory.mktemp("log_in"))
    with serve_event(example.data, None, example.clock.now, attempts_per_minute=100_000) as server:
        yield example, server
    example.event.close()


@pytest.fixture
def played(shared: tuple[ExampleEvent, ServedEvent]) -> Iterator[Played]:
    example, server = shared
    yield Played(example, server)
    server.set_clock(example.clock.now)
    assert server.log == ""


@pytest.fixture
def limited(tmp_path: Path) -> Iterator[Played]:
    """With the usual number of attempts."""
    example = make_example_event(tmp_path)
    with serve_event(example.data, None, example.clock.now) as server:
        yield Played(example, server)
        assert server.log == ""
    example.event.close()


def log_in_again_and_again(server: ServedEvent, source: str, until: float, seen: Counter[int]) -> None:
    """Try wrong tokens on one connection after the other, in bursts that make so many a second together."""
    body = b"token=errata_" + b"a" * 43
    ask = b"POST /login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\n"
    ask += b"Content-Length: %d\r\n\r\n" % len(body) + body
    burst = 10
    started, sent = time.monotonic(), 0
    while time.monotonic() < until:
        with socket.create_connection((server.host, server.port), 30, (source, 0)) as connection:
            for _ in range(5):
                connection.sendall(ask * burst)
                sent += burst
                received = b""
                try:
                    while received.count(b"HTTP/1.1 ") < burst and (piece := connection.recv(1 << 16)):
                        received += piece
                except OSError:
                    pass
                seen.update(int(found) for found in re.findall(rb"HTTP/1\.1 (\d{3}) ", received))
                if received.count(b"HTTP/1.1 ") < burst:
                    break
                ahead = sent / (_A_SECOND / _SENDERS) - (time.monotonic() - started)
                time.sleep(max(0.0, ahead))


@pytest.mark.slow
def test_a_thousand_attempts_a_second(limited: Played) -> None:
    seen: Counter[int] = Counter()
    until = time.monotonic() + _SECONDS
    other = limited.example.add_with_token("Other")[1]
    with watch(limited.server, other, "dev", OUTPUTS["eager"]) as watched:
        senders = [
            threading.Thread(target=log_in_again_and_again, args=(limited.server, f"127.0.0.{2 + index % 2}", until, seen))
            for index in range(_SENDERS)
        ]
        for sender in senders:
            sender.start()
        for sender in senders:
            sender.join()
    total = sum(seen.values())
    print(watched.describe(f"{total:,} attempts in {_SECONDS:.0f} s ({total / _SECONDS:.0f} a second): {dict(seen)}"))
    watched.check()
    assert set(seen) <= {403, 429}
    assert 0 < seen[403] <= 2 * (30 + 30 * _SECONDS / 60 + 1)
    assert seen[429] > 10 * seen[403]
    assert limited.log_in().get("/login").status == 303  # from another address


def test_wrong_tokens_of_programs(limited: Played) -> None:
    assert limited.server.client(limited.token).get("/api/phases/dev/submissions").status == 200
    wrong = [limited.server.client(f"errata_{'a' * 43}").get("/api/phases").status for _ in range(40)]
    assert wrong[0] == 401
    assert wrong[-1] == 429
    assert limited.server.client(limited.token).get("/api/phases/dev/submissions").status == 200  # a right token is let through


@pytest.mark.parametrize("token", ["xyz-not-a-token", f"errata_{'a' * 43}", "errata_" + "ä" * 43, "' OR 1=1 --", "\ud7ff" * 50])
def test_wrong_tokens_of_browsers(played: Played, token: str) -> None:
    client = played.server.client()
    answer = client.log_in(token)
    assert answer.status == 403
    assert client.cookies == {}
    assert token not in answer.text


def find_cookie(answer: Answer) -> str:
    found = answer.headers.get_all("Set-Cookie", [])
    assert len(found) == 1
    return str(found[0])


def test_cookies(played: Played) -> None:
    cookie = find_cookie(played.server.client().log_in(played.token))
    flags = {part.strip().lower() for part in cookie.split(";")[1:]}
    assert {"httponly", "path=/", "samesite=lax"} <= flags
    assert "secure" not in flags  # the server itself has no TLS
    assert not any(flag.startswith("domain") for flag in flags)
    assert played.token not in cookie


def test_cookies_behind_a_proxy_with_tls(tmp_path: Path) -> None:
    example = make_example_event(tmp_path)
    token = example.add_with_token("Team")[1]
    with serve_event(example.data, None, example.clock.now, public_url="https://task.example.org") as server:
        sent = {"Host": "task.example.org", "Origin": "https://task.example.org", "X-Forwarded-Proto": "https"}
        answer = server.client().post("/login", {"token": token}, **sent)
        assert answer.status == 303
        cookie = find_cookie(answer)
        assert cookie.startswith("__Host-errata=")
        assert {"Secure", "HttpOnly", "Path=/"} <= {part.strip() for part in cookie.split(";")}
        assert answer.headers["Strict-Transport-Security"].startswith("max-age=")
        assert server.client().get("/", Host="other.example.org").status == 421
        assert server.client().post("/login", {"token": token}, **{**sent, "Origin": "http://task.example.org"}).status == 403
        forwarded = [{"X-Forwarded-For": f"192.0.2.{number}"} for number in range(40)]
        wrong = {server.client().post("/login", {"token": "x"}, **sent, **header).status for header in forwarded}
        assert wrong == {403}  # each address has attempts of its own
    example.event.close()


def test_forwarded_addresses_are_not_believed_without_a_proxy(limited: Played) -> None:
    answers = [
        limited.server.client().post("/login", {"token": "x"}, **{"X-Forwarded-For": f"192.0.2.{number}"}).status for number in range(40)
    ]
    assert answers[-1] == 429


def test_a_session_begins_with_the_log_in(played: Played) -> None:
    client = played.server.client()
    client.cookies["errata"] = "a-session-that-somebody-else-chose-for-this-browser"
    assert not played.is_logged_in(client)
    client.log_in(played.token)
    first = client.cookies["errata"]
    assert first != "a-session-that-somebody-else-chose-for-this-browser"
    client.log_in(played.token)
    assert client.cookies["errata"] != first
    assert played.is_logged_in(client)


def test_a_session_ends_with_the_log_out(played: Played) -> None:
    client = played.log_in()
    secret = client.cookies["errata"]
    csrf = client.get("/phases/dev/submissions").csrf or client.get("/").csrf
    assert client.post("/logout", {"csrf": csrf}).status == 303
    assert client.cookies == {}
    client.cookies["errata"] = secret
    assert not played.is_logged_in(client)


@pytest.mark.parametrize("how", ["renew", "remove", "expire"])
def test_a_session_ends(played: Played, how: str) -> None:
    client, program = played.log_in(), played.server.client(played.token)
    assert played.is_logged_in(client)
    assert program.get("/api/phases").status == 200
    example, now = played.example, played.example.clock.now
    with example.event.database.write("accounts") as transaction:
        if how == "renew":
            played.team.renew_token(transaction, now)
        elif how == "remove":
            played.team.remove(transaction, now)
    if how == "expire":
        played.server.set_clock(now + accounts.SESSION_LIFETIME)
    assert not played.is_logged_in(client)
    assert program.get("/api/phases").status == (200 if how == "expire" else 401)
    assert played.server.client().log_in(played.token).status == (303 if how == "expire" else 403)


@pytest.mark.parametrize(
    "sent",
    [
        {"Origin": "https://evil.example.org"},
        {"Origin": "null"},
        {"Origin": "http://localhost.evil.example.org"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ],
    ids=str,
)
def test_forms_of_other_sites_are_refused(played: Played, sent: dict[str, str]) -> None:
    stranger = played.server.client()
    assert stranger.post("/login", {"token": played.token}, **sent).status == 403  # nobody is logged in as somebody else
    assert stranger.cookies == {}
    client = played.log_in()
    assert client.post("/logout", {"csrf": ""}, **sent).status == 403
    assert played.is_logged_in(client)


def test_forms_of_this_site_are_taken(played: Played) -> None:
    own = f"http://{played.server.host}:{played.server.port}"
    sent = {"Origin": own, "Sec-Fetch-Site": "same-origin", "Host": f"{played.server.host}:{played.server.port}"}
    assert played.server.client().post("/login", {"token": played.token}, **sent).status == 303


def test_nothing_secret_is_in_pages_or_addresses(played: Played) -> None:
    client = played.server.client()
    answer = client.log_in(played.token)
    assert played.token not in answer.headers["Location"]
    secret = client.cookies["errata"]
    for path in ("/", "/login", "/phases/dev", answer.headers["Location"]):
        shown = client.get(path)
        assert secret.encode() not in shown.whole
        assert played.token.encode() not in shown.whole
    with played.example.event.database.read() as transaction:
        stored = str(transaction.rows("SELECT * FROM accounts") + transaction.rows("SELECT * FROM sessions"))
    assert secret not in stored
    assert played.token not in stored


def test_a_log_in_goes_back_to_this_site_only(played: Played) -> None:
    for target in (
        "https://evil.example.org/",
        "//evil.example.org/",
        "/\\evil.example.org",
        "\thttps://evil.example.org",
        "javascript:alert(1)",
    ):
        for name in ("next", "to", "return", "back"):
            answer = played.server.client().post(f"/login?{name}={target.strip()}", {"token": played.token, name: target})
            assert answer.status in {303, 403, 429}
            assert "evil" not in answer.headers.get("Location", "")
