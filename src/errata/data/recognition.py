"""Which files are a data set: those with its checksums, or those with its file names, which are not verified."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from errata.data.table import list_data_sets
from errata.errors import InputError, pluralise
from errata.formats.lines import BOM, display_path

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from errata.data.candidates import Candidate
    from errata.data.table import DataSet, Member


@dataclass(frozen=True)
class Recognised:
    """The files of a data set, and why it is not certain that they are."""

    contents: dict[str, bytes]
    """By file name."""
    doubts: tuple[str, ...] = ()

    @property
    def is_verified(self) -> bool:
        """Whether all files have their checksums."""
        return not self.doubts


def normalise(content: bytes) -> bytes:
    r"""Bring a text to the form in which data sets are published: no byte order mark, line feeds, and one at the end.

    >>> normalise(b"S A cat .\r\n\r\n")
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


def recognise(wanted: DataSet, candidates: Sequence[Candidate], where: str) -> Recognised:
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
    return Recognised(contents, tuple(doubts))


def _find_by_checksum(member: Member, candidates: Sequence[Candidate]) -> bytes | None:
    """Find the content of a file with the checksum, perhaps after line ends are made those of the published file."""
    if not member.sha256:
        return None
    for candidate in candidates:
        if candidate.sha256 == member.sha256:
            return candidate.content
    for candidate in candidates:
        text = normalise(candidate.content)
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
