"""Programs propose a file of alternative answers, and list their proposals."""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterator
from datetime import UTC
from pathlib import Path

import pytest

from errata.cli import main
from errata_event.instants import parse_instant

from answers_event import CLOSED, AnswersEvent, make_answers_event
from example_events import DURING_ANSWERS, GOLD, WHEN_PUBLISHED, strip_gold
from served_event import Answer, Client, ServedEvent, serve_event

pytestmark = pytest.mark.slow
PATH = "/api/phases/answers/proposals"
SOURCES = [line.removeprefix(b"S ").decode() for line in strip_gold()]


@pytest.fixture(scope="module")
def event(tmp_path_factory: pytest.TempPathFactory) -> Iterator[AnswersEvent]:
    made = make_answers_event(tmp_path_factory.mktemp("event"), "pool = false", "per_phase = 3")
    yield made
    made.made.event.close()


@pytest.fixture(scope="module")
def running(event: AnswersEvent) -> Iterator[ServedEvent]:
    with serve_event(event.made.data, now=event.made.clock.now) as served:
        yield served


@pytest.fixture
def server(running: ServedEvent) -> ServedEvent:
    running.set_clock(parse_instant(DURING_ANSWERS, UTC))
    return running


def write(*changed: tuple[int, str]) -> bytes:
    """A text in which only some sentences are changed, by a word in front."""
    words = dict(changed)
    return "".join(f"{f'{words[number]} {text}' if number in words else ''}\n" for number, text in enumerate(SOURCES, start=1)).encode()


def send(client: Client, content: bytes, **headers: str) -> Answer:
    return client.ask("POST", PATH, content, {"Content-Type": "text/plain", **headers})


def test_a_file_is_proposed_and_the_same_again_is_not_new(event: AnswersEvent, server: ServedEvent) -> None:
    client = server.client(event.tokens["Alpha"])
    first = send(client, write((2, "Indeed"), (5, "Well")))
    assert first.status == 201
    assert [(one["sentence"], one["edits"][0], one["new"]) for one in first.record["proposals"]] == [
        (2, [0, 0, "Indeed"], True),
        (5, [0, 0, "Well"], True),
    ]
    assert first.record["quota"] == {"total": 2, "per_phase": 3, "left": 1}
    assert first.record["problems"] == []
    again = send(client, gzip.compress(write((5, "Well"))), **{"Content-Encoding": "gzip"})
    assert (again.status, again.record["proposals"][0]["new"]) == (200, False)
    many = send(client, write((6, "Well"), (7, "Well")))
    assert (many.status, "at most" in many.record["error"] or "accepts 3 proposals" in many.record["error"]) == (429, True)
    listed = client.get(PATH).record
    assert [(one["id"], one["withdrawn"], one["status"]) for one in listed["proposals"]] == [
        (one["id"], False, None) for one in first.record["proposals"]
    ]
    server.set_clock(parse_instant(WHEN_PUBLISHED, UTC))
    assert {one["status"] for one in client.get(PATH).record["proposals"]} == {"undecided"}


def test_a_file_with_problems_is_refused_with_all_of_them(event: AnswersEvent, server: ServedEvent) -> None:
    client = server.client(event.tokens["Beta"])
    refused = send(client, b"one\n\xff\n")
    assert refused.status == 422
    assert refused.record["error"] == "the proposals were refused"
    assert any(problem["line"] == 2 for problem in refused.record["problems"])
    gold = send(client, GOLD)
    assert gold.status == 422
    assert {problem["severity"] for problem in gold.record["problems"]} == {"warning", "error"}
    assert client.get(PATH).record["proposals"] == []
    assert client.get(PATH).record["quota"]["total"] == 0


def test_the_command_that_the_page_shows_works(
    event: AnswersEvent, server: ServedEvent, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    page = server.client().get("/phases/answers").text
    assert f"{PATH}</code>" in page
    command = re.search(r"<code>errata (submit answers.m2 [^<]+)</code>", page)
    assert command is not None
    (tmp_path / "answers.m2").write_bytes(write((3, "Indeed")))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ERRATA_TOKEN", event.tokens["Gamma"])
    assert main(command[1].split()) == 0
    assert capsys.readouterr().out == "accepted: 1 proposal, 1 of them new\n2 proposals left: 1 of 3 in the phase used\n"


def test_a_phase_of_answers_has_no_submissions_and_says_where_its_proposals_are(event: AnswersEvent, server: ServedEvent) -> None:
    answer = server.client(event.tokens["Alpha"]).get("/api/phases/answers/submissions")
    assert (answer.status, answer.record["error"]) == (404, f"nothing is submitted to answers; its proposals are at {PATH}")


def test_who_and_when_and_how_much(event: AnswersEvent, server: ServedEvent) -> None:
    content = write((2, "Indeed"))
    assert send(server.client(), content).status == 401
    assert send(server.client(event.tokens["Ann"]), content).status == 403
    assert send(server.client(event.tokens["organiser"]), content).status == 403
    client = server.client(event.tokens["Gamma"])
    assert send(client, b"x" * (1 << 20)).status == 413
    assert client.ask("POST", "/api/phases/test/proposals", content).status == 409
    assert client.ask("POST", "/api/phases/nothing/proposals", content).status == 404
    server.set_clock(parse_instant(CLOSED, UTC))
    closed = send(client, content)
    assert (closed.status, "closed at" in closed.record["error"]) == (409, True)
