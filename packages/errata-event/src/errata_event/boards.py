"""Scores and leaderboards: computed when they are first needed, kept, and shown to readers who do not wait.

A leaderboard is the tables of a phase under one version of its gold, as ``errata task run`` makes them.  It is kept in the database with
its state, which is a hash of all that it was made of; a new one is made only if that has changed.  A newer board of the same gold replaces
the older one; the tables of an older gold stay, because teams may have submitted something else since.
"""

from __future__ import annotations

import hashlib
import json
import math
import re
from contextlib import suppress
from dataclasses import asdict, replace
from datetime import timedelta
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from errata.errors import ErrataError, RequestError
from errata.formats.problems import Problem
from errata.metrics.registry import metric
from errata.report.table import Column, Table
from errata.task.definition import Statistics
from errata.task.running import RefusalError, Rejected
from errata.task.tables import TaskTable
from errata_event import contents
from errata_event.accounts import list_accounts, list_aliases, list_removed
from errata_event.caching import PendingError
from errata_event.database import DatabaseUnavailableError
from errata_event.definition import Decisions, Visibility, parse_event
from errata_event.golds import find_newest, list_gold_versions
from errata_event.instants import from_micros, to_micros
from errata_event.submissions import choose_entries, list_submissions

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from datetime import datetime

    from errata.metrics.base import Metric
    from errata.scoring.scores import Score
    from errata.task.definition import Task
    from errata_event.database import DatabaseTransaction
    from errata_event.definition import EventDefinition, Phase
    from errata_event.event import Event, Moment
    from errata_event.golds import GoldVersion
    from errata_event.scoring import Checked, PhaseScorer
    from errata_event.submissions import Submission


class Entry(NamedTuple):
    """What a board has of a team: the name that it shows, and the submission that counts."""

    name: str
    submission: Submission


class Board(NamedTuple):
    """The tables of a phase."""

    id: int
    phase: str
    gold: int
    state: str
    made_at: datetime
    tables: dict[str, TaskTable]
    teams: list[str]
    """The teams, as the tables name them."""
    named: bool
    """Whether these are their names."""
    is_current: bool = True
    """False if what counts has changed since, and a newer one is being made."""
    is_public: bool = False
    """Whether everybody could see it, so that it stays to be seen when the gold is replaced; organisers may have seen others before."""


def get(event: Event, version: GoldVersion, *, named: bool, until: float | None = None) -> Board | None:
    """Get the board under a gold as it is now, or have it made and wait for a moment; then the last one, which says that it is not current.

    None if no team has submitted anything that can be scored; raises :class:`PendingError` if there is no board yet.
    ``until`` is an instant of :meth:`errata_event.caching.Maker.wait_until`, for those who get several.
    """
    current = _find_current(event, version, named=named)
    if current.board is not None or not current.entries:
        return current.board
    made: list[Board | None] = []
    event.maker.make((version.id, named), lambda: made.append(_make(event, version, named=named)), until)
    if made:
        return made[0]
    current = _find_current(event, version, named=named)  # another may have been waiting for it
    if current.board is not None:
        return current.board
    with event.database.read() as transaction:
        needs_public = _is_board_public(transaction, event.moment(transaction), version, named=named)
        stored = _list_stored(transaction, version.id)
    last = next((board for board in stored if board.named == named and (board.is_public or not needs_public)), None)
    if last is None:
        raise PendingError
    return last._replace(is_current=False)


def get_replaced(transaction: DatabaseTransaction, version: GoldVersion, *, named: bool, unseen: bool = False) -> Board | None:
    """Get the last board under a gold that was replaced, as everybody saw it then; None if nobody looked at one.

    One that was anonymous then gets the names of teams, if they are asked for.  With ``unseen``, one that only organisers saw will do.
    """
    stored = _list_stored(transaction, version.id)
    public = [board for board in stored if board.is_public]
    if not named:
        found = next((board for board in public if not board.named), None)
    elif not public or public[0].named:
        found = next(iter(public), None)
    else:
        teams = list_accounts(transaction, "team")
        anonymous = list_aliases(transaction, version.phase, teams)
        found = _name_teams(public[0], {anonymous[team.id]: team.name for team in teams})
    return max(stored, key=lambda board: board.named, default=None) if found is None and unseen else found


