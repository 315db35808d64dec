"""Which files are a data set, and the copy that a user adds."""

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

from errata.errors import InputError, UsageError, pluralise
from errata.formats.datasets import (
    changing,
    find_data_folder,
    find_data_set,
    find_installed,
    install,
    join_annotators,
    list_data_sets,
    read_contents,
)
from errata.formats.lines import (
    BOM,
    check_path,
    display_path,
    find_compression,
    get_limits,
    is_special,
    open_compressed,
    too_many_bytes,
    without_compression,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from errata.formats.datasets import DataSet, InstalledSet, Member


# --- Files that may belong to a data set: those that are given, and what folders and archives have.
#
# Nothing is written by a path from an archive: its files are read one by one, and those that are wanted are kept in memory.  Links and
# devices in archives are left out, paths that lead outside are refused, and what is unpacked is bounded.

_MOST_ENTRIES = 100_000
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
        if entries > _MOST_ENTRIES:
            raise InputError(f"{display_path(folder)}: more than {_MOST_ENTRIES:,} files and folders; name the files themselves")
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
    if count > _MOST_ENTRIES:
        raise InputError(f"{shown}: more than {_MOST_ENTRIES:,} files in an archive")


def _hash(file: IO[bytes]) -> str:
    digest = hashlib.sha256()
    while block := file.read(_CHUNK):
        digest.update(block)
    return digest.hexdigest()


# --- Which files are a data set: those with its checksums, or those with its file names, which are not verified.


@dataclass(frozen=True)
class _Recognised:
    """The files of a data set, and why it is not certain that they are."""

    contents: dict[str, bytes]
    """By file name."""
    doubts: tuple[str, ...] = ()

    @property
    def is_verified(self) -> bool:
        """Whether all files have their checksums."""
        return not self.doubts


def _normalise(content: bytes) -> bytes:
    r"""Bring a text to the form in which data sets are published: no byte order mark, line feeds, and one at the end.

    >>> _normalise(b"S A cat .\r\n\r\n")
    b'S A cat .\n\n'
    """
    text = content.removeprefix(BOM).replace(b"\r\n", b"\n")
    return text if not text or text.endswith(b"\n") else text + b"\n"


def make_filter(sets: Iterable[DataSet]) -> Callable[[str, str], bool]:
    """Make a function that says whether a file may belong to one of these sets, by its path and checksum."""
    members = [member for item in sets for member in item.members]
    names = {member.name for member in members}
    checksums = {member.sha256 for member in members}

    def is_wanted(path: str, sha256: str) -> bool:
        return PurePosixPath(path).name in names or sha256 in checksums

    return is_wanted


def recognise(wanted: DataSet, candidates: Sequence[Candidate], where: str) -> _Recognised:
    """Find the files of a data set; ``where`` names what was searched, for messages."""
    contents: dict[str, bytes] = {}
    doubts: list[str] = []
    missing: list[str] = []
    for member in wanted.members:
        known = _find_by_checksum(member, candidates)
        if known is not None:
            contents[member.name] = known
            continue
        chosen = _find_by_path(member, candidates, only=len(wanted.members) == 1)
        if chosen is None:
            missing.append(member.path)
            continue
        contents[member.name] = chosen.content
        archive = wanted.release.archive_sha256
        if member.sha256:
            doubts.append(f"expected the SHA-256 {member.sha256} of {member.path}, found {chosen.sha256}{_name_other(chosen)}")
        elif not archive:
            doubts.append(f"the SHA-256 of {member.path} is not known; found {chosen.sha256}{_name_other(chosen)}")
        elif chosen.archive_sha256 != archive:
            found = chosen.archive_sha256 or "no archive"
            doubts.append(f"expected {member.path} of the archive with the SHA-256 {archive}, found {found}{_name_other(chosen)}")
    if missing:
        listed = ", ".join(missing)
        raise InputError(f"{display_path(where)}: not found: {listed}; {wanted.name} has {pluralise(len(wanted.members), 'file')}")
    return _Recognised(contents, tuple(doubts))


def _find_by_checksum(member: Member, candidates: Sequence[Candidate]) -> bytes | None:
    """Find the content of a file with the checksum, perhaps after line ends are made those of the published file."""
    if not member.sha256:
        return None
    for candidate in candidates:
        if candidate.sha256 == member.sha256:
            return candidate.content
    for candidate in candidates:
        text = _normalise(candidate.content)
        if text != candidate.content and hashlib.sha256(text).hexdigest() == member.sha256:
            return text
    return None


def _find_by_path(member: Member, candidates: Sequence[Candidate], *, only: bool) -> Candidate | None:
    """Find the file whose path has the longest common end with that of the member; the only file of a set may have any name."""
    wanted = PurePosixPath(member.path).parts

    def count_common(candidate: Candidate) -> int:
        own = PurePosixPath(candidate.path).parts
        count = 0
        while count < min(len(own), len(wanted)) and own[-1 - count] == wanted[-1 - count]:
            count += 1
        return count

    best = max(candidates, key=count_common, default=None)
    if best is not None and count_common(best):
        return best
    given = [candidate for candidate in candidates if candidate.was_given]
    return given[0] if only and len(given) == 1 else None


def _name_other(candidate: Candidate) -> str:
    """Name the data set that a file belongs to, if it is known."""
    for other in list_data_sets().values():
        if any(member.sha256 == candidate.sha256 for member in other.members):
            return f", which is of {other.name}"
    return ""


# --- Take the copy of a data set that a user has.


def add_data_set(
    name: str,
    paths: str | os.PathLike[str] | Iterable[str | os.PathLike[str]],
    *,
    unverified: bool = False,
    folder: str | os.PathLike[str] | None = None,
    tell: Callable[[str], object] = lambda _: None,
) -> InstalledSet:
    """Add a copy of a data set: files, a folder or an archive.

    Its files are recognised by their checksums, whatever their names, also with other line ends.
    A copy that is not recognised is refused, unless it is taken as ``unverified``; then everybody who uses it is warned.
    ``tell`` is told what takes time.
    """
    wanted = find_data_set(name)
    given = [paths] if isinstance(paths, (str, os.PathLike)) else list(paths) if _is_iterable(paths) else [paths]
    listed = [check_path(path) for path in given]
    if not listed:
        raise UsageError(f"no file of {name} is given: {', '.join(member.name for member in wanted.members)}")
    where = find_data_folder(folder)
    shown = ", ".join(map(display_path, listed))
    found = recognise(wanted, collect_candidates(listed, make_filter([wanted])), shown)
    try:
        contents, doubts = prepare(wanted, found)
    except InputError as error:
        if unverified or not found.doubts:
            raise
        contents, doubts = {}, (*found.doubts, str(error))
    if doubts and not unverified:
        raise InputError(
            f"{shown}: not recognised as {name}: {'; '.join(doubts)}; --unverified (unverified=True in Python) takes a copy as it is"
        )
    with changing(where, tell):
        install(where, name, contents, doubts, os.path.abspath(listed[0]))  # noqa: PTH100 - never raises
    return _installed(name, where)


def _is_iterable(paths: object) -> bool:
    return hasattr(paths, "__iter__") and not isinstance(paths, (bytes, bytearray))


def _installed(name: str, where: Path) -> InstalledSet:
    installed = find_installed(name, where)
    if installed is None:
        raise InputError(f"{display_path(str(where))}: {name} has disappeared")
    return installed


def prepare(wanted: DataSet, found: _Recognised) -> tuple[dict[str, bytes], tuple[str, ...]]:
    """Make the files that are kept of a data set, and say what is doubtful about them; raise if they cannot be read."""
    contents = found.contents
    if wanted.kind == "joined":
        contents = {f"{wanted.name}.m2": join_annotators(contents)}
    corpus = read_contents(contents)
    doubts = list(found.doubts)
    if wanted.sentences is not None and len(corpus) != wanted.sentences:
        doubts.append(f"expected {pluralise(wanted.sentences, 'sentence')}, found {len(corpus):,}")
    if doubts and wanted.annotators is not None and len(corpus.annotators) != wanted.annotators:
        doubts.append(f"expected {pluralise(wanted.annotators, 'annotator')}, found {len(corpus.annotators):,}")
    return contents, tuple(doubts)
