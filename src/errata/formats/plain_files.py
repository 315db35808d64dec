"""Files in which nothing is unusual are read at once; others are left to the careful readers, which explain what is wrong."""

from __future__ import annotations

import os

from errata.formats.limits import get_limits
from errata.formats.lines import BOM, open_bytes

_LARGE = 1 << 26
"""Bytes of a file that is not read at once."""
_ODD = (b"\r", b"\0", BOM)
"""Bytes that only the careful readers understand."""


def read_plain_file(path: str) -> str | None:
    """Read a text whose lines end in line feeds, perhaps after carriage returns, which are left out; None if anything else is unusual."""
    if not os.path.isfile(path):  # noqa: PTH113 - never raises
        return None
    with open_bytes(path) as file:
        content = file.read(_LARGE)
    if len(content) == _LARGE:
        return None
    content = content.replace(b"\r\n", b"\n")
    if any(odd in content for odd in _ODD) or content.count(b"\n") >= get_limits().max_lines:
        return None
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError:
        return None
