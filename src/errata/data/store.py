"""The data sets on this machine: a folder for each, with the published files and a record of where they come from.

A set appears and disappears as a whole, by a rename.  A lock lets one process at a time change the folder; readers need none.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from errata.data.folder import find_data_folder
from errata.data.table import find_data_set, list_data_sets
from errata.errors import InputError, InputWarning, RequestError
from errata.formats.lines import display_path
from errata.signals import holding_signals

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

_RECORD = "errata.json"
_LOCK = ".lock"
_NEW = ".new-"
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


def find_installed(name: str, folder: Path) -> InstalledSet | None:
    """Find a data set on this machine; None if it is not here."""
    own = folder / name
    path = own / _RECORD
    try:
        with path.open("rb") as file:
            text = file.read(_MOST_BYTES).decode("utf-8")
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{display_path(str(path))}: cannot be read: {getattr(error, 'strerror', None) or error}") from None
    return _parse(name, own, text)


def _parse(name: str, folder: Path, text: str) -> InstalledSet:
    try:
        record = json.loads(text)
        files, doubts, origin = record["files"], record["doubts"], record["origin"]
        is_sound = isinstance(files, dict) and bool(files) and all(_is_name(key) and isinstance(files[key], str) for key in files)
        is_sound = is_sound and isinstance(doubts, list) and all(isinstance(doubt, str) for doubt in doubts) and isinstance(origin, str)
    except (ValueError, KeyError, TypeError, RecursionError):
        is_sound = False
    if not is_sound:
        raise InputError(f"{display_path(str(folder / _RECORD))}: damaged; errata data remove {name} removes the data set")
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
    return bool(name) and name == os.path.basename(name) and name not in {".", "..", _RECORD} and "\0" not in name  # noqa: PTH119


def _warn(text: str) -> None:
    import warnings

    warnings.warn(text, InputWarning, stacklevel=3)


def list_installed(folder: str | os.PathLike[str] | None = None, warn: Callable[[str], object] = _warn) -> dict[str, InstalledSet]:
    """List the data sets on this machine by name; ``warn`` is told of those that are damaged."""
    where = find_data_folder(folder)
    found = {}
    for name in list_data_sets():
        try:
            installed = find_installed(name, where)
        except InputError as error:
            warn(str(error))
            continue
        if installed is not None:
            found[name] = installed
    return found


def install(folder: Path, name: str, contents: dict[str, bytes], doubts: Sequence[str], origin: str) -> None:
    """Write a data set to a folder that is locked: in full or not at all."""
    written = folder / f"{_NEW}{os.urandom(4).hex()}"
    record = {
        "name": name,
        "files": {file_name: hashlib.sha256(content).hexdigest() for file_name, content in contents.items()},
        "doubts": list(doubts),
        "origin": origin,
    }
    with explaining(folder):
        try:
            written.mkdir()
            for file_name, content in (contents | {_RECORD: json.dumps(record, indent=1).encode()}).items():
                _write(written / file_name, content)
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
    with changing(where, lambda _: None), explaining(where):
        _remove_folder(where / name)


def _remove_folder(path: Path) -> None:
    """Remove a folder, by a rename first, so that a reader never sees a part of it."""
    if not path.exists():
        return
    old = path.with_name(f"{_NEW}{os.urandom(4).hex()}")
    path.rename(old)
    shutil.rmtree(old, ignore_errors=True)


@contextmanager
def changing(folder: Path, tell: Callable[[str], Any]) -> Iterator[None]:
    """Lock the folder while it is changed; ``tell`` is told if another process must end first."""
    with explaining(folder):
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
def explaining(folder: Path) -> Iterator[None]:
    """Turn what the disk raises into :class:`RequestError`."""
    try:
        yield
    except OSError as error:
        path = display_path(os.fsdecode(error.filename) if isinstance(error.filename, (str, bytes)) else str(folder))
        raise RequestError(f"{path}: cannot be written: {error.strerror or error}") from None


def _write(path: Path, content: bytes) -> None:
    with path.open("xb") as file:
        file.write(content)
        file.flush()
        with suppress(OSError):
            os.fsync(file.fileno())
