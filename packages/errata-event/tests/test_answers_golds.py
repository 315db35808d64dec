"""What is pooled, and the golds that accepted answers make."""

from __future__ import annotations

import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest

from errata import Corpus, RequestError, read, score
from errata_event import audit, boards, contents
from errata_event.accounts import Account
from errata_event.answers.golds import _AnswerTypes, _compose, _make_answer_golds
from errata_event.answers.items import ItemEdits, read_edits
from errata_event.answers.proposals import _changes_gold, _find_item_edits, ensure_pooled, find_entry, list_proposed_items
from errata_event.export import _list_items, _list_judgments
from errata_event.golds import GoldVersion, list_gold_versions, write_m2
from errata_event.scoring import _read_m2_bytes

from answering import ANSWERS, UNPOOLED, AnswersEvent, list_golds, prepare_answers
from example_events import AFTER_TEST, DEFINITION, EXAMPLES, GOLD, OUTPUTS, WHEN_PUBLISHED, ExampleEvent

LONELY = 3
FELT = "At first I felt very lonesome because I knew nobody there ."


@pytest.fixture
def answers(event: ExampleEvent) -> AnswersEvent:
    return prepare_answers(event)


@pytest.fixture
def sqlite_answers(sqlite_event: ExampleEvent) -> AnswersEvent:
    return prepare_answers(sqlite_event)


def read_version(own: AnswersEvent, version: GoldVersion) -> Corpus:
    with own.event.database.read() as transaction:
        return _read_m2_bytes(contents.get(transaction, version.sha256), version.file_name)


def versions(own: AnswersEvent) -> list[GoldVersion]:
    with own.event.database.read() as transaction:
        return list_gold_versions(transaction, "test")


def seen(own: AnswersEvent, viewer: Account | None) -> list[str]:
    return [version.variant for version in list_golds(own.event, own.example.phase("test"), viewer)]


def count_log(own: AnswersEvent, action: str) -> int:
    with own.event.database.read() as transaction:
        return sum(line.action == action for line in audit.read_log(transaction))


def test_every_wrong_edit_of_every_entry_is_pooled_once(answers: AnswersEvent) -> None:
    expected = {
        (sentence.number, unmatched.item)
        for team in answers.teams
        for sentence in find_entry(answers.event, answers.answers, team)
        for unmatched in sentence.unmatched
        if unmatched.edit.outcome == "wrong" and _changes_gold(answers.answers.sentence(sentence.number), unmatched.item)
    }
    for _ in range(2):
        ensure_pooled(answers.event, ANSWERS)
        with answers.event.database.read() as transaction:
            found = list_proposed_items(transaction, ANSWERS)
        assert {(item.sentence, item.edits) for item in found} == expected
        assert len(expected) == len(found) > 100
        assert all(sources == (frozenset(), True) for sources in found.values())
    assert count_log(answers, "edits pooled") == 1


def test_processes_that_pool_at_once_pool_once(answers: AnswersEvent) -> None:
    other = answers.example.reopen()
    with ThreadPoolExecutor(6) as pool:
        list(pool.map(lambda number: ensure_pooled((answers.event, other.event)[number % 2], ANSWERS), range(6)))
    other.event.close()
    assert count_log(answers, "edits pooled") == 1
    with answers.event.database.read() as transaction:
        assert transaction.rows("SELECT item FROM proposals GROUP BY item HAVING count(*) > 1") == []


def test_what_a_removed_team_made_is_pooled_no_longer_and_judgments_stay(sqlite_answers: AnswersEvent) -> None:
    own = sqlite_answers
    ensure_pooled(own.event, ANSWERS)
    before = own.items()
    own.judge_all("accept", before[:5])
    with own.event.database.write() as transaction:
        own.teams[2].remove(transaction, own.example.clock())
    ensure_pooled(own.event, ANSWERS)
    assert set(own.items()) < set(before)
    with own.event.database.write() as transaction:
        own.teams[2].renew_token(transaction, own.example.clock())
    ensure_pooled(own.event, ANSWERS)
    assert own.items() == before
    with own.event.database.read() as transaction:
        assert len(_list_judgments(transaction, own.example.phase(ANSWERS))) == 5


@pytest.mark.parametrize("now", [AFTER_TEST, WHEN_PUBLISHED])
def test_nothing_is_pooled_before_answers_open_or_after_they_are_published(sqlite_answers: AnswersEvent, now: str) -> None:
    sqlite_answers.example.clock.set(now)
    ensure_pooled(sqlite_answers.event, ANSWERS)
    assert sqlite_answers.items() == []


def test_a_phase_that_does_not_pool_has_two_golds(make_sqlite_event: Callable[..., ExampleEvent]) -> None:
    own = prepare_answers(make_sqlite_event(UNPOOLED))
    ensure_pooled(own.event, ANSWERS)
    assert own.items() == []
    own.example.clock.set(WHEN_PUBLISHED)
    assert seen(own, None) == ["gold", "proposed"]


