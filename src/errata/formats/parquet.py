"""Tables and columns of texts in Parquet, in which few bytes may stand for very many: sizes are checked before anything is decoded."""

from __future__ import annotations

from contextlib import contextmanager
from io import BytesIO
from itertools import pairwise
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, NamedTuple

from errata.errors import FormatError
from errata.formats.lines import (
    COMPRESSED,
    advise_limit,
    display_path,
    get_limits,
    open_bytes,
    require_pyarrow,
    too_many_bytes,
    too_many_columns,
    too_many_lines,
)
from errata.formats.tables import Chunk, Lines, OpenTable

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import numpy as np
    from numpy.typing import NDArray


# --- Structs in the compact protocol of Thrift, in which Parquet describes itself.
#
# https://github.com/apache/thrift/blob/master/doc/specs/thrift-compact-protocol.md

_TRUE, _FALSE, _BYTE, _DOUBLE, _BINARY, _LIST, _SET, _STRUCT = 1, 2, 3, 7, 8, 9, 10, 12
_INTEGERS = (4, 5, 6)
_LONG_LIST = 15
_MOST_LEVELS = 16
_MORE = 128
"""Bit of a byte that says that the number goes on."""
_MOST_BITS = 63


class ThriftError(Exception):
    """What cannot be read as a struct."""


class _IncompleteStructError(ThriftError):
    """A struct that is longer than the bytes that are there."""


class _CompactReader:
    """Reads values one after the other."""

    def __init__(self, content: bytes) -> None:
        self._content = content
        self.position = 0
        self._levels = 0

    def read_struct(self) -> dict[int, Any]:
        """Read the fields of a struct: whole numbers, truth values and structs by their number; of anything else None."""
        return {number: self.read_value(kind) for number, kind in self.fields()}

    def fields(self) -> Iterator[tuple[int, int]]:
        """Yield the number and the type of each field of a struct; its value must be read before the next."""
        if self._levels == _MOST_LEVELS:
            raise ThriftError("too many structs inside each other")
        self._levels += 1
        number = 0
        while (head := self._read_byte()) != 0:
            number = number + (head >> 4) if head >> 4 else self._read_integer()
            yield number, -(head & 15) if head & 15 in {_TRUE, _FALSE} else head & 15  # the type of a truth value is its value
        self._levels -= 1

    def elements(self) -> Iterator[int]:
        """Yield the type of each element of a list; its value must be read before the next."""
        head = self._read_byte()
        for _ in range(self._read_varint() if head >> 4 == _LONG_LIST else head >> 4):
            yield head & 15

    def read_value(self, kind: int) -> Any:
        """Read a value of a type."""
        if kind < 0:
            return kind == -_TRUE
        if kind in _INTEGERS:
            return self._read_integer()
        if kind == _STRUCT:
            return self.read_struct()
        if kind == _BINARY:
            return self._pass(self._read_varint())
        if kind in {_LIST, _SET}:
            for inner in self.elements():
                self.read_value(inner)
            return None
        if kind in {_TRUE, _FALSE, _BYTE, _DOUBLE}:
            return self._pass(8 if kind == _DOUBLE else 1)
        raise ThriftError(f"a value of the unknown type {kind}")

    def _read_byte(self) -> int:
        self._pass(1)
        return self._content[self.position - 1]

    def _read_varint(self) -> int:
        value = bits = 0
        while True:
            byte = self._read_byte()
            value |= (byte & ~_MORE) << bits
            if byte < _MORE:
                return value
            bits += 7
            if bits > _MOST_BITS:
                raise ThriftError("a number that is too large")

    def _read_integer(self) -> int:
        value = self._read_varint()
        return (value >> 1) ^ -(value & 1)

    def _pass(self, count: int) -> None:
        self.position += count
        if self.position > len(self._content):
            raise _IncompleteStructError("fewer bytes than it says")


# --- Where the pages of a Parquet column are and how large they are, before anything is decompressed.
#
# pyarrow decodes a page as a whole and has no limit for it, and the sizes in the footer are not checked against the pages.
# Where a column is in a damaged file cannot be asked of pyarrow either: an exception of its own ends the process.
# https://parquet.apache.org/docs/file-format/ describes the structs.

