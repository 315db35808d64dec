"""Systems that are compared: their ranks, the matrix of their differences, and every pair."""

from __future__ import annotations

from typing import TYPE_CHECKING

from errata.report.table import Cell, Column, Kind, Table
from errata.report.tables.scores import shown_interval
from errata.stats.bootstrap import percent
from errata.stats.paired import FEWEST_NEEDED

if TYPE_CHECKING:
    from collections.abc import Sequence

    from errata.scoring import Score
    from errata.stats import Bootstrap, Comparison, Interval

_SMALLEST_SHOWN = 0.001
"""A p-value in the matrix, where there is room for three digits."""
PAIR_COLUMNS: tuple[tuple[str, Kind, str], ...] = (
    ("System", "text", "system"),
    ("Other", "text", "other"),
    ("Difference", "percent", "difference"),
    ("Low", "percent", "low"),
    ("High", "percent", "high"),
    ("p", "p", "p"),
    ("corrected p", "p", "corrected_p"),
    ("Effect d", "number", "effect"),
    ("Needed", "count", "sentences_needed"),
)


def pairs_table(found: Sequence[Comparison], settings: Bootstrap, test: str, units: str = "", scale: Kind = "percent") -> Table:
    """Every pair of systems; ``units`` are what is drawn again, where the settings do not say it."""
    columns = tuple(Column(name, scale if kind == "percent" else kind, key) for name, kind, key in PAIR_COLUMNS)
    rows: tuple[tuple[Cell, ...], ...] = tuple(tuple(item.to_record()[key] for _, _, key in PAIR_COLUMNS) for item in found)
    units = units or f"{settings.by}s"
    counted = "sentences" if units == "documents" else units
    notes = [
        f"Low, High: {percent(settings.level)} interval of the difference.  Effect d: mean difference of {units}, in standard deviations.",
        f"Needed: {counted} that would show it four times of five before correction, at least {FEWEST_NEEDED}.",
    ]
    if any((item.effect or 0) * item.difference < 0 for item in found):
        notes.append(
            f"Where d has another sign than the difference, the system that is better on the whole is worse on the mean of {units}."
        )
    if any(item.tested * item.difference < 0 for item in found):
        notes.append(f"Where the {test} test found the opposite of the difference, it does not tell the systems apart.")
    return Table(columns, rows, notes=tuple(notes))


def ranking_table(scores: list[Score], ranks: list[int], sure: Sequence[Interval], how: str) -> Table:
    """Systems with their ranks, the best first."""
    columns = (
        Column("Rank", "count"),
        Column("System"),
        Column(scores[0].metric.label, "percent"),
        Column(f"{percent(sure[0].bootstrap.level)} interval", "count"),
    )
    order = sorted(range(len(scores)), key=lambda place: (-scores[place].value, scores[place].system_name))
    rows: tuple[tuple[Cell, ...], ...] = tuple((ranks[k], scores[k].system_name, scores[k].value, shown_interval(sure[k])) for k in order)
    shared = "A new rank begins where a system can be told apart from every system of the rank before; p in the matrix is corrected."
    return Table(columns, rows, notes=(scores[0].signature, how, shared))


def matrix_table(scores: list[Score], found: Sequence[Comparison]) -> Table:
    """The row's score less the column's, and the corrected p."""
    pairs = {(item.first, item.second): item for item in found}
    ordered = sorted(scores, key=lambda score: (-score.value, score.system_name))
    names = [score.system_name for score in ordered]
    rows: list[tuple[Cell, ...]] = []
    for name in names:
        cells: list[Cell] = [name]
        for other in names:
            item = pairs.get((name, other)) or pairs.get((other, name))
            if item is None:
                cells.append("")
                continue
            difference = item.difference if item.first == name else -item.difference
            p = f"{item.corrected_p:.3f}" if item.corrected_p >= _SMALLEST_SHOWN else f"<{_SMALLEST_SHOWN}"
            shown = f"{100 * difference:+.2f}"
            cells.append(f"{'0.00' if shown == '-0.00' else shown} (p {p})")
        rows.append(tuple(cells))
    return Table((Column("Row less column"), *(Column(name, "count") for name in names)), tuple(rows))


def flat_pairs_table(scores: list[Score], found: Sequence[Comparison], how: str) -> Table:
    """Everything that a program needs to know about each pair."""
    values = {score.system_name: score.value for score in scores}
    keys = [key for _, _, key in PAIR_COLUMNS]
    columns = [
        Column(key, "percent" if key not in {"system", "other"} else "text", key) for key in (*keys, "tested", "score", "other_score")
    ]
    columns += [Column(key, "text", key) for key in ("metric", "how", "signature")]
    rows: list[tuple[Cell, ...]] = []
    for item in found:
        own: list[Cell] = [item.to_record()[key] for key in (*keys, "tested")]
        both = (values[item.first], values[item.second])
        rows.append((*own, *both, str(scores[0].metric), how, scores[0].signature))
    return Table(tuple(columns), tuple(rows))