def test_after_publication_the_golds_are_there_whoever_asks(answers: AnswersEvent) -> None:
    ensure_pooled(answers.event, ANSWERS)
    item = answers.propose(LONELY, FELT)
    answers.judge_all()
    answers.example.clock.set("2027-03-20 11:59:59 UTC")
    assert seen(answers, None) == ["gold"]
    answers.example.clock.set("2027-03-20 12:00 UTC")
    assert seen(answers, None) == ["gold", "proposed", "pooled"]
    gold, proposed, pooled = versions(answers)
    assert proposed.reason == "made of version 1 of the gold: 1 proposal, 1 accepted, 0 rejected, 0 undecided"
    assert pooled.reason.startswith("made of version 1 of the gold: ")
    changed = [
        number
        for number, (before, after) in enumerate(zip(read_version(answers, gold), read_version(answers, proposed), strict=True), start=1)
        if before != after
    ]
    assert changed == [item.sentence]
    assert seen(answers, None) == ["gold", "proposed", "pooled"]
    assert versions(answers) == [gold, proposed, pooled]


def test_a_decision_publishes_too(sqlite_answers: AnswersEvent) -> None:
    own = sqlite_answers
    own.judge(own.propose(LONELY, FELT), "accept")
    own.event.decide(ANSWERS, "close")
    own.example.clock.advance(seconds=1)
    own.event.decide(ANSWERS, "publish")
    assert seen(own, own.teams[0]) == ["gold", "proposed", "pooled"]


def test_organisers_look_at_golds_before_and_others_do_not(sqlite_answers: AnswersEvent) -> None:
    own = sqlite_answers
    own.judge(own.propose(LONELY, FELT), "accept")
    first = _make_answer_golds(own.event, ANSWERS)
    assert _make_answer_golds(own.event, ANSWERS) == first
    assert seen(own, own.example.organiser()) == ["gold", "proposed", "pooled"]
    for viewer in (None, own.teams[0], own.annotators[0]):
        assert seen(own, viewer) == ["gold"]
    own.judge(own.items()[0], "reject")
    own.example.clock.set(WHEN_PUBLISHED)
    (_, proposed, _) = list_golds(own.event, own.example.phase("test"), None)
    assert (proposed.number, proposed.reason.split(": ")[1]) == (2, "1 proposal, 0 accepted, 1 rejected, 0 undecided")


def test_rejected_and_undecided_items_are_not_in_the_gold(sqlite_answers: AnswersEvent) -> None:
    own = sqlite_answers
    own.judge(own.propose(LONELY, FELT), "reject")
    own.propose(9, "Now .")
    proposed, pooled = _make_answer_golds(own.event, ANSWERS)
    assert proposed.reason.endswith("2 proposals, 0 accepted, 1 rejected, 1 undecided")
    assert proposed.sha256 == pooled.sha256 == versions(own)[0].sha256


def test_an_amended_item_is_in_the_gold_as_amended(sqlite_answers: AnswersEvent) -> None:
    own = sqlite_answers
    own.judge(own.propose(LONELY, FELT), "amend", text=FELT.replace("lonesome", "sad"))
    made = read_version(own, _make_answer_golds(own.event, ANSWERS)[0])[LONELY - 1]
    corrected = {" ".join(made.corrected(annotation)) for annotation in made.annotations}
    assert FELT.replace("lonesome", "sad") in corrected
    assert FELT not in corrected


def test_boards_with_accepted_answers_are_those_of_the_gold_that_was_made(answers: AnswersEvent) -> None:
    ensure_pooled(answers.event, ANSWERS)
    answers.judge_all()
    answers.example.clock.set(WHEN_PUBLISHED)
    phase = answers.example.phase("test")
    scores: dict[str, dict[str, float]] = {}
    for version in list_golds(answers.event, phase, None):
        board = boards._make(answers.event, version, named=True)
        assert board is not None
        table = next(own for name, own in board.tables.items() if name.startswith("ranking")).shown
        names = [column.name for column in table.columns]
        scores[version.variant] = {str(row[names.index("System")]): float(row[names.index("F0.5")] or 0) for row in table.rows}
        corpus = read_version(answers, version)
        for name, system in (("Alpha", "eager"), ("Beta", "cautious"), ("Gamma", "rewriter")):
            texts = OUTPUTS[system].decode().splitlines()
            assert scores[version.variant][name] == pytest.approx(score(corpus, texts, "maxmatch").value), (version.variant, name)
    assert scores["gold"] == scores["proposed"]
    assert all(scores["pooled"][team] > value for team, value in scores["gold"].items())


