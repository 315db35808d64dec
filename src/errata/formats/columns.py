"""Texts of corpora of any length, in batches: columns of text files, JSON Lines and Parquet."""

from __future__ import annotations

import os
import re
from abc import ABC, abstractmethod
from contextlib import ExitStack
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from errata.corpus.texts import DEFAULT_MAX_TOKENS, RAISE_LIMIT
from errata.errors import FormatError, InputError, MismatchError, UsageError, pluralise, suggest
from errata.formats.jsonl import expect, parse_json
from errata.formats.lines import (
    Line,
    LineBlocks,
    count_bytes,
    display_path,
    explain_unreadable,
    is_folder,
    list_files,
    open_bytes,
    require_pyarrow,
    without_compression,
)
from errata.formats.problems import Problems
from errata.formats.tables import as_parquet, describe_columns, find_repeated, list_columns

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from types import TracebackType
    from typing import Self

    import numpy as np
    from numpy.typing import NDArray


_BLOCK_BYTES = 1 << 19
"""Bytes that are read at a time; what is decoded of them fits into the processor's cache."""
_LINE_FEED = 10


class _WholeLines(NamedTuple):
    """Consecutive lines, each with one line feed at its end."""

    first: int
    """The number of the first line."""
    content: bytes
    ends: NDArray[np.int64]
    """The position of each line feed."""

    @classmethod
    def of(cls, first: int, content: bytes) -> Self:
        import numpy as np

        return cls(first, content, np.flatnonzero(np.frombuffer(content, np.uint8) == _LINE_FEED))

    def decode(self, path: str) -> Iterator[Line]:
        """Yield the lines as texts; raise :class:`FormatError` at the first that is none."""
        problems = Problems(path)
        for number, raw in enumerate(self.content[:-1].split(b"\n"), self.first):
            yield Line.decode(number, raw, problems)


class _OpenLines:
    """A file of lines, ``-`` for standard input, without an object for each line; limits on whole files do not apply."""

    def __init__(self, path: str, max_tokens: int, block_bytes: int = _BLOCK_BYTES) -> None:
        self.path = display_path(path)
        self._argument = path
        self._open = ExitStack()
        file = self._open.enter_context(open_bytes(path, limited=False))
        self._blocks = LineBlocks(file, Problems(self.path), max_tokens, block_bytes=block_bytes)
        self._contents = iter(self._blocks)
        self._block = _WholeLines.of(1, b"")
        self._index = 0
        """How many lines of the block are taken."""

    @property
    def line(self) -> int:
        """The number of the next line."""
        return self._block.first + self._index

    def take(self, most: int) -> _WholeLines | None:
        """Take the next lines of the block, at least one; None at the end of the file."""
        lines = self.peek(most)
        self._index += len(lines.ends) if lines is not None else 0
        return lines

    def peek(self, most: int) -> _WholeLines | None:
        """Get what :meth:`take` would return."""
        if self._index == len(self._block.ends):
            if not (content := self._read_block()):
                return None
            self._set_block(content)
        stop = min(self._index + most, len(self._block.ends))
        start = int(self._block.ends[self._index - 1]) + 1 if self._index else 0
        content = self._block.content[start : int(self._block.ends[stop - 1]) + 1]
        return _WholeLines(self.line, content, self._block.ends[self._index : stop] - start)

    def skip(self, count: int) -> int:
        """Skip lines, without decoding them; return how many there were."""
        left = count
        while left:
            if (skipped := min(left, len(self._block.ends) - self._index)) > 0:
                self._index += skipped
            elif not (content := self._read_block()):
                break
            elif (skipped := content.count(b"\n")) <= left:
                self._block, self._index = _WholeLines(self.line + skipped, b"", self._block.ends[:0]), 0
            else:
                self._set_block(content)
                continue
            left -= skipped
        return count - left

    def close(self) -> None:
        """Close the file."""
        self._open.close()
        self._contents = iter(())
        self._block, self._index = _WholeLines(self.line, b"", self._block.ends[:0]), 0

    def _read_block(self) -> bytes:
        """Read the block that begins with the next line; empty at the end of the file."""
        self._blocks.line = self.line
        with explain_unreadable(self._argument):
            return next(self._contents, b"")

    def _set_block(self, content: bytes) -> None:
        self._block, self._index = _WholeLines.of(self.line, content), 0


