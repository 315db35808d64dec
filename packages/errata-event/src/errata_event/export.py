"""The whole event as a folder, from which ``errata task run`` gives the tables of the site again.

Everything is of one moment: what is accepted while the folder is written is not in it.
"""

from __future__ import annotations

import json
import os
import re
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any, NamedTuple

from errata import __version__
from errata.errors import RequestError
from errata.formats.lines import display_path
from errata.formats.writing import all_or_none, write_bytes
from errata.report.charts.drawing import DrawingProcess
from errata.report.page.data import watch_nothing
from errata.report.page.document import make_page
from errata.report.table import Column, Table
from errata.report.writers import render, render_json
from errata.task.definition import Statistics
from errata.task.running import GoldScores, Origin, TaskResult, build_task_report, write_tables
from errata_event import accounts, audit, boards, contents, submissions
from errata_event import golds as gold_versions
from errata_event.accounts import ACCOUNT_ROLES, Account, list_aliases
from errata_event.answers.golds import ensure_answer_golds
from errata_event.answers.items import write_edits
from errata_event.answers.judging import decide, list_counted, list_judgments
from errata_event.answers.outcomes import AnswerProgress
from errata_event.answers.proposals import list_proposed_items
from errata_event.boards import fit_test
from errata_event.instants import show_everywhere

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

    from errata.formats.writing import Transaction
    from errata.report.page.data import Watch
    from errata.report.page.evaluation import Report
    from errata.report.table import Cell
    from errata.task.tables import TaskTable
    from errata_event.audit import AuditLine
    from errata_event.boards import Board, Entry, ScoredEntries, ShownScore
    from errata_event.database import DatabaseTransaction
    from errata_event.definition import EventDefinition, Phase
    from errata_event.event import Event, Moment
    from errata_event.golds import GoldVariant, GoldVersion
    from errata_event.submissions import Submission


_CONTENT = """\
This folder has everything of the event: hidden gold, the files of all teams
under their names, and all judgments.  Only organisers should have it.  It has
no token, and nothing that a token could be found from.

event.toml            the definition of the event, as it was in force
accounts.csv          who takes part, and what the anonymous board of each
                      phase calls each team
audit.csv             what was done by whom, the newest first
"""
_PHASE = """\
  gold.m2             the gold
  gold-alternatives.m2, gold-proposed.m2, gold-pooled.m2
                      the gold with alternative answers, if there are any: those
                      that the organisers had, those that teams proposed and
                      annotators accepted, and those from the edits of all teams
  gold-versions.csv   all versions of the gold, with their files
  older/              versions of the gold that were replaced, with their tables
  submissions.csv     all submissions, with instants, hashes and marks
  submissions/        their files: TEAM/NUMBER.txt
  scores.csv          the scores of every submission
  systems/            what counts of each team: TEAM.txt
  task.toml           the task of this phase, if a team has an entry; also
                      task-proposed.toml and task-pooled.toml
  tables/             what "errata task run task.toml -o tables" writes: the
                      tables of the site, and a page to look at (report.html);
                      also tables-proposed/ and tables-pooled/; or problem.txt,
                      which says why there are none
"""
_ANSWERS = """\
  items.csv, items.json
                      every item that was proposed: its edits (start, end and
                      correction), the teams that proposed it, whether it is one
                      of the unmatched edits of teams (pooled), what annotators
                      decided, and the edits that became gold
  judgments.csv, judgments.json
                      every judgment, with comments
  agreement.json      how far annotators agree

To compare systems, in papers too, use the tables without alternative answers,
unless these come from people who know none of the systems: answers close to the
outputs of some teams favour these teams (Ng et al. 2013).
"""


def _write_readme(moment: Moment, states: Sequence[_PhaseState], answers: Sequence[str]) -> str:
    """Describe an export; ``answers`` are the phases of alternative answers."""
    title = moment.definition.title or "An event"
    parts = [
        f"{title}\n{'=' * min(len(title), 79)}\n",
        f"Exported by errata {__version__} at {show_everywhere(moment.now.replace(microsecond=0), moment.definition.zone)}.\n",
        _CONTENT,
    ]
    if states:
        parts.append(f"{', '.join(f'{state.phase.name}/' for state in states)}\n{_PHASE}")
    if answers:
        parts.append(f"{', '.join(f'{name}/' for name in answers)}\n{_ANSWERS}")
    return "\n".join(parts)


