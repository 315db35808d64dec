"""Names of files that are written into one folder."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

LONGEST_FILE_NAME = 255
"""Bytes of a file name on all usual file systems."""


def find_same_file(names: Iterable[str]) -> tuple[int, int] | None:
    """Find two names that are one file on some systems, which take no notice of case or of how accents are encoded.

    >>> find_same_file(["a.xml", "b.xml", "A.xml"])
    (0, 2)
    """
    seen: dict[str, int] = {}
    for number, name in enumerate(names):
        folded = unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold())
        if folded in seen:
            return seen[folded], number
        seen[folded] = number
    return None
