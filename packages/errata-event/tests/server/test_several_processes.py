"""Two processes serve one event: limits hold for both together, a session works in both, and both show the same board."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from example_events import DEFINITION, ExampleEvent, make_example_event, vary
from served_event import Answer, ServedEvent, serve_event

_PARALLEL = 20
_ADDRESS = "http://task.example.org"
"""What pages call the server, whichever process answers."""
LIMITED = DEFINITION.replace("per_day = 10", "per_day = 3")


@pytest.fixture
def both(tmp_path: Path, database_url: str | None) -> Iterator[tuple[ExampleEvent, list[ServedEvent]]]:
    """An event, and two servers of it."""
    with ExitStack() as stack:
        example = make_example_event(tmp_path, LIMITED, database_url)
        stack.callback(example.event.close)
        yield (
            example,
            [stack.enter_context(serve_event(example.data, database_url, example.clock.now, public_url=_ADDRESS)) for _ in range(2)],
        )


def test_limits_hold_for_all_processes_together(both: tuple[ExampleEvent, list[ServedEvent]]) -> None:
    example, servers = both
    token = example.add_with_token("Team")[1]
    answers: list[Answer] = []

    def upload(server: ServedEvent, content: bytes) -> None:
        answers.append(server.client(token, timeout=120).submit("dev", content))

    threads = [threading.Thread(target=upload, args=(servers[index % 2], content)) for index, content in enumerate(vary(_PARALLEL))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert Counter(answer.status for answer in answers) == {201: 3, 429: _PARALLEL - 3}
    accepted = sorted(answer.record["submission"]["number"] for answer in answers if answer.status == 201)
    assert accepted == [1, 2, 3]
    listed = [server.client(token).get("/api/phases/dev/submissions").record for server in servers]
    assert listed[0] == listed[1]
    pages = [server.client().get("/phases/dev") for server in servers]
    assert "Team" in pages[0].text
    assert pages[0].headers["ETag"] == pages[1].headers["ETag"]


def test_a_session_works_in_all_processes_until_it_ends_in_one(both: tuple[ExampleEvent, list[ServedEvent]]) -> None:
    example, (one, other) = both
    first, second = one.browser(example.add_with_token("Team")[1]), other.client()
    second.cookies = dict(first.cookies)
    assert second.get("/team").status == 200
    page = first.get("/team")
    assert first.post("/logout", {"csrf": page.csrf}).status == 303
    assert second.get("/team").status == 303
