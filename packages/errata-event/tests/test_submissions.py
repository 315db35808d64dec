from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import pytest

from errata.errors import RequestError, UsageError
from errata_event import audit, submissions, uploading
from errata_event.instants import parse_instant
from errata_event.submissions import LimitError, Submission, choose_entries
from errata_event.uploading import ClosedError, Receipt, _check_description, check_before

from example_events import AFTER_TEST, DEFINITION, ExampleEvent, vary

OUTPUTS = vary(60)


def _list(event: ExampleEvent, phase: str = "dev") -> list[Submission]:
    with event.event.database.read() as transaction:
        return submissions.list_submissions(transaction, phase)


def _upload_at_once(event: ExampleEvent, contents: list[bytes]) -> list[Receipt | Exception]:
    """Upload in threads that begin together; return what each got."""
    team = event.add("Alpha")
    barrier = threading.Barrier(len(contents))
    got: list[Receipt | Exception] = []

    def run(content: bytes) -> None:
        barrier.wait(30)
        try:
            got.append(event.upload(team, "dev", content))
        except RequestError as error:
            got.append(error)

    threads = [threading.Thread(target=run, args=(content,)) for content in contents]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert len(got) == len(contents)
    return got


@pytest.mark.parametrize("limit", ["per_day = 1", "per_phase = 1"])
def test_of_50_different_uploads_at_once_one_is_accepted(make_event: Callable[..., ExampleEvent], limit: str) -> None:
    event = make_event(DEFINITION.replace("per_day = 10", limit))
    got = _upload_at_once(event, OUTPUTS[:50])
    accepted = [receipt for receipt in got if isinstance(receipt, Receipt)]
    assert len(accepted) == 1
    assert accepted[0].quota.left == 0
    assert all(isinstance(error, LimitError) for error in got if isinstance(error, Exception))
    (stored,) = _list(event)
    assert stored == accepted[0].submission


def test_of_20_equal_uploads_at_once_all_are_the_same_submission(make_event: Callable[..., ExampleEvent]) -> None:
    event = make_event(DEFINITION.replace("per_day = 10", "per_day = 1"))
    got = _upload_at_once(event, [OUTPUTS[0]] * 20)
    receipts = [receipt for receipt in got if isinstance(receipt, Receipt)]
    assert len(receipts) == 20
    assert sum(receipt.is_new for receipt in receipts) == 1
    assert {receipt.submission for receipt in receipts} == set(_list(event))
    assert len(_list(event)) == 1


def test_limits_of_a_day_and_of_a_phase(make_event: Callable[..., ExampleEvent]) -> None:
    event = make_event(DEFINITION.replace("per_day = 10", "per_day = 2\nper_phase = 3"))
    team, other = event.add("Alpha"), event.add("Beta")
    assert event.upload(team, "dev", OUTPUTS[0]).quota.left == 1
    assert event.upload(team, "dev", OUTPUTS[1]).quota.left == 0
    with pytest.raises(
        LimitError, match=r"accepts 2 submissions of a team a day, and 2 were accepted today; the next day begins at 2027-03-03 00:00 CET"
    ):
        event.upload(team, "dev", OUTPUTS[2])
    assert event.upload(other, "dev", OUTPUTS[2]).quota.today == 1
    event.clock.set("2027-03-02 22:59:59 UTC")
    with pytest.raises(LimitError):
        event.upload(team, "dev", OUTPUTS[2])
    event.clock.set("2027-03-02 23:00:00 UTC")  # the day of Berlin
    assert event.upload(team, "dev", OUTPUTS[2]).quota.left == 0
    with pytest.raises(LimitError, match="this phase accepts 3 submissions of a team, and 3 were accepted"):
        event.upload(team, "dev", OUTPUTS[3])


@pytest.mark.parametrize(
    ("first", "last", "next_day"),
    [
        ("2027-03-27 23:00:00", "2027-03-28 21:59:59", "2027-03-28 22:00:00"),  # a day of 23 hours in Berlin
        ("2027-10-30 22:00:00", "2027-10-31 22:59:59", "2027-10-31 23:00:00"),  # and one of 25
    ],
)
def test_limits_across_a_change_of_clocks(make_sqlite_event: Callable[..., ExampleEvent], first: str, last: str, next_day: str) -> None:
    definition = DEFINITION.replace("per_day = 10", "per_day = 1").replace("2027-03-31 23:59 AoE", "2027-12-31 23:59 AoE")
    event = make_sqlite_event(definition, first + " UTC")
    team = event.add("Alpha")
    assert event.upload(team, "dev", OUTPUTS[0]).quota.resets_at == parse_instant(next_day + " UTC")
    event.clock.set(last + " UTC")
    with pytest.raises(LimitError):
        event.upload(team, "dev", OUTPUTS[1])
    event.clock.set(next_day + " UTC")
    assert event.upload(team, "dev", OUTPUTS[1]).is_new


