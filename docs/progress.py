"""Progress of the commands that write pages from data."""

from __future__ import annotations

import sys
import time

_START = time.monotonic()


def tell(message: str) -> None:
    """Say on standard error what is done."""
    print(f"{time.monotonic() - _START:5.0f} s  {message}", file=sys.stderr, flush=True)
