"""Download data sets, verified."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from errata.data.adding import prepare
from errata.data.candidates import Candidate, collect_candidates
from errata.data.downloading import discard, download
from errata.data.folder import find_data_folder
from errata.data.recognition import make_filter, recognise
from errata.data.store import changing, explaining, find_installed, install
from errata.data.table import find_data_set, list_data_sets
from errata.errors import InputError, RequestError

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from errata.data.store import InstalledSet
    from errata.data.table import DataSet

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
        download(release.archive, target, release.archive_sha256, advance)
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
        discard(target)
        raise
    discard(target)


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
            download(address, target, member.sha256, advance)
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
        discard(target)


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
