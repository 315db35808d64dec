"""Values of JSON files from strangers: of the type that is expected, or an error that says what was found."""

from __future__ import annotations

from typing import Any

from errata.errors import InputError


def expect_object(data: Any, what: str) -> dict[str, Any]:
    """An object."""
    if not isinstance(data, dict):
        raise InputError(f"{what} is an object, found {type(data).__name__}")
    return data


def expect_list(data: Any, what: str) -> list[Any]:
    """A list."""
    if not isinstance(data, list):
        raise InputError(f"{what} is a list, found {type(data).__name__}")
    return data


def expect_string(data: Any, what: str) -> str:
    """A text of characters, without half of a pair."""
    if not isinstance(data, str):
        raise InputError(f"{what} is a string, found {type(data).__name__}")
    if not data.isascii() and any("\ud800" <= character <= "\udfff" for character in data):
        raise InputError(f"{what} has half of a surrogate pair, which is no character: {data!r}")
    return data


def expect_integer(data: Any, what: str) -> int:
    """A whole number."""
    if not isinstance(data, int) or isinstance(data, bool):
        raise InputError(f"{what} is a whole number, found {type(data).__name__}")
    return data
