from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from errata.formats import read
from errata.formats.problems import ignore_problem
from errata.language.tagging import suit
from errata.task.definition import read_task
from errata.task.running import run_task
from errata.task.tables import TaskTable
from errata_event import boards
from errata_event import boards as results
from errata_event.accounts import list_aliases
from errata_event.boards import Board
from errata_event.caching import Cache, Maker, PendingError
from errata_event.golds import find_newest
from errata_event.scoring import PhaseScorer
from errata_event.submissions import PRIMARY, WITHDRAWN
from errata_event.uploading import ClosedError, mark_submission

from example_events import AFTER_TEST, DEFINITION, EXAMPLES, GOLD, OUTPUTS, WHEN_PUBLISHED, ExampleEvent, make_example_event, vary

SETTINGS = {
    "as it is": "confidence = false\n",
    "intervals and tests": 'confidence = 0.95\nreplicates = 100\ntest = "randomisation"\nhandles = {Alpha = ["ArtOrDet", "Prep"]}\n',
    "types and tokens": 'confidence = false\ntypes = ["ArtOrDet", "Prep", "Nn"]\ntokenise = "source"\n',
    "undefined numbers": 'confidence = false\ntypes = ["Mec"]\nmetrics = ["maxmatch", "imeasure"]\n',
}
TEAMS = {"Alpha": "eager", "delta": "cautious", "Gamma": "rewriter"}


def _define(settings: str) -> str:
    without = DEFINITION.replace("confidence = false\n", "")
    return settings + (without.replace('metrics = ["maxmatch", "gleu"]\n', "") if "metrics" in settings else without)


def _cells(tables: dict[str, TaskTable]) -> str:
    """All cells of all tables, and everything around them; a text, because undefined numbers do not equal themselves."""
    return str(sorted(tables.items()))


@pytest.mark.parametrize("settings", list(SETTINGS.values()), ids=list(SETTINGS))
def test_a_board_has_the_tables_of_errata_task_run(make_event: Callable[..., ExampleEvent], tmp_path: Path, settings: str) -> None:
    event = make_event(_define(settings))
    (tmp_path / "systems").mkdir()
    for team, output in TEAMS.items():
        event.upload(event.add(team), "dev", output)
        (tmp_path / "systems" / f"{team}.txt").write_bytes(OUTPUTS[output])
    names = "".join(f'"systems/{team}.txt", ' for team in TEAMS)
    metrics = "" if "metrics" in settings else 'metrics = ["maxmatch", "gleu"]\n'
    (tmp_path / "task.toml").write_text(f'title = "The example event: Dev"\ngold = "gold.m2"\nsystems = [{names}]\n{metrics}{settings}')
    task = read_task(str(tmp_path / "task.toml"))
    expected = run_task(task, suit(task.tagger, read(str(tmp_path / "gold.m2"))), ignore_problem, jobs=1)
    made, found = event.board(), event.board()
    assert made is not None
    assert found is not None
    assert (made.id, made.teams, made.is_current) == (found.id, ["Alpha", "delta", "Gamma"], True)
    assert set(made.tables) == set(expected.tables)
    for board in (made, found):  # as it was made, and as the database has it
        assert _cells(board.tables) == _cells(expected.tables)


def test_boards_without_names(event: ExampleEvent) -> None:
    teams = [event.add(name) for name in TEAMS]
    for team, output in zip(teams, TEAMS.values(), strict=True):
        event.upload(team, "test", output)
    event.clock.set(AFTER_TEST)
    anonymous, named = event.board("test", named=False), event.board("test")
    assert anonymous is not None
    assert named is not None
    text = str(anonymous)
    assert not any(team.name in text for team in teams)
    with event.event.database.read() as transaction:
        assert anonymous.teams == sorted(list_aliases(transaction, "test", teams).values())
    assert len(boards_of(event)) == 2
    values = [sorted(str(row[2:]) for row in board.tables["ranking-maxmatch"].shown.rows) for board in (anonymous, named)]
    assert values[0] == values[1]


