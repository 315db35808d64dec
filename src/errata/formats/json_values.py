"""Values of untrusted JSON files: parsed without silence about what is not JSON or said twice, and checked for their types."""

from __future__ import annotations

import json
import math
import re
from typing import Any

from errata.errors import InputError

MOST_LEVELS = 64
"""Lists and objects inside each other; all formats need fewer than ten."""
MOST_DIGITS = 309
"""Digits of a whole number, as many as the largest floating-point number has."""
_STRING_OR_BRACKET = re.compile(r'"(?:[^"\\]|\\.)*"|[\[\]{}]')
_NOT_BRACKETS = bytes(set(range(256)) - set(b"[]{}"))


def parse_json(text: str) -> Any:
    """Parse JSON; raise :class:`InputError` if it is not JSON, too deep, or has a key twice.

    >>> parse_json('{"a": 1, "a": 2}')
    Traceback (most recent call last):
    ...
    errata.errors.InputError: the key 'a' occurs twice
    """
    _check_depth(text)
    try:
        return _DECODER.decode(text)
    except json.JSONDecodeError as error:
        raise InputError(f"not JSON: {error.msg} at column {error.colno}") from None


def _without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    record = dict(pairs)
    if len(record) == len(pairs):
        return record
    seen: set[str] = set()
    for key, _ in pairs:
        if key in seen:
            raise InputError(f"the key {key[:40]!r} occurs twice")
        seen.add(key)
    return record


def _no_constant(name: str) -> None:
    raise InputError(f"{name} is not a JSON value")


def _parse_integer(text: str) -> int:
    if len(text) > MOST_DIGITS:
        raise InputError(f"a number of {len(text):,} digits, more than the limit of {MOST_DIGITS:,}")
    return int(text)


def _parse_float(text: str) -> float:
    number = float(text)
    if math.isinf(number):
        raise InputError(f"the number {text[:40]} is too large")
    return number


_DECODER = json.JSONDecoder(
    object_pairs_hook=_without_repeats, parse_constant=_no_constant, parse_int=_parse_integer, parse_float=_parse_float
)


def _check_depth(text: str) -> None:
    """Refuse what is nested too deeply, for the parser and for whatever walks over the values."""
    if text.count("[") + text.count("{") <= MOST_LEVELS:
        return
    brackets = text.encode("utf-8", "replace").translate(None, _NOT_BRACKETS)
    for _ in range(MOST_LEVELS):  # each round removes the innermost level
        if not brackets:
            return
        brackets = brackets.replace(b"[]", b"").replace(b"{}", b"")
    depth = 0  # brackets are left; some may be inside strings
    for match in _STRING_OR_BRACKET.finditer(text):
        depth += (match[0] in "[{") - (match[0] in "]}")
        if depth > MOST_LEVELS:
            raise InputError(f"more than {MOST_LEVELS} lists and objects inside each other, at column {match.start() + 1}")


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
    """Return the value if it is a string without unpaired surrogates and NUL."""
    if not isinstance(data, str):
        raise InputError(f"{what} must be a string, found {type(data).__name__}")
    if not data.isascii() and any("\ud800" <= character <= "\udfff" for character in data):
        raise InputError(f"{what} has an unpaired surrogate, which is not a character: {data!r:.60}")
    if "\0" in data:
        raise InputError(f"{what} has a NUL, which is not text: {data!r:.60}")
    return data


def expect_integer(data: Any, what: str) -> int:
    """Return the value if it is a whole number."""
    if not isinstance(data, int) or isinstance(data, bool):
        raise InputError(f"{what} must be a whole number, found {type(data).__name__}")
    return data
