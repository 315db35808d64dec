"""Read tables in chunks of rows, as columns: CSV, TSV, JSON Lines and Parquet."""

from __future__ import annotations

import csv
import io
import json
from contextlib import contextmanager
from itertools import chain, islice
from threading import Lock
from typing import TYPE_CHECKING, Any, NamedTuple

from errata.errors import FormatError, RequestError, UsageError
from errata.formats.lines import display_path, open_bytes
from errata.words import pluralise

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

_CHUNK = 4_000
"""Rows at a time; more would not fit into the processor's cache."""
_BATCH = 100_000
"""Rows of Parquet at a time; its columns are arrays."""
_LONGEST_FIELD = 1 << 20
TABULAR_FORMATS = ("csv", "tsv", "jsonl", "parquet")


class Chunk(NamedTuple):
    """Some rows, as columns."""

    columns: dict[str, Sequence[Any]]
    lines: Lines
    rows: int


class Lines(NamedTuple):
    """The first line of each row; in Parquet, the number of each row."""

    first: int
    texts: Sequence[Sequence[str]] = ()
    """The fields of each row, if fields may contain line ends."""
    known: Sequence[int] = ()
    """The line of each row, if lines are not consecutive."""

    def of(self, row: int) -> int:
        """Get the line of a row, whose index starts at 0."""
        inside = sum(field.count("\n") for fields in self.texts[:row] for field in fields)
        return self.known[row] if self.known else self.first + row + inside


def guess_table_format(path: str) -> str:
    """Guess the format of a table by its extension."""
    extension = path.lower().removesuffix(".gz").rpartition(".")[2]
    if extension in TABULAR_FORMATS:
        return extension
    raise UsageError(
        f"a table of cases must have the extension .csv, .tsv, .jsonl or .parquet, found {display_path(path)!r}; else name its format"
    )


class OpenTable(NamedTuple):
    """A table that is being read; it can be read once."""

    header: list[str]
    """The names of the columns; in JSON Lines, the keys of the first object."""
    chunks: Callable[[Sequence[str]], Iterator[Chunk]]
    """Yields chunks of rows with the given columns."""


@contextmanager
def open_table(path: str, format_: str, *, quoted: bool = True) -> Iterator[OpenTable]:
    """Open a table; reading it may raise :class:`FormatError`.  In CSV and TSV, fields may be ``quoted``."""
    if format_ == "parquet":
        file = _parquet(path)
        yield OpenTable(list(file.schema_arrow.names), lambda wanted: _parquet_chunks(file, path, wanted))
        return
    with open_bytes(path) as file:
        yield _jsonl_table(file, display_path(path)) if format_ == "jsonl" else _csv_table(file, display_path(path), format_, quoted=quoted)


def _csv_table(file: Any, path: str, format_: str, *, quoted: bool) -> OpenTable:
    text = io.TextIOWrapper(file, encoding="utf-8-sig", newline="")
    reader = csv.reader(
        text, delimiter="\t" if format_ == "tsv" else ",", strict=True, quoting=csv.QUOTE_MINIMAL if quoted else csv.QUOTE_NONE
    )
    header = _csv_rows(reader, path, 1)
    if not header:
        raise FormatError(path, None, "the table is empty")
    return OpenTable(header[0], lambda wanted: _csv_chunks(reader, path, header[0], wanted))


_LIMITING = Lock()
"""The length limit of fields is global to the process; it is changed while rows are read, and restored."""


def _csv_rows(reader: Any, path: str, count: int) -> list[list[str]]:
    try:
        with _LIMITING:
            of_others = csv.field_size_limit(_LONGEST_FIELD)
            try:
                return list(islice(reader, count))
            finally:
                csv.field_size_limit(of_others)
    except (csv.Error, UnicodeDecodeError) as error:
        raise FormatError(path, reader.line_num + 1, f"cannot be read: {error}") from None