def boards_of(event: ExampleEvent, phase: str = "test") -> list[Board]:
    with event.event.database.read() as transaction:
        version = find_newest(transaction, phase)
        assert version is not None
        return boards._list_stored(transaction, version.id)


def test_a_board_is_made_again_only_if_what_counts_has_changed(event: ExampleEvent) -> None:
    team, other = event.add("Alpha"), event.add("Beta")
    assert event.board() is None
    first = event.upload(team, "dev", "eager").submission
    event.upload(other, "dev", "eager")
    before = event.board()
    event.event.update(event.write(DEFINITION.replace("per_day = 10", "per_day = 9")))
    event.upload(team, "dev", b"")
    event.upload(team, "dev", "eager", "another description")
    again = event.board()
    assert before is not None
    assert again is not None
    assert again.id == before.id
    event.upload(team, "dev", "cautious")
    third = event.board()
    assert third is not None
    assert third.id != before.id
    assert len(boards_of(event, "dev")) == 1  # the older one is replaced
    assert first is not None
    mark_submission(event.event, team, first.public_id, PRIMARY)
    fourth = event.board()
    assert fourth is not None
    assert _cells(fourth.tables) == _cells(before.tables)
    event.event.update(event.write(DEFINITION.replace('["maxmatch", "gleu"]', '["gleu"]')))
    other_metrics = event.board()
    assert other_metrics is not None
    assert set(other_metrics.tables) == {"ranking"}


def test_a_team_that_was_removed_or_has_withdrawn_has_no_row(event: ExampleEvent) -> None:
    teams = {name: event.add(name) for name in TEAMS}
    submissions = {name: event.upload(teams[name], "dev", output).submission for name, output in TEAMS.items()}
    with event.event.database.write() as transaction:
        teams["delta"].remove(transaction, event.clock())
    last = submissions["Gamma"]
    assert last is not None
    mark_submission(event.event, teams["Gamma"], last.public_id, WITHDRAWN)
    board = event.board()
    assert board is not None
    assert board.teams == ["Alpha"]
    assert "delta" not in str(board.tables)


def test_a_board_is_frozen_once_its_phase_has_closed(event: ExampleEvent) -> None:
    team, other = event.add("Alpha"), event.add("Beta")
    first = event.upload(team, "test", "eager").submission
    event.upload(team, "test", "cautious")
    event.upload(other, "test", "rewriter")
    event.clock.set("2027-03-07 12:10:00 UTC")
    before = event.board("test")
    assert first is not None
    for kind in (PRIMARY, WITHDRAWN):
        with pytest.raises(ClosedError):
            mark_submission(event.event, team, first.public_id, kind)
    with pytest.raises(ClosedError):
        event.upload(other, "test", "eager")
    event.clock.set(WHEN_PUBLISHED)
    after = event.board("test")
    assert before is not None
    assert after == before._replace(is_public=True)


def test_a_new_gold_scores_everything_again_and_keeps_the_old_tables(event: ExampleEvent) -> None:
    team = event.add("Alpha")
    submission = event.upload(team, "dev", "eager").submission
    assert submission is not None
    old = event.board()
    with event.event.database.read() as transaction:
        first = find_newest(transaction, "dev")
    (event.folder / "gold.m2").write_bytes(GOLD.replace(b"|||felt|||", b"|||fell|||"))
    assert event.event.update(str(event.folder / "event.toml")) == [
        "the gold of dev without alternative answers, version 2",
        "the gold of test without alternative answers, version 2",
    ]
    new = event.board()
    with event.event.database.read() as transaction:
        second = find_newest(transaction, "dev")
        assert first is not None
        assert second is not None
        assert boards._list_stored(transaction, first.id) == [old]
        assert boards._list_stored(transaction, second.id) == [new]
    assert (first.number, second.number) == (1, 2)
    assert results._make(event.event, first, named=True) == old
    before, after = (results.find_scores(event.event, submission, version, "Alpha") for version in (first, second))
    assert before[0].value is not None
    assert after[0].value is not None
    assert before[0].value > after[0].value  # it had this correction
    assert results.find_scores(event.event, submission, first, "Alpha") == before
    (event.folder / "gold.m2").write_bytes(GOLD)
    event.event.update(str(event.folder / "event.toml"))
    with event.event.database.read() as transaction:
        third = find_newest(transaction, "dev")
    assert third is not None
    assert (third.number, third.sha256) == (3, first.sha256)


