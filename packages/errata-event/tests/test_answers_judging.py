"""Annotators judge items: what they get, what their verdicts decide, and how far they agree."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from hashlib import sha256
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from errata import RequestError
from errata.studies.detection.measures import MEASURES, Counts
from errata_event.answers.items import Item, ItemEdit, write_edits
from errata_event.answers.judging import (
    LONGEST_COMMENT,
    ItemJudgment,
    ItemVerdict,
    Queue,
    decide,
    list_judgments,
    list_judgments_of,
    list_own_judgments,
)
from errata_event.answers.outcomes import _compute_kappa, _measure_agreement
from errata_event.answers.proposals import ensure_pooled, list_proposed_items, withdraw_proposal

from answering import ANSWERS, TWO_JUDGES, UNPOOLED, AnswersEvent, prepare_answers
from example_events import AFTER_TEST, WHEN_PUBLISHED, ExampleEvent

LONELY = 3
FELT = "At first I felt very lonesome because I knew nobody there ."
SAD = "At first I felt very sad because I knew nobody there ."
ITEM = Item(1, ANSWERS, LONELY, (ItemEdit(5, 6, "lonesome"),))
OTHER = (ItemEdit(5, 6, "sad"),)
YEAR = datetime(2027, 1, 1, tzinfo=UTC)


def said(*verdicts: tuple[int, ItemVerdict] | tuple[int, ItemVerdict, tuple[ItemEdit, ...]]) -> list[ItemJudgment]:
    """Judgments of annotators in order."""
    return [ItemJudgment(number, 1, own[0], own[1], own[2] if len(own) > 2 else (), "", YEAR) for number, own in enumerate(verdicts)]


@pytest.mark.parametrize(
    ("judges", "verdicts", "status"),
    [
        (1, [], "undecided"),
        (1, [(7, "accept")], "accepted"),
        (1, [(7, "reject")], "rejected"),
        (1, [(7, "skip")], "undecided"),
        (1, [(7, "accept"), (7, "reject")], "rejected"),
        (1, [(7, "accept"), (8, "reject")], "accepted"),
        (1, [(7, "accept"), (8, "reject"), (7, "skip")], "rejected"),
        (2, [(7, "accept")], "undecided"),
        (2, [(7, "accept"), (7, "accept")], "undecided"),
        (2, [(7, "accept"), (8, "accept")], "accepted"),
        (2, [(7, "accept"), (8, "skip")], "undecided"),
        (2, [(7, "accept"), (8, "reject")], "disputed"),
        (2, [(7, "accept"), (8, "reject"), (9, "skip")], "disputed"),
        (2, [(7, "accept"), (8, "reject"), (9, "accept")], "accepted"),
        (2, [(7, "accept"), (8, "reject"), (9, "reject")], "rejected"),
        (2, [(7, "accept"), (8, "reject"), (9, "reject"), (8, "accept")], "accepted"),
        (2, [(7, "accept"), (8, "reject"), (9, "reject"), (6, "accept")], "rejected"),
        (2, [(7, "accept"), (8, "amend", OTHER)], "disputed"),
        (2, [(7, "amend", ITEM.edits), (8, "amend", OTHER)], "disputed"),
        (2, [(7, "amend", OTHER), (8, "amend", OTHER)], "accepted"),
    ],
)
def test_what_verdicts_decide(judges: int, verdicts: list[tuple[int, ItemVerdict]], status: str) -> None:
    assert decide(ITEM, said(*verdicts), judges).status == status


def test_the_third_decides_with_its_own_edits() -> None:
    decision = decide(ITEM, said((7, "accept"), (8, "reject"), (9, "amend", OTHER)), 2)
    assert (decision.status, decision.edits, decision.is_amended) == ("accepted", OTHER, True)
    assert decide(ITEM, said((7, "accept")), 1).edits == ITEM.edits


def two(own: AnswersEvent) -> tuple[Item, Item]:
    return own.propose(9, "Now ."), own.propose(LONELY, FELT)


def queue_of(own: AnswersEvent, annotator: int = 0) -> Item | None:
    with own.event.database.read() as transaction:
        return Queue.find(transaction, own.example.phase(ANSWERS), own.annotators[annotator]).next


@pytest.fixture
def judged(make_event: Callable[..., ExampleEvent]) -> AnswersEvent:
    return prepare_answers(make_event(), 2)


@pytest.fixture
def two_judges(make_sqlite_event: Callable[..., ExampleEvent]) -> AnswersEvent:
    return prepare_answers(make_sqlite_event(TWO_JUDGES), 3)


def test_items_come_by_sentence_and_skipped_ones_last(judged: AnswersEvent) -> None:
    late, early = two(judged)
    assert queue_of(judged) == early
    judged.judge(early, "skip")
    assert queue_of(judged) == late
    judged.judge(late, "accept")
    assert queue_of(judged) == early
    assert queue_of(judged, 1) == early
    judged.judge(early, "reject", 1)
    assert queue_of(judged) is None


def test_the_order_of_items_does_not_tell_who_proposed_them(make_sqlite_event: Callable[..., ExampleEvent]) -> None:
    own = prepare_answers(make_sqlite_event(), 2)
    mine = own.propose(LONELY, FELT)
    ensure_pooled(own.event, ANSWERS)
    last = own.propose(LONELY, SAD)
    order: list[Item] = []
    while (item := queue_of(own)) is not None and item.sentence <= LONELY:
        order.append(item)
        own.judge(item, "reject")
    expected = [item for item in own.items() if item.sentence <= LONELY]
    assert order == sorted(expected, key=lambda item: (item.sentence, sha256(write_edits(item.edits).encode()).hexdigest()))
    assert {mine, last} < set(order)


def test_a_queue_counts_what_is_left_skipped_and_done(judged: AnswersEvent) -> None:
    late, early = two(judged)
    judged.judge(late, "accept")
    judged.judge(early, "skip")
    with judged.event.database.read() as transaction:
        queue = Queue.find(transaction, judged.example.phase(ANSWERS), judged.annotators[0])
    assert (queue.next, queue.left, queue.skipped, queue.done) == (early, 1, 1, 1)


def test_two_judges_and_a_third_for_what_they_disagree_on(two_judges: AnswersEvent) -> None:
    own = two_judges
    item = own.propose(LONELY, FELT)
    assert [queue_of(own, number) for number in range(3)] == [item] * 3
    own.judge(item, "accept", 0)
    assert [queue_of(own, number) for number in range(3)] == [None, item, item]
    own.judge(item, "reject", 1)
    assert [queue_of(own, number) for number in range(3)] == [None, None, item]
    own.judge(item, "reject", 2)
    assert queue_of(own, 2) is None
    with own.event.database.read() as transaction:
        assert decide(item, list_judgments_of(transaction, item.id), 2).status == "rejected"


def test_what_others_disagree_on_comes_first(make_sqlite_event: Callable[..., ExampleEvent]) -> None:
    own = prepare_answers(make_sqlite_event(TWO_JUDGES), 3)
    late, early = two(own)
    assert queue_of(own) == early
    own.judge(late, "accept", 1)
    own.judge(late, "reject", 2)
    assert queue_of(own) == late
    own.judge(late, "skip")
    assert queue_of(own) == early


def test_an_annotator_thinks_again_until_publication(judged: AnswersEvent) -> None:
    item = judged.propose(LONELY, FELT)
    judged.judge(item, "accept", comment="fine")
    judged.judge(item, "reject", comment="on second thoughts\nno")
    with judged.event.database.read() as transaction:
        assert [own.verdict for own in list_judgments_of(transaction, item.id)] == ["accept", "reject"]
        ((own_item, newest),) = list_own_judgments(transaction, judged.example.phase(ANSWERS), judged.annotators[0])
    assert (own_item, newest.verdict, newest.comment) == (item, "reject", "on second thoughts\nno")
    judged.example.clock.set(WHEN_PUBLISHED)
    with pytest.raises(RequestError, match="it has been published"):
        judged.judge(item, "accept")


def test_the_same_form_sent_twice_is_one_judgment(judged: AnswersEvent) -> None:
    item = judged.propose(LONELY, FELT)
    assert judged.judge(item, "accept", comment="a").id == judged.judge(item, "accept", comment="a").id
    assert judged.judge(item, "accept", comment="b").id != judged.judge(item, "accept", comment="a").id


def test_an_amendment_becomes_edits(judged: AnswersEvent) -> None:
    item = judged.propose(LONELY, FELT)
    assert judged.judge(item, "amend", text=SAD).edits == OTHER
    assert judged.judge(item, "amend", text=FELT).says == ("accept", ())
    for text, message in (
        ("", "another corrected sentence"),
        ("At first I felt very lonely because I knew nobody there .", "the gold accepts this already; reject the proposal"),
        (f"{FELT} \0", "no control characters"),
    ):
        with pytest.raises(RequestError, match=message):
            judged.judge(item, "amend", text=text)


@pytest.mark.parametrize(
    ("comment", "message"), [("x" * (LONGEST_COMMENT + 1), "at most 2,000"), ("a\0b", "control"), ("\ud800", "control")]
)
def test_comments_are_bounded_and_plain(judged: AnswersEvent, comment: str, message: str) -> None:
    with pytest.raises(RequestError, match=message):
        judged.judge(judged.propose(LONELY, FELT), "accept", comment=comment)


def test_who_cannot_judge(judged: AnswersEvent) -> None:
    item = judged.propose(LONELY, FELT)
    for other in (judged.teams[0], judged.example.organiser()):
        with pytest.raises(RequestError, match="only annotators judge"):
            AnswersEvent(judged.example, judged.teams, [other]).judge(item, "accept")
    with pytest.raises(Exception, match="a verdict must be one of accept, reject, amend, skip"):
        judged.judge(item, "perhaps")
    with pytest.raises(RequestError, match="there is no such proposal"):
        judged.judge(item._replace(id=99), "accept")
    judged.example.clock.set(AFTER_TEST)
    with pytest.raises(RequestError, match="it has not opened yet"):
        judged.judge(item, "accept")


def test_an_annotator_who_was_removed_and_a_withdrawn_proposal(judged: AnswersEvent) -> None:
    item = judged.propose(LONELY, FELT)
    with judged.event.database.write() as transaction:
        judged.annotators[1].remove(transaction, judged.example.clock())
    with pytest.raises(RequestError, match="removed"):
        judged.judge(item, "accept", 1)
    withdraw_proposal(judged.event, judged.answers, judged.teams[0], item.id)
    assert queue_of(judged) is None
    with pytest.raises(RequestError, match="was withdrawn"):
        judged.judge(item, "accept")


def test_many_annotators_at_once_lose_no_judgment(make_event: Callable[..., ExampleEvent]) -> None:
    own = prepare_answers(make_event(UNPOOLED), 6)
    items = [own.propose(number, "Something else .") for number in range(1, 6)]
    with ThreadPoolExecutor(12) as pool:
        verdicts = list(product(range(6), items))
        list(pool.map(lambda pair: own.judge(pair[1], "accept" if pair[0] % 2 else "reject", pair[0]), verdicts))
    with own.event.database.read() as transaction:
        judgments = list_judgments(transaction, ANSWERS)
        assert set(list_proposed_items(transaction, ANSWERS)) == set(items)
    assert sorted((one.item, one.annotator) for own_ones in judgments.values() for one in own_ones) == sorted(
        (item.id, own.annotators[number].id) for number, item in verdicts
    )


@given(st.tuples(*[st.integers(0, 30)] * 4))
def test_kappa_of_two_verdicts_is_that_of_detection(table: tuple[int, int, int, int]) -> None:
    pairs = [pair for pair, times in zip(product("ar", "ar"), table, strict=True) for _ in range(times)]
    own = _compute_kappa(pairs)
    expected = MEASURES["kappa"].value(Counts(table[0], table[2], table[1], table[3])) if sum(table) else None
    assert (own is None) == (expected is None)
    assert own is None or own == pytest.approx(expected)


def test_agreement_is_that_of_the_first_two_of_each_item() -> None:
    agreement = _measure_agreement(
        [
            said((7, "accept"), (8, "accept")),
            said((8, "reject"), (7, "reject")),
            said((7, "accept"), (8, "reject"), (9, "reject")),
            said((7, "amend", OTHER), (9, "amend", OTHER)),
            said((7, "accept"), (8, "skip")),
            said((7, "accept")),
            [],
        ]
    )
    assert [(pair.annotators, pair.items) for pair in agreement.pairs] == [((7, 8), 3), ((7, 9), 1)]
    first, second = agreement.pairs
    # observed 2/3; by chance 2/3 * 1/3 + 1/3 * 2/3 = 4/9
    assert first.observed == pytest.approx(2 / 3)
    assert first.kappa == pytest.approx((2 / 3 - 4 / 9) / (1 - 4 / 9))
    assert (second.observed, second.kappa) == (1.0, None)
    assert (agreement.overall.items, agreement.overall.observed) == (4, 0.75)


def test_agreement_of_nothing_is_undefined() -> None:
    agreement = _measure_agreement([[], said((7, "accept"))])
    assert agreement.overall[1:] == (0, None, None)
    assert (agreement.alpha, agreement.pairs) == (None, [])
