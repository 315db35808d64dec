"""Who sees what, in every stage of a phase and for every role: the rules are written here once more, as a table."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from errata_event.accounts import Account
from errata_event.definition import Decisions, EventDefinition, Visibility, _Stage, parse_event

SECOND = timedelta(seconds=1)
OPENS, CLOSES = datetime(2027, 3, 1, tzinfo=UTC), datetime(2027, 3, 7, tzinfo=UTC)
GRACE = timedelta(minutes=10)
ANSWERS_OPEN, ANSWERS_CLOSE = datetime(2027, 3, 9, tzinfo=UTC), datetime(2027, 3, 12, tzinfo=UTC)
PUBLISHES = datetime(2027, 3, 20, tzinfo=UTC)
AT: dict[_Stage, datetime] = {"coming": OPENS - SECOND, "open": OPENS, "closed": CLOSES + GRACE, "published": PUBLISHES}
TEAM, OTHER = Account(1, "team", "Alpha", 1234), Account(2, "team", "Beta", 2345)
ANNOTATOR, ORGANISER = Account(3, "annotator", "Ann", 3456), Account(4, "organiser", "Org", 4567)
NOBODY = None
WHEN = ("open", "closed", "published", "never")
ORDER = ("coming", "open", "closed", "published")


def define(*, answers: bool = False, **settings: str) -> EventDefinition:
    extra = "".join(f'{key} = "{value}"\n' for key, value in settings.items())
    text = f"""
[[phases]]
name = "test"
gold = "gold.m2"
opens = {OPENS.isoformat()}
closes = {CLOSES.isoformat()}
grace = "10 minutes"
publishes = {PUBLISHES.isoformat()}
{extra}
"""
    if answers:
        text += f"""
[[phases]]
name = "answers"
kind = "alternatives"
about = "test"
opens = {ANSWERS_OPEN.isoformat()}
closes = {ANSWERS_CLOSE.isoformat()}
publishes = {PUBLISHES.isoformat()}
"""
    return parse_event(text.encode(), "event.toml")


def reached(stage: _Stage, when: str) -> bool:
    return when != "never" and ORDER.index(stage) >= ORDER.index(when)


@pytest.mark.parametrize("stage", ORDER)
@pytest.mark.parametrize(("scores", "board"), [(scores, board) for number, scores in enumerate(WHEN) for board in WHEN[number:]])
@pytest.mark.parametrize("names", WHEN[:3])
def test_scores_boards_and_names(stage: _Stage, scores: str, board: str, names: str) -> None:
    definition = define(scores=scores, board=board, names=names)
    (phase,) = definition.phases
    seen = Visibility(definition, {}, AT[stage])
    assert seen.stage(phase) == stage
    for viewer in (NOBODY, TEAM, OTHER, ANNOTATOR):
        assert seen.board(phase, viewer) is reached(stage, board)
        assert seen.scores_of(phase, TEAM.id, viewer) is (viewer is TEAM and reached(stage, scores))
    assert seen.board(phase, ORGANISER)
    assert seen.scores_of(phase, TEAM.id, ORGANISER)
    assert seen.own_scores(phase, TEAM) is reached(stage, scores)
    assert seen.names(phase) is reached(stage, names)


@pytest.mark.parametrize("stage", ORDER)
@pytest.mark.parametrize("visible", WHEN)
def test_gold_and_source(stage: _Stage, visible: str) -> None:
    definition = define(gold_visible=visible)
    (phase,) = definition.phases
    seen = Visibility(definition, {}, AT[stage])
    for viewer in (NOBODY, TEAM, OTHER, ANNOTATOR):
        assert seen.gold(phase, viewer) is reached(stage, visible)
        assert seen.source(phase, viewer) is (stage != "coming")
    assert seen.gold(phase, ORGANISER)
    assert seen.source(phase, ORGANISER)


@pytest.mark.parametrize(
    ("now", "participants", "judges"),
    [
        (ANSWERS_OPEN - SECOND, False, False),
        (ANSWERS_OPEN, True, True),
        (ANSWERS_CLOSE, True, True),
        (PUBLISHES - SECOND, True, True),
    ],
)
def test_gold_while_its_answers_are_discussed(now: datetime, *, participants: bool, judges: bool) -> None:
    definition = define(answers=True)
    test, answers = definition.phases
    seen = Visibility(definition, {}, now)
    for viewer in (TEAM, OTHER, ANNOTATOR):
        assert seen.gold(test, viewer) is participants
        assert seen.judging(answers, viewer) is (judges and viewer is ANNOTATOR)
        assert not seen.answers(answers, viewer)
    assert not seen.gold(test, NOBODY)
    assert not seen.judging(answers, NOBODY)
    assert not seen.judging(answers, ORGANISER)
    assert seen.answers(answers, ORGANISER)


def test_all_is_seen_and_nothing_judged_once_answers_are_published() -> None:
    definition = define(answers=True)
    test, answers = definition.phases
    seen = Visibility(definition, {}, PUBLISHES)
    for viewer in (NOBODY, TEAM, ANNOTATOR, ORGANISER):
        assert seen.answers(answers, viewer)
        assert seen.gold(test, viewer)
        assert not seen.judging(answers, viewer)


@pytest.mark.parametrize(
    ("now", "stage"),
    [
        (OPENS - SECOND, "coming"),
        (OPENS, "open"),
        (OPENS + SECOND, "open"),
        (CLOSES - SECOND, "open"),
        (CLOSES, "open"),  # its grace period
        (CLOSES + GRACE - SECOND, "open"),
        (CLOSES + GRACE, "closed"),
        (CLOSES + GRACE + SECOND, "closed"),
        (PUBLISHES - SECOND, "closed"),
        (PUBLISHES, "published"),
        (PUBLISHES + SECOND, "published"),
    ],
)
def test_a_second_before_and_after(now: datetime, stage: _Stage) -> None:
    definition = define()
    (phase,) = definition.phases
    seen = Visibility(definition, {}, now)
    assert seen.stage(phase) == stage
    assert seen.accepts(phase) is (stage == "open")


def test_organisers_close_and_publish() -> None:
    definition = define()
    (phase,) = definition.phases
    closed = CLOSES - timedelta(days=1)
    decided = {"test": Decisions(closed, closed + timedelta(hours=1))}
    stages = [
        Visibility(definition, decided, now).stage(phase)
        for now in (closed - SECOND, closed, closed + timedelta(hours=1) - SECOND, closed + timedelta(hours=1))
    ]
    assert stages == ["open", "closed", "closed", "published"]
    seen = Visibility(definition, decided, closed)
    assert (seen.closes(phase), seen.deadline(phase)) == (closed, closed)
    late = {"test": Decisions(CLOSES + timedelta(minutes=5), PUBLISHES + timedelta(days=1))}  # within the grace period; and too late
    seen = Visibility(definition, late, PUBLISHES)
    assert (seen.closes(phase), seen.deadline(phase)) == (CLOSES, CLOSES + timedelta(minutes=5))
    assert seen.stage(phase) == "published"


def test_who_says_nothing_of_publishing_publishes_by_hand() -> None:
    text = define().toml.replace(f"publishes = {PUBLISHES.isoformat()}\n", "")
    definition = parse_event(text.encode(), "event.toml")
    (phase,) = definition.phases
    far = datetime(2100, 1, 1, tzinfo=UTC)
    assert Visibility(definition, {}, far).stage(phase) == "closed"
    assert Visibility(definition, {}, far).published(phase) is None
