"""Writers of tables.

Plain text, Markdown and LaTeX format values for people; CSV has full precision.
Texts are untrusted: each writer escapes characters with a meaning in its format, and control characters.
"""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, Any, Literal, get_args

from errata.report.csv_lines import make_csv_lines
from errata.report.fitting import table_lines
from errata.report.markup import output_width, printer
from errata.report.text import printable

if TYPE_CHECKING:
    from collections.abc import Callable

    from errata.report.table import Table

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
    "²": r"\textsuperscript{2}",
    "≤": r"$\leq$",
    "±": r"$\pm$",
}
_F_BETA = re.compile(r"^F(\d+(?:\.\d+)?)$")
_SIGN = re.compile(r"(?<!\d)([-+])(?=\.?\d)")
"""The sign of a number; a cell may have several. A hyphen between two numbers is not a sign."""
_MARKDOWN = frozenset("\\`*_{}[]<>|#~&!$")


def render(table: Table, format: TableFormat) -> str:  # noqa: A002 - the word users know
    """Write a table as text that ends in a line end."""
    writers: dict[TableFormat, Callable[[Table], str]] = {"table": plain, "markdown": markdown, "latex": latex, "csv": csv}
    return writers[format](table)


def _shown(table: Table) -> list[list[str]]:
    return [[printable(column.shown(cell)) for column, cell in zip(table.columns, row, strict=True)] for row in table.rows]


def plain(table: Table) -> str:
    """Write a table with aligned columns."""
    return "".join("".join(text for text, _ in line) + "\n" for line in table_lines(table))


def markdown(table: Table) -> str:
    """Write a pipe table; title and notes are paragraphs."""

    def escaped(text: str) -> str:
        return "".join(f"\\{character}" if character in _MARKDOWN else character for character in text)

    def line(cells: list[str]) -> str:
        return "| " + " | ".join(cells) + " |"

    lines = [f"**{escaped(printable(table.title))}**", ""] if table.title else []
    lines.append(line([escaped(printable(column.name)) for column in table.columns]))
    lines.append(line(["---" if column.kind == "text" else "---:" for column in table.columns]))
    lines += [line([escaped(cell) for cell in row]) for row in _shown(table)]
    for note in table.notes:
        lines += ["", escaped(printable(note))]  # a paragraph for each
    return "\n".join(lines) + "\n"


def latex(table: Table) -> str:
    """Write a tabular for the booktabs package; title and notes are comments, because authors write their own captions."""

    def escaped(text: str) -> str:
        return "".join(_LATEX.get(character, character) for character in text.replace("--", "-{}-")).replace("-\\{\\}-", "-{}-")

    def number(text: str) -> str:
        return _SIGN.sub(r"$\1$", escaped(text))

    def line(cells: list[str]) -> str:
        # After \\, LaTeX would read [ or * as its argument.
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
