"""The tables of leaderboards as HTML; in Python, because templates take too long for thousands of cells."""

from __future__ import annotations

from typing import TYPE_CHECKING

from markupsafe import Markup, escape

from errata.html import printable
from errata.report.table import find_best_cells

if TYPE_CHECKING:
    from collections.abc import Collection

    from errata.report import Table

_MANY_ROWS = 30
"""A longer table keeps its headings in view."""
_NUMBER, _BEST = ' class="number"', ' class="number best"'
_MARK = ' <abbr title="proposed alternative answers">†</abbr>'


def write_table(table: Table, marked: Collection[str] = ()) -> Markup:
    """Write a table without its notes.  The first text of a row is its heading; teams with these names are marked.

    >>> from errata.report import Column, Table
    >>> text = write_table(Table((Column("System"), Column("F", "percent")), (("<a>", 0.5),)), ["<a>"])
    >>> print(text[text.index("<tbody>") : text.index("</tbody>")])
    <tbody>
    <tr><th scope="row"><bdi>&lt;a&gt;</bdi> <abbr title="proposed alternative answers">†</abbr></th><td class="number">50.00</td></tr>
    """
    columns, best = table.columns, find_best_cells(table)
    head = next((index for index, column in enumerate(columns) if column.is_text), None)
    headings = "".join(f'<th scope="col"{"" if column.is_text else _NUMBER}>{_escape(column.name)}</th>' for column in columns)
    lines: list[str] = []
    for number, row in enumerate(table.rows):
        cells: list[str] = []
        for index, column in enumerate(columns):
            text = _escape(column.shown(row[index]))
            if index == head:
                cells.append(f'<th scope="row"><bdi>{text}</bdi>{_MARK if row[index] in marked else ""}</th>')
            elif column.is_text:
                cells.append(f"<td><bdi>{text}</bdi></td>")
            else:
                cells.append(f"<td{_BEST if (number, index) in best else _NUMBER}>{text}</td>")
        lines.append(f"<tr>{''.join(cells)}</tr>\n")
    kind = "wide named tall" if len(table.rows) > _MANY_ROWS else "wide named"
    label = _escape(table.title or "Table")
    return Markup(  # noqa: S704 - all texts are escaped
        f'<div class="{kind}" tabindex="0" role="region" aria-label="{label}">\n<table>\n'
        f"<thead><tr>{headings}</tr></thead>\n<tbody>\n{''.join(lines)}</tbody>\n</table>\n</div>"
    )


def _escape(text: str) -> str:
    """Escape what has a meaning in HTML, and what could mislead a reader."""
    return str(escape(printable(text)))
