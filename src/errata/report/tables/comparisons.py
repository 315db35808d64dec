"""Tables of compared systems: ranks, the matrix of differences, and every pair."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from errata.report.table import Cell, Column, Kind, Table
from errata.report.tables.scores import shown_interval
from errata.scoring.scores import best_first, join_signatures
from errata.stats.bootstrap import format_level
from errata.stats.comparison import FEWEST_NEEDED

if TYPE_CHECKING:
    from collections.abc import Sequence

    from errata.scoring import Score
    from errata.stats import Bootstrap, Comparison, Interval

_DIGITS = 4
"""Digits of p-values, the same in all tables."""
_BOUNDS = ("p_is_bound", "corrected_p_is_bound")
PAIR_COLUMNS: tuple[tuple[str, Kind, str], ...] = (
    ("First", "text", "system"),
    ("Second", "text", "other"),
    ("Diff.", "percent", "difference"),
    ("Low", "percent", "low"),
    ("High", "percent", "high"),
    ("p", "p", "p"),
    ("corrected p", "p", "corrected_p"),
    ("Effect d", "number", "effect"),
    ("Needed", "count", "sentences_needed"),
)


def pairs_table(comparisons: Sequence[Comparison], settings: Bootstrap, test: str, units: str = "", scale: Kind = "percent") -> Table:
    """Make a table of all pairs of systems; ``units`` are the resampled units, by default those of the settings."""
    columns, notes = describe_pairs(comparisons, settings, test, units, scale)
    return Table(columns, tuple(show_pair(item) for item in comparisons), notes=notes)


def describe_pairs(
    comparisons: Sequence[Comparison], settings: Bootstrap, test: str, units: str = "", scale: Kind = "percent"
) -> tuple[tuple[Column, ...], tuple[str, ...]]:
    """List the columns of a table of pairs, and what should be known about them."""
    columns = tuple(Column(name, scale if kind == "percent" else kind, key) for name, kind, key in PAIR_COLUMNS)
    units = units or f"{settings.by}s"
    counted = "sentences" if units == "documents" else units
    notes = [
        f"Diff.: first score minus second score.  Low, High: {format_level(settings.level)} interval of the difference.",
        f"Effect d: Cohen's d of the {units.removesuffix('s')} scores.",
        f"Needed: {counted} for 80% power, before p-value correction; at least {FEWEST_NEEDED}.",
    ]
    if any((item.effect or 0) * item.difference < 0 for item in comparisons):
        notes.append(f"If d and the difference have opposite signs, the system with the better total has the worse mean over {units}.")
    if any(item.tested * item.difference < 0 for item in comparisons):
        notes.append(f"If the {test} test found the opposite of the difference, the systems count as not significantly different.")
    if any(item.corrected_p_is_bound for item in comparisons):
        notes.append("≤: the smallest p-value possible with this number of replicates (--replicates).")
    return columns, tuple(notes)


def show_pair(item: Comparison) -> tuple[Cell, ...]:
    """List the cells of a pair, one for each column."""
    return tuple(_cell(item, key) for _, _, key in PAIR_COLUMNS)


def _cell(item: Comparison, key: str) -> Cell:
    if key in {"p", "corrected_p"}:
        return shown_p(getattr(item, key), bound=getattr(item, f"{key}_is_bound"))
    return item.to_record()[key]


def shown_p(p: float, digits: int = _DIGITS, *, bound: bool) -> str:
    """Format a p-value; a bound is rounded up, so that it stays a bound.

    >>> shown_p(0.00661, 3, bound=True), shown_p(0.00661, 3, bound=False), shown_p(0.00001, 3, bound=False)
    ('≤0.007', '0.007', '<0.001')
    """
    if bound:
        return f"≤{math.ceil(p * 10**digits - 1e-9) / 10**digits:.{digits}f}"
    return f"{p:.{digits}f}" if p >= 10**-digits else f"<{10**-digits}"


def ranking_table(scores: list[Score], ranks: list[int], intervals: Sequence[Interval], how: str) -> Table:
    """Make a table of systems with their ranks, the best first."""
    columns = (
        Column("Rank", "count", "rank"),
        Column("System", key="system"),
        Column(scores[0].metric.label, "percent", "value", is_contest=True),
        Column(f"{format_level(intervals[0].bootstrap.level)} interval", "count", "interval"),
    )
    order = sorted(range(len(scores)), key=lambda index: best_first(scores[index]))
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (ranks[k], scores[k].system_name, scores[k].value, shown_interval(intervals[k])) for k in order
    )
    shared = "A new rank begins with a system that is significantly different from every system of the previous rank."
    return Table(columns, rows, notes=(join_signatures(scores), how, shared))


def matrix_table(scores: list[Score], comparisons: Sequence[Comparison]) -> Table:
    """Make a matrix of differences (above the diagonal) and corrected p-values (below); systems are numbered, the best first."""
    pairs = {frozenset((item.first, item.second)): item for item in comparisons}
    ordered = sorted(scores, key=best_first)
    names = [score.system_name for score in ordered]
    rows: list[tuple[Cell, ...]] = []
    for number, name in enumerate(names):
        cells: list[Cell] = [number + 1, name]
        for index, other in enumerate(names):
            item = pairs.get(frozenset((name, other))) if number != index else None
            cells.append("" if item is None else show_difference(item, name) if number < index else _matrix_p(item))
        rows.append(tuple(cells))
    columns = (Column("#", "count"), Column("System"), *(Column(str(number), "count") for number in range(1, len(names) + 1)))
    note = "Above the diagonal: row score minus column score.  Below the diagonal: corrected p-values."
    return Table(columns, tuple(rows), notes=(note,))


def _matrix_p(item: Comparison) -> str:
    return shown_p(item.corrected_p, bound=item.corrected_p_is_bound)


def show_difference(item: Comparison, system: str) -> str:
    """Format the score of a system minus that of the other."""
    shown = f"{100 * (item.difference if item.first == system else -item.difference):+.2f}"
    return "0.00" if shown in {"-0.00", "+0.00"} else shown


def flat_pairs_table(scores: list[Score], comparisons: Sequence[Comparison], how: str, signature: str = "") -> Table:
    """Make a table of all pairs for programs, with all values; the signature is by default that of the scores."""
    signature = signature or join_signatures(scores)
    values = {score.system_name: score.value for score in scores}
    keys = [key for _, _, key in PAIR_COLUMNS]
    columns = [
        Column(key, "percent" if key not in {"system", "other"} else "text", key) for key in (*keys, "tested", "score", "other_score")
    ]
    columns += [Column(key, "text", key) for key in ("metric", "how", "signature")]
    columns += [Column(key, "count", key) for key in _BOUNDS]
    rows: list[tuple[Cell, ...]] = []
    for item in comparisons:
        own: list[Cell] = [item.to_record()[key] for key in (*keys, "tested")]
        both = (values[item.first], values[item.second])
        rows.append((*own, *both, str(scores[0].metric), how, signature, *(int(getattr(item, key)) for key in _BOUNDS)))
    return Table(tuple(columns), tuple(rows))
