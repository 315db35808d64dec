"""Tables of a gate: its metrics, and the edits that changed."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from errata.report.edit_texts import EMPTY_SIGN, write_change
from errata.report.table import Cell, Column, Table
from errata.report.tables.comparisons import shown_p
from errata.report.tables.edits import describe_edit, name_sentences, write_types
from errata.report.tables.scores import shown_interval
from errata.stats.bootstrap import format_level
from errata.stats.intervals import Interval

if TYPE_CHECKING:
    from collections.abc import Sequence

    from errata.scoring import ChangedEdit, EditChanges
    from errata.scoring.edits import EditChange
    from errata.stats import Gate
    from errata.stats.gating import GatedMetric

CHANGE_TITLES: dict[EditChange, str] = {
    "lost": "Right edits lost",
    "won": "Right edits won",
    "added": "Wrong edits added",
    "removed": "Wrong edits removed",
}
VERDICTS = {"holds": "holds", "is worse": "worse", "not shown": "not shown"}


def gate_table(gate: Gate, title: str = "", notes: Sequence[str] = ()) -> Table:
    """Make a table of the metrics of a gate; differences are in points."""
    corrected = "corrected p" if len(gate.metrics) > 1 else "p"
    columns = (
        Column("Metric"),
        Column("Baseline", "percent"),
        Column("New", "percent"),
        Column("Diff.", "percent"),
        Column(f"{format_level(gate.bootstrap.level)} interval", "count"),
        Column(corrected, "count"),
        Column("Verdict"),
    )
    return Table(columns, tuple(_row(item, gate) for item in gate.metrics), title, tuple(notes))


def _row(item: GatedMetric, gate: Gate) -> tuple[Cell, ...]:
    found = item.comparison
    interval = shown_interval(Interval(found.low, found.high, gate.bootstrap))
    p = shown_p(found.corrected_p, bound=found.corrected_p_is_bound)
    return (str(item.metric), item.baseline.value, item.new.value, found.difference, interval, p, VERDICTS[item.verdict])


def edit_changes_table(changes: EditChanges, notes: Sequence[str] = ()) -> Table:
    """Make a table of edits that changed, the most frequent first."""
    columns = (Column("Change"), Column("Edit"), Column("Type"), Column("Count", "count"), Column("Sentences"), Column("Context"))
    rows: list[tuple[Cell, ...]] = []
    for change, own in changes.changes.items():
        for item in own.edits:
            edit = item.edit
            what = write_change(edit.original, edit.corrections)
            rows.append((_NAMES[change], what, write_types(edit), edit.count, name_sentences(edit), write_context(item)))
    return Table(columns, tuple(rows), notes=(*describe_totals(changes), *notes))


_NAMES: dict[EditChange, str] = {"lost": "- right, lost", "won": "+ right, won", "added": "x wrong, added", "removed": "  wrong, removed"}


def write_context(item: ChangedEdit) -> str:
    """Write what an edit changes, with the words around it in its first sentence."""
    return " ".join(text for text in (item.before, f"[{item.edit.original or EMPTY_SIGN}]", item.after) if text)


def describe_totals(changes: EditChanges) -> list[str]:
    """Say how many edits changed, and how many of them are not listed."""
    totals = ", ".join(f"{CHANGE_TITLES[change].lower()} {own.total:,}" for change, own in changes.changes.items())
    left = ", ".join(f"{change} {own.left_out:,}" for change, own in changes.changes.items() if own.left_out)
    return [f"All edits that changed, by {changes.metric}: {totals}.", *([f"Different edits not shown: {left}."] if left else [])]


def gate_record(gate: Gate) -> dict[str, Any]:
    """Describe a gate for JSON; all numbers are fractions."""
    return {
        "holds": gate.holds,
        "reasons": gate.reasons,
        "margin": gate.margin,
        "how": gate.how,
        "bootstrap": asdict(gate.bootstrap),
        "metrics": [_describe_metric(item) for item in gate.metrics],
    }


def _describe_metric(item: GatedMetric) -> dict[str, Any]:
    found = item.comparison
    names = ("difference", "low", "high", "p", "corrected_p", "p_is_bound", "corrected_p_is_bound", "standard_error")
    return {
        "metric": str(item.metric),
        "verdict": item.verdict,
        "reason": item.reason,
        "baseline": item.baseline.value,
        "new": item.new.value,
        **{name: getattr(found, name) for name in names},
        "differing": item.differing,
        "power": item.power,
        "noticed_drop": item.noticed_drop,
        "chance_to_pass": item.chance_to_pass,
        "sentences_needed": item.sentences_needed,
    }


def edit_changes_record(changes: EditChanges) -> dict[str, Any]:
    """Describe edits that changed for JSON."""
    return {
        "metric": str(changes.metric),
        "differing_sentences": changes.sentences,
        "rejudged_sentences": list(changes.rejudged),
        **{
            change: {
                "total": own.total,
                "left_out": own.left_out,
                "edits": [{**describe_edit(item.edit), "before": item.before, "after": item.after} for item in own.edits],
            }
            for change, own in changes.changes.items()
        },
    }
