"""Arrow arrays made by hand, with the structures of the C data interface: right ones and hostile ones."""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Callable
from typing import Any


class Schema(ctypes.Structure):
    pass


class Array(ctypes.Structure):
    pass


_RELEASE = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
Schema._fields_ = [
    ("format", ctypes.c_char_p),
    ("name", ctypes.c_char_p),
    ("metadata", ctypes.c_char_p),
    ("flags", ctypes.c_int64),
    ("n_children", ctypes.c_int64),
    ("children", ctypes.c_void_p),
    ("dictionary", ctypes.c_void_p),
    ("release", ctypes.c_void_p),
    ("private_data", ctypes.c_void_p),
]
Array._fields_ = [
    ("length", ctypes.c_int64),
    ("null_count", ctypes.c_int64),
    ("offset", ctypes.c_int64),
    ("n_buffers", ctypes.c_int64),
    ("n_children", ctypes.c_int64),
    ("buffers", ctypes.c_void_p),
    ("children", ctypes.c_void_p),
    ("dictionary", ctypes.c_void_p),
    ("release", ctypes.c_void_p),
    ("private_data", ctypes.c_void_p),
]
_new_capsule: Callable[..., Any] = ctypes.pythonapi.PyCapsule_New
_new_capsule.restype = ctypes.py_object  # type: ignore[attr-defined]
_new_capsule.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]  # type: ignore[attr-defined]


class ArrayByHand:
    """An array whose every field can be set; ``released`` counts how often its consumer released it."""

    def __init__(self, kind: str, buffers: list[bytes | None], length: int, /, **fields: Any) -> None:
        self.released = 0
        self._memory = [None if content is None else ctypes.create_string_buffer(content, max(1, len(content))) for content in buffers]
        addresses = [None if memory is None else ctypes.addressof(memory) for memory in self._memory]
        self._buffers = (ctypes.c_void_p * max(1, len(buffers)))(*addresses)
        self._callbacks = _RELEASE(self._release_schema), _RELEASE(self._release_array)
        release_schema, release_array = (ctypes.cast(callback, ctypes.c_void_p) for callback in self._callbacks)
        self.schema = Schema(format=kind.encode(), release=release_schema)
        self.array = Array(
            length=length,
            null_count=0,
            offset=0,
            n_buffers=len(buffers),
            buffers=ctypes.cast(self._buffers, ctypes.c_void_p),
            release=release_array,
        )
        for name, value in fields.items():
            setattr(self.schema if name.startswith("schema_") else self.array, name.removeprefix("schema_"), value)

    def _release_schema(self, address: int) -> None:
        Schema.from_address(address).release = None

    def _release_array(self, address: int) -> None:
        self.released += 1
        Array.from_address(address).release = None

    def __arrow_c_array__(self, requested_schema: object = None) -> tuple[object, object]:
        del requested_schema
        return (
            _new_capsule(ctypes.addressof(self.schema), b"arrow_schema", None),
            _new_capsule(ctypes.addressof(self.array), b"arrow_array", None),
        )


def column_of(*items: bytes) -> ArrayByHand:
    """Make texts that pyarrow would not make: any bytes."""
    offsets = [sum(map(len, items[:k])) for k in range(len(items) + 1)]
    return ArrayByHand("u", [None, struct.pack(f"{len(offsets)}i", *offsets), b"".join(items)], len(items))
