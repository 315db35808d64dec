"""The page of each gold of a task, with the intervals and tests of the task, or the usual ones."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from errata.language.types import ORDER
from errata.names import describe_sample, sample_evenly
from errata.report.page.data import watch_nothing
from errata.report.page.evaluation import Testing, build_report, type_by_tagger
from errata.stats import Bootstrap
from errata.task.submissions import describe_set_aside

if TYPE_CHECKING:
    from collections.abc import Sequence

    from errata.language.tagging import Tagger
    from errata.report.charts.drawing import DrawingProcess
    from errata.report.page.data import Watch
    from errata.report.page.evaluation import Report
    from errata.task.definition import Task
    from errata.task.running import GoldScores, TaskResult


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
    return build_report(
        scored.scores,
        type_by_tagger(tagger, ORDER, "full"),
        statistics.bootstrap or statistics.test_bootstrap or Bootstrap(),
        Testing(statistics.test, statistics.correction, statistics.alpha) if statistics.test else Testing(),  # type: ignore[arg-type]
        drawer,
        watch,
        shown=shown,
        sampled=describe_sample(len(shown), size) if len(shown) < size else "",
        title=gold.title(task, "report"),
        command=origin.command,
        warnings=[*origin.warnings, *describe_set_aside(result.set_aside)],
        handles=task.handles,
        signed=gold.signature(task),
    )
