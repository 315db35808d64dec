"""The data sets that have a name, as ``sets.toml`` lists them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path, PurePosixPath
from typing import Any, Literal

from errata.errors import UsageError, suggest

SetKind = Literal["m2", "parallel", "essays", "joined"]
"""What the files of a set are: M2, a text with its references, essays with theirs, or M2 files of one annotator each, to be joined."""


@dataclass(frozen=True)
class Release:
    """What is published together."""

    name: str
    title: str
    home: str
    """The page of the data."""
    language: str
    licence: str
    authors: str
    paper: str
    booktitle: str
    year: int
    url: str
    """The page of the paper."""
    archive: str = ""
    """The address of the archive that has all files, if it can be downloaded and verified."""
    archive_sha256: str = ""
    files: str = ""
    """What the addresses of single files begin with, if these are downloaded one by one."""
    how: str = ""
    """How a person gets the files, if errata does not."""

    @property
    def bibtex(self) -> str:
        """The paper as an entry of BibTeX."""
        key = f"{self.authors.partition(',')[0].lower().replace(' ', '-')}-{self.year}-{self.name}"
        fields = {"author": self.authors, "title": f"{{{self.paper}}}", "booktitle": self.booktitle, "year": self.year, "url": self.url}
        return "\n".join([f"@inproceedings{{{key},", *(f"  {name} = {{{value}}}," for name, value in fields.items()), "}"])


@dataclass(frozen=True)
class Member:
    """A file of a data set."""

    path: str
    """In its release, or the end of that path."""
    sha256: str = ""
    """Empty if it is not known."""

    @property
    def name(self) -> str:
        """The last part of the path."""
        return PurePosixPath(self.path).name


@dataclass(frozen=True)
class DataSet:
    """A corpus that is scored on: a test or development set."""

    name: str
    release: Release
    about: str
    members: tuple[Member, ...]
    """The gold or source first, then its references."""
    kind: SetKind = "m2"
    language: str = ""
    sentences: int | None = None
    """None if it is not known."""
    annotators: int | None = None
    fingerprint: str = ""
    """The beginning of the SHA-256 in signatures; empty if it is not known."""

    @property
    def is_verifiable(self) -> bool:
        """Whether checksums of all files, or of the archive, are known."""
        return bool(self.release.archive_sha256) or all(member.sha256 for member in self.members)

    @property
    def is_downloadable(self) -> bool:
        """Whether errata downloads it: there is an address, and what comes from there can be verified."""
        return bool(self.release.archive or self.release.files) and self.is_verifiable

    @property
    def how(self) -> str:
        """How to get it."""
        if self.is_downloadable:
            return f"errata data get {self.name}"
        unverified = "" if self.is_verifiable else " --unverified"
        return f"{self.release.how} ({self.release.home}), then errata data add {self.name} PATH{unverified}"


@cache
def list_data_sets() -> dict[str, DataSet]:
    """List all data sets by name.

    >>> list_data_sets()["conll14"].sentences
    1312
    """
    import tomllib

    table = tomllib.loads(Path(__file__).with_name("sets.toml").read_text(encoding="utf-8"))
    releases = {name: Release(name=name, **record) for name, record in table["releases"].items()}
    return {name: _make_set(name, record, releases) for name, record in table["sets"].items()}


def find_data_set(name: str) -> DataSet:
    """Find a data set; raise :class:`UsageError` with near names if there is none.

    >>> find_data_set("conll-14")
    Traceback (most recent call last):
    ...
    errata.errors.UsageError: there is no data set 'conll-14'; did you mean conll14?
    """
    if not isinstance(name, str):
        raise UsageError(f"the name of a data set must be a string, found {type(name).__name__}")
    known = list_data_sets()
    if name not in known:
        raise UsageError(f"there is no data set {name[:40]!r}{suggest(name, known) or '; errata data list lists them'}")
    return known[name]


def _make_set(name: str, record: dict[str, Any], releases: dict[str, Release]) -> DataSet:
    release = releases[record["release"]]
    members = tuple(Member(**member) for member in record["members"])
    return DataSet(**{"language": release.language, **record, "name": name, "release": release, "members": members})
