"""Write files: all of them in full, or none, whatever ends the program."""

from __future__ import annotations

import io
import os
import re
import shutil
import signal
import stat
import sys
import threading
import time
import unicodedata
import zlib
from collections.abc import Callable
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from functools import cache
from itertools import islice
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, NamedTuple

from errata.errors import InputError, RequestError, UsageError
from errata.formats.lines import display_path, is_special

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping


ENDING = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name))
"""Signals that end a program without a word to Python."""


def are_handled_here() -> bool:
    """Whether this is the main thread: Python handles signals only there, so other threads are never interrupted."""
    return threading.current_thread() is threading.main_thread()


@contextmanager
def holding_signals() -> Iterator[None]:
    """Let signals wait until the end of the block."""
    if not are_handled_here():
        yield
        return
    waiting: list[int] = []
    handlers: dict[int, Any] = {}
    try:
        for number in (signal.SIGINT, *ENDING):
            if signal.getsignal(number) not in {None, signal.SIG_IGN}:
                handlers[number] = signal.signal(number, lambda number, _: waiting.append(number))
        yield
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)
        for number in dict.fromkeys(waiting):
            signal.raise_signal(number)


# A name has a mark of the machine and the number of the process, so that files of programs that still run are kept, on other machines
# that share the folder too.

_PART = re.compile(r"\.errata-([0-9a-f]{8})-([1-9][0-9]{0,9})-[0-9a-f]{8}\.part")
_OLD = 24 * 60 * 60
"""Seconds after which a temporary file is left over, whoever wrote it."""
_MOST_ENTRIES = 10_000
"""Entries of a folder that are searched for temporary files."""


@cache
def _machine() -> str:
    """Mark the machine and its numbering of processes, of which containers have their own."""
    numbering = ""
    with suppress(OSError):
        numbering = os.readlink("/proc/self/ns/pid")  # noqa: PTH115 - not the name of a file
    return f"{zlib.crc32(f'{os.uname().nodename} {numbering}'.encode(errors='surrogateescape')):08x}"


def _name_part(token: str) -> str:
    """Name a temporary file."""
    return f".errata-{_machine()}-{os.getpid()}-{token}.part"


def remove_leftovers(folder: Path) -> None:
    """Remove temporary files of this user whose process has ended, or that are a day old; links are never followed."""
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in islice(entries, _MOST_ENTRIES):
            if (match := _PART.fullmatch(entry.name)) is not None:
                with suppress(OSError):
                    found = entry.stat(follow_symlinks=False)
                    if stat.S_ISREG(found.st_mode) and found.st_uid == os.geteuid() and _is_left(match[1], int(match[2]), found.st_mtime):
                        os.unlink(entry.path)  # noqa: PTH108 - no need for an object


def _is_left(machine: str, process: int, written: float) -> bool:
    if time.time() - written > _OLD:
        return True
    return machine == _machine() and process != os.getpid() and not _is_running(process)


def _is_running(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):  # a process of another user
        return True
    return True


# --- Files that appear together: written under temporary names beside their targets, then renamed, all or none.
#
# A reader never sees a part of a file, and a program that fails, is interrupted or is terminated leaves all files as they were.
# If the last step fails for one of several files, those already renamed are restored.
# Only a crash of the machine, or SIGKILL between two renames, can leave some files new and others old; each is complete.


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
        _check_target(path, target, self._targets)
        if existing is not None and not os.access(target, os.W_OK):
            raise RequestError(f"{display_path(path)}: cannot be written: the file is read-only")
        if target.parent not in self._searched:
            self._searched.add(target.parent)
            remove_leftovers(target.parent)
        if not self._parts:
            self._clean_up_on_signals()
        part = _Part(path, target, target.with_name(_name_part(os.urandom(4).hex())))
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
        kept = self._old[target] = target.with_name(_name_part(os.urandom(4).hex()))
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


def check_outputs(paths: Iterable[str]) -> None:
    """Raise before any work if two results would be written to one file, or one to an input; writing itself checks each file again."""
    targets: set[Path] = set()
    for path in paths:
        target = Path(os.path.realpath(path))
        _check_target(path, target, targets)
        targets.add(target)


