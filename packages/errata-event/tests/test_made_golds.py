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
    made: Cache[tuple[str, str], bool] = Cache(10, clock=lambda: now[0])
    made.put(("test", "state"), value=True, ttl=2.0)
    now[0] = 1.9
    assert [made.get(("test", "state")), made.get(("test", "other")), made.get(("dev", "state"))] == [True, None, None]
    now[0] = 2.0
    assert made.get(("test", "state")) is None
    made.put(("test", "state"), value=True)
    now[0] = 10_000.0
    assert made.get(("test", "state"))


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
