"""A task from its gold and its submissions to its tables and pages.

:class:`PreparedTask` is what a task needs before it has submissions: a server keeps it, and scores each submission when it comes.
"""

from __future__ import annotations

import hashlib
import os
from contextlib import closing, contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from errata.corpus.checks import OutputChecks
from errata.corpus.corpus import Sentence
from errata.corpus.references import DIGITS
from errata.corpus.tokenisation import check_tokeniser, find_tokeniser
from errata.errors import InputError, MismatchError, RequestError, UsageError, pluralise, suggest
from errata.formats.checking import check_output
from errata.formats.essays import TYPES
from errata.formats.lines import display_path, find_numbers, open_bytes
from errata.formats.nucle import PROFILES, read_nucle
from errata.formats.problems import Problem, warn_in_python
from errata.formats.reading import read
from errata.formats.registry import guess_format, name_systems
from errata.language.tagging import AUTO_TAGGER, suit
from errata.language.types import MEMBERS, ORDER
from errata.metrics.registry import metric
from errata.report.page.data import describe_sample, sample_evenly, watch_nothing
from errata.report.table import Column, Table
from errata.scoring.evaluator import Evaluator, evaluate_many
from errata.stats.bootstrap import Bootstrap
from errata.task.definition import Statistics
from errata.task.tables import GoldTables, TaskTable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from errata.corpus.corpus import Corpus, System
    from errata.language.tagging import Tagger
    from errata.metrics.base import Metric
    from errata.report.charts.drawing import DrawingProcess
    from errata.report.page.data import Watch
    from errata.report.page.evaluation import Report
    from errata.scoring.scores import Score
    from errata.task.definition import Task

_DEFAULT_PROFILE = "conll14"
_CHUNK = 1 << 20
_MOST_IN_TITLE = 8
"""The most files that a title names."""
_REJECTED_TABLE = "set-aside"
"""The name of the table of submissions that cannot be scored."""
_THE_SOURCE = "the source"
"""How messages name a corpus of which nothing but the source may be known."""


class TaskGold(NamedTuple):
    """A corpus of a task, and the files that it was made from."""

    corpus: Corpus
    alternatives: bool
    """Whether it includes the alternative answers."""
    files: tuple[str, ...]

    @property
    def suffix(self) -> str:
        """The end of the file names of its tables."""
        return "-alternatives" if self.alternatives else ""

    def title(self, task: Task, what: str = "scores") -> str:
        """Name the task, what a table has, the answers, the types if some are left out, and the files."""
        what += f" {'with' if self.alternatives else 'without'} alternative answers"
        more = f" and {len(self.files) - _MOST_IN_TITLE:,} more" if len(self.files) > _MOST_IN_TITLE else ""
        parts = [
            f"{task.title}: {what}" if task.title else what.capitalize(),
            *([f"only {', '.join(task.types)}"] if task.types else []),
            f"gold {', '.join(_name(task, path) for path in self.files[:_MOST_IN_TITLE])}{more}",
        ]
        return "; ".join(parts)

    def signature(self, task: Task) -> str:
        """Add to the signature of a score what made its gold: types, profile, and files if there are several, with their content.

        The gold of one file with all its types has nothing to add: its score has the signature that it has outside a task.
        """
        parts = [f"types {','.join(task.types)}"] if task.types else []
        parts += [f"profile {task.profile}"] if task.profile not in {"", _DEFAULT_PROFILE} else []
        if len(self.files) > 1:
            parts.append("files " + ", ".join(f"{_name(task, path)} sha256 {_hash_content(path)}" for path in self.files))
        return "".join(f" | {part}" for part in parts)


def read_golds(task: Task, warn: Callable[[Problem], None]) -> Iterator[TaskGold]:
    """Read the gold without alternative answers, and with them."""
    if guess_format(task.gold[0]) != "sgml":
        yield from _read_files(task, warn)
        return
    settings: dict[str, Any] = {"profile": task.profile or _DEFAULT_PROFILE, "types": task.types or None, "tokens": task.tokens or None}
    tokens = (task.tokens,) if task.tokens else ()
    for alternatives in ([], task.alternatives) if task.alternatives else ([],):
        with task.naming("types"):
            corpus = read_nucle(task.gold, alternatives=alternatives, warn=warn, **settings)
        yield TaskGold(corpus, bool(alternatives), (*task.gold, *alternatives, *tokens))


