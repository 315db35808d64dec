from __future__ import annotations

import threading

import pytest

from errata.errors import RequestError, UsageError
from errata_event import submissions, uploading
from errata_event.accounts import Account
from errata_event.submissions import DESCRIPTION, PRIMARY, RESTORED, WITHDRAWN, LimitError, Submission
from errata_event.uploading import ClosedError, mark_submission

from example_events import ExampleEvent


def _upload(event: ExampleEvent, team: Account, name: str, phase: str = "test") -> Submission:
    receipt = event.upload(team, phase, name)
    assert receipt.submission is not None
    return receipt.submission


def _entry(event: ExampleEvent, team: Account, phase: str = "test") -> int | None:
    with event.event.database.read() as transaction:
        chosen = submissions.choose_entries(submissions.list_submissions(transaction, phase))
    return chosen[team.id].number if team.id in chosen else None


def test_marks(event: ExampleEvent) -> None:
    team = event.add("Alpha")
    first, second = _upload(event, team, "eager"), _upload(event, team, "cautious")
    assert _entry(event, team) == 2
    assert mark_submission(event.event, team, first.public_id, PRIMARY).is_primary
    assert _entry(event, team) == 1
    assert mark_submission(event.event, team, second.public_id, PRIMARY).is_primary
    assert _entry(event, team) == 2
    assert mark_submission(event.event, team, second.public_id, WITHDRAWN).is_withdrawn
    assert _entry(event, team) == 1
    with pytest.raises(RequestError, match="a submission that is withdrawn cannot be the primary one; restore it first"):
        mark_submission(event.event, team, second.public_id, PRIMARY)
    mark_submission(event.event, team, first.public_id, WITHDRAWN)
    assert _entry(event, team) is None
    assert not mark_submission(event.event, team, second.public_id, RESTORED).is_withdrawn
    assert _entry(event, team) == 2
    assert mark_submission(event.event, team, first.public_id, DESCRIPTION, " A new\r\nmodel ").description == "A new\nmodel"


def test_what_changes_nothing_is_not_stored(event: ExampleEvent) -> None:
    team = event.add("Alpha")
    first = _upload(event, team, "eager")

    def count() -> int:
        with event.event.database.read() as transaction:
            row = transaction.row("SELECT count(*) FROM marks")
        return int(row[0]) if row is not None else -1

    for kind in (PRIMARY, PRIMARY, WITHDRAWN, WITHDRAWN, RESTORED, RESTORED):
        mark_submission(event.event, team, first.public_id, kind)
    for text in ("", "a", " a ", ""):
        mark_submission(event.event, team, first.public_id, DESCRIPTION, text)
    assert count() == 5


def test_marks_are_bounded(sqlite_event: ExampleEvent, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(uploading, "_MOST_MARKS", 3)
    team = sqlite_event.add("Alpha")
    first = _upload(sqlite_event, team, "eager")
    for text in ("a", "b", "c"):
        mark_submission(sqlite_event.event, team, first.public_id, DESCRIPTION, text)
    with pytest.raises(LimitError, match="a submission can be marked 3 times"):
        mark_submission(sqlite_event.event, team, first.public_id, DESCRIPTION, "d")


@pytest.mark.parametrize("kind", uploading._KINDS)
def test_nobody_else_marks_it_or_learns_that_it_exists(event: ExampleEvent, kind: str) -> None:
    team = event.add("Alpha")
    first = _upload(event, team, "eager")
    for other in (event.add("Beta"), event.add("Ann", "annotator"), event.organiser()):
        for name in (first.public_id, "a" * 12, "\x00"):
            with pytest.raises(RequestError, match=r"^there is no such submission$"):
                mark_submission(event.event, other, name, kind)


@pytest.mark.parametrize("kind", uploading._KINDS)
def test_nothing_changes_once_the_phase_has_closed(event: ExampleEvent, kind: str) -> None:
    team = event.add("Alpha")
    first = _upload(event, team, "eager")
    if kind == RESTORED:
        mark_submission(event.event, team, first.public_id, WITHDRAWN)
    event.clock.set("2027-03-07 12:10:00 UTC")
    with pytest.raises(ClosedError, match="the phase test closed at"):
        mark_submission(event.event, team, first.public_id, kind, "later")
    event.clock.set("2027-03-07 12:09:59 UTC")
    mark_submission(event.event, team, first.public_id, kind, "in time")


def test_what_is_no_mark(sqlite_event: ExampleEvent) -> None:
    team = sqlite_event.add("Alpha")
    first = _upload(sqlite_event, team, "eager")
    with pytest.raises(UsageError, match="expected one of primary, withdrawn, restored, description, found 'deleted'"):
        mark_submission(sqlite_event.event, team, first.public_id, "deleted")
    with pytest.raises(RequestError, match="a description has no control characters"):
        mark_submission(sqlite_event.event, team, first.public_id, DESCRIPTION, "\x00")


def test_a_mark_waits_for_organisers_who_are_closing_the_phase(event: ExampleEvent) -> None:
    """They have read the clock, but their decision is not yet stored: a mark that is stored now would come after the end."""
    from errata_event.event import LOCK

    team = event.add("Alpha")
    first = _upload(event, team, "eager")
    failed: list[Exception] = []

    def mark() -> None:
        try:
            mark_submission(event.event, team, first.public_id, WITHDRAWN)
        except ClosedError as error:
            failed.append(error)

    thread = threading.Thread(target=mark)
    with event.event.database.write(LOCK) as transaction:
        now = event.event.moment(transaction).now
        thread.start()
        thread.join(0.2)
        assert thread.is_alive()
        transaction.insert("INSERT INTO decisions (phase, kind, at) VALUES (?, ?, ?)", "test", "close", int(now.timestamp() * 1e6))
    thread.join(20)
    assert len(failed) == 1
    assert _entry(event, team) == 1