def _choose_text_column(path: str, names: Sequence[str], texts: Sequence[str], asked: str | None = None) -> str:
    """Choose the column that was asked for, or the only one with texts; else raise :class:`InputError` that lists them.

    >>> _choose_text_column("x.parquet", ["id", "text"], ["text"])
    'text'
    >>> _choose_text_column("x.parquet", ["source", "target"], ["source", "target"], "sauce")
    Traceback (most recent call last):
    ...
    errata.errors.InputError: x.parquet: there is no column 'sauce'; choose from source, target; did you mean source?
    """
    if asked in texts and asked is not None:
        return asked
    if not texts:
        raise InputError(f"{path}: expected a column of texts, found {list_columns(names) or 'no columns'}")
    choice = f"choose from {list_columns(texts)}"
    if asked is None:
        if len(texts) == 1:
            return texts[0]
        raise InputError(
            f"{path}: expected the name of a column after it, as in {path}:{texts[0][:40]}, because there are "
            f"{pluralise(len(texts), 'column')} of texts; {choice}"
        )
    what = f"the column {asked[:40]!r} has no texts" if asked in names else f"there is no column {asked[:40]!r}"
    raise InputError(f"{path}: {what}; {choice}{suggest(asked, texts)}")


class _LineColumn(ABC):
    """Reads lines in blocks, and makes texts of them."""

    unit = "lines"
    sentences: int | None = None

    def __init__(self, blocks: _OpenLines) -> None:
        self.blocks = blocks

    @abstractmethod
    def parse(self, lines: _WholeLines) -> Any:
        """Make an Arrow array with the text of each line."""

    def read(self, count: int) -> Any:
        """Read the next texts."""
        batch = _TextBatch(self.blocks.path)
        left = count
        while left and (lines := self.blocks.take(left)):
            batch.add(self.parse(lines), lines.first)
            left -= len(lines.ends)
        return batch.make_array()

    def skip(self, count: int) -> int:
        """Skip texts."""
        return self.blocks.skip(count)

    def close(self) -> None:
        """Close the file."""
        self.blocks.close()


_SEPARATOR = b"|||"
"""Every edit of M2 contains it."""


class _TextFileColumn(_LineColumn):
    """The lines of a text; refuses a file that contains M2 edits, as :func:`errata.formats.lines.read_text` does."""

    def parse(self, lines: _WholeLines) -> Any:
        """Make an array of lines."""
        import numpy as np

        content = lines.content.replace(b"\n", b"")
        array = _make_texts(content, lines.ends - np.arange(len(lines.ends)))
        if _has_odd_text(array, content):
            for line in lines.decode(self.blocks.path):
                line.refuse_edit(self.blocks.path)
        self._refuse_edits(lines)
        return array

    def _refuse_edits(self, lines: _WholeLines) -> None:
        """Look at the lines that begin as edits do."""
        import numpy as np

        starts = np.concatenate([[0], lines.ends[:-1] + 1])
        content = np.frombuffer(lines.content, np.uint8)
        suspects = np.flatnonzero(content[starts] == ord("A"))
        suspects = suspects[content[starts[suspects] + 1] == ord(" ")]
        for index in suspects.tolist():
            line = lines.content[int(starts[index]) : int(lines.ends[index])]
            if _SEPARATOR in line:
                Line(lines.first + index, line.decode("utf-8")).refuse_edit(self.blocks.path)


# Blocks of flat objects with the keys of their first one are parsed by pyarrow, in a third of the time.
# It names no lines, and accepts what other readers of JSON refuse; so whatever is unusual is parsed again, line by line.

