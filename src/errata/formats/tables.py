"""Read tables in chunks of rows, as columns: CSV, TSV, JSON Lines and Parquet."""

from __future__ import annotations

import io
from contextlib import contextmanager
from itertools import accumulate, chain, islice
from threading import Lock
from typing import TYPE_CHECKING, Any, NamedTuple

from errata.errors import FormatError, InputError, UsageError, pluralise, suggest
from errata.formats.jsonl import expect, parse_json
from errata.formats.lines import (
    BYTES_PER_TOKEN,
    COMPRESSED,
    Limits,
    decode_text,
    display_path,
    get_limits,
    open_bytes,
    read_lines,
    require_pyarrow,
    without_compression,
)
from errata.formats.problems import Problem, Problems

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence


_CHUNK_ROWS = 4_000
"""Rows at a time; more would not fit into the processor's cache."""
_CHUNK_BYTES = 1 << 22
"""Bytes after which a chunk has no further rows, because a row may be long."""
_SHOWN = 20
_MISSPELT = 0.85
"""Similarity of a column that is not read with a name that is missing, from which it is probably misspelt."""


def find_repeated(names: Iterable[str]) -> str | None:
    """Find the first name that occurred before.

    >>> find_repeated(["a", "b", "a"]), find_repeated(["a", "b"])
    ('a', None)
    """
    seen: set[str] = set()
    for name in names:
        if name in seen:
            return name
        seen.add(name)
    return None


def list_columns(names: Sequence[str]) -> str:
    """List the names of columns for a message.

    >>> list_columns(["error", "flagged"])
    'error, flagged'
    """
    more = f" and {len(names) - _SHOWN:,} more" if len(names) > _SHOWN else ""
    return ", ".join(name[:40] for name in names[:_SHOWN]) + more


def warn_of_misspelt(header: Sequence[str], read: Sequence[str], names: Iterable[str], path: str, warn: Callable[[Problem], None]) -> None:
    """Warn about columns that are not read, but resemble a name that no column has.

    Other columns are not errors: they may be there for other programs, or as ``confidence_b`` does, belong to a system that is not there.
    """
    missing = [name for name in names if name not in header]
    for column in set(header) - set(read):
        if meant := suggest(column, [name for name in missing if name not in column], _MISSPELT):
            warn(Problem(path, 1, "warning", f"the column {column[:40]!r} is skipped{meant}"))


class Lines(NamedTuple):
    """The first line of each row; in Parquet, the number of each row."""

    first: int
    known: Sequence[int] = ()
    """The line of each row, if lines are not consecutive."""

    def of(self, row: int) -> int:
        """Get the line of a row, whose index starts at 0."""
        return self.known[row] if self.known else self.first + row


class Chunk(NamedTuple):
    """Some rows, as columns."""

    columns: dict[str, Sequence[Any]]
    lines: Lines
    rows: int


class OpenTable(NamedTuple):
    """A table that is being read; it can be read once."""

    header: list[str]
    """The names of the columns; in JSON Lines, the keys of the first object."""
    chunks: Callable[[Sequence[str]], Iterator[Chunk]]
    """Yields chunks of rows with the given columns."""


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


class _CsvTable:
    """A table of which some rows were read."""

    def __init__(self, file: io.BufferedIOBase, path: str, delimiter: str, *, quoted: bool) -> None:
        import csv

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
            raise get_limits().too_many_columns(self._path, len(header))
        return OpenTable(header, lambda wanted: self._read_chunks(header, wanted))

    def _read_lines(self) -> Iterator[str]:
        """Yield lines with their ends; a block of the file is decoded at a time."""
        import csv

        max_lines = get_limits().max_lines
        while raw := self._file.read(_BLOCK):
            if not raw.endswith(b"\n"):
                rest = self._file.readline(self._longest_row)
                raw += rest
                if len(rest) == self._longest_row:
                    what = f"a line of more than {self._longest_row:,} bytes{Limits.advise('field')}"
                    raise FormatError(self._path, self._lines + raw.count(b"\n") + 1, what)
            text = decode_text(raw, self._path, self._lines + 1)
            self._lines += raw.count(b"\n") + (not raw.endswith(b"\n"))
            self._bytes += len(raw)
            if self._lines > max_lines:
                raise get_limits().too_many_lines(self._path)
            if self._bytes > self._most_bytes:
                raise csv.Error(_LONG_ROW)
            yield from io.StringIO(text, newline="\n")

    def _read_rows(self, count: int) -> list[list[str]]:
        import csv

        enough = self._bytes + _CHUNK_BYTES
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
            known = known.format(row=self._longest_row, field=self._longest_field, advice=Limits.advise("field"))
            raise FormatError(self._path, line, known or f"cannot be read: {error}") from None
        return rows

    def _read_chunks(self, header: Sequence[str], wanted: Sequence[str]) -> Iterator[Chunk]:
        positions = {name: header.index(name) for name in wanted}
        first = self._reader.line_num + 1
        while rows := self._read_rows(_CHUNK_ROWS):
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


