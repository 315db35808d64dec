"""A task from its definition to its tables."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING, NamedTuple

from errata.formats import Problem, name_systems
from errata.formats.problems import warn_in_python
from errata.report.page.data import watch_nothing
from errata.scoring import evaluate_many
from errata.task.gold import read_golds
from errata.task.preparation import PreparedTask, RefusalError, check_golds, check_handles, find_metrics, refusing
from errata.task.statistics import Statistics
from errata.task.submissions import SetAside, add_set_aside, read_submissions

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from errata.corpus.corpus import System
    from errata.language.tagging import Tagger
    from errata.metrics import Metric
    from errata.report.page.data import Watch
    from errata.scoring import Evaluator, Score
    from errata.task.definition import Task
    from errata.task.gold import TaskGold
    from errata.task.tables import TaskTable


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