def _read_files(task: Task, warn: Callable[[Problem], None]) -> Iterator[TaskGold]:
    for key in ("profile", "tokens"):
        if getattr(task, key):
            raise UsageError(f"{task.path}: {key} needs essays (SGML), but {task.gold[0]} is not SGML")
    if len(task.gold) > 1 or len(task.alternatives) > 1:
        raise UsageError(
            f"{task.path}: several files can be combined only if they are SGML; else name one gold file, and one file with all alternatives"
        )
    for path, alternatives in ((task.gold[0], False), *((path, True) for path in task.alternatives)):
        corpus = read(path, warn=warn)
        with task.naming("types"):
            corpus = corpus.keep_types(task.types, TYPES) if task.types else corpus
        yield TaskGold(corpus, alternatives, (path,))


def _take_subset(task: Task, corpus: Corpus) -> Corpus:
    """Keep the sentences that the task names, if it does."""
    if task.sentences is None:
        return corpus
    with task.naming("sentences"):
        return corpus.subset(find_numbers(task.sentences, len(corpus)))


def _check_profile(name: str) -> None:
    """Raise if this is not the name of a profile; an empty name is the default."""
    if name and name not in PROFILES:
        raise UsageError(f"unknown profile {name!r}; choose from {', '.join(PROFILES)}")


def _name(task: Task, path: str) -> str:
    """Name a file as the task does: from its folder."""
    return display_path(os.path.relpath(path, os.path.dirname(task.path) or "."))  # noqa: PTH120 - no such function in pathlib


def _hash_content(path: str) -> str:
    digest = hashlib.sha256()
    with open_bytes(path) as file:
        while chunk := file.read(_CHUNK):
            digest.update(chunk)
    return digest.hexdigest()[:DIGITS]


class Rejected(NamedTuple):
    """A submission that cannot be scored."""

    team: str
    path: str
    problems: tuple[Problem, ...]
    """All errors."""


class _Submissions(NamedTuple):
    """The submissions of a task."""

    systems: list[System]
    rejected: list[Rejected]


class _OutputCheck:
    """Reads outputs as a task asks, and lists their problems.  It is called as a function; threads may share it.

    All that it says of an output depends on the output, the corpus that it is given, and the task.
    """

    def __init__(self, task: Task, corpus: Corpus) -> None:
        """``corpus`` is whole: a task of some sentences has outputs of all."""
        with task.naming("tokenise"):
            self._tokeniser = find_tokeniser(task.tokenise, corpus)
        self._corpus, self._strict = corpus, task.strict
        self._checks = OutputChecks(corpus)

    def __call__(self, path: str, name: str) -> tuple[System, list[Problem]]:
        """Read a file as the system of this name, as far as it can be read; list all its errors and warnings.

        A :class:`errata.formats.lines.GivenFile` is read like a path, once.
        """
        system, found = check_output(path, self._corpus, tokeniser=self._tokeniser, strict=self._strict, checks=self._checks)
        return replace(system, name=name), found


def _read_submissions(
    paths: Sequence[str], names: Sequence[str], check: Callable[[str, str], tuple[System, list[Problem]]], warn: Callable[[Problem], None]
) -> _Submissions:
    """Read all submissions; one with an error, such as another number of sentences than the gold, is set aside.

    ``check`` reads a file as the system of a name; ``warn`` takes the warnings of all submissions.
    """
    submissions = _Submissions([], [])
    for path, name in zip(paths, names, strict=True):
        system, found = check(path, name)
        errors = tuple(problem for problem in found if problem.severity == "error")
        for problem in found:
            if problem.severity != "error":
                warn(problem)
        if errors:
            submissions.rejected.append(Rejected(name, display_path(path), errors))
        else:
            submissions.systems.append(system)
    return submissions


def _add_rejected(tables: Mapping[str, TaskTable], rejected: Sequence[Rejected], title: str) -> dict[str, TaskTable]:
    """Add the table of all errors of submissions that were set aside, if there are any."""
    return {**tables, _REJECTED_TABLE: TaskTable.of(_make_rejected_table(rejected, title))} if rejected else dict(tables)


def _make_rejected_table(rejected: Sequence[Rejected], title: str) -> Table:
    """Make a table of all errors of submissions that were set aside."""
    columns = (
        Column("System", key="system"),
        Column("File", key="file"),
        Column("Line", "count", "line"),
        Column("Problem", key="problem"),
    )
    rows = tuple((item.team, item.path, problem.line, problem.message) for item in rejected for problem in item.problems)
    return Table(columns, rows, f"{title}: submissions set aside" if title else "Submissions set aside")


