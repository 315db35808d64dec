"""Compressed input files: gzip, and zstd if pyarrow is installed; the first bytes of a file say what it is, whatever its name."""

from __future__ import annotations

import io
import re
from typing import IO, TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

Compression = Literal["gzip", "zstd"]

COMPRESSED = (".gz", ".zst")
"""What the name of a compressed file ends in."""
_GZIP = b"\x1f\x8b"
_ZSTD = re.compile(rb"\x28\xb5\x2f\xfd|[\x50-\x5f]\x2a\x4d\x18")
"""The start of a frame, or of one that is to be skipped."""


def without_compression(name: str) -> str:
    """Remove the extension of compressed files from a name.

    >>> without_compression("gold.m2.gz"), without_compression("gold.m2.zst"), without_compression("gold.m2")
    ('gold.m2', 'gold.m2', 'gold.m2')
    """
    return name.removesuffix(".gz").removesuffix(".zst") if name.endswith(COMPRESSED) else name


def find_compression(beginning: bytes) -> Compression | None:
    """Tell how a file is compressed by its first four bytes.

    >>> find_compression(bytes.fromhex("1f8b0800")), find_compression(bytes.fromhex("28b52ffd")), find_compression(b"S A ")
    ('gzip', 'zstd', None)
    """
    if beginning.startswith(_GZIP):
        return "gzip"
    return "zstd" if _ZSTD.match(beginning) else None


def open_compressed(file: IO[bytes], kind: Compression) -> io.BufferedIOBase:
    """Decompress a file, all its members or frames; closing the result leaves the file open.

    Damage is reported while reading: as ``OSError``, ``EOFError`` or ``zlib.error``.
    """
    if kind == "gzip":
        import gzip

        return gzip.GzipFile(fileobj=file)
    return io.BufferedReader(_ZstdFile(file), 1 << 16)


class _ZstdFile(io.RawIOBase):
    """What a file has after decompression."""

    def __init__(self, file: IO[bytes]) -> None:
        from errata.formats.pyarrow_extra import require_pyarrow

        require_pyarrow("a file compressed with zstd")
        import pyarrow as pa

        self._stream = pa.CompressedInputStream(pa.PythonFile(_KeptOpen(file), "r"), "zstd")

    def readable(self) -> bool:
        """Tell that it can be read."""
        return True

    def readinto(self, buffer: WriteableBuffer) -> int:
        """Read the next bytes."""
        count: int = self._stream.readinto(buffer)
        return count


class _KeptOpen:
    """A file that pyarrow cannot close: it may be standard input."""

    closed = False

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file

    def read(self, count: int = -1) -> bytes:
        return self._file.read(count)

    def close(self) -> Any:
        """Do nothing."""
