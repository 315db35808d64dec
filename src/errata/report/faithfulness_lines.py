"""Lines that show a source and its correction unit by unit."""

from __future__ import annotations

from typing import TYPE_CHECKING

from errata.errors import pluralise
from errata.html import printable
from errata.metrics.meaning import UccaSimValue
from errata.report.text import width
from errata.studies.faithfulness import UNIT_MARKS, format_unit, judge_units, list_labels

if TYPE_CHECKING:
    from errata.corpus.graphs import Graph
    from errata.metrics.meaning import AlignedGraphs
    from errata.report.markup import Marked
    from errata.studies.faithfulness import UnitStatus

UNIT_STYLES: dict[UnitStatus, str] = {"kept": "green", "relabelled": "yellow", "lost": "red", "added": "blue"}
_WIDEST = 60


def compared_lines(pair: AlignedGraphs) -> list[Marked]:
    """Write the lines of one pair, with an empty line at the end."""
    value = UccaSimValue.of(pair.counts).matched
    head = (
        f"UCCASIM {100 * value.f:.2f}: {value.recalled:,} of {pluralise(value.expected, 'unit')} of the source kept, "
        f"{value.precise:,} of {value.guessed:,} of the correction were in the source"
    )
    name = pair.source.id if pair.source.id == pair.correction.id else f"{pair.source.id} → {pair.correction.id}"
    lines: list[Marked] = [
        [(name, "bold"), (f"  {head}", "")],
        [("  source      ", "dim"), (pair.source.text, "")],
        [("  correction  ", "dim"), (pair.correction.text, "")],
    ]
    rows = judge_units(pair)
    shown = [(row.outcome, _shown(pair.source, row.source), _shown(pair.correction, row.correction)) for row in rows]
    widest = max((width(printable(left)) for _, left, _ in shown), default=0)
    for number, (outcome, left, right) in enumerate(shown):
        if number == len(pair.source_units):
            lines.append([("  units of the correction, with their best matches on the left:", "dim")])
        space = " " * (widest - width(printable(left)))
        style = UNIT_STYLES[outcome] if outcome == "lost" else ""
        lines.append([(f"  {UNIT_MARKS[outcome]} ", UNIT_STYLES[outcome]), (left, style), (f"{space}  ", ""), (right, "")])
    return [*lines, []]


def _shown(graph: Graph, unit: int | None) -> str:
    if unit is None:
        return ""
    words = format_unit(graph, unit)
    if len(words) > _WIDEST:
        words = f"{words[: _WIDEST // 2].rpartition(' ')[0]} ... {words[-_WIDEST // 2 :].partition(' ')[2]}"
    return f"{','.join(list_labels(graph, unit)):4} {words}"


def legend() -> str:
    """Explain the marks."""
    return "= kept   ~ its best match has another category   - has no match (lost)   + has no match (added)"
