"""A task from its definition to its tables and pages."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from errata.formats.problems import Problem, warn_in_python
from errata.formats.registry import name_systems
from errata.language.types import ORDER
from errata.report.page.data import describe_sample, sample_evenly, watch_nothing
from errata.report.page.evaluation import Testing, build_report, type_by_tagger
from errata.report.writers import render, render_json
from errata.scoring.evaluator import evaluate_many
from errata.stats.bootstrap import Bootstrap
from errata.task.definition import Statistics
from errata.task.preparation import (
    PreparedTask,
    RefusalError,
    SetAside,
    add_set_aside,
    check_golds,
    check_handles,
    describe_set_aside,
    find_metrics,
    read_golds,
    read_submissions,
    refusing,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from errata.corpus.corpus import System
    from errata.language.tagging import Tagger
    from errata.metrics.base import Metric
    from errata.report.charts.drawing import DrawingProcess
    from errata.report.page.data import Watch
    from errata.report.page.evaluation import Report
    from errata.scoring.evaluator import Evaluator
    from errata.scoring.scores import Score
    from errata.task.definition import Task
    from errata.task.preparation import TaskGold
    from errata.task.tables import TaskTable


# --- The tables of a task as the texts of files: Markdown and LaTeX for people, CSV and JSON for programs.


def write_tables(tables: Mapping[str, TaskTable]) -> dict[str, str]:
    """Write each table in each format; return the texts by the names of their files."""
    return {f"{name}.{ending}": text for name, table in tables.items() for ending, text in _write(table).items()}


def _write(table: TaskTable) -> dict[str, str]:
    flat = table.flat
    keys = [column.key or column.name for column in flat.columns]
    record = {"title": flat.title, "rows": [dict(zip(keys, row, strict=True)) for row in flat.rows], "notes": flat.notes}
    return {
        "md": render(table.shown, "markdown"),
        "tex": render(table.shown, "latex"),
        "csv": render(flat, "csv"),
        "json": render_json(record) + "\n",
    }


# --- The page of each gold of a task, with the intervals and tests of the task, or the usual ones.


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
        warnings=[*origin.warnings, *describe_set_aside(result.set_aside)],
        handles=task.handles,
        signed=gold.signature(task),
    )


# --- A task from its definition to its tables.


class GoldScores(NamedTuple):
    """The scores of all systems on a gold, for each metric."""

    gold: TaskGold
    scores: list[list[Score]]


class TaskResult(NamedTuple):
    """All tables of a task by name, the submissions that could not be scored, and the scores on each gold."""

    tables: dict[str, TaskTable]
    set_aside: list[SetAside]
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
    metrics = find_metrics(task, equip)
    names = name_systems(task.systems)
    golds = list(read_golds(task, warn))
    check_golds(golds)
    check_handles(task, golds, names)
    prepared = PreparedTask(task, golds, metrics, tagger)
    systems, set_aside = read_submissions(task.systems, names, prepared.check, warn)
    statistics = Statistics.of(task, len(systems))
    while systems:
        tables: dict[str, TaskTable] = {}
        scored: list[GoldScores] = []
        try:
            for gold, own in zip(prepared.golds, prepared.evaluators, strict=True):
                with watch("scoring", len(own) * len(systems)) as progress:
                    scores = [_score(evaluate, systems, jobs, progress) for evaluate in own]
                scored.append(GoldScores(gold, scores))
                tables |= prepared.make_gold_tables(gold, scores, statistics, set_aside, watch)
        except RefusalError as refusal:  # without it, the other tables are other tables
            systems.remove(refusal.system)
            path = refusal.system.path
            set_aside.append(SetAside(refusal.system.name, path, (Problem(path, None, "error", refusal.reason),)))
            continue
        return TaskResult(add_set_aside(tables, set_aside, task.title), set_aside, scored, statistics)
    return TaskResult({}, set_aside, [], statistics)


def _score(evaluate: Evaluator, systems: Sequence[System], jobs: int | None, progress: Callable[[int], None]) -> list[Score]:
    scores = []
    with closing(evaluate_many(evaluate, systems, jobs)) as results:
        for system in systems:
            with refusing(system, evaluate.metric):
                scores.append(next(results))
            progress(1)
    return scores
