"""How many cores this process may use."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

_QUOTA = Path("/sys/fs/cgroup/cpu.max")
"""Where Linux says how much processor time a container gets: microseconds, or max, and of how many."""


def count_cores(quota: Path = _QUOTA) -> int:
    """Count the cores that this process may use: all, unless it is bound to some or its container has fewer.

    >>> count_cores() >= 1
    True
    """
    allowed = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    with suppress(OSError, ValueError):
        time, period = quota.read_text(encoding="ascii").split()
        return max(1, min(allowed, -(-int(time) // int(period))))
    return allowed
