"""All tables of a task for one of its golds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from errata.scoring import join_signatures
from errata.scoring.by_type import has_types
from errata.task.names import name_metrics
from errata.task.tables import (
    TaskTable,
    count_by_type,
    make_overview,
    make_pairs,
    make_ranking,
    make_type_intervals,
    make_typed_table,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from errata.language.tagging import Tagger
    from errata.report.page.data import Watch
    from errata.scoring import Score
    from errata.stats import Interval
    from errata.task.definition import Task
    from errata.task.gold import TaskGold
    from errata.task.statistics import Statistics


class GoldTables:
    """Makes the tables for one gold."""

    def __init__(self, task: Task, gold: TaskGold, statistics: Statistics, tagger: Tagger | None, watch: Watch) -> None:
        self._task, self._gold, self._statistics, self._tagger, self._watch = task, gold, statistics, tagger, watch
        self._added = gold.signature(task)

    def make(self, scores: Sequence[Sequence[Score]]) -> dict[str, TaskTable]:
        """Make the tables of every metric, and one of all metrics if there are several."""
        if len(scores) == 1:
            return {
                f"{name}{self._gold.suffix}": table for name, table in self._of_metric(scores[0], "", self._intervals(scores[0])).items()
            }
        tables: dict[str, TaskTable] = {}
        intervals = [self._intervals(own) for own in scores]
        ends = name_metrics([own[0].metric for own in scores])
        for own, end, ends_of_scores in zip(scores, ends, intervals, strict=True):
            made = self._of_metric(own, f" of {own[0].metric}", ends_of_scores)
            tables |= {f"{name}{self._gold.suffix}-{end}": table for name, table in made.items()}
        title = self._gold.title(self._task, "scores of all metrics")
        return {**tables, f"metrics{self._gold.suffix}": make_overview(scores, self._added, intervals).with_title(title)}

    def _intervals(self, scores: Sequence[Score]) -> list[Interval]:
        with self._task.naming("confidence"):
            return self._statistics.intervals(scores, self._watch)

    def _of_metric(self, scores: Sequence[Score], of_metric: str, intervals: Sequence[Interval]) -> dict[str, TaskTable]:
        """Make the tables of one metric."""
        task, statistics = self._task, self._statistics
        signature = f"{join_signatures(scores)}{self._added}"
        with task.naming("test"):
            tests = statistics.significance(scores, self._watch)
        told = [statistics.how] if tests is not None else _explain_missing_tests(statistics, len(scores))
        tables = {"ranking": self._titled(f"scores{of_metric}", make_ranking(scores, signature, intervals, tests).with_notes(told))}
        if tests is not None:
            tables["pairs"] = self._titled(f"differences of scores{of_metric}", make_pairs(scores, signature, tests, statistics))
        if not all(has_types(score) for score in scores):
            return tables
        typed = count_by_type(scores, self._tagger)
        tables["types"] = self._titled(f"scores{of_metric} by error type", make_typed_table(typed, signature, task.types, task.handles))
        settings = statistics.bootstrap
        if settings is not None and settings.choice == "kept" and settings.method != "exact":
            with task.naming("confidence"), self._watch("resampling types", settings.replicates * len(typed)) as progress:
                table = make_type_intervals(typed, self._added, settings, task.handles, progress)
            tables["type-intervals"] = self._titled(f"intervals of scores{of_metric} by error type", table)
        elif settings is not None:
            tables["types"] = tables["types"].with_notes(["No intervals by type: they keep the chosen references, and are resampled."])
        return tables

    def _titled(self, what: str, table: TaskTable) -> TaskTable:
        return table.with_title(self._gold.title(self._task, what))


def _explain_missing_tests(statistics: Statistics, systems: int) -> list[str]:
    return [f"No test: it needs two systems, found {systems}."] if statistics.test else []
