"""Whole lines of a file of any size, a block at a time, without an object for each line.

What a line is, and what is refused, is the same as for :mod:`errata.formats.lines`; limits on whole files do not apply.
"""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from errata.errors import FormatError
from errata.formats.lines import (
    BOM,
    ONLY_CARRIAGE_RETURNS,
    Line,
    count_bytes,
    decode_line,
    display_path,
    explain_unreadable,
    open_any_size,
    too_long_line,
)
from errata.formats.problems import Problems

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

BLOCK_BYTES = 1 << 20
"""Bytes that are read at a time; what is decoded of them fits into the processor's cache."""
_LINE_FEED = 10


class WholeLines(NamedTuple):
    """Consecutive lines, each with one line feed at its end."""

    first: int
    """The number of the first line."""
    content: bytes
    ends: NDArray[np.int64]
    """The position of each line feed."""

    def split(self) -> list[bytes]:
        """Make an object of each line, without its line feed."""
        return self.content[:-1].split(b"\n")

    def decode(self, path: str) -> Iterator[Line]:
        """Yield the lines as texts; raise :class:`FormatError` at the first that is none."""
        problems = Problems(path)
        for number, raw in enumerate(self.split(), self.first):
            yield Line(number, decode_line(raw, number, problems))


class LineBlocks:
    """The lines of a file, ``-`` for standard input, decompressed if needed; no more than a block and a line are in memory."""

    def __init__(self, path: str, max_tokens: int, block_bytes: int = BLOCK_BYTES) -> None:
        self.path = display_path(path)
        self._argument = path
        self._max_tokens, self._longest, self._block_bytes = max_tokens, count_bytes(max_tokens), block_bytes
        self._open = ExitStack()
        with explain_unreadable(path):
            self._file, _ = self._open.enter_context(open_any_size(path))
        self._block = WholeLines(1, b"", np.empty(0, np.int64))
        self._index = 0
        """How many lines of the block are taken."""
        self._usable = 0
        """Lines of the block before one that is too long."""
        self._rest = b""
        """The beginning of the next line."""
        self._added = 0
        """Line feeds that were added to the end of the file."""

    @property
    def line(self) -> int:
        """The number of the next line."""
        return self._block.first + self._index

    def take(self, most: int) -> WholeLines | None:
        """Take the next lines of the block, at least one; None at the end of the file."""
        lines = self.peek(most)
        self._index += len(lines.ends) if lines is not None else 0
        return lines

    def peek(self, most: int) -> WholeLines | None:
        """Get what :meth:`take` would return."""
        if not self._prepare():
            return None
        stop = min(self._index + most, self._usable)
        start = int(self._block.ends[self._index - 1]) + 1 if self._index else 0
        content = self._block.content[start : int(self._block.ends[stop - 1]) + 1]
        return WholeLines(self.line, content, self._block.ends[self._index : stop] - start)

    def skip(self, count: int) -> int:
        """Skip lines; return how many there were."""
        left = count
        while left and self._prepare():
            step = min(left, self._usable - self._index)
            self._index += step
            left -= step
        return count - left

    def close(self) -> None:
        """Close the file."""
        self._open.close()
        self._block, self._index, self._usable, self._rest = WholeLines(self.line, b"", self._block.ends[:0]), 0, 0, b""

    def _prepare(self) -> bool:
        """Have a line that is not taken yet; False at the end of the file."""
        if self._index < self._usable:
            return True
        if self._usable < len(self._block.ends):
            start = int(self._block.ends[self._usable - 1]) + 1 if self._usable else 0
            raise self._refuse_long(self._block.content[start : start + self._longest + 1])
        content = self._read_lines()
        if not content:
            return False
        self._set_block(content)
        return self._prepare()

    def _read_lines(self) -> bytes:
        """Read at least one whole line, with a line feed at its end; empty at the end of the file."""
        pieces: list[bytes | memoryview] = [self._rest]
        length = len(self._rest)
        while length <= self._longest:
            with explain_unreadable(self._argument):
                piece = self._file.read(self._block_bytes)
            if end := piece.rfind(b"\n") + 1:
                self._rest = piece[end:]
                return b"".join([*pieces, memoryview(piece)[:end]])
            pieces.append(piece)
            length += len(piece)
            if not piece:
                self._rest = b""
                return self._end_line(b"".join(pieces))
        raise self._refuse_long(b"".join(pieces)[: self._longest + 1])

    def _end_line(self, last: bytes) -> bytes:
        """Add a line feed to the last line, if there is one."""
        if self.line == 1:
            self._refuse_carriage_returns(last)
        self._added = 1
        return last and last + b"\n"

    def _set_block(self, content: bytes) -> None:
        ends = _find_ends(content)
        lengths = np.diff(ends, prepend=-1)
        long = lengths > self._longest + self._added
        usable = int(long.argmax()) if long.any() else len(ends)
        if b"\r" in content:
            content = content.replace(b"\r\n", b"\n")
            ends = _find_ends(content)
        if self.line == 1 and content.startswith(BOM):
            content = content[len(BOM) :]
            ends -= len(BOM)
        self._block, self._index, self._usable = WholeLines(self.line, content, ends), 0, usable

    def _refuse_long(self, beginning: bytes) -> FormatError:
        """Make the error for a line, from one byte more than a line may have."""
        if self.line == 1 and not beginning.endswith(b"\n"):
            self._refuse_carriage_returns(beginning)
        return too_long_line(self.path, self.line, self._max_tokens)

    def _refuse_carriage_returns(self, line: bytes) -> None:
        """Raise if the first line has no line feed, but carriage returns."""
        if b"\r" in line.removeprefix(BOM)[:-1]:
            raise FormatError(self.path, 1, ONLY_CARRIAGE_RETURNS)


def _find_ends(content: bytes) -> NDArray[np.int64]:
    return np.flatnonzero(np.frombuffer(content, np.uint8) == _LINE_FEED)
