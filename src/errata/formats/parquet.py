"""Tables and columns of texts in Parquet, in which few bytes may stand for very many: the sizes that the footer states are checked."""

from __future__ import annotations

from contextlib import contextmanager
from itertools import pairwise
from typing import TYPE_CHECKING, Any

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
        raise too_many_bytes(path, _DECODED)
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
                    raise too_many_lines(self._path, "rows")
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
