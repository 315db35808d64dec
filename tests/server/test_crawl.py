"""Nobody finds what a phase hides: not in any page, header or error, with any address, and not by comparing servers with other gold."""

from __future__ import annotations

import re
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.routing import Route

from errata.event.accounts import Account
from errata.event.answers.answer_phases import open_answers
from errata.event.answers.golds import make_answer_golds
from errata.event.answers.item_keys import make_item_key
from errata.event.answers.judging import judge_item
from errata.event.answers.proposing import propose_sentence
from errata.event.instants import parse_instant
from errata.event.results import find_scores
from errata.event.submissions import list_submissions
from errata.server.app import make_app
from errata.server.settings import ServerSettings

from crawling import crawl, fill_addresses
from example_events import (
    AFTER_TEST,
    DEFINITION,
    DURING_ANSWERS,
    DURING_TEST,
    GOLD,
    OUTPUTS,
    WHEN_PUBLISHED,
    ExampleEvent,
    make_example_event,
)
from served_event import SOAK, Answer, Client, ServedEvent, serve_event

pytestmark = pytest.mark.slow
_GOLD, _TEXT, _ABOUT, _TEAM = "zqhiddengold", "zqalphatext", "zqalphaabout", "Zqalpha"
"""Words of the hidden gold, of a team's output and its description, and its name."""
_WRONG, _PROPOSED, _COMMENT = "zqwronggold", "zqproposal", "zqcomment"
"""Words of a gold that was replaced before anybody could see it, of what the team proposes, and of a judgment."""
_HIDDEN_GOLD, _WRONG_GOLD = (GOLD.replace(b"|||felt|||", f"|||{word}|||".encode()) for word in (_GOLD, _WRONG))
_OTHER_GOLD = re.sub(rb"(?m)^(A \d+ \d+\|\|\|)\w+\|\|\|[^|]*", rb"\1Mec|||something quite different", GOLD)
_CACHES = {"audit", "sessions", "scores", "boards", "board_tables", "sqlite_sequence"}
_INSTANTS = {"during": DURING_TEST, "after": AFTER_TEST, "answers": DURING_ANSWERS, "published": WHEN_PUBLISHED}
_JUDGED = ("answers", "published")
"""Instants at which there are proposals and judgments, which are published later than the test."""
_NEVER = f"1-{'0' * 16}"
"""A proposal that there is not."""
_VERSIONS = ["gold-2", "gold-3", "proposed-1"]
"""The gold of the test that was replaced, the one in force, and the one with accepted answers."""
_ROLES = ("nobody", "alpha", "other", "annotator", "organiser")


@dataclass
class Crawled:
    """An event with markers, and one client for each role."""

    example: ExampleEvent
    server: ServedEvent
    clients: dict[str, Client]
    programs: dict[str, Client]
    alphas: list[str]
    """The random names of what Alpha submitted."""
    others: list[str]
    scores: list[str]
    """Hidden scores of Alpha, as they may be written."""
    items: list[str] = field(default_factory=lambda: [_NEVER])
    """The keys of what Alpha proposes."""
    answers: dict[str, dict[str, Answer]] = field(default_factory=dict)

    @property
    def routes(self) -> list[Route]:
        """The addresses of the application."""
        guard = make_app(self.example.event, ServerSettings())
        app = guard._app  # type: ignore[attr-defined]
        assert isinstance(app, Starlette)
        return [route for route in app.routes if isinstance(route, Route)]

    def addresses(self, method: str, submissions: list[str]) -> list[str]:
        """All addresses that take a method, with all names that exist and some that do not."""
        known = {
            "phase": ["dev", "test", "answers", "../test"],
            "submission": submissions,
            "version": [*_VERSIONS, "gold-1", "gold-4", "pooled-1", "2"] if SOAK else _VERSIONS,
            "table": ["ranking-maxmatch", "types-maxmatch"] if SOAK else ["ranking-maxmatch"],
            "kind": ["close", "publish", "x"],
            "action": ["primary", "withdraw", "restore", "description", "renew", "remove"],
            "item": self.items,
            "team": ["2", _TEAM],
            "account": ["1", "2"],
            "role": ["team", "annotator", "organiser"],
            "hash": ["0"],
            "name": ["site.css", _TEAM],
        }
        patterns = [route.path for route in self.routes if method in (route.methods or set())]
        return list(fill_addresses(patterns, known))

    def state(self) -> dict[str, list[object]]:
        """All that is stored and is no cache and no log."""
        connection = sqlite3.connect(self.example.data / "event.sqlite")
        try:
            names = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
            return {name: connection.execute(f"SELECT * FROM {name}").fetchall() for name in names if name not in _CACHES}
        finally:
            connection.close()