# The lists of an export as tables, none of which has a token or the hash of one.


def _make_accounts_table(accounts: Iterable[Account], removed: set[int], aliases: Mapping[str, Mapping[int, str]]) -> Table:
    """List who takes part, with what the anonymous board of each phase calls a team."""
    rows = tuple(
        (account.role, account.name, *(names.get(account.id, "") for names in aliases.values()), _yes(account.id in removed))
        for account in accounts
    )
    return _table(("role", "name", *(f"anonymous_in_{phase}" for phase in aliases), "removed"), rows)


def _make_submissions_table(
    submissions: Sequence[Submission], teams: Mapping[int, str], entries: set[int], paths: Mapping[int, str]
) -> Table:
    """List the submissions of a phase, in the order in which they were accepted; ``entries`` are those that count."""
    columns = ("team", "number", "received_at", "sha256", "entry", "primary", "withdrawn", "description", "file")
    rows = tuple(
        (
            teams[item.team],
            item.number,
            item.received_at.isoformat(),
            item.sha256,
            _yes(item.id in entries),
            _yes(item.is_primary),
            _yes(item.is_withdrawn),
            item.description,
            paths[item.id],
        )
        for item in submissions
    )
    return _table(columns, rows)


def _make_scores_table(scored: Iterable[tuple[Submission, GoldVersion, Sequence[ShownScore]]], teams: Mapping[int, str]) -> Table:
    """List the scores of submissions, one row for each metric; ``parts`` is JSON."""
    columns = ("team", "number", "gold", "gold_version", "metric", "value", "parts", "signature", "problem")
    rows = tuple(
        (
            teams[submission.team],
            submission.number,
            version.file_name,
            version.number,
            score.metric,
            score.value,
            json.dumps(score.parts, sort_keys=True),
            score.signature,
            score.problem,
        )
        for submission, version, scores in scored
        for score in scores
    )
    return _table(columns, rows)


def _make_versions_table(versions: Iterable[tuple[GoldVersion, str]]) -> Table:
    rows = tuple(
        (version.variant, version.number, version.made_at.isoformat(), version.sha256, version.reason, file) for version, file in versions
    )
    return _table(("variant", "version", "made_at", "sha256", "reason", "file"), rows)


def _make_audit_table(lines: Iterable[AuditLine], accounts: Mapping[int, Account]) -> Table:
    rows = tuple(
        (
            line.at.isoformat(),
            line.who(accounts),
            line.action,
            json.dumps(line.details, sort_keys=True, ensure_ascii=False),
        )
        for line in lines
    )
    return _table(("at", "who", "action", "details"), rows)


def _table(names: Sequence[str], rows: tuple[tuple[Cell, ...], ...]) -> Table:
    return Table(tuple(Column(name) for name in names), rows)


def _yes(value: bool) -> str:  # noqa: FBT001 - what is written
    return "yes" if value else "no"


# The folder of a phase of alternative answers: what was proposed and how it was judged, as rows with the names of teams and annotators.
# The golds with accepted answers, which are in the folder of the phase that the answers are about, can be rebuilt from these rows: the
# accepted edits of an item replace the gold edits that they overlap (:mod:`errata_event.answers.items`).

_ITEMS = ("item", "sentence", "edits", "teams", "pooled", "status", "amended", "accepted_edits")
_JUDGMENTS = ("judgment", "item", "sentence", "edits", "annotator", "verdict", "amended_edits", "comment", "at", "newest")
_EDITS = ("edits", "accepted_edits", "amended_edits")
"""Columns that are JSON, or empty."""


class _AnswersState(NamedTuple):
    """What a phase of alternative answers had at one moment."""

    phase: Phase
    items: list[dict[str, Any]]
    judgments: list[dict[str, Any]]
    progress: AnswerProgress


def _read_answers(transaction: DatabaseTransaction, phase: Phase) -> _AnswersState:
    return _AnswersState(
        phase, _list_items(transaction, phase), _list_judgments(transaction, phase), AnswerProgress.measure(transaction, phase)
    )


