"""Headers of pages of Parquet files say what the footer sums up, whoever wrote them."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from errata.formats.parquet import ColumnPlace, Page, ThriftError, _read_pages, find_places

pa = pytest.importorskip("pyarrow")

from pyarrow import parquet  # noqa: E402

WRITERS: list[dict[str, Any]] = [
    {},
    {"compression": "none", "use_dictionary": False},
    {"compression": "zstd", "data_page_version": "2.0", "write_page_checksum": True},
    {"compression": "gzip", "data_page_size": 1_000, "write_batch_size": 10, "dictionary_pagesize_limit": 2_000},
    {"compression": "brotli", "write_statistics": False, "use_dictionary": False, "column_encoding": "DELTA_BYTE_ARRAY"},
]


@pytest.mark.parametrize("options", WRITERS)
@pytest.mark.parametrize("length", [10, 3_000], ids=["short", "long"])
def test_sizes_and_values_are_those_of_the_footer(tmp_path: Path, options: dict[str, Any], length: int) -> None:
    texts = [f"{number} ".ljust(length, "x") for number in range(300)]
    parquet.write_table(
        pa.table({"id": texts, "text": texts, "list": [[text] for text in texts]}), tmp_path / "x.parquet", row_group_size=200, **options
    )
    metadata = parquet.ParquetFile(tmp_path / "x.parquet").metadata
    with (tmp_path / "x.parquet").open("rb") as file:
        places = [place for _, place in find_places(file, [0, 1])]
        found = [list(_read_pages(file, place)) for place in places]
    assert len(places) == metadata.num_row_groups == 2
    for number, (place, pages) in enumerate(zip(places, found, strict=True)):
        chunk = metadata.row_group(number).column(1)
        assert place.start == (chunk.dictionary_page_offset or chunk.data_page_offset)
        assert place.stop == place.start + chunk.total_compressed_size
        assert sum(page.values for page in pages if not page.is_dictionary) == chunk.num_values
        assert [page.is_dictionary for page in pages].count(True) == chunk.has_dictionary_page
        headers = chunk.total_uncompressed_size - sum(page.size for page in pages)
        assert (0 < headers < 20_000 * len(pages)) or options.get("compression") != "none"


def make_header(size: int, values: int) -> bytes:
    """The header of a data page, in Thrift's compact protocol."""
    packed, count = ((bytes([value * 2 & 127 | 128, value >> 6])) for value in (size, values))
    return b"\x15\x00\x15" + packed + b"\x15" + packed + b"\x2c\x15" + count + b"\x15\x00\x15\x06\x15\x06\x00\x00"


def test_a_header_by_hand() -> None:
    content = make_header(10, 3) + bytes(10) + make_header(300, 70) + bytes(300)
    assert list(_read_pages(io.BytesIO(content), ColumnPlace(0, len(content)))) == [Page(False, 10, 3, 0), Page(False, 300, 70, 0)]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "fewer bytes"),
        (b"\x15", "fewer bytes"),
        (b"\x00", "without a size"),
        (b"\x15\x00\x15\x02\x15\x02\x00", "without a number of values"),
        (b"\x15\x00\x15\x01\x15\x02\x00", "without a size"),
        (b"\x1c" * 30, "too many structs"),
        (b"\x1d", "type 13"),
        (b"\x15" + b"\xff" * 11, "too large"),
        (b"\x18\xff\xff\xff\xff\x0f", "fewer bytes"),
        (b"\x19\xf1" + b"\xff\xff\xff\xff\x0f", "fewer bytes"),
    ],
)
def test_what_is_no_header(content: bytes, message: str) -> None:
    with pytest.raises(ThriftError, match=message):
        list(_read_pages(io.BytesIO(content), ColumnPlace(0, 100)))


@given(st.binary(max_size=60))
def test_any_bytes_end_in_pages_or_an_error(content: bytes) -> None:
    try:
        pages = list(_read_pages(io.BytesIO(content), ColumnPlace(0, len(content))))
    except ThriftError:
        return
    assert all(page.size >= 0 and page.values >= 0 for page in pages)
