"""Anonymous names: no phase tells anything of another, nor of the order in which teams were added."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest

from errata_event.accounts import _SLOTS, Account, list_aliases

from example_events import AFTER_TEST, ExampleEvent, make_example_event


def list_numbers(event: ExampleEvent, phase: str, teams: list[Account]) -> list[int]:
    with event.event.database.read() as transaction:
        names = list_aliases(transaction, phase, teams)
    return [int(names[team.id].removeprefix("Team ")) for team in teams]


def test_a_phase_with_names_says_nothing_of_one_without(sqlite_event: ExampleEvent) -> None:
    teams = [sqlite_event.add(f"T{number}") for number in range(120)]
    dev, test = (list_numbers(sqlite_event, phase, teams) for phase in ("dev", "test"))
    assert test == list_numbers(sqlite_event, "test", teams)
    assert sum(one == other for one, other in zip(dev, test, strict=True)) < 3
    assert len({(other - one) % _SLOTS for one, other in zip(dev, test, strict=True)}) > 100
    places = [test for _, test in sorted(zip(dev, test, strict=True))]
    assert 30 < sum(before < after for before, after in pairwise(places)) < 90  # half of them by chance


def test_the_numbers_of_a_phase_differ_and_tell_nothing_of_when_a_team_was_added(sqlite_event: ExampleEvent) -> None:
    teams = [sqlite_event.add(f"T{number}") for number in range(120)]
    numbers = list_numbers(sqlite_event, "dev", teams)
    assert numbers != sorted(numbers)
    assert abs(sum(numbers[:60]) - sum(numbers[60:])) / 60 < 2_400  # 5 standard errors
    everyone = [replace(teams[0], id=slot, slot=slot) for slot in range(_SLOTS)]
    assert sorted(list_numbers(sqlite_event, "dev", everyone)) == list(range(1_000, 10_000))  # all are as long as each other


def test_another_event_has_other_numbers(tmp_path_factory: pytest.TempPathFactory) -> None:
    found = []
    for name in ("one", "other"):
        made = make_example_event(tmp_path_factory.mktemp(name))
        team = made.add("Alpha")
        found.append(list_numbers(made, "dev", [replace(team, id=slot, slot=slot) for slot in range(50)]))
        made.event.close()
    assert sum(one == other for one, other in zip(*found, strict=True)) < 5


def test_the_boards_of_two_phases_name_a_team_differently(event: ExampleEvent) -> None:
    for name in ("Alpha", "Beta", "Gamma"):
        team = event.add(name)
        event.upload(team, "dev")
        event.upload(team, "test")
    event.clock.set(AFTER_TEST)
    dev, test = (event.board(phase, named=False) for phase in ("dev", "test"))
    assert dev is not None
    assert test is not None
    assert len({*dev.teams, *test.teams}) > 3
    again = event.reopen()
    assert again.board("test", named=False) == test
    again.event.close()
