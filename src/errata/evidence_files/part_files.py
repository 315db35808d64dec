"""A part of evidence as a Parquet file: a row for each sentence and reference, with its counts; what it was made of is in its metadata."""

from __future__ import annotations

import io
import json
from typing import TYPE_CHECKING, Any, NamedTuple

from errata.errors import FormatError, InputError, pluralise
from errata.evidence_files.layout import LAYOUT, name_part_file, parse_part_name
from errata.formats.jsonl import expect_integer, expect_list, expect_object, expect_string, parse_json
from errata.formats.lines import require_pyarrow
from errata.formats.parquet import ThriftError, find_places, read_all_pages
from errata.metrics.evidence import RowArrays
from errata.version import __version__

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

SENTENCE, REFERENCE = "sentence", "reference"
_KEY = b"errata"
_MOST_ROWS = 1 << 26
"""Rows of a part that is read."""
_LARGEST = 1 << 48
"""The largest count, so that sums of all sentences fit into 64 bits."""
_MOST_BYTES = 1 << 30
"""Bytes of a part after decompression."""
_HEX = 64
"""Digits of a SHA-256."""


class PartInfo(NamedTuple):
    """What a part was made of."""

    metric: str
    """The metric with all settings and its other data, as in a signature."""
    system: str
    first: int
    """The number of its first sentence, from 1."""
    sentences: int
    input: str
    """The SHA-256 of all texts and edits that the counts depend on."""
    annotators: tuple[str, ...]
    """In order of their first occurrence in this part."""
    blocks: tuple[str, ...]
    """The SHA-256 of each block of sentences of the gold."""
    system_data: str = ""
    """What the metric uses of the system beside its output, as in a signature."""
    warnings: tuple[str, ...] = ()
    """What the metric says about the gold."""
    version: str = __version__

    def to_record(self) -> dict[str, Any]:
        """Make a record for JSON."""
        record = {"layout": LAYOUT, "errata": self.version, **self._asdict()}
        del record["version"]
        return record


class PartRows(NamedTuple):
    """The rows of a part, with the reference behind each."""

    arrays: RowArrays
    labels: Any
    """An Arrow array."""


def need_pyarrow() -> Any:
    """Import pyarrow, or say how it is installed."""
    require_pyarrow("a file of evidence")
    import pyarrow as pa

    return pa


def encode_part(info: PartInfo, columns: Sequence[str], arrays: RowArrays, labels: Any) -> bytes:
    """Make the bytes of a part; ``labels`` is an Arrow array with the reference of each row."""
    import numpy as np

    pa = need_pyarrow()
    from pyarrow import parquet

    numbers = np.repeat(np.arange(info.first, info.first + info.sentences, dtype=np.int64), np.diff(arrays.starts))
    values = [pa.array(np.ascontiguousarray(arrays.counts[:, index], dtype=np.int64)) for index in range(len(columns))]
    fields = [(SENTENCE, pa.int64()), (REFERENCE, pa.dictionary(pa.int32(), pa.string())), *((name, pa.int64()) for name in columns)]
    metadata = {_KEY: json.dumps(info.to_record(), ensure_ascii=False).encode("utf-8")}
    table = pa.table([pa.array(numbers), labels, *values], schema=pa.schema(fields, metadata=metadata))
    sink = pa.BufferOutputStream()
    parquet.write_table(table, sink, compression="zstd", compression_level=1, write_statistics=False, row_group_size=_MOST_ROWS)
    return bytes(sink.getvalue())


def check_content(shown: str, name: str, content: bytes) -> None:
    """Raise unless the name of a file fits its content."""
    if name != (expected := name_part_file(parse_part_name(name) or 0, content)):
        reason = "it is not whole, or was changed" if content else "it is empty"
        raise FormatError(shown, None, f"{reason}: its hash would name it {expected}")


def decode_info(shown: str, content: bytes) -> PartInfo:
    """Read what a part was made of."""
    return _parse_info(shown, _open(shown, content))


