"""A task from its definition to its tables."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING, NamedTuple

from errata.errors import InputError, MismatchError, RequestError, UsageError
from errata.formats import Problem, name_systems
from errata.formats.problems import warn_in_python
from errata.language.edit_types import MEMBERS
from errata.language.suiting import AUTO_TAGGER, suit
from errata.metrics import metric
from errata.normalisation import normalise_corpus
from errata.nucle.types import TYPES
from errata.page.watching import watch_nothing
from errata.scoring import Evaluator, evaluate_many, join_signatures
from errata.scoring.by_type import has_types
from errata.suggestions import suggest
from errata.task.gold import check_profile, read_golds, take_subset
from errata.task.names import name_metrics
from errata.task.statistics import Statistics
from errata.task.submissions import SetAside, make_set_aside_table, read_submissions
from errata.task.tables import (
    TaskTable,
    count_by_type,
    make_overview,
    make_pairs,
    make_ranking,
    make_type_intervals,
    make_typed_table,
)
from errata.tokenisation.choosing import check_tokeniser, find_tokeniser
from errata.words import pluralise

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from errata.corpus import System
    from errata.language.tagging import Tagger
    from errata.metrics import Metric
    from errata.page.watching import Watch
    from errata.scoring import Score
    from errata.stats import Interval
    from errata.task.definition import Task
    from errata.task.gold import TaskGold

SET_ASIDE = "set-aside"
"""The name of the table of submissions that cannot be scored."""


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


class _RefusalError(Exception):
    """A metric refuses the output of one system."""

    def __init__(self, system: System, reason: str) -> None:
        self.system, self.reason = system, reason
        super().__init__(reason)


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
    with task.naming("metrics"):
        metrics = equip(_parse_metrics(task.metrics))
    with task.naming("profile"):
        check_profile(task.profile)
    with task.naming("tokenise"):
        check_tokeniser(task.tokenise)
    names = name_systems(task.systems)
    golds = list(read_golds(task, warn))
    if other := next((gold.corpus for gold in golds if len(gold.corpus) != len(golds[0].corpus)), None):
        first = golds[0].corpus
        raise MismatchError(f"{other.path} has {pluralise(len(other), 'sentence')}, but {first.path} has {len(first):,}")
    with task.naming("handles"):
        _check_handles(task, names, golds)
    with task.naming("unicode"):
        golds = [gold._replace(corpus=normalise_corpus(gold.corpus, task.unicode)) for gold in golds]
    whole = golds[0].corpus
    tagger = suit(tagger, whole, asked=task.tagger != AUTO_TAGGER)
    golds = [gold._replace(corpus=take_subset(task, gold.corpus)) for gold in golds]
    with task.naming("metrics"):
        evaluators = [[Evaluator(gold.corpus, own, warn=None) for own in metrics] for gold in golds]
    with task.naming("tokenise"):
        tokeniser = find_tokeniser(task.tokenise, whole)
    systems, set_aside = read_submissions(task.systems, names, whole, warn, tokeniser, strict=task.strict)
    statistics = Statistics.of(task, len(systems))
    while systems:
        tables: dict[str, TaskTable] = {}
        scored: list[GoldScores] = []
        try:
            for gold, own in zip(golds, evaluators, strict=True):
                with watch("scoring", len(own) * len(systems)) as progress:
                    scores = [_score(evaluate, systems, jobs, progress) for evaluate in own]
                scored.append(GoldScores(gold, scores))
                maker = _TableMaker(task, gold, statistics, tagger, watch)
                tables |= {name: table.with_notes(describe_set_aside(set_aside)) for name, table in maker.make(scores).items()}
        except _RefusalError as refusal:  # without it, the other tables are other tables
            systems.remove(refusal.system)
            path = refusal.system.path
            set_aside.append(SetAside(refusal.system.name, path, (Problem(path, None, "error", refusal.reason),)))
            continue
        if set_aside:
            tables[SET_ASIDE] = TaskTable.of(make_set_aside_table(set_aside, task.title))
        return TaskResult(tables, set_aside, scored, statistics)
    return TaskResult({}, set_aside, [], statistics)


def _parse_metrics(texts: Sequence[str]) -> list[Metric]:
    metrics = [metric(text) for text in texts]
    if repeated := next((item for index, item in enumerate(metrics) if item in metrics[:index]), None):
        raise UsageError(f"{repeated} is given twice")
    return metrics


def _check_handles(task: Task, names: Sequence[str], golds: Sequence[TaskGold]) -> None:
    """Raise unless the teams that say what they handle are systems of the task, and the types are types."""
    annotated = {
        edit.type for gold in golds for sentence in gold.corpus for annotation in sentence.annotations for edit in annotation.edits
    }
    known = sorted({*TYPES, *MEMBERS, *annotated}) if task.handles else []
    for team, types in task.handles.items():
        if team not in names:
            raise UsageError(f"there is no system {team[:40]!r}; choose from {', '.join(names)}{suggest(team, names)}")
        if unknown := next((name for name in types if name not in known), None):
            raise UsageError(f"{team}: unknown type {unknown[:40]!r}; choose from {', '.join(known)}{suggest(unknown, known)}")


def _score(evaluate: Evaluator, systems: Sequence[System], jobs: int | None, progress: Callable[[int], None]) -> list[Score]:
    scores = []
    with closing(evaluate_many(evaluate, systems, jobs)) as results:
        for system in systems:
            try:
                scores.append(next(results))
            except (InputError, RequestError) as error:
                raise _RefusalError(system, f"{evaluate.metric} cannot score it: {error}") from None
            progress(1)
    return scores


class _TableMaker:
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


def describe_set_aside(set_aside: Sequence[SetAside]) -> list[str]:
    """Say which submissions cannot be scored."""
    listed = ", ".join(f"{item.team} ({pluralise(len(item.problems), 'problem')})" for item in set_aside)
    return [f"Set aside, because they cannot be scored: {listed}."] if listed else []
