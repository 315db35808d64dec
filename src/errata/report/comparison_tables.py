"""Pairs of systems as a table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from errata.report.table import Cell, Column, Kind, Table
from errata.stats.bootstrap import percent
from errata.stats.paired import FEWEST_NEEDED

if TYPE_CHECKING:
    from collections.abc import Sequence

    from errata.stats import Bootstrap, Comparison

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
    rows: tuple[tuple[Cell, ...], ...] = tuple(tuple(getattr(item, key) for _, _, key in PAIR_COLUMNS) for item in found)
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
