"""Tables of judgments, and of metrics against people."""

from __future__ import annotations

import statistics
from typing import TYPE_CHECKING

from errata.errors import pluralise
from errata.report.table import Cell, Column, Table
from errata.settings import TIE_RULES
from errata.studies.judgments.items import OTHERS, average_correlations
from errata.studies.meta.systems import OUTLIERS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from errata.studies.judgments.items import HumanAgreement, JudgeCorrelation, RankingItem, WinCounts
    from errata.studies.judgments.ranking import Ranking
    from errata.studies.meta.evaluation import MetaEvaluation, Sweep
    from errata.studies.meta.scores import JudgedSentences
    from errata.studies.meta.systems import MetaIntervals


_JUDGMENTS_TITLES = {"expected-wins": "Expected wins", "trueskill": "TrueSkill", "bradley-terry": "Bradley-Terry"}
_MOST_CYCLES = 10


def judgment_tables(
    items: Sequence[RankingItem],
    agreement: HumanAgreement,
    notes: Sequence[str],
    correlations: Sequence[JudgeCorrelation] | None = None,
    ranking: Ranking | None = None,
    wins: WinCounts | None = None,
) -> list[Table]:
    """Make tables of judges, and of what else is known: pairs of judges, systems ranked by people, systems against each other."""
    tables = [_judges_table(items, agreement, notes)]
    tables += [_judge_pairs_table(agreement, correlations)] if correlations is not None else []
    tables += [_human_ranking_table(ranking)] if ranking is not None else []
    order = [row.system for row in ranking] if ranking is not None else wins.systems if wins is not None else []
    return [*tables, *([_head_to_head_table(wins, order)] if wins is not None else [])]


def _judges_table(items: Sequence[RankingItem], agreement: HumanAgreement, notes: Sequence[str]) -> Table:
    """Make a table with a row for each judge, and one for all."""
    from errata.studies.judgments import count_judged_pairs

    columns = (
        Column("Judge", key="judge"),
        Column("Items", "count", "items"),
        Column("Pairs", "count", "collapsed"),
        Column("Ties", "count", "collapsed_ties"),
        Column("Pairs of systems", "count", "expanded"),
        Column("Ties", "count", "expanded_ties"),
        Column("Kappa", "number", "kappa_between"),
        Column("Own kappa", "number", "kappa_within"),
        Column("Minutes", "count", "minutes"),
        Column("Seconds", "count", "median_seconds"),
    )
    own_kappa = {pair.judge: pair.kappa for pair in agreement.pairs if pair.is_within}
    rows: list[tuple[Cell, ...]] = []
    judges = sorted({item.judge for item in items})
    for judge in (*judges, None):
        own = [item for item in items if judge in {None, item.judge}]
        seconds = [item.seconds for item in own if item.seconds is not None]
        kappas = (agreement.between, agreement.within) if judge is None else (agreement.with_others(judge), own_kappa[judge])
        pairs = (*count_judged_pairs(own, "collapsed"), *count_judged_pairs(own, "expanded"))
        rows.append((judge or "all", len(own), *pairs, *kappas, *_describe_time(seconds)))
    return Table(columns, tuple(rows), notes=tuple(notes))


def _describe_time(seconds: Sequence[float]) -> tuple[int | None, int | None]:
    """Return the minutes of all items, and the median of their seconds."""
    return (round(sum(seconds) / 60), round(statistics.median(seconds))) if seconds else (None, None)


