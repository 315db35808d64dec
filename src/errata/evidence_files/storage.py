"""Where the files of evidence are kept: in a folder, or in memory for as long as a command runs."""

from __future__ import annotations

import os
from contextlib import contextmanager, nullcontext, suppress
from typing import TYPE_CHECKING, Protocol

from errata.errors import InputError, RequestError
from errata.formats.writing import remove_leftovers, write_at_once

if TYPE_CHECKING:
    from collections.abc import Iterator
    from contextlib import AbstractContextManager
    from pathlib import Path


class Storage(Protocol):
    """Files with names, in places that are folders inside folders, such as ``maxmatch/eager``; the empty place is the whole."""

    def show(self, place: str = "", name: str = "") -> str:
        """Name a file for messages."""

    def clean(self, place: str) -> None:
        """Remove what killed programs left."""

    def list_names(self, place: str) -> list[str]:
        """List the files of a place, in order."""

    def has(self, place: str, name: str) -> bool:
        """Whether there is a file."""

    def read(self, place: str, name: str) -> bytes:
        """Read a file."""

    def write(self, place: str, name: str, content: bytes) -> None:
        """Write a file, in full or not at all."""

    def remove(self, place: str, name: str) -> None:
        """Remove a file."""

    def lock(self) -> AbstractContextManager[None]:
        """Keep other programs from writing what is written inside."""


class FolderStorage:
    """Files in a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def show(self, place: str = "", name: str = "") -> str:
        """Give the path."""
        return str(self.folder / place / name)

    def clean(self, place: str) -> None:
        """Remove what killed programs left."""
        remove_leftovers(self.folder / place)

    def list_names(self, place: str) -> list[str]:
        """List the files of a folder."""
        folder = self.folder / place
        return sorted(path.name for path in folder.iterdir()) if folder.is_dir() else []

    def has(self, place: str, name: str) -> bool:
        """Whether there is a file."""
        return (self.folder / place / name).is_file()

    def read(self, place: str, name: str) -> bytes:
        """Read a file."""
        path = self.folder / place / name
        try:
            return path.read_bytes()
        except OSError as error:
            raise InputError(f"{path}: cannot be read: {error.strerror}") from None

    def write(self, place: str, name: str, content: bytes) -> None:
        """Write a file; its folder is made if there is none."""
        write_at_once(self._make_folder(place) / name, content)

    def _make_folder(self, place: str) -> Path:
        folder = self.folder / place
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise RequestError(f"{folder}: cannot be created: {error.strerror}") from None
        return folder

    def remove(self, place: str, name: str) -> None:
        """Remove a file, unless another program was faster."""
        path = self.folder / place / name
        try:
            path.unlink(missing_ok=True)
        except OSError as error:
            raise RequestError(f"{path}: cannot be removed: {error.strerror}") from None

    @contextmanager
    def lock(self) -> Iterator[None]:
        """Lock the folder, where the system has such locks."""
        try:
            from fcntl import LOCK_EX, flock
        except ModuleNotFoundError:
            yield
            return
        opened = os.open(self._make_folder(""), os.O_RDONLY)
        try:
            with suppress(OSError):  # some file systems have no locks
                flock(opened, LOCK_EX)
            yield
        finally:
            os.close(opened)


class MemoryStorage:
    """Files in memory; counts take a few bytes for a sentence."""

    def __init__(self, shown: str) -> None:
        self._shown = shown
        self._files: dict[tuple[str, str], bytes] = {}

    def show(self, place: str = "", name: str = "") -> str:
        """Name what was counted."""
        return ": ".join(text for text in (self._shown, place, name) if text)

    def clean(self, place: str) -> None:
        """Do nothing: nothing is left by others."""

    def list_names(self, place: str) -> list[str]:
        """List the files of a place."""
        return sorted(name for own, name in self._files if own == place)

    def has(self, place: str, name: str) -> bool:
        """Whether there is a file."""
        return (place, name) in self._files

    def read(self, place: str, name: str) -> bytes:
        """Return a file."""
        return self._files[place, name]

    def write(self, place: str, name: str, content: bytes) -> None:
        """Keep a file."""
        self._files[place, name] = content

    def remove(self, place: str, name: str) -> None:
        """Forget a file."""
        del self._files[place, name]

    def lock(self) -> AbstractContextManager[None]:
        """Do nothing: no other program writes here."""
        return nullcontext()
