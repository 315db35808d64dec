"""An event with words that nobody may find while its phases hide them, and all that its server answers to every role at an instant."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from starlette.applications import Starlette
from starlette.routing import Route

from errata_event.accounts import Account
from errata_event.answers.golds import _make_answer_golds
from errata_event.answers.items import AnswersPhase
from errata_event.answers.judging import judge_item
from errata_event.answers.proposals import propose_sentence
from errata_event.boards import find_scores
from errata_event.instants import parse_instant
from errata_event.server.app import _make_app
from errata_event.server.settings import ServerSettings
from errata_event.submissions import list_submissions

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

HIDDEN_WORD, TEXT, ABOUT, TEAM = "zqhiddengold", "zqalphatext", "zqalphaabout", "Zqalpha"
"""Words of the hidden gold, of a team's output and its description, and its name."""
WRONG, PROPOSED, COMMENT = "zqwronggold", "zqproposal", "zqcomment"
"""Words of a gold that was replaced before anybody could see it, of what the team proposes, and of a judgment."""
HIDDEN_GOLD, _WRONG_GOLD = (GOLD.replace(b"|||felt|||", f"|||{word}|||".encode()) for word in (HIDDEN_WORD, WRONG))
_CACHES = {"audit", "sessions", "scores", "boards", "board_tables", "sqlite_sequence"}
INSTANTS = {"during": DURING_TEST, "after": AFTER_TEST, "answers": DURING_ANSWERS, "published": WHEN_PUBLISHED}
JUDGED = ("answers", "published")
"""Instants at which there are proposals and judgments, which are published later than the test."""
_NEVER = f"1-{'0' * 16}"
"""A proposal that there is not."""
VERSIONS = ["gold-2", "gold-3", "proposed-1"]
"""The gold of the test that was replaced, the one in force, and the one with accepted answers."""
ROLES = ("nobody", "alpha", "other", "annotator", "organiser")


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
        guard = _make_app(self.example.event, ServerSettings())
        app = guard._app  # type: ignore[attr-defined]
        assert isinstance(app, Starlette)
        return [route for route in app.routes if isinstance(route, Route)]

    def addresses(self, method: str, submissions: list[str]) -> list[str]:
        """All addresses that take a method, with all names that exist and some that do not."""
        known = {
            "phase": ["dev", "test", "answers", "../test"],
            "submission": submissions,
            "version": [*VERSIONS, "gold-1", "gold-4", "pooled-1", "2"] if SOAK else VERSIONS,
            "table": ["ranking-maxmatch", "types-maxmatch"] if SOAK else ["ranking-maxmatch"],
            "kind": ["close", "publish", "x"],
            "action": ["primary", "withdraw", "restore", "description", "renew", "remove"],
            "item": self.items,
            "team": ["2", TEAM],
            "account": ["1", "2"],
            "role": ["team", "annotator", "organiser"],
            "hash": ["0"],
            "name": ["site.css", TEAM],
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


@contextmanager
def crawl_event(folder: Path, instant: str) -> Iterator[Crawled]:
    """Make the event in an empty folder, and let all roles ask for everything at an instant."""
    with ExitStack() as stack:
        before, publishes, _ = DEFINITION.rpartition("publishes = ")
        example = make_example_event(folder, f'{before}{publishes}"2027-03-25 12:00 UTC"\n')
        stack.callback(example.event.close)
        definition = (folder / "event.toml").read_text().replace('name = "test"\ngold = "gold.m2"', 'name = "test"\ngold = "hidden.m2"')
        for gold in (_WRONG_GOLD, HIDDEN_GOLD):
            (folder / "hidden.m2").write_bytes(gold)
            example.event.update(example.write(definition))
        alpha, alpha_token = example.add_with_token(TEAM)
        tokens = {"alpha": alpha_token, "other": example.add_with_token("Other")[1], "organiser": example.token}
        tokens["annotator"] = example.add_with_token("Judge", "annotator")[1]
        server = stack.enter_context(serve_event(example.data, None, example.clock.now, attempts_per_minute=100_000))
        programs = {role: server.client(token) for role, token in tokens.items()} | {"nobody": server.client()}
        words = OUTPUTS["eager"].split(b" ", 1)
        sent = programs["alpha"].submit("test", words[0] + f" {TEXT} ".encode() + words[1], ABOUT)
        assert sent.status == 201
        assert sent.record["scores"] is None
        other = programs["other"].submit("test", OUTPUTS["cautious"])
        also = programs["other"].submit("dev", OUTPUTS["rewriter"])
        with example.event.database.read() as transaction:
            (submission,) = list_submissions(transaction, "test", alpha.id)
            version = example.event.newest_gold(transaction, example.phase("test"))
        values = [score.value for score in find_scores(example.event, submission, version, TEAM) if score.value is not None]
        scores = sorted({text for value in values for text in (f"{value:.6f}"[:6], f"{100 * value:.2f}")})
        items = judge_proposals(example, alpha) if instant in JUDGED else [_NEVER]
        server.set_clock(parse_instant(INSTANTS[instant]))
        clients = {role: server.browser(token) for role, token in tokens.items()} | {"nobody": server.client()}
        ids = [[sent.record["submission"]["id"]], [answer.record["submission"]["id"] for answer in (other, also)]]
        made = Crawled(example, server, clients, programs, ids[0], ids[1], scores, items)
        starts = ["/", "/team", "/judging", "/organiser", "/login", *made.addresses("GET", [*ids[0], *ids[1], "x"])]
        look_at_boards(clients["organiser"])
        for role in ROLES:
            made.answers[role] = crawl(clients[role], starts)
        made.answers["other's program"] = crawl(programs["other"], starts)
        yield made
        assert server.log == ""


def judge_proposals(example: ExampleEvent, team: Account) -> list[str]:
    """Let a team propose two answers, of which one is accepted; organisers look at the tables with it.  Return their keys."""
    judge = example.add("First judge", "annotator")
    example.clock.set(DURING_ANSWERS)
    sentence = AnswersPhase.open(example.event, "answers").sentence(1).text
    items = [propose_sentence(example.event, team, "answers", 1, f"{sentence} {word}")[0].item for word in (PROPOSED, f"{PROPOSED}s")]
    for item, verdict in zip(items, ("accept", "reject"), strict=True):
        judge_item(example.event, judge, "answers", item.id, verdict, COMMENT)
    _make_answer_golds(example.event, "answers")
    return [item.key for item in items]


def look_at_boards(organiser: Client) -> None:
    """An organiser looks at the boards of all golds, also of what was replaced, so that they are made."""
    for version in VERSIONS:
        organiser.get(f"/organiser/phases/test/tables/{version}")


def list_hidden(crawled: Crawled, instant: str, role: str) -> list[str]:
    """What a role must not find at an instant."""
    of_alpha = [TEXT, ABOUT, *crawled.alphas, PROPOSED]
    hidden = [*(crawled.others if role == "alpha" else of_alpha), WRONG, COMMENT]
    if role == "annotator" and instant in JUDGED:  # annotators judge the edits of all teams, and are not told whose they are
        hidden = [word for word in hidden if word not in {TEXT, PROPOSED}]
    if instant == "published":
        return hidden
    names = [] if role == "alpha" else [TEAM]
    gold = [] if instant == "answers" and role != "nobody" else [HIDDEN_WORD]  # those who are logged in may read it then
    return [*hidden, *names, *crawled.scores, *gold]