def _judge_pairs_table(agreement: HumanAgreement, correlations: Sequence[JudgeCorrelation]) -> Table:
    """Make a table of pairs of judges, of judges with themselves, and of judges with all others."""
    columns = (
        Column("Judge", key="judge"),
        Column("Other judge", key="other"),
        Column("Comparisons", "count", "comparisons"),
        Column("Agreeing", "count", "agreeing"),
        Column("Kappa", "number", "kappa"),
        Column("Spearman", "number", "spearman"),
        Column("Pearson", "number", "pearson"),
    )
    coefficients = {(row.judge, row.other): (row.spearman, row.pearson) for row in correlations}
    rows: list[tuple[Cell, ...]] = [
        (*pair, *coefficients.get(pair[:2], (None, None))) for pair in agreement.pairs if pair.comparisons or pair[:2] in coefficients
    ]
    rows += [(row.judge, row.other, None, None, None, row.spearman, row.pearson) for row in correlations if row.other == OTHERS]
    means = average_correlations(correlations)
    notes = ["Spearman and Pearson: correlations of the scores of systems by each judge alone."]
    if means[0] is not None and means[1] is not None:
        notes.append(f"Judges with all others, weighted by pairs: Spearman {means[0]:.4f}, Pearson {means[1]:.4f}.")
    return Table(columns, tuple(rows), "Pairs of judges", tuple(notes))


def _human_ranking_table(ranking: Ranking) -> Table:
    """Make a table of systems, the best first."""
    columns = (
        Column("Rank", "count", "rank"),
        Column("System", key="system"),
        Column(_JUDGMENTS_TITLES[ranking.method], "number", "score"),
        Column("Low", "number", "low"),
        Column("High", "number", "high"),
        Column("Best rank", "count", "best_rank"),
        Column("Worst rank", "count", "worst_rank"),
        Column("Cluster", "count", "cluster"),
    )
    rows = tuple((row.rank, row.system, row.score, row.low, row.high, row.best_rank, row.worst_rank, row.cluster) for row in ranking)
    left_out = f"{ranking.undefined:,} replicates without finite strengths were left out." if ranking.undefined else ""
    return Table(columns, rows, "Systems ranked by people", tuple(note for note in (f"{ranking.how}.".capitalize(), left_out) if note))


def _head_to_head_table(wins: WinCounts, order: Sequence[str]) -> Table:
    """Make a table of the share of wins of each system (row) against each other (column), without ties."""
    indices = [wins.systems.index(name) for name in order]
    columns = (Column("System", key="system"), *(Column(name, "percent", is_data=True) for name in order))
    rows = tuple(
        (name, *(None if one == other else wins.share(one, other) for other in indices)) for name, one in zip(order, indices, strict=True)
    )
    notes = ("Percent of the pairs without a tie that the system in the row won.", _describe_cycles(wins.list_cycles()))
    return Table(columns, rows, "Head to head", notes)


def _describe_cycles(cycles: Sequence[tuple[str, str, str]]) -> str:
    if not cycles:
        return "No three systems beat each other in a circle."
    shown = "; ".join(f"{' beats '.join(cycle)} beats {cycle[0]}" for cycle in cycles[:_MOST_CYCLES])
    more = f"; and {len(cycles) - _MOST_CYCLES:,} more" if len(cycles) > _MOST_CYCLES else ""
    return f"Circles: {shown}{more}."


_META_TITLES = {"pearson": "Pearson", "spearman": "Spearman", "kendall": "Kendall"}


def meta_tables(evaluation: MetaEvaluation, judged: JudgedSentences | None, notes: Sequence[str] = ()) -> list[Table]:
    """Make all tables of an evaluation that have rows; what the scores by people are, and ``notes``, stand below the first."""
    makers = (_correlations, _comparisons, _agreements, _agreement_comparisons, _windows, _judges)
    first, *others = (make(evaluation) for make in makers)
    first = Table(first.columns, first.rows, first.title, (*first.notes, _describe_people(evaluation, judged), *notes))
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
        (row.metric, *([row.systems] if several else []), row.size, _META_TITLES[row.coefficient], *row[4:])
        for row in evaluation.correlations
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
        f"Differences of {_META_TITLES[settings.coefficient]}'s correlation with people.",
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


def _describe_people(evaluation: MetaEvaluation, judged: JudgedSentences | None) -> str:
    name, systems = evaluation.human.name, pluralise(len(evaluation.human.values), "system")
    if judged is None:
        return f"People: the scores {name!r} of {systems}."
    return (
        f"People: {name} of {systems} by {pluralise(len(judged.judges), 'judge')} on {pluralise(len(judged.judged_numbers), 'sentence')}."
    )


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
