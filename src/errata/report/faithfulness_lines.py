"""A source and its correction under each other, unit by unit."""

from __future__ import annotations

from typing import TYPE_CHECKING

from errata.faithfulness.evaluation import labels_of
from errata.faithfulness.outcomes import MARKS, outcomes, words_of
from errata.faithfulness.uccasim import UccaSimValue
from errata.report.text import printable, width

if TYPE_CHECKING:
    from errata.faithfulness.outcomes import Outcome
    from errata.faithfulness.uccasim import Compared
    from errata.graphs import Graph
    from errata.report.markup import Marked

STYLES: dict[Outcome, str] = {"kept": "green", "relabelled": "yellow", "lost": "red", "added": "blue"}
_WIDEST = 60


def compared_lines(pair: Compared) -> list[Marked]:
    """The lines of one pair; an empty one at the end."""
    value = UccaSimValue.of(pair.counts).matched
    head = (
        f"UCCASIM {100 * value.f:.2f}: of {value.expected:,} units of the source {value.recalled:,} are kept, "
        f"of {value.guessed:,} of the correction {value.precise:,} were there"
    )
    name = pair.source.id if pair.source.id == pair.correction.id else f"{pair.source.id} → {pair.correction.id}"
    lines: list[Marked] = [
        [(name, "bold"), (f"  {head}", "")],
        [("  source      ", "dim"), (pair.source.text, "")],
        [("  correction  ", "dim"), (pair.correction.text, "")],
    ]
    rows = [(row.outcome, _shown(pair.source, row.source), _shown(pair.correction, row.correction)) for row in outcomes(pair)]
    widest = max((width(printable(left)) for _, left, _ in rows), default=0)
    for outcome, left, right in rows:
        space = " " * (widest - width(printable(left)))
        lines.append(
            [
                (f"  {MARKS[outcome]} ", STYLES[outcome]),
                (left, STYLES[outcome] if outcome == "lost" else ""),
                (f"{space}  ", ""),
                (right, ""),
            ]
        )
    return [*lines, []]


def _shown(graph: Graph, unit: int | None) -> str:
    if unit is None:
        return ""
    words = words_of(graph, unit)
    short = words if len(words) <= _WIDEST else f"{words[: _WIDEST // 2].rstrip()} ... {words[-_WIDEST // 2 :].lstrip()}"
    return f"{','.join(labels_of(graph, unit)):4} {short}"


def legend() -> str:
    """What the marks mean."""
    return "= kept   ~ kept as another category   - lost   + added"
