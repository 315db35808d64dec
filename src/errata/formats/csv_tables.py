"""Tables in CSV and TSV."""

from __future__ import annotations

import csv
import io
from itertools import accumulate, islice
from threading import Lock
from typing import IO, TYPE_CHECKING

from errata.errors import FormatError, pluralise
from errata.formats.chunks import CHUNK_BYTES, CHUNK_ROWS, Chunk, Lines, OpenTable
from errata.formats.limits import advise_limit, get_limits, too_many_columns, too_many_lines
from errata.formats.lines import decode_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_BLOCK = 1 << 17
_FIELDS_IN_ROW = 16
"""A row has at most the bytes of so many values of the largest size."""
_LIMITING = Lock()
"""The length limit of fields is global to the process; it is changed while rows are read, and restored."""
_LONG_ROW = "row larger"
_EXPLANATIONS = {
    "new-line character": "a carriage return inside a line; lines must end in a line feed, or in both",
    _LONG_ROW: "a row of more than {row:,} bytes{advice}",
    "field larger": "a field of more than {field:,} characters{advice}",
    "unexpected end of data": "a quoted field does not end before the end of the file",
}
"""What errors of the module ``csv`` mean, by their beginnings."""
_ABOUT_ROWS = (_LONG_ROW, "field larger", "unexpected end of data")
"""Errors that are found in a later line than the one to look at."""


class CsvTable:
    """A table of which some rows were read."""

    def __init__(self, file: IO[bytes], path: str, delimiter: str, *, quoted: bool) -> None:
        self._file, self._path = file, path
        self._lines = self._bytes = self._most_bytes = 0
        self._longest_field = get_limits().max_field
        self._longest_row = _FIELDS_IN_ROW * self._longest_field
        self._reader = csv.reader(
            self._read_lines(), delimiter=delimiter, strict=True, quoting=csv.QUOTE_MINIMAL if quoted else csv.QUOTE_NONE
        )

    def open(self) -> OpenTable:
        """Read the header."""
        rows = self._read_rows(1)
        if not rows:
            raise FormatError(self._path, None, "the table is empty")
        (header,) = rows
        if len(header) > get_limits().max_columns:
            raise too_many_columns(self._path, len(header))
        return OpenTable(header, lambda wanted: self._read_chunks(header, wanted))

    def _read_lines(self) -> Iterator[str]:
        """Yield lines with their ends; a block of the file is decoded at a time."""
        max_lines = get_limits().max_lines
        while raw := self._file.read(_BLOCK):
            if not raw.endswith(b"\n"):
                rest = self._file.readline(self._longest_row)
                raw += rest
                if len(rest) == self._longest_row:
                    what = f"a line of more than {self._longest_row:,} bytes{advise_limit('field')}"
                    raise FormatError(self._path, self._lines + raw.count(b"\n") + 1, what)
            text = decode_text(raw, self._path, self._lines + 1)
            self._lines += raw.count(b"\n") + (not raw.endswith(b"\n"))
            self._bytes += len(raw)
            if self._lines > max_lines:
                raise too_many_lines(self._path)
            if self._bytes > self._most_bytes:
                raise csv.Error(_LONG_ROW)
            yield from io.StringIO(text, newline="\n")

    def _read_rows(self, count: int) -> list[list[str]]:
        enough = self._bytes + CHUNK_BYTES
        self._most_bytes = enough + self._longest_row
        first = self._reader.line_num + 1
        rows: list[list[str]] = []
        try:
            with _LIMITING:
                of_others = csv.field_size_limit(self._longest_field)
                try:
                    for row in islice(self._reader, count):
                        rows.append(row)
                        if self._bytes > enough:
                            break
                finally:
                    csv.field_size_limit(of_others)
        except csv.Error as error:
            line = _count_lines(first, rows)[-1] if str(error).startswith(_ABOUT_ROWS) else self._reader.line_num
            known = next((text for beginning, text in _EXPLANATIONS.items() if str(error).startswith(beginning)), "")
            known = known.format(row=self._longest_row, field=self._longest_field, advice=advise_limit("field"))
            raise FormatError(self._path, line, known or f"cannot be read: {error}") from None
        return rows

    def _read_chunks(self, header: Sequence[str], wanted: Sequence[str]) -> Iterator[Chunk]:
        positions = {name: header.index(name) for name in wanted}
        first = self._reader.line_num + 1
        while rows := self._read_rows(CHUNK_ROWS):
            consecutive = self._reader.line_num - first + 1 == len(rows)
            lines = Lines(first, () if consecutive else _count_lines(first, rows))
            first = self._reader.line_num + 1
            if [] in rows:  # empty lines are skipped
                lines = Lines(first, [lines.of(number) for number, row in enumerate(rows) if row])
                rows = [row for row in rows if row]
                if not rows:
                    continue
            if set(map(len, rows)) != {len(header)}:
                wrong = next(number for number, row in enumerate(rows) if len(row) != len(header))
                raise FormatError(self._path, lines.of(wrong), f"expected {pluralise(len(header), 'column')}, found {len(rows[wrong]):,}")
            columns = list(zip(*rows, strict=True))
            yield Chunk({name: columns[position] for name, position in positions.items()}, lines, len(rows))


def _count_lines(first: int, rows: Sequence[Sequence[str]]) -> list[int]:
    """Count at which line each row begins, and the line after the last; fields may contain line ends."""
    return list(accumulate((1 + sum(field.count("\n") for field in row) for row in rows), initial=first))