def _check_target(path: str, target: Path, others: set[Path]) -> None:
    """Raise if a file is another result, an input, or an existing file anywhere in a folder that is read."""
    if target in others:
        raise UsageError(f"two results would be written to {display_path(path)}")
    existing, inputs = _stat(target), _INPUTS.get({})
    if existing is None or not inputs:
        return
    for found in (existing, *(map(_stat, target.parents) if stat.S_ISREG(existing.st_mode) else ())):
        if found is not None and (found.st_dev, found.st_ino) in inputs:
            raise UsageError(f"writing {display_path(path)} would replace the input {display_path(inputs[found.st_dev, found.st_ino])}")


def _stat(path: Path) -> os.stat_result | None:
    try:
        return path.stat()
    except (OSError, ValueError):
        return None


def _remove(paths: Iterable[Path]) -> None:
    for path in paths:
        with suppress(OSError):
            path.unlink()


def write_files(outputs: Mapping[str, Iterable[str]]) -> None:
    """Write lines to files; no file is replaced before all are written.  ``-`` is standard output, always UTF-8.

    Links are followed; pipes and devices are written to directly.
    """

    def writer(path: str, lines: Iterable[str]) -> _Writer:
        def write(file: IO[bytes]) -> None:
            with _text(file, path) as text:
                text.writelines(f"{line}\n" for line in lines)

        return write

    _write_all({path: writer(path, lines) for path, lines in outputs.items()})


def write_bytes(path: str, content: bytes) -> None:
    """Write a file, in full or not at all."""

    def write(file: IO[bytes]) -> None:
        file.write(content)

    _write_all({path: write})


def write_at_once(path: Path, content: bytes) -> None:
    """Write a file and rename it as soon as it is on the disk, whatever else is being written."""
    written = path.with_name(_name_part(os.urandom(4).hex()))
    try:
        with written.open("xb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        written.replace(path)
    except BaseException as error:
        with suppress(OSError):
            written.unlink()
        if isinstance(error, OSError):
            raise RequestError(f"{display_path(str(path))}: cannot be written: {error.strerror or error}") from None
        raise


_Writer = Callable[[IO[bytes]], None]


def _write_all(writers: Mapping[str, _Writer]) -> None:
    path = ""
    try:
        with all_or_none() as files:
            for path, write in writers.items():
                with _open(path, files) as file:
                    write(file)
    except UnicodeEncodeError as error:
        raise RequestError(
            f"{display_path(path)}: cannot write a text that is not valid Unicode: {error.object[error.start : error.end]!r}"
        ) from None
    except BrokenPipeError:
        raise  # the reader of a pipe has seen enough
    except OSError as error:
        if path == "-":
            raise  # a closed pipe or a full disk is reported with all other output
        raise RequestError(f"{display_path(path)}: cannot be written: {error.strerror or error}") from None


@contextmanager
def _open(path: str, files: Transaction) -> Iterator[IO[bytes]]:
    """Open standard output, a pipe or a device, or a temporary file for a path."""
    if path == "-" and not hasattr(sys.stdout, "buffer"):  # a program has replaced it by a stream of text
        content = io.BytesIO()
        yield content
        getattr(sys.stdout, "unfiltered", sys.stdout).write(content.getvalue().decode("utf-8"))
    elif path == "-":
        sys.stdout.flush()
        yield sys.stdout.buffer
    else:
        with Path(path).open("wb") if is_special(path) else files.create(path) as file:
            yield file


@contextmanager
def _text(file: IO[bytes], path: str) -> Iterator[IO[str]]:
    """Encode lines, and compress them with gzip if the extension of the path is .gz."""
    if path.endswith(".zst"):
        raise UsageError(f"{display_path(path)}: zstd can be read, but not written; expected a name that ends in .gz, or is not compressed")
    if path.endswith(".gz"):
        import gzip

        with (
            gzip.GzipFile(filename="", mode="wb", fileobj=file, mtime=0) as packed,
            io.TextIOWrapper(packed, encoding="utf-8", newline="\n") as inside,
        ):
            yield inside
        return
    text = io.TextIOWrapper(file, encoding="utf-8", newline="\n", write_through=path == "-")
    try:
        yield text
        text.flush()
    finally:
        text.detach()


LONGEST_FILE_NAME = 255
"""Bytes of a file name on all usual file systems."""


def find_same_file(names: Iterable[str]) -> tuple[int, int] | None:
    """Find two names that are one file on some systems, which take no notice of case or of how accents are encoded.

    >>> find_same_file(["a.xml", "b.xml", "A.xml"])
    (0, 2)
    """
    seen: dict[str, int] = {}
    for number, name in enumerate(names):
        folded = unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold())
        if folded in seen:
            return seen[folded], number
        seen[folded] = number
    return None
