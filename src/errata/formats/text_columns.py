"""Texts of corpora of any length, in batches: columns of text files, JSON Lines and Parquet.

An argument names a column: ``FILE`` or ``-`` for texts with one sentence per line, ``FILE.jsonl:KEY``, ``FILE.parquet:COLUMN``, or
``FOLDER:COLUMN`` for all files of one of these two kinds in a folder, one after the other in the order of their names, in which numbers are
sorted by value.
Texts and JSON Lines may be compressed with gzip or zstd.  A file with a single column of texts needs no name of a column.

Memory depends on how many texts are read at a time, and on the longest line, not on the file.  So the limits on whole files
(:class:`errata.formats.Limits`) do not apply; that on a line does (``max_tokens``).
"""

from __future__ import annotations

import os
import re
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol

from errata.corpus.texts import DEFAULT_MAX_TOKENS
from errata.errors import FormatError, InputError, MismatchError, UsageError
from errata.formats.compression import without_compression
from errata.formats.folders import is_folder, list_files
from errata.formats.lines import display_path
from errata.formats.pyarrow_extra import require_pyarrow

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from types import TracebackType
    from typing import Self

_JSON_LINES = ("jsonl", "ndjson")
_COUNTED = 1 << 24
"""Further texts that are counted to say how many there are."""


class ColumnFile(Protocol):
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

    def __init__(self, path: str, files: Sequence[Callable[[], ColumnFile]]) -> None:
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
        from errata.formats.text_arrays import TextBatch

        batch = TextBatch(self.path)
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

    def _go_through(self, count: int) -> Iterator[tuple[ColumnFile, int]]:
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

    def open(self, path: str) -> ColumnFile:
        if self._kind == "parquet":
            from errata.formats.parquet_columns import ParquetColumn

            column = ParquetColumn(path, self._name, self._max_tokens)
            self._name = column.name
            return column
        from errata.formats.line_blocks import BLOCK_BYTES, LineBlocks

        blocks = LineBlocks(path, self._max_tokens, self._block_bytes or BLOCK_BYTES)
        if self._kind == "text":
            from errata.formats.text_file_columns import TextFileColumn

            return TextFileColumn(blocks)
        from errata.formats.jsonl_columns import JsonLinesColumn

        try:
            lines = JsonLinesColumn(blocks, self._name)
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
