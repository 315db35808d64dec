"""``errata score --by-type``: scores for each error type."""

from __future__ import annotations

from typing import TYPE_CHECKING

from errata.cli.inputs import gold_record
from errata.cli.printing import print_json, print_tables
from errata.cli.scores import score_systems
from errata.cli.statistics_arguments import intervals_wanted
from errata.cli.tagger_arguments import tagger_from, type_order_from
from errata.report.tables.types import TypedScore, type_table
from errata.version import __version__

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from errata.errant.type_names import Detail
    from errata.language.tagging import Tagger
    from errata.metrics import Metric
    from errata.scoring import Score

_MEASURES = ("precision", "recall", "f")


def print_by_type(options: argparse.Namespace, metrics: list[Metric]) -> int:
    """Score every system with every metric and print a table of types."""
    order = type_order_from(options)
    chosen = tagger_from(options)
    bootstrap = intervals_wanted(options)
    corpus, scores = score_systems(options, metrics)
    typed = [with_types(score, chosen, order, options.type_detail or "full") for score in scores]
    if bootstrap is not None:
        from errata.report.progress import ProgressBar
        from errata.scoring.type_intervals import compute_type_intervals

        with ProgressBar("resampling", bootstrap.replicates * len(typed)) as bar:
            intervals = [compute_type_intervals(item.counts, corpus, item.beta, bootstrap, bar.advance) for item in typed]
        typed = [item._replace(intervals=own, bootstrap=bootstrap) for item, own in zip(typed, intervals, strict=True)]
    if options.format == "json":
        print_json({"errata": __version__, **gold_record(corpus), "scores": [_record(item) for item in typed]})
    else:
        print_tables([type_table(typed, options.digits, flat=options.format == "csv")], options.format)
    return 0


def _record(item: TypedScore) -> dict[str, object]:
    from dataclasses import asdict

    types = []
    for index, counts in enumerate(item.counts):
        own = {name: getattr(counts, name) for name in ("type", "matched", "proposed", "gold")}
        own |= dict(zip(_MEASURES, counts.measures(item.beta), strict=True))
        if item.intervals:
            intervals = item.intervals[index]._asdict()
            own["intervals"] = {name: [interval.low, interval.high] if interval else None for name, interval in intervals.items()}
        types.append(own)
    record: dict[str, object] = {
        "system": item.score.system_name,
        "metric": str(item.score.metric),
        "types": types,
        "signature": item.signature,
    }
    if item.bootstrap is not None:
        record["bootstrap"] = asdict(item.bootstrap)
    return record


def with_types(score: Score, tagger: Tagger | None, order: Sequence[str], detail: Detail) -> TypedScore:
    """A score with its counts by type."""
    from errata.scoring.by_type import count_types, takes_tagger

    counts = count_types(score, tagger, order, detail)
    return TypedScore(score, counts, tagger.name if tagger is not None and takes_tagger(score) else "none", detail)
