"""Files that may belong to a data set: those that are given, and what folders and archives have.

Nothing is written by a path from an archive: its files are read one by one, and those that are wanted are kept in memory.  Links and
devices in archives are left out, paths that lead outside are refused, and what is unpacked is bounded.
"""

from __future__ import annotations

import hashlib
import io
import lzma
import os
import tarfile
import zipfile
import zlib
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import IO, TYPE_CHECKING, Self

from errata.errors import InputError
from errata.formats.compression import find_compression, open_compressed, without_compression
from errata.formats.folders import is_special
from errata.formats.limits import get_limits, too_many_bytes
from errata.formats.lines import display_path

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

MOST_ENTRIES = 100_000
"""Files and folders of a folder or an archive that are looked at."""
_MOST_AT_ONCE = 1 << 26
"""Bytes of one file that are held in memory; every data set is much smaller."""
_MOST_KEPT = 1 << 28
"""Bytes of all files that are kept."""
_LONGEST_HEADER = 1 << 20
"""Bytes of what a tar archive says about an entry."""
_CHUNK = 1 << 20
_BOUNDED = frozenset({zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED})
"""Compression of zip files that is unpacked as far as it is read; the zipfile module unpacks others whole blocks at a time."""
_DAMAGED = (tarfile.TarError, zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError, NotImplementedError, RuntimeError, ValueError)
"""What damaged or unusual archives raise."""


@dataclass(frozen=True)
class Candidate:
    """A file that may belong to a data set."""

    path: str
    """In its folder or archive, or as it was given."""
    content: bytes
    sha256: str
    archive_sha256: str = ""
    """The checksum of the archive that it is in."""
    was_given: bool = False
    """Whether the user named this very file."""


def collect_candidates(paths: Iterable[str], is_wanted: Callable[[str, str], bool]) -> list[Candidate]:
    """List the files that are given, and those of folders and archives of which ``is_wanted(path, sha256)`` is true."""
    found: list[Candidate] = []
    kept = 0
    for path in paths:
        for candidate in _open(path):
            if candidate.was_given or is_wanted(candidate.path, candidate.sha256):
                kept += len(candidate.content)
                if kept > _MOST_KEPT:
                    raise InputError(f"{display_path(path)}: the files that may be the data set have more than {_MOST_KEPT:,} bytes")
                found.append(candidate)
    return found


def _open(path: str) -> Iterator[Candidate]:
    """Yield the files that a path stands for."""
    shown = display_path(path)
    if path == "-" or is_special(path):
        raise InputError(f"{shown}: expected a file, a folder or an archive on the disk")
    with _explaining(shown):
        if os.path.isdir(path):  # noqa: PTH112 - never raises
            yield from _walk(path)
            return
        with Path(path).open("rb") as file:
            compression = find_compression(file.read(4))
            file.seek(0)
            if zipfile.is_zipfile(file):
                yield from _unzip(file, shown)
                return
            file.seek(0)
            if _is_tar(file):
                file.seek(0)
                yield from _untar(file, shown)
                return
            file.seek(0)
            if compression is None:
                yield _read(file, path, shown, was_given=True)
                return
            with open_compressed(file, compression) as unpacked:
                yield _read(unpacked, without_compression(path), shown, was_given=True)


@contextmanager
def _explaining(shown: str) -> Iterator[None]:
    try:
        yield
    except FileNotFoundError:
        raise InputError(f"{shown}: there is no such file or folder") from None
    except _DAMAGED as error:
        raise InputError(f"{shown}: cannot be unpacked: {error or type(error).__name__}") from None
    except OSError as error:
        raise InputError(f"{shown}: cannot be read: {error.strerror or error}") from None


def _walk(folder: str) -> Iterator[Candidate]:
    """Yield the files of a folder and of the folders in it; links to folders are not followed."""
    entries = 0

    def refuse(error: OSError) -> None:
        raise error

    for inside, folders, names in os.walk(folder, onerror=refuse):
        folders.sort()
        entries += len(folders) + len(names)
        if entries > MOST_ENTRIES:
            raise InputError(f"{display_path(folder)}: more than {MOST_ENTRIES:,} files and folders; name the files themselves")
        for name in sorted(names):
            path = os.path.join(inside, name)  # noqa: PTH118 - never raises
            if os.path.isfile(path) and os.path.getsize(path) <= _MOST_AT_ONCE:  # noqa: PTH113, PTH202
                with Path(path).open("rb") as file:
                    yield _read(file, path, display_path(path))


