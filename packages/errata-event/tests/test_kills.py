"""A process that is killed while it accepts submissions: nothing that it acknowledged is lost, and nothing is there twice.

``ERRATA_SOAK=1`` kills fifty processes instead of five.
"""

from __future__ import annotations

import os
import random
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from errata_event import contents, submissions
from errata_event.accounts import list_accounts
from errata_event.event import Event

from example_events import DEFINITION, ExampleEvent

KILLS = 50 if os.environ.get("ERRATA_SOAK") else 5
TEAMS = 3
DIFFERENT = 3**7
UPLOADS = """
import os, sys, threading
from errata_event.event import Event
from errata_event.accounts import list_accounts
from errata_event.uploading import upload
from example_events import SetClock, vary

folder, url, first = sys.argv[1], sys.argv[2] or None, int(sys.argv[3])
event = Event.open(folder, url, SetClock())
with event.database.read() as transaction:
    teams = list_accounts(transaction, "team")
outputs = vary(3 ** 7)

def submit(team):
    for number in range(first, len(outputs)):
        receipt = upload(event, team, "test", outputs[number], f"number {number}")
        os.write(1, f"{team.id} {number} {receipt.submission.public_id} {receipt.submission.sha256}\\n".encode())

for team in teams:
    threading.Thread(target=submit, args=(team,)).start()
"""
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(Path(__file__).resolve().parent)}


def _run_until_killed(event: ExampleEvent, first: int, acknowledged: int) -> list[list[str]]:
    """Run a process that uploads, and kill it in the middle after it has acknowledged so many; return all that it did."""
    command = [sys.executable, "-c", UPLOADS, str(event.data), event.url or "", str(first)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=ENVIRONMENT) as process:
        assert process.stdout is not None
        lines = [process.stdout.readline() for _ in range(acknowledged)]
        assert process.poll() is None  # it has not ended by itself
        process.send_signal(signal.SIGKILL)
        lines += process.stdout.readlines()
        process.wait(30)
    return [line.decode().split() for line in lines if line.endswith(b"\n")]


@pytest.mark.slow
def test_nothing_that_was_acknowledged_is_lost(make_event: Callable[..., ExampleEvent]) -> None:
    event = make_event(DEFINITION.replace("per_phase = 5", ""))
    for number in range(TEAMS):
        event.add(f"T{number}")
    randomly = random.Random(24)
    acknowledged: list[list[str]] = []
    for _ in range(KILLS):
        known = max((int(number) for _, number, _, _ in acknowledged), default=0)
        # The first upload is one that was acknowledged before: its answer is the same submission.
        acknowledged += _run_until_killed(event, known, randomly.randint(1, 40 if KILLS == 5 else 30))
    opened = Event.open(str(event.data), event.url, event.clock)
    with opened.database.read() as transaction:
        stored = submissions.list_submissions(transaction, "test")
        assert len(list_accounts(transaction, "team")) == TEAMS
        for submission in stored:
            assert contents.get(transaction, submission.sha256)  # whose hash is looked at
    opened.close()
    assert len(acknowledged) > KILLS
    told = {(int(team), name, sha256) for team, _, name, sha256 in acknowledged}
    found = {(submission.team, submission.public_id, submission.sha256) for submission in stored}
    assert told <= found
    assert len(found - told) <= KILLS * TEAMS  # stored, but killed before they were told
    for team in {submission.team for submission in stored}:
        own = [submission for submission in stored if submission.team == team]
        assert [submission.number for submission in own] == list(range(1, len(own) + 1))
        assert len({submission.sha256 for submission in own}) == len(own)
        assert all(submission.description for submission in own)  # the mark of the same transaction
    if event.url is None:
        with sqlite3.connect(event.data / "event.sqlite") as connection:
            assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
            assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
        connection.close()
