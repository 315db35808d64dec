"""Where the files of evidence are.

::

    FOLDER/manifest.json
    FOLDER/METRIC/SYSTEM/part-000000-0123456789abcdef.parquet

A part has the rows of consecutive sentences.  Its name has its number and the first digits of the SHA-256 of the file, so a file that
is not whole, or was changed, is found out without any other file.
"""

from __future__ import annotations

import hashlib
import re
from typing import TYPE_CHECKING
from urllib.parse import quote

from errata.errors import UsageError
from errata.formats.writing import find_same_file
from errata.names import BLOCK_SIZE

if TYPE_CHECKING:
    from collections.abc import Sequence

MANIFEST = "manifest.json"
LAYOUT = 1
"""The version of all this."""
_DIGITS = 16
_LONGEST = 120
"""Characters of a name of a folder that are kept as they are."""
_SAFE = " ()=,+-_."
_PART = re.compile(rf"part-(\d{{6,9}})-([0-9a-f]{{{_DIGITS}}})\.parquet")


def check_part_size(size: int) -> None:
    """Raise unless parts of this size consist of whole blocks, whose hashes make the fingerprint of the gold."""
    if size < BLOCK_SIZE or size % BLOCK_SIZE:
        raise UsageError(f"a part must have a multiple of {BLOCK_SIZE:,} sentences, found {size:,}")


def name_folder(text: str) -> str:
    """Make the name of a folder from that of a metric or a system.

    >>> name_folder("maxmatch(beta=1.0)"), name_folder("../a/b"), name_folder("x" * 200)[118:]
    ('maxmatch(beta=1.0)', '%2E.%2Fa%2Fb', 'xx-aa20c23e')
    """
    name = quote(text, safe=_SAFE, errors="surrogatepass")
    if name.startswith((".", " ")) or name.endswith(" "):
        name = f"%{ord(name[0]):02X}{name[1:]}" if name.startswith((".", " ")) else f"{name[:-1]}%20"
    if len(name) > _LONGEST:
        name = f"{name[:_LONGEST]}-{hashlib.sha256(text.encode('utf-8', 'surrogatepass')).hexdigest()[:8]}"
    return name


def name_place(metric: str, system: str) -> str:
    """Name the place of the parts of a metric and a system."""
    return f"{name_folder(metric)}/{name_folder(system)}"


def check_folders(names: Sequence[str], what: str) -> None:
    """Raise if two names would be one folder on some systems, or one is not text."""
    for name in names:
        if any("\ud800" <= character <= "\udfff" for character in name):
            raise UsageError(f"names of {what} must be valid Unicode, found {name!r:.60}")
    if (same := find_same_file([name_folder(name) for name in names])) is not None:
        one, other = (names[index] for index in same)
        raise UsageError(f"two {what} would have one folder: {one!r} and {other!r}")


def name_part_file(number: int, content: bytes) -> str:
    """Name the file of a part, which is numbered from 0."""
    return f"part-{number:06d}-{hashlib.sha256(content).hexdigest()[:_DIGITS]}.parquet"


def parse_part_name(name: str) -> int | None:
    """Find the number of a part in the name of its file; None if it is another file."""
    match = _PART.fullmatch(name)
    return int(match[1]) if match is not None else None
