"""Write files: all of them in full, or none."""

from __future__ import annotations

import io
import os
import secrets
import shutil
import stat
import sys
from collections.abc import Callable
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, TYPE_CHECKING

from errata.errors import InputError, RequestError
from errata.formats.lines import display_path

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping


def write_files(outputs: Mapping[str, Iterable[str]]) -> None:
    """Write lines to files; no file is replaced before all are written.  ``-`` is standard output, always UTF-8.

    Links are followed; pipes and devices are written to directly.
    """

    def writer(lines: Iterable[str]) -> _Writer:
        def write(path: str, written: Path, mode: str) -> None:
            with _open(path, written, mode) as file:
                file.writelines(f"{line}\n" for line in lines)

        return write

    _write_whole({path: writer(lines) for path, lines in outputs.items()})


def write_bytes(path: str, content: bytes) -> None:
    """Write a file, in full or not at all."""

    def write(path: str, written: Path, mode: str) -> None:
        del path
        with written.open(f"{mode}b") as file:
            file.write(content)

    _write_whole({path: write})


_Writer = Callable[[str, Path, str], None]
"""Takes the path, the file to write and the mode to open it in."""


def _write_whole(writers: Mapping[str, _Writer]) -> None:
    parts: list[tuple[Path, Path]] = []  # temporary files and their targets
    path = ""
    try:
        for path, write in writers.items():
            if path != "-" and not Path(path).name:
                raise InputError(f"{display_path(path) or repr(path)}: this is a directory, expected a file to write")
            in_place = path == "-" or _is_special(path)
            target = Path(path if in_place else os.path.realpath(path))
            if not in_place and target.is_dir():
                raise InputError(f"{display_path(path)}: this is a directory, expected a file to write")
            written = target if in_place else target.with_name(f".errata-{os.getpid()}-{secrets.token_hex(4)}.part")
            if not in_place:
                parts.append((written, target))
            write(path, written, "w" if in_place else "x")
        for written, target in parts:
            if target.exists():
                shutil.copymode(target, written)
            written.replace(target)
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
    finally:
        for written, _ in parts:
            with suppress(OSError):
                written.unlink()


def _is_special(path: str) -> bool:
    """Tell whether a path is neither a file nor a folder, but a pipe or a device."""
    try:
        mode = os.stat(path).st_mode  # noqa: PTH116 - follows links, even to a target without a name
    except OSError:
        return False
    return not stat.S_ISREG(mode) and not stat.S_ISDIR(mode)


@contextmanager
def _open(path: str, written: Path, mode: str) -> Iterator[IO[str]]:
    """Open a file, compressed with gzip if its extension is .gz, or standard output."""
    if path == "-" and not hasattr(sys.stdout, "buffer"):  # a program has replaced it by a stream of text
        yield sys.stdout
    elif path == "-":
        sys.stdout.flush()
        text = io.TextIOWrapper(sys.stdout.buffer, encoding="utf-8", newline="\n", write_through=True)
        try:
            yield text
        finally:
            text.detach()
    elif path.endswith(".gz"):
        import gzip

        with (
            written.open(mode + "b") as raw,
            gzip.GzipFile(filename="", mode="wb", fileobj=raw, mtime=0) as compressed,
            io.TextIOWrapper(compressed, encoding="utf-8", newline="\n") as text,
        ):
            yield text
    else:
        with written.open(mode, encoding="utf-8", newline="\n") as file:
            yield file
