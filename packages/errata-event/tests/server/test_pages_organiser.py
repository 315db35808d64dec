"""The pages of organisers: hidden boards with names, people and their tokens, decisions, and the log."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from errata_event import audit
from errata_event.definition import Visibility
from errata_event.instants import parse_instant
from errata_event.server.organisers import _list_consequences

from pages_event import NAMES, NOW, PagesEvent, make_pages_event
from served_event import Client, ServedEvent, serve_event

TOKEN = re.compile(r"errata_[A-Za-z0-9_-]{43}")
PAGES = ("/organiser", "/organiser/people", "/organiser/log", "/organiser/phases/test", "/organiser/phases/test/close")


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> PagesEvent:
    return make_pages_event(tmp_path_factory.mktemp("event"))


@pytest.fixture(scope="module")
def server(pages: PagesEvent) -> Iterator[ServedEvent]:
    with serve_event(pages.made.data, now=parse_instant(NOW)) as served:
        yield served


@pytest.fixture
def organiser(pages: PagesEvent, server: ServedEvent) -> Client:
    return server.browser(pages.tokens["organiser"])


def test_organisers_see_a_hidden_board_with_names_which_nobody_may_keep(organiser: Client) -> None:
    answer = organiser.get("/organiser/phases/test")
    assert "Only organisers see this leaderboard now." in answer.text
    assert "<bdi>Alpha</bdi>" in answer.text
    assert answer.headers["Cache-Control"] == "no-store"
    table = organiser.get("/organiser/phases/test/tables/gold-2/metrics")
    assert "<bdi>Alpha</bdi>" in table.text
    text = organiser.get("/organiser/phases/test/tables/gold-2/metrics.csv")
    assert "Alpha" in text.text
    assert text.headers["Cache-Control"] == "no-store"


@pytest.mark.parametrize("name", ["Alpha", "Judge", ""])
def test_nobody_else_sees_these_pages(pages: PagesEvent, server: ServedEvent, name: str) -> None:
    client = server.browser(pages.tokens[name]) if name else server.client()
    paths = (
        *PAGES,
        "/organiser/phases/test/tables/gold-1/metrics.csv",
        f"/organiser/submissions/{pages.own}/file",
        "/organiser/people/2/renew",
    )
    for path in paths:
        answer = client.get(path)
        assert answer.status == (403 if name else 303)
        assert not [other for other in NAMES if other in answer.text]
    for path in ("/organiser/people", "/organiser/phases/test/publish", "/organiser/people/2/remove"):
        csrf = client.get("/team").csrf
        assert client.post(path, {"csrf": csrf, "role": "team", "name": "Intruder"}).status == (403 if name else 303)


def test_each_submission_of_a_team_is_shown_with_its_hidden_score(pages: PagesEvent, organiser: Client) -> None:
    team = re.search(r"/organiser/phases/test/teams/\d+", organiser.get("/organiser/phases/test").text)
    assert team is not None
    assert "F0.5" in organiser.get(team[0]).text
    assert "maxmatch(" in organiser.get(f"/organiser/submissions/{pages.hidden}").text
    assert organiser.get(f"/organiser/submissions/{pages.hidden}/file").body
    assert organiser.get(f"/organiser/submissions/{pages.hidden}/report").status == 200
    assert organiser.get("/organiser/phases/test/teams/99999").status == 404


def test_a_token_is_shown_once_and_works(server: ServedEvent, organiser: Client) -> None:
    csrf = organiser.get("/organiser/people").csrf
    answer = organiser.post("/organiser/people", {"csrf": csrf, "role": "team", "name": "Newcomers"})
    assert (answer.status, answer.headers["Cache-Control"]) == (200, "no-store")
    token = TOKEN.search(answer.text)
    assert token is not None
    assert server.client().log_in(token[0]).headers["Location"] == "/team"
    for path in PAGES:
        assert not TOKEN.search(organiser.get(path).text)
    assert token[0] not in server.log
    account = re.search(r"/organiser/people/(\d+)/renew\" aria-label=\"New token for Newcomers", organiser.get("/organiser/people").text)
    assert account is not None
    renew = f"/organiser/people/{account[1]}/renew"
    assert "The old token and all sessions end at once." in organiser.get(renew).text
    renewed = TOKEN.search(organiser.post(renew, {"csrf": csrf}).text)
    assert renewed is not None
    assert server.client().log_in(token[0]).status == 403
    browser = server.browser(renewed[0])
    assert organiser.post(f"/organiser/people/{account[1]}/remove", {"csrf": csrf}).status == 303
    assert browser.get("/team").status == 303
    log = organiser.get("/organiser/log").text
    for action in ("team added", "token renewed", "team removed"):
        assert re.search(rf"organiser <bdi>organiser</bdi></td><td>{action}</td>", log)


def test_names_that_cannot_be_are_refused_on_the_page(organiser: Client) -> None:
    csrf = organiser.get("/organiser/people").csrf
    for name, status in (("alpha", 409), ("x" * 61, 400), ("Team 7", 400), ("a/b", 400), ("", 400)):
        answer = organiser.post("/organiser/people", {"csrf": csrf, "role": "team", "name": name})
        assert answer.status == status
        assert 'role="alert"' in answer.text
    assert organiser.post("/organiser/people", {"csrf": csrf, "role": "organiser", "name": "Another"}).status == 400
    assert organiser.get("/organiser/people/1/remove").status == 404  # an organiser
    assert organiser.get("/organiser/people/2/nonsense").status == 404


def test_decisions_say_what_they_change_and_need_the_form(tmp_path: Path) -> None:
    pages = make_pages_event(tmp_path)
    with serve_event(pages.made.data, now=parse_instant(NOW)) as served:
        organiser = served.browser(pages.tokens["organiser"])
        asked = organiser.get("/organiser/phases/test/close")
        assert "Teams can send no more submissions from now on" in asked.text
        assert organiser.get("/organiser/phases/test/publish").status == 409
        assert organiser.get("/organiser/phases/test/nonsense").status == 404
        assert organiser.post("/organiser/phases/test/close", {}).status == 403
        assert organiser.post("/organiser/phases/test/close", {"csrf": asked.csrf}).status == 303
        assert "Everybody sees the leaderboard, with the names of the teams." in organiser.get("/organiser/phases/test/publish").text
        assert "Alpha" not in served.client().get("/phases/test").text
        assert organiser.post("/organiser/phases/test/publish", {"csrf": asked.csrf}).status == 303
        assert "Alpha" in served.client().get("/phases/test").text
        assert organiser.post("/organiser/phases/test/publish", {"csrf": asked.csrf}).status == 409


def test_consequences_are_those_of_the_definition(pages: PagesEvent) -> None:
    definition, visibility, _ = pages.made.event.moment()
    blind, dev = (definition.phase(name) for name in ("blind", "dev"))
    closing = _list_consequences(definition, visibility, blind, "close")
    assert closing[1:] == ["Everybody sees the leaderboard, without the names of the teams."]
    assert _list_consequences(definition, visibility, blind, "publish") == [
        "The leaderboard, which everybody sees, names the teams.",
        "Everybody can download the gold, and each team sees the report pages of its submissions.",
    ]
    assert _list_consequences(definition, visibility, dev, "publish") == ["Nothing becomes visible that is not visible now."]


def test_publishing_answers_shows_no_board_that_is_hidden(pages: PagesEvent) -> None:
    """The test is published at an instant of its own, or never."""
    definition, _, _ = pages.made.event.moment()
    answers, hidden = definition.phase("answers"), "the leaderboards of Test with the accepted answers"
    told = {}
    for now in (NOW, "2027-03-21 12:00 UTC"):
        visibility = pages.made.event.moment(now=parse_instant(now)).visibility
        told[now] = _list_consequences(definition, visibility, answers, "publish")[-1]
    assert list(told.values()) == [f"Everybody sees {hidden} when that phase is published, and not before.", f"Everybody sees {hidden}."]
    phases = tuple(replace(phase, board="never") if phase.name == "test" else phase for phase in definition.phases)
    private = replace(definition, phases=phases)
    visibility = Visibility(private, {}, parse_instant("2027-03-21 12:00 UTC"))
    assert _list_consequences(private, visibility, answers, "publish")[-1].startswith(f"Only organisers see {hidden}")


def test_the_log_has_pages(pages: PagesEvent, organiser: Client) -> None:
    with pages.made.event.database.write() as transaction:
        for number in range(150):
            audit.record(transaction, pages.made.clock(), None, f"line {number:03}")
    first = organiser.get("/organiser/log").text
    (older,) = re.findall(r'href="(/organiser/log\?before=\d+)" rel="next"', first)
    second = organiser.get(older).text
    assert ["line 149" in first, "line 050" in first, "line 049" in first] == [True, True, False]
    assert ["line 049" in second, "line 000" in second, "line 050" in second] == [True, True, False]
    assert '<a href="/organiser/log" rel="first">' in second
    for strange in ("0", "x", "-1", "9" * 30, "%00"):
        assert organiser.get(f"/organiser/log?before={strange}").status in {200, 400}