@pytest.fixture(scope="module", params=_INSTANTS if SOAK else ["during", "answers", "published"])
def instant(request: pytest.FixtureRequest) -> str:
    """An instant before everything is published."""
    return str(request.param)


@pytest.fixture(scope="module")
def crawled(instant: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Crawled]:
    """The event at one of these instants, after all roles have asked for everything."""
    with ExitStack() as stack:
        folder = tmp_path_factory.mktemp(f"crawl-{instant}")
        before, publishes, _ = DEFINITION.rpartition("publishes = ")
        example = make_example_event(folder, f'{before}{publishes}"2027-03-25 12:00 UTC"\n')
        stack.callback(example.event.close)
        definition = (folder / "event.toml").read_text().replace('name = "test"\ngold = "gold.m2"', 'name = "test"\ngold = "hidden.m2"')
        for gold in (_WRONG_GOLD, _HIDDEN_GOLD):
            (folder / "hidden.m2").write_bytes(gold)
            example.event.update(example.write(definition))
        alpha, alpha_token = example.add_with_token(_TEAM)
        tokens = {"alpha": alpha_token, "other": example.add_with_token("Other")[1], "organiser": example.token}
        tokens["annotator"] = example.add_with_token("Judge", "annotator")[1]
        server = stack.enter_context(serve_event(example.data, None, example.clock.now, attempts_per_minute=100_000))
        programs = {role: server.client(token) for role, token in tokens.items()} | {"nobody": server.client()}
        words = OUTPUTS["eager"].split(b" ", 1)
        sent = programs["alpha"].submit("test", words[0] + f" {_TEXT} ".encode() + words[1], _ABOUT)
        assert sent.status == 201
        assert sent.record["scores"] is None
        other = programs["other"].submit("test", OUTPUTS["cautious"])
        also = programs["other"].submit("dev", OUTPUTS["rewriter"])
        with example.event.database.read() as transaction:
            (submission,) = list_submissions(transaction, "test", alpha.id)
            version = example.event.newest_gold(transaction, example.phase("test"))
        values = [score.value for score in find_scores(example.event, submission, version, _TEAM) if score.value is not None]
        scores = sorted({text for value in values for text in (f"{value:.6f}"[:6], f"{100 * value:.2f}")})
        items = judge_proposals(example, alpha) if instant in _JUDGED else [_NEVER]
        server.set_clock(parse_instant(_INSTANTS[instant]))
        clients = {role: server.browser(token) for role, token in tokens.items()} | {"nobody": server.client()}
        ids = [[sent.record["submission"]["id"]], [answer.record["submission"]["id"] for answer in (other, also)]]
        made = Crawled(example, server, clients, programs, ids[0], ids[1], scores, items)
        starts = ["/", "/team", "/judging", "/organiser", "/login", *made.addresses("GET", [*ids[0], *ids[1], "x"])]
        look_at_boards(clients["organiser"])
        for role in _ROLES:
            made.answers[role] = crawl(clients[role], starts)
        made.answers["other's program"] = crawl(programs["other"], starts)
        yield made
        assert server.log == ""


def judge_proposals(example: ExampleEvent, team: Account) -> list[str]:
    """Let a team propose two answers, of which one is accepted; organisers look at the tables with it.  Return their keys."""
    judge = example.add("First judge", "annotator")
    example.clock.set(DURING_ANSWERS)
    sentence = open_answers(example.event, "answers").sentence(1).text
    items = [propose_sentence(example.event, team, "answers", 1, f"{sentence} {word}")[0].item for word in (_PROPOSED, f"{_PROPOSED}s")]
    for item, verdict in zip(items, ("accept", "reject"), strict=True):
        judge_item(example.event, judge, "answers", item.id, verdict, _COMMENT)
    make_answer_golds(example.event, "answers")
    return [make_item_key(item) for item in items]


def look_at_boards(organiser: Client) -> None:
    """An organiser looks at the boards of all golds, also of what was replaced, so that they are made."""
    for version in _VERSIONS:
        organiser.get(f"/organiser/phases/test/tables/{version}")


def find_markers(answers: dict[str, Answer], markers: list[str]) -> list[str]:
    """The addresses whose answers have one of these markers; an address itself may have what was asked with it."""
    return [
        f"{address}: {marker}"
        for address, answer in answers.items()
        for marker in markers
        if marker.encode() in re.sub(rb"(?m)^location: .*$", b"", answer.whole) and marker not in address
    ]