def _read(file: IO[bytes] | io.BufferedIOBase, path: str, shown: str, archive: str = "", *, was_given: bool = False) -> Candidate:
    """Read a file that is small enough."""
    content = file.read(_MOST_AT_ONCE + 1)
    if len(content) > _MOST_AT_ONCE:
        raise InputError(f"{shown}: more than {_MOST_AT_ONCE:,} bytes; a file of a data set is smaller")
    return Candidate(path, content, hashlib.sha256(content).hexdigest(), archive, was_given)


class _Counted(io.RawIOBase):
    """What an archive has after decompression, bounded."""

    def __init__(self, file: IO[bytes] | io.BufferedIOBase, shown: str) -> None:
        self._file, self._shown, self._left = file, shown, get_limits().max_bytes

    def readable(self) -> bool:
        return True

    def read(self, count: int = -1) -> bytes:
        content = self._file.read(count)
        self._left -= len(content)
        if self._left < 0:
            raise too_many_bytes(self._shown, " after decompression")
        return content


class _Entry(tarfile.TarInfo):
    """An entry of a tar archive; its names and other facts are read into memory, so they must be short."""

    @classmethod
    def frombuf(cls, buf: bytes | bytearray, encoding: str, errors: str) -> Self:
        entry = super().frombuf(buf, encoding, errors)
        if not entry.isreg() and entry.size > _LONGEST_HEADER:
            raise ValueError(f"a header of {entry.size:,} bytes")
        return entry


def _is_tar(file: IO[bytes]) -> bool:
    """Tell whether a file is a tar archive, compressed or not, by its first header."""
    try:
        with _decompressed(file) as stream:
            tarfile.TarInfo.frombuf(stream.read(tarfile.BLOCKSIZE), "utf-8", "surrogateescape")
    except (*_DAMAGED, OSError):
        return False
    return True


@contextmanager
def _decompressed(file: IO[bytes]) -> Iterator[IO[bytes] | io.BufferedIOBase]:
    """Open an archive that may be compressed with gzip, bzip2 or xz."""
    beginning = file.read(6)
    file.seek(0)
    if beginning.startswith(b"\x1f\x8b"):
        with open_compressed(file, "gzip") as unpacked:
            yield unpacked
    elif beginning.startswith(b"BZh"):
        import bz2

        with bz2.BZ2File(file) as bunzipped:
            yield bunzipped
    elif beginning.startswith(b"\xfd7zXZ"):
        with lzma.LZMAFile(file) as expanded:
            yield expanded
    else:
        yield file


def _untar(file: IO[bytes], shown: str) -> Iterator[Candidate]:
    checksum = _hash(file)
    file.seek(0)
    with _decompressed(file) as stream, tarfile.open(fileobj=_Counted(stream, shown), mode="r|", tarinfo=_Entry) as archive:
        for count, entry in enumerate(archive, 1):
            _check_entry(entry.name, count, shown)
            if not entry.isreg() or entry.issparse() or entry.size > _MOST_AT_ONCE:
                continue
            opened = archive.extractfile(entry)
            if opened is not None:
                with opened:
                    yield _read(opened, entry.name, shown, checksum)


def _unzip(file: IO[bytes], shown: str) -> Iterator[Candidate]:
    file.seek(0)
    checksum = _hash(file)
    left = get_limits().max_bytes
    with zipfile.ZipFile(file) as archive:
        for count, entry in enumerate(archive.infolist(), 1):
            _check_entry(entry.filename, count, shown)
            is_link = (entry.external_attr >> 16) & 0o170000 not in {0, 0o100000}
            if entry.is_dir() or is_link or entry.file_size > _MOST_AT_ONCE:
                continue
            if entry.compress_type not in _BOUNDED:
                what = f"{entry.filename[:80]!r} is compressed by method {entry.compress_type}"
                raise InputError(f"{shown}: {what}, expected method {zipfile.ZIP_DEFLATED} (deflate)")
            with archive.open(entry) as opened:
                candidate = _read(opened, entry.filename, shown, checksum)
            left -= len(candidate.content)
            if left < 0:
                raise too_many_bytes(shown, " after decompression")
            yield candidate


def _check_entry(name: str, count: int, shown: str) -> None:
    """Refuse an archive with too many entries, or with a path that leads outside."""
    path = PurePosixPath(name.replace("\\", "/"))
    if path.is_absolute() or ".." in path.parts or (path.parts[:1] and path.parts[0].endswith(":")):
        raise InputError(f"{shown}: it has a file whose path leads outside: {name[:80]!r}")
    if count > MOST_ENTRIES:
        raise InputError(f"{shown}: more than {MOST_ENTRIES:,} files in an archive")


def _hash(file: IO[bytes]) -> str:
    digest = hashlib.sha256()
    while block := file.read(_CHUNK):
        digest.update(block)
    return digest.hexdigest()
