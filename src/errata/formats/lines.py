"""Lines of text files: plain or compressed, from paths, open files or memory, within limits."""

from __future__ import annotations

import io
import os
import re
import sys
import zlib
from contextlib import AbstractContextManager, contextmanager, nullcontext
from contextvars import ContextVar
from dataclasses import dataclass, replace
from itertools import count, islice
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Literal, NamedTuple

from errata.corpus.texts import DEFAULT_MAX_TOKENS, RAISE_LIMIT, iterate_ranges, looks_like_ranges
from errata.errors import FormatError, InputError, RequestError, UsageError, suggest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from os import PathLike

    from _typeshed import WriteableBuffer

    from errata.corpus.texts import Tokens
    from errata.formats.problems import Problems


# Limits on one input file, so that no file takes all memory; they hold for every format.


@dataclass(frozen=True)
class Limits:
    """What one input file may have at most."""

    max_bytes: int = 1 << 30
    """Bytes, after decompression."""
    max_lines: int = 10_000_000
    """Lines; in Parquet rows, in XML elements."""
    max_columns: int = 1_000
    """Columns of a table."""
    max_field: int = 1 << 20
    """Characters of a value of a table; in JSON Lines, bytes of a row."""

    def __post_init__(self) -> None:
        for name in ("max_bytes", "max_lines", "max_columns", "max_field"):
            value = getattr(self, name)
            if type(value) is not int or value < 1:
                raise UsageError(f"{name} must be a whole number from 1, found {value!r:.40}")

    def too_many_bytes(self, path: str, when: str = "") -> FormatError:
        """Make the error for a file with too many bytes; ``when`` says how they were counted."""
        return FormatError(path, None, f"more than {self.max_bytes:,} bytes{when}{self.advise('bytes')}")

    def too_many_lines(self, path: str, what: str = "lines") -> FormatError:
        """Make the error for a file with too many lines, or what counts as lines."""
        line = self.max_lines + 1 if what == "lines" else None
        return FormatError(path, line, f"more than {self.max_lines:,} {what}{self.advise('lines')}")

    def too_many_columns(self, path: str, found: int) -> FormatError:
        """Make the error for a table with too many columns."""
        return FormatError(path, 1, f"{found:,} columns, more than the limit of {self.max_columns:,}{self.advise('columns')}")

    @staticmethod
    def advise(name: str) -> str:
        """Say how a limit is raised."""
        return f"; raise it with --max-{name} (limit_input(max_{name}=...) in Python)"


_CURRENT: ContextVar[Limits] = ContextVar("limits", default=Limits())  # noqa: B039 - it cannot change


def get_limits() -> Limits:
    """Get the limits in use."""
    return _CURRENT.get()


@contextmanager
def limit_input(
    *, max_bytes: int | None = None, max_lines: int | None = None, max_columns: int | None = None, max_field: int | None = None
) -> Iterator[Limits]:
    """Set limits on every input file that is read inside ``with``: bytes after decompression, lines, columns and values of a table.

    Limits that are not given stay as they are.  They hold in the current thread or task.

    >>> import errata
    >>> with limit_input(max_lines=10):
    ...     errata.read("examples/learner.m2")
    Traceback (most recent call last):
    ...
    errata.errors.FormatError: examples/learner.m2:11: more than 10 lines; raise it with --max-lines (limit_input(max_lines=...) in Python)
    """
    given = {"max_bytes": max_bytes, "max_lines": max_lines, "max_columns": max_columns, "max_field": max_field}
    token = _CURRENT.set(replace(get_limits(), **{name: value for name, value in given.items() if value is not None}))
    try:
        yield get_limits()
    finally:
        _CURRENT.reset(token)


class _BoundedFile(io.RawIOBase):
    """A file that raises :class:`FormatError` when more bytes are read than the limit; closing it leaves the file below open."""

    def __init__(self, file: Any, path: str, when: str = "") -> None:
        self._file, self._path, self._when = file, path, when
        self._left = get_limits().max_bytes

    def readable(self) -> bool:
        """Tell that it can be read."""
        return True

    def readinto(self, buffer: WriteableBuffer) -> int:
        """Read the next bytes and count them."""
        count: int = self._file.readinto1(buffer)
        self._left -= count
        if self._left < 0:
            raise get_limits().too_many_bytes(self._path, self._when)
        return count


