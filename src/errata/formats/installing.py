"""Data sets come to this machine: downloaded, in full and verified or not at all; or recognised among the files that a user has."""

from __future__ import annotations

import errno
import hashlib
import io
import json
import lzma
import os
import re
import shutil
import tarfile
import time
import zipfile
import zlib
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from http import HTTPStatus
from http.client import HTTPException, HTTPResponse
from pathlib import Path, PurePosixPath
from typing import IO, TYPE_CHECKING, Any, NamedTuple, Self, cast
from urllib.parse import urljoin, urlsplit

from errata import __version__
from errata.corpus.corpus import Annotation, Corpus
from errata.errors import InputError, MismatchError, RequestError, UsageError, pluralise
from errata.formats.datasets import (
    RECORD,
    InstalledSet,
    find_data_folder,
    find_data_set,
    list_data_sets,
)
from errata.formats.lines import (
    BOM,
    check_path,
    display_path,
    find_compression,
    get_limits,
    is_special,
    open_compressed,
    without_compression,
)
from errata.formats.reading import read
from errata.formats.registry import find_format
from errata.formats.writing import holding_signals

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from errata.corpus.corpus import Edit, Sentence
    from errata.formats.datasets import DataSet, Member


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
class _Candidate:
    """A file that may belong to a data set."""

    path: str
    """In its folder or archive, or as it was given."""
    content: bytes
    sha256: str
    archive_sha256: str = ""
    """The checksum of the archive that it is in."""
    was_given: bool = False
    """Whether the user named this very file."""


def _collect_candidates(paths: Iterable[str], is_wanted: Callable[[str, str], bool]) -> list[_Candidate]:
    """List the files that are given, and those of folders and archives of which ``is_wanted(path, sha256)`` is true."""
    found: list[_Candidate] = []
    kept = 0
    for path in paths:
        for candidate in _open(path):
            if candidate.was_given or is_wanted(candidate.path, candidate.sha256):
                kept += len(candidate.content)
                if kept > _MOST_KEPT:
                    raise InputError(f"{display_path(path)}: the files that may be the data set have more than {_MOST_KEPT:,} bytes")
                found.append(candidate)
    return found


def _open(path: str) -> Iterator[_Candidate]:
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


def _walk(folder: str) -> Iterator[_Candidate]:
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


def _read(file: IO[bytes] | io.BufferedIOBase, path: str, shown: str, archive: str = "", *, was_given: bool = False) -> _Candidate:
    """Read a file that is small enough."""
    content = file.read(_MOST_AT_ONCE + 1)
    if len(content) > _MOST_AT_ONCE:
        raise InputError(f"{shown}: more than {_MOST_AT_ONCE:,} bytes; a file of a data set is smaller")
    return _Candidate(path, content, hashlib.sha256(content).hexdigest(), archive, was_given)


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
            raise get_limits().too_many_bytes(self._shown, " after decompression")
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


def _untar(file: IO[bytes], shown: str) -> Iterator[_Candidate]:
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


def _unzip(file: IO[bytes], shown: str) -> Iterator[_Candidate]:
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
                raise get_limits().too_many_bytes(shown, " after decompression")
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


def _make_filter(sets: Iterable[DataSet]) -> Callable[[str, str], bool]:
    """Make a function that says whether a file may belong to one of these sets, by its path and checksum."""
    members = [member for item in sets for member in item.members]
    names = {member.name for member in members}
    checksums = {member.sha256 for member in members}

    def is_wanted(path: str, sha256: str) -> bool:
        return PurePosixPath(path).name in names or sha256 in checksums

    return is_wanted


def _recognise(wanted: DataSet, candidates: Sequence[_Candidate], where: str) -> _Recognised:
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


def _find_by_checksum(member: Member, candidates: Sequence[_Candidate]) -> bytes | None:
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


def _find_by_path(member: Member, candidates: Sequence[_Candidate], *, only: bool) -> _Candidate | None:
    """Find the file whose path has the longest common end with that of the member; the only file of a set may have any name."""
    wanted = PurePosixPath(member.path).parts

    def count_common(candidate: _Candidate) -> int:
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


