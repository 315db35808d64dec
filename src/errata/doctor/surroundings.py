"""What errata runs in: the terminal, memory, cores, and variables that it reads."""

from __future__ import annotations

import os
import shutil
import sys
from contextlib import suppress
from pathlib import Path

from errata.doctor.observations import Observation, Section
from errata.errors import pluralise
from errata.scoring.engines import count_cores

_VARIABLES = ("ERRATA_", "NO_COLOR", "PYTHONUTF8", "PYTHONIOENCODING", "OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS")
_CGROUP = Path("/sys/fs/cgroup/memory.max")
"""Where Linux says how much memory a container gets."""
_GIGABYTE = 1 << 30


def list_surroundings() -> Section:
    """List what the machine and the shell say."""
    observations = (
        Observation("terminal", _describe_terminal()),
        Observation("files and names", f"{sys.getfilesystemencoding()}, {'UTF-8 mode' if sys.flags.utf8_mode else 'no UTF-8 mode'}"),
        Observation("memory", _describe_memory()),
        Observation("cores", f"{pluralise(count_cores(), 'core')} of {os.cpu_count() or 'an unknown number'}"),
        Observation("variables", ", ".join(sorted(name for name in os.environ if name.startswith(_VARIABLES))) or "none that errata reads"),
    )
    return Section("surroundings", "Surroundings", observations)


def _describe_terminal() -> str:
    stream = sys.__stdout__
    if stream is None:
        return "none"
    size = shutil.get_terminal_size()
    what = f"{size.columns} columns" if stream.isatty() else "output is no terminal"
    colours = "no colours (NO_COLOR)" if os.environ.get("NO_COLOR") else f"TERM={os.environ.get('TERM', 'not set')}"
    return f"{what}, {stream.encoding}, {colours}"


def _describe_memory() -> str:
    parts = []
    with suppress(ValueError, OSError, AttributeError):  # not on every system
        parts.append(f"{os.sysconf('SC_PAGE_SIZE') * os.sysconf('SC_PHYS_PAGES') / _GIGABYTE:.1f} GB")
    with suppress(OSError, ValueError):
        parts.append(f"container limited to {int(_CGROUP.read_text(encoding='ascii')) / _GIGABYTE:.1f} GB")
    with suppress(ImportError):  # not on Windows
        import resource

        limit = resource.getrlimit(resource.RLIMIT_AS)[0]
        parts.append(
            "no limit for a process" if limit == resource.RLIM_INFINITY else f"a process has {limit / _GIGABYTE:.1f} GB (ulimit -v)"
        )
    return ", ".join(parts) or "unknown"
