"""What the user is told if a command fails: one line, and an exit status."""

from __future__ import annotations

import errno
import os
import sys
from contextlib import suppress
from threading import Event
from typing import TYPE_CHECKING

from errata.errors import ErrataError, RequestError
from errata.plugins import name_failed_plugin
from errata.report.progress import print_to_stderr

if TYPE_CHECKING:
    from collections.abc import Iterator

INTERRUPTED, BUG = 130, 70
"""Exit statuses: that of shells for SIGINT, and EX_SOFTWARE."""
INTERRUPT_RECEIVED = Event()
"""Whether the user has interrupted the process; whatever fails then, fails because of that."""
_TRACEBACK = "ERRATA_TRACEBACK"
"""The environment variable that asks for tracebacks."""
_WHILE_WRITING = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EBADF, errno.EAGAIN)
_NO_MEMORY = ("failed to map segment", "cannot allocate memory", "can't start new thread")
"""What is said if a library cannot be loaded, or a thread cannot be started, for want of memory."""


def report_failure(error: BaseException) -> int:
    """Print why a command failed, and return the exit status."""
    causes = list(_causes(error))
    if INTERRUPT_RECEIVED.is_set() or any(isinstance(cause, KeyboardInterrupt) for cause in causes):
        print_to_stderr("errata: interrupted")
        return INTERRUPTED
    if isinstance(error, BrokenPipeError):
        return 0  # the reader of a pipe has seen enough
    if lacking := next((cause for cause in causes if _is_lack_of_memory(cause)), None):
        message, status = _describe_lack(lacking), RequestError.exit_status
    elif isinstance(error, ErrataError):
        message, status = getattr(error, "detail", "") or str(error), error.exit_status  # with what only organisers may know
    elif (failed := name_failed_plugin(error)) is not None:
        message, status = failed, RequestError.exit_status
    elif isinstance(error, OSError):
        message, status = _describe_system_error(error)
    elif isinstance(error, ImportError):
        message = f"{type(error).__name__}: {error}; part of the installation is missing or damaged: errata doctor says which"
        status = BUG
    else:
        notes = "".join(f" ({note})" for note in getattr(error, "__notes__", ()))
        advice = f"{_TRACEBACK}=1 shows where" if not os.environ.get(_TRACEBACK) else "please report it with the traceback"
        message = f"{type(error).__name__}: {error}{notes}; this is a bug in errata, and {advice}"
        status = BUG
    if os.environ.get(_TRACEBACK) and not isinstance(error, ErrataError):
        import traceback

        with suppress(OSError, ValueError):
            traceback.print_exception(error, file=sys.stderr)
    print_to_stderr(f"errata: error: {message}")
    return status


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    """Yield an exception and those that led to it; C code may turn an interrupt, or a lack of memory, into another exception."""
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        yield error
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)


def _is_lack_of_memory(error: BaseException) -> bool:
    if isinstance(error, OSError) and error.errno == errno.ENOMEM:
        return True
    said = str(error).lower() if isinstance(error, ImportError | OSError | RuntimeError) else ""
    return isinstance(error, MemoryError) or any(words in said for words in _NO_MEMORY)


def _describe_lack(error: BaseException) -> str:
    what = str(error).partition("\n")[0].replace("std::bad_alloc", "")
    return f"not enough memory{f': {what}' if what else '; a smaller --max-tokens refuses the lines that need most'}"


def _describe_system_error(error: OSError) -> tuple[str, int]:
    """Describe an error of the system that no reader and no writer has explained."""
    reason = error.strerror or str(error)
    if error.filename is None:  # writers name their files, so what cannot be written is what is printed
        return f"cannot write to standard output: {reason}" if error.errno in _WHILE_WRITING else reason, RequestError.exit_status
    name = os.fsdecode(error.filename) if isinstance(error.filename, str | bytes | os.PathLike) else str(error.filename)
    return f"{name}: {reason}", ErrataError.exit_status
