"""Structs in the compact protocol of Thrift, in which Parquet describes itself.

https://github.com/apache/thrift/blob/master/doc/specs/thrift-compact-protocol.md
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

_TRUE, _FALSE, _BYTE, _DOUBLE, _BINARY, _LIST, _SET, STRUCT = 1, 2, 3, 7, 8, 9, 10, 12
_INTEGERS = (4, 5, 6)
_LONG_LIST = 15
_MOST_LEVELS = 16
_MORE = 128
"""Bit of a byte that says that the number goes on."""
_MOST_BITS = 63


class ThriftError(Exception):
    """What cannot be read as a struct."""


class IncompleteStructError(ThriftError):
    """A struct that is longer than the bytes that are there."""


class CompactReader:
    """Reads values one after the other."""

    def __init__(self, content: bytes) -> None:
        self._content = content
        self.position = 0
        self._levels = 0

    def read_struct(self) -> dict[int, Any]:
        """Read the fields of a struct: whole numbers, truth values and structs by their number; of anything else None."""
        return {number: self.read_value(kind) for number, kind in self.fields()}

    def fields(self) -> Iterator[tuple[int, int]]:
        """Yield the number and the type of each field of a struct; its value must be read before the next."""
        if self._levels == _MOST_LEVELS:
            raise ThriftError("too many structs inside each other")
        self._levels += 1
        number = 0
        while (head := self._read_byte()) != 0:
            number = number + (head >> 4) if head >> 4 else self._read_integer()
            yield number, -(head & 15) if head & 15 in {_TRUE, _FALSE} else head & 15  # the type of a truth value is its value
        self._levels -= 1

    def elements(self) -> Iterator[int]:
        """Yield the type of each element of a list; its value must be read before the next."""
        head = self._read_byte()
        for _ in range(self._read_varint() if head >> 4 == _LONG_LIST else head >> 4):
            yield head & 15

    def read_value(self, kind: int) -> Any:
        """Read a value of a type."""
        if kind < 0:
            return kind == -_TRUE
        if kind in _INTEGERS:
            return self._read_integer()
        if kind == STRUCT:
            return self.read_struct()
        if kind == _BINARY:
            return self._pass(self._read_varint())
        if kind in {_LIST, _SET}:
            for inner in self.elements():
                self.read_value(inner)
            return None
        if kind in {_TRUE, _FALSE, _BYTE, _DOUBLE}:
            return self._pass(8 if kind == _DOUBLE else 1)
        raise ThriftError(f"a value of the unknown type {kind}")

    def _read_byte(self) -> int:
        self._pass(1)
        return self._content[self.position - 1]

    def _read_varint(self) -> int:
        value = bits = 0
        while True:
            byte = self._read_byte()
            value |= (byte & ~_MORE) << bits
            if byte < _MORE:
                return value
            bits += 7
            if bits > _MOST_BITS:
                raise ThriftError("a number that is too large")

    def _read_integer(self) -> int:
        value = self._read_varint()
        return (value >> 1) ^ -(value & 1)

    def _pass(self, count: int) -> None:
        self.position += count
        if self.position > len(self._content):
            raise IncompleteStructError("fewer bytes than it says")