_DATA, _DICTIONARY, _DATA_2 = 0, 2, 3
_DETAILS = {_DATA: 5, _DICTIONARY: 7, _DATA_2: 8}
"""The field of a header that has more about a page, by the type of the page."""
_ENCODING = {_DATA: 2, _DICTIONARY: 2, _DATA_2: 4}
_ROW_GROUPS, _COLUMNS, _METADATA = 4, 1, 3
_COMPRESSED_SIZE, _DATA_OFFSET, _DICTIONARY_OFFSET = 7, 9, 11
_FIRST_READ, _MOST_READ = 1 << 12, 1 << 24
"""Bytes in which a header is expected; pyarrow refuses headers of more than 16 MiB."""
DELTA_BYTE_ARRAY = 7
"""An encoding in which a text says how much it repeats of the one before it."""
_END = 8
"""Bytes after the footer: its length, and the mark of the format."""


class ColumnPlace(NamedTuple):
    """Where a column of a row group starts and stops in a file."""

    start: int
    stop: int


class Page(NamedTuple):
    """What the header of a page says."""

    is_dictionary: bool
    size: int
    """Bytes, compressed or not, whichever are more."""
    values: int
    encoding: int


def find_places(file: IO[bytes], columns: Sequence[int]) -> list[list[ColumnPlace]]:
    """Find columns in every row group; raise :class:`ThriftError` if the footer does not say where they are."""
    file.seek(-_END, 2)
    length = int.from_bytes(file.read(4), "little")
    file.seek(-_END - length, 2)
    reader = _CompactReader(file.read(length))
    places = []
    for field, kind in reader.fields():
        if field != _ROW_GROUPS:
            reader.read_value(kind)
            continue
        places = [_find_places(reader, columns) for kind in reader.elements() if _expect_struct(kind)]
    return places


def _find_places(reader: _CompactReader, columns: Sequence[int]) -> list[ColumnPlace]:
    """Read a row group."""
    found: dict[int, dict[int, Any]] = {}
    for field, kind in reader.fields():
        if field != _COLUMNS:
            reader.read_value(kind)
            continue
        for index, element in enumerate(reader.elements()):
            chunk = reader.read_value(element)
            if index in columns:
                found[index] = _get_struct(chunk, _METADATA)
    return [_make_place(found.get(index, {})) for index in columns]


def _make_place(metadata: dict[int, Any]) -> ColumnPlace:
    size, start, dictionary = (metadata.get(field) for field in (_COMPRESSED_SIZE, _DATA_OFFSET, _DICTIONARY_OFFSET))
    if not isinstance(start, int) or not isinstance(size, int) or start < 0:
        raise ThriftError("the footer does not say where a column is")
    if isinstance(dictionary, int) and 0 < dictionary < start:
        start = dictionary
    return ColumnPlace(start, start + size)


def _get_struct(fields: Any, number: int) -> dict[int, Any]:
    """Get a field that is a struct; one without fields if there is none."""
    found = fields.get(number) if isinstance(fields, dict) else None
    return found if isinstance(found, dict) else {}


def _expect_struct(kind: int) -> bool:
    if kind != _STRUCT:
        raise ThriftError("expected a struct")
    return True


def read_all_pages(file: IO[bytes], place: ColumnPlace, rows: int) -> Iterator[Page]:
    """Yield the pages of a column without lists; raise :class:`ThriftError` unless they have a value for each row.

    What follows such pages need not be a page.
    """
    values = 0
    try:
        for page in _read_pages(file, place):
            yield page
            values += 0 if page.is_dictionary else page.values
    except ThriftError:
        if values < rows:
            raise
    if values < rows:
        raise ThriftError(f"pages with {values:,} values, expected {rows:,}")


def _read_pages(file: IO[bytes], place: ColumnPlace) -> Iterator[Page]:
    """Yield the pages of a column; raise :class:`ThriftError` where there is no page."""
    start = place.start
    while start < place.stop:
        header, length = _read_header(file, start)
        kind, unpacked, packed = (header.get(field) for field in (1, 2, 3))
        if not isinstance(unpacked, int) or not isinstance(packed, int) or unpacked < 0 or packed < 0:
            raise ThriftError("a page without a size")
        start += length + packed
        if not isinstance(kind, int) or kind not in _DETAILS:
            continue
        details = _get_struct(header, _DETAILS[kind])
        values, encoding = details.get(1), details.get(_ENCODING[kind])
        if not isinstance(values, int) or not isinstance(encoding, int) or values < 0:
            raise ThriftError("a page without a number of values")
        yield Page(kind == _DICTIONARY, max(unpacked, packed), values, encoding)