def decode_part(shown: str, content: bytes, columns: Sequence[str], expected_info: Mapping[str, object]) -> tuple[PartInfo, PartRows]:
    """Read a part; raise unless it is the expected one."""
    import numpy as np

    file = _open(shown, content)
    info = _parse_info(shown, file)
    for name, wanted in expected_info.items():
        if (found := getattr(info, name)) != wanted:
            raise FormatError(shown, None, f"it belongs to other evidence: expected {name} {wanted!r:.80}, found {found!r:.80}")
    expected = [SENTENCE, REFERENCE, *columns]
    if file.schema_arrow.names != expected:
        raise FormatError(shown, None, f"expected the columns {', '.join(expected)}, found {', '.join(file.schema_arrow.names)[:200]}")
    if not info.sentences <= file.metadata.num_rows <= _MOST_ROWS:
        asked = f"expected a row or more for {pluralise(info.sentences, 'sentence')}, and at most {_MOST_ROWS:,}"
        raise FormatError(shown, None, f"{asked}, found {pluralise(file.metadata.num_rows, 'row')}")
    _check_types(shown, file.schema_arrow)
    _check_sizes(shown, content, len(expected), file.metadata.num_rows)
    table = _decode(shown, file)
    numbers = _whole_numbers(shown, table, SENTENCE)
    steps = np.diff(numbers, prepend=info.first - 1)
    if numbers[-1] != info.first + info.sentences - 1 or steps[0] != 1 or ((steps != 0) & (steps != 1)).any():
        raise FormatError(shown, None, f"expected the sentences from {info.first:,} on, each once or more, in order")
    starts = np.concatenate([np.flatnonzero(steps), [len(numbers)]])
    counts = np.column_stack([_whole_numbers(shown, table, name) for name in columns])
    if counts.min() < 0 or counts.max() > _LARGEST:
        raise FormatError(shown, None, f"counts must be from 0 to {_LARGEST:,}, found {int(counts.min()):,} to {int(counts.max()):,}")
    return info, PartRows(RowArrays(counts, starts), table.column(REFERENCE))


def _open(shown: str, content: bytes) -> Any:
    pa = need_pyarrow()
    from pyarrow import parquet

    try:
        return parquet.ParquetFile(pa.BufferReader(content))
    except (OSError, pa.ArrowException) as error:
        raise FormatError(shown, None, f"cannot be read as Parquet: {error}") from None


def _decode(shown: str, file: Any) -> Any:
    pa = need_pyarrow()
    try:
        return file.read(use_threads=False)
    except (OSError, pa.ArrowException) as error:
        raise FormatError(shown, None, f"cannot be read as Parquet: {error}") from None


def _check_types(shown: str, schema: Any) -> None:
    """Raise unless references are texts and everything else whole numbers."""
    pa = need_pyarrow()
    texts = pa.dictionary(pa.int32(), pa.string())
    for own in schema:
        if own.type != (wanted := texts if own.name == REFERENCE else pa.int64()):
            raise FormatError(shown, None, f"{own.name[:40]}: expected {wanted}, found {str(own.type)[:60]}")


def _check_sizes(shown: str, content: bytes, columns: int, rows: int) -> None:
    """Raise if few bytes stand for very many; this is checked before anything is decoded."""
    file = io.BytesIO(content)
    try:
        places = find_places(file, range(columns))
        if len(places) > 1:
            raise FormatError(shown, None, f"expected one row group, found {len(places):,}")
        size = sum(page.size for group in places for place in group for page in read_all_pages(file, place, rows))
    except ThriftError as error:
        raise FormatError(shown, None, f"cannot be read as Parquet: {error}") from None
    if size > _MOST_BYTES:
        raise FormatError(shown, None, f"{size:,} bytes after decompression, more than the limit of {_MOST_BYTES:,}")


def _whole_numbers(shown: str, table: Any, name: str) -> Any:
    column = table.column(name)
    if column.null_count:
        raise FormatError(shown, None, f"{name[:40]}: expected whole numbers, found gaps")
    return column.to_numpy()


def _parse_info(shown: str, file: Any) -> PartInfo:
    text = (file.schema_arrow.metadata or {}).get(_KEY)
    if text is None:
        raise FormatError(shown, None, "this is no evidence: it has no metadata of errata")
    try:
        return parse_info(parse_json(text.decode("utf-8")))
    except (InputError, UnicodeDecodeError) as error:
        raise FormatError(shown, None, f"its metadata cannot be read: {error}") from None


def parse_info(data: Any) -> PartInfo:
    """Read the record of a part."""
    record = expect_object(data, "a part")
    if (layout := expect_integer(record.get("layout"), "layout")) != LAYOUT:
        raise InputError(f"expected layout {LAYOUT}, found {layout}; it was made by another version of errata")
    return PartInfo(
        expect_string(record.get("metric"), "metric"),
        expect_string(record.get("system"), "system"),
        expect_integer(record.get("first"), "first"),
        expect_integer(record.get("sentences"), "sentences"),
        expect_digest(record.get("input"), "input"),
        tuple(expect_string(name, "an annotator") for name in expect_list(record.get("annotators"), "annotators")),
        tuple(expect_digest(digest, "a block") for digest in expect_list(record.get("blocks"), "blocks")),
        expect_string(record.get("system_data"), "system_data"),
        tuple(expect_string(text, "a warning") for text in expect_list(record.get("warnings"), "warnings")),
        expect_string(record.get("errata"), "errata"),
    )


def expect_digest(data: Any, what: str) -> str:
    """Return the value if it is a SHA-256 in hexadecimal digits."""
    text = expect_string(data, what)
    if len(text) != _HEX or set(text) - set("0123456789abcdef"):
        raise InputError(f"{what} must be a SHA-256, found {text[:80]!r}")
    return text
