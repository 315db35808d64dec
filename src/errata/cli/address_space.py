"""Libraries that misbehave in a small address space (``ulimit -v``) are not loaded into one.

OpenBLAS, which comes with NumPy and SciPy, starts a thread for every core with its own memory; without enough of it, it may wait for
ever or end the process.  The engine that draws charts reserves many gigabytes that it never uses, and crashes without them.
"""

from __future__ import annotations

import os
import sys

_MEGABYTE = 1 << 20
NEEDED = {"numpy": 130, "scipy.linalg": 130, "scipy.special": 100, "pyarrow": 260, "vl_convert": 70_000}
"""Megabytes of address space that a module needs to be imported and used; measured, with one thread."""


def respect_memory_limits() -> None:
    """Use one thread for linear algebra and guard imports, if the address space of the process is limited."""
    if count_free_megabytes() is not None:
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
        sys.meta_path.insert(0, _Guard())


def count_free_megabytes() -> int | None:
    """Count what is left of the address space; None if it is not limited."""
    try:
        import resource
    except ImportError:  # not on Windows
        return None
    limit = resource.getrlimit(resource.RLIMIT_AS)[0]
    if limit == resource.RLIM_INFINITY:
        return None
    try:
        with open("/proc/self/statm", encoding="ascii") as file:  # noqa: PTH123 - small, and early
            used = int(file.read().split()[0]) * resource.getpagesize()
    except (OSError, ValueError, IndexError):
        used = 0
    return max(0, limit - used) // _MEGABYTE


class _Guard:
    """A finder of modules that raises before one is imported that needs more than is free; it finds nothing itself."""

    def find_spec(self, name: str, path: object = None, target: object = None) -> None:
        """Check one module."""
        del path, target
        needed, free = NEEDED.get(name), count_free_megabytes()
        if needed is not None and free is not None and free < needed:
            raise MemoryError(f"{name} needs {needed:,} MB of address space, found {free:,} MB (raise the limit with ulimit -v)")