def test_only_boards_that_everybody_saw_stay_to_be_seen(event: ExampleEvent) -> None:
    event.upload(event.add("Alpha"), "test", "eager")
    before = event.board("test")  # an organiser looks at it while the phase hides it
    assert before is not None
    assert not before.is_public
    assert [board.is_public for board in boards_of(event)] == [False]
    event.clock.set(WHEN_PUBLISHED)
    after = event.board("test")
    assert after == before._replace(is_public=True)
    assert boards_of(event) == [after]
    assert event.board("test") == after


def test_given_alternatives_have_a_board_of_their_own(make_event: Callable[..., ExampleEvent]) -> None:
    event = make_event()
    for name in ("essays.sgml", "alternatives.sgml"):
        (event.folder / name).write_bytes((EXAMPLES / name).read_bytes())
    definition = DEFINITION.replace('gold = "gold.m2"', 'gold = "essays.sgml"\nalternatives = "alternatives.sgml"', 1)
    changes = event.event.update(event.write(definition))
    assert "the gold of dev with the organisers' alternative answers, version 1" in changes
    scorer_gold = event.board("dev", "given")
    assert scorer_gold is None  # nobody has submitted
    source = b"".join(line[2:] + b"\n" for line in _sources(event))
    event.upload(event.add("Alpha"), "dev", source)
    plain, given = event.board("dev"), event.board("dev", "given")
    assert plain is not None
    assert given is not None
    assert plain.gold != given.gold
    assert "gold-alternatives.m2" in str(given.tables)


def _sources(event: ExampleEvent) -> list[bytes]:
    from errata_event import contents
    from errata_event.event import _list_sources

    with event.event.database.read() as transaction:
        version = find_newest(transaction, "dev")
        assert version is not None
        return _list_sources(contents.get(transaction, version.sha256))


def test_other_sentences_are_refused_once_there_are_submissions(event: ExampleEvent) -> None:
    (event.folder / "gold.m2").write_bytes(GOLD.replace(b"S Last year", b"S Next year"))
    event.event.update(str(event.folder / "event.toml"))  # nobody has submitted
    (event.folder / "gold.m2").write_bytes(GOLD)
    event.event.update(str(event.folder / "event.toml"))
    event.upload(event.add("Alpha"), "dev", "eager")
    for gold, message in (
        (GOLD.replace(b"S Last year", b"S Next year"), "72 instead of 72, the first difference is sentence 2; make it a phase of its own"),
        (GOLD + b"\nS One more .\n", "73 instead of 72, the first difference is sentence 73"),
        (GOLD.rpartition(b"\nS ")[0], "71 instead of 72, the first difference is sentence 72"),
    ):
        (event.folder / "gold.m2").write_bytes(gold)
        with pytest.raises(Exception, match=f"the new gold of dev has other sentences than the one of 1 submission: {message}"):
            event.event.update(str(event.folder / "event.toml"))
    with event.event.database.read() as transaction:
        newest = find_newest(transaction, "dev")
    assert newest is not None
    assert newest.number == 3  # nothing was stored of what was refused