def _read_header(file: IO[bytes], start: int) -> tuple[dict[int, Any], int]:
    """Read the header of a page; return its fields and its length."""
    size = _FIRST_READ
    while True:
        file.seek(start)
        content = file.read(size)
        reader = _CompactReader(content)
        try:
            return reader.read_struct(), reader.position
        except _IncompleteStructError:
            if len(content) < size or size >= _MOST_READ:
                raise
            size *= 16


# --- Tables in Parquet, in which few bytes may stand for very many: sizes are checked before anything is decoded.

_TABLE_BATCH_ROWS = 100_000
_BATCH_VALUES = 1_000_000
"""Values of all columns that are decoded at a time."""
_TABLE_BATCH_BYTES = 1 << 26
"""Bytes of texts that are decoded at a time, if each may repeat the one before it."""
_REPEATING_ROWS = 1_000
_VALUE = 8
"""Bytes of a number, or of a reference to a text."""
_DECODED = " when decoded"


def open_parquet_table(path: str) -> OpenTable:
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
        raise too_many_columns(shown, file.metadata.num_columns)
    if file.metadata.num_rows > get_limits().max_lines:
        raise too_many_lines(shown, "rows")

    def read_chunks(wanted: Sequence[str]) -> Iterator[Chunk]:
        with as_parquet(shown):
            with Path(path).open("rb") if content is None else BytesIO(content) as pages:
                batch_rows, repeating = _check_sizes(pages, file.metadata, wanted, shown)
            texts = [name for name in wanted if _is_text_field(schema.field(name), shown) and name not in repeating]
            batches = parquet.ParquetFile(source, read_dictionary=texts).iter_batches(batch_size=batch_rows, columns=list(wanted))
        return _Decoder(shown).read_chunks(batches, wanted)

    return OpenTable(list(schema.names), read_chunks)


@contextmanager
def as_parquet(path: str) -> Iterator[None]:
    """Turn errors of pyarrow, and those of reading the structs of a file, into :class:`FormatError`."""
    import pyarrow as pa

    try:
        yield
    except (OSError, pa.ArrowException, ThriftError, UnicodeDecodeError) as error:
        raise FormatError(path, None, f"cannot be read as Parquet: {error}") from None


def find_column_places(file: IO[bytes], columns: Sequence[int], groups: int, path: str) -> list[list[ColumnPlace]]:
    """Find columns in every row group; raise unless there are as many groups as expected."""
    with as_parquet(path):
        places = find_places(file, columns)
    if len(places) != groups:
        raise FormatError(path, None, f"cannot be read as Parquet: {len(places):,} row groups, expected {groups:,}")
    return places


