"""Tables in Parquet, in which few bytes may stand for very many: sizes are checked before anything is decoded."""

from __future__ import annotations

from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from errata.errors import FormatError
from errata.formats.chunks import Chunk, Lines, OpenTable
from errata.formats.compression import COMPRESSED
from errata.formats.limits import advise_limit, get_limits, too_many_bytes, too_many_columns, too_many_lines
from errata.formats.lines import display_path, open_bytes
from errata.formats.parquet_pages import DELTA_BYTE_ARRAY, find_places, read_all_pages
from errata.formats.pyarrow_extra import require_pyarrow
from errata.formats.thrift_compact import ThriftError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from errata.formats.parquet_pages import ColumnPlace

_BATCH_ROWS = 100_000
_BATCH_VALUES = 1_000_000
"""Values of all columns that are decoded at a time."""
_BATCH_BYTES = 1 << 26
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
            texts = [name for name in wanted if _is_text(schema.field(name), shown) and name not in repeating]
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
    rows = min(_BATCH_ROWS, max(1, _BATCH_VALUES // max(1, len(columns))))
    if repeating:  # such a text is not longer than all that is stored
        rows = min(rows, _REPEATING_ROWS, max(1, _BATCH_BYTES // sum(repeating.values())))
    return rows, set(repeating)


def _is_text(field: Any, path: str) -> bool:
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
