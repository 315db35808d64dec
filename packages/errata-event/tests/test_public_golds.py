"""Golds that were replaced stay public only if everybody could read them, and their boards only if everybody could see them."""

from __future__ import annotations

from collections.abc import Callable

from errata_event.boards import _is_board_public, list_public_golds
from errata_event.golds import list_gold_versions

from answering import list_golds, prepare_answers
from example_events import AFTER_TEST, DEFINITION, DURING_ANSWERS, GOLD, WHEN_PUBLISHED, ExampleEvent

BEFORE, OPENS, LATER = "2026-12-01 00:00 UTC", "2027-01-01 00:00 UTC", "2027-01-02 00:00 UTC"
WRONG = GOLD.replace(b"|||felt|||", b"|||fell|||")
Make = Callable[..., ExampleEvent]


def correct(made: ExampleEvent, now: str, gold: bytes = WRONG, definition: str = DEFINITION) -> None:
    """Replace the gold, or the definition, at an instant."""
    made.clock.set(now)
    (made.folder / "gold.m2").write_bytes(gold)
    made.event.update(made.write(definition))


def public(made: ExampleEvent, now: str, phase: str = "dev") -> list[str]:
    """The golds that everybody may read at an instant."""
    made.clock.set(now)
    with made.event.database.read() as transaction:
        found = list_public_golds(transaction, made.event.moment(transaction), made.phase(phase))
    return [f"{version.variant}-{version.number}" for version in found]


def test_a_gold_that_was_replaced_before_it_was_visible_stays_hidden(make_event: Make) -> None:
    made = make_event(now=BEFORE)
    correct(made, "2026-12-31 23:59:59 UTC")
    assert public(made, "2026-12-31 23:59:59 UTC") == []
    assert public(made, OPENS) == ["gold-2"]
    assert public(made, WHEN_PUBLISHED) == ["gold-2"]


def test_a_gold_that_everybody_could_read_stays_public(make_sqlite_event: Make) -> None:
    made = make_sqlite_event(now=BEFORE)
    correct(made, LATER)
    assert public(made, LATER) == ["gold-1", "gold-2"]
    assert public(made, LATER, "test") == []
    assert public(made, WHEN_PUBLISHED, "test") == ["gold-2"]


def test_the_instant_itself_counts_for_the_new_gold(make_sqlite_event: Make) -> None:
    made = make_sqlite_event(now=BEFORE)
    correct(made, OPENS)
    assert public(made, LATER) == ["gold-2"]


def test_what_counts_is_the_definition_of_then(make_sqlite_event: Make) -> None:
    hidden = DEFINITION.replace('gold_visible = "open"', 'gold_visible = "never"')
    made = make_sqlite_event(hidden, now=LATER)
    correct(made, "2027-01-03 00:00 UTC", WRONG, hidden)
    correct(made, "2027-01-04 00:00 UTC", WRONG)
    assert public(made, "2027-01-04 00:00 UTC") == ["gold-2"]
    correct(made, "2027-04-05 00:00 UTC", GOLD, hidden)  # once nothing is accepted
    assert public(made, "2027-04-05 00:00 UTC") == []
    correct(made, "2027-04-06 00:00 UTC", GOLD)
    assert public(made, "2027-04-06 00:00 UTC") == ["gold-2", "gold-3"]


def test_decisions_make_golds_visible_too(make_sqlite_event: Make) -> None:
    made = make_sqlite_event(now=BEFORE)
    correct(made, AFTER_TEST)
    made.clock.set(DURING_ANSWERS)
    made.event.decide("test", "publish")
    assert public(made, DURING_ANSWERS, "test") == ["gold-2"]
    correct(made, "2027-03-11 12:00 UTC", GOLD)
    assert public(made, "2027-03-11 12:00 UTC", "test") == ["gold-2", "gold-3"]


def test_a_gold_with_answers_to_a_hidden_gold_stays_hidden(make_sqlite_event: Make) -> None:
    """The answers are published before the gold that they are about, whose first version was wrong."""
    late = DEFINITION.replace('publishes = "2027-03-20 12:00 UTC"\nscores', 'publishes = "2027-04-20 12:00 UTC"\nscores')
    made = make_sqlite_event(late)
    prepare_answers(made)
    made.clock.set(WHEN_PUBLISHED)
    assert len(list_golds(made.event, made.phase("test"), None)) == 3
    correct(made, "2027-04-19 12:00 UTC", WRONG, late)
    made.clock.set("2027-04-21 12:00 UTC")
    list_golds(made.event, made.phase("test"), None)  # what follows from the second is made when somebody looks
    assert public(made, "2027-04-21 12:00 UTC", "test") == ["gold-2", "proposed-2", "pooled-2"]
    correct(made, "2027-04-22 12:00 UTC", GOLD, late)
    assert public(made, "2027-04-22 12:00 UTC", "test") == ["gold-2", "proposed-2", "pooled-2", "gold-3"]


def test_which_boards_everybody_sees(make_sqlite_event: Make) -> None:
    blind = DEFINITION.replace('scores = "published"\nboard = "published"', 'scores = "closed"\nboard = "closed"')
    made = make_sqlite_event(blind)
    prepare_answers(made)
    made.clock.set(WHEN_PUBLISHED)
    list_golds(made.event, made.phase("test"), None)
    correct(made, "2027-03-22 12:00 UTC", WRONG, blind)
    list_golds(made.event, made.phase("test"), None)

    def seen(now: str) -> list[str]:
        made.clock.set(now)
        with made.event.database.read() as transaction:
            moment = made.event.moment(transaction)
            return [
                f"{version.variant}-{version.number} {'named' if named else 'anonymous'}"
                for version in list_gold_versions(transaction, "test")
                for named in (False, True)
                if _is_board_public(transaction, moment, version, named=named)
            ]

    assert seen("2027-03-02 12:00 UTC") == []
    assert seen(AFTER_TEST) == ["gold-2 anonymous"]
    assert seen("2027-03-22 12:00 UTC") == ["gold-2 named", "proposed-2 named", "pooled-2 named"]
