"""Many uploads at once, and many in all: limits hold, nothing is counted twice, and the board is that of `errata task run`."""

from __future__ import annotations

import html
import json
import re
import threading
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest

from errata.formats import read
from errata.formats.problems import ignore_problem
from errata.language.tagging import suit
from errata.task.definition import read_task
from errata.task.running import run_task
from errata.task.tables import TaskTable
from errata_event import accounts

from example_events import DEFINITION, GOLD, OUTPUTS, make_example_event, vary
from served_event import SOAK, Answer, ServedEvent, serve_event

pytestmark = pytest.mark.slow
_PARALLEL = 50
_REPLAYED = 5_000 if SOAK else 100
_TEAMS = 25
_CLIENTS = 8


def upload_at_once(server: ServedEvent, token: str, contents: Sequence[bytes]) -> list[Answer]:
    """Upload all at the same moment, each on its own connection."""
    answers: list[Answer] = []
    barrier = threading.Barrier(len(contents))

    def upload(content: bytes) -> None:
        client = server.client(token, timeout=120)
        client.get("/health")  # the connection is open before all begin
        barrier.wait()
        answers.append(client.submit("dev", content))

    threads = [threading.Thread(target=upload, args=(content,)) for content in contents]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return answers


def test_one_of_fifty_parallel_uploads_is_accepted_at_a_limit_of_one(tmp_path: Path, database_url: str | None) -> None:
    example = make_example_event(tmp_path, DEFINITION.replace("per_day = 10", "per_day = 1"), database_url)
    token = example.add_with_token("Team")[1]
    with serve_event(example.data, database_url, example.clock.now) as server:
        answers = upload_at_once(server, token, vary(_PARALLEL))
        listed = server.client(token).get("/api/phases/dev/submissions").record
    assert Counter(answer.status for answer in answers) == {201: 1, 429: _PARALLEL - 1}
    (accepted,) = (answer.record["submission"] for answer in answers if answer.status == 201)
    assert [found["submission"] for found in listed["submissions"]] == [accepted]
    assert (listed["quota"]["today"], listed["quota"]["left"]) == (1, 0)
    example.event.close()


def test_the_same_file_fifty_times_in_parallel_is_one_submission(tmp_path: Path, database_url: str | None) -> None:
    example = make_example_event(tmp_path, DEFINITION.replace("per_day = 10", "per_day = 1"), database_url)
    token = example.add_with_token("Team")[1]
    with serve_event(example.data, database_url, example.clock.now) as server:
        answers = upload_at_once(server, token, [OUTPUTS["eager"]] * _PARALLEL)
        listed = server.client(token).get("/api/phases/dev/submissions").record
    assert Counter(answer.status for answer in answers) == {201: 1, 200: _PARALLEL - 1}
    assert len({answer.record["submission"]["id"] for answer in answers}) == 1
    assert len({json.dumps(answer.record["scores"]) for answer in answers}) == 1
    assert (len(listed["submissions"]), listed["quota"]["total"]) == (1, 1)
    example.event.close()


def test_the_board_after_many_submissions_is_that_of_a_task(tmp_path: Path) -> None:
    unlimited = DEFINITION.replace("per_day = 10\n", "")
    example = make_example_event(tmp_path, unlimited)
    tokens = {f"System {number:02}": example.add_with_token(f"System {number:02}")[1] for number in range(_TEAMS)}
    made = vary(_REPLAYED)
    shares = {name: made[index::_TEAMS] for index, name in enumerate(tokens)}
    wrong: list[str] = []

    def replay(server: ServedEvent, names: Sequence[str]) -> None:
        for name in names:
            client = server.client(tokens[name], timeout=120)
            for number, content in enumerate(shares[name], 1):
                answer = client.submit("dev", content)
                if answer.status != 201 or answer.record["submission"]["number"] != number:
                    wrong.append(f"{name} {number}: {answer.status} {answer.text[:200]}")

    with serve_event(example.data, None, example.clock.now) as server:
        started = time.perf_counter()
        threads = [threading.Thread(target=replay, args=(server, list(tokens)[index::_CLIENTS])) for index in range(_CLIENTS)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        seconds = time.perf_counter() - started
        memory = server.resident() / 2**20
        print(f"{_REPLAYED:,} submissions in {seconds:.0f} s, {_REPLAYED / seconds:.0f} a second; {memory:.0f} MB of memory")
        assert not wrong, wrong[:3]
        expected = make_tables(tmp_path / "task", {name: share[-1] for name, share in shares.items()})
        ranking = expected["ranking-maxmatch"].shown
        cells = [column.shown(row[index]) for row in ranking.rows for index, column in enumerate(ranking.columns)]
        shown = wait_for_cells(server, cells)
    assert cells == shown[shown.index(cells[0]) :][: len(cells)]
    board = example.board()
    assert board is not None
    assert str(sorted(board.tables.items())) == str(sorted(expected.items()))
    with example.event.database.read() as transaction:
        count = transaction.row("SELECT count(*) FROM submissions")
        assert count == (_REPLAYED,)
        assert len(accounts.list_accounts(transaction, "team")) == _TEAMS
    example.event.close()


def wait_for_cells(server: ServedEvent, cells: list[str]) -> list[str]:
    """The cells of the tables of a phase, once its board is made; as they are when that takes too long."""
    until = time.monotonic() + 120
    while True:
        page = server.client(timeout=300).get("/phases/dev")
        assert page.status == 200, server.log
        shown = [
            html.unescape(re.sub("<[^>]*>", "", cell)).strip() for cell in re.findall(r"<t[dh]\b[^>]*>(.*?)</t[dh]>", page.text, re.DOTALL)
        ]
        if (cells[0] in shown and shown[shown.index(cells[0]) :][: len(cells)] == cells) or time.monotonic() > until:
            return shown
        time.sleep(0.2)


def make_tables(folder: Path, outputs: dict[str, bytes]) -> dict[str, TaskTable]:
    """The tables that `errata task run` makes of these outputs."""
    folder.mkdir()
    (folder / "gold.m2").write_bytes(GOLD)
    for name, content in outputs.items():
        (folder / f"{name}.txt").write_bytes(content)
    systems = json.dumps([f"{name}.txt" for name in outputs])
    settings = 'title = "The example event: Dev"\nmetrics = ["maxmatch", "gleu"]\nconfidence = false\n'
    (folder / "task.toml").write_text(f'gold = "gold.m2"\nsystems = {systems}\n{settings}', "utf-8")
    task = read_task(str(folder / "task.toml"))
    tagger = suit(task.tagger, read(str(folder / "gold.m2")))
    return dict(run_task(task, tagger, ignore_problem, jobs=1).tables)