def _describe_rejected(rejected: Sequence[Rejected]) -> list[str]:
    """Say which submissions cannot be scored."""
    listed = ", ".join(f"{item.team} ({pluralise(len(item.problems), 'problem')})" for item in rejected)
    return [f"Set aside, because they cannot be scored: {listed}."] if listed else []


class RefusalError(RequestError):
    """A metric refuses the output of a system."""

    def __init__(self, system: System, reason: str) -> None:
        super().__init__(system, reason)
        self.system, self.reason = system, reason

    def __str__(self) -> str:
        return self.reason


class PreparedTask:
    """All of a task that does not depend on submissions.  Threads may share it.

    >>> from errata.formats import read
    >>> from errata.task.definition import Task
    >>> from errata.task.running import TaskGold
    >>> task = Task("task.toml", ["gold.m2"], [])
    >>> prepared = PreparedTask.of(task, [TaskGold(read("examples/learner.m2"), alternatives=False, files=("gold.m2",))])
    >>> system, problems = prepared.check("examples/systems/eager.txt", "Team 7")
    >>> scores = prepared.score(system)
    >>> [str(problem) for problem in problems], round(scores[0][0].value, 4)
    ([], 0.7015)
    >>> tables = prepared.make_tables([[[scores[0][0]]]])
    >>> list(tables), tables["ranking"].shown.rows[0][:2]
    (['ranking', 'types'], (1, 'Team 7'))
    """

    def __init__(self, task: Task, golds: Sequence[TaskGold], metrics: Sequence[Metric], tagger: Tagger | None = None) -> None:
        """Take what is checked already, by :func:`_find_metrics`, :func:`_check_golds` and :func:`_check_handles`; :meth:`of` checks it."""
        self.task = task
        self.metrics = list(metrics)
        with task.naming("unicode"):
            golds = [gold._replace(corpus=gold.corpus.normalised(task.unicode)) for gold in golds]
        self.whole: Corpus = golds[0].corpus
        """All sentences of the first gold, which submissions have."""
        self.tagger = suit(tagger, self.whole, asked=task.tagger != AUTO_TAGGER)
        self.golds = [gold._replace(corpus=_take_subset(task, gold.corpus)) for gold in golds]
        """The golds with the sentences that the task names."""
        with task.naming("metrics"):
            self.evaluators = [[Evaluator(gold.corpus, own, warn=None) for own in self.metrics] for gold in self.golds]
        """What scores, by gold and metric."""
        self._check = _OutputCheck(task, self.whole)

    @classmethod
    def of(
        cls,
        task: Task,
        golds: Sequence[TaskGold],
        tagger: Tagger | None = None,
        equip: Callable[[Sequence[Metric]], Sequence[Metric]] = list,
    ) -> PreparedTask:
        """Check and prepare a task with these golds, which have only the types that it names, each with a suffix of its own.

        ``tagger`` gives wrong edits their types; ``equip`` gives metrics the data that they need.
        """
        metrics = _find_metrics(task, equip)
        _check_golds(golds)
        _check_handles(task, golds)
        Statistics.of(task, 0)
        return cls(task, golds, metrics, tagger)

    def check(self, path: str, name: str) -> tuple[System, list[Problem]]:
        """Read an output as the system of this name, as far as it can be read; list all its problems.

        One of its errors means that it cannot be scored.  A :class:`errata.formats.lines.GivenFile` is read like a path, once.
        """
        return self._check(path, name)

    def source_only(self) -> _OutputCheck:
        """Make a check of outputs that knows nothing of the gold but its source, so nothing else can be learned from its answers.

        It tokenises by the source alone, so its systems are not to be scored.
        """
        return _OutputCheck(self.task, _keep_source(self.whole))

    def score(self, system: System) -> list[list[Score]]:
        """Score a system on every gold with every metric; raise :class:`RefusalError` if a metric refuses it."""
        scores: list[list[Score]] = []
        for own in self.evaluators:
            scores.append([])
            for evaluate in own:
                with _refusing(system, evaluate.metric):
                    scores[-1].append(evaluate(system))
        return scores

    def make_tables(
        self,
        scored: Sequence[Sequence[Sequence[Score]]],
        rejected: Sequence[Rejected] = (),
        watch: Watch = watch_nothing,
        statistics: Statistics | None = None,
    ) -> dict[str, TaskTable]:
        """Make all tables from the scores of systems with different names, by gold, metric and system; none without systems.

        ``statistics`` are those of the task, unless others are given.
        """
        systems = {len(scores) for own in scored for scores in own}
        if len(scored) != len(self.golds) or any(len(own) != len(self.metrics) for own in scored) or len(systems) != 1:
            expected = f"{pluralise(len(self.golds), 'gold')} and {pluralise(len(self.metrics), 'metric')}"
            raise UsageError(f"scores must be those of the same systems for {expected} of the task")
        statistics = statistics or Statistics.of(self.task, max(systems))
        if not max(systems):
            return {}
        tables: dict[str, TaskTable] = {}
        for gold, scores in zip(self.golds, scored, strict=True):
            tables |= self.make_gold_tables(gold, scores, statistics, rejected, watch)
        return _add_rejected(tables, rejected, self.task.title)

    def make_gold_tables(
        self, gold: TaskGold, scores: Sequence[Sequence[Score]], statistics: Statistics, rejected: Sequence[Rejected], watch: Watch
    ) -> dict[str, TaskTable]:
        """Make the tables of one of the golds, from scores by metric and system."""
        made = GoldTables(self.task, gold, statistics, self.tagger, watch).make(scores)
        return {name: table.with_notes(_describe_rejected(rejected)) for name, table in made.items()}