_MOST_KEYS = 100
"""Keys of an object that pyarrow parses: it makes a column of each."""


class _JsonLinesColumn(_LineColumn):
    """The strings that the objects of a file have for a key; without a key, the only one whose value is a string in the first object."""

    def __init__(self, blocks: _OpenLines, key: str | None) -> None:
        super().__init__(blocks)
        self.key = key
        if key is None and (first := blocks.peek(1)) is not None:
            self.key = self._choose_key(next(first.decode(blocks.path)))

    def parse(self, lines: _WholeLines) -> Any:
        """Make an array of the values of the key."""
        import pyarrow as pa

        texts = self._parse_fast(lines)
        if texts is None:
            texts = pa.array([self._get_text(line) for line in lines.decode(self.blocks.path)], pa.string())
        return texts

    def _parse_fast(self, lines: _WholeLines) -> Any | None:
        """Parse flat objects with the keys of the first; None if anything is unusual."""
        from pyarrow import ArrowException, BufferReader, json

        schema = self._find_schema(lines) if _has_whole_objects(lines) and _is_json_string(lines.content) else None
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
        return None if _has_odd_text(texts, content) else texts

    def _find_schema(self, lines: _WholeLines) -> Any | None:
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
            return expect(dict, parse_json(line.text), "a row")
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
            return expect(str, record[key], key[:40])
        except InputError as error:
            raise FormatError(self.blocks.path, line.number, str(error)) from None

    def _choose_key(self, line: Line) -> str:
        """Choose the only key with a string."""
        record = self._parse_line(line)
        texts = [key for key, value in record.items() if isinstance(value, str)]
        return _choose_text_column(self.blocks.path, list(record), texts)


def _has_whole_objects(lines: _WholeLines) -> bool:
    """Tell whether every line begins and ends with a brace.

    Then no object goes on in the next line: inside a list or an object, no brace follows another without a comma.
    """
    import numpy as np

    content = np.frombuffer(lines.content, np.uint8)
    starts = np.concatenate([[0], lines.ends[:-1] + 1])
    return bool((content[starts] == ord("{")).all() and (content[lines.ends - 1] == ord("}")).all())


def _is_json_string(content: bytes) -> bool:
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


# --- Texts of corpora of any length, in batches: columns of text files, JSON Lines and Parquet.
#
# An argument names a column: ``FILE`` or ``-`` for texts with one sentence per line, ``FILE.jsonl:KEY``, ``FILE.parquet:COLUMN``, or
# ``FOLDER:COLUMN`` for all files of one of these two kinds in a folder, one after the other in the order of their names, in which numbers
# are
# sorted by value.
# Texts and JSON Lines may be compressed with gzip or zstd.  A file with a single column of texts needs no name of a column.
#
# Memory depends on how many texts are read at a time, and on the longest line, not on the file.  So the limits on whole files
# (:class:`errata.formats.Limits`) do not apply; that on a line does (``max_tokens``).

_JSON_LINES = ("jsonl", "ndjson")
_COUNTED = 1 << 24
"""Further texts that are counted to say how many there are."""


class _ColumnFile(Protocol):
    """A column of one file."""

    unit: str
    """What a text is in such a file: lines or rows."""
    sentences: int | None

    def read(self, count: int) -> Any:
        """Read the next texts: exactly ``count``, fewer only at the end."""

    def skip(self, count: int) -> int:
        """Skip texts; return how many there were."""

    def close(self) -> None:
        """Close the file."""


