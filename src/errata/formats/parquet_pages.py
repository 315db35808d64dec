"""Where the pages of a Parquet column are and how large they are, before anything is decompressed.

pyarrow decodes a page as a whole and has no limit for it, and the sizes in the footer are not checked against the pages.
Where a column is in a damaged file cannot be asked of pyarrow either: an exception of its own ends the process.
https://parquet.apache.org/docs/file-format/ describes the structs.
"""

from __future__ import annotations

from typing import IO, TYPE_CHECKING, Any, NamedTuple

from errata.formats.thrift_compact import STRUCT, CompactReader, IncompleteStructError, ThriftError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

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
    reader = CompactReader(file.read(length))
    places = []
    for field, kind in reader.fields():
        if field != _ROW_GROUPS:
            reader.read_value(kind)
            continue
        places = [_find_places(reader, columns) for kind in reader.elements() if _expect_struct(kind)]
    return places


def _find_places(reader: CompactReader, columns: Sequence[int]) -> list[ColumnPlace]:
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
    if kind != STRUCT:
        raise ThriftError("expected a struct")
    return True


def read_all_pages(file: IO[bytes], place: ColumnPlace, rows: int) -> Iterator[Page]:
    """Yield the pages of a column without lists; raise :class:`ThriftError` unless they have a value for each row.

    What follows such pages need not be a page.
    """
    values = 0
    try:
        for page in read_pages(file, place):
            yield page
            values += 0 if page.is_dictionary else page.values
    except ThriftError:
        if values < rows:
            raise
    if values < rows:
        raise ThriftError(f"pages with {values:,} values, expected {rows:,}")


def read_pages(file: IO[bytes], place: ColumnPlace) -> Iterator[Page]:
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
        reader = CompactReader(content)
        try:
            return reader.read_struct(), reader.position
        except IncompleteStructError:
            if len(content) < size or size >= _MOST_READ:
                raise
            size *= 16