@contextmanager
def _refusing(system: System, metric: Metric) -> Iterator[None]:
    """Raise :class:`RefusalError` for what a metric raises about the output of a system."""
    try:
        yield
    except (InputError, RequestError) as error:
        raise RefusalError(system, f"{metric} cannot score it: {error}") from None


def _keep_source(corpus: Corpus) -> Corpus:
    """Make a corpus of nothing but the tokens of another, which says of itself that it is the source."""
    whole = _keep_source(corpus.whole) if corpus.whole is not None else None
    sentences = tuple(Sentence(sentence.tokens) for sentence in corpus)
    return replace(corpus, sentences=sentences, name=_THE_SOURCE, path=_THE_SOURCE, whole=whole)


def _find_metrics(task: Task, equip: Callable[[Sequence[Metric]], Sequence[Metric]] = list) -> list[Metric]:
    """Find the metrics of a task; raise if one is unknown or repeated, or another name in its settings is unknown."""
    with task.naming("metrics"):
        metrics = list(equip(_parse_metrics(task.metrics)))
    with task.naming("profile"):
        _check_profile(task.profile)
    with task.naming("tokenise"):
        check_tokeniser(task.tokenise)
    return metrics


def _parse_metrics(texts: Sequence[str]) -> list[Metric]:
    metrics = [metric(text) for text in texts]
    if repeated := next((item for index, item in enumerate(metrics) if item in metrics[:index]), None):
        raise UsageError(f"{repeated} is given twice")
    return metrics


def _check_golds(golds: Sequence[TaskGold]) -> None:
    """Raise unless there is gold, all of it has equally many sentences, and tables have different names."""
    if not golds:
        raise UsageError("a task must have gold, found none")
    first = golds[0].corpus
    if other := next((gold.corpus for gold in golds if len(gold.corpus) != len(first)), None):
        raise MismatchError(f"{other.path} has {pluralise(len(other), 'sentence')}, but {first.path} has {len(first):,}")
    suffixes = [gold.suffix for gold in golds]
    if len(set(suffixes)) < len(suffixes):
        raise UsageError(f"the tables of two golds would have the same names; their suffixes are {', '.join(map(repr, suffixes))}")


def _check_handles(task: Task, golds: Sequence[TaskGold], teams: Sequence[str] | None = None) -> None:
    """Raise unless the types that teams say they handle are types, and the teams are systems of the task, if these are known."""
    annotated = {
        edit.type for gold in golds for sentence in gold.corpus for annotation in sentence.annotations for edit in annotation.edits
    }
    known = sorted({*TYPES, *MEMBERS, *annotated}) if task.handles else []
    with task.naming("handles"):
        for team, types in task.handles.items():
            if teams is not None and team not in teams:
                raise UsageError(f"there is no system {team[:40]!r}; choose from {', '.join(teams)}{suggest(team, teams)}")
            if unknown := next((name for name in types if name not in known), None):
                raise UsageError(f"{team}: unknown type {unknown[:40]!r}; choose from {', '.join(known)}{suggest(unknown, known)}")


class GoldScores(NamedTuple):
    """The scores of all systems on a gold, for each metric."""

    gold: TaskGold
    scores: list[list[Score]]