# --- Inputs that are no paths: open files, and texts in memory.  Readers take them like a path, which has their name for messages.

_BUFFER = 1 << 16
_EXPECTED = "expected a path, an open file, or a text of M2"
_M2_LINE = re.compile(r"[\ufeff\s]*[SA] ")


class GivenFile(str):
    """The name of an open file or a text, with its bytes; it is read once."""

    __slots__ = ("stream",)
    stream: io.BufferedReader

    @classmethod
    def of(cls, file: Any) -> GivenFile:
        """Take an open file, or a text."""
        is_text = isinstance(file, str)
        name = "<string>" if is_text else _find_name(file)
        given = cls(name)
        raw = io.BytesIO(file.encode("utf-8", "surrogatepass")) if is_text else _GivenBytes(file, name)
        given.stream = io.BufferedReader(raw, _BUFFER)
        return given

    @classmethod
    def or_path(cls, given: object) -> str:
        r"""Return a path as a string, or an open file or a text of M2 as something that is read like one.

        >>> GivenFile.or_path("gold.m2"), GivenFile.or_path("S A cat .\n")
        ('gold.m2', '<string>')
        """
        if isinstance(given, GivenFile):
            return given
        if isinstance(given, str):
            return cls.of(given) if _is_m2(given) else check_path(given)
        if isinstance(given, os.PathLike):
            return check_path(given)
        if callable(getattr(given, "read", None)):
            return cls.of(given)
        raise UsageError(f"{_EXPECTED}, found {type(given).__name__}")

    @property
    def has_name(self) -> bool:
        """Whether it has the name of a file."""
        return not self.startswith("<")


def check_path(path: object, expected: str = "expected a path") -> str:
    """Return a path as a string; raise if it is something else."""
    found = os.fspath(path) if isinstance(path, os.PathLike) else path
    if isinstance(found, str):
        _refuse_odd(found)
        return found
    raise UsageError(f"{expected}, found {type(path).__name__}")


def _is_m2(text: str) -> bool:
    """Tell whether a string is M2 itself: it has line feeds, begins as M2, and is not the name of a file."""
    return "\n" in text and _M2_LINE.match(text) is not None and not os.path.lexists(text)


def _refuse_odd(path: str) -> None:
    """Raise if no file can have this name."""
    try:
        encoded = os.fsencode(path)
    except UnicodeEncodeError:
        encoded = b"\0"
    if b"\0" in encoded:
        raise UsageError(f"expected a path, found a text that is none: {path!r:.60}")


def _find_name(file: object) -> str:
    """Find the name of an open file; that of its class if it has none."""
    name = getattr(file, "name", None)
    return name if isinstance(name, str) and name and not name.startswith("<") else f"<{type(file).__name__}>"


class _GivenBytes(io.RawIOBase):
    """The bytes of an open file, also of one that is read as text; closing it leaves the file open."""

    def __init__(self, file: Any, name: str) -> None:
        self._file, self._name = file, name
        self._left = b""

    def readable(self) -> bool:
        """Tell that it can be read."""
        return True

    def readinto(self, buffer: WriteableBuffer) -> int:
        """Read the next bytes."""
        view = memoryview(buffer).cast("B")
        content = self._left or self._read(len(view))
        count = min(len(content), len(view))
        view[:count], self._left = content[:count], content[count:]
        return count

    def _read(self, size: int) -> bytes:
        try:
            content = self._file.read(size)
        except UnicodeDecodeError as error:
            raise InputError(
                f"{self._name}: not {error.encoding}: byte 0x{error.object[error.start]:02x}; open it in binary mode"
            ) from None
        except OSError:
            raise
        except ValueError as error:
            raise InputError(f"{self._name}: cannot be read: {error}") from None
        if isinstance(content, str):
            return content.encode("utf-8", "surrogatepass")
        if isinstance(content, (bytes, bytearray, memoryview)):
            return bytes(content)
        raise InputError(f"{self._name}: an open file must give bytes or text, found {type(content).__name__}")


