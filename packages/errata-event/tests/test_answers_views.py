"""What annotators, teams and organisers see of alternative answers."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from errata import Corpus, Edit, RequestError, Sentence
from errata_event.answers.items import Item, MarkedSentence, Segment, make_edits
from errata_event.answers.judging import JudgingView, _make_view, show_item
from errata_event.answers.outcomes import AnswerProgress, TeamAnswers
from errata_event.answers.proposals import count_proposers, ensure_pooled, propose_edits, withdraw_proposal

from answering import ANSWERS, TWO_JUDGES, AnswersEvent, prepare_answers
from example_events import AFTER_TEST, WHEN_PUBLISHED, ExampleEvent

LONELY = 3
FELT = "At first I felt very lonesome because I knew nobody there ."
SAD = "At first I felt very sad because I did n't know anybody there ."


@pytest.fixture
def answers(sqlite_event: ExampleEvent) -> AnswersEvent:
    return prepare_answers(sqlite_event, 2)


def test_segments_say_what_was_deleted_and_inserted() -> None:
    shown = MarkedSentence.of(("a", "b", "c", "d"), [Edit(2, 2, ("x",)), Edit(0, 1, ("A",)), Edit(3, 4, ("",)), Edit(1, 2, ("b",))])
    assert shown.segments == (
        Segment("deleted", "a"),
        Segment("inserted", "A"),
        Segment("unchanged", "b"),
        Segment("inserted", "x"),
        Segment("unchanged", "c"),
        Segment("deleted", "d"),
    )
    assert shown.text == "A b x c"


def test_an_item_is_shown_within_the_rest_of_the_gold(answers: AnswersEvent) -> None:
    item, other = answers.propose(LONELY, FELT), answers.propose(LONELY, SAD, 1)
    view = JudgingView.of(answers.event, answers.annotators[0], ANSWERS, item.id)
    assert (view.number, " ".join(view.source)) == (LONELY, "At first I feeled very lonely because I did n't know nobody there .")
    assert [gold.corrected.text for gold in view.gold] == [
        "At first I felt very lonely because I did n't know anybody there .",
        "At first I felt very lonely because I knew nobody there .",
    ]
    assert [(edit.original, edit.correction, edit.leaves, edit.replaces) for edit in view.edits] == [("lonely", "lonesome", False, ())]
    # which annotation the team had in mind is not known; both are right with it
    assert view.proposal.text == view.gold[view.nearest].corrected.text.replace("lonely", "lonesome")
    assert len(view.others) == 1
    assert "sad" in view.others[0].text
    assert view.before == answers.gold[LONELY - 2].text
    assert view.after == answers.gold[LONELY].text
    assert view.judgment is None
    answers.judge(item, "reject", 0, "no")
    assert JudgingView.of(answers.event, answers.annotators[1], ANSWERS, item.id).judgment is None
    own = JudgingView.of(answers.event, answers.annotators[0], ANSWERS, item.id).judgment
    assert own is not None
    assert own.comment == "no"
    assert other.id != item.id


def test_what_an_item_replaces_and_leaves_is_shown() -> None:
    sentence = Sentence.of("a b c", [Edit(0, 1, ("A",)), Edit(2, 3, ("C",))], [])
    view = _make_view(Corpus((sentence,)), Item(1, ANSWERS, 1, make_edits([(0, 1, "a"), (2, 3, "x")])), [])
    assert view.nearest == 0
    assert view.proposal.text == "a b x"
    assert [(edit.original, edit.correction, edit.leaves, edit.replaces) for edit in view.edits] == [
        ("a", "a", True, ("A",)),
        ("c", "x", False, ("C",)),
    ]


def test_one_of_several_corrections_of_the_gold_is_shown_as_it_was_proposed() -> None:
    sentence = Sentence.of("a b", [Edit(0, 1, ("A", "K"))])
    assert show_item(sentence, make_edits([(0, 1, "K"), (1, 2, "B")])).text == "K B"


def test_annotators_get_nothing_that_tells_who_proposed(answers: AnswersEvent) -> None:
    """The same items look the same, whether a team proposed them, which, or they were pooled."""
    ensure_pooled(answers.event, ANSWERS)
    pooled = next(item for item in answers.items() if len(item.edits) == 1)
    before = JudgingView.of(answers.event, answers.annotators[0], ANSWERS, pooled.id)
    for team in range(3):
        answers.propose(pooled.sentence, show_item(answers.answers.sentence(pooled.sentence), pooled.edits).text, team)
    after = JudgingView.of(answers.event, answers.annotators[0], ANSWERS, pooled.id)
    assert (before.item, before.proposal, before.edits) == (after.item, after.proposal, after.edits)
    shown = repr(after)
    assert not any(name in shown for name in ("Alpha", "Beta", "Gamma", "pooled", "team"))


def test_only_annotators_see_items_and_only_while_they_judge(answers: AnswersEvent) -> None:
    item = answers.propose(LONELY, FELT)
    for viewer in (answers.teams[1], answers.example.organiser()):
        with pytest.raises(RequestError, match="only annotators"):
            JudgingView.of(answers.event, viewer, ANSWERS, item.id)
    for now in (AFTER_TEST, WHEN_PUBLISHED):
        answers.example.clock.set(now)
        with pytest.raises(RequestError, match="cannot be judged now"):
            JudgingView.of(answers.event, answers.annotators[0], ANSWERS, item.id)


def test_a_team_sees_its_edits_and_which_it_proposes(answers: AnswersEvent) -> None:
    team = answers.teams[0]
    before = TeamAnswers.of(answers.event, team, ANSWERS)
    assert before.accepts
    assert before.proposals == []
    offered = before.sentences[0].offered[0]
    number = before.sentences[0].sentence.number
    assert all(edit.item is None for sentence in before.sentences for edit in sentence.offered)
    proposal, _ = propose_edits(answers.event, team, ANSWERS, number, [offered.unmatched.key])
    after = TeamAnswers.of(answers.event, team, ANSWERS)
    assert [edit.item for edit in after.sentences[0].offered].count(proposal.item.id) == 1
    assert [(own.proposal.item, own.status) for own in after.proposals] == [(proposal.item, None)]
    assert after.quota.total == 1
    withdraw_proposal(answers.event, answers.answers, team, proposal.item.id)
    assert all(edit.item is None for sentence in TeamAnswers.of(answers.event, team, ANSWERS).sentences for edit in sentence.offered)


def test_a_team_sees_nothing_of_others_and_its_status_only_after_publication(answers: AnswersEvent) -> None:
    item, other = answers.propose(LONELY, FELT, 0), answers.propose(LONELY, SAD, 1)
    answers.judge(item, "accept")
    answers.judge(other, "reject")
    for now, status in (("2027-03-20 11:59:59 UTC", None), (WHEN_PUBLISHED, "accepted")):
        answers.example.clock.set(now)
        seen = TeamAnswers.of(answers.event, answers.teams[0], ANSWERS)
        assert [(own.proposal.item, own.status) for own in seen.proposals] == [(item, status)]
        assert not seen.accepts


def test_the_gold_is_hidden_until_the_phase_opens(answers: AnswersEvent) -> None:
    answers.example.clock.set(AFTER_TEST)
    with pytest.raises(RequestError, match="has not opened yet"):
        TeamAnswers.of(answers.event, answers.teams[0], ANSWERS)


def test_organisers_see_how_far_judging_is(make_sqlite_event: Callable[..., ExampleEvent]) -> None:
    own = prepare_answers(make_sqlite_event(TWO_JUDGES), 3)
    items = [own.propose(number, "Something else .") for number in range(1, 6)]
    own.propose(1, "Something else .", 1)
    gone = own.propose(9, "Now .", 1)
    withdraw_proposal(own.event, own.answers, own.teams[1], gone.id)
    for item, verdicts in zip(items, ("aa", "ar", "ara", "a", ""), strict=True):
        for annotator, verdict in enumerate(verdicts):
            own.judge(item, {"a": "accept", "r": "reject"}[verdict], annotator)
    with own.event.database.read() as transaction:
        progress = AnswerProgress.measure(transaction, own.example.phase(ANSWERS))
        assert count_proposers(transaction, ANSWERS) == {own.teams[0].id: 5, own.teams[1].id: 1}
    assert (progress.items, progress.from_teams, progress.amended) == (5, 5, 0)
    assert progress.by_status == {"accepted": 2, "rejected": 0, "undecided": 2, "disputed": 1}
    assert [(each.annotator.name, each.queue.done, each.queue.left) for each in progress.annotators] == [
        ("Judge 1", 4, 1),
        ("Judge 2", 3, 2),
        ("Judge 3", 1, 3),
    ]
    assert [(each.team.name, each.proposed, each.withdrawn, each.by_status["accepted"]) for each in progress.teams] == [
        ("Alpha", 5, 0, 2),
        ("Beta", 1, 1, 1),
    ]
    assert progress.agreement.overall.items == 3
    assert progress.agreement.overall.observed == pytest.approx(1 / 3)
