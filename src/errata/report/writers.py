"""Writers of tables.

Plain text, Markdown and LaTeX show values as people read them; CSV has them in full precision.
Texts come from files of strangers: each writer escapes what would have a meaning in its format, control characters first.
"""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING, Literal, get_args

from errata.report.text import printable, width

if TYPE_CHECKING:
    from collections.abc import Callable

    from errata.report.table import Cell, Table

TableFormat = Literal["table", "markdown", "latex", "csv"]
"""How a table is written."""
TABLE_FORMATS: tuple[TableFormat, ...] = get_args(TableFormat)
"""All ways to write a table."""

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
    "²": r"\textsuperscript{2}",
}
_WIDEST = 100_000
_F_BETA = re.compile(r"^F(\d+(?:\.\d+)?)$")
_FORMULA = ("=", "+", "-", "@")
_MARKDOWN = frozenset("\\`*_{}[]<>|#~&!")


def render(table: Table, format: TableFormat) -> str:  # noqa: A002 - the word users know
    """A table as text that ends in a line end."""
    writers: dict[TableFormat, Callable[[Table], str]] = {"table": plain, "markdown": markdown, "latex": latex, "csv": csv}
    return writers[format](table)


def _shown(table: Table) -> list[list[str]]:
    return [[printable(column.shown(cell)) for column, cell in zip(table.columns, row, strict=True)] for row in table.rows]


def plain(table: Table) -> str:
    """Aligned columns."""
    rows = [[printable(column.name) for column in table.columns], *_shown(table)]
    widths = [max(width(row[k]) for row in rows) for k in range(len(table.columns))]
    lines = [printable(table.title), ""] if table.title else []
    for number, row in enumerate(rows):
        cells = []
        for column, cell, space in zip(table.columns, row, widths, strict=True):
            padding = " " * (space - width(cell))
            cells.append(cell + padding if column.kind == "text" else padding + cell)
        lines.append("  ".join(cells).rstrip())
        if number == 0:
            lines.append("  ".join("─" * space for space in widths))
    if table.notes:
        lines += ["", *(printable(note) for note in table.notes)]
    return "\n".join(lines) + "\n"


def markdown(table: Table) -> str:
    """A pipe table."""

    def escaped(text: str) -> str:
        return "".join(f"\\{character}" if character in _MARKDOWN else character for character in text)

    def line(cells: list[str]) -> str:
        return "| " + " | ".join(cells) + " |"

    lines = [f"**{escaped(printable(table.title))}**", ""] if table.title else []
    lines.append(line([escaped(printable(column.name)) for column in table.columns]))
    lines.append(line(["---" if column.kind == "text" else "---:" for column in table.columns]))
    lines += [line([escaped(cell) for cell in row]) for row in _shown(table)]
    if table.notes:
        lines += ["", *(escaped(printable(note)) for note in table.notes)]
    return "\n".join(lines) + "\n"


def latex(table: Table) -> str:
    """A tabular for the booktabs package; title and notes are comments, for the caption is the author's."""

    def escaped(text: str) -> str:
        return "".join(_LATEX.get(character, character) for character in text.replace("--", "-{}-")).replace("-\\{\\}-", "-{}-")

    def number(text: str) -> str:
        return f"$-${escaped(text[1:])}" if text.startswith("-") else escaped(text)

    def line(cells: list[str]) -> str:
        # After a line end, [ or * would be read as an argument of it.
        guard = "{}" if cells[0].startswith(("[", "*")) else ""
        return "  " + guard + " & ".join(cells) + r" \\"

    comments = [f"% {printable(text)}" for text in (table.title, *table.notes) if text]
    alignment = "".join("l" if column.kind == "text" else "r" for column in table.columns)
    kinds = [column.kind for column in table.columns]
    body = [
        line([number(cell) if kind != "text" else escaped(cell) for kind, cell in zip(kinds, row, strict=True)]) for row in _shown(table)
    ]
    heading = line([_F_BETA.sub(r"F$_{\1}$", escaped(printable(column.name))) for column in table.columns])
    lines = [
        *comments,
        rf"\begin{{tabular}}{{{alignment}}}",
        r"  \toprule",
        heading,
        r"  \midrule",
        *body,
        r"  \bottomrule",
        r"\end{tabular}",
    ]
    return "\n".join(lines) + "\n"


def csv(table: Table) -> str:
    """Comma-separated values in full precision, with keys for headings; title and notes are left to the other formats.

    A text that a spreadsheet would take for a formula gets an apostrophe before it.
    """
    import csv as standard
    import io

    def cell(value: Cell) -> str | int:
        if isinstance(value, str):
            text = printable(value)
            return f"'{text}" if text.startswith(_FORMULA) else text
        return "" if value is None else repr(value) if isinstance(value, float) else value

    out = io.StringIO()
    writer = standard.writer(out, lineterminator="\n")
    writer.writerow([cell(column.key or column.name) for column in table.columns])
    writer.writerows([cell(value) for value in row] for row in table.rows)
    return out.getvalue()


def print_table(table: Table) -> None:
    """Print for people: with rich on a terminal, plain otherwise."""
    if not sys.stdout.isatty():
        sys.stdout.write(plain(table))
        return
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.measure import Measurement
    from rich.table import Table as RichTable
    from rich.text import Text

    view = RichTable(box=SIMPLE_HEAD, title=Text(printable(table.title)) if table.title else None, title_justify="left")
    for column in table.columns:
        view.add_column(Text(printable(column.name)), justify="left" if column.kind == "text" else "right")
    for row in _shown(table):
        view.add_row(*(Text(cell) for cell in row))
    console = Console()
    needed = Measurement.get(console, console.options.update(max_width=_WIDEST), view).maximum
    if needed > console.width:
        console = Console(width=needed)  # a terminal wraps a line that is too long; a cut name or number would be lost
    console.print(view)
    for note in table.notes:
        console.print(Text(printable(note), style="dim"), soft_wrap=True)
