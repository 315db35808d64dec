"""Writers of tables.

Plain text, Markdown and LaTeX format values for people; CSV has full precision.
Texts are untrusted: each writer escapes characters with a meaning in its format, and control characters.
"""

from __future__ import annotations

import math
import re
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Literal, get_args

from errata.html import printable
from errata.report.best_values import find_best_cells
from errata.report.csv_lines import make_csv_lines
from errata.report.fitting import table_lines
from errata.report.markup import output_width, printer

if TYPE_CHECKING:
    from collections.abc import Callable

    from errata.report.table import Column, Table

TableFormat = Literal["table", "markdown", "latex", "csv"]
"""The name of a table format."""
TABLE_FORMATS: tuple[TableFormat, ...] = get_args(TableFormat)
"""All table formats."""

_LATEX = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "–": "--",
    "·": r"\textperiodcentered{}",
    "→": r"$\to$",
    "²": "$^2$",
    "≤": r"$\leq$",
    "±": r"$\pm$",
}
_F_BETA = re.compile(r"(?<![^ ])F(\d+(?:\.\d+)?)(?![^ ])")
_SIGN = re.compile(r"(?<!\d)([-+])(?=\.?\d)")
"""The sign of a number; a cell may have several. A hyphen between two numbers is not a sign."""
_MARKDOWN = frozenset("\\`*_{}[]<>|#~&!$")
_MOST_ROWS = 50
"""Rows of a tabular, which LaTeX cannot break; a longer table is a longtable."""


def render(table: Table, format: TableFormat, *, bold: bool | None = None) -> str:  # noqa: A002 - the word users know
    """Write a table as text that ends in a line end.

    ``bold`` says whether the best values are bold, in LaTeX and Markdown; by default they are in LaTeX.
    """
    if format == "markdown":
        return markdown(table, bold=bool(bold))
    if format == "latex":
        return latex(table, bold=bold is not False)
    writers: dict[TableFormat, Callable[[Table], str]] = {"table": plain, "csv": csv}
    return writers[format](table)


def _shown(table: Table) -> list[list[str]]:
    return [[printable(column.shown(cell)) for column, cell in zip(table.columns, row, strict=True)] for row in table.rows]


def plain(table: Table) -> str:
    """Write a table with aligned columns."""
    return "".join("".join(text for text, _ in line) + "\n" for line in table_lines(table))


def markdown(table: Table, *, bold: bool = False) -> str:
    """Write a pipe table; title and notes are paragraphs."""

    def escaped(text: str) -> str:
        return "".join(f"\\{character}" if character in _MARKDOWN else character for character in text)

    def line(cells: list[str]) -> str:
        return "| " + " | ".join(cells) + " |"

    best = find_best_cells(table) if bold else set()
    lines = [f"**{escaped(printable(table.title))}**", ""] if table.title else []
    lines.append(line([escaped(printable(column.name)) for column in table.columns]))
    lines.append(line(["---" if column.is_text else "---:" for column in table.columns]))
    for row, cells in enumerate(_shown(table)):
        lines.append(line([f"**{escaped(cell)}**" if (row, index) in best else escaped(cell) for index, cell in enumerate(cells)]))
    for note in table.notes:
        lines += ["", escaped(printable(note))]  # a paragraph for each
    return "\n".join(lines) + "\n"


def latex(table: Table, *, bold: bool = True) -> str:
    """Write a tabular for the booktabs package; title and notes are comments, because authors write their own captions.

    Letters of significance are superscripts, if they follow the column that they belong to.
    A table that may be longer than a page is a longtable.
    """
    raised = [index for index, (before, column) in enumerate(pairwise(table.columns), 1) if before.key == column.belongs_to != ""]
    own = [index for index in range(len(table.columns)) if index not in raised]
    best = find_best_cells(table) if bold else set()
    shown = _shown(table)
    widest = {index: max((row[index] for row in shown), key=len, default="") for index in raised}
    body = []
    for row, cells in enumerate(shown):
        written = []
        for index in own:
            text = _latex_text(cells[index])
            if not table.columns[index].is_text:
                text = _SIGN.sub(r"$\1$", text)
            text = rf"\textbf{{{text}}}" if (row, index) in best else text
            written.append(text + (_superscript(cells[index + 1], widest[index + 1]) if index + 1 in widest else ""))
        body.append(_latex_line(written))
    heading = _latex_line([_latex_heading(table.columns[index]) for index in own])
    alignment = "".join("l" if table.columns[index].is_text else "r" for index in own)
    environment, packages = ("longtable", "booktabs,longtable") if len(table.rows) > _MOST_ROWS else ("tabular", "booktabs")
    lines = [
        *(f"% {printable(text)}" for text in (table.title, *table.notes) if text),
        rf"% needs \usepackage{{{packages}}}",
        rf"\begin{{{environment}}}{{{alignment}}}",
        r"  \toprule",
        heading,
        r"  \midrule",
        *([r"  \endhead"] if environment == "longtable" else []),
        *body,
        r"  \bottomrule",
        rf"\end{{{environment}}}",
    ]
    return "\n".join(lines) + "\n"


def _latex_text(text: str) -> str:
    return "".join(_LATEX.get(character, character) for character in text.replace("--", "-{}-")).replace("-\\{\\}-", "-{}-")


def _latex_heading(column: Column) -> str:
    """Write a heading; the beta of F is an index."""
    text = _latex_text(printable(column.written or column.name))
    return text if column.is_data else _F_BETA.sub(r"F$_{\1}$", text)


def _latex_line(cells: list[str]) -> str:
    # After \\, LaTeX would read [ or * as its argument.
    guard = "{}" if cells[0].startswith(("[", "*")) else ""
    return "  " + guard + " & ".join(cells) + r" \\"


def _superscript(letters: str, widest: str) -> str:
    """Raise letters, and leave as much space as the most letters need, so that numbers line up."""
    missing = widest[len(letters) :]
    return (f"$^{{{letters}}}$" if letters else "") + (rf"\phantom{{$^{{{missing}}}$}}" if missing else "")


def csv(table: Table) -> str:
    """Write comma-separated values in full precision, with keys as headings and without title and notes."""
    rows = ([column.key or column.name for column in table.columns], *table.rows)
    return "".join(f"{line}\n" for line in make_csv_lines(rows))


def render_json(record: object) -> str:
    """Write an object as JSON, which has no infinite and undefined numbers: they become null.

    What is not ASCII is escaped, so that no text of a stranger can control a terminal.
    """
    import json

    try:
        return json.dumps(record, indent=1, allow_nan=False)
    except ValueError:
        return json.dumps(_without_undefined(record), indent=1)


def _without_undefined(record: Any) -> Any:
    if isinstance(record, dict):
        return {key: _without_undefined(value) for key, value in record.items()}
    if isinstance(record, list | tuple):
        return [_without_undefined(value) for value in record]
    return None if isinstance(record, float) and not math.isfinite(record) else record


def print_table(table: Table) -> None:
    """Print for people, fitted to the width of a terminal; in full elsewhere."""
    printer()(*table_lines(table, output_width()))
