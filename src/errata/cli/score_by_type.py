"""``errata score --by-type``: scores for each error type."""

from __future__ import annotations

from typing import TYPE_CHECKING

from errata.cli.inputs import gold_record
from errata.cli.printing import columns_of, print_json, print_tables
from errata.cli.scores import score_systems
from errata.cli.statistics_arguments import intervals_wanted
from errata.cli.tagger_arguments import suit_tagger, tagger_from, type_order_from
from errata.cli.type_arguments import type_system_from, types_gold
from errata.errors import UsageError
from errata.names import AUTO
from errata.report.tables.scores import TypedScore, type_scores, type_table
from errata.version import __version__

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from errata.corpus.corpus import Corpus
    from errata.language.types import TypeSystem
    from errata.metrics import JudgedEdit, Metric
    from errata.names import Detail
    from errata.scoring import Score

_MEASURES = ("precision", "recall", "f")


def print_by_type(options: argparse.Namespace, metrics: list[Metric]) -> int:
    """Score every system with every metric and print a table of types."""
    order = type_order_from(options)
    bootstrap = intervals_wanted(options)
    detail: Detail = options.type_detail or "full"
    if not types_gold(options):
        tagger = tagger_from(options)
        corpus, scores = score_systems(options, metrics)
        typed = type_scores(scores, suit_tagger(tagger, options, corpus), order, detail)
    else:
        if all(metric.types_wrong_edits for metric in metrics):
            raise UsageError(f"--types cannot be combined with -m {metrics[0]}: it types edits itself, and --by-type is enough")
        rules = GivenTypes(type_system_from(options))
        corpus, scores = score_systems(options, metrics, rules.type_gold)
        typed = [rules.type_score(score, corpus, detail) for score in scores]
    if bootstrap is not None:
        from errata.report.progress import ProgressBar
        from errata.scoring.by_type import compute_type_intervals

        with ProgressBar("resampling", bootstrap.replicates * len(typed)) as bar:
            intervals = [compute_type_intervals(item.counts, corpus, item.beta, bootstrap, bar.advance) for item in typed]
        typed = [item._replace(intervals=own, bootstrap=bootstrap) for item, own in zip(typed, intervals, strict=True)]
    if options.format == "json":
        print_json({"errata": __version__, **gold_record(corpus), "scores": [_record(item) for item in typed]})
        return 0
    flat = options.format == "csv"
    tables = [type_table(typed, options.digits, flat=flat)]
    if options.pivot is not None:
        from errata.report.tables.scores import pivot_tables

        tables = pivot_tables(typed, None if options.pivot == AUTO else options.pivot, options.digits, flat=flat)
    print_tables(columns_of(options, tables), options.format, bold=options.bold)
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


class GivenTypes:
    """Types of a system for all edits: those of gold on their own spans, and those of systems."""

    def __init__(self, system: TypeSystem) -> None:
        self._system = system
        self._gold: Corpus | None = None

    def type_gold(self, corpus: Corpus, metric: Metric) -> Corpus:
        """The gold with types of the system, made once; a metric that types edits itself gets the gold as it is."""
        from errata.language.errant import type_gold
        from errata.report.progress import ProgressBar

        if metric.types_wrong_edits:
            return corpus
        if self._gold is None:
            with ProgressBar("typing edits", len(corpus)) as bar:
                self._gold = type_gold(corpus, self._system, bar.advance)
        return self._gold

    def find_wrong_types(self, score: Score, edits: Sequence[Sequence[JudgedEdit]]) -> list[str] | None:
        """The type of every wrong edit."""
        from errata.scoring.by_type import find_wrong_types

        return find_wrong_types(score, edits, system=self._system)

    def type_score(
        self,
        score: Score,
        given: Corpus,
        detail: Detail,
        edits: Sequence[Sequence[JudgedEdit]] | None = None,
        wrong_types: Sequence[str] | None = None,
    ) -> TypedScore:
        """A score with its counts by type; ``edits`` and ``wrong_types`` are its own, if they are known."""
        from errata.scoring.by_type import count_types

        counts = count_types(score, detail=detail, system=self._system, edits=edits, wrong_types=wrong_types)
        return TypedScore(score, counts, "none", detail, given=given, typed_by_system=self._system.name, meanings=self._system.meanings)
