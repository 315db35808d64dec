"""Files that appear together: written under temporary names beside their targets, then renamed, all or none.

A reader never sees a part of a file, and a program that fails, is interrupted or is terminated leaves all files as they were.
If the last step fails for one of several files, those already renamed are restored.
Only a crash of the machine, or SIGKILL between two renames, can leave some files new and others old; each is complete.
"""

from __future__ import annotations

import os
import shutil
import signal
import stat
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, NamedTuple

from errata.errors import InputError, RequestError, UsageError
from errata.formats.leftovers import name_part, remove_leftovers
from errata.formats.lines import display_path
from errata.signals import ENDING, are_handled_here, holding_signals

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


class _Part(NamedTuple):
    """A file under its temporary name."""

    path: str
    """As the user wrote it."""
    target: Path
    written: Path


class Transaction:
    """Files that are written, but not yet renamed."""

    def __init__(self) -> None:
        self._parts: list[_Part] = []
        self._targets: set[Path] = set()
        self._old: dict[Path, Path] = {}
        self._folders: list[Path] = []
        self._searched: set[Path] = set()
        self._handlers: dict[int, Any] = {}

    def create(self, path: str) -> IO[bytes]:
        """Open a temporary file for a path; links are followed, and the mode of an existing file is kept."""
        if not Path(path).name:
            raise InputError(f"{display_path(path) or repr(path)}: this is a directory, expected a file to write")
        target = Path(os.path.realpath(path))
        if target.is_symlink():
            raise InputError(f"{display_path(path)}: this is a link that leads back to itself, expected a file to write")
        existing = _stat(target)
        if existing is not None and stat.S_ISDIR(existing.st_mode):
            raise InputError(f"{display_path(path)}: this is a directory, expected a file to write")
        if target in self._targets:
            raise UsageError(f"two results would be written to {display_path(path)}")
        if existing is not None:
            _check_replaceable(path, target, existing)
        if target.parent not in self._searched:
            self._searched.add(target.parent)
            remove_leftovers(target.parent)
        if not self._parts:
            self._clean_up_on_signals()
        part = _Part(path, target, target.with_name(name_part(os.urandom(4).hex())))
        self._parts.append(part)  # before it exists, so that an interrupt cannot leave it
        self._targets.add(target)
        mode = 0o666 if existing is None else stat.S_IMODE(existing.st_mode) & 0o777 | stat.S_IWUSR
        return open(part.written, "xb", opener=lambda name, flags: os.open(name, flags, mode))

    def make_folder(self, path: str) -> None:
        """Make a folder, which is removed again if nothing is written."""
        folder = Path(path)
        try:
            missing = [parent for parent in (folder, *folder.parents) if not parent.exists()]
            self._folders[:0] = missing
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise RequestError(f"{display_path(path)}: cannot be created: {error.strerror}") from None

    def mark(self) -> int:
        """Count the files, for :meth:`drop`."""
        return len(self._parts)

    def drop(self, mark: int) -> None:
        """Remove the files that were created after a mark."""
        _remove(part.written for part in self._parts[mark:])
        self._targets.difference_update(part.target for part in self._parts[mark:])
        del self._parts[mark:]

    def commit(self) -> None:
        """Rename all files; signals wait until that is done."""
        renamed: list[_Part] = []
        path = ""
        with holding_signals():
            try:
                for part in self._parts:
                    path = part.path
                    if (existing := _stat(part.target)) is not None:
                        part.written.chmod(stat.S_IMODE(existing.st_mode))
                        if len(self._parts) > 1:  # one file is either renamed or not
                            self._keep_old(part.target)
                for part in self._parts:
                    path = part.path
                    part.written.replace(part.target)
                    renamed.append(part)
            except BaseException as error:
                lost = self._restore(renamed)
                if not isinstance(error, OSError):
                    raise
                also = f"; could not be restored: {', '.join(lost)}" if lost else ""
                raise RequestError(f"{display_path(path)}: cannot be written: {error.strerror or error}{also}") from None
            self._parts.clear()
            self._targets.clear()
            self._folders.clear()

    def discard(self) -> None:
        """Remove all that is temporary."""
        with holding_signals():
            self.drop(0)
            _remove(self._old.values())
            self._old.clear()
            for folder in self._folders:
                with suppress(OSError):  # it may contain files of others by now
                    folder.rmdir()
            self._folders.clear()
        for number, handler in self._handlers.items():
            signal.signal(number, handler)
        self._handlers.clear()

    def _keep_old(self, target: Path) -> None:
        """Give a file a second name, from which it can be restored."""
        kept = self._old[target] = target.with_name(name_part(os.urandom(4).hex()))
        try:
            os.link(target, kept)
        except OSError:  # not every file system has links
            shutil.copy2(target, kept)

    def _restore(self, renamed: Iterable[_Part]) -> list[str]:
        """Undo renames; return the paths for which that is not possible."""
        lost = []
        for path, target, _ in renamed:
            try:
                if target in self._old:
                    self._old[target].replace(target)
                else:
                    target.unlink()
            except OSError:
                lost.append(display_path(path))
        return lost

    def _clean_up_on_signals(self) -> None:
        """Remove temporary files before a signal ends the program, as it would have ended without us."""
        if not are_handled_here():
            return

        def end(number: int, _: object) -> None:
            self.discard()
            signal.signal(number, signal.SIG_DFL)
            signal.raise_signal(number)

        self._handlers = {number: signal.signal(number, end) for number in ENDING if signal.getsignal(number) is signal.SIG_DFL}


_CURRENT: ContextVar[Transaction | None] = ContextVar("transaction", default=None)
_INPUTS: ContextVar[dict[tuple[int, int], str]] = ContextVar("inputs")


@contextmanager
def all_or_none() -> Iterator[Transaction]:
    """Rename the files that are written inside at the end, all together; if anything fails, none is changed."""
    if (outer := _CURRENT.get()) is not None:
        mark = outer.mark()
        try:
            yield outer
        except BaseException:
            outer.drop(mark)
            raise
        return
    transaction = Transaction()
    token = _CURRENT.set(transaction)
    try:
        yield transaction
        transaction.commit()
    finally:
        transaction.discard()
        _CURRENT.reset(token)


@contextmanager
def protecting(inputs: Iterable[str]) -> Iterator[None]:
    """Refuse to replace files that are read, or files in a folder that is read."""
    known = dict(_INPUTS.get({}))
    for path in inputs:
        if (found := _stat(Path(path))) is not None:
            known[found.st_dev, found.st_ino] = path
    token = _INPUTS.set(known)
    try:
        yield
    finally:
        _INPUTS.reset(token)


def _check_replaceable(path: str, target: Path, existing: os.stat_result) -> None:
    """Raise if a file is an input, or read-only."""
    inputs = _INPUTS.get({})
    folder = _stat(target.parent)
    for found in (existing, folder):
        if found is not None and (found.st_dev, found.st_ino) in inputs:
            raise UsageError(f"writing {display_path(path)} would replace the input {display_path(inputs[found.st_dev, found.st_ino])}")
    if not os.access(target, os.W_OK):
        raise RequestError(f"{display_path(path)}: cannot be written: the file is read-only")


def _stat(path: Path) -> os.stat_result | None:
    try:
        return path.stat()
    except (OSError, ValueError):
        return None


def _remove(paths: Iterable[Path]) -> None:
    for path in paths:
        with suppress(OSError):
            path.unlink()