def _name_other(candidate: _Candidate) -> str:
    """Name the data set that a file belongs to, if it is known."""
    for other in list_data_sets().values():
        if any(member.sha256 == candidate.sha256 for member in other.members):
            return f", which is of {other.name}"
    return ""


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
    found = _recognise(wanted, _collect_candidates(listed, _make_filter([wanted])), shown)
    try:
        contents, doubts = _prepare(wanted, found)
    except InputError as error:
        if unverified or not found.doubts:
            raise
        contents, doubts = {}, (*found.doubts, str(error))
    if doubts and not unverified:
        raise InputError(
            f"{shown}: not recognised as {name}: {'; '.join(doubts)}; --unverified (unverified=True in Python) takes a copy as it is"
        )
    with _changing_folder(where, tell):
        _install(where, name, contents, doubts, os.path.abspath(listed[0]))  # noqa: PTH100 - never raises
    return _installed(name, where)


def _is_iterable(paths: object) -> bool:
    return hasattr(paths, "__iter__") and not isinstance(paths, (bytes, bytearray))


def _installed(name: str, where: Path) -> InstalledSet:
    installed = InstalledSet.find(name, where)
    if installed is None:
        raise InputError(f"{display_path(str(where))}: {name} has disappeared")
    return installed


def _prepare(wanted: DataSet, found: _Recognised) -> tuple[dict[str, bytes], tuple[str, ...]]:
    """Make the files that are kept of a data set, and say what is doubtful about them; raise if they cannot be read."""
    contents = found.contents
    if wanted.kind == "joined":
        contents = {f"{wanted.name}.m2": _join_annotators(contents)}
    corpus = _read_contents(contents)
    doubts = list(found.doubts)
    if wanted.sentences is not None and len(corpus) != wanted.sentences:
        doubts.append(f"expected {pluralise(wanted.sentences, 'sentence')}, found {len(corpus):,}")
    if doubts and wanted.annotators is not None and len(corpus.annotators) != wanted.annotators:
        doubts.append(f"expected {pluralise(wanted.annotators, 'annotator')}, found {len(corpus.annotators):,}")
    return contents, tuple(doubts)


def _join_annotators(contents: Mapping[str, bytes]) -> bytes:
    """Join M2 files of the same sentences, by their names: the first is annotator 0, the next 1, ....

    An annotator without a line for a sentence has found nothing wrong.
    """
    corpora = {name: _read_contents({name: content}) for name, content in contents.items()}
    first, *_ = corpora
    for name, corpus in corpora.items():
        if len(corpus) != len(corpora[first]):
            raise MismatchError(f"{name}: {len(corpus):,} sentences, expected {len(corpora[first]):,} as in {first}")
        if len(corpus.annotators) > 1:
            raise MismatchError(f"{name}: {len(corpus.annotators)} annotators, expected one")
    sentences: list[Sentence] = []
    for number, group in enumerate(zip(*corpora.values(), strict=True), 1):
        for name, sentence in zip(corpora, group, strict=True):
            if sentence.tokens != group[0].tokens:
                raise MismatchError(f"{name}: sentence {number:,} is not that of {first}")
        own = tuple(Annotation(str(index), _list_edits(sentence)) for index, sentence in enumerate(group))
        sentences.append(replace(group[0], annotations=own))
    return _write_joined(Corpus(tuple(sentences), "joined"))


def _list_edits(sentence: Sentence) -> tuple[Edit, ...]:
    return sentence.annotations[0].edits if sentence.annotations else ()


def _write_joined(corpus: Corpus) -> bytes:
    lines = find_format("m2").lines
    written: Iterable[str] = lines(corpus) if lines is not None else ()
    return "".join(f"{line}\n" for line in written).encode("utf-8")


def _read_contents(contents: Mapping[str, bytes]) -> Corpus:
    """Read the files of a data set from memory, by their names: the gold, or the source and its references."""
    first, *references = (_open_content(name, content) for name, content in contents.items())
    return read(first, references=references, warn=lambda _: None)


def _open_content(name: str, content: bytes) -> io.BytesIO:
    """Open what is in memory as a file with a name."""
    file = io.BytesIO(content)
    file.name = name  # messages have it
    return file


# Which addresses are opened: HTTPS, and plain HTTP on the loopback interface only.

_LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})


def _is_loopback(address: str) -> bool:
    """Tell whether an address is of this machine.

    >>> _is_loopback("http://127.0.0.1:8000/x"), _is_loopback("https://example.org/")
    (True, False)
    """
    try:
        return (urlsplit(address).hostname or "") in _LOOPBACK
    except ValueError:
        return False