def list_hidden(crawled: Crawled, instant: str, role: str) -> list[str]:
    """What a role must not find at an instant."""
    of_alpha = [_TEXT, _ABOUT, *crawled.alphas, _PROPOSED]
    hidden = [*(crawled.others if role == "alpha" else of_alpha), _WRONG, _COMMENT]
    if role == "annotator" and instant in _JUDGED:  # annotators judge the edits of all teams, and are not told whose they are
        hidden = [word for word in hidden if word not in {_TEXT, _PROPOSED}]
    if instant == "published":
        return hidden
    names = [] if role == "alpha" else [_TEAM]
    gold = [] if instant == "answers" and role != "nobody" else [_GOLD]  # those who are logged in may read it then
    return [*hidden, *names, *crawled.scores, *gold]


def test_what_is_hidden_is_nowhere(crawled: Crawled, instant: str) -> None:
    for who, answers in crawled.answers.items():
        role = who.partition("'")[0]
        if role != "organiser":
            assert find_markers(answers, list_hidden(crawled, instant, role)) == [], who


def test_the_markers_are_found_where_they_may_be(crawled: Crawled, instant: str) -> None:
    """So that the test above can fail."""
    judged = [_PROPOSED, _COMMENT] if instant in _JUDGED else []
    shown = {
        "alpha": [_TEXT, _ABOUT, *judged[:1]],
        "organiser": [_TEXT, _ABOUT, _TEAM, _GOLD, _WRONG, *judged],
        "annotator": [_TEXT, _PROPOSED] if judged else [],
        "nobody": [_GOLD, _TEAM] if instant == "published" else [],
    }
    for role, markers in shown.items():
        for marker in markers:
            assert find_markers(crawled.answers[role], [marker]), (role, marker)
    assert find_markers(crawled.answers["organiser"], crawled.scores)


def test_golds_and_boards_are_asked_for_by_names_that_exist(crawled: Crawled, instant: str) -> None:
    """So that what is hidden is not only missing because nobody asked."""
    for version in _VERSIONS[: 3 if instant in _JUDGED else 2]:
        for address in (f"golds/{version}", f"tables/{version}"):
            assert crawled.answers["organiser"][f"/organiser/phases/test/{address}"].status == 200
            is_public = instant == "published" and version == "gold-3"
            for role in ("nobody", "other", "annotator"):
                assert crawled.answers[role][f"/phases/test/{address}"].status == (200 if is_public else 404), (role, address)


def test_every_answer_is_one_that_is_meant(crawled: Crawled) -> None:
    for role, answers in crawled.answers.items():
        for address, answer in answers.items():
            assert answer.status in {200, 303, 400, 401, 403, 404, 405, 409, 429}, (role, address, answer.status)
            assert "content-security-policy" in {name.lower() for name in answer.headers}, address
            assert answer.headers["X-Content-Type-Options"] == "nosniff"
            if "public" in answer.headers["Cache-Control"]:
                assert "Set-Cookie" not in answer.headers
                assert address.startswith(("/static/", "/phases/")) or address.partition("?")[0] == "/", address


def test_what_caches_keep_is_the_same_for_everybody(crawled: Crawled) -> None:
    stranger = crawled.answers["nobody"]
    for role, answers in crawled.answers.items():
        for address, answer in answers.items():
            if "public" in answer.headers["Cache-Control"] and address in stranger:
                assert answer.whole == stranger[address].whole, (role, address)


def test_pages_of_a_role_are_for_that_role(crawled: Crawled) -> None:
    allowed = {"/team": {"alpha", "other"}, "/judging": {"annotator"}, "/organiser": {"organiser"}}
    for role in _ROLES:
        for address, answer in crawled.answers[role].items():
            start = f"/{address.split('/')[1].partition('?')[0]}"
            if role not in allowed.get(start, {role}):
                assert answer.status in {303, 403, 404, 405}, (role, address, answer.status)