class TextColumn:
    """The texts of one or more files, one after the other; made by :func:`open_text_column`.  After an error it is not to be read on."""

    def __init__(self, path: str, files: Sequence[Callable[[], _ColumnFile]]) -> None:
        self.path = path
        """For messages."""
        self.position = 0
        """How many texts were read or skipped."""
        self._files = files
        self._next = 1
        self._file = files[0]()
        self.unit = self._file.unit
        """What a text is in the file: lines or rows."""

    @cached_property
    def sentences(self) -> int | None:
        """The number of texts if it is known without reading them, as in Parquet; else None."""
        if self._file.sentences is None or len(self._files) == 1:
            return self._file.sentences
        total = 0
        for open_file in self._files:
            file = open_file()
            total += file.sentences or 0
            file.close()
        return total

    def read(self, count: int) -> Any:
        """Read the next texts, a pyarrow array of strings: exactly ``count``, fewer only at the end, none after it."""
        batch = _TextBatch(self.path)
        for file, left in self._go_through(count):
            texts = file.read(left)
            batch.add(texts, self.position + 1)
            self.position += len(texts)
        return batch.make_array()

    def skip(self, count: int) -> int:
        """Skip texts; return how many there were, fewer than ``count`` only at the end."""
        start = self.position
        for file, left in self._go_through(count):
            self.position += file.skip(left)
        return self.position - start

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def _go_through(self, count: int) -> Iterator[tuple[_ColumnFile, int]]:
        """Yield the current file and how many texts are still needed, until there are enough; then the next file."""
        if count < 0:
            raise UsageError(f"the number of texts must be at least 0, found {count}")
        goal = self.position + count
        while self.position < goal:
            yield self._file, goal - self.position
            if self.position == goal:
                return
            if self._next == len(self._files):
                break
            self._file.close()
            self._file = self._files[self._next]()
            self._next += 1
        if self.position == 0 and count:
            raise FormatError(self.path, None, "the file is empty" if len(self._files) == 1 else "all files are empty")


class TextColumns:
    """Columns with a text for each sentence of the same corpus; the first is the one to which the others must fit."""

    def __init__(self, columns: Sequence[TextColumn]) -> None:
        if not columns:
            raise UsageError("expected at least one column of texts, found none")
        self.columns = tuple(columns)

    @property
    def sentences(self) -> int | None:
        """The number of sentences if any column knows it."""
        return next((known for column in self.columns if (known := column.sentences) is not None), None)

    def read(self, count: int) -> list[Any]:
        """Read the next texts of each column, as arrays of equal length; raise :class:`MismatchError` if a column ends before another."""
        arrays = [column.read(count) for column in self.columns]
        self._check()
        return arrays

    def skip(self, count: int) -> int:
        """Skip texts of all columns; return how many there were."""
        skipped = [column.skip(count) for column in self.columns]
        self._check()
        return skipped[0]

    def close(self) -> None:
        """Close all columns."""
        for column in self.columns:
            column.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def _check(self) -> None:
        first = self.columns[0]
        for column in self.columns[1:]:
            if column.position > first.position:
                whole = f"the {first.position:,} of {first.path}"
                raise MismatchError(f"{column.path} has too many {column.unit}: more than {whole}")
            if column.position < first.position:
                count, more = column.position, first.skip(_COUNTED)
                whole = f"{'more than' if more == _COUNTED else 'the'} {first.position:,} of {first.path}"
                raise MismatchError(f"{column.path} has too few {column.unit}: {count:,} for {whole}")


def open_text_column(
    argument: str | os.PathLike[str], max_tokens: int = DEFAULT_MAX_TOKENS, *, block_bytes: int | None = None
) -> TextColumn:
    """Open a column of texts: ``FILE``, ``FILE.gz``, ``FILE.zst``, ``-``, ``FILE.jsonl:KEY``, ``FILE.parquet:COLUMN`` or ``FOLDER:COLUMN``.

    ``max_tokens`` bounds the bytes of a line; tokens are not counted here.  ``block_bytes`` are read of a text at a time.

    >>> with open_text_column("examples/systems/eager.txt") as column:
    ...     column.skip(70), column.read(100)[0].as_py(), len(column.read(100))
    (70, 'I am looking forward to hearing from you soon .', 0)
    """
    require_pyarrow("a column of texts")
    argument = os.fspath(argument)
    path, name = split_column(argument)
    paths, kind = _list_column_files(path) if is_folder(path) else ([path], find_kind(path))
    if kind == "text" and name is not None:
        what = f"a text has no columns, found {':' + name[:40]!r} after it; .jsonl and .parquet have them"
        raise InputError(f"{display_path(path)}: {what}")
    opener = _Opener(kind, name, max_tokens, block_bytes)
    return TextColumn(display_path(argument), [lambda path=path: opener.open(path) for path in paths])  # type: ignore[misc]


