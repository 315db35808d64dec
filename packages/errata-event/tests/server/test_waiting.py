"""What had arrived while a phase was open counts, though the phase closed while it waited for others."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from types import SimpleNamespace

import pytest
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Message

from errata_event.accounts import Account
from errata_event.answers.proposals import list_proposals
from errata_event.server import answers, interface, teams
from errata_event.server.requests import _STATE, Attempts, EventSite, _Endpoint, _Handler, _open_visit, api, form
from errata_event.server.settings import ServerSettings
from errata_event.submissions import RESTORED, WITHDRAWN, list_submissions
from errata_event.uploading import ClosedError, mark_submission

from example_events import AFTER_TEST, OUTPUTS, ExampleEvent, make_example_event
from own_loop import run_alone

_EDGE = "edge"
_HEADERS = {"host": "localhost", "content-type": f"multipart/form-data; boundary={_EDGE}"}


def make_request(phase: str, headers: dict[str, str], receive: Callable[[], Message]) -> Request:
    async def receive_later() -> Message:
        return receive()

    scope = {
        "type": "http",
        "method": "POST",
        "scheme": "http",
        "path": "/",
        "query_string": b"",
        "path_params": {"phase": phase},
        "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
        "client": ("127.0.0.1", 1),
        _STATE: SimpleNamespace(allow=lambda _: None),
    }
    return Request(scope, receive_later)


def send_and_wait(site: EventSite, endpoint: _Endpoint, request: Request, meanwhile: Callable[[], object]) -> Response:
    """Ask while others are served, do something when the request waits for them, and let it go on."""

    async def run() -> Response:
        limiter = site.limit_uploading(None)
        others = [object() for _ in range(int(limiter.total_tokens))]
        for other in others:
            await limiter.acquire_on_behalf_of(other)
        asked = asyncio.ensure_future(endpoint(request))
        while not limiter.statistics().tasks_waiting:
            await asyncio.sleep(0.001)
            assert not asked.done()
        meanwhile()
        for other in others:
            limiter.release_on_behalf_of(other)
        return await asked

    return run_alone(run())


def say(body: bytes) -> Callable[[], Message]:
    return lambda: {"type": "http.request", "body": body, "more_body": False}


def write_form(site: EventSite, secret: str, content: bytes) -> bytes:
    visit = _open_visit(site, make_request("test", {"cookie": f"errata={secret}"}, say(b"")))
    fields = [("csrf", "", visit.csrf.encode()), ("file", '; filename="a.txt"', content)]
    parts = [
        f'--{_EDGE}\r\nContent-Disposition: form-data; name="{name}"{more}\r\n\r\n'.encode() + value + b"\r\n"
        for name, more, value in fields
    ]
    return b"".join(parts) + f"--{_EDGE}--\r\n".encode()


@dataclass(frozen=True)
class Sender:
    """A team that sends an output by a program or by a form."""

    example: ExampleEvent
    site: EventSite
    team: Account
    token: str

    def send(self, phase: str, meanwhile: Callable[[], object], handler: _Handler, content: bytes = OUTPUTS["eager"]) -> Response:
        """Send a form."""
        with self.example.event.database.write() as transaction:
            secret = self.team.start_session(transaction, self.example.clock())
        headers = {**_HEADERS, "cookie": f"errata={secret}"}
        request = make_request(phase, headers, say(write_form(self.site, secret, content)))
        return send_and_wait(self.site, form(self.site, handler, "team", file=True), request, meanwhile)

    def submit(self, phase: str, meanwhile: Callable[[], object]) -> Response:
        """Send what a program sends."""
        request = make_request(phase, {"authorization": f"Bearer {self.token}"}, say(OUTPUTS["eager"]))
        endpoint = api(self.site, interface._take_upload, "team", upload=interface._prepare_upload)
        return send_and_wait(self.site, endpoint, request, meanwhile)


@pytest.fixture
def sender(tmp_path: Path) -> Iterator[Sender]:
    example = make_example_event(tmp_path)
    team, token = example.add_with_token("Alpha")
    yield Sender(example, EventSite(example.event, ServerSettings(), Attempts(100)), team, token)
    example.event.close()


def list_received(sender: Sender, phase: str) -> list[datetime]:
    with sender.example.event.database.read() as transaction:
        return [submission.received_at for submission in list_submissions(transaction, phase)]


def test_an_upload_that_waits_beyond_the_end_counts(sender: Sender) -> None:
    clock = sender.example.clock
    clock.set("2027-03-07 12:09:59 UTC")
    arrived = clock.now
    assert sender.submit("test", lambda: clock.advance(seconds=30)).status_code == 201
    assert list_received(sender, "test") == [arrived]
    assert clock.now > arrived


def test_a_form_that_waits_beyond_the_end_counts(sender: Sender) -> None:
    clock = sender.example.clock
    clock.set("2027-03-07 12:09:59 UTC")
    arrived = clock.now
    assert sender.send("test", lambda: clock.advance(seconds=30), teams._take_form).status_code == 303
    assert list_received(sender, "test") == [arrived]


def test_what_waits_while_organisers_close_a_phase_counts_and_what_comes_after_does_not(sender: Sender) -> None:
    def close() -> None:
        sender.example.clock.advance(seconds=1)
        sender.example.event.decide("test", "close")

    assert sender.submit("test", close).status_code == 201
    with pytest.raises(ClosedError):
        sender.example.upload(sender.team, "test", "cautious")


def test_proposals_that_wait_beyond_the_end_count(sender: Sender) -> None:
    clock = sender.example.clock
    sender.example.upload(sender.team, "test")
    clock.set("2027-03-12 23:59:59 UTC")
    answer = sender.send("answers", lambda: clock.advance(seconds=30), answers._take_file, OUTPUTS["cautious"])
    assert answer.status_code in {200, 303}
    with sender.example.event.database.read() as transaction:
        assert list_proposals(transaction, "answers", sender.team.id)


def test_a_mark_counts_from_when_it_was_asked(sender: Sender) -> None:
    clock = sender.example.clock
    submission = sender.example.upload(sender.team, "test").submission
    assert submission is not None
    asked = clock.now
    clock.set(AFTER_TEST)
    assert mark_submission(sender.example.event, sender.team, submission.public_id, WITHDRAWN, received_at=asked).is_withdrawn
    with pytest.raises(ClosedError):
        mark_submission(sender.example.event, sender.team, submission.public_id, RESTORED)