def _check_address(address: str) -> str:
    """Return an address that may be opened; raise :class:`RequestError` if it may not.

    >>> _check_address("ftp://example.org/x")
    Traceback (most recent call last):
    ...
    errata.errors.RequestError: ftp://example.org/x: expected an address that begins with https://
    """
    try:
        parts = urlsplit(address)
        usable = bool(parts.hostname) and (parts.port or 1) > 0 and address.isascii() and address.isprintable() and " " not in address
    except ValueError:
        usable = False
    if not usable or not (parts.scheme == "https" or (parts.scheme == "http" and _is_loopback(address))):
        raise RequestError(f"{address[:200]}: expected an address that begins with https://")
    return address


def _follow_redirect(address: str, location: str | None) -> str:
    """Find where a redirection leads; only HTTPS, and from this machine to this machine, is followed."""
    if not location:
        raise RequestError(f"{address}: the server redirects, but does not say where to")
    try:
        target = _check_address(urljoin(address, location))
    except (RequestError, ValueError) as error:
        raise RequestError(f"{address}: the server redirects to an address that is not opened: {error}") from None
    if _is_loopback(target) and not _is_loopback(address):
        raise RequestError(f"{address}: the server redirects to this machine ({target[:200]}), which is not followed")
    return target


# What has arrived is kept beside its target as ``NAME.part``, and continued by the next attempt if the server says that the file is still
# the same (``Range`` with ``If-Range``); else the download begins anew.

_TIMEOUT = 30.0
"""Seconds without an answer or a byte after which a server is given up."""
_SLOWEST = 16_384
"""Bytes that must arrive in each minute."""
_MINUTE = 60.0
_MOST_REDIRECTS = 5
_ATTEMPTS = 3
"""How often a connection that is cut is opened anew."""
_RECEIVED = 1 << 16
_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_RANGE = re.compile(r"bytes (\d{1,18})-(\d{1,18})/(\d{1,18}|\*)")


class _Begun(NamedTuple):
    """What has arrived of a file."""

    size: int
    validator: str
    """What tells whether the file of the server is still the same: a strong ETag, or a date."""


class _CutError(Exception):
    """The connection ended too early."""


def _download(address: str, target: Path, sha256: str, advance: Callable[[int], None]) -> None:
    """Download a file to ``target``; ``sha256`` is its checksum, empty if what it contains is verified later.

    ``advance`` is told how many bytes have arrived.
    """
    part = target.with_name(f"{target.name}.part")
    reached = 0

    def reach(position: int) -> None:
        nonlocal reached
        if position > reached:
            before, reached = reached, position
            advance(position - before)

    with _explaining_download(address, part):
        for attempt in range(1, _ATTEMPTS + 1):
            begun = _find_begun(part)
            try:
                _fetch(address, part, begun, reach)
            except _CutError as error:
                if attempt == _ATTEMPTS:
                    raise RequestError(
                        f"{address}: {error}, {_ATTEMPTS} times; what has arrived is kept, and the same command continues it"
                    ) from None
                continue
            found = _hash_file(part)
            if not sha256 or found == sha256:
                part.replace(target)
                _facts_of(part).unlink(missing_ok=True)
                return
            _discard(target)
            if not begun.size:  # else parts of two versions may have been put together
                raise RequestError(f"{address}: expected a file with the SHA-256 {sha256}, found {found}; it was not kept")
        raise RequestError(f"{address}: the file changes while it is downloaded")


def _discard(target: Path) -> None:
    """Remove a file, and what has arrived of it."""
    part = target.with_name(f"{target.name}.part")
    for path in (target, part, _facts_of(part)):
        path.unlink(missing_ok=True)


@contextmanager
def _explaining_download(address: str, part: Path) -> Iterator[None]:
    """Turn what the network and the disk raise into :class:`RequestError`."""
    try:
        yield
    except TimeoutError:
        raise RequestError(f"{address}: no answer for {_TIMEOUT:.0f} seconds; the same command tries again") from None
    except HTTPException as error:
        raise RequestError(f"{address}: the answer is not HTTP: {error or type(error).__name__}") from None
    except OSError as error:
        if error.filename is not None or error.errno in _OF_THE_DISK:
            raise RequestError(f"{display_path(str(part))}: cannot be written: {error.strerror or error}") from None
        reason = getattr(error, "reason", error)
        if isinstance(reason, TimeoutError):
            raise RequestError(f"{address}: no answer for {_TIMEOUT:.0f} seconds; the same command tries again") from None
        said = getattr(reason, "strerror", None) or str(reason)
        raise RequestError(f"{address}: cannot be reached: {said}; without a network, errata data add takes a copy") from None


