"""Boards of golds that were replaced stay as everybody saw them, and get the names of teams when these are public."""

from __future__ import annotations

from pathlib import Path

import pytest

from errata.task.running import write_tables
from errata_event.accounts import Account
from errata_event.boards import Board, _make, get_replaced
from errata_event.golds import find_newest, list_gold_versions

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
        return get_replaced(transaction, newest._replace(id=newest.id - 2, number=1), named=named)


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


def test_names_that_only_organisers_saw_do_not_make_a_board_public(made: ExampleEvent) -> None:
    seen = made.board("test", named=False)
    looked_at = made.board("test")
    assert seen is not None
    assert looked_at is not None
    assert (seen.is_public, looked_at.is_public) == (True, False)
    replace_gold(made)
    assert find(made, named=False) == seen
    named = find(made, named=True)
    assert named is not None
    assert (named.id, named.is_public) == (seen.id, True)


def test_a_board_of_a_replaced_gold_that_is_made_now_is_not_public(made: ExampleEvent) -> None:
    """An organiser looks at it after everybody sees the board of the gold in force."""
    replace_gold(made)
    with made.event.database.read() as transaction:
        first = next(version for version in list_gold_versions(transaction, "test") if version.number == 1)
    for named in (False, True):
        board = _make(made.event, first, named=named)
        assert board is not None
        assert not board.is_public
    assert find(made, named=True) is None


def test_a_board_that_everybody_saw_is_not_replaced_by_one_that_only_organisers_see(made: ExampleEvent) -> None:
    seen = made.board("test", named=False)
    replace_gold(made)
    with made.event.database.write() as transaction:
        Account.find(transaction, "team", "Alpha").remove(transaction, made.clock())
    with made.event.database.read() as transaction:
        first = next(version for version in list_gold_versions(transaction, "test") if version.number == 1)
    now = _make(made.event, first, named=False)
    assert now is not None
    assert len(now.teams) == 1
    assert find(made, named=False) == seen