def test_threads_that_need_the_same_board_make_it_once(event: ExampleEvent, monkeypatch: pytest.MonkeyPatch) -> None:
    for index, content in enumerate(vary(8)):
        event.upload(event.add(f"T{index}"), "dev", content)
    made: list[int] = []
    score = results.score_entries

    def count(*args: object) -> results.ScoredEntries:
        made.append(1)
        time.sleep(0.1)
        return score(*args)  # type: ignore[arg-type]

    monkeypatch.setattr(results, "score_entries", count)
    got: list[Board | None] = []
    event.event.maker = Maker(max_wait=30, most_waiting=10)
    with event.event.database.read() as transaction:
        version = find_newest(transaction, "dev")
    assert version is not None
    threads = [threading.Thread(target=lambda: got.append(results.get(event.event, version, named=True))) for _ in range(10)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert len(made) == 1
    assert len(got) == 10
    assert len({board.id for board in got if board is not None}) == 1


def test_readers_do_not_wait_for_a_board_that_takes_long(sqlite_event: ExampleEvent, monkeypatch: pytest.MonkeyPatch) -> None:
    event = sqlite_event
    event.event.maker = Maker(max_wait=0.05)
    first, second = vary(2)
    team = event.add("Alpha")
    event.upload(team, "dev", first)
    begun, go_on = threading.Event(), threading.Event()
    score = results.score_entries

    def wait(*args: object) -> results.ScoredEntries:
        begun.set()
        time.sleep(0.05)
        assert go_on.wait(20)
        return score(*args)  # type: ignore[arg-type]

    monkeypatch.setattr(results, "score_entries", wait)
    go_on.set()
    old = event.board()
    event.upload(team, "dev", second)
    go_on.clear()
    begun.clear()
    got: list[Board | None] = []
    with event.event.database.read() as transaction:
        version = find_newest(transaction, "dev")
    assert version is not None
    thread = threading.Thread(target=lambda: got.append(event.board()))
    thread.start()
    assert begun.wait(20)
    meanwhile = results.get(event.event, version, named=True)
    assert old is not None
    assert meanwhile == old._replace(is_current=False)
    with pytest.raises(PendingError, match="is being made; try again in a moment"):
        results.get(event.event, version, named=False)
    go_on.set()
    thread.join(20)
    (new,) = got
    assert new is not None
    assert (new.is_current, new.id != old.id) == (True, True)
    assert event.board() == new


def test_a_board_that_cannot_be_made_leaves_no_lock(sqlite_event: ExampleEvent, monkeypatch: pytest.MonkeyPatch) -> None:
    sqlite_event.upload(sqlite_event.add("Alpha"), "dev", "eager")

    def fail(*args: object) -> results.ScoredEntries:
        raise RuntimeError(f"a mistake {len(args)}")

    with monkeypatch.context() as patch:
        patch.setattr(results, "score_entries", fail)
        for _ in range(2):
            with pytest.raises(RuntimeError, match="a mistake"):
                sqlite_event.board()
    assert sqlite_event.board() is not None


def test_kept_scores_are_bounded(tmp_path: Path) -> None:
    event = make_example_event(tmp_path)
    team = event.add("Alpha")
    receipt = event.upload(team, "dev", "eager")
    with event.event.database.read() as transaction:
        version = find_newest(transaction, "dev")
    assert version is not None
    scorer = event.event.scorer(version, event.event.moment().definition)
    assert isinstance(scorer, PhaseScorer)
    assert receipt.submission is not None
    scores = scorer.score(OUTPUTS["eager"], receipt.submission.sha256, "Alpha")
    assert scorer.score(OUTPUTS["eager"], receipt.submission.sha256, "Alpha") is scores
    kept: Cache[int, object] = Cache(most=3, size=100)
    for number in range(5):
        kept.put(number, scores, 10)
    assert [kept.get(number) is not None for number in range(5)] == [False, False, True, True, True]
    kept.get(2)
    kept.put(5, scores, 85)
    assert [kept.get(number) is not None for number in range(6)] == [False, False, True, False, False, True]
    event.event.close()