_OF_THE_DISK = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS, errno.EIO})
"""What a disk reports that is full or cannot be written."""


def _fetch(address: str, part: Path, begun: _Begun, reach: Callable[[int], None]) -> None:
    """Fetch what is missing of a file; ``reach`` is told how many bytes are there."""
    with _open_address(address, begun) as response:
        status = response.status
        is_another_part = status == HTTPStatus.PARTIAL_CONTENT and not _is_missing_part(response, begun)
        if begun.size and (is_another_part or status == HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE):
            part.unlink(missing_ok=True)
            raise _CutError("the part that is missing cannot be had")
        if is_another_part or status not in {HTTPStatus.OK, HTTPStatus.PARTIAL_CONTENT}:
            raise RequestError(f"{address}: the server answered {status} {response.reason or ''}".rstrip())
        first = begun.size if status == HTTPStatus.PARTIAL_CONTENT else 0
        expected = _find_length(response)
        if first + (expected or 0) > get_limits().max_bytes:
            raise _too_large(address)
        _write_json(_facts_of(part), {"address": address, "validator": _find_validator(response)})
        reach(first)
        received = 0
        with part.open("r+b" if first else "wb", buffering=0) as file:
            file.seek(first)
            for block in _read_blocks(address, response):
                received += len(block)
                if first + received > get_limits().max_bytes:
                    raise _too_large(address)
                _write_all(file, block)
                reach(first + received)
        if expected is not None and received < expected:
            raise _CutError(f"the connection was cut after {first + received:,} of {first + expected:,} bytes")


def _read_blocks(address: str, response: HTTPResponse) -> Iterator[bytes]:
    """Yield what arrives; raise if that is too slow."""
    started, arrived = time.monotonic(), 0
    while True:
        try:
            block = response.read1(_RECEIVED)
        except (ConnectionError, HTTPException) as error:
            raise _CutError(f"the connection was cut ({getattr(error, 'strerror', None) or type(error).__name__})") from None
        if not block:
            return
        yield block
        arrived += len(block)
        if (now := time.monotonic()) - started >= _MINUTE:
            if arrived < _SLOWEST:
                raise RequestError(f"{address}: only {arrived:,} bytes arrived in a minute; what has arrived is kept")
            started, arrived = now, 0


@contextmanager
def _open_address(address: str, begun: _Begun) -> Iterator[HTTPResponse]:
    """Open an address, and those that it redirects to."""
    from urllib.request import Request

    headers = {"User-Agent": f"errata/{__version__}", "Accept-Encoding": "identity"}
    if begun.size:
        headers |= {"Range": f"bytes={begun.size}-", "If-Range": begun.validator}
    current = _check_address(address)
    for _ in range(_MOST_REDIRECTS + 1):
        with cast("HTTPResponse", _make_opener(current).open(Request(current, headers=headers), timeout=_TIMEOUT)) as response:  # noqa: S310 - the address was checked
            if response.status not in _REDIRECTS:
                yield response
                return
            current = _follow_redirect(current, response.headers.get("Location"))
    raise RequestError(f"{address}: more than {_MOST_REDIRECTS} redirections")


def _make_opener(address: str) -> Any:
    """Make an opener of HTTP only, which follows nothing and gives answers of any status."""
    from urllib.request import HTTPHandler, HTTPSHandler, OpenerDirector, ProxyHandler

    opener = OpenerDirector()
    for handler in (ProxyHandler({} if _is_loopback(address) else None), HTTPHandler(), HTTPSHandler()):
        opener.add_handler(handler)
    return opener


def _is_missing_part(response: HTTPResponse, begun: _Begun) -> bool:
    """Whether a partial answer begins where it was asked to."""
    match = _RANGE.fullmatch(response.headers.get("Content-Range", ""))
    return match is not None and int(match[1]) == begun.size


def _find_length(response: HTTPResponse) -> int | None:
    stated = response.headers.get("Content-Length", "")
    return int(stated) if stated.isascii() and stated.isdecimal() and len(stated) < 19 else None  # noqa: PLR2004 - as 64 bits have


