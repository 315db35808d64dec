"""Fixes that can be taken back, to see that the fuzzer finds what they fixed."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

UNDO: dict[str, Callable[[], None]] = {}


def take_back(name: str) -> None:
    """Take a fix back in this process."""
    UNDO[name]()
