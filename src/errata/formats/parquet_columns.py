"""A column of a Parquet file, a batch of rows at a time.

A few bytes may stand for very many, so the sizes of pages are checked before they are decoded, and as few rows are decoded at a time
as needed to bound what they become.
"""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from errata.corpus.texts import RAISE_LIMIT
from errata.errors import FormatError
from errata.formats.chunks import find_repeated
from errata.formats.column_choice import choose_text_column
from errata.formats.lines import count_bytes, display_path, explain_unreadable
from errata.formats.parquet_pages import DELTA_BYTE_ARRAY, read_all_pages
from errata.formats.parquet_tables import as_parquet, find_column_places
from errata.formats.text_arrays import TextBatch, count_text_bytes, find_odd_text, get_offsets

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from errata.formats.parquet_pages import ColumnPlace, Page

MOST_PAGE_BYTES = 1 << 28
"""Bytes of a page; 1 MiB is usual, and 256 MiB holds two million sentences."""
_BUFFER = 1 << 20
"""Bytes that are read at a time."""
_BATCH_ROWS = 4_096
"""Rows that are decoded at a time; more would not fit into the processor's cache."""
_DICTIONARY_ROWS = 65_536
"""The same for columns that are dictionaries in Arrow, because every batch has the whole dictionary."""
_BATCH_BYTES = 1 << 27
"""Bytes that these rows may become at worst."""
_VALUE = 4
"""Bytes that a value takes at least, in a dictionary or when decoded."""
_DICTIONARIES = (2, 8)
"""Encodings by references to the values of the dictionary page."""


