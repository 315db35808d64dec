"""What is stored for good: contents, the audit log, and decisions."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from errata.errors import ErrataError, InputError
from errata_event import accounts, audit, contents
from errata_event.accounts import Account
from errata_event.definition import Decisions
from errata_event.event import Event, create_event

from example_events import DEFINITION, GOLD, ExampleEvent, SetClock


def test_equal_contents_are_stored_once(event: ExampleEvent) -> None:
    with event.event.database.write() as transaction:
        hashes = {contents.put(transaction, content) for content in (b"", b"\x00\xff", b"\x00\xff", b"")}
        assert len(hashes) == 2
        assert {contents.get(transaction, sha256) for sha256 in hashes} == {b"", b"\x00\xff"}


def test_contents_that_are_missing_or_damaged(event: ExampleEvent) -> None:
    with event.event.database.write() as transaction:
        sha256 = contents.put(transaction, b"a text")
        with pytest.raises(InputError, match=f"the database of the event is damaged: the content with SHA-256 {'0' * 64} is missing"):
            contents.get(transaction, "0" * 64)
        transaction.run("UPDATE contents SET content = ? WHERE sha256 = ?", b"another text", sha256)
        with pytest.raises(InputError, match=f"SHA-256 {sha256} is another"):
            contents.get(transaction, sha256)


def test_the_log_has_who_did_what_and_when(event: ExampleEvent) -> None:
    team = event.add("Alpha")
    event.clock.advance(hours=1)
    event.upload(team, "test", "eager", "a description")
    event.upload(team, "test", b"")
    event.event.decide("test", "close")
    with event.event.database.read() as transaction:
        lines = audit.read_log(transaction)
        assert audit.read_log(transaction, 2) == lines[:2]
    assert [(line.action, line.account) for line in lines[:5]] == [
        ("phase closed", None),
        ("upload refused", team.id),
        ("submission accepted", team.id),
        ("submission marked: description", team.id),
        ("team added", None),
    ]
    assert {line.at for line in lines[:4]} == {event.clock()}
    assert lines[2].details["phase"] == "test"
    assert "a description" not in str(lines)


def test_the_first_decision_of_a_kind_counts(event: ExampleEvent) -> None:
    first = event.event.decide("test", "close")
    event.clock.advance(days=1)
    second = event.event.decide("test", "publish")
    event.clock.advance(days=1)
    with event.event.database.write() as transaction:  # as if two organisers had decided at once
        transaction.insert("INSERT INTO decisions (phase, kind, at) VALUES (?, ?, ?)", "test", "close", 2_000_000_000_000_000)
    seen = event.event.moment().visibility
    assert seen._decisions == {"test": Decisions(first, second)}


def test_an_event_that_cannot_be_made_leaves_nothing_behind(
    tmp_path: Path, database_url: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is made in one transaction: there is no event without an organiser, whose token would be lost."""
    (tmp_path / "gold.m2").write_bytes(GOLD)
    (tmp_path / "event.toml").write_text(DEFINITION)

    def make() -> tuple[Event, str]:
        return create_event(str(tmp_path / "data"), str(tmp_path / "event.toml"), database_url, SetClock())

    def fail(*args: object) -> None:
        raise RuntimeError(f"killed {len(args)}")

    with monkeypatch.context() as patch:
        patch.setattr(accounts, "add_account", fail)
        with pytest.raises(RuntimeError, match="killed"):
            make()
    with pytest.raises(ErrataError, match="there is no event in"):
        Event.open(str(tmp_path / "data"), database_url)
    event, token = make()
    with event.database.read() as transaction:
        organiser = Account.of_token(transaction, token)
    assert organiser is not None
    assert organiser.role == "organiser"
    event.close()


@pytest.mark.parametrize("metrics", ['["accuracy", "hoo"]', '["indexmatch", "imeasure"]', '["gleu"]'])
def test_scores_of_every_kind_are_kept_as_they_were_computed(make_event: Callable[..., ExampleEvent], metrics: str) -> None:
    from errata_event.boards import find_scores
    from errata_event.golds import find_newest

    event = make_event(DEFINITION.replace('["maxmatch", "gleu"]', metrics))
    team = event.add("Alpha")
    receipt = event.upload(team, "dev", "rewriter")
    assert receipt.submission is not None
    with event.event.database.read() as transaction:
        version = find_newest(transaction, "dev")
    assert version is not None
    assert find_scores(event.event, receipt.submission, version, "Alpha") == receipt.scores
    made, found = event.board(), event.board()
    assert str(made) == str(found)