def test_the_same_content_again_costs_nothing(event: ExampleEvent) -> None:
    team = event.add("Alpha")
    first = event.upload(team, "test", OUTPUTS[0], "one")
    for number in range(1, 5):
        event.upload(team, "test", OUTPUTS[number])
    again = event.upload(team, "test", OUTPUTS[0])  # although the limit is reached
    assert (first.is_new, again.is_new) == (True, False)
    assert again.submission == first.submission
    assert (again.quota.total, again.quota.left) == (5, 0)
    described = event.upload(team, "test", OUTPUTS[0], "another").submission
    assert described is not None
    assert described.description == "another"
    assert event.upload(event.add("Beta"), "test", OUTPUTS[0]).is_new  # of another team
    assert event.upload(team, "dev", OUTPUTS[0]).is_new  # in another phase


def test_refused_uploads_cost_nothing(event: ExampleEvent) -> None:
    team = event.add("Alpha")
    for content in (b"", b"one line\n", b"\xff\n" * 72, b"\0"):
        receipt = event.upload(team, "test", content)
        assert (receipt.submission, receipt.scores, receipt.quota.total) == (None, None, 0)
        assert any(problem.severity == "error" for problem in receipt.problems)
    assert _list(event, "test") == []
    with event.event.database.read() as transaction:
        assert sum(line.action == "upload refused" for line in audit.read_log(transaction)) == 1
        assert transaction.row("SELECT count(*) FROM contents") == (1,)  # the gold


def test_the_log_has_a_line_of_refused_uploads_a_minute(sqlite_event: ExampleEvent) -> None:
    alpha, beta = sqlite_event.add("Alpha"), sqlite_event.add("Beta")

    def count_refused() -> list[tuple[int | None, Any]]:
        with sqlite_event.event.database.read() as transaction:
            lines = audit.read_log(transaction)
        return [(line.account, line.details["refused"]) for line in reversed(lines) if line.action == "upload refused"]

    for _ in range(5):
        sqlite_event.upload(alpha, "test", b"")
    sqlite_event.upload(beta, "test", b"")
    assert count_refused() == [(alpha.id, 1), (beta.id, 1)]
    sqlite_event.clock.advance(minutes=1)
    sqlite_event.upload(alpha, "test", b"")
    assert count_refused() == [(alpha.id, 1), (beta.id, 1), (alpha.id, 5)]


def test_a_file_that_is_sent_again_and_again_with_other_descriptions_has_the_limit_of_marks(
    sqlite_event: ExampleEvent, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(uploading, "_MOST_MARKS", 3)
    team = sqlite_event.add("Alpha")
    for number in range(3):
        sqlite_event.upload(team, "test", OUTPUTS[0], f"description {number}")
    with pytest.raises(LimitError, match="a submission can be marked 3 times"):
        sqlite_event.upload(team, "test", OUTPUTS[0], "another")
    assert not sqlite_event.upload(team, "test", OUTPUTS[0], "description 2").is_new  # what changes nothing is no mark
    with sqlite_event.event.database.read() as transaction:
        assert transaction.row("SELECT count(*) FROM marks") == (3,)


def test_withdrawn_ones_count(event: ExampleEvent) -> None:
    from errata_event.uploading import mark_submission

    team = event.add("Alpha")
    receipt = event.upload(team, "test", OUTPUTS[0])
    assert receipt.submission is not None
    mark_submission(event.event, team, receipt.submission.public_id, submissions.WITHDRAWN)
    assert event.upload(team, "test", OUTPUTS[1]).quota.total == 2
    again = event.upload(team, "test", OUTPUTS[0])  # it is restored
    assert again.submission is not None
    assert (again.submission.is_withdrawn, again.is_new) == (False, False)


def test_numbers_and_names(event: ExampleEvent) -> None:
    team, other = event.add("Alpha"), event.add("Beta")
    for number in range(3):
        event.upload(team, "dev", OUTPUTS[number])
        event.upload(other, "dev", OUTPUTS[number])
    listed = _list(event)
    assert [(submission.team, submission.number) for submission in listed] == [
        (own.id, number) for number in (1, 2, 3) for own in (team, other)
    ]
    assert len({submission.public_id for submission in listed}) == 6
    with event.event.database.read() as transaction:
        assert submissions.list_submissions(transaction, "dev", other.id) == listed[1::2]
        assert submissions.count_submissions(transaction) == {"dev": (6, 2)}
        for wrong in ("", "x", "\x00", "\ud800", "é" * 12, "a" * 12, "x" * 100_000, listed[0].public_id + "\n"):
            with pytest.raises(RequestError, match="there is no such submission"):
                submissions.find_submission(transaction, wrong)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x" * 2_001, "a description has at most 2,000 characters, found 2,001"),
        ("a\x00b", r"a description has no control characters, found U\+0000 at character 2"),
        ("a\x1b[31m", r"found U\+001B"),
        ("\ud800", r"found U\+D800"),
        ("abc\u202edef", r"found U\+202E at character 4"),
        ("a\x85b", r"found U\+0085"),
    ],
)
def test_descriptions_that_are_refused(sqlite_event: ExampleEvent, text: str, message: str) -> None:
    with pytest.raises(RequestError, match=message):
        sqlite_event.upload(sqlite_event.add("Alpha"), "dev", "eager", text)
    assert _list(sqlite_event) == []


