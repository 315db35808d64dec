"""Golds that were replaced: nobody but organisers sees of them what nobody could see while they were in force."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from errata_event.instants import parse_instant

from example_events import DEFINITION, DURING_TEST, GOLD, WHEN_PUBLISHED, ExampleEvent, make_example_event
from served_event import Client, ServedEvent, serve_event

HIDDEN = GOLD.replace(b"|||felt|||", b"|||zqhiddengold|||")
BEFORE, EARLY, LATE = "2026-12-31 12:00 UTC", "2027-01-01 12:00 UTC", "2027-01-02 12:00 UTC"
EARLIER = "Tables of earlier golds"


@pytest.fixture
def stack() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


def replace_gold(example: ExampleEvent, gold: bytes = GOLD) -> None:
    (example.folder / "gold.m2").write_bytes(gold)
    assert example.event.update(str(example.folder / "event.toml"))


def serve(stack: ExitStack, example: ExampleEvent, now: str) -> tuple[ServedEvent, Client, dict[str, Client]]:
    """Serve at an instant, for nobody, and with the tokens of those who take part."""
    tokens = {"team": example.add_with_token("Other")[1], "annotator": example.add_with_token("Judge", "annotator")[1]}
    server = stack.enter_context(serve_event(example.data, None, parse_instant(now)))
    return server, server.client(), {role: server.browser(token) for role, token in tokens.items()}


def check_hidden(clients: list[Client], phase: str, version: str, board: str) -> None:
    """A gold that was replaced, and its board, have no address, link or word on any page."""
    for client in clients:
        for address in (f"golds/{version}", f"tables/{version}", f"tables/{version}/{board}", f"tables/{version}/{board}.csv"):
            answer = client.get(f"/phases/{phase}/{address}")
            assert answer.status == 404, address
            assert b"zqhiddengold" not in answer.whole
        page = client.get(f"/phases/{phase}")
        assert (page.status, EARLIER in page.text, version in page.text) == (200, False, False)


def test_a_gold_that_was_given_by_mistake_is_not_sent(tmp_path: Path, stack: ExitStack) -> None:
    """The hidden gold of the test, corrected before the phase opened in which the gold can be read."""
    example = make_example_event(tmp_path, gold=HIDDEN, now=BEFORE)
    stack.callback(example.event.close)
    replace_gold(example)
    example.clock.set(EARLY)
    example.upload(example.add("Alpha"), "dev")
    server, stranger, others = serve(stack, example, EARLY)
    organiser = server.browser(example.token)
    for _ in range(2):
        check_hidden([stranger, *others.values()], "dev", "gold-1", "ranking-maxmatch")
        assert b"zqhiddengold" not in others["team"].get("/team/phases/dev/gold").body
        assert stranger.get("/phases/dev/golds/gold-2").body == stranger.get("/phases/dev/gold").body
        # An organiser looks at the board under it, which makes it for organisers only.
        assert b"zqhiddengold" in organiser.get("/organiser/phases/dev/golds/gold-1").body
        assert organiser.get("/organiser/phases/dev/tables/gold-1").status == 200
        assert EARLIER in organiser.get("/organiser/phases/dev").text


def test_a_hidden_gold_that_was_replaced_before_publication_has_no_public_board(tmp_path: Path, stack: ExitStack) -> None:
    example = make_example_event(tmp_path, gold=HIDDEN)
    stack.callback(example.event.close)
    example.upload(example.add("Alpha"), "test")
    assert example.board("test") is not None  # an organiser looks
    replace_gold(example)
    server, stranger, others = serve(stack, example, WHEN_PUBLISHED)
    check_hidden([stranger, *others.values()], "test", "gold-1", "ranking-maxmatch")
    assert stranger.get("/phases/test/tables/gold-2").status == 200
    assert server.browser(example.token).get("/organiser/phases/test/tables/gold-1/ranking-maxmatch.csv").status == 200


def test_what_everybody_saw_stays(tmp_path: Path, stack: ExitStack) -> None:
    example = make_example_event(tmp_path, now=EARLY)
    stack.callback(example.event.close)
    example.upload(example.add("Alpha"), "dev")
    assert example.board("dev") is not None
    example.clock.set(LATE)
    replace_gold(example, HIDDEN)
    _, stranger, _ = serve(stack, example, DURING_TEST)
    page = stranger.get("/phases/dev").text
    assert EARLIER in page
    old = stranger.get("/phases/dev/tables/gold-1")
    assert 'href="/phases/dev/golds/gold-1"' in old.text
    first, second = (stranger.get(f"/phases/dev/golds/gold-{number}").body for number in (1, 2))
    assert (b"|||felt|||" in first, b"zqhiddengold" in second) == (True, True)


def test_a_board_may_stay_without_its_gold(tmp_path: Path, stack: ExitStack) -> None:
    """The board was public before the gold was, which was replaced between."""
    example = make_example_event(tmp_path, DEFINITION.replace('gold_visible = "open"', 'gold_visible = "published"'), gold=HIDDEN)
    stack.callback(example.event.close)
    example.upload(example.add("Alpha"), "dev")
    assert example.board("dev") is not None
    replace_gold(example)
    example.clock.set("2027-04-02 12:00 UTC")
    example.event.decide("dev", "publish")
    _, stranger, _ = serve(stack, example, "2027-04-02 12:00 UTC")
    old = stranger.get("/phases/dev/tables/gold-1")
    assert (old.status, "golds/gold-1" in old.text) == (200, False)
    assert stranger.get("/phases/dev/golds/gold-1").status == 404
    assert stranger.get("/phases/dev/golds/gold-2").status == 200
