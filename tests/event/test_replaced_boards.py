"""Boards of golds that were replaced stay as everybody saw them, and get the names of teams when these are public."""

from __future__ import annotations

from pathlib import Path

import pytest

from errata.event.boards import Board
from errata.event.gold_versions import find_newest
from errata.event.replaced_boards import find_replaced_board
from errata.task.texts import write_tables

from example_events import AFTER_TEST, DEFINITION, GOLD, ExampleEvent, make_example_event

_BLIND = DEFINITION.replace('scores = "published"\nboard = "published"', 'scores = "closed"\nboard = "closed"')


@pytest.fixture
def made(tmp_path: Path) -> ExampleEvent:
    made = make_example_event(tmp_path, _BLIND)
    for name, system in (("Alpha", "eager"), ("Beta (B)", "cautious")):
        made.upload(made.add(name), "test", system)
    made.clock.set(AFTER_TEST)
    return made


def replace_gold(made: ExampleEvent) -> None:
    (made.folder / "gold.m2").write_bytes(GOLD.replace(b"|||felt|||", b"|||fell|||"))
    assert made.event.update(str(made.folder / "event.toml"))


def find(made: ExampleEvent, *, named: bool) -> Board | None:
    """The board of the first gold."""
    with made.event.database.read() as transaction:
        newest = find_newest(transaction, "test")
        assert newest is not None
        return find_replaced_board(transaction, newest._replace(id=newest.id - 2, number=1), named=named)


def test_an_anonymous_board_stays_and_gets_names(made: ExampleEvent) -> None:
    seen = made.board("test", named=False)
    assert seen is not None
    replace_gold(made)
    assert find(made, named=False) == seen
    named = find(made, named=True)
    assert named is not None
    assert sorted(named.teams) == ["Alpha", "Beta (B)"]
    before, after = (write_tables(board.tables) for board in (seen, named))
    with_names = {}
    for name, text in before.items():
        for anonymous, team in zip(seen.teams, named.teams, strict=True):
            text = text.replace(anonymous, team)  # noqa: PLW2901 - one after the other
        with_names[name] = text
    same = [name for name in after if name.endswith((".csv", ".json"))]  # others have columns, which names make wider
    assert {name: after[name] for name in same} == {name: with_names[name] for name in same}
    assert "Team " not in "".join(after.values())


def test_a_board_that_only_organisers_saw_is_not_shown(made: ExampleEvent) -> None:
    made.clock.set("2027-03-02 12:00 UTC")
    made.board("test")
    replace_gold(made)
    assert find(made, named=True) is None
    assert find(made, named=False) is None


def test_the_last_board_stays_whoever_looked_at_it(made: ExampleEvent) -> None:
    seen = made.board("test", named=False)
    looked_at = made.board("test")
    replace_gold(made)
    assert find(made, named=False) == seen
    assert find(made, named=True) == looked_at
