"""Arrow arrays of texts: of type string, without nulls, and with nothing in their buffers but their own texts."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from errata.errors import FormatError

if TYPE_CHECKING:
    from numpy.typing import NDArray

MOST_ARRAY_BYTES = (1 << 31) - 1
"""Bytes of all texts of an array."""


class TextBatch:
    """Texts of a file that become one array."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._arrays: list[Any] = []
        self._bytes = 0

    def add(self, array: Any, first: int) -> None:
        """Add an array of strings, which may be a slice; its first text is that of the line, or row, ``first``."""
        self._bytes += count_text_bytes(array)
        if self._bytes > MOST_ARRAY_BYTES:
            what = f"more than {MOST_ARRAY_BYTES:,} bytes in texts that are read together; expected fewer texts at a time, or shorter ones"
            raise FormatError(self._path, first, what)
        self._arrays.append(array)

    def make_array(self) -> Any:
        """Make one array."""
        return _join(self._arrays)


def _join(arrays: list[Any]) -> Any:
    """Copy texts into one array, unless there is one already."""
    import pyarrow as pa

    if len(arrays) == 1 and arrays[0].buffers()[0] is None and _is_whole(arrays[0]):
        return arrays[0]
    joined = pa.concat_arrays([pa.array([], pa.string()), *arrays])
    _, offsets, texts = joined.buffers()
    return pa.Array.from_buffers(pa.string(), len(joined), [None, offsets, texts], 0)


def make_texts(content: bytes, ends: NDArray[np.int64]) -> Any:
    """Make an array of texts, given where each ends; the first starts at 0."""
    import pyarrow as pa

    offsets = np.zeros(len(ends) + 1, np.int32)
    offsets[1:] = ends
    return pa.Array.from_buffers(pa.string(), len(ends), [None, pa.py_buffer(offsets), pa.py_buffer(content)])


def get_offsets(array: Any) -> NDArray[np.int32]:
    """Get where each text starts in the buffer of an array of strings, and where the last ends."""
    if not len(array):
        return np.zeros(1, np.int32)
    return np.frombuffer(array.buffers()[1], np.int32)[array.offset : array.offset + len(array) + 1]


def count_text_bytes(array: Any) -> int:
    """Count the bytes of all texts of an array of strings."""
    offsets = get_offsets(array)
    return int(offsets[-1]) - int(offsets[0])


def has_odd_text(array: Any, content: bytes) -> bool:
    """Tell whether there is a NUL, or anything that is not UTF-8, in an array; ``content`` has the bytes of its texts."""
    import pyarrow as pa

    if b"\0" in content:
        return True
    if content.isascii():
        return False
    try:
        array.validate(full=True)
    except pa.ArrowInvalid:
        return True
    return False


def find_odd_text(array: Any) -> int | None:
    """Find the first text with a NUL or with bytes that are not UTF-8."""
    offsets = get_offsets(array)
    content: bytes = b"" if offsets[-1] == offsets[0] else array.buffers()[2][int(offsets[0]) : int(offsets[-1])].to_pybytes()
    if not has_odd_text(array, content):
        return None
    starts = (offsets - offsets[0]).tolist()
    texts = (content[start:stop] for start, stop in pairwise(starts))
    return next((index for index, text in enumerate(texts) if b"\0" in text or not _is_utf8(text)), None)


def _is_utf8(text: bytes) -> bool:
    try:
        text.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _is_whole(array: Any) -> bool:
    """Tell whether the buffers have nothing but the texts."""
    _, offsets, texts = array.buffers()
    return (
        array.offset == 0
        and offsets.size == 4 * (len(array) + 1)
        and (texts.size if texts is not None else 0) == int(get_offsets(array)[-1])
    )