def require_pyarrow(what: str) -> None:
    """Raise :class:`RequestError` if pyarrow is not installed; ``what`` needs it."""
    try:
        import pyarrow as pa  # noqa: F401
    except ModuleNotFoundError:
        raise RequestError(f"{what} needs pyarrow, which is not installed: pip install 'errata[parquet]'") from None


# Compressed input files: gzip, and zstd if pyarrow is installed; the first bytes of a file say what it is, whatever its name.

_Compression = Literal["gzip", "zstd"]

COMPRESSED = (".gz", ".zst")
"""What the name of a compressed file ends in."""
_GZIP = b"\x1f\x8b"
_ZSTD = re.compile(rb"\x28\xb5\x2f\xfd|[\x50-\x5f]\x2a\x4d\x18")
"""The start of a frame, or of one that is to be skipped."""


def without_compression(name: str) -> str:
    """Remove the extension of compressed files from a name.

    >>> without_compression("gold.m2.gz"), without_compression("gold.m2.zst"), without_compression("gold.m2")
    ('gold.m2', 'gold.m2', 'gold.m2')
    """
    return name.removesuffix(".gz").removesuffix(".zst") if name.endswith(COMPRESSED) else name


def find_compression(beginning: bytes) -> _Compression | None:
    """Tell how a file is compressed by its first four bytes.

    >>> find_compression(bytes.fromhex("1f8b0800")), find_compression(bytes.fromhex("28b52ffd")), find_compression(b"S A ")
    ('gzip', 'zstd', None)
    """
    if beginning.startswith(_GZIP):
        return "gzip"
    return "zstd" if _ZSTD.match(beginning) else None


def open_compressed(file: IO[bytes], kind: _Compression) -> io.BufferedIOBase:
    """Decompress a file, all its members or frames; closing the result leaves the file open.

    Damage is reported while reading: as ``OSError``, ``EOFError`` or ``zlib.error``.
    """
    if kind == "gzip":
        import gzip

        return gzip.GzipFile(fileobj=file)
    return io.BufferedReader(_ZstdFile(file), 1 << 16)


class _ZstdFile(io.RawIOBase):
    """What a file has after decompression."""

    def __init__(self, file: IO[bytes]) -> None:

        require_pyarrow("a file compressed with zstd")
        import pyarrow as pa

        self._stream = pa.CompressedInputStream(pa.PythonFile(_KeptOpen(file), "r"), "zstd")

    def readable(self) -> bool:
        """Tell that it can be read."""
        return True

    def readinto(self, buffer: WriteableBuffer) -> int:
        """Read the next bytes."""
        count: int = self._stream.readinto(buffer)
        return count


class _KeptOpen:
    """A file that pyarrow cannot close: it may be standard input."""

    closed = False

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file

    def read(self, count: int = -1) -> bytes:
        return self._file.read(count)

    def close(self) -> Any:
        """Do nothing."""


# --- Lines of text files: plain or compressed with gzip or zstd, or ``-`` for standard input.
#
# Lines end at ``\n`` only: other line boundaries of Unicode must not shift sentences.
# A ``\r`` before it and a byte order mark at the start are accepted.

BYTES_PER_TOKEN = 256
"""Generous, to bound the size of a line by its tokens."""
_MOST_ENTRIES = 10_000
"""Entries of a folder that are searched for a misspelt file name."""
_MAGIC = 4
"""Bytes by which compressed files are recognised."""
BOM = b"\xef\xbb\xbf"
_ONLY_CARRIAGE_RETURNS = "carriage returns, but no line feed that ends the line; lines must end in a line feed, or in both"
_FOLLOWED = "the compressed data is damaged, or followed by other bytes"
_M2_EDIT = re.compile(r"A -?\d+ -?\d+\|\|\|")
_OTHER_LINE_BOUNDARIES = "\r\v\f\x1c\x1d\x1e\x85\u2028\u2029"