def list_public(transaction: DatabaseTransaction, phase: str, *, named: bool) -> set[int]:
    """List the numbers of golds with a board that everybody could see, as :func:`get_replaced` finds it; also named ones if ``named``."""
    rows = transaction.rows("SELECT gold, named FROM boards WHERE phase = ? AND public = 1", phase)
    return {gold for gold, has_names in rows if named or not has_names}


class _Current(NamedTuple):
    """What counts now, and the board of it."""

    moment: Moment
    entries: list[Entry]
    state: str
    board: Board | None
    """None if it has to be made."""


def _find_current(event: Event, version: GoldVersion, *, named: bool) -> _Current:
    with event.database.read() as transaction:
        moment = event.moment(transaction)
        entries = list_entries(transaction, version.phase, named=named)
        state = _compute_state(moment.definition, version, entries, named=named)
        board = next(iter(_list_stored(transaction, version.id, state)), None)
        is_public = _is_board_public(transaction, moment, version, named=named)
    if board is not None and is_public and not board.is_public:
        with suppress(DatabaseUnavailableError):  # else the next who looks tries again
            with event.database.write(f"board {version.id}") as transaction:
                transaction.run("UPDATE boards SET public = 1 WHERE id = ?", board.id)
            board = board._replace(is_public=True)
    return _Current(moment, entries, state, board or event.unstored_boards.get((version.id, state)))


def _make(event: Event, version: GoldVersion, *, named: bool) -> Board | None:
    """Make the board of what counts now, however long that takes, unless there is one; None if no team has submitted what can be scored."""
    moment, entries, state, board = _find_current(event, version, named=named)  # another process may have made it
    if board is not None or not entries:
        return board
    scorer = event.scorer(version, moment.definition)
    scored = score_entries(event, scorer, entries)
    if not scored.names:
        return None
    tables = scored.without_reasons().make_tables(scorer)
    board = Board(0, version.phase, version.id, state, moment.now, tables, scored.names, named)
    try:
        with event.database.write(f"board {version.id}") as transaction:
            shown = _is_board_public(transaction, moment, version, named=named)  # the gold may have been replaced meanwhile
            return _store(transaction, board._replace(is_public=shown))
    except DatabaseUnavailableError:  # such as on a full disk; it can be shown all the same
        event.unstored_boards.put((version.id, state), board)
        return board


_STATE_DIGITS = 16


def _compute_state(definition: EventDefinition, version: GoldVersion, entries: Sequence[Entry], *, named: bool) -> str:
    made_of = {
        "settings": definition.settings_hash,
        "phase": definition.title_of(definition.phase(version.phase)),
        "gold": version.sha256,
        "named": named,
        "entries": sorted([entry.name, entry.submission.sha256] for entry in entries),
    }
    return hashlib.sha256(json.dumps(made_of, sort_keys=True).encode()).hexdigest()[:_STATE_DIGITS]


def _store(transaction: DatabaseTransaction, board: Board) -> Board:
    """Store a board, unless another process has stored the same meanwhile; return it with its number."""
    known = transaction.row("SELECT id FROM boards WHERE gold = ? AND state = ?", board.gold, board.state)
    if known is not None:
        return board._replace(id=known[0])
    for older in _list_stored(transaction, board.gold):
        if older.named == board.named and (board.is_public or not older.is_public):  # what everybody saw stays
            transaction.run("DELETE FROM boards WHERE id = ?", older.id)
    id_ = transaction.insert(
        "INSERT INTO boards (phase, gold, state, made_at, named, public, content) VALUES (?, ?, ?, ?, ?, ?, ?)",
        board.phase,
        board.gold,
        board.state,
        to_micros(board.made_at),
        int(board.named),
        int(board.is_public),
        _write(board),
    )
    return board._replace(id=id_)


_COLUMNS = "id, phase, gold, state, made_at, named, public, content"


def _list_stored(transaction: DatabaseTransaction, gold: int, state: str | None = None) -> list[Board]:
    """List the boards under the gold of a number, the newest first: one with the names of teams and one without, public or not, at most."""
    of_state, values = ("", (gold,)) if state is None else (" AND state = ?", (gold, state))
    rows = transaction.rows(f"SELECT {_COLUMNS} FROM boards WHERE gold = ?{of_state} ORDER BY id DESC", *values)  # noqa: S608 - constants
    return [_read_board(row) for row in rows]