def _csv_chunks(reader: Any, path: str, header: list[str], wanted: Sequence[str]) -> Iterator[Chunk]:
    first = reader.line_num + 1
    while rows := _csv_rows(reader, path, _CHUNK):
        lines = Lines(first, rows if reader.line_num - first + 1 != len(rows) else ())
        if [] in rows:  # empty lines are skipped
            lines = Lines(first, (), [lines.of(number) for number, row in enumerate(rows) if row])
            rows = [row for row in rows if row]
            if not rows:
                first = reader.line_num + 1
                continue
        if set(map(len, rows)) != {len(header)}:
            wrong = next(number for number, row in enumerate(rows) if len(row) != len(header))
            raise FormatError(path, lines.of(wrong), f"expected {pluralise(len(header), 'column')}, found {len(rows[wrong])}")
        columns = list(zip(*rows, strict=True))
        yield Chunk({name: columns[header.index(name)] for name in wanted}, lines, len(rows))
        first = reader.line_num + 1


def _jsonl_table(file: Any, path: str) -> OpenTable:
    objects = _objects(file, path)
    first = next(objects, None)
    if first is None:
        raise FormatError(path, None, "the table is empty")
    return OpenTable(list(first[1]), lambda wanted: _jsonl_chunks(chain([first], objects), path, list(first[1]), wanted))


def _objects(file: Any, path: str) -> Iterator[tuple[int, dict[str, Any]]]:
    number = 0
    while raw := file.readline(_LONGEST_FIELD + 1):
        number += 1
        if len(raw) > _LONGEST_FIELD:
            raise FormatError(path, number, f"a line longer than {_LONGEST_FIELD:,} bytes")
        if not raw.strip():
            continue
        try:
            record = json.loads(raw.decode("utf-8-sig"))
        except (ValueError, RecursionError) as error:
            raise FormatError(path, number, f"not JSON: {error}") from None
        if not isinstance(record, dict):
            raise FormatError(path, number, f"a case must be an object, found {type(record).__name__}")
        yield number, record


def _jsonl_chunks(
    objects: Iterator[tuple[int, dict[str, Any]]], path: str, header: Sequence[str], wanted: Sequence[str]
) -> Iterator[Chunk]:
    known = set(header)
    while batch := list(islice(objects, _CHUNK)):
        columns: dict[str, list[Any]] = {name: [] for name in wanted}
        for number, record in batch:
            if not known.issuperset(record):
                new = next(name for name in record if name not in known)
                raise FormatError(
                    path, number, f"unknown key {new[:40]!r}; all objects must have the keys of the first: {', '.join(header)[:200]}"
                )
            for name, column in columns.items():
                if name not in record:
                    raise FormatError(path, number, f"expected the key {name!r}, found {', '.join(record)[:200]}")
                column.append(record[name])
        yield Chunk(dict(columns), Lines(0, (), [number for number, _ in batch]), len(batch))


def _parquet(path: str) -> Any:
    try:
        from pyarrow import BufferReader, parquet
    except ModuleNotFoundError:
        raise RequestError("Parquet needs pyarrow, which is not installed: pip install 'errata[parquet]'") from None
    with _as_parquet(path):
        if path != "-" and not path.endswith(".gz") and path == display_path(path):  # pyarrow takes no name that is not Unicode
            return parquet.ParquetFile(path)
        with open_bytes(path) as file:
            return parquet.ParquetFile(BufferReader(file.read()))


@contextmanager
def _as_parquet(path: str) -> Iterator[None]:
    """Turn errors of pyarrow into :class:`FormatError`."""
    import pyarrow as pa

    try:
        yield
    except (OSError, pa.ArrowException, UnicodeDecodeError) as error:
        raise FormatError(display_path(path), None, f"cannot be read as Parquet: {error}") from None


def _values(column: Any) -> Any:
    """Convert a column: numbers to an array, if none is missing; everything else to a list."""
    import pyarrow as pa

    if pa.types.is_decimal(column.type):
        column = column.cast(pa.float64())
    number = pa.types.is_floating(column.type) or pa.types.is_integer(column.type)
    return column.to_numpy(zero_copy_only=False) if number and not column.null_count else column.to_pylist()


def _parquet_chunks(file: Any, path: str, wanted: Sequence[str]) -> Iterator[Chunk]:
    first = 1
    batches = file.iter_batches(batch_size=_BATCH, columns=list(wanted))
    while True:
        with _as_parquet(path):
            batch = next(batches, None)
            if batch is None:
                return
            columns = {name: _values(batch.column(index)) for index, name in enumerate(batch.schema.names)}
        yield Chunk(columns, Lines(first), batch.num_rows)
        first += batch.num_rows