def _list_items(transaction: DatabaseTransaction, phase: Phase) -> list[dict[str, Any]]:
    """List the items that somebody proposes, by sentence, with who proposed them and what was decided."""
    names = _name_accounts(transaction)
    judgments = list_judgments(transaction, phase.name)
    rows: list[dict[str, Any]] = []
    for item, sources in list_proposed_items(transaction, phase.name).items():
        decision = decide(item, judgments.get(item.id, []), phase.judges)
        rows.append(
            {
                "item": item.id,
                "sentence": item.sentence,
                "edits": write_edits(item.edits),
                "teams": sorted(names[team] for team in sources.teams),
                "pooled": sources.is_pooled,
                "status": decision.status,
                "amended": decision.is_amended,
                "accepted_edits": write_edits(decision.edits) if decision.edits else "",
            }
        )
    return rows


def _list_judgments(transaction: DatabaseTransaction, phase: Phase) -> list[dict[str, Any]]:
    """List all judgments in the order in which they were made; those of items that nobody proposes any more too."""
    names = _name_accounts(transaction)
    judgments = list_judgments(transaction, phase.name)
    counted = {judgment.id for own in judgments.values() for judgment in list_counted(own)}
    items = {row[0]: row[1:] for row in transaction.rows("SELECT id, sentence, edits FROM items WHERE phase = ?", phase.name)}
    return [
        {
            "judgment": judgment.id,
            "item": judgment.item,
            "sentence": items[judgment.item][0],
            "edits": items[judgment.item][1],
            "annotator": names[judgment.annotator],
            "verdict": judgment.verdict,
            "amended_edits": write_edits(judgment.edits) if judgment.edits else "",
            "comment": judgment.comment,
            "at": judgment.at.isoformat(),
            "newest": judgment.id in counted,
        }
        for judgment in sorted((judgment for own in judgments.values() for judgment in own), key=lambda judgment: judgment.id)
    ]


def _name_accounts(transaction: DatabaseTransaction) -> dict[int, str]:
    return {account.id: account.name for role in ("team", "annotator") for account in accounts.list_accounts(transaction, role)}


def _write_answers(folder: _NewFolder, state: _AnswersState, names: Mapping[int, str]) -> None:
    """Write items and judgments, each as CSV and JSON, and how far annotators agree; ``names`` are those of annotators."""
    for name, columns, rows in (("items", _ITEMS, state.items), ("judgments", _JUDGMENTS, state.judgments)):
        folder.write(f"{state.phase.name}/{name}.csv", render(_make_table(columns, rows), "csv"))
        folder.write(f"{state.phase.name}/{name}.json", f"{render_json([_read_edits(row) for row in rows])}\n")
    folder.write(f"{state.phase.name}/agreement.json", f"{render_json(state.progress.agreement.record(names))}\n")


def _make_table(columns: Sequence[str], rows: Sequence[Mapping[str, Any]]) -> Table:
    return Table(tuple(map(Column, columns)), tuple(tuple(_cell(row[name]) for name in columns) for row in rows))


def _cell(value: Any) -> Cell:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return "; ".join(map(str, value))
    return value  # type: ignore[no-any-return]


def _read_edits(row: Mapping[str, Any]) -> dict[str, Any]:
    return {key: (json.loads(value) if value else None) if key in _EDITS else value for key, value in row.items()}


# The folder of a phase with submissions: its gold, its submissions, and a task for ``errata task run``, with what that writes.

_TASKS: dict[GoldVariant, str] = {"gold": "task", "given": "task", "proposed": "task-proposed", "pooled": "task-pooled"}
"""The task that has the tables of a variant; a task takes one gold with alternative answers."""
_DROPPED = ("profile", "title", "handles")
"""Settings that a task file has otherwise, or not: the profile is that of essays, and the gold is M2 by now."""


class _PhaseState(NamedTuple):
    """What a phase had at one moment."""

    phase: Phase
    versions: list[GoldVersion]
    """The oldest first."""
    submissions: list[Submission]
    entries: list[Entry]
    """In the order of the board, with the names of teams."""
    old_boards: list[tuple[GoldVersion, Board]]
    """The boards under versions of the gold that were replaced, with the names of teams."""

    @property
    def newest(self) -> dict[GoldVariant, GoldVersion]:
        """The newest version of each variant that there is, in the order of the variants."""
        newest = {version.variant: version for version in self.versions}
        return {variant: newest[variant] for variant in gold_versions.VARIANTS if variant in newest}


def _read_phase(transaction: DatabaseTransaction, phase: Phase) -> _PhaseState:
    versions = gold_versions.list_gold_versions(transaction, phase.name)
    in_force = {version.id for version in gold_versions.list_newest(transaction, phase.name)}
    old = [
        (version, board)
        for version in versions
        if version.id not in in_force and (board := boards.get_replaced(transaction, version, named=True, unseen=True))
    ]
    listed = submissions.list_submissions(transaction, phase.name)
    return _PhaseState(phase, versions, listed, boards.list_entries(transaction, phase.name, named=True), old)