def _read_board(row: tuple[Any, ...]) -> Board:
    id_, phase, gold, state, made_at, named, public, raw = row
    content = json.loads(raw)
    tables = {name: TaskTable(*map(_unpack, own)) for name, own in content["tables"].items()}
    return Board(id_, phase, gold, state, from_micros(made_at), tables, content["teams"], bool(named), is_public=bool(public))


def _write(board: Board) -> str:
    tables = {name: [_pack(table) for table in own] for name, own in board.tables.items()}
    return json.dumps({"tables": tables, "teams": board.teams})


def _pack(table: Table) -> dict[str, Any]:
    return {
        "title": table.title,
        "columns": [asdict(column) for column in table.columns],
        "rows": table.rows,
        "notes": table.notes,
        "best_of": table.best_of,
    }


def _unpack(record: Mapping[str, Any]) -> Table:
    return Table(
        tuple(Column(**column) for column in record["columns"]),
        tuple(tuple(row) for row in record["rows"]),
        record["title"],
        tuple(record["notes"]),
        record["best_of"],
    )


def _name_teams(board: Board, names: Mapping[str, str]) -> Board:
    """Name the teams of an anonymous board, in every text of its rows; nothing else changes, nor does the order of the rows."""
    pattern = re.compile(rf"\b(?:{'|'.join(map(re.escape, names))})\b")

    def write(text: str) -> str:
        return pattern.sub(lambda found: names[found[0]], text)

    def convert(table: Table) -> Table:
        return replace(table, rows=tuple(tuple(write(cell) if isinstance(cell, str) else cell for cell in row) for row in table.rows))

    tables = {name: TaskTable(*map(convert, own)) for name, own in board.tables.items()}
    return board._replace(tables=tables, teams=[names.get(team, team) for team in board.teams], named=True)


_NO_REASON = "cannot be scored; its team and the organisers see why on the page of the submission"


class ShownScore(NamedTuple):
    """A score as it is kept and shown; ``problem`` says why there is none."""

    metric: str
    label: str
    value: float | None
    parts: dict[str, Any]
    signature: str
    problem: str = ""


class SubmissionScores:
    """The scores of one submission under one version of the gold."""

    def __init__(self, scorer: PhaseScorer, shown: list[ShownScore]) -> None:
        self._version, self._settings, self.shown = scorer.version, scorer.settings, shown

    @classmethod
    def compute(cls, scorer: PhaseScorer, content: bytes, sha256: str, name: str, checked: Checked | None = None) -> SubmissionScores:
        added = scorer.prepared.golds[0].signature(scorer.task)
        scores = scorer.score(content, sha256, name, checked)
        shown = [
            ShownScore(str(own.metric), own.metric.label, _make_finite(own.value), _make_finite(own.parts), f"{own.signature}{added}")
            for own in scores
        ]
        return cls(scorer, shown)

    def keep(self, transaction: DatabaseTransaction, submission: Submission, now: datetime) -> None:
        """Store them, unless they are."""
        for score in self.shown:
            transaction.run(
                "INSERT INTO scores (submission, gold, settings, metric, value, parts, signature, problem, made_at) "
                "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (submission, gold, settings, metric) DO NOTHING",
                submission.id,
                self._version.id,
                self._settings,
                score.metric,
                score.value,
                json.dumps(score.parts),
                score.signature,
                score.problem,
                to_micros(now),
            )


