"""Teams propose alternative answers: edits of their entry, sentences, and files."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from errata import RequestError, read_system
from errata.scoring import Evaluator
from errata.scoring.edits import list_chosen_edits
from errata_event import audit
from errata_event.answers import proposals
from errata_event.answers.items import AnswersPhase, ItemEdit
from errata_event.answers.proposals import (
    AcceptedError,
    ProposalQuota,
    _find_item_edits,
    _ProposalReceipt,
    find_entry,
    list_proposals,
    list_proposed_items,
    propose_edits,
    propose_file,
    propose_sentence,
    withdraw_proposal,
)
from errata_event.definition import parse_event
from errata_event.submissions import LimitError
from errata_event.uploading import ClosedError

from answering import ANSWERS, AnswersEvent, prepare_answers
from example_events import AFTER_TEST, DEFINITION, EXAMPLES, GOLD, OUTPUTS, ExampleEvent

LIMITED = f"{DEFINITION}per_phase = 2\n"
LONELY = 3
FELT = "At first I felt very lonesome because I knew nobody there ."
"""Annotation 1 with another word."""


@pytest.fixture
def answers(event: ExampleEvent) -> AnswersEvent:
    return prepare_answers(event)


@pytest.fixture
def sqlite_answers(sqlite_event: ExampleEvent) -> AnswersEvent:
    return prepare_answers(sqlite_event)


def send(own: AnswersEvent, content: str, team: int = 0) -> _ProposalReceipt:
    return propose_file(own.event, own.teams[team], ANSWERS, content.encode())


def lines_of(own: AnswersEvent, changed: dict[int, str]) -> str:
    return "".join(f"{changed.get(number, sentence.text)}\n" for number, sentence in enumerate(own.gold, start=1))


def test_equal_proposals_of_two_teams_are_one_item(answers: AnswersEvent) -> None:
    first, second = answers.propose(LONELY, FELT, 0), answers.propose(LONELY, f"  {FELT} ", 1)
    assert first == second
    assert first.edits == (ItemEdit(5, 6, "lonesome"),)
    with answers.event.database.read() as transaction:
        ((item, sources),) = list_proposed_items(transaction, ANSWERS).items()
    assert (item, sources) == (first, (frozenset(team.id for team in answers.teams[:2]), False))


def test_a_team_that_proposes_the_same_twice_has_one_proposal(answers: AnswersEvent) -> None:
    team = answers.teams[0]
    made = [propose_sentence(answers.event, team, ANSWERS, LONELY, FELT) for _ in range(2)]
    assert [is_new for _, is_new in made] == [True, False]
    with answers.event.database.read() as transaction:
        assert ProposalQuota.measure(transaction, answers.answers.phase, team.id).total == 1


def test_a_withdrawn_proposal_is_no_item_until_it_is_proposed_again(answers: AnswersEvent) -> None:
    item = answers.propose(LONELY, FELT)
    withdraw_proposal(answers.event, answers.answers, answers.teams[0], item.id)
    assert answers.items() == []
    with answers.event.database.read() as transaction:
        assert [own.is_withdrawn for own in list_proposals(transaction, ANSWERS, answers.teams[0].id)] == [True]
    assert answers.propose(LONELY, FELT) == item
    assert answers.items() == [item]


def test_withdrawing_what_two_propose_leaves_the_item(sqlite_answers: AnswersEvent) -> None:
    own = sqlite_answers
    item = own.propose(LONELY, FELT, 0)
    own.propose(LONELY, FELT, 1)
    withdraw_proposal(own.event, own.answers, own.teams[0], item.id)
    assert own.items() == [item]
    with pytest.raises(RequestError, match="there is no such proposal"):
        withdraw_proposal(own.event, own.answers, own.teams[2], item.id)


def test_edits_of_the_entry_are_proposed_alone_or_together(answers: AnswersEvent) -> None:
    team = answers.teams[0]
    sentence = next(own for own in find_entry(answers.event, answers.answers, team) if len(own.unmatched) > 1)
    one, other = sentence.unmatched[:2]
    alone, _ = propose_edits(answers.event, team, ANSWERS, sentence.number, [one.key])
    both, _ = propose_edits(answers.event, team, ANSWERS, sentence.number, [one.key, other.key])
    assert alone.item.edits == one.item
    assert set(both.item.edits) >= {(edit.edit.start, edit.edit.end, edit.edit.corrections[0]) for edit in (one,)}
    assert len(both.item.edits) > len(alone.item.edits)


def test_a_missed_edit_is_proposed_as_leaving_the_source_as_it_is(sqlite_answers: AnswersEvent) -> None:
    own, team = sqlite_answers, sqlite_answers.teams[1]
    entry = find_entry(own.event, own.answers, team)
    sentence, missed = next((each, edit) for each in entry for edit in each.unmatched if edit.edit.outcome == "missed")
    made, _ = propose_edits(own.event, team, ANSWERS, sentence.number, [missed.key])
    assert any(edit.leaves(sentence.tokens) for edit in made.item.edits)
    assert made.item.edits == (ItemEdit(missed.edit.start, missed.edit.end, missed.edit.original),)


def test_edits_that_the_entry_does_not_have_are_refused(sqlite_answers: AnswersEvent) -> None:
    own, team = sqlite_answers, sqlite_answers.teams[0]
    entry = find_entry(own.event, own.answers, team)
    sentence = entry[0]
    right = next(number for number in range(1, len(own.gold)) if number not in {each.number for each in entry})
    for number, keys, message in (
        (sentence.number, ["wrong-0-99-0"], "has no such edit: 'wrong-0-99-0'"),
        (sentence.number, [], "nothing is proposed"),
        (right, ["wrong-0-1-0"], f"sentence {right} of the team's entry has no unmatched edits"),
        (0, ["wrong-0-1-0"], "sentences are numbered from 1 to"),
    ):
        with pytest.raises(Exception, match=message):
            propose_edits(own.event, team, ANSWERS, number, keys)
    assert own.items() == []


def test_a_team_without_an_entry_can_still_propose_sentences(sqlite_answers: AnswersEvent) -> None:
    own = sqlite_answers
    late = own.example.add("Late")
    assert find_entry(own.event, own.answers, late) == []
    assert propose_sentence(own.event, late, ANSWERS, LONELY, FELT)[1]


@pytest.mark.parametrize(
    ("number", "text", "error", "message"),
    [
        (LONELY, "At first I felt very lonely because I knew nobody there .", AcceptedError, "the gold accepts this already"),
        (LONELY, "At first I felt very lone\u202ely because I knew nobody there .", RequestError, "no control characters"),
        (LONELY, "At first I felt very lone\0ly because I knew nobody there .", RequestError, "no control characters"),
        (LONELY, "At first I felt very a||b because I knew nobody there .", RequestError, "cannot contain"),
        (LONELY, "x " * 6_000, RequestError, "at most 10,000 characters, found 12,000"),
        (9_999, FELT, Exception, "sentences are numbered from 1 to"),
    ],
)
def test_sentences_that_are_no_proposals(
    sqlite_answers: AnswersEvent, number: int, text: str, error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        sqlite_answers.propose(number, text)
    assert sqlite_answers.items() == []


def test_a_text_has_a_line_for_each_sentence_of_which_some_propose(sqlite_answers: AnswersEvent) -> None:
    own = sqlite_answers
    accepted = "She laughed at my naïve questions , but she always answered them ."
    receipt = send(own, lines_of(own, {1: "", LONELY: FELT, 8: accepted}))
    assert [(proposal.item.sentence, is_new) for proposal, is_new in receipt.proposals] == [(LONELY, True)]
    assert [(problem.line, problem.severity) for problem in receipt.problems] == [(8, "warning")]
    assert "the gold accepts this already, so it is no proposal" in receipt.problems[0].message


def test_a_file_with_one_error_proposes_nothing_and_lists_all(sqlite_answers: AnswersEvent) -> None:
    own = sqlite_answers
    receipt = send(own, lines_of(own, {LONELY: FELT, 5: "a||b c", 8: "x| y z|"}))
    assert not receipt.is_accepted
    assert [problem.line for problem in receipt.problems if problem.severity == "error"] == [5, 8]
    assert own.items() == []


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "the file is empty"),
        ("one line\n", "1 sentence, but"),
        (GOLD.decode(), "no sentence has a correction that the gold does not accept"),
        ("S a b\nA 0 1|||X|||c|||REQUIRED|||-NONE-|||0\n", "a system must edit the sentences of the gold"),
        (GOLD.decode() + "\nS a b\nA 0 1|||X|||c|||REQUIRED|||-NONE-|||0\n", "more sentences than the"),
        (GOLD.decode()[:200].rpartition("\n")[0] + "\nA 0 1|||X\n", "6 fields"),
    ],
)
def test_files_that_are_refused(sqlite_answers: AnswersEvent, content: str, message: str) -> None:
    receipt = send(sqlite_answers, content)
    assert not receipt.is_accepted
    assert any(message in problem.message for problem in receipt.problems if problem.severity == "error"), receipt.problems
    assert sqlite_answers.items() == []


def test_what_is_not_text_is_refused(sqlite_answers: AnswersEvent) -> None:
    own = sqlite_answers
    for content in (gzip.compress(OUTPUTS["eager"]), b"\xff\xfe" + OUTPUTS["eager"], b"\0" * 100):
        receipt = propose_file(own.event, own.teams[0], ANSWERS, content)
        assert not receipt.is_accepted
        assert receipt.problems


def test_every_annotation_of_m2_is_a_proposal_and_every_further_correction(sqlite_answers: AnswersEvent) -> None:
    own = sqlite_answers
    blocks = [f"S {sentence.text}\n" for sentence in own.gold]
    blocks[LONELY - 1] += (
        "A 3 4|||Vform|||felt|||REQUIRED|||-NONE-|||0\n"
        "A 5 6|||Wci|||lonesome||sad|||REQUIRED|||-NONE-|||0\n"
        "A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1\n"
        "A 3 4|||Vform|||was|||REQUIRED|||-NONE-|||2\n"
    )
    receipt = send(own, "\n".join(blocks))
    assert [problem.severity for problem in receipt.problems] == ["warning"]  # of the annotation without edits
    corrected = [(edit.start, edit.correction) for proposal, _ in receipt.proposals for edit in proposal.item.edits if edit.start in {3, 5}]
    assert len(receipt.proposals) == 3
    assert {(5, "lonesome"), (5, "sad"), (3, "was")} <= set(corrected)


def test_that_nothing_is_wrong_is_proposed_by_an_edit_and_else_warned_of(sqlite_answers: AnswersEvent) -> None:
    own = sqlite_answers
    blocks = [f"S {sentence.text}\nA -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0\n" for sentence in own.gold]
    blocks[LONELY - 1] = f"S {own.gold[LONELY - 1].text}\nA 0 1|||X|||At|||REQUIRED|||-NONE-|||0\n"
    receipt = send(own, "\n".join(blocks))
    ((proposal, _),) = receipt.proposals
    assert proposal.item.edits == (ItemEdit(3, 4, "feeled"), ItemEdit(11, 12, "nobody"))
    corrected = [number for number, each in enumerate(own.gold, start=1) if each.annotations and all(one.edits for one in each.annotations)]
    assert [problem.severity for problem in receipt.problems] == ["warning"]
    assert f"in {len(corrected) - 1} sentences" in receipt.problems[0].message


def test_a_sentence_does_not_have_thousands_of_proposals(sqlite_answers: AnswersEvent) -> None:
    own = sqlite_answers
    blocks = [f"S {sentence.text}\n" for sentence in own.gold]
    for count, is_accepted in ((50, True), (51, False)):
        edits = "".join(f"A 0 1|||X|||x{number}|||REQUIRED|||-NONE-|||{number}\n" for number in range(count))
        receipt = send(own, "\n".join([*blocks[:-1], blocks[-1] + edits]))
        assert receipt.is_accepted == is_accepted
        assert len(receipt.proposals) == (count if is_accepted else 0)
    assert "at most 50 corrections in a file of proposals, found 51" in receipt.problems[0].message


def test_texts_are_tokenised_as_outputs_are(make_sqlite_event: Callable[..., ExampleEvent]) -> None:
    own = prepare_answers(make_sqlite_event(DEFINITION.replace("confidence", 'tokenise = "source"\nconfidence')))
    raw = "At first I felt very lonesome because I knew nobody there."
    assert own.propose(LONELY, raw).edits == (ItemEdit(5, 6, "lonesome"),)
    unchanged = "She laughed about my naïve questions, but she always answered them."  # as the source, but for its tokens
    ((proposal, is_new),) = send(own, lines_of(own, {LONELY: raw, 8: unchanged})).proposals
    assert (proposal.item.sentence, is_new) == (LONELY, False)


def test_overlapping_edits_are_not_one_sentence(sqlite_answers: AnswersEvent) -> None:
    own = sqlite_answers
    blocks = [f"S {sentence.text}\n" for sentence in own.gold]
    blocks[LONELY - 1] += "A 3 5|||X|||was|||REQUIRED|||-NONE-|||0\nA 4 6|||X|||sad|||REQUIRED|||-NONE-|||0\n"
    receipt = send(own, "\n".join(blocks))
    line = "\n".join(blocks)[: "\n".join(blocks).index(blocks[LONELY - 1])].count("\n") + 1
    (error,) = [problem for problem in receipt.problems if problem.severity == "error"]
    assert error.line == line
    assert "overlap" in error.message


def test_a_phase_accepts_from_when_it_opens_until_it_closes(sqlite_answers: AnswersEvent) -> None:
    own = sqlite_answers
    clock = own.example.clock
    for now, accepts in (
        (AFTER_TEST, False),
        ("2027-03-08 23:59:59 UTC", False),
        ("2027-03-09 00:00 UTC", True),
        ("2027-03-12 23:59:59 UTC", True),
        ("2027-03-13 00:00:01 UTC", False),
    ):
        clock.set(now)
        if accepts:
            own.propose(LONELY, FELT)
        else:
            with pytest.raises(ClosedError):
                own.propose(LONELY, FELT)
            with pytest.raises(ClosedError):
                send(own, lines_of(own, {LONELY: FELT}))
    (item,) = own.items()
    with pytest.raises(ClosedError):
        withdraw_proposal(own.event, own.answers, own.teams[0], item.id)


def test_only_teams_propose_and_only_where_answers_are_asked_for(sqlite_answers: AnswersEvent) -> None:
    own = sqlite_answers
    with pytest.raises(RequestError, match="only teams propose"):
        propose_sentence(own.event, own.annotators[0], ANSWERS, LONELY, FELT)
    with pytest.raises(RequestError, match="outputs are submitted to the phase test"):
        propose_sentence(own.event, own.teams[0], "test", LONELY, FELT)
    with own.event.database.write() as transaction:
        own.teams[0].remove(transaction, own.example.clock())
    with pytest.raises(RequestError, match="removed"):
        own.propose(LONELY, FELT)


def test_proposals_of_a_team_that_was_removed_are_not_judged(sqlite_answers: AnswersEvent) -> None:
    own = sqlite_answers
    own.propose(LONELY, FELT)
    with own.event.database.write() as transaction:
        own.teams[0].remove(transaction, own.example.clock())
    assert own.items() == []


def test_a_limit_counts_new_proposals_and_a_file_is_all_or_nothing(make_sqlite_event: Callable[..., ExampleEvent]) -> None:
    own = prepare_answers(make_sqlite_event(LIMITED))
    with pytest.raises(LimitError, match="accepts 2 proposals of a team; 0 were made before, and 3 would be new"):
        send(own, lines_of(own, {LONELY: FELT, 8: "She wept .", 9: "Now ."}))
    assert own.items() == []
    item = own.propose(LONELY, FELT)
    send(own, lines_of(own, {LONELY: FELT, 8: "She wept ."}))
    with pytest.raises(LimitError):
        own.propose(9, "Now .")
    withdraw_proposal(own.event, own.answers, own.teams[0], item.id)
    with pytest.raises(LimitError):  # what was withdrawn counts
        own.propose(9, "Now .")
    own.propose(LONELY, FELT)  # but it can be proposed again


def test_a_phase_of_answers_has_a_limit_unless_its_file_says_that_it_has_none(make_sqlite_event: Callable[..., ExampleEvent]) -> None:
    def find_limit(line: str) -> int:
        return parse_event(f"{DEFINITION}{line}".encode(), "event.toml").phase(ANSWERS).per_phase

    assert [find_limit(line) for line in ("", "per_phase = 0\n", "per_phase = 5\n")] == [1_000, 0, 5]
    own = prepare_answers(make_sqlite_event(f"{DEFINITION}per_phase = 0\n"))
    send(own, lines_of(own, {LONELY: FELT}))
    with own.event.database.read() as transaction:
        assert ProposalQuota.measure(transaction, own.answers.phase, own.teams[0].id).left is None


def write_flood(own: AnswersEvent, count: int) -> str:
    """Write M2 that has so many corrections of every sentence."""
    corrections = "||".join(f"x{number}" for number in range(count))
    return "\n".join(f"S {sentence.text}\nA 0 1|||X|||{corrections}|||REQUIRED|||-NONE-|||0\n" for sentence in own.gold)


def test_a_flood_of_proposals_is_refused_before_it_is_compared(
    make_sqlite_event: Callable[..., ExampleEvent], monkeypatch: pytest.MonkeyPatch
) -> None:
    own = prepare_answers(make_sqlite_event(LIMITED))
    compared: list[object] = []
    compare = _find_item_edits

    def count(*args: Any) -> Any:
        compared.append(args)
        return compare(*args)

    monkeypatch.setattr("errata_event.answers.proposals._find_item_edits", count)
    receipt = send(own, write_flood(own, 50))
    assert "more than 74 corrections, and this phase accepts 2 proposals of a team; the rest is not read" in receipt.problems[-1].message
    assert len(compared) <= 74 + 50


def test_a_file_beyond_the_limit_begins_no_transaction_that_writes(
    make_sqlite_event: Callable[..., ExampleEvent], monkeypatch: pytest.MonkeyPatch
) -> None:
    own = prepare_answers(make_sqlite_event(LIMITED))

    def write(*_: object, **__: object) -> None:
        raise AssertionError("a transaction that writes")

    monkeypatch.setattr(own.event.database, "write", write)
    with pytest.raises(LimitError, match="accepts 2 proposals of a team; 0 were made before, and 3 would be new"):
        send(own, lines_of(own, {LONELY: FELT, 8: "She wept .", 9: "Now ."}))


def test_what_changes_nothing_is_not_in_the_log(sqlite_answers: AnswersEvent) -> None:
    def count_lines() -> int:
        with sqlite_answers.event.database.read() as transaction:
            return sum(line.action == "answers proposed" for line in audit.read_log(transaction))

    for expected in (1, 1, 1):
        item = sqlite_answers.propose(LONELY, FELT)
        assert count_lines() == expected
    withdraw_proposal(sqlite_answers.event, sqlite_answers.answers, sqlite_answers.teams[0], item.id)
    sqlite_answers.propose(LONELY, FELT)
    assert count_lines() == 2


def test_withdrawing_is_bounded(sqlite_answers: AnswersEvent, monkeypatch: pytest.MonkeyPatch) -> None:
    own = sqlite_answers
    monkeypatch.setattr(proposals, "_MOST_WITHDRAWALS", 2)
    for _ in range(2):
        item = own.propose(LONELY, FELT)
        withdraw_proposal(own.event, own.answers, own.teams[0], item.id)
    item = own.propose(LONELY, FELT)
    with pytest.raises(LimitError, match="a team can withdraw proposals 2 times"):
        withdraw_proposal(own.event, own.answers, own.teams[0], item.id)
    own.propose(LONELY, FELT, 1)
    withdraw_proposal(own.event, own.answers, own.teams[1], item.id)


def test_many_at_once_cannot_pass_the_limit(make_event: Callable[..., ExampleEvent]) -> None:
    own = prepare_answers(make_event(LIMITED))
    answers = AnswersPhase.open(own.event, ANSWERS)
    assert answers.phase.per_phase == 2

    def attempt(number: int) -> bool:
        try:
            own.propose(LONELY, f"{FELT} {number}")
        except LimitError:
            return False
        return True

    with ThreadPoolExecutor(12) as pool:
        assert sum(pool.map(attempt, range(12))) == 2
    assert len(own.items()) == 2


def test_many_teams_that_propose_the_same_at_once_make_one_item(make_event: Callable[..., ExampleEvent]) -> None:
    own = prepare_answers(make_event())
    teams = [own.example.add(f"Other {number}") for number in range(8)]
    with ThreadPoolExecutor(8) as pool:
        made = list(pool.map(lambda team: propose_sentence(own.event, team, ANSWERS, LONELY, FELT)[0].item, teams))
    assert len(set(made)) == 1
    with own.event.database.read() as transaction:
        ((_, sources),) = list_proposed_items(transaction, ANSWERS).items()
    assert sources.teams == {team.id for team in teams}


def test_edits_are_those_of_maxmatch_if_the_metric_that_ranks_shows_none(make_sqlite_event: Callable[..., ExampleEvent]) -> None:
    own = prepare_answers(make_sqlite_event(DEFINITION.replace('"maxmatch", "gleu"', '"gleu"')))
    whole = Evaluator(own.gold, "maxmatch", warn=None)(read_system(EXAMPLES / "systems" / "eager.txt"))
    expected = {number: edits for number, edits in enumerate(list_chosen_edits(whole), start=1) if any(e.outcome != "right" for e in edits)}
    assert {sentence.number: sentence.edits for sentence in find_entry(own.event, own.answers, own.teams[0])} == expected
