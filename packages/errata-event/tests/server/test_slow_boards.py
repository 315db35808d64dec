"""Leaderboards that take long to make: nobody waits for them for long, and everything else goes on."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from full_disk import fill_disk
from server_in_thread import ThreadServer, serve_in_thread

from errata_event import boards
from errata_event.answers import golds
from errata_event.answers.golds import preview_tables
from errata_event.boards import ScoredEntries
from errata_event.caching import Maker

from answering import prepare_answers
from example_events import OUTPUTS, WHEN_PUBLISHED, make_example_event, vary

_READERS = 20
_LATER = "is being made; load this page again in a moment"
_FILE = "/phases/dev/tables/gold-1/ranking-maxmatch.csv"


class SlowBoards:
    """Boards are made only while the event is set."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.go_on, self.begun = threading.Event(), threading.Event()
        score = boards.score_entries

        def wait(*args: object) -> ScoredEntries:
            self.begun.set()
            assert self.go_on.wait(60)
            return score(*args)  # type: ignore[arg-type]

        monkeypatch.setattr(boards, "score_entries", wait)


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> Iterator[SlowBoards]:
    slow = SlowBoards(monkeypatch)
    yield slow
    slow.go_on.set()


def _get_until(server: ThreadServer, path: str, text: str) -> str:
    """Load a page until it has a text, as people do."""
    client = server.client()
    for _ in range(200):
        page = client.get(path).text
        if text in page:
            return page
        threading.Event().wait(0.05)
    raise AssertionError(f"{text} never appears in {path}")


