"""Writers of tables, how they fit a width, and streams that escape control characters."""

from __future__ import annotations

import codecs
import io
import math
import os
import re
import shutil
import sys
import unicodedata
from functools import cache
from itertools import pairwise
from typing import IO, TYPE_CHECKING, Any, Literal, NamedTuple, get_args

from errata.display import printable
from errata.report.table import is_undefined

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from _typeshed import ReadableBuffer
    from rich.console import Console

    from errata.report.table import Cell, Column, Table


_JOINER, _EMOJI = "\u200d", "\ufe0f"


def width(text: str) -> int:
    r"""Count the columns that a text takes in a terminal.

    A mark takes no column, nor what a joiner adds to an emoji; a variation selector makes an emoji of two columns.

    >>> width("naïve"), width("誤り"), width("か\u3099")
    (5, 4, 2)
    """
    if text.isascii():
        return len(text)
    columns = 0
    previous = ""
    for character in text:
        own = 0 if previous == _JOINER else _count_columns(character)
        columns += 1 if character == _EMOJI and previous and _count_columns(previous) == 1 else own
        previous = character
    return columns


@cache
def _count_columns(character: str) -> int:
    if unicodedata.category(character) in {"Mn", "Me", "Cf"} or "\u1160" <= character <= "\u11ff":  # the latter are parts of syllables
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


class PrintableStream:
    """A stream of text; bytes that are written to its buffer go through unchanged, but not to a terminal."""

    def __init__(self, stream: IO[str]) -> None:
        self.unfiltered = stream
        self.buffer_was_escaped = False
        """Whether data had characters that are shown as escapes."""

    def write(self, text: str) -> int:
        """Write a text with escapes."""
        self.unfiltered.write(printable(text, lines=True))
        return len(text)

    def writelines(self, lines: Iterable[str]) -> None:
        """Write lines with escapes."""
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        """Everything else is that of the stream."""
        return getattr(self.unfiltered, name)

    @property
    def buffer(self) -> IO[bytes]:
        """Where data is written, as bytes of UTF-8."""
        return _PrintableBytes(self) if self.unfiltered.isatty() else self.unfiltered.buffer  # type: ignore[attr-defined, return-value]


class _PrintableBytes(io.BufferedIOBase):
    """Bytes on their way to a terminal."""

    def __init__(self, stream: PrintableStream) -> None:
        self._stream = stream
        self._decode = codecs.getincrementaldecoder("utf-8")("backslashreplace").decode

    def writable(self) -> bool:
        return True

    def write(self, data: ReadableBuffer) -> int:
        text = self._decode(bytes(data))
        shown = printable(text, lines=True)
        self._stream.buffer_was_escaped |= shown != text
        self._stream.unfiltered.write(shown)
        return len(bytes(data))

    def flush(self) -> None:
        self._stream.unfiltered.flush()


def _get_unfiltered(stream: IO[str]) -> IO[str]:
    """Get the stream for a program that writes escape sequences of its own, and makes texts printable itself."""
    return stream.unfiltered if isinstance(stream, PrintableStream) else stream


Marked = list[tuple[str, str]]
"""Pieces of a line, each with a style of rich, or an empty one."""


def _output_width() -> int | None:
    """Get the width of the terminal, or COLUMNS if it is set; None if the output is not a terminal."""
    return max(_LEAST_WIDTH, shutil.get_terminal_size().columns) if sys.stdout.isatty() else None


def _wants_styles() -> bool:
    """Whether to use colours, bold and dim: not if NO_COLOR is set or the terminal is dumb."""
    return not os.environ.get("NO_COLOR") and not _is_dumb()


def _is_dumb() -> bool:
    """Whether the terminal does not support escape sequences."""
    return os.environ.get("TERM", "").lower() in {"dumb", "unknown"}


def open_console(stream: IO[str]) -> Console | None:
    """Make a console for what moves on a stream; None if it is not a terminal, or one without escape sequences."""
    if not stream.isatty() or _is_dumb():
        return None
    from rich.console import Console

    return Console(file=_get_unfiltered(stream), color_system="auto" if _wants_styles() else None)


