"""``errata compare``: which differences between systems are real."""

from __future__ import annotations

from typing import TYPE_CHECKING

from errata.cli.arguments import Once, Parser, add_output_format, print_json, print_tables
from errata.cli.bootstrap_arguments import add_bootstrap_arguments, bootstrap_from
from errata.cli.graph_arguments import add_graph_arguments
from errata.cli.scores import add_system_arguments, scored
from errata.errors import RequestError, UsageError
from errata.stats.comparison import CORRECTIONS, fewest_replicates
from errata.stats.paired import TESTS
from errata.version import __version__
from errata.words import pluralise

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

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
    add_graph_arguments(parser)
    parser.set_defaults(run=run, parser=parser)


def run(options: argparse.Namespace) -> int:
    """Score, test, print."""
    from errata.metrics import parse
    from errata.report.progress import ProgressBar
    from errata.report.tables.comparisons import flat_pairs_table, matrix_table, pairs_table, ranking_table
    from errata.stats import clusters, compare, intervals, resample

    if not (0 < options.alpha < 1 and 1 - options.alpha < 1):
        raise UsageError(f"--alpha lies between 0 and 1, found {options.alpha}")
    settings = bootstrap_from(options, 1 - options.alpha)
    _check_replicates(len(options.systems), options, settings)
    _, scores = scored(options, [parse(options.metric)])
    evidence = [score.evidence for score in scores]
    pairs = len(evidence) * (len(evidence) - 1) // 2
    with ProgressBar("resampling", settings.replicates * len(evidence)) as bar:
        resampled = resample(evidence, settings, bar.advance) if settings.method != "exact" else None
    with ProgressBar("testing pairs", settings.replicates * pairs) as bar:
        found = compare(evidence, options.test, options.correction, settings, resampled, bar.advance)
    sure = intervals(evidence, settings, resampled)
    ranks = clusters([(score.system, score.value) for score in scores], found, options.alpha)
    how = f"{options.test} test, {options.correction} correction, alpha {options.alpha:g}; {settings}"
    if options.output == "json":
        _print_json(scores, ranks, sure, found, how, settings)
    elif options.output == "csv":
        print_tables([flat_pairs_table(scores, found, how)], options.output)
    else:
        print_tables(
            [ranking_table(scores, ranks, sure, how), matrix_table(scores, found), pairs_table(found, settings, options.test)],
            options.output,
        )
    return 0


def _check_replicates(systems: int, options: argparse.Namespace, settings: Bootstrap) -> None:
    """Random draws that are too few for so many pairs could tell no two systems apart."""
    pairs = systems * (systems - 1) // 2
    needed = fewest_replicates(pairs, options.alpha)
    if options.test in {"randomisation", "bootstrap"} and options.correction == "holm" and settings.replicates < needed:
        raise RequestError(
            f"with {pluralise(pairs, 'pair')} and Holm's correction {settings.replicates:,} replicates can show no p up to "
            f"{options.alpha:g}; take at least {needed:,} (--replicates {needed})"
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
