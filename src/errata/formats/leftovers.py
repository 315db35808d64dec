"""Names of temporary files, and their removal if the program that wrote them was killed.

A name has a mark of the machine and the number of the process, so that files of programs that still run are kept, on other machines
that share the folder too.
"""

from __future__ import annotations

import os
import re
import stat
import time
import zlib
from contextlib import suppress
from functools import cache
from itertools import islice
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

_PART = re.compile(r"\.errata-([0-9a-f]{8})-([1-9][0-9]{0,9})-[0-9a-f]{8}\.part")
_OLD = 24 * 60 * 60
"""Seconds after which a temporary file is left over, whoever wrote it."""
_MOST_ENTRIES = 10_000
"""Entries of a folder that are searched for temporary files."""


@cache
def _machine() -> str:
    """Mark the machine and its numbering of processes, of which containers have their own."""
    numbering = ""
    with suppress(OSError):
        numbering = os.readlink("/proc/self/ns/pid")  # noqa: PTH115 - not the name of a file
    return f"{zlib.crc32(f'{os.uname().nodename} {numbering}'.encode(errors='surrogateescape')):08x}"


def name_part(token: str) -> str:
    """Name a temporary file."""
    return f".errata-{_machine()}-{os.getpid()}-{token}.part"


def remove_leftovers(folder: Path) -> None:
    """Remove temporary files of this user whose process has ended, or that are a day old; links are never followed."""
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in islice(entries, _MOST_ENTRIES):
            if (match := _PART.fullmatch(entry.name)) is not None:
                with suppress(OSError):
                    found = entry.stat(follow_symlinks=False)
                    if stat.S_ISREG(found.st_mode) and found.st_uid == os.geteuid() and _is_left(match[1], int(match[2]), found.st_mtime):
                        os.unlink(entry.path)  # noqa: PTH108 - no need for an object


def _is_left(machine: str, process: int, written: float) -> bool:
    if time.time() - written > _OLD:
        return True
    return machine == _machine() and process != os.getpid() and not _is_running(process)


def _is_running(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):  # a process of another user
        return True
    return True
