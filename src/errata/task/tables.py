"""The tables of a task: rankings, scores by type, pairs of systems (Ng et al. 2013, Tables 7 to 10, with intervals and tests)."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from errata.language.tagging import SourceTagger
from errata.language.types import MEMBERS, ORDER
from errata.report.table import Cell, Column, Table
from errata.report.tables.comparisons import flat_pairs_table, pairs_table, shown_p
from errata.report.tables.scores import PartColumns, TypedScore, flat_scores_table, shown_interval, side_by_side, type_table
from errata.scoring.by_type import compute_type_intervals, count_types, has_types, takes_tagger
from errata.scoring.scores import best_first, join_signatures
from errata.stats.bootstrap import format_level

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from errata.language.tagging import Tagger
    from errata.report.page.data import Watch
    from errata.scoring.scores import Score
    from errata.stats.bootstrap import Bootstrap, Progress
    from errata.stats.intervals import Interval
    from errata.task.definition import Significance, Statistics, Task
    from errata.task.running import TaskGold


_NOT_DONE = "(not done)"
"""What a table has for an error type that a team does not handle."""
_NOT_DONE_EXPLAINED = f"{_NOT_DONE}: the team says that its system does not handle this type."
_MEASURES = ("precision", "recall", "f")
_UNSAFE = re.compile(r"[^A-Za-z0-9._]+")
_LONGEST_NAME = 100
"""Characters of a name; a file name has 255 bytes."""
_RANK_EXPLAINED = (
    "p: corrected p-value of the difference from the next system.  Rank by test: a new one begins with a system that is significantly "
    "different from every system of the previous one."
)


class TaskTable(NamedTuple):
    """A table for people, and one for programs if that has other columns."""

    shown: Table
    flat: Table

    @classmethod
    def of(cls, shown: Table, flat: Table | None = None) -> TaskTable:
        """Make both tables, by default the same."""
        return cls(shown, shown if flat is None else flat)

    def with_title(self, title: str) -> TaskTable:
        """Set the title."""
        return TaskTable(*(replace(table, title=title) for table in self))

    def with_notes(self, notes: Sequence[str]) -> TaskTable:
        """Add notes."""
        return TaskTable(*(replace(table, notes=(*table.notes, *notes)) for table in self))


def _make_ranking(
    scores: Sequence[Score], signature: str, intervals: Sequence[Interval] = (), tests: Significance | None = None
) -> TaskTable:
    """Make the ranking of systems; equal scores share a rank."""
    order = sorted(range(len(scores)), key=lambda index: best_first(scores[index]))
    best = scores[order[0]]
    columns = [
        Column("Rank", "count", "rank"),
        Column("System", key="system"),
        *PartColumns([best]).columns(contests=True),
        Column(best.metric.label, "percent", "value", is_contest=True),
    ]
    rows: list[list[Cell]] = [
        [1 + sum(other.value > scores[k].value for other in scores), scores[k].system_name, *scores[k].shown.values(), scores[k].value]
        for k in order
    ]
    shown, flat, notes = [list(row) for row in rows], [list(row) for row in rows], [signature, best.metric.explanation]
    shown_columns, flat_columns = list(columns), list(columns)
    if intervals:
        shown_columns.append(Column(f"{format_level(intervals[0].bootstrap.level)} interval", "count", "interval"))
        flat_columns += [Column("Low", "percent", "low"), Column("High", "percent", "high")]
        for row, flat_row, k in zip(shown, flat, order, strict=True):
            row.append(shown_interval(intervals[k]))
            flat_row += [intervals[k].low, intervals[k].high]
        notes.append(str(intervals[0].bootstrap))
    if tests is not None:
        added = (Column("p", "p", "p_next"), Column("Rank by test", "count", "rank_by_test"))
        shown_columns += added
        flat_columns += added
        for position, (row, flat_row) in enumerate(zip(shown, flat, strict=True)):
            name = scores[order[position]].system_name
            pair = tests.pair(name, scores[order[position + 1]].system_name) if position + 1 < len(order) else None
            row += [shown_p(pair.corrected_p, bound=pair.corrected_p_is_bound) if pair else None, tests.rank(name)]
            flat_row += [pair.corrected_p if pair else None, tests.rank(name)]
        notes.append(_RANK_EXPLAINED)
    told = tuple(note for note in notes if note)
    return TaskTable(
        Table(tuple(shown_columns), tuple(map(tuple, shown)), notes=told), Table(tuple(flat_columns), tuple(map(tuple, flat)), notes=told)
    )


def _make_pairs(scores: Sequence[Score], signature: str, tests: Significance, statistics: Statistics) -> TaskTable:
    """Make the table of all pairs of systems."""
    settings = statistics.test_bootstrap
    assert settings is not None  # noqa: S101 - there are tests
    shown = pairs_table(tests.comparisons, settings, statistics.test)
    flat = flat_pairs_table(list(scores), tests.comparisons, statistics.how, signature)
    return TaskTable(replace(shown, notes=(signature, statistics.how, *shown.notes)), replace(flat, notes=(signature, statistics.how)))


def _make_overview(scores: Sequence[Sequence[Score]], added: str, intervals: Sequence[Sequence[Interval]]) -> TaskTable:
    """Make a table of several metrics side by side, in the order of the first; ``added`` belongs to every signature."""
    together = [score for own in scores for score in own]
    all_intervals = [interval for own in intervals for interval in own]
    shown = side_by_side([own[0].metric for own in scores], together, intervals=all_intervals)
    flat = flat_scores_table(together, all_intervals)
    signatures = len({(score.metric.label, score.signature) for score in together})
    notes = tuple(f"{note}{added}" if number < signatures else note for number, note in enumerate(shown.notes))
    return TaskTable(replace(shown, notes=notes), replace(_extend_signatures(flat, added), notes=notes))


def _count_by_type(scores: Sequence[Score], tagger: Tagger | None) -> list[TypedScore]:
    """Count the types of all systems, the best first."""
    use = SourceTagger(tagger, scores[0].evidence.corpus) if tagger is not None and all(map(takes_tagger, scores)) else None
    name = use.name if use is not None else "none"
    return [TypedScore(score, count_types(score, use), name) for score in sorted(scores, key=best_first)]


def _make_typed_table(
    typed: Sequence[TypedScore], signature: str, types: Collection[str], handled: Mapping[str, Collection[str]]
) -> TaskTable:
    """Make the table of recall, precision and F by type, with one row per system; with a tagger, Vform and SVA are one type.

    ``handled`` are the types that teams handle, by the name of the team.
    """
    tagged, beta = typed[0].tagger != "none", typed[0].beta
    own_types = typed[0].score.metric.types_wrong_edits
    by_system = [{counts.type: counts for counts in item.counts} for item in typed]
    together = {member for name, members in MEMBERS.items() if tagged for member in members}
    with_gold = {name for counts in by_system for name, item in counts.items() if item.gold and name not in together | {"all"}}
    names = [name for name in ORDER if name in with_gold] + sorted(with_gold - set(ORDER))
    wanted = [name for name in names if not types or name in types or set(MEMBERS.get(name, ())) & set(types)]
    columns: list[Column] = [Column("System", key="system")]
    for name in wanted:
        columns += [Column(f"{name} R", "percent", f"{name}_recall", is_contest=True)]
        if own_types or (tagged and name in ORDER):
            columns += [Column(f"{name} P", "percent", f"{name}_precision", is_contest=True)]
            columns += [Column(f"{name} F{beta:g}", "percent", f"{name}_f", is_contest=True)]
    rows: list[tuple[Cell, ...]] = []
    for item, counts in zip(typed, by_system, strict=True):
        cells: list[Cell] = [item.score.system_name]
        for name in wanted:
            precision, recall, f = counts[name].measures(beta) if name in counts else (None, None, None)
            own: list[Cell] = [recall, precision, f] if own_types or (tagged and name in ORDER) else [recall]
            cells += own if _handles(handled.get(item.score.system_name), name) else [_NOT_DONE] * len(own)
        rows.append(tuple(cells))
    notes = [f"{signature} | {typed[0].typed_by}"]
    notes += [_NOT_DONE_EXPLAINED] if any(_NOT_DONE in row for row in rows) else []
    return TaskTable.of(Table(tuple(columns), tuple(rows), notes=tuple(notes)))


def _handles(types: Collection[str] | None, name: str) -> bool:
    """Whether a team with these types handles a type; one whose types are not known may handle all.

    >>> _handles(["ArtOrDet", "SVA"], "Vform/SVA"), _handles(["ArtOrDet"], "Nn"), _handles(None, "Nn"), _handles(["Vform/SVA"], "SVA")
    (True, False, True, True)
    """
    if types is None:
        return True
    known = {*types, *(member for other in types for member in MEMBERS.get(other, ()))}
    return name in known or bool(known & set(MEMBERS.get(name, ())))


def _make_type_intervals(
    typed: Sequence[TypedScore], added: str, bootstrap: Bootstrap, handled: Mapping[str, Collection[str]], progress: Progress
) -> TaskTable:
    """Make a table of all systems and types with the intervals of P, R and F."""
    typed = [
        item._replace(
            intervals=compute_type_intervals(item.counts, item.score.evidence.corpus, item.beta, bootstrap, progress), bootstrap=bootstrap
        )
        for item in typed
    ]
    shown, flat = (_mark_not_done(type_table(typed, flat=is_flat), handled) for is_flat in (False, True))
    notes = (f"{shown.notes[0]}{added}", *shown.notes[1:])
    return TaskTable(replace(shown, notes=notes), replace(_extend_signatures(flat, added), notes=notes))


def _mark_not_done(table: Table, handled: Mapping[str, Collection[str]]) -> Table:
    """Replace the measures of types that a team does not handle."""
    rows = []
    for row in table.rows:
        system, type_ = str(row[0]), str(row[1])
        done = type_ in {"all", "(no type)"} or _handles(handled.get(system), type_)
        measured = [not done and column.key.startswith(_MEASURES) for column in table.columns]
        rows.append(tuple(_NOT_DONE if hidden else cell for hidden, cell in zip(measured, row, strict=True)))
    notes = (*table.notes, *([_NOT_DONE_EXPLAINED] if any(_NOT_DONE in row for row in rows) else []))
    return replace(table, rows=tuple(rows), notes=notes)


def _extend_signatures(table: Table, added: str) -> Table:
    """Add to the signatures in the last column."""
    return replace(table, rows=tuple((*row[:-1], f"{row[-1]}{added}") for row in table.rows))


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
        ends = _name_metrics([own[0].metric for own in scores])
        for own, end, ends_of_scores in zip(scores, ends, intervals, strict=True):
            made = self._of_metric(own, f" of {own[0].metric}", ends_of_scores)
            tables |= {f"{name}{self._gold.suffix}-{end}": table for name, table in made.items()}
        title = self._gold.title(self._task, "scores of all metrics")
        return {**tables, f"metrics{self._gold.suffix}": _make_overview(scores, self._added, intervals).with_title(title)}

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
        tables = {"ranking": self._titled(f"scores{of_metric}", _make_ranking(scores, signature, intervals, tests).with_notes(told))}
        if tests is not None:
            tables["pairs"] = self._titled(f"differences of scores{of_metric}", _make_pairs(scores, signature, tests, statistics))
        if not all(has_types(score) for score in scores):
            return tables
        typed = _count_by_type(scores, self._tagger)
        tables["types"] = self._titled(f"scores{of_metric} by error type", _make_typed_table(typed, signature, task.types, task.handles))
        settings = statistics.bootstrap
        if settings is not None and settings.choice == "kept" and settings.method != "exact":
            with task.naming("confidence"), self._watch("resampling types", settings.replicates * len(typed)) as progress:
                table = _make_type_intervals(typed, self._added, settings, task.handles, progress)
            tables["type-intervals"] = self._titled(f"intervals of scores{of_metric} by error type", table)
        elif settings is not None:
            tables["types"] = tables["types"].with_notes(["No intervals by type: they keep the chosen references, and are resampled."])
        return tables

    def _titled(self, what: str, table: TaskTable) -> TaskTable:
        return table.with_title(self._gold.title(self._task, what))


def _explain_missing_tests(statistics: Statistics, systems: int) -> list[str]:
    return [f"No test: it needs two systems, found {systems}."] if statistics.test else []


def _name_metrics(metrics: Sequence[object]) -> list[str]:
    """Name metrics for files: letters, digits, points, hyphens and underscores; no two names are one file on some system.

    >>> _name_metrics(["maxmatch(beta=1.0)", "imeasure", "hoo(score=detection,rules=2011)"])
    ['maxmatch-beta-1.0', 'imeasure', 'hoo-score-detection-rules-2011']
    >>> _name_metrics(["a(b=1)", "A(b=1)", "a(b-1)"])
    ['a-b-1', 'A-b-1-2', 'a-b-1-3']
    """
    names: list[str] = []
    taken: set[str] = set()
    for item in metrics:
        stem = _UNSAFE.sub("-", str(item)).strip("-.")[:_LONGEST_NAME] or "metric"
        name, number = stem, 1
        while name.casefold() in taken:
            number += 1
            name = f"{stem}-{number}"
        taken.add(name.casefold())
        names.append(name)
    return names
