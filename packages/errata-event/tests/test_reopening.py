"""A deadline can be moved until teams have seen something; then the phase accepts nothing any more."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from errata.errors import RequestError

from example_events import AFTER_TEST, DEFINITION, DURING_ANSWERS, ExampleEvent

LATER = ('closes = "2027-03-07 12:00 UTC"', 'closes = "2027-03-18 12:00 UTC"')
ALONE = DEFINITION.partition('[[phases]]\nname = "answers"')[0]
"""Without alternative answers."""


def move(text: str) -> str:
    return text.replace(*LATER)


def set_test(text: str, *lines: str) -> str:
    """The definition with settings of ``test``."""
    for line in lines:
        key = line.partition(" = ")[0]
        own = [f"{one}\n" for one in text.partition('name = "test"')[2].splitlines() if one.startswith(f"{key} = ")]
        before, name, after = text.partition('name = "test"\n')
        text = before + name + (after.replace(own[0], f"{line}\n", 1) if own else f"{line}\n{after}")
    return text


def test_a_deadline_can_be_moved_while_nothing_is_visible(make_sqlite_event: Callable[..., ExampleEvent]) -> None:
    event = make_sqlite_event(ALONE, AFTER_TEST)
    assert event.event.update(event.write(move(ALONE))) == ["the definition"]
    event.upload(event.add("Alpha"), "test")


@pytest.mark.parametrize(
    ("settings", "seen"),
    [
        (('gold_visible = "closed"',), "gold"),
        (('scores = "closed"',), "scores"),
        (('scores = "closed"', 'board = "closed"'), "scores"),
        (('scores = "open"', 'board = "closed"'), "leaderboard"),
    ],
)
def test_a_phase_stays_closed_once_teams_saw_something(
    make_sqlite_event: Callable[..., ExampleEvent], settings: tuple[str, ...], seen: str
) -> None:
    text = set_test(ALONE, *settings)
    event = make_sqlite_event(text, "2027-03-02 12:00 UTC")
    event.event.update(event.write(text.replace("12:00 UTC", "13:00 UTC", 2)))  # nobody has seen anything
    event.event.update(event.write(text))
    event.clock.set(AFTER_TEST)
    with pytest.raises(RequestError, match=f"the phase test would accept uploads again, though teams could see its {seen} already"):
        event.event.update(event.write(move(text)))
    with pytest.raises(RequestError, match="would accept uploads again"):  # nor by beginning anew
        event.event.update(event.write(text.replace("2027-03-01 00:00", "2027-03-10 00:00").replace(*LATER)))


def test_what_was_seen_is_not_forgotten_by_two_changes(make_sqlite_event: Callable[..., ExampleEvent]) -> None:
    event = make_sqlite_event(set_test(ALONE, 'gold_visible = "closed"'), AFTER_TEST)
    event.event.update(event.write(ALONE))  # the gold is hidden again, and nothing is accepted
    with pytest.raises(RequestError, match="could see its gold already"):
        event.event.update(event.write(move(ALONE)))


def test_a_phase_whose_answers_are_discussed_stays_closed(make_sqlite_event: Callable[..., ExampleEvent]) -> None:
    event = make_sqlite_event(DEFINITION, DURING_ANSWERS)
    without = move(ALONE)
    with pytest.raises(RequestError, match="could see its gold already"):
        event.event.update(event.write(without))


def test_a_phase_that_hides_nothing_can_be_reopened(make_sqlite_event: Callable[..., ExampleEvent]) -> None:
    event = make_sqlite_event(ALONE, "2027-04-02 12:00 UTC")
    event.event.update(event.write(ALONE.replace("2027-03-31 23:59 AoE", "2027-04-30 23:59 AoE")))
    event.upload(event.add("Alpha"), "dev")
