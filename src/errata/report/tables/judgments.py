"""Tables of judgments: judges and their agreement, systems ranked by people, and systems against each other."""

from __future__ import annotations

import statistics
from typing import TYPE_CHECKING

from errata.report.table import Cell, Column, Table
from errata.studies.judgments.items import OTHERS, average_correlations

if TYPE_CHECKING:
    from collections.abc import Sequence

    from errata.studies.judgments import HumanAgreement, JudgeCorrelation, Ranking, RankingItem, WinCounts

_TITLES = {"expected-wins": "Expected wins", "trueskill": "TrueSkill", "bradley-terry": "Bradley-Terry"}
_MOST_CYCLES = 10


def judges_table(items: Sequence[RankingItem], agreement: HumanAgreement, notes: Sequence[str]) -> Table:
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


def judge_pairs_table(agreement: HumanAgreement, correlations: Sequence[JudgeCorrelation]) -> Table:
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


def human_ranking_table(ranking: Ranking) -> Table:
    """Make a table of systems, the best first."""
    columns = (
        Column("Rank", "count", "rank"),
        Column("System", key="system"),
        Column(_TITLES[ranking.method], "number", "score"),
        Column("Low", "number", "low"),
        Column("High", "number", "high"),
        Column("Best rank", "count", "best_rank"),
        Column("Worst rank", "count", "worst_rank"),
        Column("Cluster", "count", "cluster"),
    )
    rows = tuple((row.rank, row.system, row.score, row.low, row.high, row.best_rank, row.worst_rank, row.cluster) for row in ranking)
    left_out = f"{ranking.undefined:,} replicates without finite strengths were left out." if ranking.undefined else ""
    return Table(columns, rows, "Systems ranked by people", tuple(note for note in (f"{ranking.how}.".capitalize(), left_out) if note))


def head_to_head_table(wins: WinCounts, order: Sequence[str]) -> Table:
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
