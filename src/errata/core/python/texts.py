"""Texts and their tokens; twin of ``native/texts.hpp`` and of ``native/bindings/text_columns.hpp``."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

_TYPES = ("string", "large_string", "string_view")
_SURROGATE = re.compile("[\ud800-\udfff]")


class TextArgument(NamedTuple):
    """The texts of one argument; name and number of the first sentence are for messages."""

    texts: Sequence[str | bytes | None]
    name: str
    first: int

    def split(self, index: int, max_tokens: int) -> tuple[str, ...]:
        """Split a text at white space, or raise with the number of the sentence."""
        text = self.texts[index]
        if isinstance(text, bytes):
            try:
                text = text.decode("utf-8")
            except UnicodeDecodeError as error:
                raise ValueError(self.refuse(index, f"is not UTF-8: byte 0x{text[error.start]:02x} at byte {error.start + 1}")) from None
        tokens = tuple(str(text).split())
        if len(tokens) > max_tokens:
            raise OverflowError(self.refuse(index, f"has {len(tokens)} tokens, more than the limit of {max_tokens}"))
        return tokens

    def refuse(self, index: int, what: str) -> str:
        """Say which text cannot be read, and why."""
        return f"sentence {self.first + index} cannot be scored: its {self.name} {what}"


def read_text_argument(values: Any, name: str, first: int) -> TextArgument:
    """Read the texts of a list, or of an array of any library with Arrow's PyCapsule interface.

    >>> read_text_argument(["A cat ."], "source", 1).split(0, 100)
    ('A', 'cat', '.')
    """
    if isinstance(values, list):
        column = TextArgument(tuple(values), name, first)
        for index, text in enumerate(column.texts):
            if not isinstance(text, str):
                raise TypeError("a text must be a str")
            if not text.isascii() and _SURROGATE.search(text):
                raise ValueError(column.refuse(index, "has a surrogate, which is no character"))
        return column
    if not hasattr(values, "__arrow_c_array__"):
        raise TypeError("texts must be a list of str or an Arrow array of strings")
    import pyarrow as pa

    array = pa.array(values)
    if str(array.type) not in _TYPES:
        raise TypeError("an Arrow array of texts must have the type string, large_string or string_view")
    column = TextArgument(array.cast(pa.large_binary()).to_pylist(), name, first)
    if None in column.texts:
        raise ValueError(column.refuse(column.texts.index(None), "is null"))
    return column
