"""A key of JSON Lines as a column: an object in each line, with a string.

Blocks of flat objects with the keys of their first one are parsed by pyarrow, in a third of the time.
It names no lines, and accepts what other readers of JSON refuse; so whatever is unusual is parsed again, line by line.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from errata.errors import FormatError, InputError, suggest
from errata.formats.chunks import list_columns
from errata.formats.column_choice import choose_text_column
from errata.formats.json_values import expect_object, expect_string, parse_json
from errata.formats.line_columns import LineColumn
from errata.formats.text_arrays import get_offsets, has_odd_text

if TYPE_CHECKING:
    from errata.formats.line_blocks import LineBlocks, WholeLines
    from errata.formats.lines import Line

_MOST_KEYS = 100
"""Keys of an object that pyarrow parses: it makes a column of each."""


class JsonLinesColumn(LineColumn):
    """The strings that the objects of a file have for a key; without a key, the only one whose value is a string in the first object."""

    def __init__(self, blocks: LineBlocks, key: str | None) -> None:
        super().__init__(blocks)
        self.key = key
        if key is None and (first := blocks.peek(1)) is not None:
            self.key = self._choose_key(next(first.decode(blocks.path)))

    def parse(self, lines: WholeLines) -> Any:
        """Make an array of the values of the key."""
        import pyarrow as pa

        texts = self._parse_fast(lines)
        if texts is None:
            texts = pa.array([self._get_text(line) for line in lines.decode(self.blocks.path)], pa.string())
        return texts

    def _parse_fast(self, lines: WholeLines) -> Any | None:
        """Parse flat objects with the keys of the first; None if anything is unusual."""
        from pyarrow import ArrowException, BufferReader, json

        schema = self._find_schema(lines) if _has_whole_objects(lines) and _is_text(lines.content) else None
        if schema is None:
            return None
        try:
            table = json.read_json(
                BufferReader(lines.content),
                json.ReadOptions(use_threads=False, block_size=len(lines.content) + 1),
                json.ParseOptions(explicit_schema=schema, unexpected_field_behavior="error"),
            )
        except (ArrowException, OSError, UnicodeDecodeError):
            return None
        texts = table.column(self.key).combine_chunks()
        if len(texts) != len(lines.ends) or texts.null_count or not all(map(_is_finite, table.columns)):
            return None
        offsets = get_offsets(texts)
        content = texts.buffers()[2][: int(offsets[-1])].to_pybytes() if offsets[-1] else b""
        return None if has_odd_text(texts, content) else texts

    def _find_schema(self, lines: WholeLines) -> Any | None:
        """Find the types of the first object; None if it is not flat, or has no text for the key."""
        import pyarrow as pa

        try:
            record = parse_json(lines.content[: int(lines.ends[0])].decode("utf-8"))
        except (InputError, UnicodeDecodeError):
            return None
        if not isinstance(record, dict) or not isinstance(record.get(self.key), str) or len(record) > _MOST_KEYS:
            return None
        types = {str: pa.string(), bool: pa.bool_(), int: pa.float64(), float: pa.float64(), type(None): pa.string()}
        if not all(type(value) in types and _is_name(key) for key, value in record.items()):
            return None
        return pa.schema([(key, types[type(value)]) for key, value in record.items()])

    def _parse_line(self, line: Line) -> dict[str, Any]:
        if not line.text.strip():
            raise FormatError(self.blocks.path, line.number, "expected an object, found an empty line")
        try:
            return expect_object(parse_json(line.text), "a row")
        except InputError as error:
            raise FormatError(self.blocks.path, line.number, str(error)) from None

    def _get_text(self, line: Line) -> str:
        """Get the text of a line; raise with its number if there is none."""
        record = self._parse_line(line)
        key = self.key or ""
        if key not in record:
            what = f"expected the key {key[:40]!r}, found {list_columns(list(record)) or 'none'}{suggest(key, record)}"
            raise FormatError(self.blocks.path, line.number, what)
        try:
            return expect_string(record[key], key[:40])
        except InputError as error:
            raise FormatError(self.blocks.path, line.number, str(error)) from None

    def _choose_key(self, line: Line) -> str:
        """Choose the only key with a string."""
        record = self._parse_line(line)
        texts = [key for key, value in record.items() if isinstance(value, str)]
        return choose_text_column(self.blocks.path, list(record), texts)


def _has_whole_objects(lines: WholeLines) -> bool:
    """Tell whether every line begins and ends with a brace.

    Then no object goes on in the next line: inside a list or an object, no brace follows another without a comma.
    """
    content = np.frombuffer(lines.content, np.uint8)
    starts = np.concatenate([[0], lines.ends[:-1] + 1])
    return bool((content[starts] == ord("{")).all() and (content[lines.ends - 1] == ord("}")).all())


def _is_text(content: bytes) -> bool:
    try:
        return b"\0" not in content and (content.isascii() or bool(content.decode("utf-8")))
    except UnicodeDecodeError:
        return False


def _is_finite(column: Any) -> bool:
    """Tell whether all numbers are such as JSON knows; pyarrow accepts NaN."""
    from pyarrow import compute, types

    return not types.is_floating(column.type) or compute.all(compute.is_finite(column)).as_py() is not False


def _is_name(key: str) -> bool:
    return key.isascii() or not any("\ud800" <= character <= "\udfff" for character in key)
