"""TOML of strangers: bounded before it is parsed, because the parser takes memory for every part of every key."""

from __future__ import annotations

import re
import tomllib
from typing import Any

from errata.errors import FormatError
from errata.formats.lines import decode_text

MOST_BYTES = 1 << 20
_MOST_PARTS = 8
"""Parts of a key, separated by dots."""
_MOST_LEVELS = 8
"""Arrays and tables inside each other."""
_PIECE = re.compile(
    r"""
    "{3}(?:[^"\\]|\\.|"{1,2}(?!"))*"{3,5}   # the four kinds of strings
    | '{3}(?:[^']|'{1,2}(?!'))*'{3,5}
    | "{3} | '{3}                           # a string without an end
    | "(?:[^"\\\n]|\\.)*"
    | '[^'\n]*'
    | " | '
    | \#[^\n]*
    | [\[\]{}.=,\n]
    """,
    re.VERBOSE | re.DOTALL,
)
_UNCLOSED = {'"', "'", '"""', "'''"}
_WHERE = re.compile(r" \(at line (\d+), column (\d+)\)$")


def parse_toml(raw: bytes, path: str) -> dict[str, Any]:
    """Parse a file; raise :class:`FormatError` with the line of what is too large, too deep or not TOML."""
    if len(raw) > MOST_BYTES:
        raise FormatError(path, None, f"more than {MOST_BYTES:,} bytes, expected a small file")
    text = decode_text(raw, path)
    _check_depth(text, path)
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        where = _WHERE.search(str(error))
        line, column = (int(where[1]), f" at column {where[2]}") if where else (text.count("\n") + 1, "")
        raise FormatError(path, line, f"not TOML: {_WHERE.sub('', str(error))[:200]}{column}") from None
    except (ValueError, RecursionError) as error:  # a number of very many digits
        raise FormatError(path, None, f"not TOML: {str(error)[:200]}") from None


def _check_depth(text: str, path: str) -> None:
    """Count dots and brackets outside strings and comments; what is not TOML is left to the parser."""
    depth = dots = 0
    for match in _PIECE.finditer(text):
        piece = match[0]
        if piece in _UNCLOSED:
            return
        if piece == ".":
            dots += 1
        elif piece in {"[", "{"}:
            depth, dots = depth + 1, 0
        elif piece in {"]", "}"}:
            depth, dots = max(0, depth - 1), 0
        elif piece in {"=", ",", "\n"}:
            dots = 0
        if dots >= _MOST_PARTS:
            raise FormatError(path, text.count("\n", 0, match.start()) + 1, f"a key of more than {_MOST_PARTS} parts")
        if depth > _MOST_LEVELS:
            raise FormatError(path, text.count("\n", 0, match.start()) + 1, f"more than {_MOST_LEVELS} brackets inside each other")
