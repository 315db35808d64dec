"""Download data sets: in full and verified, or not at all."""

from __future__ import annotations

import errno
import hashlib
import json
import re
import time
from contextlib import contextmanager
from http import HTTPStatus
from http.client import HTTPException, HTTPResponse
from typing import TYPE_CHECKING, Any, NamedTuple, cast
from urllib.parse import urljoin, urlsplit

from errata import __version__
from errata.errors import InputError, RequestError
from errata.formats.datasets import (
    changing,
    explaining,
    find_data_folder,
    find_data_set,
    find_installed,
    install,
    list_data_sets,
)
from errata.formats.lines import display_path, get_limits
from errata.formats.recognise import Candidate, collect_candidates, make_filter, prepare, recognise

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    from errata.formats.datasets import DataSet, InstalledSet


# --- Which addresses are opened: HTTPS, and plain HTTP on the loopback interface only.

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


# --- Download a file: in full and verified, or not at all.
#
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
_CHUNK = 1 << 16
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

    with _explaining(address, part):
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
def _explaining(address: str, part: Path) -> Iterator[None]:
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
    with _open(address, begun) as response:
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
            block = response.read1(_CHUNK)
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
def _open(address: str, begun: _Begun) -> Iterator[HTTPResponse]:
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
            with changing(where, tell):
                if not _is_here(item, where):
                    _get(item, where, tell, advance)
    found = [find_installed(item.name, where) for item in wanted]
    return [installed for installed in found if installed is not None]


def _say_why(item: DataSet) -> str:
    known = "it has no public address" if item.is_verifiable else "its checksums are not all known, so it could not be verified"
    return f"because {known} (licence: {item.release.licence})"


def _is_here(item: DataSet, where: Path) -> bool:
    """Whether a data set is here and was verified."""
    installed = find_installed(item.name, where)
    return installed is not None and installed.is_verified


def _get(item: DataSet, where: Path, tell: Callable[[str], object], advance: Callable[[int], None]) -> None:
    """Download a data set into the folder, which is locked."""
    folder = where / _DOWNLOADS
    with explaining(folder):
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
        candidates = collect_candidates([str(target)], make_filter([item, *siblings]))
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
        with explaining(target):
            content = target.read_bytes()
        candidates.append(Candidate(member.path, content, hashlib.sha256(content).hexdigest()))
    try:
        _take(item, candidates, item.release.files, where)
    except InputError:
        _discard_all(targets)
        raise
    _discard_all(targets)


def _discard_all(targets: Iterable[Path]) -> None:
    for target in targets:
        _discard(target)


def _take(item: DataSet, candidates: list[Candidate], origin: str, where: Path) -> None:
    """Install a data set if it is verified."""
    found = recognise(item, candidates, origin)
    contents, doubts = ({}, found.doubts) if found.doubts else prepare(item, found)
    if doubts:
        raise InputError(f"{origin}: not the published {item.name}: {'; '.join(doubts)}; nothing was kept")
    install(where, item.name, contents, doubts, origin)


def _name(address: str) -> str:
    """Name the file of a download."""
    return hashlib.sha256(address.encode()).hexdigest()[:32]
