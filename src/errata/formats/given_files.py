"""Inputs that are no paths: open files, and texts in memory.  Readers take them like a path, which has their name for messages."""

from __future__ import annotations

import io
import os
from typing import TYPE_CHECKING, Any

from errata.errors import InputError, UsageError

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

_BUFFER = 1 << 16
_EXPECTED = "expected a path, an open file, or a text with line feeds"


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

    @property
    def has_name(self) -> bool:
        """Whether it has the name of a file."""
        return not self.startswith("<")


def as_input(given: object) -> str:
    """Return a path as a string, or an open file or a text as something that is read like one.

    >>> as_input("gold.m2"), as_input("S A cat .")  # a text has line feeds
    ('gold.m2', 'S A cat .')
    """
    if isinstance(given, GivenFile):
        return given
    if isinstance(given, str):
        return GivenFile.of(given) if "\n" in given else check_path(given)
    if isinstance(given, os.PathLike):
        return check_path(given)
    if callable(getattr(given, "read", None)):
        return GivenFile.of(given)
    raise UsageError(f"{_EXPECTED}, found {type(given).__name__}")


def check_path(path: object, expected: str = "expected a path") -> str:
    """Return a path as a string; raise if it is something else."""
    found = os.fspath(path) if isinstance(path, os.PathLike) else path
    if isinstance(found, str):
        _refuse_odd(found)
        return found
    raise UsageError(f"{expected}, found {type(path).__name__}")


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