class _PhaseExport:
    """Writes the folder of a phase."""

    def __init__(self, event: Event, definition: EventDefinition, teams: Mapping[int, str], folder: _NewFolder) -> None:
        self._event, self._definition, self._teams, self._folder = event, definition, teams, folder
        self.problems: list[str] = []
        """Why tables cannot be made, such as too few replicates for so many teams."""

    def write(self, state: _PhaseState, drawer: DrawingProcess | None = None, watch: Watch = watch_nothing) -> None:
        """Write everything of a phase; nothing is scored if it has no entry."""
        self._write_gold(state)
        self._write_submissions(state, watch)
        tasks: dict[str, list[GoldVersion]] = {}
        for variant, version in state.newest.items():
            tasks.setdefault(_TASKS[variant], []).append(version)
        scored = {version.id: self._score(version, state.entries) for version in state.newest.values()} if state.entries else {}
        for name, versions in tasks.items():
            of_task = [version for version in versions if version.variant != "gold"]
            golds = [state.newest["gold"], *of_task]
            if scored and scored[golds[0].id].names:
                self._write_task(state, name, golds, scored, drawer, watch)

    def _write_gold(self, state: _PhaseState) -> None:
        files: list[tuple[GoldVersion, str]] = []
        for version in state.versions:
            own = version.file_name
            file = own if state.newest[version.variant] == version else f"older/{PurePosixPath(own).stem}-{version.number}.m2"
            files.append((version, file))
            self._write(state, file, self._read(version.sha256))
        self._write(state, "gold-versions.csv", render(_make_versions_table(files), "csv"))
        for version, board in state.old_boards:
            for name, text in write_tables(board.tables).items():
                self._write(state, f"older/tables-{PurePosixPath(version.file_name).stem}-{version.number}/{name}", text)

    def _write_submissions(self, state: _PhaseState, watch: Watch) -> None:
        paths = {item.id: f"submissions/{self._teams[item.team]}/{item.number}.txt" for item in state.submissions}
        for item in state.submissions:
            self._write(state, paths[item.id], self._read(item.sha256))
        for entry in state.entries:
            self._write(state, _system_file(entry.name), self._read(entry.submission.sha256))
        counted = {entry.submission.id for entry in state.entries}
        self._write(state, "submissions.csv", render(_make_submissions_table(state.submissions, self._teams, counted, paths), "csv"))
        with watch(f"scoring {state.phase.name}", len(state.submissions) * len(state.newest)) as progress:
            self._write(state, "scores.csv", render(_make_scores_table(self._list_scores(state, progress), self._teams), "csv"))

    def _list_scores(self, state: _PhaseState, progress: Any) -> Iterator[tuple[Submission, GoldVersion, Sequence[boards.ShownScore]]]:
        for version in state.newest.values():
            for item in state.submissions:
                yield item, version, boards.find_scores(self._event, item, version, self._teams[item.team])
                progress(1)

    def _score(self, version: GoldVersion, entries: list[Entry]) -> ScoredEntries:
        return boards.score_entries(self._event, self._event.scorer(version, self._definition), entries)

    def _write_task(
        self,
        state: _PhaseState,
        name: str,
        golds: list[GoldVersion],
        scored: Mapping[int, ScoredEntries],
        drawer: DrawingProcess | None,
        watch: Watch,
    ) -> None:
        """Write the file of a task, and the tables and pages that it gives; or why it gives none."""
        possible = fit_test(self._definition.task(state.phase), len(scored[golds[0].id].names))
        self._write(state, f"{name}.toml", self._write_definition(state, golds, possible.left_out))
        folder = name.replace("task", "tables", 1)
        try:
            texts = self._make_texts(state, f"errata task run {name}.toml", golds, scored, drawer, watch)
        except RequestError as error:
            problem = f"the tables of {state.phase.name}/{name}.toml cannot be made: {error}"
            self.problems.append(problem)
            texts = {"problem.txt": f"{problem}\n"}
        for file, text in texts.items():
            self._write(state, f"{folder}/{file}", text)

    def _make_texts(
        self,
        state: _PhaseState,
        command: str,
        golds: list[GoldVersion],
        scored: Mapping[int, ScoredEntries],
        drawer: DrawingProcess | None,
        watch: Watch,
    ) -> dict[str, str]:
        golds = [version for version in golds if scored[version.id].names]
        tables: dict[str, TaskTable] = {}
        for version in golds:
            tables |= scored[version.id].make_tables(self._event.scorer(version, self._definition))
        texts = write_tables(tables)
        for version in golds:
            # A report gives its charts once, so each page has its own, although only the command differs.
            report = self._report(state, command, version, scored[version.id], drawer, watch)
            gold = self._event.scorer(version, self._definition).prepared.golds[0]
            texts[f"report{gold.suffix}.html"] = make_page(report, watch)
        return texts

    def _report(
        self, state: _PhaseState, command: str, version: GoldVersion, scored: ScoredEntries, drawer: DrawingProcess | None, watch: Watch
    ) -> Report:
        scorer = self._event.scorer(version, self._definition)
        task = replace(fit_test(scorer.task, len(scored.names)).task, handles=self._handles(state))
        gold = GoldScores(scorer.prepared.golds[0], scored.scores)
        result = TaskResult({}, scored.set_aside, [gold], Statistics.of(task, len(scored.names)))
        return build_task_report(task, result, gold, Origin(command), scorer.prepared.tagger, drawer, watch)

    def _write_definition(self, state: _PhaseState, golds: list[GoldVersion], left_out: Collection[str]) -> str:
        record: dict[str, Any] = {"title": self._definition.title_of(state.phase), "gold": [golds[0].file_name]}
        if len(golds) > 1:
            record["alternatives"] = [version.file_name for version in golds[1:]]
        record["systems"] = [_system_file(entry.name) for entry in state.entries]
        record |= {
            key: value for key, value in self._definition.settings.items() if key not in {*_DROPPED, *left_out} and value is not None
        }
        if handles := self._handles(state):
            record["handles"] = handles
        return _write_toml(record)

    def _handles(self, state: _PhaseState) -> dict[str, list[str]]:
        """What teams handle, of those that have an entry; a task names no other."""
        named = {entry.name for entry in state.entries}
        return {team: types for team, types in self._definition.settings.get("handles", {}).items() if team in named}

    def _read(self, sha256: str) -> bytes:
        with self._event.database.read() as transaction:
            return contents.get(transaction, sha256)

    def _write(self, state: _PhaseState, name: str, content: str | bytes) -> None:
        self._folder.write(f"{state.phase.name}/{name}", content)