def test_golds_are_made_again_when_the_gold_is_corrected(sqlite_answers: AnswersEvent) -> None:
    own = sqlite_answers
    own.judge(own.propose(LONELY, FELT), "accept")
    own.example.clock.set(WHEN_PUBLISHED)
    assert seen(own, None) == ["gold", "proposed", "pooled"]
    (own.example.folder / "gold.m2").write_bytes(GOLD.replace(b"|||felt|||", b"|||was feeling|||", 1))
    own.event.update(str(own.example.folder / "event.toml"))
    newest = {version.variant: version for version in list_golds(own.event, own.example.phase("test"), None)}
    assert {variant: version.number for variant, version in newest.items()} == {"gold": 2, "proposed": 2, "pooled": 2}
    assert newest["proposed"].reason.startswith("made of version 2")


def test_golds_are_made_again_when_what_gives_types_changes(sqlite_answers: AnswersEvent) -> None:
    own = sqlite_answers
    own.judge(own.propose(LONELY, FELT), "accept")
    own.example.clock.set(WHEN_PUBLISHED)
    for definition, made in ((DEFINITION, 1), (DEFINITION.replace("confidence", 'tagger = "none"\nconfidence'), 2), (f"{DEFINITION}\n", 2)):
        own.event.update(own.example.write(definition))
        seen(own, None)
        with own.event.database.read() as transaction:
            assert len({state for (state,) in transaction.rows("SELECT state FROM answer_golds")}) == made


def test_golds_are_made_once_by_processes_that_ask_at_once(answers: AnswersEvent) -> None:
    answers.judge(answers.propose(LONELY, FELT), "accept")
    answers.example.clock.set(WHEN_PUBLISHED)
    other = answers.example.reopen()
    phase = answers.example.phase("test")
    with ThreadPoolExecutor(6) as pool:
        listed = list(pool.map(lambda number: list_golds((answers.event, other.event)[number % 2], phase, None), range(6)))
    other.event.close()
    assert all(own == listed[0] for own in listed)
    assert len(versions(answers)) == 3


def test_a_judgment_that_comes_while_golds_are_made_is_in_them_or_refused(answers: AnswersEvent) -> None:
    items = [answers.propose(number, "Something else .") for number in range(1, 9)]
    answers.event.decide(ANSWERS, "close")

    def accept(number: int) -> bool:
        try:
            answers.judge(items[number], "accept")
        except RequestError:
            return False
        return True

    with ThreadPoolExecutor(9) as pool:
        accepted = [pool.submit(accept, number) for number in range(8)]
        publish = pool.submit(answers.event.decide, ANSWERS, "publish")
        golds = pool.submit(list_golds, answers.event, answers.example.phase("test"), None)
        publish.result()
        golds.result()
        count = sum(own.result() for own in accepted)
    (_, proposed, _) = list_golds(answers.event, answers.example.phase("test"), None)
    assert f" {count} accepted" in proposed.reason


def test_the_exported_rows_make_the_same_gold(sqlite_answers: AnswersEvent) -> None:
    own = sqlite_answers
    ensure_pooled(own.event, ANSWERS)
    own.propose(LONELY, FELT, 0)
    own.propose(LONELY, FELT, 1)
    for index, item in enumerate(own.items()):
        own.judge(item, ("accept", "reject", "skip")[index % 3], comment="why, oh why")
    with own.event.database.read() as transaction:
        rows = json.loads(json.dumps(_list_items(transaction, own.example.phase(ANSWERS))))
        judgments = json.loads(json.dumps(_list_judgments(transaction, own.example.phase(ANSWERS))))
    gold = read(EXAMPLES / "learner.m2")
    for version in _make_answer_golds(own.event, ANSWERS):
        accepted: dict[int, list[ItemEdits]] = {}
        for row in rows:
            if row["status"] == "accepted" and (row["teams"] or version.variant == "pooled"):
                accepted.setdefault(row["sentence"], []).append(read_edits(row["accepted_edits"]))
        types = _AnswerTypes(gold, own.answers.scorer.prepared.tagger)
        assert write_m2(_compose(gold, accepted, types).corpus) == write_m2(read_version(own, version))
    shared = [row for row in rows if row["teams"]]
    assert [row["teams"] for row in shared] == [["Alpha", "Beta"]]
    assert {row["comment"] for row in judgments} == {"why, oh why"}
    assert {row["newest"] for row in judgments if row["verdict"] == "skip"} == {False}
    assert len(judgments) == len(rows)


def test_types_that_the_task_leaves_out_are_not_in_the_gold(make_sqlite_event: Callable[..., ExampleEvent]) -> None:
    definition = DEFINITION.replace("confidence = false", 'confidence = false\ntypes = ["ArtOrDet", "Prep"]')
    own = prepare_answers(make_sqlite_event(definition))
    assert _find_item_edits(own.answers.sentence(LONELY), tuple(FELT.split()))
    own.judge(own.propose(LONELY, FELT), "accept")
    made = read_version(own, _make_answer_golds(own.event, ANSWERS)[0])
    assert {edit.type for sentence in made for annotation in sentence.annotations for edit in annotation.edits} == {"ArtOrDet", "Prep"}