class Line(NamedTuple):
    """A line without its end, and its number from 1."""

    number: int
    text: str

    @classmethod
    def decode(cls, number: int, raw: bytes, problems: Problems) -> Line:
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
        return cls(number, text)

    def split(self, text: str, problems: Problems, max_tokens: int, share: SharedTexts) -> tuple[str, ...] | None:
        """Split the line, or a part of it; None if it has too many tokens."""
        tokens = text.split()
        if len(tokens) > max_tokens:
            problems.error(self.number, f"{len(tokens):,} tokens in a line, more than the limit of {max_tokens:,}; {RAISE_LIMIT}")
            return None
        return share(tokens)

    def refuse_edit(self, path: str) -> None:
        """Raise if the line, of a text with one sentence per line, is an edit of M2."""
        if self.text.startswith("A ") and _M2_EDIT.match(self.text):
            raise FormatError(path, self.number, "an edit of M2, but this file is read as text with one sentence per line")


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
def open_bytes(path: str, *, limited: bool = True) -> Iterator[io.BufferedIOBase]:
    """Open a file, decompressed if needed; raise :class:`InputError` if it cannot be read or, if ``limited``, has too many bytes.

    Compressed files report damage only while they are read: inside this, or inside :func:`explain_unreadable`.
    """
    with explain_unreadable(path):
        if path == "-" and sys.stdin is None:
            raise InputError("standard input is closed")
        with _open_plain(path) as plain:
            kind = find_compression(plain.peek(_MAGIC)[:_MAGIC])
            with nullcontext(plain) if kind is None else open_compressed(plain, kind) as file:
                bounded = _BoundedFile(file, display_path(path), " after decompression" if kind else "") if limited else None
                yield file if bounded is None else io.BufferedReader(bounded, _BUFFER)


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


def count_bytes(max_tokens: int) -> int:
    """Compute how many bytes a line with so many tokens may have."""
    return max(1 << 20, max_tokens * BYTES_PER_TOKEN)


class LineBlocks:
    """The lines of a file in blocks of bytes: whole lines, each with one line feed at its end; a block and a line are in memory.

    Problems of their ends and lengths are reported here; whoever iterates decodes the blocks, and counts their lines in ``line``.
    """

    def __init__(
        self,
        file: IO[bytes] | io.BufferedIOBase,
        problems: Problems,
        max_tokens: int,
        advice: str = "",
        *,
        max_lines: float = float("inf"),
        block_bytes: int = _BUFFER,
    ) -> None:
        self.line = 1
        """The number of the first line of the next block."""
        self.carriage_returns = 0
        """Lines that end in them, if warnings are wanted."""
        self._file, self._problems, self._max_tokens, self._advice = file, problems, max_tokens, advice
        self._longest, self._max_lines, self._block_bytes = count_bytes(max_tokens), max_lines, block_bytes

    def __iter__(self) -> Iterator[bytes]:
        problems = self._problems
        for raw in self._read_whole_lines():
            content = raw
            if self.line > self._max_lines:
                raise get_limits().too_many_lines(problems.path)
            ended = raw.endswith(b"\n")
            if self.line == 1:
                if raw.startswith(BOM):
                    problems.warning(1, "starts with a byte order mark (accepted)")
                    content = raw[len(BOM) :]
                if not ended and b"\r" in content[:-1]:
                    problems.error(1, _ONLY_CARRIAGE_RETURNS)
            if len(raw) == self._longest + 1 and raw.find(b"\n", 0, self._longest) < 0:
                raise self._too_long()
            if not ended:
                problems.warning(self.line, "no line end at the end of the file (accepted)")
                content += b"\n"
            if b"\r" in content:
                if problems.wants_warnings:
                    self.carriage_returns += raw.count(b"\r\n")
                content = content.replace(b"\r\n", b"\n")
            yield content
            raw = content = b""  # noqa: PLW2901 - a block that is done is freed before the next

    def _read_whole_lines(self) -> Iterator[bytes]:
        """Yield lines as they are: the last may have no end; one that is too long is alone, and the last, with one byte too many."""
        pieces: list[bytes] = []
        length = 0
        # What has arrived is read at once: a pipe may be slow, and a file damaged further on.
        read: Callable[[int], bytes] = getattr(self._file, "read1", self._file.read)
        while piece := read(self._block_bytes):
            if end := piece.rfind(b"\n") + 1:
                yield from self._cut_long(b"".join([*pieces, memoryview(piece)[:end]]))
                piece = piece[end:]
                pieces, length = [], 0
            pieces.append(piece)
            length += len(piece)
            if length > self._longest:
                break
        if length:
            yield b"".join(pieces)[: self._longest + 1]

    def _cut_long(self, content: bytes) -> Iterator[bytes]:
        start = 0
        while len(content) > self._longest and (end := content.find(b"\n", start) + 1):
            if end - start > self._longest:
                if start:
                    yield content[:start]
                content = content[start : start + self._longest + 1]
                break
            start = end
        yield content

    def _too_long(self) -> FormatError:
        known = f"; {self._advice}" if self._advice else f", the limit for {self._max_tokens:,} tokens; {RAISE_LIMIT}"
        return FormatError(self._problems.path, self.line, f"a line of more than {self._longest:,} bytes{known}")


