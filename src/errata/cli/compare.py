"""``errata compare``: which differences between systems are real."""

from __future__ import annotations

from typing import TYPE_CHECKING

from errata.cli.arguments import Once, Parser, add_output_format, print_json, print_tables
from errata.cli.bootstrap_arguments import add_bootstrap_arguments, bootstrap_from
from errata.cli.scores import add_system_arguments, scored
from errata.errors import UsageError
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
Sentences needed: about how many like these would show the difference four times of five.
"""


_SMALLEST_P = 0.001


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
    parser.add_argument(
        "--test", choices=("randomisation", "bootstrap", "t", "sign"), default="randomisation", help="(default randomisation)"
    )
    parser.add_argument("--correction", choices=("holm", "bh", "none"), default="holm", help="for the number of pairs (default holm)")
    parser.add_argument("--alpha", type=float, default=0.05, metavar="P", help="p at which systems are told apart (default 0.05)")
    add_bootstrap_arguments(parser)
    add_output_format(parser)
    parser.set_defaults(run=run, parser=parser)


def run(options: argparse.Namespace) -> int:
    """Score, test, print."""
    from errata.metrics import parse
    from errata.stats import clusters, compare, intervals

    if not 0 < options.alpha < 1:
        raise UsageError(f"--alpha lies between 0 and 1, found {options.alpha}")
    settings = bootstrap_from(options, 1 - options.alpha)
    _, scores = scored(options, [parse(options.metric)])
    evidence = [score.evidence for score in scores]
    found = compare(evidence, options.test, options.correction, settings)
    sure = intervals(evidence, settings)
    ranks = clusters([(score.system, score.value) for score in scores], found, options.alpha)
    again = ", choice made again" if settings.choice == "again" else ""
    draws = f"{settings.replicates:,} draws of {settings.by}s, seed {settings.seed}{again}"
    how = f"{options.test} test, {options.correction} correction, alpha {options.alpha:g}, {draws}"
    if options.output == "json":
        _print_json(scores, ranks, sure, found, how, settings)
    elif options.output == "csv":
        print_tables([_pairs(found)], options.output)
    else:
        print_tables([_ranking(scores, ranks, sure, how), _matrix(scores, found), _pairs(found)], options.output)
    return 0


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
        Column(f"{100 * sure[0].bootstrap.level:g}% interval", "count"),
    )
    order = sorted(range(len(scores)), key=lambda place: (-scores[place].value, scores[place].system))
    rows: tuple[tuple[Cell, ...], ...] = tuple((ranks[k], scores[k].system, scores[k].value, shown_interval(sure[k])) for k in order)
    shared = "A new rank begins where a system can be told apart from every system of the rank before."
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
            p = f"{item.corrected_p:.3f}" if item.corrected_p >= _SMALLEST_P else f"<{_SMALLEST_P}"
            cells.append(f"{100 * difference:+.2f} (p {p})")
        rows.append(tuple(cells))
    return Table((Column("Row less column"), *(Column(name, "count") for name in names)), tuple(rows))


def _pairs(found: Sequence[Comparison]) -> Table:
    from errata.report import Column, Table

    columns = (
        Column("System", key="system"),
        Column("Other", key="other"),
        Column("Difference", "percent", "difference"),
        Column("Low", "percent", "low"),
        Column("High", "percent", "high"),
        Column("p", "p", "p"),
        Column("corrected p", "p", "corrected_p"),
        Column("Effect d", "number", "effect"),
        Column("Sentences needed", "count", "sentences_needed"),
    )
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (item.system, item.other, item.difference, item.low, item.high, item.p, item.corrected_p, item.effect, item.sentences_needed)
        for item in found
    )
    return Table(columns, rows)