def printer(color: Literal["auto", "always", "never"] = "auto") -> Callable[..., None]:
    """Make a function that prints lines of styled pieces, folded to the width of the terminal."""
    space = _output_width()

    def fitting(lines: tuple[Marked, ...]) -> list[Marked]:
        return [part for line in lines for part in (_fold_marked(line, space) if space is not None and line else [line])]

    if color == "never" or (color == "auto" and not (space is not None and _wants_styles())):

        def show_plain(*lines: Marked) -> None:
            for line in fitting(lines):
                print("".join(printable(text) for text, _ in line).rstrip())

        return show_plain
    from rich.console import Console
    from rich.text import Text

    file = _get_unfiltered(sys.stdout)
    console = Console(file=file, force_terminal=True, color_system="standard", no_color=False, soft_wrap=True, highlight=False)

    def show_styled(*lines: Marked) -> None:
        for line in fitting(lines):
            console.print(Text.assemble(*((printable(text), style) for text, style in line)))

    return show_styled


_FORMULA = re.compile(r"\s*[=+\-@\uff1d\uff0b\uff0d\uff20]")
"""How a formula starts in a spreadsheet, also in full-width characters, which some read as well."""
_NUMBER = re.compile(r"[+-]?(\d++\.?\d*+|\.\d+)([eE][+-]?\d+)?", re.ASCII)


def make_csv_lines(rows: Iterable[Iterable[Cell]]) -> Iterator[str]:
    """Write rows, numbers in full precision; a text that a spreadsheet would read as a formula gets an apostrophe in front.

    >>> list(make_csv_lines([("system", "f"), ("=cmd()", -0.5), ("a, b", None)]))
    ['system,f', "'=cmd(),-0.5", '"a, b",']
    """
    import csv
    import io

    line = io.StringIO()
    writer = csv.writer(line, lineterminator="")
    for row in rows:
        writer.writerow([_written(cell) for cell in row])
        yield line.getvalue()
        line.seek(0)
        line.truncate()


def _written(cell: Cell) -> str | int:
    if isinstance(cell, str):
        text = printable(cell)
        return f"'{text}" if _FORMULA.match(text) and not _NUMBER.fullmatch(text) else text
    return "" if cell is None or is_undefined(cell) else repr(cell) if isinstance(cell, float) else cell


# Fitting tables and lines to a width.
#
# In a table that is too wide, headings are folded first, then columns move closer, then texts are folded.
# If that is not enough, columns are shown in blocks, and each block repeats the columns that identify a row.

_LEAST_WIDTH = 40
"""The minimum width of lines, even if a terminal is narrower."""
_HEADING = "bold"
_NOTE = "dim"
_STEPS = ((2, 24), (1, 24), (1, 16), (1, 10))
"""Spaces between columns, and the width to which texts may be folded; the first pair that fits is used."""
_NARROWEST_HEADING = 12
"""A longer word of a heading may be folded, if it is also longer than all cells."""
_WORD = re.compile(r"(?<!\s)\s*+\S+")
_PART = re.compile(r"[^-_/,(]*[-_/,(]?")


class _Column(NamedTuple):
    heading: str
    cells: list[str]
    is_text: bool

    @property
    def natural(self) -> int:
        return max(map(width, (self.heading, *self.cells)))

    def least(self, text: int) -> int:
        """Compute the minimum width; texts may be folded to ``text`` characters, numbers are not folded."""
        cells = max(map(width, self.cells), default=0)
        words = max(map(width, self.heading.split()), default=0)
        return max(min(cells, text) if self.is_text else cells, min(words, max(cells, _NARROWEST_HEADING)))


class _Block(NamedTuple):
    columns: list[_Column]
    widths: list[int]
    gap: int


def _table_lines(table: Table, space: int | None = None) -> list[Marked]:
    """Write a table as lines, with its title and notes; no line is wider than ``space``, if that is given and at least 40."""
    if space is not None:
        space = max(space, _LEAST_WIDTH)
    blocks = _blocks(_columns(table), space)
    lines: list[Marked] = [*_folded_line(printable(table.title), "", space), []] if table.title else []
    for number, block in enumerate(blocks):
        lines += [*([[]] if number else []), *_block_lines(block)]
    notes = [printable(note) for note in table.notes]
    if len(blocks) > 1:
        notes.insert(0, f"Shown in {len(blocks)} blocks to fit {space} characters.")
    if notes:
        lines += [[], *(line for note in notes for line in _folded_line(note, _NOTE, space))]
    return lines