class TaskResult(NamedTuple):
    """All tables of a task by name, the submissions that could not be scored, and the scores on each gold."""

    tables: dict[str, TaskTable]
    rejected: list[Rejected]
    scores: list[GoldScores]
    statistics: Statistics
    """The settings of intervals and tests."""


def run_task(
    task: Task,
    tagger: Tagger | None = None,
    warn: Callable[[Problem], None] = warn_in_python,
    watch: Watch = watch_nothing,
    equip: Callable[[Sequence[Metric]], Sequence[Metric]] = list,
    jobs: int | None = None,
) -> TaskResult:
    """Score all submissions and make all tables; a submission that cannot be scored is set aside, and the others are scored.

    ``tagger`` gives wrong edits their types; ``watch`` is told of the progress; ``equip`` gives metrics the data that they need.
    Up to ``jobs`` processes score, by default one for each core.
    """
    metrics = _find_metrics(task, equip)
    names = name_systems(task.systems)
    golds = list(read_golds(task, warn))
    _check_golds(golds)
    _check_handles(task, golds, names)
    prepared = PreparedTask(task, golds, metrics, tagger)
    systems, rejected = _read_submissions(task.systems, names, prepared.check, warn)
    statistics = Statistics.of(task, len(systems))
    while systems:
        tables: dict[str, TaskTable] = {}
        scored: list[GoldScores] = []
        try:
            for gold, own in zip(prepared.golds, prepared.evaluators, strict=True):
                with watch("scoring", len(own) * len(systems)) as progress:
                    scores = [_score(evaluate, systems, jobs, progress) for evaluate in own]
                scored.append(GoldScores(gold, scores))
                tables |= prepared.make_gold_tables(gold, scores, statistics, rejected, watch)
        except RefusalError as refusal:  # without it, the other tables are other tables
            systems.remove(refusal.system)
            path = refusal.system.path
            rejected.append(Rejected(refusal.system.name, path, (Problem(path, None, "error", refusal.reason),)))
            continue
        return TaskResult(_add_rejected(tables, rejected, task.title), rejected, scored, statistics)
    return TaskResult({}, rejected, [], statistics)


def _score(evaluate: Evaluator, systems: Sequence[System], jobs: int | None, progress: Callable[[int], None]) -> list[Score]:
    scores = []
    with closing(evaluate_many(evaluate, systems, jobs)) as results:
        for system in systems:
            with _refusing(system, evaluate.metric):
                scores.append(next(results))
            progress(1)
    return scores


def write_tables(tables: Mapping[str, TaskTable]) -> dict[str, str]:
    """Write each table in each format; return the texts by the names of their files."""
    return {f"{name}.{ending}": text for name, table in tables.items() for ending, text in _write(table).items()}


def _write(table: TaskTable) -> dict[str, str]:
    from errata.report.writers import render, render_json

    flat = table.flat
    keys = [column.key or column.name for column in flat.columns]
    record = {"title": flat.title, "rows": [dict(zip(keys, row, strict=True)) for row in flat.rows], "notes": flat.notes}
    return {
        "md": render(table.shown, "markdown"),
        "tex": render(table.shown, "latex"),
        "csv": render(flat, "csv"),
        "json": render_json(record) + "\n",
    }


class Origin(NamedTuple):
    """How a page says that it was made."""

    command: str
    warnings: Sequence[str] = ()


def build_task_report(
    task: Task,
    result: TaskResult,
    scored: GoldScores,
    origin: Origin,
    tagger: Tagger | None,
    drawer: DrawingProcess | None = None,
    watch: Watch = watch_nothing,
) -> Report:
    """Make the page of one gold of a result; ``tagger`` suits the gold, and ``drawer`` draws its charts."""
    from errata.report.page.evaluation import Testing, build_report, type_by_tagger

    statistics, gold = result.statistics, scored.gold
    size = len(gold.corpus)
    shown = sample_evenly(size)
    report = build_report(
        scored.scores,
        type_by_tagger(tagger, ORDER, "full"),
        statistics.bootstrap or statistics.test_bootstrap or Bootstrap(),
        Testing(statistics.test, statistics.correction, statistics.alpha) if statistics.test else Testing(),  # type: ignore[arg-type]
        drawer,
        watch,
    )
    return replace(
        report,
        shown=shown,
        sampled=describe_sample(len(shown), size) if len(shown) < size else "",
        title=gold.title(task, "report"),
        command=origin.command,
        warnings=[*origin.warnings, *_describe_rejected(result.rejected)],
        handles=task.handles,
        signed=gold.signature(task),
    )