def test_readers_of_a_slow_board_stop_nothing_else(tmp_path: Path, slow: SlowBoards) -> None:
    example = make_example_event(tmp_path)
    team, token = example.add_with_token("Alpha")
    example.upload(team, "dev", "eager")
    example.event.maker = Maker(max_wait=0.3)
    with serve_in_thread(example.event) as server, ThreadPoolExecutor(_READERS) as readers:
        pages = [readers.submit(server.client().get, path) for path in ("/phases/dev", _FILE) * (_READERS // 2)]
        assert slow.begun.wait(30)
        assert server.client().get("/health").status == 200
        assert server.client(token).submit("dev", OUTPUTS["cautious"]).status == 201
        assert server.client().log_in(token).status == 303
        answers = [page.result(30) for page in pages]
        for page, file in zip(answers[::2], answers[1::2], strict=True):
            assert (page.status, _LATER in page.text, "No team has submitted" in page.text) == (200, True, False)
            assert page.headers["Cache-Control"] == "public, max-age=2"
            assert (file.status, file.headers["Retry-After"]) == (503, "5")
        slow.go_on.set()
        assert _LATER not in _get_until(server, "/phases/dev", "Alpha")
        assert server.client().get(_FILE).status == 200


def test_the_last_board_is_shown_after_a_restart_while_a_newer_one_is_made(tmp_path: Path, slow: SlowBoards) -> None:
    example = make_example_event(tmp_path)
    team, first, second = example.add("Alpha"), *vary(2)
    example.upload(team, "dev", first)
    slow.go_on.set()
    example.board()
    slow.go_on.clear()
    example.upload(team, "dev", second)
    again = example.reopen()
    again.event.maker = Maker(max_wait=0.1)
    with serve_in_thread(again.event) as server:
        answer = server.client().get("/phases/dev")
        assert "a newer one is being made" in answer.text
        assert answer.headers["Cache-Control"] == "public, max-age=2"
        assert server.client().get(_FILE).headers["Cache-Control"] == "public, max-age=2"
        slow.go_on.set()
        for _ in range(200):
            if "a newer one is being made" not in server.client().get("/phases/dev").text:
                break
            threading.Event().wait(0.05)
        else:
            raise AssertionError("the newer board never appears")
    again.event.close()


def test_organisers_do_not_wait_either(tmp_path: Path, slow: SlowBoards) -> None:
    example = make_example_event(tmp_path)
    example.upload(example.add("Alpha"), "dev", "eager")
    example.event.maker = Maker(max_wait=0.1)
    with serve_in_thread(example.event) as server:
        organiser = server.client()
        assert organiser.log_in(example.token).status == 303
        page = organiser.get("/organiser/phases/dev")
        assert (page.status, _LATER in page.text) == (200, True)
        assert organiser.get("/organiser/phases/dev/tables/gold-1").status == 503
        slow.go_on.set()


def test_a_preview_of_the_tables_takes_no_request_for_long(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    answering = prepare_answers(make_example_event(tmp_path))
    answering.event.maker = Maker(max_wait=0.2)
    go_on = threading.Event()
    preview = preview_tables

    def wait(*args: Any) -> Any:
        assert go_on.wait(60)
        return preview(*args)

    monkeypatch.setattr("errata_event.server.answers.preview_tables", wait)
    with serve_in_thread(answering.event) as server:
        organiser = server.client()
        organiser.log_in(answering.example.token)
        assert "The tables are being made" in organiser.get("/organiser/answers/answers/tables").text
        go_on.set()
        for _ in range(200):
            page = organiser.get("/organiser/answers/answers/tables").text
            if "<table>" in page:
                break
            threading.Event().wait(0.05)
        else:
            raise AssertionError("the tables never appear")
        go_on.clear()
        later = organiser.get("/organiser/answers/answers/tables").text
        assert ["newer ones are being made" in later, "<table>" in later] == [True, True]
        go_on.set()


def test_golds_with_accepted_answers_are_waited_for_in_the_same_way(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    answering = prepare_answers(make_example_event(tmp_path))
    item = answering.propose(1, f"{answering.gold[0].text} indeed")
    golds._make_answer_golds(answering.event, "answers")  # what organisers looked at, which nobody else may see
    answering.judge_all("accept", [item])
    answering.example.clock.set(WHEN_PUBLISHED)
    answering.event.maker = Maker(max_wait=0.5)
    go_on = threading.Event()
    write = golds._write_golds

    def wait(*args: object) -> object:
        assert go_on.wait(60)
        return write(*args)  # type: ignore[arg-type]

    monkeypatch.setattr(golds, "_write_golds", wait)
    with serve_in_thread(answering.event) as server:
        page = server.client().get("/phases/test")
        assert "A leaderboard with alternative answers is being made" in page.text or _LATER in page.text
        assert page.headers["Cache-Control"] == "public, max-age=2"
        assert server.client().get("/phases/test/tables/proposed-1").status == 503
        assert server.client().get("/phases/test/tables/other-1").status == 404
        go_on.set()
        assert "<abbr" in _get_until(server, "/phases/test", "With alternative answers that teams proposed")


def test_a_full_disk_stops_no_page_and_says_where_nothing_is(tmp_path: Path) -> None:
    example = make_example_event(tmp_path)
    team, token = example.add_with_token("Alpha")
    example.upload(team, "dev", "eager")
    fill_disk(example.event.database)
    with serve_in_thread(example.event) as server:
        _get_until(server, "/phases/dev", "Alpha")
        assert server.client().get(_FILE).status == 200
        answer = server.client(token).ask(
            "POST", "/api/phases/dev/submissions", b"x" * 50 + b"\n" + OUTPUTS["cautious"].partition(b"\n")[2]
        )
        assert (answer.status, answer.headers["Retry-After"]) == (503, "30")
        assert answer.record == {"error": "the server cannot use its database now, and has stored nothing; try again later"}
        own = server.client(token).get("/api/phases/dev/submissions")
        assert [one["submission"]["number"] for one in own.record["submissions"]] == [1]
    example.event.close()


def test_a_mistake_of_ours_is_told_to_those_who_wait_and_the_next_tries_again() -> None:
    maker = Maker(max_wait=5)

    def fail() -> None:
        raise RuntimeError("a mistake")

    for _ in range(2):
        with pytest.raises(RuntimeError, match="a mistake"):
            maker.make("x", fail, time.monotonic() + 60)
    made: list[int] = []
    maker.make("x", lambda: made.append(1), time.monotonic() + 60)
    assert made == [1]


def test_few_wait_at_a_time() -> None:
    maker = Maker(most_waiting=1)
    go_on, begun = threading.Event(), threading.Event()

    def make() -> None:
        begun.set()
        assert go_on.wait(30)

    first = threading.Thread(target=maker.make, args=("x", make, time.monotonic() + 60))
    first.start()
    assert begun.wait(30)
    second = threading.Thread(target=maker.make, args=("x", make, time.monotonic() + 60))
    second.start()
    second.join(30)
    assert not second.is_alive()
    assert first.is_alive()
    go_on.set()
    first.join(30)
