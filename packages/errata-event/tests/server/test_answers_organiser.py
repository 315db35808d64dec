"""What organisers see of alternative answers while they are judged, and everybody once they are published."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from datetime import UTC
from pathlib import Path

import pytest

from errata_event.answers.judging import judge_item
from errata_event.answers.outcomes import TeamAnswers
from errata_event.answers.proposals import ensure_pooled, list_proposed_items, propose_edits, propose_sentence
from errata_event.golds import list_gold_versions
from errata_event.instants import parse_instant

from answers_event import CLOSED, AnswersEvent, make_answers_event
from example_events import DURING_ANSWERS, WHEN_PUBLISHED, strip_gold
from served_event import Answer, ServedEvent, serve_event
from whole_event import WholeEvent

pytestmark = pytest.mark.slow
BASE = "/organiser/answers/answers"
SOURCES = [line.removeprefix(b"S ").decode() for line in strip_gold()]
COMMENT = "Right in <this> context"


@pytest.fixture(scope="module")
def event(tmp_path_factory: pytest.TempPathFactory) -> Iterator[AnswersEvent]:
    """Alpha proposes five edits and a sentence; Ann and Ben judge some items, not all alike."""
    answers = make_answers_event(tmp_path_factory.mktemp("event"), "judges = 2")
    made, alpha = answers.made.event, answers.accounts["Alpha"]
    for sentence in TeamAnswers.of(made, alpha, "answers").sentences[:5]:
        propose_edits(made, alpha, "answers", sentence.sentence.number, [sentence.offered[0].unmatched.key])
    propose_sentence(made, alpha, "answers", 2, f"Indeed {SOURCES[1]}")
    ensure_pooled(made, "answers")
    with made.database.read() as transaction:
        items = sorted(list_proposed_items(transaction, "answers"), key=lambda item: (item.sentence, item.key))
    for name, verdicts in (("Ann", "aaaraaar"), ("Ben", "araaaaas")):
        for item, letter in zip(items, verdicts, strict=False):
            judge_item(made, answers.accounts[name], "answers", item.id, {"a": "accept", "r": "reject", "s": "skip"}[letter], COMMENT)
    yield answers
    made.close()


@pytest.fixture(scope="module")
def running(event: AnswersEvent) -> Iterator[ServedEvent]:
    with serve_event(event.made.data, now=event.made.clock.now) as served:
        yield served


@pytest.fixture
def server(running: ServedEvent) -> ServedEvent:
    running.set_clock(parse_instant(DURING_ANSWERS, UTC))
    return running


def words_of(page: Answer) -> str:
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", page.text)).split())


def count_versions(event: AnswersEvent) -> int:
    with event.made.event.database.read() as transaction:
        return len(list_gold_versions(transaction, "test"))


def test_organisers_see_how_far_judging_is(event: AnswersEvent, server: ServedEvent) -> None:
    client = server.browser(event.tokens["organiser"])
    page = words_of(client.get(BASE))
    assert re.search(r"Proposals \d+: 6 of teams, \d+ only from the edits of all teams", page)
    assert re.search(r"Accepted 5 Rejected 0 Disputed 2 , which need a third annotator", page)
    assert re.search(r"Ann 8 \d+ 0 Ben 7 \d+ 1 Cid 0 \d+ 0", page)
    assert "7 proposals judged by two annotators; the same verdict for 71.43 %. Cohen’s kappa -0.17" in page
    assert re.search(r"Alpha 6 \d 0 \d 0", page)
    assert "Judging" in words_of(client.get("/organiser"))
    assert "Proposals and judging" in words_of(client.get("/organiser/phases/answers"))


def test_organisers_see_every_judgment_with_its_comment(event: AnswersEvent, server: ServedEvent) -> None:
    client = server.browser(event.tokens["organiser"])
    everything = client.get(f"{BASE}/items")
    assert everything.text.count("Right in &lt;this&gt; context") == 16
    assert "edits of all teams" in everything.text
    accepted = client.get(f"{BASE}/items?status=accepted")
    assert "5 proposals." in words_of(accepted)
    assert words_of(accepted).count("Ben accepted it") == 5
    assert client.get(f"{BASE}/items?status=nothing").status == 404
    assert "Page 2 of" in words_of(client.get(f"{BASE}/items?page=2"))


def test_tables_are_shown_before_and_nothing_is_kept(event: AnswersEvent, server: ServedEvent) -> None:
    client = server.browser(event.tokens["organiser"])
    before = count_versions(event)
    page = client.get(f"{BASE}/tables")
    assert "Only organisers see these tables" in page.text
    assert re.findall(r"(\d+) accepted, (\d+) rejected", page.text) == [("3", "0"), ("5", "0")]
    assert "made anew each time" in page.text
    assert count_versions(event) == before
    for name in ("Alpha", "Ann"):
        other = server.browser(event.tokens[name])
        assert [other.get(f"{BASE}{path}").status for path in ("", "/items", "/tables")] == [403] * 3
    assert server.client().get(BASE).status == 303


def test_everybody_learns_what_became_of_the_answers_once_they_are_published(event: AnswersEvent, server: ServedEvent) -> None:
    before = server.client().get("/phases/answers")
    assert "Judgments" not in before.text
    assert "kappa" not in before.text
    server.set_clock(parse_instant(WHEN_PUBLISHED, UTC))
    after = words_of(server.client().get("/phases/answers"))
    assert "Proposed 6 corrections by 1 team: 3 accepted, 0 rejected, 3 not decided" in after
    assert re.search(r"With the edits of all teams \d+ corrections: 5 accepted", after)
    assert "Judged by 2 annotators" in after
    assert "7 proposals judged by two annotators" in after
    assert not re.search(r"\b(Ann|Ben|Alpha|context)\b", after)
    board = server.client().get("/phases/test")
    assert board.text.count("†</abbr>") >= 1
    assert "To compare systems, in papers too, use the table without alternative answers" in words_of(board)
    assert "It is the fairer of the tables with alternative answers" in words_of(board)
    assert "The published tables are on the page of" in words_of(server.browser(event.tokens["organiser"]).get(f"{BASE}/tables"))


def test_who_publishes_is_told_what_is_not_decided(tmp_path: Path) -> None:
    answers = make_answers_event(tmp_path, "pool = false")
    propose_sentence(answers.made.event, answers.accounts["Alpha"], "answers", 2, f"Indeed {SOURCES[1]}")
    answers.made.event.close()
    with serve_event(answers.made.data, now=parse_instant(CLOSED, UTC)) as served:
        asked = words_of(served.browser(answers.tokens["organiser"]).get("/organiser/phases/answers/publish"))
        assert "1 proposal is not decided, and will not be accepted" in asked
    by_command = WholeEvent(tmp_path)
    by_command.set_clock(CLOSED)
    said = by_command.run("serve", "publish", "answers", "--data", "data")
    assert "errata: 1 proposal was not decided, and so not accepted" in said