def test_descriptions_are_kept(event: ExampleEvent) -> None:
    text = "  <b>Größe</b> 中\r\n\tnext % ? ' \" \\ \U0001f600  "
    receipt = event.upload(event.add("Alpha"), "dev", "eager", text)
    assert receipt.submission is not None
    assert receipt.submission.description == "<b>Größe</b> 中\n\tnext % ? ' \" \\ \U0001f600"
    assert _list(event) == [receipt.submission]
    assert _check_description("x" * 2_000 + " ") == "x" * 2_000


def test_who_submits_and_when(event: ExampleEvent) -> None:
    team = event.add("Alpha")
    for account in (event.organiser(), event.add("Ann", "annotator")):
        with pytest.raises(RequestError, match="only teams submit"):
            event.upload(account)
    with pytest.raises(RequestError, match="alternative answers are proposed in the phase answers"):
        event.upload(team, "answers")
    with pytest.raises(UsageError, match="there is no phase 'tset'"):
        event.upload(team, "tset")
    for now, message in (
        ("2027-02-28 23:59:59 UTC", "the phase test opens at 2027-03-01 01:00 CET .*; it is 2027-03-01 00:59:59 CET"),
        ("2027-03-07 12:10:00 UTC", "the phase test closed at 2027-03-07 13:00 CET .*; it is 2027-03-07 13:10 CET"),
        (AFTER_TEST, "the phase test closed at"),
    ):
        event.clock.set(now)
        for ask in (lambda: event.upload(team, "test"), lambda: check_before(event.event, "test")):
            with pytest.raises(ClosedError, match=message):
                ask()
    for number, now in enumerate(("2027-03-01 00:00:00 UTC", "2027-03-07 11:59:59 UTC", "2027-03-07 12:09:59 UTC")):
        event.clock.set(now)
        check_before(event.event, "test")
        assert event.upload(team, "test", OUTPUTS[number]).is_new


def test_a_phase_that_organisers_closed(event: ExampleEvent) -> None:
    team = event.add("Alpha")
    assert event.upload(team, "test").is_new
    event.event.decide("test", "close")
    event.clock.advance(seconds=1)
    with pytest.raises(ClosedError, match="the phase test closed at 2027-03-02 13:00 CET"):
        event.upload(team, "test", "cautious")
    for kind, message in (("close", "test is closed already"), ("open", "expected close or publish, found 'open'")):
        with pytest.raises((RequestError, UsageError), match=message):
            event.event.decide("test", kind)
    with pytest.raises(RequestError, match="answers has not opened yet"):
        event.event.decide("answers", "close")
    with pytest.raises(RequestError, match="dev has not closed; errata serve close does that"):
        event.event.decide("dev", "publish")
    event.event.decide("test", "publish")
    with pytest.raises(RequestError, match="test is published already"):
        event.event.decide("test", "publish")


def test_which_submission_of_a_team_counts() -> None:
    def make(id_: int, team: int, *, primary: bool = False, withdrawn: bool = False) -> Submission:
        return Submission(id_, str(id_), team, "dev", id_, parse_instant("2027-03-01 00:00 UTC"), "", "", primary, withdrawn)

    def choose(*given: Submission) -> dict[int, int]:
        return {team: submission.id for team, submission in choose_entries(given).items()}

    assert choose(make(1, 7), make(2, 7), make(3, 8)) == {7: 2, 8: 3}
    assert choose(make(1, 7, primary=True), make(2, 7)) == {7: 1}
    assert choose(make(1, 7, primary=True, withdrawn=True), make(2, 7), make(3, 7, withdrawn=True)) == {7: 2}
    assert choose(make(1, 7, withdrawn=True)) == {}


def test_a_team_that_was_removed_while_it_uploads_is_refused(event: ExampleEvent) -> None:
    team = event.add("Alpha")
    with event.event.database.write() as transaction:
        team.remove(transaction, event.clock())
    with pytest.raises(RequestError, match="the team Alpha was removed from the event"):
        event.upload(team)
    assert _list(event) == []
