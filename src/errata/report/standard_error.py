"""Lines on standard error, which may be full or closed."""

from __future__ import annotations

import sys
from contextlib import suppress

from errata.html import printable


def print_to_stderr(line: str) -> None:
    """Print a line, made safe for a terminal.

    If that fails nobody can be told; what a command does, and its status, must not depend on it.
    """
    with suppress(OSError, ValueError, AttributeError):
        print(printable(line), file=sys.stderr, flush=True)
