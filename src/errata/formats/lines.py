r"""Lines of text files: plain or compressed with gzip or zstd, or ``-`` for standard input.

Lines end at ``\n`` only: other line boundaries of Unicode must not shift sentences.
A ``\r`` before it and a byte order mark at the start are accepted.
"""

from __future__ import annotations

import io
import os
import sys
import zlib
from contextlib import AbstractContextManager, contextmanager, nullcontext
from itertools import count, islice
from pathlib import Path
from typing import IO, TYPE_CHECKING, NamedTuple

from errata.corpus.texts import DEFAULT_MAX_TOKENS, RAISE_LIMIT
from errata.errors import FormatError, InputError, suggest
from errata.formats.compression import find_compression, open_compressed, without_compression
from errata.formats.given_files import GivenFile
from errata.formats.limits import BoundedFile, get_limits, too_many_lines

if TYPE_CHECKING:
    from collections.abc import Iterator

    from errata.formats.problems import Problems
    from errata.formats.shared_texts import SharedTexts

BYTES_PER_TOKEN = 256
"""Generous, to bound the size of a line by its tokens."""
_MOST_ENTRIES = 10_000
"""Entries of a folder that are searched for a misspelt file name."""
_BUFFER = 1 << 16
_MAGIC = 4
"""Bytes by which compressed files are recognised."""
BOM = b"\xef\xbb\xbf"
_FOLLOWED = "the compressed data is damaged, or followed by other bytes"
_LARGE = 1 << 24
"""Bytes of a file that is not read at once."""
_ODD = (b"\r", b"\0", BOM)
"""Bytes that only the careful readers understand."""
_OTHER_LINE_BOUNDARIES = "\r\v\f\x1c\x1d\x1e\x85\u2028\u2029"


class Line(NamedTuple):
    """A line without its end, and its number from 1."""

    number: int
    text: str


def display_path(path: str) -> str:
    r"""Format a path for messages; bytes that are not text are escaped.

    >>> display_path("-"), display_path("caf\udce9.m2")
    ('standard input', 'caf\\udce9.m2')
    """
    return "standard input" if path == "-" else path.encode("utf-8", "backslashreplace").decode("utf-8")


def get_file_name(path: str) -> str:
    """Get the last part of a path, without ``.gz`` or ``.zst``.

    >>> get_file_name("data/gold.m2.gz"), get_file_name("-")
    ('gold.m2', 'stdin')
    """
    return "stdin" if path == "-" else without_compression(Path(display_path(path)).name)


@contextmanager
def open_bytes(path: str) -> Iterator[io.BufferedReader]:
    """Open a file, decompressed if needed; raise :class:`InputError` if it cannot be read or has too many bytes."""
    # Compressed files report damage only while they are read, so the body must run inside the handler.
    with explain_unreadable(path), open_any_size(path) as (file, compressed):
        bounded = BoundedFile(file, display_path(path), " after decompression" if compressed else "")
        yield io.BufferedReader(bounded, _BUFFER)


@contextmanager
def open_any_size(path: str) -> Iterator[tuple[io.BufferedIOBase, bool]]:
    """Open a file of any size, for readers that hold only a part of it; also tell whether it is decompressed.

    Opening and reading must be inside :func:`explain_unreadable`.
    """
    if path == "-" and sys.stdin is None:
        raise InputError("standard input is closed")
    with _open_plain(path) as plain:
        kind = find_compression(plain.peek(_MAGIC)[:_MAGIC])
        if kind is None:
            yield plain, False
        else:
            with open_compressed(plain, kind) as decompressed:
                yield decompressed, True


def _open_plain(path: str) -> AbstractContextManager[io.BufferedReader]:
    """Open a file as it is; what was open already is not closed."""
    if isinstance(path, GivenFile):
        return nullcontext(path.stream)
    return nullcontext(_make_peekable(sys.stdin.buffer)) if path == "-" else Path(path).open("rb")


@contextmanager
def explain_unreadable(path: str) -> Iterator[None]:
    """Turn what opening and reading a file raises into :class:`InputError`."""
    try:
        yield
    except FileNotFoundError:
        message = f"there is no such file{_suggest_file(path)}"
    except IsADirectoryError:
        message = "this is a directory, expected a file"
    except PermissionError:
        message = "no permission to read it"
    except (EOFError, OSError, zlib.error) as error:
        reason = getattr(error, "strerror", None) or str(error)
        message = f"cannot be read: {_FOLLOWED if reason.startswith('Not a gzipped file') else reason}"
    else:
        return
    raise InputError(f"{display_path(path)}: {message}") from None


def _suggest_file(path: str) -> str:
    """Suggest a file of the same folder with a similar name."""
    missing = Path(path)
    try:
        with os.scandir(missing.parent) as entries:
            names = [entry.name for entry in islice(entries, _MOST_ENTRIES)]
    except OSError:
        return ""
    close = suggest(missing.name, [name for name in names if name.isprintable()])
    return close.replace("did you mean ", f"did you mean {missing.parent}/") if close and str(missing.parent) != "." else close


