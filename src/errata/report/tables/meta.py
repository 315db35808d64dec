"""Tables of metrics against people: systems, sentences, windows and judges."""

from __future__ import annotations

from typing import TYPE_CHECKING

from errata.errors import pluralise
from errata.report.table import Cell, Column, Table
from errata.studies.meta.methods import TIE_RULES
from errata.studies.meta.systems import OUTLIERS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from errata.studies.meta import JudgedSentences, MetaEvaluation

_TITLES = {"pearson": "Pearson", "spearman": "Spearman", "kendall": "Kendall"}


def meta_tables(evaluation: MetaEvaluation, notes: Sequence[str] = ()) -> list[Table]:
    """Make all tables of an evaluation that have rows; ``notes`` stand below the first."""
    makers = (_correlations, _comparisons, _agreements, _agreement_comparisons, _windows, _judges)
    first, *others = (make(evaluation) for make in makers)
    first = Table(first.columns, first.rows, first.title, (*first.notes, *notes))
    return [table for table in (first, *others) if table.rows]


def _correlations(evaluation: MetaEvaluation) -> Table:
    several = len(evaluation.sets) > 1
    columns = (
        Column("Metric", key="metric"),
        *([Column("Systems", key="set")] if several else []),
        Column("n", "count", "systems"),
        Column("Correlation", key="coefficient"),
        Column("Value", "number", "value"),
        Column("Low", "number", "low"),
        Column("High", "number", "high"),
        Column("Low, systems", "number", "systems_low"),
        Column("High, systems", "number", "systems_high"),
    )
    rows: list[tuple[Cell, ...]] = [
        (row.metric, *([row.systems] if several else []), row.size, _TITLES[row.coefficient], *row[4:]) for row in evaluation.correlations
    ]
    level = evaluation.settings.intervals.level if evaluation.settings.intervals is not None else evaluation.settings.level
    intervals = evaluation.settings.intervals
    resampled = intervals is not None and any(row.low is not None for row in evaluation.correlations)
    meaning = "what other sentences would give for these systems" if resampled else "–, because nothing was resampled"
    notes = [f"Low and High: {meaning}; with 'systems': what other systems would give ({100 * level:g}% intervals)."]
    if intervals is not None and resampled:
        notes.append(f"Intervals over sentences: {intervals.method}, {intervals.replicates:,} replicates, seed {intervals.seed}.")
    for own in evaluation.sets[1:]:
        if OUTLIERS in own.name:
            left_out = [name for name in evaluation.systems if name not in own.systems]
            notes.append(f"{own.name}: {', '.join(left_out) or 'there are none'}.")
    return Table(columns, tuple(rows), "Metrics against people: systems", tuple(notes))


def _comparisons(evaluation: MetaEvaluation) -> Table:
    several = len(evaluation.sets) > 1
    settings = evaluation.settings
    columns = (
        Column("Metric", key="metric"),
        Column("Other metric", key="other"),
        *([Column("Systems", key="set")] if several else []),
        Column("Difference", "number", "difference"),
        Column("Low", "number", "low"),
        Column("High", "number", "high"),
        Column("p, Williams", "p", "williams_p"),
        Column("p, permutation", "p", "permutation_p"),
        Column("Systems needed", "count", "needed"),
    )
    rows: list[tuple[Cell, ...]] = []
    undecided, by_williams = 0, settings.coefficient == "pearson"
    for row in evaluation.comparisons:
        p = row.williams if by_williams else row.permutation
        undecided += p is None or p >= settings.alpha
        values = (row.difference, row.low, row.high, row.williams, row.permutation, row.needed)
        rows.append((row.metric, row.other, *([row.systems] if several else []), *values))
    test = "Williams' test" if by_williams else "the permutation test"
    decided = f"{len(rows) - undecided} of {len(rows)} differences are significant by {test}"
    counted = " or ".join(sorted({str(row.size) for row in evaluation.comparisons}, key=int))
    undecided_note = f"{decided} (p < {settings.alpha:g}, {settings.correction}); {counted} systems cannot decide the others."
    notes = (
        f"Differences of {_TITLES[settings.coefficient]}'s correlation with people.",
        undecided_note if undecided else f"{decided}.",
        "Systems needed: with how many systems Williams' test would be significant before correction, if correlations stayed the same.",
    )
    return Table(columns, tuple(rows), "Does one metric correlate better?", notes)


