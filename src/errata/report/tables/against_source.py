"""Tables of systems compared with the source."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from errata.report.table import Cell, Column, Table
from errata.report.tables.comparisons import shown_p
from errata.scoring.scores import best_first
from errata.stats.bootstrap import format_level

if TYPE_CHECKING:
    from collections.abc import Sequence

    from errata.scoring import Score
    from errata.stats import Bootstrap, SourceComparison

_VALUES = ("value", "system_value", "source_value", "difference", "low", "high", "p", "corrected_p", "t_p", "tested", "effect")


def source_record(score: Score, item: SourceComparison) -> dict[str, Any]:
    """Make a record of a comparison, for programs."""
    rest = item.comparison.to_record()
    del rest["other"]
    values = {"value": score.value, "system_value": item.value, "source_value": item.source_value}
    return {"system": rest.pop("system"), **values, **rest, "t_p": item.t_p}


def source_table(scores: Sequence[Score], comparisons: Sequence[SourceComparison], settings: Bootstrap, test: str, how: str) -> Table:
    """Make a table of systems, the best first."""
    measure, unit = comparisons[0].measure, settings.by
    t_too = test != "t"
    columns = (
        Column("System"),
        Column(scores[0].metric.label, "percent"),
        Column(measure, "percent"),
        Column(f"Source {measure}", "percent"),
        Column("Diff.", "percent"),
        Column("Low", "percent"),
        Column("High", "percent"),
        Column("p", "p"),
        Column("corrected p", "p"),
        *([Column("p (t test)", "p")] if t_too else []),
        Column("Effect d", "number"),
    )
    rows: list[tuple[Cell, ...]] = []
    for score, item in sorted(zip(scores, comparisons, strict=True), key=lambda pair: best_first(pair[0])):
        own = item.comparison
        ps = [shown_p(own.p, bound=own.p_is_bound), shown_p(own.corrected_p, bound=own.corrected_p_is_bound)]
        ps += [shown_p(item.t_p, bound=False)] if t_too else []
        rows.append((score.system_name, score.value, item.value, item.source_value, own.difference, own.low, own.high, *ps, own.effect))
    difference = f"Diff.: {measure} of the system minus {measure} of the source, on the references chosen for the system."
    notes = [
        scores[0].signature,
        how,
        f"{difference}  Low, High: its {format_level(settings.level)} interval.",
        f"{'p (t test)' if t_too else 't test'}: two-tailed paired t test of {measure} over {unit}s{', not corrected' if t_too else ''}.",
        f"Effect d: Cohen's d of {measure} of {unit}s.",
    ]
    if any(item.comparison.corrected_p_is_bound for item in comparisons):
        notes.append("≤: the smallest p-value possible with this number of replicates (--replicates).")
    return Table(columns, tuple(rows), notes=tuple(notes))


def flat_source_table(scores: Sequence[Score], comparisons: Sequence[SourceComparison], how: str) -> Table:
    """Make a table for programs, with all values, in the given order."""
    columns = [Column("system"), *(Column(key, "percent", key) for key in _VALUES)]
    columns += [Column("sentences_needed", "count"), *(Column(key, "text", key) for key in ("measure", "metric", "how", "signature"))]
    rows: list[tuple[Cell, ...]] = []
    for score, item in zip(scores, comparisons, strict=True):
        record = source_record(score, item)
        values = [record[key] for key in ("system", *_VALUES, "sentences_needed")]
        rows.append((*values, item.measure, str(score.metric), how, score.signature))
    return Table(tuple(columns), tuple(rows))