def _columns(table: Table) -> list[_Column]:
    shown = [[printable(column.shown(row[index])) for row in table.rows] for index, column in enumerate(table.columns)]
    return [_Column(printable(column.name), cells, column.is_text) for column, cells in zip(table.columns, shown, strict=True)]


def _blocks(columns: list[_Column], space: int | None) -> list[_Block]:
    natural = [column.natural for column in columns]
    if space is None or _total(natural, 2) <= space:
        return [_Block(columns, natural, 2)]
    for gap, text in _STEPS:
        least = [column.least(text) for column in columns]
        if _total(least, gap) <= space:
            return [_Block(columns, _grown(columns, least, space, gap), gap)]
    gap, text = _STEPS[0]
    keys = columns[: _key_count(columns, space // 2, gap, text)]
    key_widths = [min(column.least(text), max(_NARROWEST_HEADING, space // 3)) for column in keys]
    blocks: list[_Block] = []
    own, widths = keys, key_widths
    for column in columns[len(keys) :]:
        needed = min(column.least(text), space - _total(key_widths, gap) - gap)
        if len(own) > len(keys) and _total([*widths, needed], gap) > space:
            blocks.append(_Block(own, widths, gap))
            own, widths = keys, key_widths
        own, widths = [*own, column], [*widths, needed]
    blocks.append(_Block(own, widths, gap))
    return [block._replace(widths=_grown(block.columns, block.widths, space, gap)) for block in blocks]


def _key_count(columns: Sequence[_Column], space: int, gap: int, text: int) -> int:
    """Count the first columns that identify a row, if they fit into ``space``; else return 1."""
    for count in range(1, len(columns)):
        if _total([column.least(text) for column in columns[:count]], gap) > space:
            break
        if len(set(zip(*(column.cells for column in columns[:count]), strict=True))) == len(columns[0].cells):
            return count
    return 1


def _total(widths: Sequence[int], gap: int) -> int:
    return sum(widths) + gap * (len(widths) - 1)


def _grown(columns: Sequence[_Column], widths: Sequence[int], space: int, gap: int) -> list[int]:
    """Give the remaining space to columns that need it, first to those that need least; a heading gets all it needs or nothing."""
    grown, left = list(widths), space - _total(widths, gap)
    for index in sorted(range(len(grown)), key=lambda index: columns[index].natural - grown[index]):
        wanted = max(0, columns[index].natural - grown[index])
        more = min(left, wanted) if columns[index].is_text or wanted <= left else 0
        grown[index] += more
        left -= more
    return grown


def _block_lines(block: _Block) -> Iterator[Marked]:
    headings = [_fold(column.heading, space) for column, space in zip(block.columns, block.widths, strict=True)]
    height = max(map(len, headings))
    headings = [[""] * (height - len(lines)) + lines for lines in headings]
    for line in _joined(block, headings):
        yield [(line, _HEADING)]
    yield [((" " * block.gap).join("─" * space for space in block.widths), "")]
    for cells in zip(*(column.cells for column in block.columns), strict=True):
        for line in _joined(block, [_fold(cell, space) for cell, space in zip(cells, block.widths, strict=True)]):
            yield [(line, "")]


def _joined(block: _Block, cells: Sequence[list[str]]) -> Iterator[str]:
    """Yield the lines of one row, whose cells may have several lines."""
    for number in range(max(map(len, cells))):
        parts = []
        for column, lines, space in zip(block.columns, cells, block.widths, strict=True):
            text = lines[number] if number < len(lines) else ""
            padding = " " * (space - width(text))
            parts.append(text + padding if column.is_text else padding + text)
        yield (" " * block.gap).join(parts).rstrip()


def _fold(text: str, space: int) -> list[str]:
    """Fold a text to lines of at most ``space``: at blanks, in a longer word after a hyphen or the like, else anywhere.

    >>> _fold("a note of six words", 8), _fold("a-long-name", 7)
    (['a note', 'of six', 'words'], ['a-long-', 'name'])
    """
    if width(text) <= space:
        return [text]
    lines = [""]
    for word in _WORD.findall(text):
        if width(lines[-1] + word) <= space:
            lines[-1] += word
            continue
        lines.append("")
        for part in _parts(word.strip(), space):
            if lines[-1] and width(lines[-1] + part) > space:
                lines.append("")
            lines[-1] += part
    return lines if lines[0] else lines[1:]


def _parts(word: str, space: int) -> Iterator[str]:
    """Yield parts of a word that are no wider than ``space``."""
    if width(word) <= space:
        yield word
        return
    for part in filter(None, _PART.findall(word)):
        if width(part) <= space:
            yield part
        else:
            yield from part  # single characters; the caller joins those that fit


def _folded_line(text: str, style: str, space: int | None) -> list[Marked]:
    return [[(line, style)] for line in (_fold(text, space) if space is not None else [text])]


def _fold_marked(line: Marked, space: int) -> list[Marked]:
    """Fold a line of styled pieces; further lines are indented like its text."""
    text = "".join(printable(piece) for piece, _ in line)
    if width(text) <= space:
        return [line]
    first = printable(line[0][0])
    head = len(first) if first.endswith(" ") and width(first) <= space // 2 else min(len(text) - len(text.lstrip()), space // 2)
    indent = width(text[:head])
    styles = [style for piece, style in line for _ in printable(piece)]
    folded = _fold(text[head:], space - indent)
    folded[0] = text[:head] + folded[0]
    lines: list[Marked] = []
    position = 0
    for number, part in enumerate(folded):
        own: Marked = [(" " * indent, "")] if number else []
        for character in part:
            while text[position] != character:  # skip blanks between lines
                position += 1
            own.append((character, styles[position]))
            position += 1
        lines.append(_merged(own))
    return lines


def _merged(pieces: Marked) -> Marked:
    """Join neighbours of the same style."""
    merged: Marked = []
    for text, style in pieces:
        if merged and merged[-1][1] == style:
            merged[-1] = (merged[-1][0] + text, style)
        else:
            merged.append((text, style))
    return merged


# Writers of tables.
#
# Plain text, Markdown and LaTeX format values for people; CSV has full precision.
# Texts are untrusted: each writer escapes characters with a meaning in its format, and control characters.

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
        return _markdown(table, bold=bool(bold))
    if format == "latex":
        return _latex(table, bold=bold is not False)
    writers: dict[TableFormat, Callable[[Table], str]] = {"table": _plain, "csv": _csv}
    return writers[format](table)


def _shown(table: Table) -> list[list[str]]:
    return [[printable(column.shown(cell)) for column, cell in zip(table.columns, row, strict=True)] for row in table.rows]


def _plain(table: Table) -> str:
    return "".join("".join(text for text, _ in line) + "\n" for line in _table_lines(table))


def _markdown(table: Table, *, bold: bool = False) -> str:
    """Write a pipe table; title and notes are paragraphs."""

    def escaped(text: str) -> str:
        return "".join(f"\\{character}" if character in _MARKDOWN else character for character in text)

    def line(cells: list[str]) -> str:
        return "| " + " | ".join(cells) + " |"

    best = table.find_best_cells() if bold else set()
    lines = [f"**{escaped(printable(table.title))}**", ""] if table.title else []
    lines.append(line([escaped(printable(column.name)) for column in table.columns]))
    lines.append(line(["---" if column.is_text else "---:" for column in table.columns]))
    for row, cells in enumerate(_shown(table)):
        lines.append(line([f"**{escaped(cell)}**" if (row, index) in best else escaped(cell) for index, cell in enumerate(cells)]))
    for note in table.notes:
        lines += ["", escaped(printable(note))]  # a paragraph for each
    return "\n".join(lines) + "\n"


def _latex(table: Table, *, bold: bool = True) -> str:
    """Write a tabular for the booktabs package; title and notes are comments, because authors write their own captions.

    Letters of significance are superscripts, if they follow the column that they belong to.
    A table that may be longer than a page is a longtable.
    """
    raised = [index for index, (before, column) in enumerate(pairwise(table.columns), 1) if before.key == column.belongs_to != ""]
    own = [index for index in range(len(table.columns)) if index not in raised]
    best = table.find_best_cells() if bold else set()
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


def _csv(table: Table) -> str:
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


def print_table(table: Table, color: Literal["auto", "always", "never"] = "auto") -> None:
    """Print for people, fitted to the width of a terminal; in full elsewhere."""
    printer(color)(*_table_lines(table, _output_width()))
