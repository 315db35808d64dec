"""The folder of a phase in an export: its gold, its submissions, and a task for ``errata task run``, with what that writes."""

from __future__ import annotations

from dataclasses import replace
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any, NamedTuple

from errata.errors import RequestError
from errata.event import boards, contents, gold_versions, results, submissions
from errata.event.export_lists import make_scores_table, make_submissions_table, make_versions_table
from errata.event.possible_tests import fit_test
from errata.event.replaced_boards import find_replaced_board
from errata.event.task_file import write_toml
from errata.report.page.data import watch_nothing
from errata.report.page.document import make_page
from errata.report.writers import csv
from errata.task.definition import Statistics
from errata.task.running import GoldScores, Origin, TaskResult, build_task_report, write_tables

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from errata.event.boards import Board, Entry
    from errata.event.database import DatabaseTransaction
    from errata.event.definition import EventDefinition
    from errata.event.event import Event
    from errata.event.gold_versions import GoldVariant, GoldVersion
    from errata.event.new_folder import NewFolder
    from errata.event.phases import Phase
    from errata.event.results import ScoredEntries
    from errata.event.submissions import Submission
    from errata.report.charts.drawing import DrawingProcess
    from errata.report.page.data import Watch
    from errata.report.page.evaluation import Report
    from errata.task.tables import TaskTable

_TASKS: dict[GoldVariant, str] = {"gold": "task", "given": "task", "proposed": "task-proposed", "pooled": "task-pooled"}
"""The task that has the tables of a variant; a task takes one gold with alternative answers."""
_DROPPED = ("profile", "title", "handles")
"""Settings that a task file has otherwise, or not: the profile is that of essays, and the gold is M2 by now."""


class PhaseState(NamedTuple):
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


def read_phase(transaction: DatabaseTransaction, phase: Phase) -> PhaseState:
    """Read the state of a phase."""
    versions = gold_versions.list_gold_versions(transaction, phase.name)
    in_force = {version.id for version in gold_versions.list_newest(transaction, phase.name)}
    old = [
        (version, board)
        for version in versions
        if version.id not in in_force
        and (board := find_replaced_board(transaction, version, named=True) or _find_unseen(transaction, version))
    ]
    listed = submissions.list_submissions(transaction, phase.name)
    return PhaseState(phase, versions, listed, results.list_entries(transaction, phase, named=True), old)


def _find_unseen(transaction: DatabaseTransaction, version: GoldVersion) -> Board | None:
    """Find a board that only organisers saw."""
    return max(boards.list_boards(transaction, version.id), key=lambda board: board.named, default=None)


class PhaseExport:
    """Writes the folder of a phase."""

    def __init__(self, event: Event, definition: EventDefinition, teams: Mapping[int, str], folder: NewFolder) -> None:
        self._event, self._definition, self._teams, self._folder = event, definition, teams, folder
        self.problems: list[str] = []
        """Why tables cannot be made, such as too few replicates for so many teams."""

    def write(self, state: PhaseState, drawer: DrawingProcess | None = None, watch: Watch = watch_nothing) -> None:
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

    def _write_gold(self, state: PhaseState) -> None:
        files: list[tuple[GoldVersion, str]] = []
        for version in state.versions:
            own = version.file_name
            file = own if state.newest[version.variant] == version else f"older/{PurePosixPath(own).stem}-{version.number}.m2"
            files.append((version, file))
            self._write(state, file, self._read(version.sha256))
        self._write(state, "gold-versions.csv", csv(make_versions_table(files)))
        for version, board in state.old_boards:
            for name, text in write_tables(board.tables).items():
                self._write(state, f"older/tables-{PurePosixPath(version.file_name).stem}-{version.number}/{name}", text)

    def _write_submissions(self, state: PhaseState, watch: Watch) -> None:
        paths = {item.id: f"submissions/{self._teams[item.team]}/{item.number}.txt" for item in state.submissions}
        for item in state.submissions:
            self._write(state, paths[item.id], self._read(item.sha256))
        for entry in state.entries:
            self._write(state, _system_file(entry.name), self._read(entry.submission.sha256))
        counted = {entry.submission.id for entry in state.entries}
        self._write(state, "submissions.csv", csv(make_submissions_table(state.submissions, self._teams, counted, paths)))
        with watch(f"scoring {state.phase.name}", len(state.submissions) * len(state.newest)) as progress:
            self._write(state, "scores.csv", csv(make_scores_table(self._list_scores(state, progress), self._teams)))

    def _list_scores(self, state: PhaseState, progress: Any) -> Iterator[tuple[Submission, GoldVersion, Sequence[results.ShownScore]]]:
        for version in state.newest.values():
            for item in state.submissions:
                yield item, version, results.find_scores(self._event, item, version, self._teams[item.team])
                progress(1)

    def _score(self, version: GoldVersion, entries: list[Entry]) -> ScoredEntries:
        return results.score_entries(self._event, self._event.scorer(version, self._definition), entries)

    def _write_task(
        self,
        state: PhaseState,
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
        state: PhaseState,
        command: str,
        golds: list[GoldVersion],
        scored: Mapping[int, ScoredEntries],
        drawer: DrawingProcess | None,
        watch: Watch,
    ) -> dict[str, str]:
        """Make the files that a task gives."""
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
        self, state: PhaseState, command: str, version: GoldVersion, scored: ScoredEntries, drawer: DrawingProcess | None, watch: Watch
    ) -> Report:
        scorer = self._event.scorer(version, self._definition)
        task = replace(fit_test(scorer.task, len(scored.names)).task, handles=self._handles(state))
        gold = GoldScores(scorer.prepared.golds[0], scored.scores)
        result = TaskResult({}, scored.set_aside, [gold], Statistics.of(task, len(scored.names)))
        return build_task_report(task, result, gold, Origin(command), scorer.prepared.tagger, drawer, watch)

    def _write_definition(self, state: PhaseState, golds: list[GoldVersion], left_out: Collection[str]) -> str:
        record: dict[str, Any] = {"title": self._definition.title_of(state.phase), "gold": [golds[0].file_name]}
        if len(golds) > 1:
            record["alternatives"] = [version.file_name for version in golds[1:]]
        record["systems"] = [_system_file(entry.name) for entry in state.entries]
        record |= {
            key: value for key, value in self._definition.settings.items() if key not in {*_DROPPED, *left_out} and value is not None
        }
        if handles := self._handles(state):
            record["handles"] = handles
        return write_toml(record)

    def _handles(self, state: PhaseState) -> dict[str, list[str]]:
        """What teams handle, of those that have an entry; a task names no other."""
        named = {entry.name for entry in state.entries}
        return {team: types for team, types in self._definition.settings.get("handles", {}).items() if team in named}

    def _read(self, sha256: str) -> bytes:
        with self._event.database.read() as transaction:
            return contents.get(transaction, sha256)

    def _write(self, state: PhaseState, name: str, content: str | bytes) -> None:
        self._folder.write(f"{state.phase.name}/{name}", content)


def _system_file(team: str) -> str:
    """The file of an entry, after which ``errata task run`` names the system."""
    return f"systems/{team}.txt"
