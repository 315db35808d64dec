"""Type checks for values of untrusted JSON files."""

from __future__ import annotations

from typing import Any

from errata.errors import InputError


def expect_object(data: Any, what: str) -> dict[str, Any]:
    """Return the value if it is an object."""
    if not isinstance(data, dict):
        raise InputError(f"{what} must be an object, found {type(data).__name__}")
    return data


def expect_list(data: Any, what: str) -> list[Any]:
    """Return the value if it is a list."""
    if not isinstance(data, list):
        raise InputError(f"{what} must be a list, found {type(data).__name__}")
    return data


def expect_string(data: Any, what: str) -> str:
    """Return the value if it is a string without unpaired surrogates."""
    if not isinstance(data, str):
        raise InputError(f"{what} must be a string, found {type(data).__name__}")
    if not data.isascii() and any("\ud800" <= character <= "\udfff" for character in data):
        raise InputError(f"{what} has an unpaired surrogate, which is not a character: {data!r}")
    return data


def expect_integer(data: Any, what: str) -> int:
    """Return the value if it is a whole number."""
    if not isinstance(data, int) or isinstance(data, bool):
        raise InputError(f"{what} must be a whole number, found {type(data).__name__}")
    return data
