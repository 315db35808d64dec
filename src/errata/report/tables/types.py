"""A table of scores by error type."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from errata.report.table import Cell, Column, Table
from errata.report.tables.scores import shown_interval
from errata.scoring.scores import make_signature
from errata.stats.bootstrap import format_level

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from errata.corpus.corpus import Corpus
    from errata.names import Detail
    from errata.scoring import Score
    from errata.scoring.by_type import TypeCounts, TypeIntervals
    from errata.stats import Bootstrap


NO_TYPE = "(no type)"
"""The edits without a type."""


class TypedScore(NamedTuple):
    """A score with its counts by error type."""

    score: Score
    counts: list[TypeCounts]
    tagger: str
    detail: Detail = "full"
    """What is kept of ERRANT's types."""
    intervals: Sequence[TypeIntervals] = ()
    """Intervals of each type, if they were requested."""
    bootstrap: Bootstrap | None = None
    """The settings of the intervals."""
    given: Corpus | None = None
    """The gold as it was given, if its edits were given other types."""
    typed_by_system: str = ""
    """The system that gave all edits their types, if that was asked for."""
    meanings: Mapping[str, str] = MappingProxyType({})
    """What its types mean."""
    note: str = ""
    """What should be known about the types."""

    @property
    def beta(self) -> float:
        """The weight in F."""
        return 1.0 if self.score.metric.beta is None else self.score.metric.beta

    @property
    def signature(self) -> str:
        """The signature with what decides the types of edits."""
        if self.given is None:
            return f"{self.score.signature} | {self.typed_by}"
        return f"{make_signature(self.score.metric, self.given, self.score.system)} | {self.typed_by}"

    @property
    def typed_by(self) -> str:
        """What decides the types of edits: the metric, or the tagger for wrong ones."""
        metric = self.score.metric
        if metric.types_wrong_edits:
            by = f"types {metric.types_data(self.score.system, self.score.evidence.corpus)}"
        else:
            by = f"types {self.typed_by_system}" if self.typed_by_system else f"tagger {self.tagger}"
        return by if self.detail == "full" else f"{by}, {self.detail} only"


def type_table(typed: Sequence[TypedScore], digits: int = 2, title: str = "", *, flat: bool = False) -> Table:
    """Make a table with a row for each system and type; a flat one is for programs, with the bounds of intervals in separate columns."""
    several = len({str(item.score.metric) for item in typed}) > 1
    bootstrap = typed[0].bootstrap
    level = format_level(bootstrap.level) if bootstrap is not None else ""
    same_beta = len({item.beta for item in typed}) == 1
    measures = (("P", "precision"), ("R", "recall"), (f"F{typed[0].beta:g}" if same_beta else "F", "f"))
    columns = [
        Column("System", key="system"),
        *([Column("Metric", key="metric")] if several else []),
        Column("Type", key="type"),
        *(Column(name, "count", key) for name, key in (("Correct", "matched"), ("Proposed", "proposed"), ("Gold", "gold"))),
    ]
    for name, key in measures:
        columns.append(Column(name, "percent", key, digits))
        if bootstrap is not None and flat:
            columns += [Column(f"{name} {end}", "percent", f"{key}_{end}") for end in ("low", "high")]
        elif bootstrap is not None:
            columns.append(Column(f"{level} interval of {name}", "count", f"{key}_interval"))
    if flat:
        columns += [Column("Intervals", key="intervals")] if bootstrap is not None else []
        columns.append(Column("Signature", key="signature"))
    rows: list[tuple[Cell, ...]] = []
    for item in typed:
        for index, counts in enumerate(item.counts):
            cells = (
                item.score.system_name,
                *([str(item.score.metric)] if several else []),
                *_cells(item, counts, index, digits, flat=flat),
            )
            rows.append((*cells, *([str(bootstrap)] if bootstrap is not None else []), item.signature) if flat else cells)
    explained = "–: wrong edits cannot be assigned to this type, or gold has no edit of it."
    notes = [*dict.fromkeys(item.signature for item in typed), explained, *dict.fromkeys(item.note for item in typed if item.note)]
    if bootstrap is not None:
        notes += [str(bootstrap), "No interval if fewer than two sentences have a value for the type, or all values are equal."]
    return Table(tuple(columns), tuple(rows), title, tuple(notes))


def measure_type(counts: TypeCounts, beta: float) -> tuple[float | None, float | None, float | None]:
    """Compute precision, recall and F of a type, as they are shown: None if unknown, or if gold has no edit of the type."""
    if counts.type == NO_TYPE:
        return None, None, None
    precision, recall, f = counts.measures(beta)
    return (precision, recall, f) if _is_wanted(counts) else (precision, None, None)


def _is_wanted(counts: TypeCounts) -> bool:
    """Whether gold has edits of the type, or it is all of them."""
    return bool(counts.gold) or counts.type == "all"


def _cells(item: TypedScore, counts: TypeCounts, index: int, digits: int, *, flat: bool) -> list[Cell]:
    """List the counts of a type, its measures and their intervals."""
    wanted = _is_wanted(counts)
    measures = measure_type(counts, item.beta)
    cells: list[Cell] = [counts.type, counts.matched, counts.proposed, counts.gold if wanted else None]
    for number, measure in enumerate(measures):
        cells.append(measure)
        if item.intervals:
            interval = item.intervals[index][number] if measure is not None else None
            if flat:
                cells += [interval.low, interval.high] if interval is not None else [None, None]
            else:
                cells.append(shown_interval(interval, digits) if interval is not None else None)
    return cells
