"""``errata compare --against-source``: which systems are significantly better or worse than the source."""

from __future__ import annotations

from typing import TYPE_CHECKING

from errata.cli.inputs import gold_record
from errata.cli.printing import columns_of, print_json, print_tables
from errata.cli.scores import one_metric_from, score_systems
from errata.version import __version__

if TYPE_CHECKING:
    import argparse

    from errata.stats import Bootstrap


def print_against_source(options: argparse.Namespace, settings: Bootstrap) -> int:
    """Score, test, print."""
    from dataclasses import asdict

    from errata.report.progress import ProgressBar
    from errata.report.tables.comparisons import flat_source_table, source_record, source_table
    from errata.stats import compare_with_source

    corpus, scores = score_systems(options, [one_metric_from(options)])
    with ProgressBar("testing systems", settings.replicates * len(scores)) as bar:
        comparisons = compare_with_source(scores, options.test, options.correction, settings, bar.advance)
    how = f"{options.test} test, {options.correction} correction, alpha {options.alpha:g}; {settings}"
    if options.format == "json":
        systems = [source_record(score, item) for score, item in zip(scores, comparisons, strict=True)]
        head = {"errata": __version__, **gold_record(corpus), "metric": str(scores[0].metric), "against": "source"}
        print_json(
            {
                **head,
                "measure": comparisons[0].measure,
                "how": how,
                "bootstrap": asdict(settings),
                "systems": systems,
                "signature": scores[0].signature,
            }
        )
    elif options.format == "csv":
        print_tables(columns_of(options, [flat_source_table(scores, comparisons, how)]), options.format)
    else:
        print_tables(columns_of(options, [source_table(scores, comparisons, settings, options.test, how)]), options.format)
    return 0
