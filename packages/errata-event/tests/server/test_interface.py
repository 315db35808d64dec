"""What programs ask with a token: phases, uploads and the submissions of their team."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from urllib.parse import quote

import pytest

from errata_event.accounts import Account
from errata_event.instants import parse_instant
from errata_event.submissions import PRIMARY
from errata_event.uploading import mark_submission

from example_events import AFTER_TEST, DEFINITION, DURING_ANSWERS, DURING_TEST, OUTPUTS, ExampleEvent, make_example_event
from served_event import Client, ServedEvent, serve_event


@dataclass
class Programs:
    """A server, and the programs of two teams and two others."""

    example: ExampleEvent
    server: ServedEvent
    team: Client
    other: Client
    organiser: Client
    annotator: Client


@pytest.fixture
def programs(tmp_path: Path) -> Iterator[Programs]:
    with ExitStack() as stack:
        example = make_example_event(tmp_path)
        stack.callback(example.event.close)
        server = stack.enter_context(serve_event(example.data, None, example.clock.now))
        tokens = [example.add_with_token("System 1")[1], example.add_with_token("System 2")[1], example.token]
        tokens.append(example.add_with_token("Judge", "annotator")[1])
        yield Programs(example, server, *map(server.client, tokens))
        assert server.log == ""


def test_phases(programs: Programs) -> None:
    assert programs.server.client().get("/api/phases").status == 401
    found = programs.team.get("/api/phases").record
    assert found["title"] == "The example event"
    assert datetime.fromisoformat(found["now"]) == parse_instant(DURING_TEST)
    assert [(phase["name"], phase["stage"]) for phase in found["phases"]] == [("dev", "open"), ("test", "open"), ("answers", "coming")]
    assert [phase["kind"] for phase in found["phases"]] == ["submissions", "submissions", "alternatives"]


def test_an_upload_with_scores(programs: Programs) -> None:
    answer = programs.team.submit("dev", OUTPUTS["eager"], "Größer – 100%")
    assert answer.status == 201
    assert answer.headers["Content-Type"] == "application/json"
    assert answer.headers["Cache-Control"] == "no-store"
    submission = answer.record["submission"]
    assert (submission["number"], submission["phase"], submission["description"]) == (1, "dev", "Größer – 100%")
    assert submission["sha256"] == hashlib.sha256(OUTPUTS["eager"]).hexdigest()
    assert answer.record["problems"] == []
    assert [score["metric"].partition("(")[0] for score in answer.record["scores"]] == ["maxmatch", "gleu"]
    with programs.example.event.database.read() as transaction:
        stored = transaction.rows("SELECT value FROM scores ORDER BY metric DESC")
    assert [score["value"] for score in answer.record["scores"]] == [value for (value,) in stored]
    assert (answer.record["quota"]["today"], answer.record["quota"]["left"]) == (1, 9)


def test_the_same_upload_again(programs: Programs) -> None:
    first = programs.team.submit("dev", OUTPUTS["eager"], "one")
    again = programs.team.submit("dev", OUTPUTS["eager"], compress=True)
    other = programs.other.submit("dev", OUTPUTS["eager"])
    assert [first.status, again.status, other.status] == [201, 200, 201]
    assert again.record["submission"] == first.record["submission"]
    assert again.record["scores"] == first.record["scores"]
    assert other.record["submission"]["id"] != first.record["submission"]["id"]
    assert again.record["quota"]["today"] == 1


def test_an_earlier_file_that_is_sent_again_does_not_count_until_it_is_marked(programs: Programs) -> None:
    def submit(name: str) -> tuple[int, bool, int]:
        record = programs.team.submit("dev", OUTPUTS[name]).record
        return record["submission"]["number"], record["submission"]["counts"], record["entry"]

    assert [submit(name) for name in ("eager", "cautious", "eager")] == [(1, True, 1), (2, True, 2), (1, False, 2)]
    listed = programs.team.get("/api/phases/dev/submissions").record["submissions"]
    assert [one["submission"]["counts"] for one in listed] == [False, True]
    with programs.example.event.database.read() as transaction:
        team = Account.find(transaction, "team", "System 1")
    mark_submission(programs.example.event, team, listed[0]["submission"]["id"], PRIMARY)
    assert [submit(name) for name in ("rewriter", "eager")] == [(3, False, 1), (1, True, 1)]


def test_an_upload_whose_scores_are_hidden(programs: Programs) -> None:
    answers = [programs.team.submit("test", content).record for content in (OUTPUTS["eager"], OUTPUTS["cautious"])]
    assert [answer["scores"] for answer in answers] == [None, None]
    same = ({key: value for key, value in answer.items() if key not in {"submission", "entry", "quota"}} for answer in answers)
    assert next(same) == next(same)
    listed = programs.team.get("/api/phases/test/submissions").record
    assert [found["scores"] for found in listed["submissions"]] == [None, None]


def test_a_refused_upload_has_all_problems_and_costs_nothing(programs: Programs) -> None:
    lines = OUTPUTS["eager"].split(b"\n")
    answer = programs.team.submit("dev", b"\n".join([b"\xff", b"a\0b", *lines[2:]]))
    assert answer.status == 422
    errors = [problem for problem in answer.record["problems"] if problem["severity"] == "error"]
    assert [error["line"] for error in errors] == [1, 2]
    assert (answer.record["submission"], answer.record["scores"], answer.record["quota"]["today"]) == (None, None, 0)
    assert programs.team.get("/api/phases/dev/submissions").record["submissions"] == []


def test_a_limit(programs: Programs) -> None:
    contents = [OUTPUTS["eager"].replace(b" a ", b" the " * (number + 1)) for number in range(6)]
    statuses = [programs.team.submit("test", content).status for content in contents]
    assert statuses == [201] * 5 + [429]
    refused = programs.team.submit("test", contents[5])
    assert "5 submissions" in refused.record["error"]
    assert programs.team.submit("test", contents[0]).status == 200
    assert programs.other.submit("test", contents[5]).status == 201


@pytest.mark.parametrize(
    ("phase", "now", "status"),
    [("nothing", DURING_TEST, 404), ("answers", DURING_TEST, 409), ("answers", DURING_ANSWERS, 409), ("test", AFTER_TEST, 409)],
)
def test_a_phase_that_takes_nothing(programs: Programs, phase: str, now: str, status: int) -> None:
    programs.server.set_clock(parse_instant(now))
    answer = programs.team.submit(phase, OUTPUTS["eager"])
    assert answer.status == status
    assert answer.record["error"]


def test_only_teams_submit(programs: Programs) -> None:
    for program in (programs.organiser, programs.annotator):
        assert program.get("/api/phases").status == 200
        answer = program.submit("dev", OUTPUTS["eager"])
        assert answer.status == 403
        assert "only teams" in answer.record["error"]
        assert program.get("/api/phases/dev/submissions").status == 403


def test_a_cookie_is_no_token_and_a_token_no_cookie(programs: Programs) -> None:
    browser = programs.server.browser(programs.team.token)
    assert browser.get("/api/phases").status == 401
    assert browser.submit("dev", OUTPUTS["eager"]).status == 401
    assert programs.team.get("/team").status == 303


@pytest.mark.parametrize("scheme", ["Basic", "Token", "", "Bearer Bearer"])
def test_other_ways_to_authorise(programs: Programs, scheme: str) -> None:
    answer = programs.server.client().get("/api/phases", Authorization=f"{scheme} {programs.team.token}".strip())
    assert answer.status == 401
    assert answer.headers["WWW-Authenticate"] == "Bearer"
    assert programs.team.token not in answer.text


def test_a_token_in_an_address_is_not_looked_at(programs: Programs) -> None:
    assert programs.server.client().get(f"/api/phases?token={quote(programs.team.token)}").status == 401


def test_undefined_scores(tmp_path: Path) -> None:
    definition = DEFINITION.replace('metrics = ["maxmatch", "gleu"]', 'metrics = ["maxmatch", "imeasure"]\ntypes = ["Mec"]')
    example = make_example_event(tmp_path, definition)
    token = example.add_with_token("System 1")[1]
    with serve_event(example.data, None, example.clock.now) as server:
        program = server.client(token)
        assert program.submit("dev", OUTPUTS["eager"]).status == 201
        (listed,) = program.get("/api/phases/dev/submissions").record["submissions"]
        assert len(listed["scores"]) == 2
        assert server.log == ""
    example.event.close()
