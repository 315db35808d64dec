"""Teams propose alternative answers over HTTP: from their edits, as a sentence and as a file; and see nothing of other teams."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from datetime import UTC
from pathlib import Path

import pytest

from errata_event.answers.proposals import propose_edits
from errata_event.instants import parse_instant

from answers_event import CLOSED, COMING, AnswersEvent, make_answers_event
from example_events import DURING_ANSWERS, GOLD, OUTPUTS, WHEN_PUBLISHED, strip_gold
from served_event import Answer, Client, ServedEvent, serve_event

pytestmark = pytest.mark.slow
BASE = "/team/answers/answers"
SENTENCE = 7
"""The output of Alpha has four unmatched edits in it."""
SOURCES = [line.removeprefix(b"S ").decode() for line in strip_gold()]
STATES = re.compile(r'<span class="stage ?\w*">([a-z ]+)</span></h2>')
Serve = Callable[..., tuple[AnswersEvent, ServedEvent]]


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Serve]:
    with ExitStack() as stack:

        def start(*settings: str, now: str = DURING_ANSWERS) -> tuple[AnswersEvent, ServedEvent]:
            folder = tmp_path / f"event-{len(list(tmp_path.iterdir()))}"
            folder.mkdir()
            event = make_answers_event(folder, *settings, now=now)
            stack.callback(event.made.event.close)
            return event, stack.enter_context(serve_event(event.made.data, now=event.made.clock.now))

        yield start


def keys_of(page: Answer, number: int) -> list[str]:
    """The keys of the edits that a page offers in a sentence."""
    part = re.search(rf'id="sentence-{number}".*?</section>', page.text, re.DOTALL)
    return re.findall(r'name="only" value="([^"]+)"', part[0] if part else "")


def send(client: Client, action: str, **fields: str) -> Answer:
    page = client.get(BASE)
    return client.post(f"{BASE}/{action}", {"csrf": page.csrf, **fields})


def names_of(client: Client) -> list[str]:
    """The names of the proposals that can be withdrawn."""
    return re.findall(r'name="item" value="([^"]+)"', client.get(f"{BASE}/proposals").text)


def test_an_edit_is_proposed_with_one_click_and_withdrawn(serve: Serve) -> None:
    event, server = serve()
    client = server.browser(event.tokens["Alpha"])
    page = client.get(BASE)
    keys = keys_of(page, SENTENCE)
    assert len(keys) == 4
    answer = client.post(f"{BASE}/edits", {"csrf": page.csrf, "number": str(SENTENCE), "page": "1", "only": keys[0]})
    assert (answer.status, answer.headers["Location"]) == (303, f"{BASE}?page=1#sentence-{SENTENCE}")
    after = client.get(BASE)
    assert keys_of(after, SENTENCE) == keys[1:]
    assert after.text.count('<strong class="state">Proposed</strong>') == 1
    (name,) = names_of(client)
    assert send(client, "withdraw", item=name).status == 303
    assert keys_of(client.get(BASE), SENTENCE) == keys
    assert names_of(client) == []
    assert "withdrawn" in client.get(f"{BASE}/proposals").text


def test_edits_that_are_ticked_are_one_proposal(serve: Serve) -> None:
    event, server = serve()
    client = server.browser(event.tokens["Alpha"])
    page = client.get(BASE)
    keys = keys_of(page, SENTENCE)
    body = "&".join([f"csrf={page.csrf}", f"number={SENTENCE}", *(f"edit={key}" for key in keys[:2])])
    answer = client.ask("POST", f"{BASE}/edits", body.encode(), {"Content-Type": "application/x-www-form-urlencoded"})
    assert answer.status == 303
    assert len(names_of(client)) == 1
    assert keys_of(client.get(BASE), SENTENCE) == keys  # alone, each can still be proposed
    refused = send(client, "edits", number=str(SENTENCE))
    assert refused.status == 400
    assert "Nothing is ticked" in refused.text
    unknown = send(client, "edits", number=str(SENTENCE), only="wrong-9-9-9")
    assert unknown.status == 409
    assert "no such edit" in unknown.text


def test_a_sentence_is_proposed_and_a_refused_one_is_shown_again(serve: Serve) -> None:
    event, server = serve()
    client = server.browser(event.tokens["Beta"])
    page = client.get(f"{BASE}/sentence?number=1")
    answer = client.post(f"{BASE}/sentence", {"csrf": page.csrf, "number": "1", "text": f"{SOURCES[0]} indeed"})
    assert (answer.status, answer.headers["Location"]) == (303, f"{BASE}/sentence?number=1&done=1")
    assert "You propose:" in client.get(answer.headers["Location"]).text
    refused = client.post(f"{BASE}/sentence", {"csrf": page.csrf, "number": "1", "text": f"  {SOURCES[0]} "})
    assert refused.status == 409
    assert "The gold accepts this already." in refused.text
    typed = client.post(f"{BASE}/sentence", {"csrf": page.csrf, "number": "1", "text": "typed <b>\u200b here"})
    assert "typed &lt;b&gt;" in typed.text
    assert typed.status == 409
    assert client.get(f"{BASE}/sentence?number=0").status == client.get(f"{BASE}/sentence?number=73").status == 404
    assert client.get(f"{BASE}/sentence?number=x").status == 400


def test_a_file_is_taken_whole_or_refused_with_all_problems(serve: Serve) -> None:
    event, server = serve()
    client = server.browser(event.tokens["Gamma"])
    csrf = client.get(f"{BASE}/file").csrf
    lines = [*SOURCES]
    lines[0], lines[4] = f"{SOURCES[0]} today", "tab\tand\u200b"
    refused = client.post_file(f"{BASE}/file", {"csrf": csrf}, "\n".join(lines).encode())
    assert refused.status == 422
    assert "line 5" in refused.text
    short = client.post_file(f"{BASE}/file", {"csrf": csrf}, b"one\ntwo\n")
    assert short.status == 422
    assert names_of(client) == []
    lines[4] = ""
    taken = client.post_file(f"{BASE}/file", {"csrf": csrf}, "\n".join(lines).encode())
    assert (taken.status, taken.headers["Location"]) == (303, f"{BASE}/proposals?taken")
    assert len(names_of(client)) == 1
    gold = client.post_file(f"{BASE}/file", {"csrf": csrf}, GOLD)
    assert gold.status == 422
    assert "nothing is proposed" in gold.text
    again = client.post_file(f"{BASE}/file", {"csrf": csrf}, "".join(f"{line}\n" for line in lines).encode())
    assert again.status == 303
    assert len(names_of(client)) == 1
    assert client.post(f"{BASE}/file", {"csrf": csrf}).status == 422


def test_the_limit_counts_and_is_said(serve: Serve) -> None:
    event, server = serve("per_phase = 2")
    client = server.browser(event.tokens["Alpha"])
    keys = keys_of(client.get(BASE), SENTENCE)
    assert "2 proposals left of 2" in client.get(BASE).text
    assert [send(client, "edits", number=str(SENTENCE), only=key).status for key in keys[:3]] == [303, 303, 429]
    refused = send(client, "edits", number=str(SENTENCE), only=keys[2])
    assert "this phase accepts 2 proposals of a team" in refused.text.lower()
    assert send(client, "edits", number=str(SENTENCE), only=keys[0]).status == 303  # the same again is no new one
    assert len(names_of(client)) == 2


@pytest.mark.parametrize(("now", "status", "word"), [(COMING, 409, "has not opened yet"), (CLOSED, 200, "Nothing can be proposed")])
def test_proposals_are_taken_only_while_the_phase_is_open(serve: Serve, now: str, status: int, word: str) -> None:
    event, server = serve(now=now)
    client = server.browser(event.tokens["Alpha"])
    page = client.get(BASE)
    assert page.status == status
    assert word in page.text
    assert keys_of(page, SENTENCE) == []
    csrf = client.get("/team").csrf
    for action, fields in (("edits", {"only": "wrong-0-0-0"}), ("sentence", {"text": "x"})):
        assert client.post(f"{BASE}/{action}", {"csrf": csrf, "number": "1", **fields}).status == 409


def test_only_teams_propose_and_only_with_their_own_form(serve: Serve) -> None:
    event, server = serve()
    assert server.client().get(BASE).status == 303
    for name in ("Ann", "organiser"):
        assert server.browser(event.tokens[name]).get(BASE).status == 403
    client = server.browser(event.tokens["Alpha"])
    other = server.browser(event.tokens["Beta"]).get(BASE).csrf
    fields = {"number": "1", "text": f"{SOURCES[0]} now"}
    assert client.post(f"{BASE}/sentence", fields).status == 403
    assert client.post(f"{BASE}/sentence", {**fields, "csrf": other}).status == 403
    csrf = client.get(BASE).csrf
    assert client.post(f"{BASE}/sentence", {**fields, "csrf": csrf}, Origin="http://elsewhere.example").status == 403
    assert client.get("/team/answers/test").status == client.get("/team/answers/nothing").status == 404


def without_secrets(answer: Answer) -> str:
    """A page without what is random in every event: the secret of its forms, the names of submissions and the port."""
    return re.sub(r'name="csrf" value="[0-9a-f]+"|/team/submissions/[^"]+|127\.0\.0\.1:\d+', "", answer.text)


def see_all(server: ServedEvent, token: str) -> list[str]:
    client = server.browser(token)
    pages = [BASE, f"{BASE}/proposals", f"{BASE}/file", f"{BASE}/sentence?number={SENTENCE}", "/team", "/phases/answers", "/"]
    program = server.client(token)
    return [without_secrets(client.get(path)) for path in pages] + [program.get("/api/phases/answers/proposals").text]


def test_a_team_sees_the_same_whatever_others_propose_and_judge(serve: Serve) -> None:
    seen = []
    for others in (False, True):
        event, server = serve("pool = false")
        if others:
            beta = server.browser(event.tokens["Beta"])
            csrf = beta.get(f"{BASE}/file").csrf
            assert beta.post_file(f"{BASE}/file", {"csrf": csrf}, OUTPUTS["eager"]).status in {200, 303}
            ann = server.browser(event.tokens["Ann"])
            item = re.search(r'action="(/judging/answers/items/[^"]+)"', (page := ann.get("/judging/answers")).text)
            assert item is not None
            ann.post(item[1], {"csrf": page.csrf, "verdict": "accept"})
        alpha = event.accounts["Alpha"]
        page = server.browser(event.tokens["Alpha"]).get(BASE)
        propose_edits(event.made.event, alpha, "answers", SENTENCE, keys_of(page, SENTENCE)[:1])
        seen.append(see_all(server, event.tokens["Alpha"]))
    assert seen[0] == seen[1]


def test_nobody_withdraws_what_another_team_proposes_nor_learns_of_it(serve: Serve) -> None:
    event, server = serve()
    alpha, beta = (server.browser(event.tokens[name]) for name in ("Alpha", "Beta"))
    send(alpha, "edits", number=str(SENTENCE), only=keys_of(alpha.get(BASE), SENTENCE)[0])
    (name,) = names_of(alpha)
    csrf = beta.get(BASE).csrf
    answers = [
        beta.post(f"{BASE}/withdraw", {"csrf": csrf, "item": item}) for item in (name, f"{name[:-1]}{'0' if name[-1] != '0' else '1'}")
    ]
    assert answers[0].whole == answers[1].whole
    assert answers[0].status == 409
    assert names_of(alpha) == [name]


def test_verdicts_and_comments_are_shown_when_they_are_published(serve: Serve) -> None:
    event, server = serve("pool = false")
    alpha, ann = server.browser(event.tokens["Alpha"]), server.browser(event.tokens["Ann"])
    keys = keys_of(alpha.get(BASE), SENTENCE)
    for key in keys[:3]:
        send(alpha, "edits", number=str(SENTENCE), only=key)
    for verdict, comment in (("accept", "Good <i>work</i>"), ("reject", "No article here")):
        page = ann.get("/judging/answers")
        action = re.search(r'action="(/judging/answers/items/[^"]+)"', page.text)
        assert action is not None
        assert ann.post(action[1], {"csrf": page.csrf, "verdict": verdict, "comment": comment}).status == 303
    before = alpha.get(f"{BASE}/proposals").text
    assert STATES.findall(before) == []
    assert "Good" not in before
    server.set_clock(parse_instant(WHEN_PUBLISHED, UTC))
    after = alpha.get(f"{BASE}/proposals").text
    assert "Good &lt;i&gt;work&lt;/i&gt;" in after
    assert "No article here" in after
    assert sorted(STATES.findall(after)) == ["accepted", "not decided", "rejected"]
    assert "Ann" not in after