def _system_file(team: str) -> str:
    """The file of an entry, after which ``errata task run`` names the system."""
    return f"systems/{team}.txt"


class _EventState(NamedTuple):
    """What an event had at one moment."""

    moment: Moment
    accounts: list[Account]
    removed: set[int]
    aliases: dict[str, dict[int, str]]
    """What the anonymous board of each phase with submissions calls a team."""
    phases: list[_PhaseState]
    """Those with submissions."""
    answers: list[_AnswersState]
    """Those of alternative answers."""
    log: list[AuditLine]


def _read_event(transaction: DatabaseTransaction, event: Event) -> _EventState:
    """Read the state of an event, without what is stored by its hash."""
    moment = event.moment(transaction)
    teams = accounts.list_accounts(transaction, "team")
    return _EventState(
        moment,
        [account for role in ACCOUNT_ROLES for account in accounts.list_accounts(transaction, role)],
        accounts.list_removed(transaction),
        {phase.name: list_aliases(transaction, phase.name, teams) for phase in moment.definition.phases if not phase.is_answers},
        [_read_phase(transaction, phase) for phase in moment.definition.phases if not phase.is_answers],
        [_read_answers(transaction, phase) for phase in moment.definition.phases if phase.is_answers],
        audit.read_log(transaction),
    )