class _Row(NamedTuple):
    line: int
    record: dict[str, Any]
    length: int


def _open_json_table(path: str) -> OpenTable:
    """Read the first object."""
    rows = _read_rows(path)
    path = display_path(path)
    first = next(rows, None)
    if first is None:
        raise FormatError(path, None, "the table is empty")
    header = list(first.record)
    if len(header) > get_limits().max_columns:
        raise get_limits().too_many_columns(path, len(header))
    return OpenTable(header, lambda wanted: _read_chunks(chain([first], rows), path, header, wanted))


def _read_rows(path: str) -> Iterator[_Row]:
    problems = Problems(display_path(path))
    for line in read_lines(path, problems, get_limits().max_field // BYTES_PER_TOKEN, Limits.advise("field").removeprefix("; ")):
        if not line.text.strip():
            continue
        try:
            record = expect(dict, parse_json(line.text), "a row")
            if "\\u" in line.text:  # an escape may stand for what is not text
                for name, value in record.items():
                    expect(str, name, "a key")
                    if isinstance(value, str):
                        expect(str, value, name[:40])
        except InputError as error:
            raise FormatError(problems.path, line.number, str(error)) from None
        yield _Row(line.number, record, len(line.text))


def _read_chunks(rows: Iterator[_Row], path: str, header: Sequence[str], wanted: Sequence[str]) -> Iterator[Chunk]:
    known = set(header)
    while batch := _take(rows):
        columns: dict[str, list[Any]] = {name: [] for name in wanted}
        for line, record, _ in batch:
            if not known.issuperset(record):
                new = next(name for name in record if name not in known)
                raise FormatError(
                    path, line, f"unknown key {new[:40]!r}; all objects must have the keys of the first: {', '.join(header)[:200]}"
                )
            for name, column in columns.items():
                if name not in record:
                    raise FormatError(path, line, f"expected the key {name[:40]!r}, found {', '.join(record)[:200]}")
                column.append(record[name])
        yield Chunk(dict(columns), Lines(0, [row.line for row in batch]), len(batch))


def _take(rows: Iterator[_Row]) -> list[_Row]:
    taken: list[_Row] = []
    length = 0
    for row in rows:
        taken.append(row)
        length += row.length
        if len(taken) == _CHUNK_ROWS or length > _CHUNK_BYTES:
            break
    return taken


# Tables in Parquet, in which few bytes may stand for very many: the sizes that the footer states are checked.

_TABLE_BATCH_ROWS = 100_000
_BATCH_VALUES = 1_000_000
"""Values of all columns that are decoded at a time."""
_TABLE_BATCH_BYTES = 1 << 26
"""Bytes of texts that are decoded at a time, if each may repeat the one before it."""
_DELTA_ROWS = 1_000
_DELTA = frozenset({"DELTA_BYTE_ARRAY", "DELTA_LENGTH_BYTE_ARRAY"})
"""Encodings of texts of which pyarrow makes no dictionaries; in the first, a text says how much it repeats of the one before it."""
_VALUE = 8
"""Bytes of a number, or of a reference to a text."""
_DECODED = " when decoded"


def _open_parquet_table(path: str) -> OpenTable:
    """Read the names of the columns, and check the numbers of columns and rows."""
    require_pyarrow("Parquet")
    from pyarrow import BufferReader, parquet

    shown = display_path(path)
    content: bytes | None = None
    with as_parquet(shown):
        if path == "-" or path.endswith(COMPRESSED) or path != shown:  # pyarrow takes no name that is not Unicode
            with open_bytes(path) as compressed:
                content = compressed.read()
        source = path if content is None else BufferReader(content)
        file = parquet.ParquetFile(source)
        schema = file.schema_arrow
    if file.metadata.num_columns > get_limits().max_columns:
        raise get_limits().too_many_columns(shown, file.metadata.num_columns)
    if file.metadata.num_rows > get_limits().max_lines:
        raise get_limits().too_many_lines(shown, "rows")

    def read_chunks(wanted: Sequence[str]) -> Iterator[Chunk]:
        with as_parquet(shown):
            batch_rows, delta = _check_sizes(file, wanted, shown)
            texts = [name for name in wanted if _is_text_field(schema.field(name), shown) and name not in delta]
            batches = parquet.ParquetFile(source, read_dictionary=texts).iter_batches(batch_size=batch_rows, columns=list(wanted))
        return _Decoder(shown, file.metadata.num_rows).read_chunks(batches, wanted)

    return OpenTable(list(schema.names), read_chunks)


@contextmanager
def as_parquet(path: str) -> Iterator[None]:
    """Turn errors of pyarrow into :class:`FormatError`."""
    import pyarrow as pa

    try:
        yield
    except (OSError, pa.ArrowException, UnicodeDecodeError) as error:
        raise FormatError(path, None, f"cannot be read as Parquet: {error}") from None


def describe_columns(file: Any, group: int, names: Sequence[str]) -> dict[str, Any]:
    """Get what the footer says of columns of a row group with rows.

    pyarrow ends the process if it is asked about a column that a damaged footer does not have in full; reading a row of it is an error.
    """
    next(file.iter_batches(1, [group], list(names), use_threads=False), None)
    row_group = file.metadata.row_group(group)
    paths = {file.metadata.schema.column(index).path: index for index in range(file.metadata.num_columns)}
    return {name: row_group.column(paths[name]) for name in names if name in paths}


def _check_sizes(file: Any, wanted: Sequence[str], path: str) -> tuple[int, set[str]]:
    """Refuse columns that are too large; return how many rows to decode at a time, and the columns whose texts may repeat others."""
    total = 0
    delta: dict[str, int] = {}
    for group in range(file.metadata.num_row_groups):
        if file.metadata.row_group(group).num_rows:
            for name, column in describe_columns(file, group, wanted).items():
                total += column.total_uncompressed_size
                if not _DELTA.isdisjoint(column.encodings):
                    delta[name] = max(delta.get(name, 1), column.total_uncompressed_size)
    if max(total, file.metadata.num_rows * len(wanted) * _VALUE) > get_limits().max_bytes:
        raise get_limits().too_many_bytes(path, _DECODED)
    rows = min(_TABLE_BATCH_ROWS, max(1, _BATCH_VALUES // max(1, len(wanted))))
    if delta:  # such a text is not longer than all that is stored
        rows = min(rows, _DELTA_ROWS, max(1, _TABLE_BATCH_BYTES // sum(delta.values())))
    return rows, set(delta)


def _is_text_field(field: Any, path: str) -> bool:
    """Tell whether a column has texts; refuse columns of anything but texts and numbers."""
    from pyarrow import types

    kind = field.type.value_type if types.is_dictionary(field.type) else field.type
    if types.is_string(kind) or types.is_large_string(kind):
        return True
    if types.is_integer(kind) or types.is_floating(kind) or types.is_boolean(kind) or types.is_decimal(kind) or types.is_null(kind):
        return False
    raise FormatError(path, None, f"{field.name[:40]}: expected texts or numbers, found the type {str(kind)[:60]}")


class _Decoder:
    """Decodes batches of rows, and counts the bytes of their texts as if each row had its own."""

    def __init__(self, path: str, rows: int) -> None:
        self._path, self._rows = path, rows
        self._limits = get_limits()
        self._bytes = 0
        self._row = 1
        """The number of the first row of a batch."""

    def read_chunks(self, batches: Iterator[Any], wanted: Sequence[str]) -> Iterator[Chunk]:
        """Yield a chunk for each batch."""
        while True:
            with as_parquet(self._path):
                batch = next(batches, None)
                if batch is None:
                    break
                if self._row + batch.num_rows - 1 > self._limits.max_lines:
                    raise get_limits().too_many_lines(self._path, "rows")
                columns = {name: self._read_values(batch.column(name), name) for name in wanted}
            yield Chunk(columns, Lines(self._row), batch.num_rows)
            self._row += batch.num_rows
        if self._row - 1 != self._rows:
            raise FormatError(self._path, None, f"cannot be read as Parquet: {self._row - 1:,} rows, expected {self._rows:,}")

    def _read_values(self, column: Any, name: str) -> Any:
        """Convert a column: numbers to an array, if none is missing; everything else to a list."""
        import pyarrow as pa

        if pa.types.is_decimal(column.type):
            column = column.cast(pa.float64())
        if pa.types.is_string(column.type) or pa.types.is_large_string(column.type):
            column = column.dictionary_encode()
        if pa.types.is_dictionary(column.type):
            return self._read_texts(column, name)
        number = pa.types.is_floating(column.type) or pa.types.is_integer(column.type)
        return column.to_numpy(zero_copy_only=False) if number and not column.null_count else column.to_pylist()

    def _read_texts(self, column: Any, name: str) -> list[Any]:
        """Decode the different values of a column, each once."""
        import numpy as np
        from pyarrow import array, types

        numbers, rows = np.unique(column.indices.fill_null(-1).to_numpy(zero_copy_only=False), return_inverse=True)
        missing = int(numbers[:1].tolist() == [-1])
        used = column.dictionary.take(array(numbers[missing:]))
        if types.is_string(used.type) or types.is_large_string(used.type):
            self._check_lengths(used, rows, missing, name)
        values = [None] * missing + used.to_pylist()
        if (bad := next((index for index, value in enumerate(values) if isinstance(value, str) and "\0" in value), None)) is not None:
            raise FormatError(self._path, self._find(rows, bad), f"{name[:40]}: a NUL in a text")
        return [values[index] for index in rows.tolist()]

    def _check_lengths(self, texts: Any, rows: Any, missing: int, name: str) -> None:
        import numpy as np
        from pyarrow import compute

        own = compute.binary_length(texts).fill_null(0).to_numpy(zero_copy_only=False)
        lengths = np.concatenate([np.zeros(missing, dtype=np.int64), own.astype(np.int64)])
        if len(lengths) and lengths.max() > (most := self._limits.max_field):
            what = f"{name[:40]}: a text of {int(lengths.max()):,} bytes, more than the limit of {most:,}{Limits.advise('field')}"
            raise FormatError(self._path, self._find(rows, int(lengths.argmax())), what)
        self._bytes += int(lengths[rows].sum())
        if self._bytes > self._limits.max_bytes:
            raise get_limits().too_many_bytes(self._path, _DECODED)

    def _find(self, rows: Any, value: int) -> int:
        """Find the first row with a value."""
        return self._row + int((rows == value).argmax())


TABULAR_FORMATS = ("csv", "tsv", "jsonl", "parquet")


def find_table_format(path: str) -> str | None:
    """Find the format of a table by its extension; None if that is of no table."""
    extension = without_compression(path.lower()).rpartition(".")[2]
    return extension if extension in TABULAR_FORMATS else None


def guess_table_format(path: str) -> str:
    """Guess the format of a table of cases or answers, which can be named instead, by its extension."""
    if (found := find_table_format(path)) is not None:
        return found
    raise UsageError(f"a table must have the extension .csv, .tsv, .jsonl or .parquet, found {display_path(path)!r}; else name its format")


@contextmanager
def open_table(path: str, format_: str, *, quoted: bool = True) -> Iterator[OpenTable]:
    """Open a table; reading it may raise :class:`FormatError`.  In CSV and TSV, fields may be ``quoted``."""
    if format_ == "parquet":
        yield _open_parquet_table(path)
    elif format_ == "jsonl":
        yield _open_json_table(path)
    else:
        with open_bytes(path) as file:
            yield _CsvTable(file, display_path(path), "\t" if format_ == "tsv" else ",", quoted=quoted).open()
