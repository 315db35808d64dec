"""Outcomes of units: kept, relabelled (its best match has another category), lost or added (it has no match)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

from errata.faithfulness.evaluation import list_labels
from errata.metrics.meaning import LabelMatching, normalise_category

if TYPE_CHECKING:
    from errata.corpus.graphs import Graph
    from errata.metrics.meaning import AlignedGraphs, UnitPair

UnitStatus = Literal["kept", "relabelled", "lost", "added"]
UNIT_MARKS: dict[UnitStatus, str] = {"kept": "=", "relabelled": "~", "lost": "-", "added": "+"}


class UnitOutcome(NamedTuple):
    """The outcome of a unit of the source, of the correction, or of a pair."""

    outcome: UnitStatus
    source: int | None
    correction: int | None


def judge_units(pair: AlignedGraphs) -> list[UnitOutcome]:
    """List the outcomes of all units of the source, from left to right and from large to small, then of the added units.

    A unit whose best matches have other categories is relabelled; a unit without best match is lost or added.
    """
    rows = [
        UnitOutcome(judge_unit(unit, of_source=True), unit.unit, find_best_match(unit, pair.source, pair.correction))
        for unit in sorted(pair.source_units, key=lambda item: _sort_key(pair.source, item.unit))
    ]
    shown = {(row.source, row.correction) for row in rows if row.outcome == "relabelled"}
    for unit in sorted(pair.correction_units, key=lambda item: _sort_key(pair.correction, item.unit)):
        row = UnitOutcome(judge_unit(unit, of_source=False), find_best_match(unit, pair.correction, pair.source), unit.unit)
        if not unit.found and (row.source, row.correction) not in shown:
            rows.append(row)
    return rows


def judge_unit(unit: UnitPair, *, of_source: bool) -> UnitStatus:
    """Get the outcome of one unit."""
    return "kept" if unit.found else "relabelled" if unit.partners else "lost" if of_source else "added"


def find_best_match(unit: UnitPair, graph: Graph, other: Graph) -> int | None:
    """Choose the best match to show: one with a category of the unit, if possible."""
    labels = list_labels(graph, unit.unit)

    def alike(index: int, matching: LabelMatching) -> bool:
        return not {normalise_category(label, matching) for label in labels}.isdisjoint(
            normalise_category(label, matching) for label in list_labels(other, index)
        )

    return max(unit.partners, key=lambda index: (alike(index, "strict"), alike(index, "weak"), -index), default=None)


def _sort_key(graph: Graph, unit: int) -> tuple[int, int, int]:
    positions = graph.yields[unit]
    return (positions[0] if positions else len(graph.tokens), -len(positions), unit)


def format_unit(graph: Graph, unit: int) -> str:
    """Format the words of a unit; dots mark gaps."""
    positions = graph.yields[unit]
    pieces: list[str] = []
    for number, position in enumerate(positions):
        if number and position != positions[number - 1] + 1:
            pieces.append("...")
        pieces.append(graph.tokens[position])
    return " ".join(pieces) or "(implicit)"