def test_forms_without_a_secret_or_with_names_of_others_change_nothing(crawled: Crawled) -> None:
    before = crawled.state()
    fields = {"text": "changed", "description": "changed", "name": "New", "role": "team", "confirm": "yes", "verdict": "accept"}
    fields |= {"item": crawled.items[0], "number": "1"}
    pages = {"other": "/team", "alpha": "/team", "annotator": "/judging", "organiser": "/organiser", "nobody": "/login"}
    csrf = {role: crawled.clients[role].get(path).csrf for role, path in pages.items()}
    assert csrf["other"]
    assert csrf["other"] != csrf["alpha"]
    own = {"other": "/team", "alpha": "/team", "annotator": "/judging", "organiser": "/organiser", "nobody": "/never"}
    for address in crawled.addresses("POST", crawled.alphas):
        if address.startswith(("/login", "/logout", "/api")):
            continue
        for role in _ROLES:
            client = crawled.clients[role]
            secrets = ["", "0" * 64, csrf["alpha"] if role != "alpha" else csrf["other"]]
            is_of_alpha = crawled.alphas[0] in address or address == "/team/answers/answers/withdraw"
            if not address.startswith(own[role]) or (role == "other" and is_of_alpha):
                secrets.append(csrf[role])
            for secret in secrets:
                answer = client.post(address, {**fields, "csrf": secret})
                assert answer.status in {303, 400, 403, 404, 405, 409}, (role, address, answer.status)
                assert answer.status != 303 or answer.headers["Location"].startswith("/login"), (role, address)
    assert crawled.state() == before


def mask(answer: Answer) -> bytes:
    """An answer without what is random in each server: names of submissions and secrets of sessions."""
    text = re.sub(rb"[0-9a-f]{64}", b"SECRET", answer.whole)
    return re.sub(rb"(?i)etag: .*\n", b"", text)


@pytest.mark.parametrize("instant", ["during", "after"] if SOAK else ["after"])
def test_servers_with_other_hidden_gold_answer_alike(tmp_path: Path, instant: str) -> None:
    first = make_example_event(tmp_path)
    tokens = {"alpha": first.add_with_token("Alpha")[1], "other": first.add_with_token("Other")[1]}
    tokens["annotator"] = first.add_with_token("Judge", "annotator")[1]
    first.event.close()
    seen: list[dict[str, bytes]] = []
    for number, gold in enumerate((_HIDDEN_GOLD, _OTHER_GOLD)):
        folder = tmp_path / str(number)
        folder.mkdir()
        shutil.copytree(first.data, folder / "data")
        example = replace(first, folder=folder).reopen()
        (folder / "gold.m2").write_bytes(GOLD)
        (folder / "hidden.m2").write_bytes(gold)
        definition = (tmp_path / "event.toml").read_text().replace('name = "test"\ngold = "gold.m2"', 'name = "test"\ngold = "hidden.m2"')
        example.event.update(example.write(definition))
        with serve_event(example.data, None, parse_instant(DURING_TEST)) as server:
            seen.append(ask_all(server, tokens, parse_instant(_INSTANTS[instant]), example))
        example.event.close()
    assert seen[0].keys() == seen[1].keys()
    for name, answer in seen[0].items():
        at = next((index for index, (one, other) in enumerate(zip(answer, seen[1][name], strict=False)) if one != other), 0)
        assert answer == seen[1][name], (name, answer[max(0, at - 100) : at + 100])


def ask_all(server: ServedEvent, tokens: dict[str, str], now: object, example: ExampleEvent) -> dict[str, bytes]:
    """Upload what is right and what is wrong, and ask for everything; return all that was answered, without what is random."""
    found: dict[str, bytes] = {}
    ids: list[str] = []
    for role in ("alpha", "other"):
        program = server.client(tokens[role])
        for name, content in {**OUTPUTS, "short": b"a\n", "not text": b"\xff\n", "empty": b""}.items():
            answer = program.submit("test", content, f"{role} {name}")
            found[f"{role} {name}"] = mask(answer)
            if answer.status == 201:
                ids.append(answer.record["submission"]["id"])
    server.set_clock(now)  # type: ignore[arg-type]
    clients = {role: server.browser(token) for role, token in tokens.items()} | {"nobody": server.client()}
    made = Crawled(example, server, clients, {}, ids, [], [])
    starts = ["/", "/team", "/judging", "/login", *made.addresses("GET", [*ids, "x"])]
    for role, client in clients.items():
        for address, answer in crawl(client, [start for start in starts if not start.startswith("/organiser")]).items():
            found[f"{role} {address}"] = mask(answer)
    masked: dict[str, bytes] = {}
    own_port = str(server.port).encode()
    for name, content in found.items():
        for number, id_ in enumerate(ids):
            name, content = name.replace(id_, f"ID{number}"), content.replace(id_.encode(), b"ID%d" % number).replace(own_port, b"PORT")  # noqa: PLW2901
        masked[name] = content
    return masked
