"""Standard output and standard error that show control characters as escapes, whatever is printed."""

from __future__ import annotations

import codecs
import io
from typing import IO, TYPE_CHECKING, Any

from errata.html import printable_lines

if TYPE_CHECKING:
    from collections.abc import Iterable

    from _typeshed import ReadableBuffer


class PrintableStream:
    """A stream of text; bytes that are written to its buffer go through unchanged, but not to a terminal."""

    def __init__(self, stream: IO[str]) -> None:
        self.unfiltered = stream
        self.buffer_was_escaped = False
        """Whether data had characters that are shown as escapes."""

    def write(self, text: str) -> int:
        """Write a text with escapes."""
        self.unfiltered.write(printable_lines(text))
        return len(text)

    def writelines(self, lines: Iterable[str]) -> None:
        """Write lines with escapes."""
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        """Everything else is that of the stream."""
        return getattr(self.unfiltered, name)

    @property
    def buffer(self) -> IO[bytes]:
        """Where data is written, as bytes of UTF-8."""
        return _PrintableBytes(self) if self.unfiltered.isatty() else self.unfiltered.buffer  # type: ignore[attr-defined, return-value]


class _PrintableBytes(io.BufferedIOBase):
    """Bytes on their way to a terminal."""

    def __init__(self, stream: PrintableStream) -> None:
        self._stream = stream
        self._decode = codecs.getincrementaldecoder("utf-8")("backslashreplace").decode

    def writable(self) -> bool:
        return True

    def write(self, data: ReadableBuffer) -> int:
        text = self._decode(bytes(data))
        shown = printable_lines(text)
        self._stream.buffer_was_escaped |= shown != text
        self._stream.unfiltered.write(shown)
        return len(bytes(data))

    def flush(self) -> None:
        self._stream.unfiltered.flush()


def get_unfiltered(stream: IO[str]) -> IO[str]:
    """Get the stream for a program that writes escape sequences of its own, and makes texts printable itself."""
    return stream.unfiltered if isinstance(stream, PrintableStream) else stream
