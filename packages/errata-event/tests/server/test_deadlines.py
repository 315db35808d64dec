"""One second before and after every deadline, over HTTP, across a change of daylight saving; nobody keeps a page beyond the next change."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from example_events import OUTPUTS, ExampleEvent, make_example_event, vary
from served_event import Client, ServedEvent, serve_event

# In Europe/Berlin, clocks go from 02:00 to 03:00 on 28 March 2027; the day has 23 hours.
_DEFINITION = """\
title = "Deadlines"
timezone = "Europe/Berlin"
metrics = ["maxmatch"]
confidence = false

[[phases]]
name = "test"
gold = "gold.m2"
opens = "2027-03-27 20:00"
closes = "2027-03-28 04:00"
grace = "10 minutes"
publishes = "2027-03-28 12:00"
scores = "closed"
board = "published"
names = "published"
gold_visible = "published"
per_day = 3
"""
_OPENS = datetime(2027, 3, 27, 19, tzinfo=UTC)
_MIDNIGHT = datetime(2027, 3, 27, 23, tzinfo=UTC)
_CHANGE = datetime(2027, 3, 28, 1, tzinfo=UTC)
_CLOSES = datetime(2027, 3, 28, 2, tzinfo=UTC)
"""Seven hours after it opens, though clocks show eight."""
_ENDS = _CLOSES + timedelta(minutes=10)
_PUBLISHES = datetime(2027, 3, 28, 10, tzinfo=UTC)
_SECOND = timedelta(seconds=1)
_PUBLIC = ("/", "/phases/test", "/phases/test/source", "/phases/test/gold")


@dataclass
class Timed:
    """A server whose clock is set, and a team."""

    example: ExampleEvent
    server: ServedEvent
    team: Client
    outputs: Iterator[bytes]

    def upload(self, now: datetime) -> int:
        """Upload something new at an instant; return the status."""
        self.server.set_clock(now)
        return self.team.submit("test", next(self.outputs)).status

    def statuses(self, now: datetime) -> list[int]:
        """The statuses of the public pages at an instant."""
        self.server.set_clock(now)
        return [self.server.client().get(path).status for path in _PUBLIC]


@pytest.fixture
def timed(tmp_path: Path) -> Iterator[Timed]:
    with ExitStack() as stack:
        example = make_example_event(tmp_path, _DEFINITION, None, "2027-03-27 18:00 UTC")
        stack.callback(example.event.close)
        token = example.add_with_token("A name to be hidden")[1]
        server = stack.enter_context(serve_event(example.data, None, example.clock.now))
        yield Timed(example, server, server.client(token), iter(vary(40)))
        assert server.log == ""


def test_uploads_around_deadlines(timed: Timed) -> None:
    assert timed.upload(_OPENS - _SECOND) == 409
    assert timed.upload(_OPENS) == 201
    assert timed.upload(_OPENS + _SECOND) == 201
    assert timed.upload(_CHANGE - _SECOND) == 201  # of the next day
    assert timed.upload(_CHANGE) == 201
    assert timed.upload(_CLOSES - _SECOND) == 201
    assert timed.upload(_CLOSES) == 429  # the limit of the day, and not the deadline
    assert timed.upload(_ENDS - _SECOND) == 429
    assert timed.upload(_ENDS) == 409
    assert timed.upload(_ENDS + _SECOND) == 409


def test_uploads_in_the_grace_period(timed: Timed) -> None:
    assert [timed.upload(now) for now in (_CLOSES, _CLOSES + _SECOND, _ENDS - _SECOND, _ENDS)] == [201, 201, 201, 409]
    timed.server.set_clock(_ENDS)
    refused = timed.team.submit("test", OUTPUTS["eager"])
    assert "2027-03-28 04:00 CEST (UTC+02:00)" in refused.record["error"]


def test_a_day_of_limits_ends_at_midnight_of_the_event(timed: Timed) -> None:
    assert [timed.upload(_MIDNIGHT - _SECOND) for _ in range(4)] == [201, 201, 201, 429]
    listed = timed.team.get("/api/phases/test/submissions").record
    assert datetime.fromisoformat(listed["quota"]["resets_at"]) == _MIDNIGHT
    assert timed.upload(_MIDNIGHT) == 201
    listed = timed.team.get("/api/phases/test/submissions").record
    assert (listed["quota"]["today"], listed["quota"]["total"]) == (1, 4)
    assert datetime.fromisoformat(listed["quota"]["resets_at"]) == _MIDNIGHT + timedelta(hours=23)


def test_pages_around_deadlines(timed: Timed) -> None:
    assert timed.statuses(_OPENS - _SECOND) == [200, 200, 404, 404]
    assert timed.statuses(_OPENS) == [200, 200, 200, 404]
    assert timed.upload(_OPENS) == 201
    for now in (_CLOSES, _ENDS, _PUBLISHES - _SECOND):
        assert timed.statuses(now) == [200, 200, 200, 404]
        assert "A name to be hidden" not in timed.server.client().get("/phases/test").text
    assert timed.statuses(_PUBLISHES) == [200, 200, 200, 200]
    assert "A name to be hidden" in timed.server.client().get("/phases/test").text


def test_scores_around_deadlines(timed: Timed) -> None:
    timed.server.set_clock(_OPENS)
    answer = timed.team.submit("test", OUTPUTS["eager"]).record
    assert answer["scores"] is None
    for now, are_shown in ((_ENDS - _SECOND, False), (_ENDS, True), (_PUBLISHES, True)):
        timed.server.set_clock(now)
        (listed,) = timed.team.get("/api/phases/test/submissions").record["submissions"]
        assert (listed["scores"] is not None) == are_shown, now


def test_nobody_keeps_a_page_beyond_the_next_change(timed: Timed) -> None:
    assert timed.upload(_OPENS) == 201
    changes = [_OPENS, _CLOSES, _ENDS, _PUBLISHES]
    before = [0.2, 1, 1.5, 5, 29, 29.9, 30, 31, 3600]
    for change in changes:
        for seconds in before:
            now = change - timedelta(seconds=seconds)
            timed.server.set_clock(now)
            following = min(other for other in changes if other > now)
            for path in _PUBLIC:
                answer = timed.server.client().get(path)
                if answer.status != 200:
                    assert answer.headers["Cache-Control"] == "no-store"
                    continue
                found = re.search(r"max-age=(\d+)", answer.headers["Cache-Control"])
                assert found is not None
                assert now + int(found[1]) * _SECOND <= following, (path, now)
                assert "stale" not in answer.headers["Cache-Control"]


def test_a_page_that_was_kept_is_asked_for_again(timed: Timed) -> None:
    assert timed.upload(_OPENS) == 201
    timed.server.set_clock(_PUBLISHES - _SECOND)
    kept = timed.server.client().get("/phases/test")
    timed.server.set_clock(_PUBLISHES)
    answer = timed.server.client().get("/phases/test", **{"If-None-Match": kept.headers["ETag"]})
    assert answer.status == 200
    same = timed.server.client().get("/phases/test", **{"If-None-Match": answer.headers["ETag"]})
    assert (same.status, same.body) == (304, b"")