def _check_sizes(file: IO[bytes], metadata: Any, wanted: Sequence[str], path: str) -> tuple[int, set[str]]:
    """Refuse columns that are too large; return how many rows to decode at a time, and the columns whose texts may repeat others."""
    names = [metadata.schema.column(index).path for index in range(metadata.num_columns)]
    columns = [index for index, name in enumerate(names) if name in set(wanted)]
    total = 0
    repeating: dict[str, int] = {}
    for number, places in enumerate(find_column_places(file, columns, metadata.num_row_groups, path)):
        rows = metadata.row_group(number).num_rows
        for index, place in zip(columns, places, strict=True):
            pages = list(read_all_pages(file, place, rows))
            size = sum(max(page.size, page.values * _VALUE if page.is_dictionary else 0) for page in pages)
            total += size
            if any(page.encoding == DELTA_BYTE_ARRAY for page in pages):
                repeating[names[index]] = max(repeating.get(names[index], 1), size)
    if max(total, metadata.num_rows * len(columns) * _VALUE) > get_limits().max_bytes:
        raise too_many_bytes(path, _DECODED)
    rows = min(_TABLE_BATCH_ROWS, max(1, _BATCH_VALUES // max(1, len(columns))))
    if repeating:  # such a text is not longer than all that is stored
        rows = min(rows, _REPEATING_ROWS, max(1, _TABLE_BATCH_BYTES // sum(repeating.values())))
    return rows, set(repeating)


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

    def __init__(self, path: str) -> None:
        self._path = path
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
                    return
                if self._row + batch.num_rows - 1 > self._limits.max_lines:
                    raise too_many_lines(self._path, "rows")
                columns = {name: self._read_values(batch.column(name), name) for name in wanted}
            yield Chunk(columns, Lines(self._row), batch.num_rows)
            self._row += batch.num_rows

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
            what = f"{name[:40]}: a text of {int(lengths.max()):,} bytes, more than the limit of {most:,}{advise_limit('field')}"
            raise FormatError(self._path, self._find(rows, int(lengths.argmax())), what)
        self._bytes += int(lengths[rows].sum())
        if self._bytes > self._limits.max_bytes:
            raise too_many_bytes(self._path, _DECODED)

    def _find(self, rows: Any, value: int) -> int:
        """Find the first row with a value."""
        return self._row + int((rows == value).argmax())


# --- Arrow arrays of texts: of type string, without nulls, and with nothing in their buffers but their own texts.

_MOST_ARRAY_BYTES = (1 << 31) - 1
"""Bytes of all texts of an array."""


class TextBatch:
    """Texts of a file that become one array."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._arrays: list[Any] = []
        self._bytes = 0

    def add(self, array: Any, first: int) -> None:
        """Add an array of strings, which may be a slice; its first text is that of the line, or row, ``first``."""
        self._bytes += count_text_bytes(array)
        if self._bytes > _MOST_ARRAY_BYTES:
            what = f"more than {_MOST_ARRAY_BYTES:,} bytes in texts that are read together; expected fewer texts at a time, or shorter ones"
            raise FormatError(self._path, first, what)
        self._arrays.append(array)

    def make_array(self) -> Any:
        """Make one array."""
        return _join(self._arrays)


def _join(arrays: list[Any]) -> Any:
    """Copy texts into one array, unless there is one already."""
    import pyarrow as pa

    if len(arrays) == 1 and arrays[0].buffers()[0] is None and _is_whole(arrays[0]):
        return arrays[0]
    joined = pa.concat_arrays([pa.array([], pa.string()), *arrays])
    _, offsets, texts = joined.buffers()
    return pa.Array.from_buffers(pa.string(), len(joined), [None, offsets, texts], 0)


def make_texts(content: bytes, ends: NDArray[np.int64]) -> Any:
    """Make an array of texts, given where each ends; the first starts at 0."""
    import numpy as np
    import pyarrow as pa

    offsets = np.zeros(len(ends) + 1, np.int32)
    offsets[1:] = ends
    return pa.Array.from_buffers(pa.string(), len(ends), [None, pa.py_buffer(offsets), pa.py_buffer(content)])


def get_offsets(array: Any) -> NDArray[np.int32]:
    """Get where each text starts in the buffer of an array of strings, and where the last ends."""
    import numpy as np

    if not len(array):
        return np.zeros(1, np.int32)
    return np.frombuffer(array.buffers()[1], np.int32)[array.offset : array.offset + len(array) + 1]


def count_text_bytes(array: Any) -> int:
    """Count the bytes of all texts of an array of strings."""
    offsets = get_offsets(array)
    return int(offsets[-1]) - int(offsets[0])


def has_odd_text(array: Any, content: bytes) -> bool:
    """Tell whether there is a NUL, or anything that is not UTF-8, in an array; ``content`` has the bytes of its texts."""
    import pyarrow as pa

    if b"\0" in content:
        return True
    if content.isascii():
        return False
    try:
        array.validate(full=True)
    except pa.ArrowInvalid:
        return True
    return False


def find_odd_text(array: Any) -> int | None:
    """Find the first text with a NUL or with bytes that are not UTF-8."""
    offsets = get_offsets(array)
    content: bytes = b"" if offsets[-1] == offsets[0] else array.buffers()[2][int(offsets[0]) : int(offsets[-1])].to_pybytes()
    if not has_odd_text(array, content):
        return None
    starts = (offsets - offsets[0]).tolist()
    texts = (content[start:stop] for start, stop in pairwise(starts))
    return next((index for index, text in enumerate(texts) if b"\0" in text or not _is_utf8(text)), None)


def _is_utf8(text: bytes) -> bool:
    try:
        text.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _is_whole(array: Any) -> bool:
    """Tell whether the buffers have nothing but the texts."""
    _, offsets, texts = array.buffers()
    return (
        array.offset == 0
        and offsets.size == 4 * (len(array) + 1)
        and (texts.size if texts is not None else 0) == int(get_offsets(array)[-1])
    )