class _Opener:
    """Opens files of one kind; the first decides on the name of the column."""

    def __init__(self, kind: str, name: str | None, max_tokens: int, block_bytes: int | None) -> None:
        self._kind, self._name, self._max_tokens, self._block_bytes = kind, name, max_tokens, block_bytes

    def open(self, path: str) -> _ColumnFile:
        if self._kind == "parquet":
            column = _ParquetColumn(path, self._name, self._max_tokens)
            self._name = column.name
            return column

        blocks = _OpenLines(path, self._max_tokens, self._block_bytes or _BLOCK_BYTES)
        if self._kind == "text":
            return _TextFileColumn(blocks)

        try:
            lines = _JsonLinesColumn(blocks, self._name)
        except BaseException:
            blocks.close()
            raise
        self._name = lines.key
        return lines


def split_column(argument: str) -> tuple[str, str | None]:
    """Split an argument into a path and the name of a column; a path that exists is not split, nor is the longest that does.

    >>> split_column("examples/learner.m2"), split_column("no.jsonl:text"), split_column("examples:a:b")
    (('examples/learner.m2', None), ('no.jsonl', 'text'), ('examples', 'a:b'))
    """
    if argument == "-" or os.path.lexists(argument):
        return argument, None
    colons = [index for index, character in enumerate(argument) if character == ":"]
    for colon in reversed(colons):
        if os.path.exists(argument[:colon]):  # noqa: PTH110 - that of pathlib raises for names that are too long
            return argument[:colon], argument[colon + 1 :]
    for colon in colons:  # there is no such file, and the message says so
        if find_kind(argument[:colon]) != "text":
            return argument[:colon], argument[colon + 1 :]
    return argument, None


def find_kind(path: str) -> str:
    """Find out by its extension how a file is read."""
    extension = without_compression(path.lower()).rpartition(".")[2]
    if extension == "parquet" and path.lower() != without_compression(path.lower()):
        raise InputError(f"{display_path(path)}: Parquet must not be compressed as a whole; its pages may be")
    return "jsonl" if extension in _JSON_LINES else "parquet" if extension == "parquet" else "text"


def _list_column_files(folder: str) -> tuple[list[str], str]:
    """List the files of a folder that have columns, and say what they are; other files are ignored."""
    kinds: dict[str, list[str]] = {}
    for path in list_files(folder):
        kinds.setdefault(find_kind(path), []).append(path)
    kinds.pop("text", None)
    if len(kinds) != 1:
        found = "both" if kinds else "none"
        raise InputError(f"{display_path(folder)}: expected a folder of .parquet files or of .jsonl files, found {found}")
    [(kind, paths)] = kinds.items()
    return sorted(paths, key=_order_by_numbers), kind


def _order_by_numbers(path: str) -> tuple[list[tuple[str, int]], str]:
    """Make a key that sorts names with numbers by their values: part-2 before part-10."""
    pieces = re.split(r"([0-9]+)", path)
    return [(text, int(number or 0)) for text, number in zip(pieces[::2], [*pieces[1::2], ""], strict=True)], path


# --- A column of a Parquet file, a batch of rows at a time.
#
# A few bytes may stand for very many, so as few rows are decoded at a time as needed to bound what they become.

_BUFFER = 1 << 20
"""Bytes that are read at a time."""
_COLUMN_BATCH_ROWS = 4_096
"""Rows that are decoded at a time; more would not fit into the processor's cache."""
_DICTIONARY_ROWS = 65_536
"""The same for columns that are dictionaries in Arrow, because every batch has the whole dictionary."""
_COLUMN_BATCH_BYTES = 1 << 27
"""Bytes that these rows may become at worst."""
_REPEATING = frozenset({"PLAIN_DICTIONARY", "RLE_DICTIONARY", "DELTA_BYTE_ARRAY"})
"""Encodings in which a value may stand for another, or for its beginning."""


