"""Fitting tables and lines to a width.

In a table that is too wide, headings are folded first, then columns move closer, then texts are folded.
If that is not enough, columns are shown in blocks, and each block repeats the columns that identify a row.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from errata.html import printable
from errata.report.text import width

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from errata.report.markup import Marked
    from errata.report.table import Table

LEAST_WIDTH = 40
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


def table_lines(table: Table, space: int | None = None) -> list[Marked]:
    """Write a table as lines, with its title and notes; no line is wider than ``space``, if that is given and at least 40."""
    if space is not None:
        space = max(space, LEAST_WIDTH)
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
    headings = [fold(column.heading, space) for column, space in zip(block.columns, block.widths, strict=True)]
    height = max(map(len, headings))
    headings = [[""] * (height - len(lines)) + lines for lines in headings]
    for line in _joined(block, headings):
        yield [(line, _HEADING)]
    yield [((" " * block.gap).join("─" * space for space in block.widths), "")]
    for cells in zip(*(column.cells for column in block.columns), strict=True):
        for line in _joined(block, [fold(cell, space) for cell, space in zip(cells, block.widths, strict=True)]):
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


def fold(text: str, space: int) -> list[str]:
    """Fold a text to lines of at most ``space``: at blanks, in a longer word after a hyphen or the like, else anywhere.

    >>> fold("a note of six words", 8), fold("a-long-name", 7)
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
    return [[(line, style)] for line in (fold(text, space) if space is not None else [text])]


def fold_marked(line: Marked, space: int) -> list[Marked]:
    """Fold a line of styled pieces; further lines are indented like its text."""
    text = "".join(printable(piece) for piece, _ in line)
    if width(text) <= space:
        return [line]
    first = printable(line[0][0])
    head = len(first) if first.endswith(" ") and width(first) <= space // 2 else min(len(text) - len(text.lstrip()), space // 2)
    indent = width(text[:head])
    styles = [style for piece, style in line for _ in printable(piece)]
    folded = fold(text[head:], space - indent)
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