def _make_finite(value: Any) -> Any:
    """Write what is undefined as None, which every database and JSON have, and not as NaN."""
    if isinstance(value, dict):
        return {key: _make_finite(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_make_finite(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def find_scores(event: Event, submission: Submission, version: GoldVersion, name: str) -> list[ShownScore]:
    """Find the scores of a submission, or compute and keep them."""
    moment = event.moment()
    metrics = [metric(text) for text in moment.definition.metrics]
    with event.database.read() as transaction:
        rows = transaction.rows(
            "SELECT metric, value, parts, signature, problem FROM scores WHERE submission = ? AND gold = ? AND settings = ?",
            submission.id,
            version.id,
            moment.definition.settings_hash,
        )
        known = {row[0]: row[1:] for row in rows}
        if all(str(own) in known for own in metrics):
            return [_read_score(own, *known[str(own)]) for own in metrics]
        content = contents.get(transaction, submission.sha256)
    scorer = event.scorer(version, moment.definition)
    try:
        scores = SubmissionScores.compute(scorer, content, submission.sha256, name)
    except RefusalError as error:
        problem = str(error).replace("\0", "\ufffd")  # it may quote the submission, and PostgreSQL stores no such character
        scores = SubmissionScores(scorer, [ShownScore(str(own), own.label, None, {}, "", problem) for own in metrics])
    with suppress(DatabaseUnavailableError), event.database.write() as transaction:  # they can be shown all the same
        scores.keep(transaction, submission, moment.now)
    return scores.shown


def _read_score(metric: Metric, value: float | None, parts: str, signature: str, problem: str) -> ShownScore:
    return ShownScore(str(metric), metric.label, value, json.loads(parts), signature, problem)


def list_entries(transaction: DatabaseTransaction, phase: str, *, named: bool) -> list[Entry]:
    """List what counts of each team, in the order of the names that the board shows; teams that were removed have no entry."""
    teams = list_accounts(transaction, "team")
    names = {team.id: team.name for team in teams} if named else list_aliases(transaction, phase, teams)
    removed = list_removed(transaction)
    entries = [
        Entry(names[team], submission)
        for team, submission in choose_entries(list_submissions(transaction, phase)).items()
        if team not in removed
    ]
    return sorted(entries, key=lambda entry: entry.name.casefold())


class ScoredEntries(NamedTuple):
    """The scores of entries, and those that a metric refuses."""

    names: list[str]
    scores: list[list[Score]]
    """By metric and team."""
    set_aside: list[Rejected]

    def make_tables(self, scorer: PhaseScorer) -> dict[str, TaskTable]:
        """Make the tables, as ``errata task run`` does; none without a team."""
        if not self.names:
            return {}
        task = fit_test(scorer.task, len(self.names)).task
        return scorer.prepared.make_tables([self.scores], self.set_aside, statistics=Statistics.of(task, len(self.names)))

    def without_reasons(self) -> ScoredEntries:
        """The same, without why some cannot be scored: that may quote what a team submitted, and everybody sees leaderboards."""
        aside = [
            item._replace(problems=tuple(replace(problem, message=_NO_REASON) for problem in item.problems)) for item in self.set_aside
        ]
        return self._replace(set_aside=aside)


def score_entries(event: Event, scorer: PhaseScorer, entries: Sequence[Entry]) -> ScoredEntries:
    """Score what counts of each team."""
    scored: list[list[Score]] = []
    names: list[str] = []
    set_aside: list[Rejected] = []
    for entry in entries:
        with event.database.read() as transaction:
            content = contents.get(transaction, entry.submission.sha256)
        try:
            scored.append(scorer.score(content, entry.submission.sha256, entry.name))
            names.append(entry.name)
        except RefusalError as error:
            set_aside.append(Rejected(entry.name, entry.name, (Problem(entry.name, None, "error", str(error)),)))
    by_metric = [[own[index] for own in scored] for index in range(len(scorer.prepared.metrics))]
    return ScoredEntries(names, by_metric, set_aside)


# A task that cannot be tested, because many teams are many pairs and correcting p for them needs many replicates, is refused, and its file
# can be changed at once.  A leaderboard must not disappear when one more team takes part, so it has no test then, and says why.

_OF_TESTS: dict[str, Any] = {"test": "", "correction": "", "alpha": None}
_OF_INTERVALS_TOO: dict[str, Any] = {"interval": "", "replicates": None, "seed": None, "rechoose": False, "resample": ""}


class _PossibleTask(NamedTuple):
    """A task with the test that it asks for, if that is possible."""

    task: Task
    left_out: tuple[str, ...] = ()
    """Keys that it has no more."""
    why: str = ""
    """Why there is no test; empty if there is, or none was asked for."""


def fit_test(task: Task, teams: int) -> _PossibleTask:
    """Leave out the test of a task if it is not possible with so many teams."""
    try:
        Statistics.of(task, teams)
    except RequestError as error:
        without = {**_OF_TESTS, **({} if task.confidence is not None else _OF_INTERVALS_TOO)}
        why = error.__cause__ or error  # the cause does not name the key of a file
        return _PossibleTask(replace(task, **without), tuple(without), f"No test: {why}.")
    return _PossibleTask(task)


# What everybody may see of a gold: while it is in force what the phase says, and afterwards what everybody could see until then.
# A gold that was replaced while it was hidden stays hidden: it may be another gold, given by mistake.

ANSWERED = ("proposed", "pooled")
"""Variants of the gold that follow from a gold and from judgments in a phase of alternative answers."""
_INSTANT = timedelta(microseconds=1)


def _is_board_public(transaction: DatabaseTransaction, moment: Moment, version: GoldVersion, *, named: bool) -> bool:
    """Whether everybody sees the board under a gold with the names of teams, or without: under one in force, named as the phase says."""
    definition, visibility, _ = moment
    phase = definition.phase(version.phase)
    if not visibility.board(phase, None) or named != visibility.names(phase):
        return False
    if version.variant in ANSWERED and not _are_answers_public(definition, visibility, phase):
        return False
    newest = find_newest(transaction, version.phase, version.variant)
    return newest is not None and newest.id == version.id


def list_public_golds(transaction: DatabaseTransaction, moment: Moment, phase: Phase) -> list[GoldVersion]:
    """List the golds of a phase that everybody may read: those in force, and those that everybody could read until they were replaced."""
    if not moment.visibility.gold(phase, None):
        return []
    versions = list_gold_versions(transaction, phase.name)
    found: list[GoldVersion] = []
    for index, version in enumerate(versions):
        replaced_at = _find_end(version, versions[index + 1 :])
        if replaced_at is None:
            is_public = _shows_gold(moment.definition, moment.visibility, version)
        else:
            is_public = _was_public(transaction, version, replaced_at)
        if is_public:
            found.append(version)
    return found


def _find_end(version: GoldVersion, later: Sequence[GoldVersion]) -> datetime | None:
    """When a gold was replaced; with accepted answers when the gold that it was made of was, although the next is made later."""
    ending = {version.variant, "gold"} if version.variant in ANSWERED else {version.variant}
    return next((other.made_at for other in later if other.variant in ending), None)


def _was_public(transaction: DatabaseTransaction, version: GoldVersion, replaced_at: datetime) -> bool:
    """Whether everybody could read a gold at some instant while it was in force, by the definition that was in force then."""
    decisions = Decisions.read(transaction)
    for definition, start, end in _list_definitions(transaction, replaced_at):
        if max(start, version.made_at) < end:
            # What is visible at one instant is visible at all later ones of the same definition.
            visibility = Visibility(definition, decisions, end - _INSTANT)
            if _shows_gold(definition, visibility, version):
                return True
    return False


def _shows_gold(definition: EventDefinition, visibility: Visibility, version: GoldVersion) -> bool:
    phase = next((phase for phase in definition.phases if phase.name == version.phase and not phase.is_answers), None)
    if phase is None or not visibility.gold(phase, None):
        return False
    return version.variant not in ANSWERED or _are_answers_public(definition, visibility, phase)


def _are_answers_public(definition: EventDefinition, visibility: Visibility, phase: Phase) -> bool:
    answers = definition.answers_about(phase)
    return answers is not None and visibility.answers(answers, None)


def _list_definitions(transaction: DatabaseTransaction, until: datetime) -> Iterator[tuple[EventDefinition, datetime, datetime]]:
    """List the definitions before an instant, with when they began and ended."""
    rows = transaction.rows("SELECT at, toml FROM definitions ORDER BY id")
    starts = [from_micros(at) for at, _ in rows]
    for (_, toml), start, end in zip(rows, starts, [*starts[1:], until], strict=True):
        definition = _parse(toml)
        if definition is not None:
            yield definition, start, min(end, until)


@lru_cache(maxsize=16)
def _parse(toml: str) -> EventDefinition | None:
    """Parse an earlier definition; None if this version of errata no longer takes it, so that what it showed stays hidden."""
    try:
        return parse_event(toml.encode(), "an earlier definition of the event")
    except ErrataError:
        return None
