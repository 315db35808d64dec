"""How items are named, what everybody learns of them, what teams learn, and tables before they are published."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from errata import RequestError
from errata_event.answers.golds import _make_answer_golds, preview_tables
from errata_event.answers.items import Item
from errata_event.answers.judging import find_judged_before
from errata_event.answers.outcomes import AnswerOutcome, TeamAnswers, _Comment
from errata_event.answers.proposals import ensure_pooled, withdraw_proposal
from errata_event.golds import list_gold_versions

from answering import ANSWERS, TWO_JUDGES, AnswersEvent, prepare_answers
from example_events import WHEN_PUBLISHED, ExampleEvent


@pytest.fixture
def own(make_event: Callable[..., ExampleEvent]) -> AnswersEvent:
    return prepare_answers(make_event(TWO_JUDGES), 3)


def test_a_name_finds_its_item_and_nothing_else(own: AnswersEvent) -> None:
    one, other = own.propose(1, "Now ."), own.propose(2, "Now .")
    with own.event.database.read() as transaction:
        assert [Item.find_by_key(transaction, ANSWERS, item.key) for item in (one, other)] == [one, other]
        key = one.key
        for wrong in ("", "1", str(one.id), f"2{key[1:]}", f"0{key}", f"{key}0", key[:-1], key.upper(), f"1-{'0' * 16}", "9" * 30 + key):
            with pytest.raises(RequestError, match="there is no such proposal"):
                Item.find_by_key(transaction, ANSWERS, wrong)
        with pytest.raises(RequestError, match="there is no such proposal"):
            Item.find_by_key(transaction, "other", key)


def test_an_outcome_counts_what_teams_proposed_and_all(own: AnswersEvent) -> None:
    one, other = own.propose(1, "Now ."), own.propose(2, "Now .", 1)
    own.propose(1, "Now .", 1)
    ensure_pooled(own.event, ANSWERS)
    pooled = next(item for item in own.items() if item not in {one, other})
    for annotator in (0, 1):
        own.judge(one, "amend", annotator, text="Now , then .")
        own.judge(pooled, "reject", annotator)
    own.judge(other, "accept", 2)
    with own.event.database.read() as transaction:
        found = AnswerOutcome.measure(transaction, own.example.phase(ANSWERS))
    assert found.proposed == (2, {"accepted": 1, "rejected": 0, "undecided": 1, "disputed": 0}, 1)
    assert found.all.by_status == {"accepted": 1, "rejected": 1, "undecided": len(own.items()) - 2, "disputed": 0}
    assert (found.all.items, found.all.amended, found.all.open) == (len(own.items()), 1, len(own.items()) - 2)
    assert (found.teams, found.annotators, found.agreement.overall.items, found.agreement.overall.kappa) == (2, 3, 2, 1.0)


def test_a_preview_has_the_tables_that_are_published_later(own: AnswersEvent) -> None:
    item = own.propose(1, "Now .")
    for annotator in (0, 1):
        own.judge(item, "accept", annotator)
    previews = {preview.variant: preview for preview in preview_tables(own.event, ANSWERS)}
    with own.event.database.read() as transaction:
        assert [version.variant for version in list_gold_versions(transaction, "test")] == ["gold"]
    own.example.clock.set(WHEN_PUBLISHED)
    for version in _make_answer_golds(own.event, ANSWERS):
        board = own.example.board("test", version.variant)
        assert board is not None
        assert previews[version.variant].reason == version.reason
        assert {name: table.shown for name, table in board.tables.items()} == {
            name: table.shown for name, table in previews[version.variant].tables.items()
        }


def test_a_team_learns_what_was_said_when_it_is_published_without_names(own: AnswersEvent) -> None:
    item, skipped = own.propose(1, "Now ."), own.propose(2, "Now .")
    own.judge(item, "reject", 0, "first thought")
    own.judge(item, "amend", 0, "second thought", "Now , then .")
    own.judge(item, "amend", 1, "", "Now , then .")
    own.judge(skipped, "skip", 0, "not said")
    before = TeamAnswers.of(own.event, own.teams[0], ANSWERS).proposals
    assert [(shown.status, shown.amended, shown.comments) for shown in before] == [(None, None, ())] * 2
    own.example.clock.set(WHEN_PUBLISHED)
    first, second = TeamAnswers.of(own.event, own.teams[0], ANSWERS).proposals
    assert first.amended is not None
    assert (first.status, first.amended.text) == ("accepted", "Now , then .")
    assert first.comments == (_Comment("amend", "second thought"), _Comment("amend", ""))
    assert (second.status, second.comments) == ("undecided", ())
    assert TeamAnswers.of(own.event, own.teams[1], ANSWERS).proposals == []


def test_an_annotator_goes_back_through_what_he_judged_and_is_still_proposed(own: AnswersEvent) -> None:
    items = [own.propose(number, "Now .") for number in (1, 2, 3)]
    judgments = [own.judge(item, "accept") for item in items]
    own.judge(items[0], "accept", 1)
    withdraw_proposal(own.event, own.answers, own.teams[0], items[1].id)
    phase, annotator = own.example.phase(ANSWERS), own.annotators[0]
    with own.event.database.read() as transaction:
        assert find_judged_before(transaction, phase, annotator, None) == items[2]
        assert find_judged_before(transaction, phase, annotator, judgments[2]) == items[0]
        assert find_judged_before(transaction, phase, annotator, judgments[0]) is None
        assert find_judged_before(transaction, phase, own.annotators[2], None) is None
