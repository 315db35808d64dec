"""Write files: all of them in full, or none."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, TYPE_CHECKING

from errata.errors import RequestError, UsageError
from errata.formats.folders import is_special
from errata.formats.leftovers import name_part
from errata.formats.lines import display_path
from errata.formats.transaction import all_or_none

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from errata.formats.transaction import Transaction


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
    written = path.with_name(name_part(os.urandom(4).hex()))
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