class _ParquetColumn:
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
        batch = _TextBatch(self._path)
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
        self.name = _choose_text_column(self._path, schema.names, [field.name for field in schema if _is_text_column(field.type)], asked)
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

    def _open_group(self) -> None:
        if rows := self._metadata.row_group(self._group).num_rows:
            with as_parquet(self._path):
                step = self._count_rows_at_a_time()
                self._batches = self._parquet.iter_batches(step, [self._group], [self.name], use_threads=False)
        self._undecoded = rows
        self._group += 1

    def _count_rows_at_a_time(self) -> int:
        """Find how many rows of a row group can be decoded at a time, if none of their texts is too long."""
        if self._is_dictionary:
            return _DICTIONARY_ROWS
        column = describe_columns(self._parquet, self._group, [self.name])[self.name]
        size: int = column.total_uncompressed_size
        longest: int = size // max(1, column.num_values) if _REPEATING.isdisjoint(column.encodings) else min(size, self._longest)
        return max(1, min(_COLUMN_BATCH_ROWS, _COLUMN_BATCH_BYTES // max(1, longest)))

    def _damaged(self, what: object) -> FormatError:
        return FormatError(self._path, None, f"cannot be read as Parquet: {what}")

    def _to_texts(self, batch: Any) -> Any:
        """Convert the next rows to strings of 32-bit offsets, perhaps not all of them; raise at the first that has no text."""
        import numpy as np
        import pyarrow as pa

        self._refuse_null(batch)
        with as_parquet(self._path):
            if self._is_dictionary:
                batch = self._look_up(batch)
                self._refuse_null(batch)
            texts = batch if pa.types.is_string(batch.type) else batch.cast(pa.string())
        if _count_text_bytes(texts) > self._longest:
            self._refuse_long(np.diff(get_offsets(texts)))
        if (index := find_odd_text(texts)) is not None:
            raw = texts.slice(index, 1).cast(pa.binary())[0].as_py()
            what = "a NUL in a text" if b"\0" in raw else "not UTF-8"
            raise FormatError(self._path, self._row + index, f"{self.name[:40]}: {what}")
        return texts

    def _look_up(self, batch: Any) -> Any:
        """Replace references to a dictionary by its texts; of long ones only some."""
        import numpy as np
        from pyarrow import compute

        lengths = compute.binary_length(batch.dictionary).fill_null(0).to_numpy(zero_copy_only=False).astype(np.int64)
        lengths = lengths[batch.indices.to_numpy(zero_copy_only=False)]
        rows = max(1, int(np.searchsorted(np.cumsum(lengths), _COLUMN_BATCH_BYTES)))
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


def _is_text_column(kind: Any) -> bool:
    from pyarrow import types

    kind = kind.value_type if types.is_dictionary(kind) else kind
    return bool(types.is_string(kind) or types.is_large_string(kind) or types.is_string_view(kind))


# Arrow arrays of texts: of type string, without nulls, and with nothing in their buffers but their own texts.

_MOST_ARRAY_BYTES = (1 << 31) - 1
"""Bytes of all texts of an array."""


class _TextBatch:
    """Texts of a file that become one array."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._arrays: list[Any] = []
        self._bytes = 0

    def add(self, array: Any, first: int) -> None:
        """Add an array of strings, which may be a slice; its first text is that of the line, or row, ``first``."""
        self._bytes += _count_text_bytes(array)
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


def _make_texts(content: bytes, ends: NDArray[np.int64]) -> Any:
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


def _count_text_bytes(array: Any) -> int:
    """Count the bytes of all texts of an array of strings."""
    offsets = get_offsets(array)
    return int(offsets[-1]) - int(offsets[0])


def _has_odd_text(array: Any, content: bytes) -> bool:
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
    if not _has_odd_text(array, content):
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
