"""Data sets by name: which there are, where they come from, and the copies on this machine."""

from __future__ import annotations

import hashlib
import json
import os
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any, Literal

from errata.corpus.texts import DEFAULT_MAX_TOKENS
from errata.errors import InputError, InputWarning, RequestError, UsageError, suggest
from errata.formats.lines import check_path, display_path
from errata.formats.problems import warn_in_python
from errata.formats.reading import read

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from errata.corpus.corpus import Corpus
    from errata.formats.problems import Problem


_SetKind = Literal["m2", "parallel", "essays", "joined"]
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
    kind: _SetKind = "m2"
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


_VARIABLE = "ERRATA_DATA_FOLDER"
"""The environment variable that names another folder."""


def find_data_folder(given: str | os.PathLike[str] | None = None) -> Path:
    """Find the folder of data sets: the one that is given, that of the environment, or that of the user for data of programs."""
    chosen = os.environ.get(_VARIABLE, "") if given is None else check_path(given, "expected the path of a folder for data sets")
    if given is not None and not chosen:
        raise UsageError("expected the path of a folder for data sets, found an empty one")
    if chosen:
        return Path(os.path.abspath(os.path.expanduser(chosen)))  # noqa: PTH100, PTH111 - never raise
    return _find_user_folder() / "errata" / "data"


def _find_user_folder() -> Path:
    """Find where programs keep the data of this user, as the conventions of the system say."""
    if sys.platform == "darwin":
        return _find_home() / "Library" / "Application Support"
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or _find_home() / "AppData" / "Local")
    stated = os.environ.get("XDG_DATA_HOME", "")
    return Path(stated) if os.path.isabs(stated) else _find_home() / ".local" / "share"  # noqa: PTH117 - the standard ignores other paths


def _find_home() -> Path:
    home = os.path.expanduser("~")  # noqa: PTH111 - never raises
    if not os.path.isabs(home):  # noqa: PTH117 - as in a container whose user has no name
        raise UsageError(f"this user has no home folder, so data sets need another: --data-folder, folder= in Python, or {_VARIABLE}")
    return Path(home)


# A set appears and disappears as a whole, by a rename.  A lock lets one process at a time change the folder; readers need none.

RECORD = "errata.json"
"""The beginning of the name of a folder that is being written."""
_MOST_BYTES = 1 << 20
"""Of a record."""


@dataclass(frozen=True)
class InstalledSet:
    """A data set on this machine."""

    name: str
    folder: Path
    files: Mapping[str, str]
    """The SHA-256 of each file, by name; the gold or source first."""
    doubts: tuple[str, ...]
    """Why it is not certain that it is the published one; nothing if it was verified."""
    origin: str
    """The address, or the path, that it comes from."""

    @property
    def is_verified(self) -> bool:
        """Whether its checksums are those that were published."""
        return not self.doubts

    @property
    def paths(self) -> list[str]:
        """The files, the gold or source first."""
        return [str(self.folder / name) for name in self.files]

    @classmethod
    def find(cls, name: str, folder: Path) -> InstalledSet | None:
        """Find a data set on this machine; None if it is not here."""
        own = folder / name
        path = own / RECORD
        try:
            with path.open("rb") as file:
                text = file.read(_MOST_BYTES).decode("utf-8")
        except (FileNotFoundError, NotADirectoryError):
            return None
        except (OSError, UnicodeDecodeError) as error:
            raise InputError(f"{display_path(str(path))}: cannot be read: {getattr(error, 'strerror', None) or error}") from None
        return _parse(name, own, text)

    def check(self) -> None:
        """Raise :class:`InputError` if a file is missing or was changed."""
        for path, expected in zip(self.paths, self.files.values(), strict=True):
            try:
                with Path(path).open("rb") as file:
                    found = hashlib.file_digest(file, "sha256").hexdigest()
            except OSError as error:
                raise InputError(f"{display_path(path)}: cannot be read: {error.strerror}; {self._advice}") from None
            if found != expected:
                raise InputError(f"{display_path(path)}: expected the SHA-256 {expected}, found {found}: it was changed; {self._advice}")

    @property
    def _advice(self) -> str:
        return f"errata data remove {self.name} removes it, then get or add it again"