def read_blocks(path: str, problems: Problems, max_tokens: int = DEFAULT_MAX_TOKENS, advice: str = "") -> Iterator[tuple[int, str]]:
    """Yield consecutive lines of a file in one text, and the number of the first; ``advice`` is about lines that are too long.

    Blocks in which nothing is wrong are decoded at once; of others each line is decoded alone, which explains what is.
    """
    max_lines = get_limits().max_lines
    with open_bytes(path) as file:
        blocks = LineBlocks(file, problems, max_tokens, advice, max_lines=max_lines)
        for content in blocks:
            first, lines = blocks.line, content.count(b"\n")
            text = None if first + lines > max_lines + 1 else _decode_block(content)
            if text is not None and not (problems.wants_warnings and any(odd in text for odd in _OTHER_LINE_BOUNDARIES)):
                yield first, text
            else:
                for number, raw in enumerate(content[:-1].split(b"\n"), first):
                    if number > max_lines:
                        raise get_limits().too_many_lines(problems.path)
                    yield number, Line.decode(number, raw, problems).text
            blocks.line += lines
    if blocks.line == 1:
        problems.error(None, "the file is empty")
    if blocks.carriage_returns:
        problems.warning(None, f"{blocks.carriage_returns:,} of {blocks.line - 1:,} lines end in carriage return and line feed (accepted)")


def _decode_block(content: bytes) -> str | None:
    """Decode lines, without the last line feed; None if that is not possible."""
    try:
        return None if b"\0" in content else content[:-1].decode("utf-8")
    except UnicodeDecodeError:
        return None


def read_lines(path: str, problems: Problems, max_tokens: int = DEFAULT_MAX_TOKENS, advice: str = "") -> Iterator[Line]:
    """Yield the lines of a file and report their problems; ``advice`` is about lines that are too long."""
    for first, text in read_blocks(path, problems, max_tokens, advice):
        yield from map(Line, count(first), text.split("\n"))


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


# --- Plain text: one tokenised sentence per line, the output of a system or one side of a parallel text.
#
# An empty line is a sentence without tokens: a system that deletes everything.


class TextLine(NamedTuple):
    """A line of a text, and its tokens."""

    text: str
    tokens: Tokens


def read_text(path: str, problems: Problems, max_tokens: int = DEFAULT_MAX_TOKENS) -> Iterator[Tokens]:
    """Yield the sentences of a text file; refuse files that contain M2 edits."""
    share = SharedTexts()
    for first, text in read_blocks(path, problems, max_tokens):
        if not problems.wants_warnings and "|||" not in text:
            sentences = [share(line.split()) for line in text.split("\n")]
            if max(map(len, sentences)) <= max_tokens:
                yield from sentences
                continue
        for line in map(Line, count(first), text.split("\n")):
            yield _read_sentence(line, problems, max_tokens, share).tokens


