"""The pages of a team: uploads and their answers, marks, scores where they are visible, and nothing of other teams."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator

import pytest

from errata_event.accounts import SESSION_LIFETIME
from errata_event.instants import parse_instant

from example_events import vary
from pages_event import NOW, PagesEvent, make_pages_event
from served_event import Answer, Client, ServedEvent, serve_event

TEXTS = vary(40)[12:]


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> PagesEvent:
    return make_pages_event(tmp_path_factory.mktemp("event"))


@pytest.fixture(scope="module")
def server(pages: PagesEvent) -> Iterator[ServedEvent]:
    with serve_event(pages.made.data, now=parse_instant(NOW)) as served:
        yield served


@pytest.fixture
def delta(pages: PagesEvent, server: ServedEvent) -> Client:
    return server.browser(pages.tokens["Delta"])


@pytest.fixture
def alpha(pages: PagesEvent, server: ServedEvent) -> Client:
    return server.browser(pages.tokens["Alpha"])


def send(client: Client, phase: str, content: bytes, description: str = "") -> Answer:
    csrf = client.get("/team").csrf
    return client.post_file(f"/team/phases/{phase}", {"csrf": csrf, "description": description}, content)


def quota(client: Client, phase: str) -> str:
    found = re.search(r"\d+ submissions? left", client.get(f"/team/phases/{phase}").text)
    return found[0] if found else ""


def test_an_upload_is_accepted_and_shown_with_its_score(delta: Client) -> None:
    answer = send(delta, "dev", TEXTS[0], "A <b>bold</b> attempt")
    assert answer.status == 303
    page = delta.get(answer.headers["Location"]).text
    assert "Accepted as submission 2." in page
    assert "A &lt;b&gt;bold&lt;/b&gt; attempt" in page
    assert re.search(r'<td class="number">\d+\.\d\d</td><td class="signature">maxmatch\(', page)
    path = answer.headers["Location"].partition("?")[0]
    assert delta.get(f"{path}/file").body == TEXTS[0]
    again = send(delta, "dev", TEXTS[0])
    assert again.headers["Location"] == f"{path}?accepted=same"
    assert "You have submitted this file before" in delta.get(again.headers["Location"]).text


def test_a_refused_upload_shows_every_problem_and_costs_nothing(delta: Client) -> None:
    before = quota(delta, "dev")
    lines = TEXTS[1].split(b"\n")
    lines[3], lines[7] = b"\xff broken", b"nul \0 inside"
    answer = send(delta, "dev", b"\n".join(lines), "kept")
    assert answer.status == 422
    assert "line 4" in answer.text
    assert 'value="kept"' in answer.text
    short = send(delta, "dev", b"one line\n")
    assert short.status == 422
    assert "72" in short.text
    assert quota(delta, "dev") == before != ""


def test_a_form_without_a_file_is_refused_on_the_page(delta: Client) -> None:
    csrf = delta.get("/team").csrf
    answer = delta.post("/team/phases/dev", {"csrf": csrf})
    assert answer.status == 422
    assert "No file was sent" in answer.text


def test_an_upload_that_is_larger_than_its_source_allows_is_refused_on_the_page(delta: Client) -> None:
    answer = send(delta, "dev", b"x" * 500_000)
    assert answer.status == 413
    assert "xpected at most" in answer.text
    assert 'name="file"' in answer.text


def test_limits_and_closed_phases_are_told_on_the_page(delta: Client) -> None:
    for text in TEXTS[10:15]:
        assert send(delta, "test", text).status == 303
    page = send(delta, "test", TEXTS[15])
    assert page.status == 429
    assert "This phase accepts 5 submissions of a team" in page.text
    assert "None left" in page.text
    assert send(delta, "blind", TEXTS[15]).status == 409
    assert send(delta, "later", TEXTS[15]).status == 409
    assert send(delta, "answers", TEXTS[15]).status == 404


def test_hidden_scores_are_on_no_page(pages: PagesEvent, alpha: Client) -> None:
    page = alpha.get(f"/team/submissions/{pages.hidden}")
    assert "Scores are hidden until the phase is published." in page.text
    assert "maxmatch(" not in page.text
    assert "/report" not in page.text
    assert alpha.get(f"/team/submissions/{pages.hidden}/report").status == 404
    assert alpha.get("/team/phases/test/gold").status == 404
    listed = alpha.get("/team/phases/test").text
    assert "F0.5" not in listed


def test_a_report_has_a_policy_that_takes_it_out_of_the_origin(pages: PagesEvent, alpha: Client) -> None:
    answer = alpha.get(f"/team/submissions/{pages.own}/report")
    assert answer.status == 200
    assert "sandbox" in answer.headers["Content-Security-Policy"]
    assert "allow-same-origin" not in answer.headers["Content-Security-Policy"]
    assert answer.headers["Cache-Control"] == "no-store"
    again = alpha.get(f"/team/submissions/{pages.own}/report")
    assert again.body == answer.body


@pytest.mark.parametrize("part", ["", "/file", "/report"])
def test_a_submission_of_another_team_is_as_unknown_as_none(pages: PagesEvent, delta: Client, part: str) -> None:
    other, none = (delta.get(f"/team/submissions/{name}{part}") for name in (pages.own, "0" * len(pages.own)))
    assert other.status == none.status == 404
    assert other.whole == none.whole


@pytest.mark.parametrize("action", ["primary", "withdraw", "restore", "description"])
def test_nobody_can_change_a_submission_of_another_team(pages: PagesEvent, delta: Client, action: str) -> None:
    csrf = delta.get("/team").csrf
    answers = [
        delta.post(f"/team/submissions/{name}/{action}", {"csrf": csrf, "description": "x"}) for name in (pages.own, "0" * len(pages.own))
    ]
    assert [answer.status for answer in answers] == [404, 404]
    assert answers[0].whole == answers[1].whole


def test_marks_change_which_one_counts(delta: Client) -> None:
    paths = [send(delta, "dev", text).headers["Location"].partition("?")[0] for text in TEXTS[20:22]]
    csrf = delta.get("/team").csrf

    def do(path: str, action: str, **fields: str) -> str:
        answer = delta.post(f"{path}/{action}", {"csrf": csrf, **fields})
        assert (answer.status, answer.headers["Location"]) == (303, path)
        return delta.get(path).text

    assert "because it is the last one that was not withdrawn" in delta.get(paths[1]).text
    assert "because it is marked as primary" in do(paths[0], "primary")
    assert "does not count, because submission" in delta.get(paths[1]).text
    assert ">Restore</button>" in do(paths[0], "withdraw")
    assert "<strong>counts</strong>" in delta.get(paths[1]).text
    assert "because it is marked as primary" in do(paths[0], "restore")
    assert "A new description" in do(paths[0], "description", description="A new description")
    assert delta.post(f"{paths[0]}/nonsense", {"csrf": csrf}).status == 404
    assert delta.post(f"{paths[0]}/withdraw", {}).status == 403


def test_an_earlier_file_that_is_sent_again_says_what_counts(server: ServedEvent, pages: PagesEvent) -> None:
    team = server.browser(pages.made.add_with_token("Again")[1])
    first, later, again = (send(team, "dev", text).headers["Location"] for text in (TEXTS[24], TEXTS[25], TEXTS[24]))
    assert " counts, " not in team.get(later).text
    page = team.get(again).text
    assert (
        "this is still submission 1, and it used up no limit. But submission 2 counts, because it was accepted later. Mark this one" in page
    )
    csrf = team.get("/team").csrf
    team.post(f"{first.partition('?')[0]}/primary", {"csrf": csrf})
    third = team.get(send(team, "dev", TEXTS[26]).headers["Location"]).text
    assert "Accepted as submission 3. But submission 1 counts, because it is marked as primary. Mark this one" in third
    assert "does not count, because submission 1 does" in third


def test_what_was_typed_comes_back_as_it_was(delta: Client) -> None:
    typed = 'Two models,\nthen & "a vote".\u200b'
    refused = send(delta, "dev", b"too short\n", typed).text
    assert typed in [
        html.unescape(found) for found in re.findall(r'name="description" type="text" maxlength="2000" value="(.*?)">', refused, re.DOTALL)
    ]
    path = send(delta, "dev", TEXTS[22], typed).headers["Location"].partition("?")[0]
    page = delta.get(path)
    shown = re.search(r"<textarea[^>]*>(.*?)</textarea>", page.text, re.DOTALL)
    assert shown is not None
    assert html.unescape(shown[1]) == typed
    delta.post(f"{path}/description", {"csrf": page.csrf, "description": html.unescape(shown[1])})
    assert delta.get(path).whole == page.whole


def test_one_who_must_log_in_comes_back_to_the_page(pages: PagesEvent, server: ServedEvent) -> None:
    client = server.client()
    path = f"/team/submissions/{pages.own}"
    asked = client.get(path)
    assert asked.status == 303
    form = client.get(asked.headers["Location"])
    assert f'name="next" value="{path}"' in form.text
    assert client.post("/login", {"token": pages.tokens["Alpha"], "next": path}).headers["Location"] == path


@pytest.mark.parametrize(
    "path", ["//evil.example/team", "https://evil.example/team", "/team\\evil", "/team%0d%0aX: 1", "/organiser", "/teams"]
)
def test_a_log_in_leads_to_no_other_site(pages: PagesEvent, server: ServedEvent, path: str) -> None:
    assert server.client().post("/login", {"token": pages.tokens["Alpha"], "next": path}).headers["Location"] == "/team"


def test_a_form_of_a_session_that_ended_comes_back_to_its_page(server: ServedEvent) -> None:
    origin = f"http://{server.host}:{server.port}"
    answer = server.client().post("/team/phases/dev", {"csrf": "0"}, Referer=f"{origin}/team", Origin=origin)
    assert (answer.status, answer.headers["Location"]) == (303, "/login?next=%2Fteam")
    answer = server.client().post("/team/phases/dev", {"csrf": "0"}, Referer="http://evil.example/team")
    assert answer.headers["Location"] == "/login"


def test_other_roles_do_not_see_the_pages_of_teams(pages: PagesEvent, server: ServedEvent) -> None:
    for name in ("Judge", "organiser"):
        answer = server.browser(pages.tokens[name]).get("/team")
        assert answer.status == 403
        assert "this page is for teams" in answer.text.lower()


def test_a_long_list_has_pages(delta: Client) -> None:
    assert delta.get("/team/phases/dev?page=99").status == 200
    assert delta.get("/team/phases/dev?page=nonsense").status == 200


def test_a_session_that_has_expired_leads_back_to_its_page(pages: PagesEvent, server: ServedEvent) -> None:
    client = server.browser(pages.tokens["Alpha"])
    server.set_clock(parse_instant(NOW) + SESSION_LIFETIME)
    answer = client.get("/team/phases/dev?page=2")
    server.set_clock(parse_instant(NOW))
    assert (answer.status, answer.headers["Location"]) == (303, "/login?next=%2Fteam%2Fphases%2Fdev%3Fpage%3D2")
