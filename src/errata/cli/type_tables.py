"""Scores by error type, as tables."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from errata.cli.arguments import print_json, print_tables
from errata.cli.scores import scored
from errata.errors import RequestError, UsageError
from errata.version import __version__

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from errata.metrics import Metric
    from errata.report import Cell, Table
    from errata.scoring import Score
    from errata.tagging import Tagger
    from errata.type_scores import TypeCounts

_MEASURES = ("precision", "recall", "f")


class TypedScore(NamedTuple):
    """A score with its counts by type."""

    score: Score
    counts: list[TypeCounts]
    tagger: str

    @property
    def beta(self) -> float:
        """Of the F that is shown."""
        return float(getattr(self.score.metric, "beta", 1.0))

    @property
    def signature(self) -> str:
        """With the tagger, which decides about the types of wrong edits."""
        return f"{self.score.signature} | tagger {self.tagger}"


def print_by_type(options: argparse.Namespace, metrics: list[Metric]) -> int:
    """Score every system with every metric and print a table of types."""
    from errata.edit_types import ORDER, check_order
    from errata.tagging import tagger

    if options.per_sentence:
        raise UsageError("--by-type and --per-sentence cannot be combined")
    order = [name.strip() for name in options.type_order.split(",")] if options.type_order is not None else list(ORDER)
    check_order(order)
    if options.tags:
        from errata.tagging.files import FileTagger

        chosen: Tagger | None = FileTagger(options.tags, options.max_tokens)
    else:
        chosen = None if options.tagger == "none" else tagger(options.tagger)
    _, scores = scored(options, metrics)
    typed = [with_types(score, chosen, order) for score in scores]
    if options.output == "json":
        entries = [
            {
                "system": item.score.system,
                "metric": str(item.score.metric),
                "types": [{**counts._asdict(), **dict(zip(_MEASURES, counts.measures(item.beta), strict=True))} for counts in item.counts],
                "signature": item.signature,
            }
            for item in typed
        ]
        print_json({"errata": __version__, "scores": entries})
    else:
        print_tables([type_table(typed, options.digits)], options.output)
    return 0


def with_types(score: Score, tagger: Tagger | None, order: Sequence[str]) -> TypedScore:
    """A score with its counts by type."""
    from errata.metrics import TypeScorer
    from errata.type_scores import type_counts

    if not isinstance(score.scorer, TypeScorer) or score.output is None:
        raise RequestError(f"{score.metric.name} has no gold edits, and so no types")
    counts = type_counts(score.evidence, score.scorer, score.output, tagger, order)
    return TypedScore(score, counts, tagger.name if tagger is not None else "none")


def type_table(typed: Sequence[TypedScore], digits: int = 2, title: str = "") -> Table:
    """A row for each system and type."""
    from errata.report import Column, Table

    several = len({str(item.score.metric) for item in typed}) > 1
    columns = (
        Column("System", key="system"),
        *([Column("Metric", key="metric")] if several else []),
        Column("Type", key="type"),
        *(Column(name, "count", key) for name, key in (("Matched", "matched"), ("Proposed", "proposed"), ("Gold", "gold"))),
        *(Column(name, "percent", key, digits) for name, key in (("P", "precision"), ("R", "recall"), (f"F{typed[0].beta:g}", "f"))),
    )
    rows: list[tuple[Cell, ...]] = []
    for item in typed:
        name: tuple[Cell, ...] = (item.score.system, str(item.score.metric)) if several else (item.score.system,)
        for counts in item.counts:
            wanted = bool(counts.gold) or counts.type == "all"
            precision, recall, f = counts.measures(item.beta)
            measures = (precision, recall if wanted else None, f if wanted else None) if counts.type != "(no type)" else (None, None, None)
            rows.append((*name, counts.type, counts.matched, counts.proposed, counts.gold if wanted else None, *measures))
    explained = "–: nothing says which edits of a system are of this type, or gold has none of it."
    return Table(columns, tuple(rows), title, (*dict.fromkeys(item.signature for item in typed), explained))
