"""Scores and leaderboards: computed when they are first needed, and kept."""

from __future__ import annotations

import json
import math
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from errata.event import boards, contents
from errata.event.accounts import list_accounts, list_removed
from errata.event.aliases import list_aliases
from errata.event.boards import Board, Entry
from errata.event.clock import to_micros
from errata.event.possible_tests import fit_test
from errata.event.public_golds import is_board_public
from errata.event.submissions import choose_entries, list_submissions
from errata.event.unavailability import DatabaseUnavailableError
from errata.formats import Problem
from errata.metrics import metric
from errata.task.definition import Statistics
from errata.task.preparation import RefusalError, SetAside

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime

    from errata.event.database import DatabaseTransaction
    from errata.event.event import Event
    from errata.event.gold_versions import GoldVersion
    from errata.event.phases import Phase
    from errata.event.scoring import Checked, PhaseScorer
    from errata.event.submissions import Submission
    from errata.metrics import Metric
    from errata.scoring import Score
    from errata.task.tables import TaskTable


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


def score_submission(scorer: PhaseScorer, content: bytes, sha256: str, name: str, checked: Checked | None = None) -> SubmissionScores:
    """Score a submission; raise if a metric refuses it."""
    return SubmissionScores(scorer, _show(scorer, scorer.score(content, sha256, name, checked)))


def _show(scorer: PhaseScorer, scores: Sequence[Score]) -> list[ShownScore]:
    added = scorer.prepared.golds[0].signature(scorer.task)
    return [
        ShownScore(str(score.metric), score.metric.label, _say(score.value), _say(score.parts), f"{score.signature}{added}")
        for score in scores
    ]


def _say(value: Any) -> Any:
    """Write what is undefined as None, which every database and JSON have, and not as NaN."""
    if isinstance(value, dict):
        return {key: _say(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_say(item) for item in value]
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
            return [_read(own, *known[str(own)]) for own in metrics]
        content = contents.get(transaction, submission.sha256)
    scorer = event.scorer(version, moment.definition)
    try:
        scores = score_submission(scorer, content, submission.sha256, name)
    except RefusalError as error:
        problem = str(error).replace("\0", "\ufffd")  # it may quote the submission, and PostgreSQL stores no such character
        scores = SubmissionScores(scorer, [ShownScore(str(own), own.label, None, {}, "", problem) for own in metrics])
    with suppress(DatabaseUnavailableError), event.database.write() as transaction:  # they can be shown all the same
        scores.keep(transaction, submission, moment.now)
    return scores.shown


def _read(metric: Metric, value: float | None, parts: str, signature: str, problem: str) -> ShownScore:
    return ShownScore(str(metric), metric.label, value, json.loads(parts), signature, problem)


def list_entries(transaction: DatabaseTransaction, phase: Phase, *, named: bool) -> list[Entry]:
    """List what counts of each team, in the order of the names that the board shows; teams that were removed have no entry."""
    teams = list_accounts(transaction, "team")
    names = {team.id: team.name for team in teams} if named else list_aliases(transaction, phase.name, teams)
    removed = list_removed(transaction)
    entries = [
        Entry(names[team], submission)
        for team, submission in choose_entries(list_submissions(transaction, phase.name)).items()
        if team not in removed
    ]
    return sorted(entries, key=lambda entry: entry.name.casefold())


def find_board(event: Event, phase: Phase, version: GoldVersion, *, named: bool) -> Board | None:
    """Find the board of a phase as it is now, or make it, however long that takes; None if no team has submitted what can be scored."""
    look = look_for_board(event, phase, version, named=named)
    if look.board is not None:
        return look.board
    with event.board_maker.making((version.id, named)):
        look = look_for_board(event, phase, version, named=named)  # another thread or process may have made it
        return look.board if look.board is not None else look.make()


class BoardLook(NamedTuple):
    """What there is of a board."""

    board: Board | None
    """The board of what counts now; None if it has to be made."""
    make: Callable[[], Board | None]
    """Makes it; finds None if there is nothing to show."""
    has_entries: bool
    """Whether something was submitted."""


def look_for_board(event: Event, phase: Phase, version: GoldVersion, *, named: bool) -> BoardLook:
    """Find the board of what counts now, without making it."""
    key = (version.id, named)
    with event.database.read() as transaction:
        moment = event.moment(transaction)
        entries = list_entries(transaction, phase, named=named)
        state = boards.compute_state(moment.definition, version, entries, named=named)
        known = boards.find_kept_board(transaction, version, state)
        is_public = is_board_public(transaction, moment, version, named=named)
    if known is not None and is_public and not known.is_public:
        known = _mark_public(event, known)

    def make() -> Board | None:
        if not entries:
            return None
        scorer = event.scorer(version, moment.definition)
        scored = score_entries(event, scorer, entries)
        if not scored.names:
            return None
        tables = scored.without_reasons().make_tables(scorer)
        board = Board(0, version.phase, version.id, state, moment.now, tables, scored.names, named)
        try:
            with event.database.write(f"board {version.id}") as transaction:
                shown = is_board_public(transaction, moment, version, named=named)  # the gold may have been replaced meanwhile
                return boards.keep_board(transaction, board._replace(is_public=shown))
        except DatabaseUnavailableError:  # such as on a full disk; it can be shown all the same
            event.board_maker.remember(key, board)
            return board

    return BoardLook(known or event.board_maker.recall(key, state), make, bool(entries))


def _mark_public(event: Event, board: Board) -> Board:
    try:
        with event.database.write(f"board {board.gold}") as transaction:
            return boards.mark_public(transaction, board)
    except DatabaseUnavailableError:  # the next who looks tries again
        return board


class ScoredEntries(NamedTuple):
    """The scores of entries, and those that a metric refuses."""

    names: list[str]
    scores: list[list[Score]]
    """By metric and team."""
    set_aside: list[SetAside]

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
    set_aside: list[SetAside] = []
    for entry in entries:
        with event.database.read() as transaction:
            content = contents.get(transaction, entry.submission.sha256)
        try:
            scored.append(scorer.score(content, entry.submission.sha256, entry.name))
            names.append(entry.name)
        except RefusalError as error:
            set_aside.append(SetAside(entry.name, entry.name, (Problem(entry.name, None, "error", str(error)),)))
    by_metric = [[own[index] for own in scored] for index in range(len(scorer.prepared.metrics))]
    return ScoredEntries(names, by_metric, set_aside)
