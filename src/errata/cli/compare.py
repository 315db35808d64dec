"""``errata compare``: which differences between systems are real."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from errata.cli.inputs import add_system_arguments, gold_record
from errata.cli.printing import TABLE, columns_of, print_json, print_tables
from errata.cli.scores import count_systems, one_metric_from, score_systems
from errata.cli.statistics_arguments import add_bootstrap_arguments, alpha_from, bootstrap_from
from errata.cli.vocabulary import add_format, add_one_metric, add_option, add_options
from errata.version import __version__

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from errata.cli.parser import Parser
    from errata.scoring import Score
    from errata.stats import Bootstrap, Comparison, Interval

_EXAMPLES = """\
examples:
  errata compare examples/learner.m2 examples/systems/*.txt
  errata compare examples/learner.m2 examples/systems/*.txt \\
      -m imeasure --test bootstrap --correction bh
  errata compare examples/learner.m2 examples/systems/*.txt -o pairs.csv
  errata compare examples/learner.m2 examples/systems/*.txt \\
      -m imeasure --against-source

Tests: randomisation (outputs of the two systems are swapped at random),
bootstrap (sentences are resampled), t (paired t test of sentence scores),
sign (exact sign test of sentence scores).
p is corrected for the number of pairs: holm, bh (Benjamini and Hochberg) or
none.
A system begins a new rank if it is significantly different from every system
of the previous rank.
Needed: estimated number of sentences for 80% power, before p-value
correction.
"""


def register(commands: argparse._SubParsersAction[Parser]) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "compare",
        help="test which differences between systems are significant",
        description="Compare systems in pairs on the same sentences.",
        epilog=_EXAMPLES,
    )
    add_system_arguments(parser, or_evidence=True)
    add_one_metric(parser, None, ", such as 'maxmatch(beta=1)' (default maxmatch)")
    add_options(parser, "--graphs", "--parser", "--analyser", "--parses", "--jobs")
    add_option(parser, "--against-source")
    add_option(parser, "--test", " (default randomisation)", default="randomisation")
    add_option(parser, "--correction", default="holm")
    add_option(parser, "--alpha")
    add_bootstrap_arguments(parser)
    add_option(parser, "--columns", "; tables without one of them are not printed")
    add_format(parser, TABLE)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Score, test, print."""
    from errata.report.progress import ProgressBar
    from errata.report.tables.comparisons import flat_pairs_table, matrix_table, pairs_table, ranking_table
    from errata.stats import compare, compute_intervals, rank_systems, resample
    from errata.stats.comparison import check_replicates, check_replicates_of

    settings = bootstrap_from(options, 1 - alpha_from(options))
    if options.against_source:
        from errata.cli.compare_source import print_against_source

        check_replicates_of(count_systems(options), "system", options.test, options.correction, settings, options.alpha)
        return print_against_source(options, settings)
    check_replicates(count_systems(options), options.test, options.correction, settings, options.alpha)
    corpus, scores = score_systems(options, [one_metric_from(options)])
    evidence = [score.evidence for score in scores]
    pairs = len(evidence) * (len(evidence) - 1) // 2
    with ProgressBar("resampling", settings.replicates * len(evidence)) as bar:
        resampled = resample(evidence, settings, bar.advance) if settings.method != "exact" else None
    with ProgressBar("testing pairs", settings.replicates * pairs) as bar:
        comparisons = compare(evidence, options.test, options.correction, settings, resampled, bar.advance)
    intervals = compute_intervals(evidence, settings, resampled)
    ranks = rank_systems([(score.system_name, score.value) for score in scores], comparisons, options.alpha)
    how = f"{options.test} test, {options.correction} correction, alpha {options.alpha:g}; {settings}"
    if options.format == "json":
        print_json({"errata": __version__, **gold_record(corpus), **_record(scores, ranks, intervals, comparisons, how, settings)})
    elif options.format == "csv":
        print_tables(columns_of(options, [flat_pairs_table(scores, comparisons, how)]), options.format)
    else:
        tables = [
            ranking_table(scores, ranks, intervals, how),
            matrix_table(scores, comparisons),
            pairs_table(comparisons, settings, options.test),
        ]
        print_tables(columns_of(options, tables), options.format)
    return 0


def _record(
    scores: list[Score], ranks: list[int], intervals: Sequence[Interval], comparisons: Sequence[Comparison], how: str, settings: Bootstrap
) -> dict[str, Any]:
    from dataclasses import asdict

    from errata.scoring import join_signatures

    systems = [
        {"system": score.system_name, "rank": rank, "value": score.value, "low": interval.low, "high": interval.high}
        for score, rank, interval in zip(scores, ranks, intervals, strict=True)
    ]
    return {
        "metric": str(scores[0].metric),
        "how": how,
        "bootstrap": asdict(settings),
        "systems": systems,
        "pairs": [item.to_record() for item in comparisons],
        "signature": join_signatures(scores),
    }
