"""Tables of error types as rows and systems as columns, with one measure."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from errata.language.types import MEMBERS
from errata.report.table import Cell, Column, Table
from errata.report.tables.types import NO_TYPE, measure_type
from errata.scoring.scores import best_first

if TYPE_CHECKING:
    from collections.abc import Sequence

    from errata.names import PivotMeasure
    from errata.report.tables.types import TypedScore

_ALL = "all"
_PLACES: dict[PivotMeasure, int] = {"precision": 0, "recall": 1, "f": 2}
_NAMES = {"precision": "Precision", "recall": "Recall"}


def pivot_tables(typed: Sequence[TypedScore], measure: PivotMeasure | None, digits: int = 2, *, flat: bool = False) -> list[Table]:
    """Make a table for each metric, with the best system first; a flat one is for programs, with systems as given.

    Without a ``measure`` it is F, or recall if some types have no F.  The best system of each type can be bold.
    """
    groups = [list(group) for _, group in groupby(typed, key=lambda item: item.score.metric)]
    return [_make_table(group, measure, digits, flat=flat, several=len(groups) > 1) for group in groups]


def _make_table(typed: Sequence[TypedScore], wanted: PivotMeasure | None, digits: int, *, flat: bool, several: bool) -> Table:
    ordered = typed if flat else sorted(typed, key=lambda item: best_first(item.score))
    systems = [{counts.type: measure_type(counts, item.beta) for counts in item.counts} for item in ordered]
    types = sorted({name for own in systems for name in own}, key=_place)
    measure = _choose(ordered) if wanted is None else wanted
    values = {name: [own[name][_PLACES[measure]] if name in own else None for own in systems] for name in types}
    shown = [name for name in types if any(value is not None for value in values[name])]
    columns = [Column("Type", key="type")]
    columns += [
        Column(item.score.system_name, "percent", item.score.system_name, digits, is_contest=True, is_data=True) for item in ordered
    ]
    rows: list[tuple[Cell, ...]] = [(name, *values[name]) for name in shown]
    heading = _NAMES.get(measure, f"F{ordered[0].beta:g}")
    only = " (not every type has F, because some wrong edits have no type)" if wanted is None and measure != "f" else ""
    left_out = [name for name in types if name not in shown]
    notes = [
        f"{heading} of each type, times 100{only}.",
        *dict.fromkeys(item.signature for item in ordered),
        *(["–: the system's edits of this type are unknown, or gold has no edit of it."] if any(None in row for row in rows) else []),
        *([f"Without a value, so left out: {', '.join(left_out)}."] if left_out else []),
        *dict.fromkeys(item.note for item in ordered if item.note),
    ]
    title = f"{heading} by error type{f', {ordered[0].score.metric}' if several else ''}"
    return Table(tuple(columns), tuple(rows), title, tuple(notes), best_of="row")


def _choose(typed: Sequence[TypedScore]) -> PivotMeasure:
    """Choose F, if every type of gold has it."""
    with_gold = {counts.type for item in typed for counts in item.counts if counts.gold}
    with_f = {counts.type for item in typed for counts in item.counts if counts.proposed is not None}
    return "f" if with_gold <= with_f else "recall"


def _place(name: str) -> tuple[int, str]:
    """Sort types by their names, then those of several together, then what is no type."""
    return (3 if name == _ALL else 2 if name == NO_TYPE else 1 if name in MEMBERS else 0), name
