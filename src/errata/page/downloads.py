"""The numbers of a report for programs: JSON with everything but the sentences, and CSV with the scores."""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any

from errata.report.tables.edits import describe_digest
from errata.report.tables.scores import flat_scores_table
from errata.report.writers import render, render_json
from errata.scoring.edits import digest_edits
from errata.version import __version__

if TYPE_CHECKING:
    from errata.page.report import ComparedWithPeople, RankedSystems, Report
    from errata.report.tables.types import TypedScore

_MOST_EDITS = 100
"""Edits of each outcome; ``errata inspect --digest`` has all."""


def make_csv(report: Report) -> str:
    """Write the scores by every metric, as ``errata score`` does."""
    scores = [score for ranking in report.rankings for score in ranking.scores]
    intervals = [interval for ranking in report.rankings for interval in ranking.intervals]
    table = flat_scores_table(scores, intervals)
    place = [column.key for column in table.columns].index("signature")
    rows = tuple((*row[:place], f"{row[place]}{report.signed}", *row[place + 1 :]) for row in table.rows)
    return render(replace(table, rows=rows), "csv")


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
            "scores": [record for ranking in report.rankings for record in _list_scores(ranking, report.signed)],
            "pairs": [{"metric": str(ranking.metric), **item.to_record()} for ranking in report.rankings for item in ranking.comparisons],
            "edits": _describe_edits(report),
            "types": [_describe_types(item, report.signed) for item in report.typed],
            **({} if report.people is None else {"people": _describe_people(report.people)}),
        }
    )


def _describe_people(people: ComparedWithPeople) -> dict[str, Any] | None:
    """Scores by people, and how far the metrics agree with them; None if they cannot be compared."""
    found = people.evaluation
    if found is None:
        return None
    return {
        "scores": {name: found.human.values[name] for name in found.systems},
        "correlations": [row._asdict() for row in found.correlations],
        "agreements": [row._asdict() for row in found.agreements],
    }


def _describe_edits(report: Report) -> dict[str, object] | None:
    """The most frequent edits of all systems; ``left_out`` says how many others there are."""
    if report.judged is None:
        return None
    return describe_digest(digest_edits(report.judged.edits, report.corpus.numbers, _MOST_EDITS), report.names)


def _list_scores(ranking: RankedSystems, signed: str) -> list[dict[str, Any]]:
    return [
        {
            "system": score.system_name,
            "metric": str(score.metric),
            "value": score.value,
            "parts": score.parts,
            "signature": f"{score.signature}{signed}",
            "interval": {"low": ranking.intervals[index].low, "high": ranking.intervals[index].high},
            "rank": ranking.ranks[index],
            "letters": ranking.letters[index] if ranking.letters is not None else None,
        }
        for index, score in enumerate(ranking.scores)
    ]


def _describe_types(item: TypedScore, signed: str) -> dict[str, Any]:
    types = [{"type": own.type, "matched": own.matched, "proposed": own.proposed, "gold": own.gold} for own in item.counts]
    return {"system": item.score.system_name, "metric": str(item.score.metric), "types": types, "signature": f"{item.signature}{signed}"}
