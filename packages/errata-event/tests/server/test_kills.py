"""A server that is killed at random moments under load: what it acknowledged is there when it runs again, once."""

from __future__ import annotations

import http.client
import random
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from example_events import DEFINITION, make_example_event, vary
from served_event import SOAK, ServedEvent, start_server

pytestmark = pytest.mark.slow
_KILLS = 200 if SOAK else 5
_TEAMS = 4
_LONGEST = 0.4
"""Seconds from the first acknowledged upload until a kill, at most; every fifth server is killed before it."""
_DIFFERENT = 3**8
_PER_PHASE = 1_000_000


class Load:
    """What one team uploads, and what was acknowledged."""

    def __init__(self, token: str, contents: list[bytes]) -> None:
        self.token, self.contents = token, contents
        self.next = 0
        self.has_begun = threading.Event()
        self.acknowledged: dict[str, dict[str, Any]] = {}
        """Answers by hash of the content."""
        self.wrong: list[str] = []

    def upload(self, server: ServedEvent) -> None:
        """Upload until the server is gone; the upload that was not answered is sent again to the next server."""
        client = server.client(self.token)
        while self.next < len(self.contents):
            try:
                answer = client.submit("dev", self.contents[self.next])
            except (OSError, http.client.HTTPException):  # it was killed
                return
            if answer.status not in {200, 201}:
                self.wrong.append(f"{answer.status}: {answer.text[:200]}")
                return
            submission = answer.record["submission"]
            before = self.acknowledged.setdefault(submission["sha256"], answer.record)
            if _lasting(before) != _lasting(answer.record) or before["scores"] != answer.record["scores"]:
                self.wrong.append(f"{before} is now {answer.record}")
            self.next += 1
            self.has_begun.set()

    def check(self, server: ServedEvent) -> None:
        """Fail unless the server has what it acknowledged, each once, and at most the one upload more that was not answered."""
        listed = server.client(self.token).get("/api/phases/dev/submissions").record
        found = {item["submission"]["sha256"]: item for item in listed["submissions"]}
        assert len(found) == len(listed["submissions"])
        assert [item["submission"]["number"] for item in listed["submissions"]] == list(range(1, len(found) + 1))
        assert listed["quota"]["total"] == len(found)
        assert listed["quota"]["left"] == _PER_PHASE - len(found)
        for sha256, record in self.acknowledged.items():
            assert _lasting(found[sha256]) == _lasting(record)
            assert found[sha256]["scores"] == record["scores"]
        assert len(found) - len(self.acknowledged) in {0, 1}


def _lasting(record: dict[str, Any]) -> dict[str, Any]:
    """What does not change of a submission when the team submits another one, which counts instead."""
    return {key: value for key, value in record["submission"].items() if key != "counts"}


def test_nothing_acknowledged_is_lost_by_kills(tmp_path: Path, database_url: str | None) -> None:
    definition = DEFINITION.replace("per_day = 10", f"per_phase = {_PER_PHASE}")
    example = make_example_event(tmp_path, definition, database_url)
    contents = vary(_DIFFERENT)
    loads = [Load(example.add_with_token(f"System {number}")[1], contents) for number in range(_TEAMS)]
    example.event.close()
    draw = random.Random(7)
    moments = [draw.uniform(0, _LONGEST) for _ in range(_KILLS)]
    for number, moment in enumerate(moments, 1):
        server = start_server(example.data, database_url, example.clock.now)
        try:
            for load in loads:
                load.check(server)
                load.has_begun.clear()
            threads = [threading.Thread(target=load.upload, args=(server,)) for load in loads]
            for thread in threads:
                thread.start()
            if number % 5:
                loads[0].has_begun.wait(60)
            time.sleep(moment)
        finally:
            server.kill()
        for thread in threads:
            thread.join()
        server.close_clients()
        assert not [wrong for load in loads for wrong in load.wrong]
    server = start_server(example.data, database_url, example.clock.now)
    try:
        for load in loads:
            load.check(server)
        total = sum(len(load.acknowledged) for load in loads)
        print(f"{_KILLS} kills, {total:,} uploads acknowledged")
        assert total >= _KILLS
        assert server.client().get("/phases/dev").status == 200
        assert server.log == ""
    finally:
        server.stop()
        server.close_clients()
