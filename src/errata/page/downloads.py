"""The numbers of a report for programs: JSON with everything but the sentences, and CSV with the scores."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from errata.report.tables.scores import flat_scores_table
from errata.report.writers import render, render_json
from errata.version import __version__

if TYPE_CHECKING:
    from errata.page.report import RankedSystems, Report
    from errata.report.tables.types import TypedScore


def make_csv(report: Report) -> str:
    """Write the scores by every metric, as ``errata score`` does."""
    scores = [score for ranking in report.rankings for score in ranking.scores]
    intervals = [interval for ranking in report.rankings for interval in ranking.intervals]
    return render(flat_scores_table(scores, intervals), "csv")


def make_json(report: Report) -> str:
    """Write scores, intervals, tests, types and counted edits."""
    return render_json(
        {
            "errata": __version__,
            "gold": report.corpus.name,
            "sentences": len(report.corpus),
            "command": report.command,
            "warnings": list(report.warnings),
            "bootstrap": asdict(report.bootstrap),
            "tests": report.testing._asdict(),
            "scores": [record for ranking in report.rankings for record in _list_scores(ranking)],
            "pairs": [{"metric": str(ranking.metric), **item.to_record()} for ranking in report.rankings for item in ranking.comparisons],
            "types": [_describe_types(item) for item in report.typed],
        }
    )


def _list_scores(ranking: RankedSystems) -> list[dict[str, Any]]:
    return [
        {
            "system": score.system_name,
            "metric": str(score.metric),
            "value": score.value,
            "parts": score.parts,
            "signature": score.signature,
            "interval": {"low": ranking.intervals[index].low, "high": ranking.intervals[index].high},
            "rank": ranking.ranks[index],
            "letters": ranking.letters[index] if ranking.letters is not None else None,
        }
        for index, score in enumerate(ranking.scores)
    ]


def _describe_types(item: TypedScore) -> dict[str, Any]:
    types = [{"type": own.type, "matched": own.matched, "proposed": own.proposed, "gold": own.gold} for own in item.counts]
    return {"system": item.score.system_name, "metric": str(item.score.metric), "types": types, "signature": item.signature}
