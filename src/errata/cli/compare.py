"""``errata compare``: which differences between systems are real."""

from __future__ import annotations

from typing import TYPE_CHECKING

from errata.cli.arguments import Once, Parser, add_output_format, print_json, print_tables
from errata.cli.bootstrap_arguments import add_bootstrap_arguments, bootstrap_from
from errata.cli.scores import add_system_arguments, scored
from errata.errors import RequestError, UsageError
from errata.stats.bootstrap import percent
from errata.stats.comparison import CORRECTIONS, fewest_replicates
from errata.stats.paired import TESTS
from errata.version import __version__

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from errata.report import Cell, Table
    from errata.scoring import Score
    from errata.stats import Bootstrap, Comparison, Interval

_EXAMPLES = """\
examples:
  errata compare examples/learner.m2 examples/systems/*.txt
  errata compare examples/learner.m2 examples/systems/*.txt -m imeasure --test bootstrap --correction bh
  errata compare examples/learner.m2 examples/systems/*.txt --format csv

Tests: randomisation (outputs swapped at random, default), bootstrap (sentences drawn again), t (of sentence scores),
sign (exact, of sentence scores).  p is corrected for the number of pairs: holm (default), bh or none.
A new rank begins where a system can be told apart from every system of the rank before.
Needed: about how many sentences like these would show the difference four times of five, before correction.
"""


_SMALLEST_SHOWN = 0.001


def register(commands: argparse._SubParsersAction[Parser]) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "compare",
        help="test which differences between systems are real",
        description="Compare systems in pairs on the same sentences.",
        epilog=_EXAMPLES,
    )
    add_system_arguments(parser)
    parser.add_argument("-m", "--metric", action=Once, default="maxmatch", metavar="METRIC", help="metric to compare by (default maxmatch)")
    parser.add_argument("--test", choices=TESTS, default="randomisation", help="(default randomisation)")
    parser.add_argument("--correction", choices=CORRECTIONS, default="holm", help="for the number of pairs (default holm)")
    parser.add_argument("--alpha", type=float, default=0.05, metavar="P", help="p at which systems are told apart (default 0.05)")
    add_bootstrap_arguments(parser)
    add_output_format(parser)
    parser.set_defaults(run=run, parser=parser)


def run(options: argparse.Namespace) -> int:
    """Score, test, print."""
    from errata.metrics import parse
    from errata.report.comparison_tables import pairs_table
    from errata.stats import clusters, compare, intervals

    if not (0 < options.alpha < 1 and 1 - options.alpha < 1):
        raise UsageError(f"--alpha lies between 0 and 1, found {options.alpha}")
    settings = bootstrap_from(options, 1 - options.alpha)
    _check_replicates(len(options.systems), options, settings)
    _, scores = scored(options, [parse(options.metric)])
    evidence = [score.evidence for score in scores]
    found = compare(evidence, options.test, options.correction, settings)
    sure = intervals(evidence, settings)
    ranks = clusters([(score.system, score.value) for score in scores], found, options.alpha)
    how = f"{options.test} test, {options.correction} correction, alpha {options.alpha:g}; {settings}"
    if options.output == "json":
        _print_json(scores, ranks, sure, found, how, settings)
    elif options.output == "csv":
        print_tables([_flat_pairs(scores, found, how)], options.output)
    else:
        print_tables(
            [_ranking(scores, ranks, sure, how), _matrix(scores, found), pairs_table(found, settings, options.test)], options.output
        )
    return 0


def _check_replicates(systems: int, options: argparse.Namespace, settings: Bootstrap) -> None:
    """Random draws that are too few for so many pairs could tell no two systems apart."""
    pairs = systems * (systems - 1) // 2
    needed = fewest_replicates(pairs, options.alpha)
    if options.test in {"randomisation", "bootstrap"} and options.correction == "holm" and settings.replicates < needed:
        raise RequestError(
            f"with {pairs:,} pairs and Holm's correction {settings.replicates:,} replicates can show no p up to {options.alpha:g}; "
            f"take at least {needed:,} (--replicates {needed})"
        )


def _print_json(
    scores: list[Score], ranks: list[int], sure: Sequence[Interval], found: Sequence[Comparison], how: str, settings: Bootstrap
) -> None:
    from dataclasses import asdict

    systems = [
        {"system": score.system, "rank": rank, "value": score.value, "low": interval.low, "high": interval.high}
        for score, rank, interval in zip(scores, ranks, sure, strict=True)
    ]
    print_json(
        {
            "errata": __version__,
            "metric": str(scores[0].metric),
            "how": how,
            "bootstrap": asdict(settings),
            "systems": systems,
            "pairs": [asdict(item) for item in found],
            "signature": scores[0].signature,
        }
    )


def _ranking(scores: list[Score], ranks: list[int], sure: Sequence[Interval], how: str) -> Table:
    from errata.report import Column, Table
    from errata.report.score_tables import shown_interval

    columns = (
        Column("Rank", "count"),
        Column("System"),
        Column(scores[0].metric.label, "percent"),
        Column(f"{percent(sure[0].bootstrap.level)} interval", "count"),
    )
    order = sorted(range(len(scores)), key=lambda place: (-scores[place].value, scores[place].system))
    rows: tuple[tuple[Cell, ...], ...] = tuple((ranks[k], scores[k].system, scores[k].value, shown_interval(sure[k])) for k in order)
    shared = "A new rank begins where a system can be told apart from every system of the rank before; p in the matrix is corrected."
    return Table(columns, rows, notes=(scores[0].signature, how, shared))


def _matrix(scores: list[Score], found: Sequence[Comparison]) -> Table:
    """The row's score less the column's, and the corrected p."""
    from errata.report import Column, Table

    pairs = {(item.system, item.other): item for item in found}
    ordered = sorted(scores, key=lambda score: (-score.value, score.system))
    names = [score.system for score in ordered]
    rows: list[tuple[Cell, ...]] = []
    for name in names:
        cells: list[Cell] = [name]
        for other in names:
            item = pairs.get((name, other)) or pairs.get((other, name))
            if item is None:
                cells.append("")
                continue
            difference = item.difference if item.system == name else -item.difference
            p = f"{item.corrected_p:.3f}" if item.corrected_p >= _SMALLEST_SHOWN else f"<{_SMALLEST_SHOWN}"
            shown = f"{100 * difference:+.2f}"
            cells.append(f"{'0.00' if shown == '-0.00' else shown} (p {p})")
        rows.append(tuple(cells))
    return Table((Column("Row less column"), *(Column(name, "count") for name in names)), tuple(rows))


def _flat_pairs(scores: list[Score], found: Sequence[Comparison], how: str) -> Table:
    """Everything that a program needs to know about each pair."""
    from errata.report import Column, Table
    from errata.report.comparison_tables import PAIR_COLUMNS

    values = {score.system: score.value for score in scores}
    keys = [key for _, _, key in PAIR_COLUMNS]
    columns = [
        Column(key, "percent" if key not in {"system", "other"} else "text", key) for key in (*keys, "tested", "score", "other_score")
    ]
    columns += [Column(key, "text", key) for key in ("metric", "how", "signature")]
    rows: list[tuple[Cell, ...]] = []
    for item in found:
        own: list[Cell] = [getattr(item, key) for key in (*keys, "tested")]
        both = (values[item.system], values[item.other])
        rows.append((*own, *both, str(scores[0].metric), how, scores[0].signature))
    return Table(tuple(columns), tuple(rows))