def _find_validator(response: HTTPResponse) -> str:
    tag = response.headers.get("ETag", "")
    return tag if tag.startswith('"') else response.headers.get("Last-Modified", "")


def _facts_of(part: Path) -> Path:
    return part.with_name(f"{part.name}.json")


def _find_begun(part: Path) -> _Begun:
    """Find what has arrived; nothing if the server cannot tell whether its file is still the same."""
    try:
        facts = json.loads(_facts_of(part).read_text(encoding="utf-8"))
        validator, size = facts["validator"], part.stat().st_size
    except (OSError, ValueError, KeyError, TypeError):
        return _Begun(0, "")
    is_usable = isinstance(validator, str) and validator.isascii() and validator.isprintable() and bool(validator)
    return _Begun(size, validator) if is_usable else _Begun(0, "")


def _write_json(path: Path, record: object) -> None:
    path.write_text(json.dumps(record), encoding="utf-8")


def _write_all(file: Any, block: bytes) -> None:
    view = memoryview(block)
    while view:
        view = view[file.write(view) :]


def _hash_file(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _too_large(address: str) -> RequestError:
    return RequestError(f"{address}: more than {get_limits().max_bytes:,} bytes; raise it with --max-bytes")


_LOCK = ".lock"
_NEW = ".new-"


def _install(folder: Path, name: str, contents: dict[str, bytes], doubts: Sequence[str], origin: str) -> None:
    """Write a data set to a folder that is locked: in full or not at all."""
    written = folder / f"{_NEW}{os.urandom(4).hex()}"
    record = {
        "name": name,
        "files": {file_name: hashlib.sha256(content).hexdigest() for file_name, content in contents.items()},
        "doubts": list(doubts),
        "origin": origin,
    }
    with _explaining_folder(folder):
        try:
            written.mkdir()
            for file_name, content in (contents | {RECORD: json.dumps(record, indent=1).encode()}).items():
                _write_stored(written / file_name, content)
            with holding_signals():
                _remove_folder(folder / name)
                written.rename(folder / name)
        except BaseException:
            shutil.rmtree(written, ignore_errors=True)
            raise


def remove_data_set(name: str, folder: str | os.PathLike[str] | None = None) -> None:
    """Remove a data set from this machine; raise :class:`RequestError` if it is not here."""
    where = find_data_folder(folder)
    find_data_set(name)
    if not (where / name).is_dir():
        raise RequestError(f"{name} is not in {display_path(str(where))}")
    with _changing_folder(where, lambda _: None), _explaining_folder(where):
        _remove_folder(where / name)


def _remove_folder(path: Path) -> None:
    """Remove a folder, by a rename first, so that a reader never sees a part of it."""
    if not path.exists():
        return
    old = path.with_name(f"{_NEW}{os.urandom(4).hex()}")
    path.rename(old)
    shutil.rmtree(old, ignore_errors=True)


@contextmanager
def _changing_folder(folder: Path, tell: Callable[[str], Any]) -> Iterator[None]:
    """Lock the folder while it is changed; ``tell`` is told if another process must end first."""
    with _explaining_folder(folder):
        folder.mkdir(parents=True, exist_ok=True)
        lock = os.open(folder / _LOCK, os.O_RDWR | os.O_CREAT, 0o666)
    try:
        with suppress(OSError, ImportError):  # of a system or a file system without locks; renames still keep what is there whole
            import fcntl

            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                tell(f"another errata changes {display_path(str(folder))}; waiting until it has ended")
                fcntl.flock(lock, fcntl.LOCK_EX)
        for left in folder.glob(f"{_NEW}*"):  # of programs that were killed
            shutil.rmtree(left, ignore_errors=True)
        yield
    finally:
        os.close(lock)


@contextmanager
def _explaining_folder(folder: Path) -> Iterator[None]:
    """Turn what the disk raises into :class:`RequestError`."""
    try:
        yield
    except OSError as error:
        path = display_path(os.fsdecode(error.filename) if isinstance(error.filename, (str, bytes)) else str(folder))
        raise RequestError(f"{path}: cannot be written: {error.strerror or error}") from None


def _write_stored(path: Path, content: bytes) -> None:
    with path.open("xb") as file:
        file.write(content)
        file.flush()
        with suppress(OSError):
            os.fsync(file.fileno())


# --- Download data sets, verified.

_DOWNLOADS = ".downloads"
"""The folder of what is being downloaded."""


def get_data_sets(
    names: str | Iterable[str],
    *,
    folder: str | os.PathLike[str] | None = None,
    tell: Callable[[str], object] = lambda _: None,
    advance: Callable[[int], None] = lambda _: None,
) -> list[InstalledSet]:
    """Download data sets that are not here yet, with all sets of the same archive.

    What comes from the network is used only if it has the checksums of the published files.
    ``tell`` is told what is downloaded, with its licence; ``advance`` is told how many bytes have arrived.
    """
    wanted = [find_data_set(name) for name in ([names] if isinstance(names, str) else names)]
    where = find_data_folder(folder)
    for item in wanted:
        if not item.is_downloadable and not _is_here(item, where):
            raise RequestError(f"{item.name} is not downloaded, {_say_why(item)}; to get it: {item.how}")
    for item in wanted:
        if not _is_here(item, where):
            with _changing_folder(where, tell):
                if not _is_here(item, where):
                    _get(item, where, tell, advance)
    found = [InstalledSet.find(item.name, where) for item in wanted]
    return [installed for installed in found if installed is not None]


def _say_why(item: DataSet) -> str:
    known = "it has no public address" if item.is_verifiable else "its checksums are not all known, so it could not be verified"
    return f"because {known} (licence: {item.release.licence})"


def _is_here(item: DataSet, where: Path) -> bool:
    """Whether a data set is here and was verified."""
    installed = InstalledSet.find(item.name, where)
    return installed is not None and installed.is_verified


def _get(item: DataSet, where: Path, tell: Callable[[str], object], advance: Callable[[int], None]) -> None:
    """Download a data set into the folder, which is locked."""
    folder = where / _DOWNLOADS
    with _explaining_folder(folder):
        folder.mkdir(exist_ok=True)
    if item.release.archive:
        _get_archive(item, where, folder, tell, advance)
    else:
        _get_files(item, where, folder, tell, advance)


def _get_archive(item: DataSet, where: Path, folder: Path, tell: Callable[[str], object], advance: Callable[[int], None]) -> None:
    """Download an archive, and take all data sets that are in it."""
    release = item.release
    target = folder / _name(release.archive)
    if not target.exists():
        tell(f"downloading {release.archive} (licence: {release.licence})")
        _download(release.archive, target, release.archive_sha256, advance)
    siblings = [other for other in list_data_sets().values() if other.release == release and other.is_downloadable]
    try:
        candidates = _collect_candidates([str(target)], _make_filter([item, *siblings]))
        for other in [item, *(sibling for sibling in siblings if sibling.name != item.name and not _is_here(sibling, where))]:
            try:
                _take(other, candidates, release.archive, where)
            except InputError:
                if other is item:
                    raise
    except InputError:
        _discard(target)
        raise
    _discard(target)


def _get_files(item: DataSet, where: Path, folder: Path, tell: Callable[[str], object], advance: Callable[[int], None]) -> None:
    """Download the files of a data set one by one."""
    candidates = []
    targets = []
    tell(f"downloading {len(item.members)} files from {item.release.files} (licence: {item.release.licence})")
    for member in item.members:
        address = item.release.files + member.path
        target = folder / _name(address)
        targets.append(target)
        if not target.exists():
            _download(address, target, member.sha256, advance)
        with _explaining_folder(target):
            content = target.read_bytes()
        candidates.append(_Candidate(member.path, content, hashlib.sha256(content).hexdigest()))
    try:
        _take(item, candidates, item.release.files, where)
    except InputError:
        _discard_all(targets)
        raise
    _discard_all(targets)


def _discard_all(targets: Iterable[Path]) -> None:
    for target in targets:
        _discard(target)


def _take(item: DataSet, candidates: list[_Candidate], origin: str, where: Path) -> None:
    """Install a data set if it is verified."""
    found = _recognise(item, candidates, origin)
    contents, doubts = ({}, found.doubts) if found.doubts else _prepare(item, found)
    if doubts:
        raise InputError(f"{origin}: not the published {item.name}: {'; '.join(doubts)}; nothing was kept")
    _install(where, item.name, contents, doubts, origin)


def _name(address: str) -> str:
    """Name the file of a download."""
    return hashlib.sha256(address.encode()).hexdigest()[:32]
