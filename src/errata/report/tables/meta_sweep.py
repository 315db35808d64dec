"""The table of a setting that was tried against people."""

from __future__ import annotations

from typing import TYPE_CHECKING

from errata.report.table import Column, Table

if TYPE_CHECKING:
    from errata.studies.meta import MetaIntervals
    from errata.studies.meta.evaluation import Sweep


def sweep_table(sweep: Sweep, systems: int, signature: str, intervals: MetaIntervals | None) -> Table:
    """Make a table with a row for each value, and what cross-validation says below it."""
    columns = (
        Column(sweep.setting, key="value", is_data=True),
        Column("Pearson", "number", "pearson"),
        Column("Spearman", "number", "spearman"),
        Column("Kendall", "number", "kendall"),
        Column("Pairs in order", "percent", "ordered"),
        Column("Chosen", "count", "chosen"),
        Column("Best in", "percent", "best_in"),
    )
    rows = tuple(tuple(value) for value in sweep.values)
    held_out, given, best = (f"{100 * share:.2f}%" for share in (sweep.held_out, sweep.with_given, sweep.with_best))
    best_value = f"{sweep.setting}={sweep.best}"
    notes = [
        f"Best on all {systems} systems by {sweep.coefficient}: {best_value}.",
        f"Pairs of systems that are ordered as people order them, of {sweep.pairs:,}:",
        f"{held_out} if {sweep.setting} is chosen on the other systems, {given} with {sweep.given};",
        f"{best} with {best_value}, which was chosen on the systems that it is tested on.",
        "Chosen: pairs for which the other systems choose this value.",
    ]
    if intervals is not None:
        notes.append(
            f"Best in: percent of {intervals.replicates:,} replicates of sentences in which it correlates best, seed {intervals.seed}."
        )
    return Table(columns, rows, f"Values of {sweep.setting} against people", (*notes, signature))
