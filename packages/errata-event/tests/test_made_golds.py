"""Who reads a board does not look at all proposals once the golds with accepted answers are made, but sees every later change."""

from __future__ import annotations

from typing import Any

import pytest

from errata_event.answers import golds
from errata_event.answers.golds import _find_unmade, ensure_answer_golds
from errata_event.caching import Cache

from answering import prepare_answers
from example_events import WHEN_PUBLISHED, ExampleEvent

FELT = "At first I felt very lonesome because I knew nobody there ."


def test_what_is_kept_for_a_time_of_its_own_is_looked_at_again() -> None:
    now = [0.0]
    made: Cache[str, str] = Cache(10, clock=lambda: now[0])
    made.put("test", "state", ttl=2.0)
    now[0] = 1.9
    assert [made.get("test"), made.get("dev")] == ["state", None]
    now[0] = 2.0
    assert made.get("test") is None
    made.put("test", "state")
    now[0] = 10_000.0
    assert made.get("test") == "state"


def test_a_value_that_is_too_large_drops_no_other() -> None:
    kept: Cache[str, str] = Cache(10, 100)
    for key in "abc":
        kept.put(key, key, 10)
    kept.put("a", "large", 101)
    assert [kept.get(key) for key in "abc"] == [None, "b", "c"]
    kept.put("d", "fits", 80)
    assert [kept.get(key) for key in "bcd"] == ["b", "c", "fits"]


def test_all_proposals_are_looked_at_once(sqlite_event: ExampleEvent, monkeypatch: pytest.MonkeyPatch) -> None:
    own = prepare_answers(sqlite_event)
    own.judge_all("accept", [own.propose(3, FELT)])
    own.example.clock.set(WHEN_PUBLISHED)
    phase, looked = own.example.phase("test"), []
    compute = golds._compute_state

    def count(*args: Any) -> str:
        looked.append(args)
        return compute(*args)

    monkeypatch.setattr(golds, "_compute_state", count)
    answers = _find_unmade(own.event, phase)
    assert answers is not None
    assert answers.name == "answers"
    ensure_answer_golds(own.event, phase)
    assert _find_unmade(own.event, phase) is None
    before = len(looked)
    for _ in range(10):
        ensure_answer_golds(own.event, phase)
    assert len(looked) == before
    with own.event.database.write("accounts") as transaction:
        own.teams[0].remove(transaction, own.example.clock())
    assert _find_unmade(own.event, phase) is not None


def test_a_team_that_is_admitted_again_is_in_the_gold_again(sqlite_event: ExampleEvent) -> None:
    own = prepare_answers(sqlite_event)
    own.judge_all("accept", [own.propose(3, FELT)])
    own.example.clock.set("2027-03-28 12:00 UTC")  # long after publication, when what is made is not looked at again
    phase = own.example.phase("test")
    for change in (own.teams[0].remove, own.teams[0].renew_token):
        ensure_answer_golds(own.event, phase)
        assert _find_unmade(own.event, phase) is None
        with own.event.database.write("accounts") as transaction:
            change(transaction, own.example.clock())
        assert _find_unmade(own.event, phase) is not None