def _agreements(evaluation: MetaEvaluation) -> Table:
    several = len(evaluation.sets) > 1
    columns = (
        Column("Metric", key="metric"),
        *([Column("Systems", key="set")] if several else []),
        Column("Agree", "count", "agree"),
        Column("Disagree", "count", "disagree"),
        Column("Tied", "count", "ties"),
        Column("Accuracy", "number", "accuracy"),
        Column("Low", "number", "accuracy_low"),
        Column("High", "number", "accuracy_high"),
        Column("Tau", "number", "tau"),
        Column("Low", "number", "tau_low"),
        Column("High", "number", "tau_high"),
    )
    rows: list[tuple[Cell, ...]] = []
    for row in evaluation.agreements:
        ties = row.first_better + row.first_worse
        rows.append((row.metric, *([row.systems] if several else []), row.agree, row.disagree, ties, *row[7:]))
    settings = evaluation.settings
    people = sum(row.human_ties for row in evaluation.agreements if row.metric == evaluation.agreements[0].metric and row.systems == "all")
    notes = (
        f"Pairs: {settings.pairs}, without {people:,} that people tied.",
        f"Ties of the metric: {settings.ties} ({TIE_RULES[settings.ties]}).",
    )
    return Table(columns, tuple(rows), "Metrics against people: sentences", notes)


def _agreement_comparisons(evaluation: MetaEvaluation) -> Table:
    several = len(evaluation.sets) > 1
    columns = (
        Column("Metric", key="metric"),
        Column("Other metric", key="other"),
        *([Column("Systems", key="set")] if several else []),
        Column("Difference", "number", "difference"),
        Column("Low", "number", "low"),
        Column("High", "number", "high"),
        Column("p", "p", "p"),
    )
    rows: list[tuple[Cell, ...]] = [
        (row.metric, row.other, *([row.systems] if several else []), row.difference, row.low, row.high, row.p)
        for row in evaluation.agreement_comparisons
    ]
    notes = (f"Differences of accuracy; p: outcomes of whole sentences swapped at random, {evaluation.settings.correction}.",)
    return Table(columns, tuple(rows), "Does one metric agree more often?", notes)


def _windows(evaluation: MetaEvaluation) -> Table:
    columns = (
        Column("Metric", key="metric"),
        Column("Window", "count", "size"),
        Column("Ranks", key="ranks"),
        Column("Pearson", "number", "pearson"),
        Column("Spearman", "number", "spearman"),
        Column("Kendall", "number", "kendall"),
    )
    rows = tuple(
        (row.metric, row.size, f"{row.first_rank}-{row.last_rank}", row.pearson, row.spearman, row.kendall) for row in evaluation.windows
    )
    return Table(columns, rows, "Windows", ("Systems in the order of people, the best first; every window is a run of neighbours.",))


def _judges(evaluation: MetaEvaluation) -> Table:
    columns = (
        Column("Metric", key="metric"),
        Column("Judge", key="judge"),
        Column("Items", "count", "items"),
        Column("Systems", "count", "systems"),
        Column("Pearson", "number", "pearson"),
        Column("Spearman", "number", "spearman"),
        Column("Pairs", "count", "pairs"),
        Column("Accuracy", "number", "accuracy"),
        Column("Tau", "number", "tau"),
    )
    note = f"Expected wins by each judge alone, averaged over opponents: {evaluation.settings.opponents}."
    return Table(columns, tuple(tuple(row) for row in evaluation.judges), "Metrics against single judges", (note,))


def describe_people(evaluation: MetaEvaluation, judged: JudgedSentences | None) -> str:
    """Name the human scores in a sentence."""
    name, systems = evaluation.human.name, pluralise(len(evaluation.human.values), "system")
    if judged is None:
        return f"People: the scores {name!r} of {systems}."
    return (
        f"People: {name} of {systems} by {pluralise(len(judged.judges), 'judge')} on {pluralise(len(judged.judged_numbers), 'sentence')}."
    )