def export_event(
    event: Event, path: str, watch: Watch = watch_nothing, warn: Callable[[str], None] = lambda _: None, *, draw: bool = True
) -> list[str]:
    """Write an event into a folder that does not exist yet, or is empty; all files or none.  Return their names.

    ``warn`` is told of tables that cannot be made; everything else is written then.
    ``draw`` says whether pages have charts, as they have if ``errata task run`` writes them.
    """
    _refuse_used_folder(path)
    for phase in event.moment().definition.phases:
        if not phase.is_answers:
            ensure_answer_golds(event, phase)
    with event.database.read() as transaction:
        state = _read_event(transaction, event)
    definition = state.moment.definition
    known = {account.id: account for account in state.accounts}
    teams = {account.id: account.name for account in state.accounts if account.role == "team"}
    with _writing_new_folder(path) as folder:
        has_entries = any(phase.entries for phase in state.phases)
        with DrawingProcess() if draw and has_entries else nullcontext() as drawer:
            export = _PhaseExport(event, definition, teams, folder)
            for own in state.phases:
                export.write(own, drawer, watch)
        for problem in export.problems:
            warn(problem)
        for answers in state.answers:
            _write_answers(folder, answers, {account.id: account.name for account in state.accounts})
        folder.write("event.toml", definition.toml)
        folder.write("accounts.csv", render(_make_accounts_table(state.accounts, state.removed, state.aliases), "csv"))
        folder.write("audit.csv", render(_make_audit_table(state.log, known), "csv"))
        folder.write("README.txt", _write_readme(state.moment, state.phases, [answers.phase.name for answers in state.answers]))
        if event.moment().definition.sha256 != definition.sha256:
            raise RequestError("the definition of the event was changed while it was exported; export it again")
        return folder.names


_OWNER_ONLY = 0o700
"""The mode of a folder that is made: it has hidden gold and the files of all teams."""


class _NewFolder:
    """Takes the files of a new folder; they appear together when all have been written."""

    def __init__(self, path: str, outputs: Transaction) -> None:
        self._path, self._outputs = Path(path), outputs
        self._made: set[Path] = set()
        self.names: list[str] = []
        """What was written, by paths in the folder."""

    def write(self, name: str, content: str | bytes) -> None:
        """Write a file; its name has ``/`` between folders, which are made."""
        path = self._path / name
        if path.parent not in self._made:
            self._outputs.make_folder(str(path.parent))
            self._made.add(path.parent)
        write_bytes(str(path), content.encode("utf-8", "backslashreplace") if isinstance(content, str) else content)
        self.names.append(name)


@contextmanager
def _writing_new_folder(path: str) -> Iterator[_NewFolder]:
    """Write a folder that does not exist yet, or is empty; raise if it is another."""
    _refuse_used_folder(path)
    is_new = not Path(path).exists()
    with all_or_none() as outputs:
        outputs.make_folder(path)
        if is_new:
            Path(path).chmod(_OWNER_ONLY)
        yield _NewFolder(path, outputs)


def _refuse_used_folder(path: str) -> None:
    """Raise if a path is that of a file, or of a folder that has something in it: what is there would be taken for a part."""
    shown = display_path(path)
    try:
        with os.scandir(path) as entries:
            used = next(entries, None) is not None
    except FileNotFoundError:
        return
    except OSError as error:
        raise RequestError(f"{shown}: expected a new folder: {error.strerror or error}") from None
    if used:
        raise RequestError(f"{shown}: this folder is not empty, expected a new one")


_BARE = re.compile(r"[A-Za-z0-9_-]+")


def _write_toml(record: dict[str, Any]) -> str:
    """Write the file of a task in TOML, which the standard library only reads: keys with texts, numbers, truth values, lists and tables.

    >>> print(_write_toml({"title": "A task", "replicates": 100, "handles": {"Team 1": ["Prep"]}}), end="")
    title = "A task"
    replicates = 100
    <BLANKLINE>
    [handles]
    "Team 1" = ["Prep"]
    """
    lines = [f"{_key(key)} = {_value(value)}" for key, value in record.items() if not isinstance(value, dict)]
    for key, table in record.items():
        if isinstance(table, dict):
            lines += ["", f"[{_key(key)}]", *(f"{_key(name)} = {_value(value)}" for name, value in table.items())]
    return "".join(f"{line}\n" for line in lines)


def _key(name: str) -> str:
    return name if _BARE.fullmatch(name) else _value(name)


def _value(value: str | float | list[str]) -> str:
    if isinstance(value, list):
        if len(value) == 1:
            return f"[{_value(value[0])}]"
        inside = ", ".join(_value(item) for item in value)
        return f"[{inside}]" if len(inside) < _LONG else "[\n" + "".join(f"    {_value(item)},\n" for item in value) + "]"
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")  # strings are those of JSON, but for this character
    return str(value).lower() if isinstance(value, bool) else repr(value)


_LONG = 100
"""Characters of a list from which each item has a line."""