def read_text_lines(path: str, problems: Problems, max_tokens: int = DEFAULT_MAX_TOKENS) -> Iterator[TextLine]:
    """Yield the sentences of a text file as they are written, and their tokens; refuse files that contain M2 edits."""
    share = SharedTexts()
    for first, text in read_blocks(path, problems, max_tokens):
        for line in map(Line, count(first), text.split("\n")):
            yield _read_sentence(line, problems, max_tokens, share)


def _read_sentence(line: Line, problems: Problems, max_tokens: int, share: SharedTexts) -> TextLine:
    line.refuse_edit(problems.path)
    tokens = line.split(line.text, problems, max_tokens, share)
    if problems.wants_warnings and tokens is not None:
        if not tokens:
            problems.warning(line.number, "an empty line (a sentence without tokens)")
        elif line.text != " ".join(tokens):
            problems.odd_spacing(line.number)
    return TextLine(line.text, tokens or ())


def find_numbers(given: str, last: int) -> Iterator[int]:
    """Yield the numbers that a text names: numbers and ranges, or else a file of them; ``last`` is the largest possible number."""
    return iterate_ranges(given, last) if looks_like_ranges(given) else _read_sentence_list(given, last)


def _read_sentence_list(path: str | PathLike[str], last: int) -> Iterator[int]:
    """Yield the numbers of a file, in its order; ``last`` is the largest possible number.

    Empty lines are skipped.  A number in two lines is an error, so a file is read no further than it has new numbers.
    """
    from errata.formats.problems import Problems

    path = str(path)
    shown = display_path(path)
    lines: dict[int, int] = {}
    for line in read_lines(path, Problems(shown)):
        try:
            numbers = iterate_ranges(line.text, last) if line.text.strip() else iter(())
            for number in numbers:
                _check_new(number, lines)
                lines[number] = line.number
                yield number
        except UsageError as error:
            raise FormatError(shown, line.number, str(error)) from None
    if not lines:
        raise InputError(f"{shown}: expected numbers of sentences, found none")


def _check_new(number: int, lines: dict[int, int]) -> None:
    if number in lines:
        raise UsageError(f"sentence {number:,} is given twice, first in line {lines[number]:,}")


# Equal texts of a file are stored once, so that memory grows with what a file says, not with how often it repeats it.

_MOST_SHARED = 1_000_000
"""Different texts that are remembered; a text with more of them has few that repeat."""


class SharedTexts:
    """The texts of a file that is being read.

    >>> share = SharedTexts()
    >>> one, other = share("a b".split()), share("b c".split())
    >>> one[1] is other[0]
    True
    """

    def __init__(self) -> None:
        self._known: dict[str, str] = {}

    def __call__(self, texts: Sequence[str]) -> tuple[str, ...]:
        """Replace texts that are known by the same text in memory."""
        known = self._known
        return tuple(map(known.setdefault if len(known) < _MOST_SHARED else known.get, texts, texts))


def is_folder(path: str) -> bool:
    """Tell whether a path is a folder; what cannot be examined is none, and opening it says why."""
    return os.path.isdir(path)  # noqa: PTH112 - that of pathlib raises for names that are too long


def refuse_folder(path: str) -> None:
    """Raise if a path is a folder; only formats that say so are read from folders."""
    if is_folder(path):
        hint = (
            "a folder of HOO edits needs the texts that they are about: --source PATH (source= in Python), "
            "one of UA-GEC --from ua-gec (format= in Python)"
        )
        raise InputError(f"{display_path(path)}: this is a directory, expected a file; {hint}")


def is_special(path: str) -> bool:
    """Tell whether a path is neither a file nor a folder, but a pipe or a device."""
    return os.path.exists(path) and not os.path.isfile(path) and not os.path.isdir(path)  # noqa: PTH110, PTH112, PTH113


def list_files(folder: str) -> list[str]:
    """List the files of a folder in the order of their names; raise :class:`InputError` if it cannot be read."""
    try:
        with os.scandir(folder) as entries:
            return sorted(entry.path for entry in entries if entry.is_file())
    except OSError as error:
        raise InputError(f"{display_path(folder)}: cannot be read: {error.strerror or error}") from None