class ParquetColumn:
    """The texts of a column; without a name, of the only one that has texts."""

    unit = "rows"

    def __init__(self, path: str, name: str | None, max_tokens: int) -> None:
        self._path = display_path(path)
        self._max_tokens, self._longest = max_tokens, count_bytes(max_tokens)
        with explain_unreadable(path):
            self._file = Path(path).open("rb")  # noqa: SIM115 - closed by close
        try:
            self._open(name)
        except BaseException:
            self._file.close()
            raise
        self._group = 0
        """The next row group."""
        self._batches: Iterator[Any] = iter(())
        self._undecoded = 0
        """Rows of the current row group that are not decoded yet."""
        self._batch: Any = []
        """Rows that are decoded and not taken yet."""
        self._row = 1
        """The number of the next row."""

    def read(self, count: int) -> Any:
        """Read the next texts."""
        batch = TextBatch(self._path)
        left = count
        while left and self._prepare():
            texts = self._to_texts(self._batch[:left])
            batch.add(texts, self._row)
            self._take(len(texts))
            left -= len(texts)
        return batch.make_array()

    def skip(self, count: int) -> int:
        """Skip texts, those of a row group at once."""
        left = count
        while left and (self._batch or self._undecoded or self._group < self._groups):
            current = len(self._batch) + self._undecoded
            rows = current or self._metadata.row_group(self._group).num_rows
            if rows > left:
                self._prepare()
                rows = min(left, len(self._batch))
                self._take(rows)
            else:
                self._batches, self._undecoded, self._batch = iter(()), 0, []
                self._group += not current
                self._row += rows
            left -= rows
        return count - left

    def close(self) -> None:
        """Close the file."""
        self._batches, self._batch, self._undecoded, self._group = iter(()), [], 0, self._groups
        self._parquet.close(force=True)
        self._file.close()

    def _open(self, asked: str | None) -> None:
        """Read the footer, and choose the column."""
        from pyarrow import parquet, types

        with as_parquet(self._path):
            self._parquet = parquet.ParquetFile(self._file, buffer_size=_BUFFER, pre_buffer=False, page_checksum_verification=True)
            self._metadata, schema = self._parquet.metadata, self._parquet.schema_arrow
            leaves = [self._metadata.schema.column(index).path for index in range(self._metadata.num_columns)]
        if (repeated := find_repeated(schema.names) or find_repeated(leaves)) is not None:
            raise FormatError(self._path, None, f"two columns are named {repeated[:40]!r}")
        self.name = choose_text_column(self._path, schema.names, [field.name for field in schema if _is_text(field.type)], asked)
        self._leaf = leaves.index(self.name)
        self._is_dictionary = types.is_dictionary(schema.field(self.name).type)
        self._groups = self._metadata.num_row_groups
        with as_parquet(self._path):
            rows = [self._metadata.row_group(number).num_rows for number in range(self._groups)]
        if min(rows, default=0) < 0 or sum(rows) != self._metadata.num_rows:
            raise self._damaged(f"row groups of {sum(rows):,} rows, expected {self._metadata.num_rows:,}")
        self.sentences: int | None = self._metadata.num_rows

    def _take(self, count: int) -> None:
        self._batch = self._batch[count:]
        self._row += count

    def _prepare(self) -> bool:
        """Decode rows, if none are there; False at the end of the file."""
        while not len(self._batch):
            if not self._undecoded:
                if self._group == self._groups:
                    return False
                self._open_group()
                continue
            with as_parquet(self._path):
                batch = next(self._batches, None)
            if batch is None or not 0 < batch.num_rows <= self._undecoded:
                raise self._damaged(f"row group {self._group} has not as many rows as it says")
            self._undecoded -= batch.num_rows
            self._batch = batch.column(0)
        return True

    @cached_property
    def _places(self) -> list[ColumnPlace]:
        """Where the column is in each row group."""
        return [place for (place,) in find_column_places(self._file, [self._leaf], self._groups, self._path)]

    def _open_group(self) -> None:
        if rows := self._metadata.row_group(self._group).num_rows:
            step = self._count_rows_at_a_time()
            with as_parquet(self._path):
                self._batches = self._parquet.iter_batches(step, [self._group], [self.name], use_threads=False)
        self._undecoded = rows
        self._group += 1

    def _count_rows_at_a_time(self) -> int:
        """Find how many rows of a row group can be decoded at a time, whatever their texts are; refuse pages that are too large."""
        rows = self._metadata.row_group(self._group).num_rows
        most = _DICTIONARY_ROWS if self._is_dictionary else _BATCH_ROWS
        dictionary = 0
        with as_parquet(self._path):
            for page in read_all_pages(self._file, self._places[self._group], rows):
                self._check_page(page)
                if page.is_dictionary:
                    dictionary = page.size
                elif page.values:
                    most = min(most, _BATCH_BYTES // max(1, self._count_longest(page, dictionary)))
        return max(1, most)

    def _count_longest(self, page: Page, dictionary: int) -> int:
        """Compute how many bytes a text of a page may have, or if all of them are in the page, how many they have on average."""
        if page.encoding in _DICTIONARIES:
            return 0 if self._is_dictionary else dictionary
        return page.size if page.encoding == DELTA_BYTE_ARRAY else page.size // page.values

    def _check_page(self, page: Page) -> None:
        size = max(page.size, page.values * _VALUE)
        if size > MOST_PAGE_BYTES:
            what = f"{self.name[:40]}: a page of {size:,} bytes when decoded, more than the limit of {MOST_PAGE_BYTES:,}"
            raise FormatError(self._path, None, f"{what}; write the file with smaller pages")
        if page.is_dictionary and page.values * _VALUE > page.size:
            raise self._damaged(f"a dictionary of {page.values:,} values in {page.size:,} bytes")

    def _damaged(self, what: object) -> FormatError:
        return FormatError(self._path, None, f"cannot be read as Parquet: {what}")

    def _to_texts(self, batch: Any) -> Any:
        """Convert the next rows to strings of 32-bit offsets, perhaps not all of them; raise at the first that has no text."""
        import pyarrow as pa

        self._refuse_null(batch)
        with as_parquet(self._path):
            if self._is_dictionary:
                batch = self._look_up(batch)
                self._refuse_null(batch)
            texts = batch if pa.types.is_string(batch.type) else batch.cast(pa.string())
        if count_text_bytes(texts) > self._longest:
            self._refuse_long(np.diff(get_offsets(texts)))
        if (index := find_odd_text(texts)) is not None:
            raw = texts.slice(index, 1).cast(pa.binary())[0].as_py()
            what = "a NUL in a text" if b"\0" in raw else "not UTF-8"
            raise FormatError(self._path, self._row + index, f"{self.name[:40]}: {what}")
        return texts

    def _look_up(self, batch: Any) -> Any:
        """Replace references to a dictionary by its texts; of long ones only some."""
        from pyarrow import compute

        lengths = compute.binary_length(batch.dictionary).fill_null(0).to_numpy(zero_copy_only=False).astype(np.int64)
        lengths = lengths[batch.indices.to_numpy(zero_copy_only=False)]
        rows = max(1, int(np.searchsorted(np.cumsum(lengths), _BATCH_BYTES)))
        self._refuse_long(lengths[:rows])
        return batch.dictionary.take(batch.indices[:rows])

    def _refuse_null(self, batch: Any) -> None:
        if batch.null_count:
            row = self._row + batch.is_null().index(True).as_py()
            raise FormatError(self._path, row, f"{self.name[:40]}: expected a text, found null")

    def _refuse_long(self, lengths: NDArray[Any]) -> None:
        long = lengths > self._longest
        if long.any():
            known = f"{self._longest:,} bytes, the limit for {self._max_tokens:,} tokens; {RAISE_LIMIT}"
            raise FormatError(self._path, self._row + int(long.argmax()), f"{self.name[:40]}: a text of more than {known}")


def _is_text(kind: Any) -> bool:
    from pyarrow import types

    kind = kind.value_type if types.is_dictionary(kind) else kind
    return bool(types.is_string(kind) or types.is_large_string(kind) or types.is_string_view(kind))