def _parse(name: str, folder: Path, text: str) -> InstalledSet:
    try:
        record = json.loads(text)
        files, doubts, origin = record["files"], record["doubts"], record["origin"]
        is_sound = isinstance(files, dict) and bool(files) and all(_is_name(key) and isinstance(files[key], str) for key in files)
        is_sound = is_sound and isinstance(doubts, list) and all(isinstance(doubt, str) for doubt in doubts) and isinstance(origin, str)
    except (ValueError, KeyError, TypeError, RecursionError):
        is_sound = False
    if not is_sound:
        raise InputError(f"{display_path(str(folder / RECORD))}: damaged; errata data remove {name} removes the data set")
    return InstalledSet(name, folder, files, tuple(doubts) or _list_differences(name, files), origin)


def _list_differences(name: str, files: Mapping[str, str]) -> tuple[str, ...]:
    """List the files that are not those that were published, whatever a record says; those of joined sets are made here."""
    wanted = find_data_set(name)
    members = () if wanted.kind == "joined" else tuple(member for member in wanted.members if member.sha256)
    return tuple(
        f"expected the SHA-256 {member.sha256} of {member.name}, found {files.get(member.name, 'no such file')}"
        for member in members
        if files.get(member.name) != member.sha256
    )


def _is_name(name: str) -> bool:
    return bool(name) and name == os.path.basename(name) and name not in {".", "..", RECORD} and "\0" not in name  # noqa: PTH119


def _warn(text: str) -> None:
    import warnings

    warnings.warn(text, InputWarning, stacklevel=3)


def list_installed(folder: str | os.PathLike[str] | None = None, warn: Callable[[str], object] = _warn) -> dict[str, InstalledSet]:
    """List the data sets on this machine by name; ``warn`` is told of those that are damaged."""
    where = find_data_folder(folder)
    found = {}
    for name in list_data_sets():
        try:
            installed = InstalledSet.find(name, where)
        except InputError as error:
            warn(str(error))
            continue
        if installed is not None:
            found[name] = installed
    return found


def locate_data_set(name: str, *, folder: str | os.PathLike[str] | None = None) -> InstalledSet:
    """Find a data set on this machine, and check that its files are as they were when it came here.

    Nothing is downloaded: a set that is not here raises :class:`RequestError`, which says how to get it.
    """
    wanted = find_data_set(name)
    where = find_data_folder(folder)
    installed = InstalledSet.find(name, where)
    if installed is None:
        raise RequestError(f"the data set {name} is not in {display_path(str(where))}; to get it: {wanted.how}")
    installed.check()
    return installed


def describe_doubts(installed: InstalledSet) -> str:
    """Say why a data set is not verified."""
    return f"the data set {installed.name} is not verified: {'; '.join(installed.doubts)}"


def read_data_set(
    name: str,
    *,
    folder: str | os.PathLike[str] | None = None,
    max_tokens: int = DEFAULT_MAX_TOKENS,
    warn: Callable[[Problem], None] = warn_in_python,
) -> Corpus:
    """Read a data set that ``errata data get`` or ``errata data add`` has brought to this machine.

    A name is never the name of a file here, and :func:`errata.read` never reads a data set.
    ``folder`` is where data sets are kept, if that is not the usual folder.
    One that is not verified gives an :class:`errata.InputWarning`.
    """
    installed = locate_data_set(name, folder=folder)
    if not installed.is_verified:
        import warnings

        warnings.warn(describe_doubts(installed), InputWarning, stacklevel=2)
    source, *references = installed.paths
    return read(source, references=references, max_tokens=max_tokens, warn=warn)