def _make_peekable(file: IO[bytes]) -> io.BufferedReader:
    return file if isinstance(file, io.BufferedReader) else io.BufferedReader(file)  # type: ignore[arg-type]


def read_plain_file(path: str) -> str | None:
    """Read at once a text whose lines end in line feeds, perhaps after carriage returns, which are left out.

    None if anything else is unusual: the careful readers explain what is wrong.
    """
    if isinstance(path, GivenFile) or not os.path.isfile(path):  # noqa: PTH113 - never raises
        return None
    with open_bytes(path) as file:
        content = file.read(_LARGE)
    if len(content) == _LARGE:
        return None
    content = content.replace(b"\r\n", b"\n")
    if any(odd in content for odd in _ODD) or content.count(b"\n") >= get_limits().max_lines:
        return None
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError:
        return None


def count_bytes(max_tokens: int) -> int:
    """Compute how many bytes a line with so many tokens may have."""
    return max(1 << 20, max_tokens * BYTES_PER_TOKEN)


def read_lines(path: str, problems: Problems, max_tokens: int = DEFAULT_MAX_TOKENS, advice: str = "") -> Iterator[Line]:
    """Yield the lines of a file and report their problems; ``advice`` is about lines that are too long."""
    limit = count_bytes(max_tokens)
    plain = read_plain_file(path) if not problems.wants_warnings else None
    if plain:
        lines = plain.removesuffix("\n").split("\n")
        if max(map(len, lines)) < limit >> 2:  # a character has at most four bytes
            yield from map(Line, count(1), lines)
            return
    max_lines = get_limits().max_lines
    number = 0
    carriage_returns = 0
    with open_bytes(path) as file:
        raw = b""
        while raw := file.readline(limit + 1):
            number += 1
            if number > max_lines:
                raise too_many_lines(problems.path)
            is_long = len(raw) > limit
            if number == 1 and raw.startswith(BOM):
                problems.warning(1, "starts with a byte order mark (accepted)")
                raw = raw[len(BOM) :]
            ended = raw.endswith(b"\n")
            if number == 1 and not ended and b"\r" in raw[:-1]:
                problems.error(1, ONLY_CARRIAGE_RETURNS)
            if is_long:
                raise too_long_line(problems.path, number, max_tokens, advice)
            raw = raw.removesuffix(b"\n")
            if raw.endswith(b"\r"):
                carriage_returns += ended
                raw = raw.removesuffix(b"\r")
            if not ended:
                problems.warning(number, "no line end at the end of the file (accepted)")
            yield Line(number, decode_line(raw, number, problems))
    if number == 0:
        problems.error(None, "the file is empty")
    if carriage_returns:
        problems.warning(None, f"{carriage_returns:,} of {number:,} lines end in carriage return and line feed (accepted)")


ONLY_CARRIAGE_RETURNS = "carriage returns, but no line feed that ends the line; lines must end in a line feed, or in both"


def too_long_line(path: str, number: int, max_tokens: int, advice: str = "") -> FormatError:
    """Make the error for a line with too many bytes."""
    known = f"; {advice}" if advice else f", the limit for {max_tokens:,} tokens; {RAISE_LIMIT}"
    return FormatError(path, number, f"a line of more than {count_bytes(max_tokens):,} bytes{known}")


def decode_line(raw: bytes, number: int, problems: Problems) -> str:
    """Decode a line; if problems are only listed, replace bad bytes."""
    if b"\0" in raw:
        problems.error(number, f"a NUL byte at byte {raw.index(0) + 1} of the line; expected text")
        raw = raw.replace(b"\0", b"")
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        problems.error(number, f"not UTF-8: byte 0x{raw[error.start]:02x} at byte {error.start + 1} of the line")
        text = raw.decode("utf-8", "replace")
    if problems.wants_warnings and (odd := next((character for character in _OTHER_LINE_BOUNDARIES if character in text), None)):
        problems.warning(number, f"contains U+{ord(odd):04X}, which some tools take for a line end (errata does not)")
    return text


def decode_text(raw: bytes, path: str, first: int = 1) -> str:
    """Decode a part of a file that begins with the line ``first``; raise with the line and byte of what is not text."""
    try:
        text = raw.decode("utf-8")
        position = raw.find(b"\0")
        what = "a NUL byte at byte {} of the line; expected text"
    except UnicodeDecodeError as error:
        text, position = "", error.start
        what = f"not UTF-8: byte 0x{raw[position]:02x} at byte {{}} of the line"
    if position >= 0:
        before = raw[:position]
        raise FormatError(path, first + before.count(b"\n"), what.format(position - before.rfind(b"\n")))
    return text.removeprefix("\ufeff") if first == 1 else text


def split_tokens(line: Line, text: str, problems: Problems, max_tokens: int, share: SharedTexts) -> tuple[str, ...] | None:
    """Split a line, or a part of it; None if it has too many tokens."""
    tokens = text.split()
    if len(tokens) > max_tokens:
        problems.error(line.number, f"{len(tokens):,} tokens in a line, more than the limit of {max_tokens:,}; {RAISE_LIMIT}")
        return None
    return share(tokens)
